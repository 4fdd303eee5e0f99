// Lints on SQL that others wrote, and what the engine does with that SQL.

import { failure, PAPERS, papers } from "./samples.js";

/** @type {import("../harness.js").Case[]} */
export const lintCases = [
  {
    name: "lintSql gives places in UTF-16 units, and fixes that stand there",
    run({ api, assert }) {
      const sql = "SELECT '👍日', to_char(d, 'YYYY') FROM default.public.t";
      const [lint, ...others] = api.lintSql(sql);
      assert.isEmpty(others);
      assert.equal(lint.code, "date_template");
      assert.equal(sql.slice(lint.start, lint.end), "'YYYY'");
      assert.equal(
        sql.slice(0, lint.start) + lint.fix + sql.slice(lint.end),
        "SELECT '👍日', to_char(d, '%Y') FROM default.public.t",
      );
      assert.deepEqual(api.lintSql("SELECT 1"), []);
      const [broken] = api.lintSql("\ud83d to_char(d, 'YYYY')");
      assert.equal(broken.start, 0);
    },
  },
  {
    name: "lintSql refuses what is no SQL text, and no text at all makes it throw",
    async run({ api, assert }) {
      for (const sql of [undefined, null, 5, {}, []]) {
        const error = await failure(() => api.lintSql(/** @type {any} */ (sql)));
        assert.equal(error.code, "invalid_argument");
        assert.match(error.message, /`sql`/);
      }
      const error = await failure(() =>
        api.lintSql("SELECT 1", /** @type {any} */ ({ index: [] })),
      );
      assert.match(error.message, /`index` is not an option of lintSql/);
      for (const sql of ["", "'", '"', "((((", "$$", "E'\\", "\u0000", "x".repeat(100_000)]) {
        assert.isArray(api.lintSql(sql));
      }
    },
  },
  {
    name: "lintSql takes what listIndexes gives",
    async run(environment) {
      const { api, assert } = environment;
      const hotdata = await papers(environment);
      const listed = await hotdata.listIndexes({ table: PAPERS });
      const indexes = listed.map((/** @type {any} */ index) => ({ ...index, table: PAPERS }));
      const sql = `SELECT id FROM ${PAPERS} ORDER BY l2_distance(embedding, ARRAY[0.5]) LIMIT 3`;
      assert.deepEqual(api.lintSql(sql), []);
      const [lint] = api.lintSql(sql, { indexes });
      assert.equal(lint.code, "other_metric");
      assert.equal(lint.fix, "cosine_distance");
      const wrong = `SELECT id FROM bm25_search('${PAPERS}', 'title', 'q', 5) ORDER BY score DESC`;
      assert.equal(api.lintSql(wrong, { indexes })[0].code, "no_search_index");
      assert.isTrue((await failure(() => hotdata.query(wrong))).message.includes("No BM25 index"));
    },
  },
];
