// The three searches of a query: their options, their SQL and how they are run.

/** How many papers a list has. */
export const K = 10;

const PAPERS = {
  table: "default.public.papers",
  columns: ["id", "title", "abstract"],
  keyColumn: "id",
  k: K,
};
const TEXT_COLUMN = "content";
const VECTOR_COLUMN = "embedding";

/**
 * @typedef {import("./connection.js").Connection} Connection
 * @typedef {import("/hotdata-wasm/index.js").QueryResult} QueryResult
 * @typedef {"words" | "meaning" | "fused"} Ranking
 * @typedef {{ databaseId: string, signal: AbortSignal }} Call
 * @typedef {{ ranking: Ranking, sql: string, run: (call: Call) => Promise<QueryResult> }} Search
 *   sql: what `run` sends
 */

/**
 * @param {Connection} connection
 * @param {string} query
 * @param {Float32Array} [vector] the query's; without it there is nothing to compare meanings by
 * @returns {Search[]} `words` alone, or all three
 */
export function searchesFor({ api, hotdata }, query, vector) {
  const text = { ...PAPERS, column: TEXT_COLUMN, query };
  /** @type {Search[]} */
  const searches = [
    {
      ranking: "words",
      sql: api.bm25SearchSql(text),
      run: (call) => hotdata.searchText({ ...text, ...call }),
    },
  ];
  if (!vector) return searches;
  const near = { ...PAPERS, column: VECTOR_COLUMN, vector };
  const both = { ...text, vectorColumn: VECTOR_COLUMN, vector, explain: true };
  return [
    ...searches,
    {
      ranking: "meaning",
      sql: api.vectorDistanceSql(near),
      run: (call) => hotdata.searchSemantic({ ...near, ...call }),
    },
    {
      ranking: "fused",
      sql: api.hybridSearchSql(both),
      run: (call) => hotdata.searchHybrid({ ...both, ...call }),
    },
  ];
}
