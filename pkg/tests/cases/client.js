// Queries against the engine.

import { client, failure, PAPERS, papers } from "./samples.js";

/** @type {import("../harness.js").Case[]} */
export const clientCases = [
  {
    name: "query returns rows, columns and counts",
    async run(environment) {
      const { assert } = environment;
      const hotdata = await papers(environment);
      const result = await hotdata.query(`SELECT id, title FROM ${PAPERS} ORDER BY id LIMIT 2`);
      assert.deepEqual(result.columns, ["id", "title"]);
      assert.equal(result.rowCount, 2);
      assert.lengthOf(result.rows, 2);
      assert.deepEqual(
        [...result].map((/** @type {any} */ row) => row.id),
        [0, 1],
      );
      assert.match(result.objects()[0].title, /^Joint Embedding of Words and Labels/);
      assert.isString(result.queryRunId);
    },
  },
  {
    name: "a query without a database says so",
    async run(environment) {
      const { assert, api } = environment;
      const error = await failure(() => client(environment).query("SELECT 1"));
      assert.instanceOf(error, api.HotdataError);
      assert.match(error.message, /database/i);
    },
  },
  {
    name: "the engine's words reach the caller",
    async run(environment) {
      const { assert } = environment;
      const hotdata = await papers(environment);
      const error = await failure(() => hotdata.query(`SELECT nope FROM ${PAPERS}`));
      assert.equal(error.code, "bad_request");
      assert.equal(error.status, 400);
      assert.include(error.engineMessage, "nope");
    },
  },
  {
    name: "fifty calls at once on one client, one of them aborted",
    async run(environment) {
      const { assert } = environment;
      const hotdata = await papers(environment);
      const controller = new AbortController();
      const calls = Array.from({ length: 50 }, (_, n) =>
        hotdata.query(`SELECT ${n} AS n`, n === 7 ? { signal: controller.signal } : {}),
      );
      controller.abort();
      const settled = await Promise.allSettled(calls);
      for (const [n, outcome] of settled.entries()) {
        if (n === 7) assert.equal(outcome.status, "rejected");
        else assert.deepEqual(/** @type {any} */ (outcome).value?.rows, [[n]], String(n));
      }
      const after = await hotdata.query("SELECT 1 AS n");
      assert.deepEqual(after.rows, [[1]]);
    },
  },
  {
    name: "fromEnv reads the four variables",
    async run(environment) {
      const { assert, api, engineUrl } = environment;
      const hotdata = api.Hotdata.fromEnv({
        HOTDATA_API_KEY: "hd_test",
        HOTDATA_WORKSPACE: "ws_local",
        HOTDATA_API_URL: engineUrl,
      });
      assert.isArray(await hotdata.listDatabases());
    },
  },
  {
    name: "disposing while a call is pending is safe",
    async run(environment) {
      const { assert } = environment;
      const hotdata = await papers(environment);
      const pending = hotdata.query("SELECT 1 AS n");
      const dispose = /** @type {any} */ (Symbol).dispose;
      if (dispose) hotdata[dispose]();
      assert.deepEqual((await pending).rows, [[1]]);
    },
  },
];
