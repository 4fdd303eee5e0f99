// The three searches against the sample papers.

import { failure, PAPERS, papers, vectorOf } from "./samples.js";

const KEY = "id";

/** @type {import("../harness.js").Case[]} */
export const searchCases = [
  {
    name: "searchText ranks by score, best first",
    async run(environment) {
      const { assert } = environment;
      const hotdata = await papers(environment);
      const options = {
        table: PAPERS,
        column: "content",
        query: "knowledge graphs",
        columns: ["id", "title"],
      };
      const rows = (await hotdata.searchText(options)).objects();
      assert.lengthOf(rows, 5);
      assert.hasAllKeys(rows[0], ["id", "title", "score"]);
      const scores = rows.map((/** @type {any} */ row) => row.score);
      assert.deepEqual(
        scores,
        [...scores].sort((a, b) => b - a),
      );
    },
  },
  {
    name: "a filtered searchText sees every match",
    async run(environment) {
      const { assert } = environment;
      const hotdata = await papers(environment);
      const rows = (
        await hotdata.searchText({
          table: PAPERS,
          column: "content",
          query: "language",
          columns: ["id"],
          filter: { id: { $gte: 300 } },
          k: 10,
        })
      ).objects();
      assert.isNotEmpty(rows);
      for (const row of rows) assert.isAtLeast(row.id, 300);
    },
  },
  {
    name: "searchSemantic with a vector finds the vector's own row first",
    async run(environment) {
      const { assert } = environment;
      const hotdata = await papers(environment);
      const vector = new Float32Array(await vectorOf(hotdata, 41));
      const options = {
        table: PAPERS,
        column: "embedding",
        vector,
        columns: ["id", "title"],
        k: 3,
      };
      const rows = (await hotdata.searchSemantic(options)).objects();
      assert.lengthOf(rows, 3);
      assert.equal(rows[0].id, 41);
      assert.isBelow(rows[0]._distance, 1e-6);
      assert.isAbove(rows[1]._distance, rows[0]._distance);
    },
  },
  {
    name: "searchSemantic with a text asks the provider-backed index",
    async run(environment) {
      const { assert } = environment;
      const hotdata = await papers(environment);
      const rows = (
        await hotdata.searchSemantic({
          table: "default.public.papers_semantic",
          column: "content",
          query: "knowledge graphs",
          columns: ["id"],
        })
      ).objects();
      assert.lengthOf(rows, 5);
      assert.hasAllKeys(rows[0], ["id", "_distance"]);
    },
  },
  {
    name: "searchHybrid fuses both rankings and explains them",
    async run(environment) {
      const { assert } = environment;
      const hotdata = await papers(environment);
      const vector = await vectorOf(hotdata, 41);
      const k = 4;
      const depth = 20;
      const query = "attention knowledge graphs";
      const fused = await hotdata.searchHybrid({
        table: PAPERS,
        column: "content",
        vectorColumn: "embedding",
        keyColumn: KEY,
        query,
        vector,
        k,
        columns: [KEY, "title"],
        explain: true,
      });
      const words = await hotdata.searchText({
        ...{ table: PAPERS, column: "content", query, k: depth },
        ...{ columns: [KEY], keyColumn: KEY },
      });
      const meaning = await hotdata.searchSemantic({
        ...{ table: PAPERS, column: "embedding", vector, k: depth },
        ...{ columns: [KEY], keyColumn: KEY },
      });
      const expected = fuseByHand(ids(words), ids(meaning)).slice(0, k);
      assert.deepEqual(
        fused.objects().map((/** @type {any} */ row) => [row.id, row.text_rank, row.vector_rank]),
        expected.map((one) => [one.id, one.text, one.vector]),
      );
      for (const [n, row] of fused.objects().entries()) {
        assert.approximately(row.score, expected[n]?.score ?? 0, 1e-9);
      }
    },
  },
  {
    name: "a search without an index carries the engine's words",
    async run(environment) {
      const { assert } = environment;
      const hotdata = await papers(environment);
      const error = await failure(() =>
        hotdata.searchText({ table: PAPERS, column: "title", query: "graphs", columns: ["id"] }),
      );
      assert.include(error.message, "No BM25 index found");
    },
  },
];

/** @param {any} result */
function ids(result) {
  return result.objects().map((/** @type {any} */ row) => row[KEY]);
}

/**
 * Reciprocal rank fusion with the constant 60, ties in key order.
 *
 * @param {number[]} texts keys, best first
 * @param {number[]} vectors keys, nearest first
 */
function fuseByHand(texts, vectors) {
  const rank = (/** @type {number[]} */ list, /** @type {number} */ id) => {
    const index = list.indexOf(id);
    return index < 0 ? null : index + 1;
  };
  return [...new Set([...texts, ...vectors])]
    .map((id) => {
      const [text, vector] = [rank(texts, id), rank(vectors, id)];
      const score = (text ? 1 / (60 + text) : 0) + (vector ? 1 / (60 + vector) : 0);
      return { id, text, vector, score };
    })
    .sort((a, b) => b.score - a.score || a.id - b.id);
}
