// What is sent, and what becomes of the answers, with the network replaced.

import { answering, failure, queryAnswer } from "./samples.js";

/** @type {import("../harness.js").Case[]} */
export const transportCases = [
  {
    name: "a caller's fetch gets a string and a plain object of five members",
    async run(environment) {
      const { assert } = environment;
      const { hotdata, requests } = answering(environment, () => queryAnswer(["n"], "[[1]]"));
      await hotdata.query("SELECT 1 AS n");
      assert.lengthOf(requests, 1);
      const [{ url, init } = { url: "", init: {} }] = requests;
      assert.equal(url, "https://api.example/v1/query");
      const allowed = ["method", "headers", "body", "signal", "redirect"];
      assert.deepEqual(
        Object.keys(init).filter((key) => !allowed.includes(key)),
        [],
      );
      assert.equal(init.redirect, "manual");
      const headers = new Headers(init.headers);
      assert.equal(headers.get("authorization"), "Bearer hd_test");
      assert.equal(headers.get("x-workspace-id"), "ws_local");
      assert.isNull(headers.get("user-agent"));
      assert.equal(JSON.parse(init.body).sql, "SELECT 1 AS n");
    },
  },
  {
    name: "64-bit integers keep their digits, and make their whole column strings",
    async run(environment) {
      const { assert } = environment;
      const rows = "[[9007199254740993,1,0.1],[-9223372036854775808,2,1.5],[7,3,null]]";
      const { hotdata } = answering(environment, () => queryAnswer(["id", "n", "x"], rows));
      const result = await hotdata.query("SELECT id, n, x FROM default.public.t");
      assert.deepEqual(result.rows, [
        ["9007199254740993", 1, 0.1],
        ["-9223372036854775808", 2, 1.5],
        ["7", 3, null],
      ]);
      assert.deepEqual(JSON.parse(JSON.stringify(result.objects()))[0], {
        id: "9007199254740993",
        n: 1,
        x: 0.1,
      });
    },
  },
  {
    name: "equal column names keep both values",
    async run(environment) {
      const { assert } = environment;
      const { hotdata } = answering(environment, () => queryAnswer(["id", "id"], "[[1,2]]"));
      const result = await hotdata.query("SELECT a.id, b.id FROM a, b");
      assert.deepEqual(result.columns, ["id", "id_2"]);
      assert.deepEqual(result.objects(), [{ id: 1, id_2: 2 }]);
      assert.include(result.warning, "id_2");
    },
  },
  {
    name: "a result iterates its rows as objects and tells about itself",
    async run(environment) {
      const { assert } = environment;
      const { hotdata } = answering(environment, () =>
        queryAnswer(["a", "b"], '[[1,{"c":[1,null]}],[null,"x"]]', { warning: "careful" }),
      );
      const result = await hotdata.query("SELECT a, b FROM default.public.t");
      assert.deepEqual(
        [...result],
        [
          { a: 1, b: { c: [1, null] } },
          { a: null, b: "x" },
        ],
      );
      assert.deepEqual(result.columns, ["a", "b"]);
      assert.equal(result.queryRunId, "qr_test");
      assert.equal(result.executionTimeMs, 3);
      assert.equal(result.truncated, false);
      assert.isNull(result.resultId);
      assert.include(result.warning, "careful");
    },
  },
  {
    name: "the engine's own words, or what came instead of them",
    async run(environment) {
      const { assert, api } = environment;
      const refused = JSON.stringify({
        error: { code: "BAD_REQUEST", message: "No field named x." },
      });
      const answers = [
        [new Response(refused, { status: 400 }), "bad_request", "No field named x."],
        [new Response("Authorization was not valid", { status: 401 }), "unauthorized", "not valid"],
        [new Response("<html>nginx</html>", { status: 502 }), "unavailable", "502"],
        [new Response("<html>log in</html>", { status: 200 }), "unexpected_response", ""],
      ];
      for (const [response, code, words] of answers) {
        const { hotdata } = answering(environment, () => /** @type {Response} */ (response), {
          maxRetries: 0,
        });
        const error = await failure(() => hotdata.query("SELECT x"));
        assert.instanceOf(error, api.HotdataError);
        assert.equal(error.code, code);
        assert.include(error.message, words);
        assert.notInclude(error.message, "<html>");
      }
    },
  },
  {
    name: "a failing fetch is the error's cause, an abort keeps its name",
    async run(environment) {
      const { assert } = environment;
      const fault = new TypeError("no route");
      const broken = answering(
        environment,
        () => {
          throw fault;
        },
        { maxRetries: 0 },
      );
      const error = await failure(() => broken.hotdata.query("SELECT 1"));
      assert.equal(error.code, "network");
      assert.strictEqual(error.cause, fault);

      const aborted = answering(environment, () => queryAnswer(["n"], "[[1]]"));
      const abort = await failure(() =>
        aborted.hotdata.query("SELECT 1", { signal: AbortSignal.abort() }),
      );
      assert.equal(abort.name, "AbortError");
      assert.lengthOf(aborted.requests, 0);
    },
  },
  {
    name: "a key too short to be one does not spoil an answer's words",
    async run(environment) {
      const { assert } = environment;
      const words = "table 'local_shops' not found";
      const answer = () => Response.json({ error: { message: words } }, { status: 400 });
      const { hotdata } = answering(environment, answer, { apiKey: "local" });
      assert.equal((await failure(() => hotdata.query("SELECT 1"))).message, words);
    },
  },
  {
    name: "the key shows nowhere",
    async run(environment) {
      const { assert } = environment;
      const { hotdata } = answering(environment, () => new Response("no", { status: 500 }), {
        apiKey: "hd_very_secret",
      });
      const error = await failure(() => hotdata.query("SELECT 1"));
      const shown = [JSON.stringify(hotdata), String(hotdata), error.stack, JSON.stringify(error)];
      for (const text of shown) assert.notInclude(String(text), "hd_very_secret");
    },
  },
];
