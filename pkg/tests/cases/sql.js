// The pure SQL builders.

import { failure, PAPERS } from "./samples.js";

/** @type {import("../harness.js").Case[]} */
export const sqlCases = [
  {
    name: "bm25SearchSql bounds, sorts and quotes",
    run({ api, assert }) {
      const sql = api.bm25SearchSql({
        table: PAPERS,
        column: "content",
        query: "it's; DROP TABLE t;--",
      });
      assert.include(sql, `bm25_search('${PAPERS}', 'content', 'it''s; DROP TABLE t;--', 5)`);
      assert.match(sql, /ORDER BY score DESC LIMIT 5$/);
    },
  },
  {
    name: "vectorSearchSql asks a provider-backed index",
    run({ api, assert }) {
      const sql = api.vectorSearchSql({
        table: "default.public.papers_semantic",
        column: "content",
        query: "quiet",
        k: 7,
      });
      assert.include(sql, "vector_search('default.public.papers_semantic', 'content', 'quiet', 7)");
      assert.match(sql, /ORDER BY _distance ASC LIMIT 7$/);
    },
  },
  {
    name: "whole numbers, f64 and f32 print as floats, shortest",
    run({ api, assert }) {
      const print = (/** @type {unknown} */ vector) => {
        const options = { table: PAPERS, column: "embedding", keyColumn: "id", vector };
        return /ARRAY\[([^\]]*)\]/.exec(api.vectorDistanceSql(options))?.[1];
      };
      assert.equal(print([1, 0, -2]), "1.0,0.0,-2.0");
      assert.equal(print([0.1, 1e-7]), "0.1,1e-7");
      assert.equal(print(new Float32Array([0.1, 1])), "0.1,1.0");
      assert.equal(print(new Float64Array([0.1])), "0.1");
      assert.equal(print([Math.fround(0.1)]), "0.10000000149011612");
    },
  },
  {
    name: "hybridSearchSql never projects the vector",
    run({ api, assert }) {
      const sql = api.hybridSearchSql({
        table: PAPERS,
        column: "content",
        vectorColumn: "embedding",
        query: "quiet",
        vector: [0.5, 1],
        keyColumn: "id",
      });
      assert.include(sql, "bm25_search");
      assert.include(sql, "ARRAY[0.5,1.0]");
      assert.equal(sql.split('"embedding"').length - 1, 1);
    },
  },
  {
    name: "bad arguments are refused by name, as errors with a code",
    async run({ api, assert }) {
      const good = { table: PAPERS, column: "content", query: "q" };
      for (const [name, bad] of Object.entries({
        table: { ...good, table: "a b" },
        column: { ...good, column: "" },
        query: { ...good, query: 5 },
        k: { ...good, k: 0 },
        columns: { ...good, columns: "id" },
        tabel: { ...good, tabel: "x" },
      })) {
        const error = await failure(() => api.bm25SearchSql(bad));
        assert.instanceOf(error, api.HotdataError, name);
        assert.instanceOf(error, Error, name);
        assert.equal(error.code, "invalid_argument", name);
        assert.include(error.message, `\`${name}\``);
      }
      for (const vector of [[], [Number.NaN], [1, Number.POSITIVE_INFINITY], "[1]", [1, "2"]]) {
        const error = await failure(() =>
          api.vectorDistanceSql({ table: PAPERS, column: "embedding", keyColumn: "id", vector }),
        );
        assert.equal(error.code, "invalid_argument", String(vector));
        assert.include(error.message, "`vector`");
      }
    },
  },
];
