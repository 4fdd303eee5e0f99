// Many calls at once on one client.

import { answering, client, PAPERS, papers, queryAnswer, vectorOf } from "./samples.js";

const STUCK = /recursive use of an object|null pointer passed to rust|unreachable|borrow/i;

/** @type {import("../harness.js").Case[]} */
export const concurrencyCases = [
  {
    name: "a count of rows that a load has overtaken serves no later search",
    async run(environment) {
      const { assert } = environment;
      let counts = 0;
      /** @type {any} */
      let loading;
      const { hotdata } = answering(environment, async (url, { body }) => {
        if (url.endsWith("/loads")) {
          return Response.json({ schema_name: "public", table_name: "t", row_count: 9 });
        }
        if (!JSON.parse(body).sql.startsWith("SELECT COUNT")) return queryAnswer(["x"], "[[1]]");
        counts += 1;
        if (counts === 1) await loading.loadTable({ table: "t", mode: "append", csv: "x\n1\n" });
        return queryAnswer(["bound"], "[[8]]");
      });
      loading = hotdata;
      const search = { table: "default.public.t", column: "x", query: "q", filter: { x: 1 } };
      for (let time = 0; time < 3; time++) await hotdata.searchText(search);
      assert.equal(counts, 2);
    },
  },
  {
    name: "H5: fifty calls of every kind at once, one of them aborted",
    async run(environment) {
      const { api, assert, engineUrl } = environment;
      const hotdata = await papers(environment);
      const toolset = await hotdata.tools({ searchTable: PAPERS, searchColumn: "content" });
      const vector = await vectorOf(hotdata, 41);
      const text = { table: PAPERS, column: "content", query: "knowledge graphs" };
      const controller = new AbortController();
      const { signal } = controller;
      const kinds = [
        (/** @type {number} */ n) => hotdata.query(`SELECT ${n} AS n`),
        () => hotdata.searchText(text),
        () =>
          hotdata.searchSemantic({ table: PAPERS, column: "embedding", vector, columns: ["id"] }),
        () => hotdata.searchHybrid({ ...text, vectorColumn: "embedding", vector }),
        () => hotdata.describeTables({ table: PAPERS }),
        () => hotdata.listDatabases(),
        () => hotdata.listIndexes({ table: PAPERS }),
        () => toolset.call("hotdata_search_text", { query: "knowledge graphs" }),
        () => toolset.call("hotdata_execute_sql", { sql: "SELECT 1 AS n" }),
        () => client({ api, assert, engineUrl }).listWorkspaces(),
      ];
      const calls = Array.from({ length: 50 }, (_, n) =>
        n === 7 ? hotdata.query("SELECT 7 AS n", { signal }) : kinds[n % kinds.length]?.(n),
      );
      controller.abort();
      const settled = await Promise.allSettled(calls);
      for (const [n, outcome] of settled.entries()) {
        if (n === 7) assert.strictEqual(/** @type {any} */ (outcome).reason, signal.reason);
        else {
          const { status, reason, value } = /** @type {any} */ (outcome);
          assert.equal(status, "fulfilled", `${n}: ${reason?.stack}`);
          if (value.isError !== undefined) assert.isFalse(value.isError, value.content);
        }
        assert.notMatch(String(/** @type {any} */ (outcome).reason?.message ?? ""), STUCK);
      }
      assert.deepEqual((await hotdata.query("SELECT 1 AS n")).rows, [[1]]);
      assert.isFalse((await toolset.call("hotdata_execute_sql", { sql: "SELECT 1 AS n" })).isError);
    },
  },
  {
    name: "H5: calls that start within each other's callbacks",
    async run(environment) {
      const { assert } = environment;
      const outer = await papers(environment);
      let asked = 0;
      /** @type {any} */
      const hotdata = client(environment, {
        databaseId: (await outer.listDatabases({ search: "papers" }))[0].id,
        async apiKey() {
          // A key that is itself kept in a table.
          if (asked++ === 0) await hotdata.query("SELECT 2 AS n");
          return "hd_test";
        },
      });
      assert.deepEqual((await hotdata.query("SELECT 1 AS n")).rows, [[1]]);
      assert.isAtLeast(asked, 2);
    },
  },
];
