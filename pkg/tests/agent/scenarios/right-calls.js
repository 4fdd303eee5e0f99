// A model that reads the descriptions and does as they say, on each route.

import { assert } from "chai";
import { call, obeyInSql, right, rows, sql, told } from "../model.js";
import { PAPERS, SEMANTIC } from "../world.js";

const QUERY = "Knowledge Graph Embeddings";

/**
 * The search call that the description of the SQL tool shows, with other words.
 *
 * @param {RegExp} pattern
 */
const shown = (
  /** @type {import("../model.js").Said} */ said,
  pattern = /FROM (\w+_search\([^)]*\) ORDER BY \w+ \w+)/,
) => {
  const [, example] = pattern.exec(said.description("hotdata_execute_sql")) ?? [];
  assert.exists(example, "the description shows a search");
  return String(example);
};

/** @type {import("../model.js").Turn[]} */
const LOOKS_AROUND = [
  [
    "asks for an overview",
    call("hotdata_describe_tables"),
    told(({ tables }) => {
      const names = tables.map((/** @type {any} */ table) => table.table);
      assert.includeMembers(names, [PAPERS, SEMANTIC]);
    }),
  ],
];

/** @type {import("../model.js").Scenario[]} */
export const scenarios = [
  {
    title: "looks around, searches by words, and ranks by words within SQL",
    set: "words",
    turns: [
      ...LOOKS_AROUND,
      [
        "describes the table it needs",
        call("hotdata_describe_tables", { table: PAPERS }),
        right(({ row_count, columns }) => {
          assert.equal(row_count, 314);
          const content = columns.find((/** @type {any} */ column) => column.name === "content");
          assert.deepEqual(content.searchable_by, ["bm25_search"]);
        }),
      ],
      [
        "searches for three",
        call("hotdata_search_text", { query: QUERY, k: 3 }),
        right(async (answer, world) => {
          assert.deepEqual(answer.rows, await world.byWords(QUERY, 3));
        }),
      ],
      [
        "searches without saying how many",
        call("hotdata_search_text", { query: QUERY }),
        right(async (answer, world) => {
          assert.deepEqual(answer.rows, await world.byWords(QUERY, 5));
        }),
      ],
      [
        "ranks within SQL by the function that the description shows",
        sql(
          (said) =>
            `SELECT id, score FROM ${shown(said).replace(/'[^']*', \d+\)/, `'${QUERY}', 4)`)}, id`,
        ),
        right(async (answer, world) => {
          const ranked = (await world.byWords(QUERY, 4)).map(({ id, score }) => ({ id, score }));
          assert.deepEqual(answer.rows, ranked);
        }),
      ],
    ],
  },
  {
    title: "looks around, searches by meaning with text, and does so within SQL",
    set: "meaning",
    turns: [
      ...LOOKS_AROUND,
      [
        "describes the table it needs",
        call("hotdata_describe_tables", { table: SEMANTIC }),
        right(({ columns }) => {
          const content = columns.find((/** @type {any} */ column) => column.name === "content");
          assert.deepEqual(content.searchable_by, ["vector_search"]);
          // The generated vectors are not for a model.
          assert.lengthOf(columns, 2);
        }),
      ],
      [
        "searches for three",
        call("hotdata_search_semantic", { query: QUERY, k: 3 }),
        rows(
          `SELECT id, content, vector_distance(content, '${QUERY}') AS _distance FROM ${SEMANTIC} ORDER BY _distance, id LIMIT 3`,
        ),
      ],
      [
        "ranks within SQL by the function that the description shows",
        sql((said) => `SELECT id FROM ${shown(said).replace(/'[^']*', \d+\)/, `'${QUERY}', 4)`)}`),
        rows(
          `SELECT id FROM ${SEMANTIC} ORDER BY vector_distance(content, '${QUERY}'), id LIMIT 4`,
        ),
      ],
      [
        "counts what is near within one statement",
        obeyInSql((said) => `SELECT COUNT(id) AS n FROM (${said.sql}) AS near WHERE id >= 0`),
        rows([{ n: 4 }]),
      ],
    ],
  },
  {
    title: "looks around, and searches by meaning with the vectors of its application",
    set: "vectors",
    turns: [
      ...LOOKS_AROUND,
      [
        "searches for three",
        call("hotdata_search_semantic", { query: "Entity linking", k: 3 }),
        right(async (answer, world) => {
          const ids = (/** @type {any[]} */ found) =>
            found.map(({ id, content }) => ({ id, content }));
          assert.deepEqual(ids(answer.rows), ids(await world.nearest("Entity linking", 3)));
        }),
      ],
      [
        "wants to rank by meaning in SQL, and calls what the description of SQL names instead",
        {
          by: "rule",
          move: (said) => {
            const pattern = /by meaning \(\w+\) is not available in SQL: call (\w+)/;
            const [, name] = pattern.exec(said.description("hotdata_execute_sql")) ?? [];
            return { name: String(name), arguments: { query: "Entity linking", k: 1 } };
          },
        },
        right(async (answer, world) => {
          const [nearest] = await world.nearest("Entity linking", 1);
          assert.equal(answer.rows[0].id, nearest.id);
        }),
      ],
      [
        "counts in SQL",
        sql(`SELECT COUNT(id) AS n FROM ${PAPERS} WHERE content ILIKE '%entity linking%'`),
        rows(`SELECT COUNT(*) AS n FROM papers WHERE lower(content) LIKE '%entity linking%'`),
      ],
    ],
  },
  {
    title: "looks around, and searches by words and meaning fused",
    set: "fused",
    turns: [
      ...LOOKS_AROUND,
      [
        "searches for four",
        call("hotdata_search_text", { query: "Entity linking", k: 4 }),
        right(async (answer, world) => {
          const ids = answer.rows.map((/** @type {any} */ row) => row.id);
          assert.deepEqual(ids, await world.fused("Entity linking", 4));
          assert.hasAllKeys(answer.rows[0], ["id", "content", "score"]);
        }),
      ],
      [
        "ranks within SQL by words, as the description says that SQL does",
        sql((said) => {
          assert.match(said.description("hotdata_execute_sql"), /SQL ranks by words alone/);
          return `SELECT id FROM ${shown(said).replace(/'[^']*', \d+\)/, "'entity linking', 4)")}, id`;
        }),
        right(async (answer, world) => {
          const ranked = await world.byWords("entity linking", 4);
          assert.deepEqual(
            answer.rows,
            ranked.map(({ id }) => ({ id })),
          );
        }),
      ],
    ],
  },
];
