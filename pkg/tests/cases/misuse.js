// What a caller may get wrong: every mistake is a HotdataError that names it, and none of them is passed over.

import { answering, failure, queryAnswer } from "./samples.js";

const SEARCH = { table: "default.public.t", column: "content", query: "q", textBound: 9 };

/** @type {import("../harness.js").Case[]} */
export const misuseCases = [
  {
    name: "a filter that is no plain object is refused, never taken as no filter",
    async run({ api, assert }) {
      class Getters {
        get city() {
          return "sf";
        }
      }
      for (const filter of [
        new Map([["city", "sf"]]),
        Promise.resolve({ city: "sf" }),
        new Set(["sf"]),
        new Getters(),
        [{ city: "sf" }],
        { city: undefined },
        { id: 2 ** 53 + 2 },
        { day: new Date(0) },
      ]) {
        const error = await failure(() => api.bm25SearchSql({ ...SEARCH, filter }));
        assert.equal(error.code, "invalid_argument");
        assert.match(error.message, /^`filter` must/);
      }
    },
  },
  {
    name: "what cannot be read is refused",
    async run({ api, assert }) {
      const throwing = () => {
        throw new Error("trap");
      };
      const cyclic = { ...SEARCH, /** @type {unknown} */ filter: {} };
      cyclic.filter = { $not: cyclic.filter };
      for (const [options, says] of [
        [
          new Proxy({}, { ownKeys: throwing }),
          /must be an object, not an object that cannot be read/,
        ],
        [new Map(Object.entries(SEARCH)), /must be an object, not a Map/],
        [{ ...SEARCH, columns: Object.assign([], { length: 3e7 }) }, /`columns` must be an array/],
        [
          { ...SEARCH, columns: Object.assign(new Array(3), { 0: "a", 2: "b" }) },
          /`columns` must be an array of strings/,
        ],
        [{ ...SEARCH, k: Symbol("k") }, /`k` must be a whole number .* not a symbol/],
        [cyclic, /`filter` must/],
      ]) {
        const error = await failure(() => api.bm25SearchSql(options));
        assert.equal(error.code, "invalid_argument");
        assert.match(error.message, /** @type {RegExp} */ (says));
      }
    },
  },
  {
    name: "vectors are whole, short enough and made of numbers",
    async run({ api, assert }) {
      const options = { table: "default.public.t", column: "e", keyColumn: "id" };
      for (const vector of [
        Object.assign(new Array(3), { 0: 1, 2: 3 }),
        [1, null],
        ["1", "2"],
        [],
        new Float64Array(70_000),
        new Int8Array(3),
        [Number.NaN],
      ]) {
        const error = await failure(() => api.vectorDistanceSql({ ...options, vector }));
        assert.match(error.message, /^`vector` must/);
      }
    },
  },
  {
    name: "an unknown option is answered with all that are taken",
    async run(environment) {
      const { api, assert } = environment;
      const { hotdata, requests } = answering(environment, () => queryAnswer(["n"], "[[1]]"));
      const misspelt = await failure(() => new api.Hotdata({ apikey: "hd_x" }));
      assert.match(misspelt.message, /it takes apiKey, workspaceId, .*fetch/);
      const search = await failure(() =>
        hotdata.searchText({ ...SEARCH, textBound: undefined, databaseID: "d" }),
      );
      assert.match(search.message, /`textBound`|`databaseID`/);
      const bare = await failure(() => hotdata.getDatabase("d", { foo: 1 }));
      assert.match(bare.message, /it takes none$/);
      assert.lengthOf(requests, 0);
    },
  },
  {
    name: "a fetch that answers with something else than a Response is said to",
    async run(environment) {
      const { assert } = environment;
      for (const answer of [
        undefined,
        null,
        "text",
        { status: 200 },
        { status: 200, arrayBuffer: async () => new ArrayBuffer(0) },
        { status: 200, headers: {}, arrayBuffer: async () => new ArrayBuffer(0) },
      ]) {
        const { hotdata } = answering(environment, () => /** @type {any} */ (answer), {
          maxRetries: 0,
        });
        const error = await failure(() => hotdata.query("SELECT 1"));
        assert.equal(error.code, "unexpected_response");
      }
    },
  },
  {
    name: "a fetch that aborts the call and throws rejects with the caller's reason",
    async run(environment) {
      const { assert } = environment;
      const controller = new AbortController();
      const { hotdata } = answering(environment, () => queryAnswer(["n"], "[[1]]"), {
        fetch() {
          controller.abort("enough");
          throw new Error("thrown beside the abort");
        },
      });
      const reason = await failure(() => hotdata.query("SELECT 1", { signal: controller.signal }));
      assert.equal(reason, "enough");
    },
  },
  {
    name: "deadlineMs bounds a call with all its requests",
    async run(environment) {
      const { assert } = environment;
      let page = 0;
      const { hotdata, requests } = answering(
        environment,
        async () => {
          await new Promise((resolve) => setTimeout(resolve, 20));
          page += 1;
          const databases = [{ id: `db_${page}` }];
          return Response.json({ databases, has_more: true, next_cursor: `c${page}` });
        },
        { deadlineMs: 300 },
      );
      const error = await failure(() => hotdata.listDatabases());
      assert.equal(error.code, "timeout");
      assert.match(error.message, /300 ms \(`deadlineMs`/);
      assert.isBelow(requests.length, 20);
    },
  },
  {
    name: "a load that broke off says how to go on, a query may be repeated",
    async run(environment) {
      const { assert } = environment;
      const { hotdata } = answering(environment, () => Promise.reject(new TypeError("reset")), {
        maxRetries: 0,
      });
      const load = await failure(() =>
        hotdata.loadTable({ table: "t", mode: "append", csv: "a\n1\n" }),
      );
      assert.deepEqual([load.code, load.retryable], ["outcome_unknown", false]);
      assert.match(load.hint, /idempotencyKey: "load-[0-9a-f]{32}"/);
      const query = await failure(() => hotdata.query("SELECT 1"));
      assert.deepEqual([query.code, query.retryable], ["network", true]);
    },
  },
  {
    name: "answers of another shape are refused, not taken as empty",
    async run(environment) {
      const { assert } = environment;
      for (const body of ["{}", '{"databases":[],"has_more":true}', '{"databases":[{}]}', "[]"]) {
        const { hotdata } = answering(environment, () => new Response(body));
        const error = await failure(() => hotdata.listDatabases());
        assert.equal(error.code, "unexpected_response", body);
      }
      for (const rows of ["[1]", "[[1],{}]", "7", "{}", "[[1,2]]", "[[]]"]) {
        const { hotdata } = answering(environment, () => queryAnswer(["n"], rows));
        const error = await failure(() => hotdata.query("SELECT 1"));
        assert.equal(error.code, "unexpected_response", rows);
      }
    },
  },
  {
    name: "a body that is no buffer, or a signal that cannot be read, is an error",
    async run(environment) {
      const { assert } = environment;
      const gone = new ArrayBuffer(8);
      const view = new Uint8Array(gone);
      structuredClone(gone, { transfer: [gone] });
      // What fails is a broken answer to a read, which is asked for again.
      const once = { maxRetries: 0 };
      const bodies = [gone, 1e12, Symbol("x"), { length: 1e12 }, null];
      for (const body of bodies) {
        const answer = { status: 200, headers: new Headers(), arrayBuffer: async () => body };
        const { hotdata } = answering(environment, () => /** @type {any} */ (answer), once);
        const error = await failure(() => hotdata.query("SELECT 1"));
        assert.equal(error.name, "HotdataError");
      }
      for (const chunk of [view, "[1]", { length: 1e12 }, null]) {
        const body = new ReadableStream({
          start(controller) {
            controller.enqueue(chunk);
            controller.close();
          },
        });
        const answer = { status: 200, headers: new Headers(), arrayBuffer: () => gone, body };
        const { hotdata } = answering(environment, () => /** @type {any} */ (answer), once);
        const error = await failure(() => hotdata.query("SELECT 1"));
        assert.equal(error.name, "HotdataError");
      }
      const signal = {
        get aborted() {
          throw new Error("trap");
        },
      };
      const { hotdata } = answering(environment, () => queryAnswer(["n"], "[[1]]"));
      const error = await failure(() => hotdata.query("SELECT 1", { signal }));
      assert.match(error.message, /^`signal` must be an AbortSignal/);
    },
  },
  {
    name: "a value that refers to itself is refused at once",
    run({ api, assert }) {
      /** @type {unknown[]} */
      const list = [];
      for (let at = 0; at < 300; at++) list.push(list);
      /** @type {Record<string, unknown>} */
      const filter = {};
      filter.$and = new Array(300).fill(filter);
      const gone = new Float32Array(4);
      structuredClone(gone.buffer, { transfer: [gone.buffer] });
      const names = Array.from({ length: 150_000 }, (_, at) => `c${at}`);
      for (const build of [
        () => api.bm25SearchSql({ ...SEARCH, columns: list }),
        () => api.bm25SearchSql({ ...SEARCH, filter }),
        () => api.bm25SearchSql({ ...SEARCH, columns: names }),
        () => api.vectorDistanceSql({ table: "a.b.c", column: "e", keyColumn: "id", vector: gone }),
      ]) {
        assert.throws(build, /^`(columns|filter|vector)` must/);
      }
    },
  },
  {
    name: "a column named __proto__ is a column",
    async run(environment) {
      const { assert } = environment;
      const { hotdata } = answering(environment, () => queryAnswer(["__proto__"], '[[{"x":1}]]'));
      const [row] = await hotdata.query("SELECT 1");
      assert.deepEqual(Object.keys(row), ["__proto__"]);
      assert.isUndefined(row.x);
    },
  },
  {
    name: "a table to load is named on its own",
    async run(environment) {
      const { assert } = environment;
      const { hotdata, requests } = answering(environment, () => queryAnswer(["n"], "[[1]]"));
      const error = await failure(() =>
        hotdata.loadTable({ table: "default.public.t", mode: "append", csv: "a\n1\n" }),
      );
      assert.match(error.message, /^`table` must be a name of its own/);
      assert.lengthOf(requests, 0);
    },
  },
];
