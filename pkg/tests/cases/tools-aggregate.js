// `hotdata_aggregate_matches` on the engine, over more matches than a search returns unasked.

import { client, PAPERS, papers } from "./samples.js";

const NAME = "hotdata_aggregate_matches";
const ROWS = 3_000;

/** @type {import("../harness.js").Case[]} */
export const toolAggregateCases = [
  {
    name: "every match counts, where SQL stops at a thousand",
    async run(environment) {
      const { assert } = environment;
      const hotdata = client(environment);
      const made = await hotdata.createDatabase({ name: "gardens", expiresAt: "1h" });
      try {
        // Two of three rows speak of a garden; every tenth price is not known.
        const lines = Array.from({ length: ROWS }, (_, id) => {
          const note = id % 3 === 2 ? "street" : `quiet garden ${id}`;
          return `${id},${note},city ${id % 4},${id % 10 === 0 ? "" : id % 100}`;
        });
        const csv = `id,note,city,price\n${lines.join("\n")}\n`;
        const scope = { databaseId: made.id };
        const table = "default.public.gardens";
        await hotdata.loadTable({ ...scope, table: "gardens", mode: "replace", csv });
        await hotdata.createIndex({ ...scope, table, columns: ["note"], indexType: "bm25" });
        const toolset = await hotdata.tools({
          ...scope,
          searchTable: table,
          searchColumn: "note",
          searchFilter: { id: { $lt: 2_900 } },
        });
        const matches = Array.from({ length: 2_900 }, (_, id) => id).filter((id) => id % 3 !== 2);
        const known = matches.filter((id) => id % 10 !== 0).map((id) => id % 100);
        const sum = known.reduce((one, other) => one + other, 0);

        const all = await answer(toolset, {
          query: "garden",
          aggregates: [
            { function: "count" },
            { function: "count", column: "price" },
            { function: "sum", column: "PRICE" },
            { function: "avg", column: "price" },
          ],
        });
        assert.equal(all.metadata.cohort, matches.length);
        const [row] = all.rows;
        assert.deepInclude(row, {
          count: matches.length,
          count_price: known.length,
          sum_price: sum,
        });
        assert.approximately(row.avg_price, sum / known.length, 1e-9);

        const grouped = await answer(toolset, {
          query: "garden",
          group_by: ["city"],
          filters: [
            { column: "price", op: ">=", value: "50" },
            { column: "city", op: "!=", value: "city 3" },
          ],
        });
        const fit = (/** @type {number} */ id) => id % 10 !== 0 && id % 100 >= 50 && id % 4 !== 3;
        const cohort = matches.filter(fit);
        assert.equal(grouped.metadata.cohort, cohort.length);
        assert.lengthOf(grouped.rows, 3);
        for (const { city, count } of grouped.rows) {
          assert.equal(count, cohort.filter((id) => `city ${id % 4}` === city).length, city);
        }
        const none = await answer(toolset, { query: "volcano" });
        assert.deepEqual(none.rows, [{ count: 0 }]);
        assert.equal(none.metadata.cohort, 0);
        assert.equal(none.metadata.client_warning, "No rows matched.");

        // The same question in SQL, as a model asks it.
        const sql = `SELECT COUNT(id) AS n FROM bm25_search('${table}', 'note', 'garden')`;
        assert.deepEqual((await hotdata.query(sql, scope)).rows, [[1_000]]);
      } finally {
        await hotdata.deleteDatabase(made.id);
      }
    },
  },
  {
    name: "an aggregate's mistakes are told with what there is",
    async run(environment) {
      const { assert } = environment;
      const hotdata = await papers(environment);
      const toolset = await hotdata.tools({ searchTable: PAPERS, searchColumn: "content" });
      for (const [args, says] of /** @type {[any, string][]} */ ([
        [{}, "`query` is missing"],
        [{ query: "graph", group_by: ["titel"] }, "did you mean title?"],
        [
          { query: "graph", aggregates: [{ function: "avg", column: "title" }] },
          "must name a column of numbers, and title is",
        ],
        [
          { query: "graph", filters: [{ column: "id", op: ">", value: "many" }] },
          "`value` must be a number for this column",
        ],
        [{ query: "graph", aggregates: [{ function: "stddev" }] }, "`function` must be one of"],
      ])) {
        const result = await toolset.call(NAME, args);
        assert.isTrue(result.isError, result.content);
        assert.include(JSON.parse(result.content).error.message, says);
      }
      const narrow = await answer(toolset, {
        query: "knowledge graph",
        filters: [{ column: "id", op: "<", value: 10 }],
      });
      const sql = `SELECT COUNT(id) AS n FROM bm25_search('${PAPERS}', 'content', 'knowledge graph', 10000) WHERE id < 10`;
      assert.equal(narrow.rows[0].count, (await hotdata.query(sql)).rows[0][0]);
    },
  },
];

/**
 * @param {any} toolset
 * @param {object} args
 * @returns {Promise<any>}
 */
async function answer(toolset, args) {
  const result = await toolset.call(NAME, args);
  if (result.isError) throw new Error(result.content);
  return result.structured;
}
