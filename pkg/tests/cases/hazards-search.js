// What went wrong in other clients: searches. Names begin with the number of the hazard.

import { failure, PAPERS, papers, vectorOf } from "./samples.js";

/** What people type that a query parser has other plans for. */
const TYPED = [
  "learning, roughly?",
  "100% of graphs; really & truly",
  "what's the budget, roughly?",
  'C++ (beta): "open',
  '36" vanity',
  "-foo",
  ">>>",
  "https://a.b/c",
  "{0}",
  "a AND",
  "'); DROP TABLE t;--",
];
const MEANING = "default.public.papers_semantic";

/** @type {import("../harness.js").Case[]} */
export const searchHazardCases = [
  {
    name: "H2: a vector of whole numbers prints as floats, whatever array it comes in",
    async run(environment) {
      const { api, assert } = environment;
      const text = {
        table: PAPERS,
        column: "content",
        query: "learning",
        vectorColumn: "embedding",
      };
      for (const vector of [[1, 0, 0], new Float32Array([1, 0, 0]), new Float64Array([1, 0, 0])]) {
        const near = { table: PAPERS, column: "embedding", vector, keyColumn: "id" };
        const halves = [
          { kind: "text", column: "content", query: "learning" },
          { kind: "vector", column: "embedding", vector },
        ];
        for (const sql of [
          api.vectorDistanceSql(near),
          api.hybridSearchSql({ ...text, vector }),
          api.hybridSearchSql({ table: PAPERS, halves }),
        ]) {
          assert.include(sql, "ARRAY[1.0,0.0,0.0]");
        }
      }
      // As wide as the stored ones, the engine takes it.
      const vector = Array.from({ length: 384 }, (_, at) => (at === 7 ? 1 : 0));
      const hotdata = await papers(environment);
      const found = await hotdata.searchSemantic({
        table: PAPERS,
        column: "embedding",
        vector,
        keyColumn: "id",
      });
      assert.equal(found.rowCount, 5);
      assert.equal((await hotdata.searchHybrid({ ...text, vector })).rowCount, 5);
    },
  },
  {
    name: "H8: a typed text finds, or is refused with what to write instead, fused too",
    async run(environment) {
      const { assert } = environment;
      const hotdata = await papers(environment);
      const vector = await vectorOf(hotdata, 41);
      const options = { searchTable: PAPERS, searchColumn: "content" };
      const embed = async (/** @type {string[]} */ texts) => texts.map(() => vector);
      const words = await hotdata.tools(options);
      const fused = await hotdata.tools({ ...options, embed });
      let replaced = 0;
      for (const query of TYPED) {
        for (const toolset of [words, fused]) {
          const { content, isError } = await toolset.call("hotdata_search_text", { query });
          const { error, metadata, rows } = JSON.parse(content);
          if (isError) {
            // Signs alone, or words that no search looks for.
            assert.match(error.hint, /plain words/);
            assert.notMatch(query, /\w{4}/);
            continue;
          }
          assert.isArray(rows);
          if (metadata.client_warning?.includes("its words were searched")) replaced += 1;
        }
        const text = { table: PAPERS, column: "content", query };
        const both = { ...text, vectorColumn: "embedding", vector };
        const [byWords, byBoth] = await Promise.allSettled([
          hotdata.searchText(text),
          hotdata.searchHybrid(both),
        ]);
        // A half that fails is never left out.
        assert.equal(byBoth.status, byWords.status, query);
      }
      assert.isAbove(replaced, 4);
      assert.isAtMost(replaced, 2 * (TYPED.length - 2));
    },
  },
  {
    name: "H34: the bound of a search is always written, and a cut is announced",
    async run(environment) {
      const { api, assert } = environment;
      const text = { table: PAPERS, column: "content", query: "learning" };
      const filtered = { ...text, filter: { id: { $gte: 0 } }, textBound: 314 };
      for (const [sql, bound] of [
        [api.bm25SearchSql(text), 5],
        [api.bm25SearchSql({ ...text, k: 10_000 }), 10_000],
        [api.bm25SearchSql(filtered), 314],
        [api.vectorSearchSql({ ...text, k: 3 }), 3],
      ]) {
        assert.match(sql, new RegExp(`_search\\('[^']+', 'content', 'learning', ${bound}\\)`));
        assert.match(sql, / ORDER BY (score DESC|_distance ASC).* LIMIT \d+$/);
      }
      const hybrid = api.hybridSearchSql({ ...text, vectorColumn: "embedding", vector: [1] });
      assert.match(hybrid, /bm25_search\('[^']+', 'content', 'learning', 20\) ORDER BY score DESC/);

      const hotdata = await papers(environment);
      const toolset = await hotdata.tools({ searchTable: PAPERS, searchColumn: "content" });
      const asked = { query: "learning", k: 200 };
      const { structured } = await toolset.call("hotdata_search_text", asked);
      assert.isAtMost(structured.rows.length, 100);
      assert.match(structured.metadata.client_warning, /200 rows were asked for.*at most 100/);
      const [sqlTool] = toolset.tools;
      assert.match(sqlTool.description, /1,000/);
    },
  },
  {
    name: "H45: the SQL that an index serves, letter by letter",
    async run({ api, assert }) {
      const table = PAPERS;
      const near = { table, column: "embedding", vector: [1, 0.5] };
      for (const [sql, golden] of [
        [
          api.bm25SearchSql({ table, column: "content", query: "what's new" }),
          `SELECT "content", score FROM bm25_search('${table}', 'content', 'what''s new', 5) ` +
            "ORDER BY score DESC LIMIT 5",
        ],
        [
          api.vectorSearchSql({ table, column: "content", query: "a", keyColumn: "id", k: 7 }),
          `SELECT "id", "content", _distance FROM vector_search('${table}', 'content', 'a', 7) ` +
            'ORDER BY _distance ASC, "id" ASC LIMIT 7',
        ],
        [
          api.vectorDistanceSql({ ...near, columns: ["id", "title"], keyColumn: "id", k: 3 }),
          'WITH near AS (SELECT "id", "title", cosine_distance("embedding", ARRAY[1.0,0.5]) AS _distance ' +
            'FROM "default"."public"."papers" ORDER BY _distance ASC LIMIT 3) ' +
            'SELECT "id", "title", _distance FROM near WHERE _distance IS NOT NULL ' +
            'ORDER BY _distance ASC, "id" ASC',
        ],
        [
          api.vectorDistanceSql({ ...near, keyColumn: "id", metric: "l2", filter: { id: 4 } }),
          'WITH near AS (SELECT "id", l2_distance("embedding", ARRAY[1.0,0.5]) AS _distance ' +
            'FROM "default"."public"."papers" WHERE "id" = 4 ORDER BY _distance ASC LIMIT 5) ' +
            'SELECT "id", _distance FROM near WHERE _distance IS NOT NULL ORDER BY _distance ASC, "id" ASC',
        ],
      ]) {
        assert.equal(sql, golden);
      }
      const hybrid = api.hybridSearchSql({
        table,
        column: "content",
        query: "a",
        vectorColumn: "embedding",
        vector: [1, 0.5],
      });
      assert.include(
        hybrid,
        'near_2 AS (SELECT "id", cosine_distance("embedding", ARRAY[1.0,0.5]) AS _distance ' +
          'FROM "default"."public"."papers" ORDER BY _distance ASC LIMIT 20)',
      );
      assert.lengthOf(hybrid.split('"embedding"'), 2);
    },
  },
  {
    name: "H45: what would forfeit an index is refused",
    async run({ api, assert }) {
      const near = { table: PAPERS, column: "embedding", vector: [1], keyColumn: "id" };
      for (const [options, says] of [
        [{ ...near, table: "papers" }, /^`table` must be a full name/],
        [{ ...near, table: "public.papers" }, /^`table` must be a full name/],
        [{ ...near, columns: ["id", "embedding"] }, /^`columns` must not name the vector column/],
        [{ ...near, columns: ["id", "EMBEDDING"] }, /^`columns` must not name the vector column/],
        [{ ...near, metric: "euclid" }, /^`metric` must be one of/],
      ]) {
        const error = await failure(() => api.vectorDistanceSql(options));
        assert.match(error.message, /** @type {RegExp} */ (says));
      }
      const { Hotdata } = api;
      const hotdata = new Hotdata({ apiKey: "hd_x", databaseId: "d", workspaceId: "w" });
      const index = { table: PAPERS, indexType: "vector", columns: ["embedding"], metric: null };
      const error = await failure(() => hotdata.createIndex(index));
      assert.match(error.message, /^`metric` is missing: it must be one of cosine, l2, dot/);
    },
  },
  {
    name: "H45: the plan of a search by a vector uses its index",
    async run(environment) {
      const { api, assert } = environment;
      const hotdata = await papers(environment);
      const vector = await vectorOf(hotdata, 41);
      const near = { table: PAPERS, column: "embedding", vector, columns: ["id"], keyColumn: "id" };
      const plan = async (/** @type {string} */ sql) =>
        JSON.stringify((await hotdata.query(`EXPLAIN ${sql}`)).rows);
      assert.include(await plan(api.vectorDistanceSql(near)), "USearchExec");
      const text = { column: "content", query: "graphs" };
      const fused = { table: PAPERS, ...text, vectorColumn: "embedding", vector };
      assert.include(await plan(api.hybridSearchSql(fused)), "USearchExec");
      // The same by another metric than the index's is no search of it.
      const other = await plan(api.vectorDistanceSql({ ...near, metric: "l2" }));
      assert.notInclude(other, "USearchExec");
    },
  },
  {
    name: "H45: an index over a generated column is searched by its source",
    async run(environment) {
      const { assert } = environment;
      const hotdata = await papers(environment);
      const [index] = await hotdata.listIndexes({ table: MEANING });
      assert.deepEqual([index.columns, index.sourceColumn], [["content_embedding"], "content"]);

      const { columns } = await hotdata.describeTables({ table: MEANING });
      const searchable = Object.fromEntries(
        columns.map((/** @type {any} */ column) => [column.name, column.searchableBy]),
      );
      assert.match(String(searchable.content), /vector_search/);
      assert.notMatch(String(searchable.content_embedding), /search|distance/);

      const toolset = await hotdata.tools({ searchTable: MEANING, searchColumn: "content" });
      const { content } = await toolset.call("hotdata_search_semantic", { query: "graphs" });
      assert.notInclude(content, "content_embedding");
      assert.isNotEmpty(JSON.parse(content).rows);
    },
  },
];
