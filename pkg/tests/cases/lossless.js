// What becomes of a result's numbers, with the network replaced.

import { cell, formOf, generator, json, numbersOf, valueIn } from "./random-results.js";
import { answering, failure, queryAnswer } from "./samples.js";

/** How integers may be asked for. */
const MODES = /** @type {const} */ ([undefined, "string", "bigint"]);

/**
 * The rows of a query that is answered with JSON rows.
 *
 * @param {import("../harness.js").CaseEnvironment} environment
 * @param {string[]} columns
 * @param {string} rows JSON
 * @param {string} [integers]
 * @returns {Promise<any[][]>}
 */
async function rowsOf(environment, columns, rows, integers) {
  const { hotdata } = answering(environment, () => queryAnswer(columns, rows));
  return (await hotdata.query("SELECT", { integers })).rows;
}

/**
 * The rows of a query that is answered with a body.
 *
 * @param {import("../harness.js").CaseEnvironment} environment
 * @param {BodyInit} body
 * @returns {Promise<any[][]>}
 */
async function rowsOfBody(environment, body) {
  const { hotdata } = answering(
    environment,
    () => new Response(body, { headers: { "content-type": "application/json" } }),
  );
  return (await hotdata.query("SELECT")).rows;
}

/** @type {import("../harness.js").Case[]} */
export const losslessCases = [
  {
    name: "H1: 64-bit integers keep their digits, as strings or as bigints",
    async run(environment) {
      const { assert } = environment;
      const rows = "[[9007199254740993,1],[-9223372036854775808,2],[7,3],[null,4]]";
      for (const integers of MODES) {
        const big = integers === "bigint" ? BigInt : String;
        assert.deepEqual(await rowsOf(environment, ["id", "n"], rows, integers), [
          [big("9007199254740993"), 1],
          [big("-9223372036854775808"), 2],
          [big("7"), 3],
          [null, 4],
        ]);
      }
    },
  },
  {
    name: "H1: an integer is changed from 2^53 on, and no sooner",
    async run(environment) {
      const { assert } = environment;
      for (const text of ["9007199254740991", "-9007199254740991", "1723456789012345"]) {
        assert.deepEqual(await rowsOf(environment, ["n"], `[[${text}]]`), [[Number(text)]]);
      }
      for (const text of ["9007199254740992", "-9007199254740992", "18446744073709551615"]) {
        assert.deepEqual(await rowsOf(environment, ["n"], `[[${text}]]`), [[text]]);
      }
    },
  },
  {
    name: "H3: a result goes through JSON.stringify, counts as numbers and large ones digit for digit",
    async run(environment) {
      const { assert } = environment;
      const rows = "[[3,18446744073709551615]]";
      const { hotdata } = answering(environment, () => queryAnswer(["count", "number"], rows));
      const result = await hotdata.query("SELECT");
      assert.equal(JSON.stringify(result.rows), '[[3,"18446744073709551615"]]');
      assert.equal(
        JSON.stringify(result.objects()),
        '[{"count":3,"number":"18446744073709551615"}]',
      );
    },
  },
  {
    name: "H29: decimals keep sign, scale and digits",
    async run(environment) {
      const { assert } = environment;
      const rows = "[[-0.05,12345678901234567890.12,12345],[100.00,-0.05,9007199254740993]]";
      for (const integers of MODES) {
        const big = integers === "bigint" ? BigInt : String;
        assert.deepEqual(await rowsOf(environment, ["small", "large", "scale_0"], rows, integers), [
          [-0.05, "12345678901234567890.12", big("12345")],
          [100, "-0.05", big("9007199254740993")],
        ]);
      }
    },
  },
  {
    name: "H30: dates and timestamps stay the engine's text, to the last digit",
    async run(environment) {
      const { assert } = environment;
      const moments = [
        ...["2026-08-12", "1969-12-31T23:59:59.999999999", "2000-01-01T12:30:45.123Z"],
        ...["2000-01-01T14:30:45.123456+02:00", "12:30:45.123456", "PT1.5S"],
      ];
      for (const integers of MODES) {
        const rows = JSON.stringify([moments]);
        assert.deepEqual(await rowsOf(environment, moments, rows, integers), [moments]);
      }
    },
  },
  {
    name: "H31: null for NaN stays null, and minus zero stays a number",
    async run(environment) {
      const { assert } = environment;
      for (const integers of MODES) {
        const rows = await rowsOf(environment, ["x", "y"], "[[null,-0.0],[0.5,-0]]", integers);
        assert.deepEqual(rows, [
          [null, -0],
          [0.5, -0],
        ]);
        assert.equal(JSON.stringify(rows), "[[null,0],[0.5,0]]");
      }
    },
  },
  {
    name: "H20: two columns of one name keep both values, each in its own form",
    async run(environment) {
      const { assert } = environment;
      const rows = "[[1,9007199254740993]]";
      for (const integers of MODES) {
        const { hotdata } = answering(environment, () => queryAnswer(["id", "id"], rows));
        const result = await hotdata.query("SELECT", { integers });
        const big = integers === "bigint" ? BigInt : String;
        assert.deepEqual(result.objects(), [{ id: 1, id_2: big("9007199254740993") }]);
        assert.include(result.warning, "id_2");
      }
    },
  },
  {
    name: "lists and structs are of their column, and their strings and names stay what they are",
    async run(environment) {
      const { assert } = environment;
      const rows =
        '[[[1,9007199254740993,null],{"10":"9007199254740993","2":-9223372036854775808,"__proto__":[5]},{"id":9007199254740993,"share":0.5}]]';
      for (const integers of MODES) {
        const big = integers === "bigint" ? BigInt : String;
        const [[list, struct, mixed] = []] = await rowsOf(
          environment,
          ["list", "struct", "mixed"],
          rows,
          integers,
        );
        assert.deepEqual(list, [big("1"), big("9007199254740993"), null]);
        assert.deepEqual(Object.keys(struct), ["2", "10", "__proto__"]);
        assert.deepEqual(Object.values(struct), [
          big("-9223372036854775808"),
          "9007199254740993",
          [big("5")],
        ]);
        // A bigint holds no half: such a column is text.
        assert.deepEqual(mixed, { id: "9007199254740993", share: "0.5" });
      }
    },
  },
  {
    name: "numbers beyond JavaScript's range are text, never Infinity or 0",
    async run(environment) {
      const { assert } = environment;
      for (const text of ["1E400", "-1e+309", "1e-400", "3e-324"]) {
        assert.deepEqual(await rowsOf(environment, ["x"], `[[${text}],[1.5]]`), [[text], ["1.5"]]);
      }
    },
  },
  {
    name: "rows are found however their key and the space around them are written",
    async run(environment) {
      const { assert } = environment;
      const head = '"columns":["id"],"query_run_id":"q"';
      for (const body of [
        `{${head},"ro\\u0077s":[[9007199254740993]]}`,
        `\r\n{ ${head} ,\t"rows" : [ [ 9007199254740993 ] ] }\n`,
        `{"rows":[[1]],${head},"rows":[[9007199254740993]]}`,
        `{"rows":[[9007199254740993]],"x":{"rows":[[1]]},${head}}`,
      ]) {
        assert.deepEqual(await rowsOfBody(environment, body), [["9007199254740993"]], body);
      }
      const kept = `{"rows":[[9007199254740993]],${head},"rows":[[1]]}`;
      assert.deepEqual(await rowsOfBody(environment, kept), [[1]]);
    },
  },
  {
    name: "what is no JSON is not made JSON",
    async run(environment) {
      const { assert } = environment;
      for (const cell of ["01", "1.", "-", "1e", "1-2", "NaN", "-Infinity", '"\\x"', "1 2"]) {
        const rows = `[[9007199254740993],[${cell}]]`;
        const error = await failure(() => rowsOf(environment, ["id"], rows));
        assert.equal(error.code, "unexpected_response", cell);
        assert.include(error.message, "broken JSON", cell);
      }
    },
  },
  {
    name: "a large result is the same in whatever pieces it comes",
    async run(environment) {
      const { assert } = environment;
      const height = 4_000;
      const floats = Array.from({ length: height }, (_, n) => Math.sin(n) / 3);
      const cells = floats.map((x, n) => [String(n), String(x), `"${"é".repeat(n % 7)} ${x}"`]);
      for (const last of ["9007199254740991", "9007199254740993"]) {
        const rows = `[${[...cells, [last, "0.5", '""']].map((row) => `[${row}]`)}]`;
        const text = `{"columns":["n","x","t"],"rows":${rows},"query_run_id":"q"}`;
        const bytes = new TextEncoder().encode(text);
        assert.isAbove(bytes.length, 3 * 65_536);
        const expected = JSON.parse(text).rows.map(
          (/** @type {any[]} */ [, x, t], /** @type {number} */ at) => {
            const n = at < height ? at : last;
            return [last.endsWith("1") ? Number(n) : String(n), x, t];
          },
        );
        for (const size of [bytes.length, 65_536, 1_021]) {
          assert.deepEqual(await rowsOfBody(environment, inPieces(bytes, size)), expected);
        }
        // A Response of another make, without a stream.
        const headers = new Headers();
        const answer = { status: 200, headers, arrayBuffer: async () => bytes.buffer };
        const { hotdata } = answering(environment, () => /** @type {any} */ (answer));
        assert.deepEqual((await hotdata.query("SELECT")).rows, expected);
      }
    },
  },
  {
    name: "random results follow the rule, column by column",
    async run(environment) {
      const { assert } = environment;
      const random = generator(20_260_812);
      const met = { number: 0, text: 0, bigint: 0 };
      for (let n = 0; n < 150; n++) {
        const width = 1 + random(5);
        const rows = Array.from({ length: 1 + random(6) }, (_, row) =>
          Array.from({ length: width }, (_, column) => cell(random, column % 4, row)),
        );
        const names = Array.from({ length: width }, (_, column) => `column ${column}`);
        const text = `[${rows.map((row) => `[${row.map(json)}]`)}]`;
        for (const integers of MODES) {
          const forms = names.map((_, column) =>
            formOf(
              rows.flatMap((row) => numbersOf(row[column])),
              integers,
            ),
          );
          for (const form of forms) met[form] += 1;
          const expected = rows.map((row) =>
            row.map((cell, column) => valueIn(cell, forms[column] ?? "number")),
          );
          assert.deepEqual(
            await rowsOf(environment, names, text, integers),
            expected,
            `${integers}: ${text}`,
          );
        }
      }
      for (const [form, count] of Object.entries(met)) assert.isAbove(count, 40, form);
    },
  },
  {
    name: "no other form of integers is taken",
    async run(environment) {
      const { assert } = environment;
      for (const integers of ["number", "", true, 5]) {
        const { hotdata, requests } = answering(environment, () => queryAnswer(["n"], "[[1]]"));
        const error = await failure(() => hotdata.query("SELECT", { integers }));
        assert.equal(error.code, "invalid_argument");
        assert.include(error.message, "`integers`");
        assert.lengthOf(requests, 0);
      }
    },
  },
];

/**
 * @param {Uint8Array} bytes
 * @param {number} size
 */
function inPieces(bytes, size) {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
      if (at >= bytes.length) controller.close();
    },
  });
}
