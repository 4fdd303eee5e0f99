// Sets of tools: what one offers, several in one agent.

import { client, failure, PAPERS, papers, vectorOf } from "./samples.js";

const SEMANTIC = "default.public.papers_semantic";

/** @type {import("../harness.js").Case[]} */
export const toolSetCases = [
  {
    name: "two corpora of one database are searched by two tools of one agent",
    async run(environment) {
      const { assert } = environment;
      const hotdata = await papers(environment);
      const sets = [
        await hotdata.tools({ searchTable: PAPERS, searchColumn: "content" }),
        await hotdata.tools({
          searchTable: SEMANTIC,
          searchColumn: "content",
          toolNameSuffix: "nearest",
          sqlTool: false,
          describeTables: false,
          managementTools: false,
        }),
      ];
      const names = sets.flatMap((set) => set.tools.map(nameOf));
      assert.lengthOf(new Set(names), names.length);
      assert.deepEqual(sets[1].tools.map(nameOf), ["hotdata_search_semantic_nearest"]);
      const words = await rows(sets[0], "hotdata_search_text", { query: "entity linking" });
      assert.hasAllKeys(words[0], ["id", "content", "score"]);
      const meaning = await rows(sets[1], "hotdata_search_semantic_nearest", {
        query: "entity linking",
        k: 3,
      });
      assert.lengthOf(meaning, 3);
      assert.hasAllKeys(meaning[0], ["id", "content", "_distance"]);
    },
  },
  {
    name: "two databases in one agent: each set speaks of its own and reads its own",
    async run(environment) {
      const { assert } = environment;
      const hotdata = await papers(environment);
      const made = await client(environment).createDatabase({ name: "tides", expiresAt: "1h" });
      try {
        const csv = "id,harbour\n1,Dover\n";
        await hotdata.loadTable({ databaseId: made.id, table: "tides", mode: "replace", csv });
        const own = await hotdata.tools();
        const other = await hotdata.tools({ databaseId: made.id, toolNameSuffix: "tides" });
        const [sql, tidesSql] = [own, other].map((set) => set.tools[0]);
        assert.match(sql.description, /^Database papers\. /);
        assert.match(tidesSql.description, /^Database tides\. /);
        assert.equal(tidesSql.name, "hotdata_execute_sql_tides");
        const found = await rows(other, tidesSql.name, {
          sql: "SELECT harbour FROM default.public.tides",
        });
        assert.deepEqual(found, [{ harbour: "Dover" }]);
        const missing = await own.call(sql.name, {
          sql: "SELECT harbour FROM default.public.tides",
        });
        assert.isTrue(missing.isError);
      } finally {
        await hotdata.deleteDatabase(made.id);
      }
    },
  },
  {
    name: "a caller's filter holds in all four rankings, and the asked number of rows comes back",
    async run(environment) {
      const { assert } = environment;
      const hotdata = await papers(environment);
      const vector = await vectorOf(hotdata, 41);
      const embed = (/** @type {string[]} */ texts) => texts.map(() => vector);
      const searchFilter = { id: { $gte: 250 } };
      for (const [name, options] of /** @type {[string, any][]} */ ([
        ["hotdata_search_text", { searchTable: PAPERS, searchStrategy: "text" }],
        ["hotdata_search_text", { searchTable: PAPERS, embed }],
        ["hotdata_search_semantic", { searchTable: PAPERS, searchStrategy: "semantic", embed }],
        ["hotdata_search_semantic", { searchTable: SEMANTIC }],
      ])) {
        const set = await hotdata.tools({ searchColumn: "content", searchFilter, ...options });
        const found = await rows(set, name, { query: "language model", k: 10 });
        assert.lengthOf(found, 10, JSON.stringify(options));
        for (const row of found) assert.isAtLeast(row.id, 250);
      }
    },
  },
  {
    name: "what a set cannot do fails when it is built, and says what would serve",
    async run(environment) {
      const { assert } = environment;
      const hotdata = await papers(environment);
      const search = { searchTable: PAPERS, searchColumn: "content" };
      for (const [options, code, says] of /** @type {[any, string, RegExp][]} */ ([
        [{ databaseId: "papers" }, "not_found", /papers/],
        [{ searchTable: PAPERS }, "invalid_argument", /`searchColumn` is missing/],
        [
          { ...search, searchStrategy: "hybrid" },
          "invalid_argument",
          /needs `embed`, a function from texts to vectors/,
        ],
        [{ ...search, searchColumn: "title" }, "invalid_argument", /ready BM25 or vector index/],
        [{ ...search, searchKeyColumn: "nope" }, "invalid_argument", /`searchKeyColumn` must name/],
        [{ ...search, searchFilter: { nope: 1 } }, "invalid_argument", /`searchFilter` must name/],
        [{ ...search, searchToolName: "find-papers" }, "invalid_argument", /`searchToolName`/],
        [{ toolNameSuffix: "a b" }, "invalid_argument", /`toolNameSuffix` must be letters/],
        [{ readOnly: "yes" }, "invalid_argument", /`readOnly` must be true or false/],
      ])) {
        const error = await failure(() => hotdata.tools(options));
        assert.equal(error.code, code, error.message);
        assert.match(error.message, says);
      }
    },
  },
  {
    name: "a fused search says why where it is not fused",
    async run(environment) {
      const { assert } = environment;
      const hotdata = await papers(environment);
      const search = { searchTable: PAPERS, searchColumn: "content" };
      const words = await hotdata.tools(search);
      assert.match(
        words.notes.join(" "),
        /not fused: embedding has a vector index, and no `embed`/,
      );
      const fused = await hotdata.tools({ ...search, embed: () => [] });
      assert.match(fused.notes.join(" "), /by words and meaning, fused/);
    },
  },
  {
    name: "vectors of another length are the program's mistake, and the model is told so",
    async run(environment) {
      const { assert } = environment;
      const search = { searchTable: PAPERS, searchColumn: "content", embed: () => [[0.5, 1]] };
      const set = await (await papers(environment)).tools(search);
      const { content, isError } = await set.call("hotdata_search_text", { query: "graph" });
      assert.isTrue(isError);
      const { error } = JSON.parse(content);
      assert.equal(error.code, "embed_failed");
      assert.match(error.message, /query vector length/);
      assert.match(error.hint, /^`embed` makes vectors of another length.*tell the user\.$/);
    },
  },
  {
    name: "columns of other tables are offered to SQL, with the function that serves each",
    async run(environment) {
      const { assert } = environment;
      const hotdata = await papers(environment);
      const set = await hotdata.tools({
        searchTable: PAPERS,
        searchColumn: "content",
        searchableColumns: [
          { table: SEMANTIC, column: "content" },
          { table: PAPERS, column: "title" },
        ],
      });
      const { description } = set.tools[0];
      const call =
        /vector_search\('default\.public\.papers_semantic', 'content', 'a question', 20\)/;
      const [from = ""] = call.exec(description) ?? [];
      assert.isNotEmpty(from, description);
      assert.match(set.notes.join(" "), /papers\.title is not offered/);
      const found = await rows(set, set.tools[0].name, {
        sql: `SELECT id, _distance FROM ${from} ORDER BY _distance ASC`,
      });
      assert.lengthOf(found, 20);
    },
  },
  {
    name: "the dialect guide is a text",
    async run({ api, assert }) {
      assert.isString(api.SQL_GUIDE);
      assert.include(api.SQL_GUIDE, "bm25_search(");
      assert.include(api.SQL_GUIDE, "'%Y-%m-%d'");
    },
  },
];

/** @param {{ name: string }} tool */
const nameOf = (tool) => tool.name;

/**
 * @param {any} set
 * @param {string} name
 * @param {object} args
 * @returns {Promise<any[]>}
 */
async function rows(set, name, args) {
  const result = await set.call(name, args);
  if (result.isError) throw new Error(result.content);
  return result.structured.rows;
}
