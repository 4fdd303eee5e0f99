// Searches within SQL over columns that no index serves so, and a plan that cannot be had.

import { assert } from "chai";
import { rewrite, right, rows, sql, wrong } from "../model.js";
import { PAPERS, ROUTES, SEMANTIC } from "../world.js";

/**
 * The call that a hint writes out, with these words and no more than four rows.
 *
 * @param {import("../model.js").Said} said
 * @param {string} words
 */
const fromHint = (said, words) => {
  const source = said.take(/FROM (\w+_search\([^)]*\) ORDER BY \w+( DESC)?)/);
  return `SELECT id FROM ${source.replace(/'words', \d+/, `'${words}', 4`)}, id`;
};

const byWords = right(async (answer, world) => {
  const expected = await world.byWords("entity linking", 4);
  assert.deepEqual(
    answer.rows,
    expected.map(({ id }) => ({ id })),
  );
});

const onPapers = ROUTES.filter(({ table }) => table === PAPERS).map(({ set }) => set);

/** @type {import("../model.js").Scenario[]} */
export const scenarios = [
  ...onPapers.flatMap((set) => [
    {
      title: "a column without a BM25 index is searched through one that has it",
      set,
      turns: /** @type {import("../model.js").Turn[]} */ ([
        [
          "ranks titles by words",
          sql(
            `SELECT id FROM bm25_search('${PAPERS}', 'title', 'entity linking', 4) ORDER BY score DESC`,
          ),
          wrong({
            code: "bad_request",
            message: /No BM25 index found on column 'title'/,
            hint: /'content'/,
          }),
        ],
        [
          "makes the call that the hint writes out",
          rewrite((said) => fromHint(said, "entity linking")),
          byWords,
        ],
      ]),
    },
    {
      title: "a text is no query for a plain vector index, and the hint has what ranks by words",
      set,
      turns: /** @type {import("../model.js").Turn[]} */ ([
        [
          "ranks by meaning with a text",
          sql(
            `SELECT id FROM vector_search('${PAPERS}', 'embedding', 'entity linking', 4) ORDER BY _distance`,
          ),
          wrong({
            code: "bad_request",
            message: /no vector index with embedding/,
            hint: /bm25_search/,
          }),
        ],
        [
          "makes the call that the hint writes out",
          rewrite((said) => fromHint(said, "entity linking")),
          byWords,
        ],
      ]),
    },
  ]),
  {
    title: "a column without words indexed is searched by meaning",
    set: "meaning",
    turns: [
      [
        "ranks by words",
        sql(
          `SELECT id FROM bm25_search('${SEMANTIC}', 'content', 'entity linking', 4) ORDER BY score DESC`,
        ),
        wrong({ code: "bad_request", message: /No BM25 index/, hint: /vector_search/ }),
      ],
      [
        "makes the call that the hint writes out",
        rewrite((said) => fromHint(said, "entity linking")),
        rows(
          `SELECT id FROM ${SEMANTIC} ORDER BY vector_distance(content, 'entity linking'), id LIMIT 4`,
        ),
      ],
    ],
  },
  {
    title: "a search by meaning cannot be explained, and runs without that",
    set: "meaning",
    turns: [
      [
        "asks for its plan",
        sql(
          `EXPLAIN SELECT id FROM vector_search('${SEMANTIC}', 'content', 'entity linking', 4) ORDER BY _distance, id`,
        ),
        wrong({ code: "bad_request", message: /rewrite-only stub/, hint: /without EXPLAIN/ }),
      ],
      [
        "runs it",
        rewrite((said) => said.sql.replace(`${said.take(/without (EXPLAIN)/)} `, "")),
        rows(
          `SELECT id FROM ${SEMANTIC} ORDER BY vector_distance(content, 'entity linking'), id LIMIT 4`,
        ),
      ],
    ],
  },
];
