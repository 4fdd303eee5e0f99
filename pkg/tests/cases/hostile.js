// Hosts and callers that answer and give what nobody would expect. Each call ends as any other, and the next one works.

import { answering, failure, queryAnswer } from "./samples.js";

const BODY = '{"columns":["n"],"rows":[[1]],"query_run_id":"q"}';

/** A stand-in for a Response. @param {object} members */
function response(members) {
  const arrayBuffer = async () => new TextEncoder().encode(BODY).buffer;
  return /** @type {any} */ ({ status: 200, headers: new Headers(), arrayBuffer, ...members });
}

class Wordless extends Error {
  /** @type {any} */
  message;
}

/** @type {[string, () => any, string | undefined][]} what a fetch does, and the code it ends in */
const HOSTS = [
  [
    "an error without words",
    () => {
      throw new Wordless();
    },
    "network",
  ],
  [
    "an error that cannot be read",
    () => {
      throw new Proxy(new Error("x"), {
        get() {
          throw new Error("no");
        },
      });
    },
    "network",
  ],
  [
    "an error whose code is an object",
    () => {
      throw Object.assign(new Error("x"), { code: Object.create(null) });
    },
    "network",
  ],
  ["headers that are no text", () => response({ headers: { get: () => [7] } }), undefined],
  [
    "headers that throw",
    () =>
      response({
        headers: {
          get() {
            throw new Error("no");
          },
        },
      }),
    "network",
  ],
  [
    "a body of what only says it is bytes",
    () => {
      const chunk = { [Symbol.toStringTag]: "Uint8Array", length: 5 };
      const chunks = [{ done: false, value: chunk }, { done: true }];
      return response({ body: { getReader: () => ({ read: async () => chunks.shift() }) } });
    },
    "network",
  ],
];

/** @type {import("../harness.js").Case[]} */
export const hostileCases = [
  ...HOSTS.map(([what, fetch, code]) => ({
    name: `a host that answers with ${what}`,
    async run(/** @type {import("../harness.js").CaseEnvironment} */ environment) {
      const { assert, api } = environment;
      let calls = 0;
      const { hotdata } = answering(
        environment,
        () => (++calls === 1 ? fetch() : queryAnswer(["n"], "[[1]]")),
        { maxRetries: 0 },
      );
      const first = hotdata.query("SELECT 1");
      const others = Promise.all([hotdata.query("SELECT 2"), hotdata.query("SELECT 3")]);
      if (code === undefined) {
        assert.deepEqual((await first).rows, [[1]]);
      } else {
        const error = await failure(() => first);
        assert.instanceOf(error, api.HotdataError);
        assert.equal(error.code, code);
      }
      for (const other of await others) assert.deepEqual(other.rows, [[1]]);
    },
  })),
  {
    name: "typed arrays that lie about themselves are read as they are",
    async run({ api, assert }) {
      class Lying extends Float32Array {
        get length() {
          return /** @type {number} */ (/** @type {unknown} */ ({ valueOf: () => 1e9 }));
        }
      }
      class Throwing extends Float64Array {
        /** @returns {number} */
        get length() {
          throw new Error("no");
        }
      }
      const options = { table: "a.b.c", column: "v", keyColumn: "id" };
      for (const vector of [new Lying([0.5]), new Throwing([0.5])]) {
        assert.include(api.vectorDistanceSql({ ...options, vector }), "ARRAY[0.5]");
      }
      const false_ = { [Symbol.toStringTag]: "Float32Array", length: 1, 0: 0.5 };
      const error = await failure(() => api.vectorDistanceSql({ ...options, vector: false_ }));
      assert.include(error.message, "not a class instance Float32Array");
    },
  },
  {
    name: "more short rows than memory has room for fail before they are decoded",
    async run(environment) {
      const { assert } = environment;
      const rows = `[${"[1],".repeat(1_500_000)}[1]]`;
      const { hotdata } = answering(environment, () => queryAnswer(["n"], rows));
      const error = await failure(() => hotdata.query("SELECT 1"));
      assert.equal(error.code, "too_large");
      assert.include(error.message, "1500001 rows, more than 100000 (`maxRows`)");
      const many = await hotdata.query("SELECT 1", { maxRows: 1_500_001 });
      assert.equal(many.rowCount, 1_500_001);
    },
  },
  {
    name: "half of a surrogate pair is refused where it would become another text",
    async run(environment) {
      const { assert } = environment;
      const { hotdata, requests } = answering(environment, () => queryAnswer(["n"], "[[1]]"));
      for (const call of [
        () => hotdata.query("SELECT '\ud83d'"),
        () => hotdata.getDatabase("db\udc00"),
        () => hotdata.createDatabase({ name: "\ud83d" }),
        () => hotdata.searchText({ table: "a.b.c", column: "x", query: "\ud83d" }),
      ]) {
        const error = await failure(call);
        assert.equal(error.code, "invalid_argument");
        assert.include(error.message, "half of a surrogate pair");
      }
      assert.lengthOf(requests, 0);
      assert.deepEqual((await hotdata.query("SELECT '\ud83d\udc4d'")).rows, [[1]]);
    },
  },
  {
    name: "endless nothing ends with the time of a call",
    async run(environment) {
      const { assert } = environment;
      const endless = () =>
        new ReadableStream({
          pull(controller) {
            controller.enqueue(new Uint8Array(0));
          },
        });
      const { hotdata } = answering(environment, () => new Response(endless()), {
        timeoutMs: 200,
        maxRetries: 0,
      });
      assert.equal((await failure(() => hotdata.query("SELECT 1"))).code, "timeout");
      const upload = () => hotdata.uploadFile({ data: endless(), format: "csv" });
      assert.equal((await failure(upload)).code, "timeout");
    },
  },
  {
    name: "nothing is sent after a call has ended, and a write that was not says so",
    async run(environment) {
      const { assert } = environment;
      const slow = async () => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        return "hd_slow_key";
      };
      const answer = () => Response.json({ id: "db_1" });
      const { hotdata, requests } = answering(environment, answer, { apiKey: slow });
      const controller = new AbortController();
      const made = hotdata.createDatabase({ name: "n" });
      const aborted = hotdata.createDatabase({ name: "n", signal: controller.signal });
      controller.abort(new Error("enough"));
      assert.equal((await failure(() => aborted)).message, "enough");
      await made;
      const late = await failure(() => hotdata.createDatabase({ name: "n", timeoutMs: 20 }));
      assert.equal(late.code, "timeout");
      await new Promise((resolve) => setTimeout(resolve, 150));
      assert.lengthOf(requests, 1);
    },
  },
  {
    name: "what permits an upload shows in no error",
    async run(environment) {
      const { assert } = environment;
      const url = "https://storage.example/part?signature=SIGNATURE0123";
      const { hotdata } = answering(
        environment,
        (asked, { method }) => {
          if (method === "PUT") throw new Error(`failed: ${asked}`);
          return Response.json({ upload_id: "u", finalize_token: "t", mode: "single", url });
        },
        { maxRetries: 0 },
      );
      const error = await failure(() => hotdata.uploadFile({ data: "a\n1\n", format: "csv" }));
      assert.equal(error.code, "network");
      for (const text of [error.message, error.stack, String(error.cause), error.cause.stack]) {
        assert.notInclude(text, "SIGNATURE");
      }
    },
  },
  {
    name: "a listener that fails, now or later, is no fault of an upload",
    async run(environment) {
      const { assert } = environment;
      const url = "https://storage.example/part";
      const { hotdata } = answering(environment, (_, { method }) =>
        method === "PUT"
          ? new Response("", { headers: { etag: "e" } })
          : Response.json({ upload_id: "u", finalize_token: "t", mode: "single", url }),
      );
      for (const onProgress of [
        () => {
          throw new Error("now");
        },
        async () => {
          throw new Error("later");
        },
      ]) {
        const upload = await hotdata.uploadFile({ data: "a\n1\n", format: "csv", onProgress });
        assert.equal(upload.uploadId, "u");
      }
    },
  },
];
