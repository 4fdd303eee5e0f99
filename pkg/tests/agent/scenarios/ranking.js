// Rankings within SQL that run and are not what they seem: only a warning tells.

import { assert } from "chai";
import { obey, obeyInSql, rewrite, right, rows, sql, warned } from "../model.js";
import { PAPERS, QUERY, REVIEWS, ROUTES, SEMANTIC } from "../world.js";

const WORDS = `bm25_search('${PAPERS}', 'content', 'entity linking', 3)`;
const FIRST_THREE = `SELECT id FROM ${WORDS} ORDER BY score DESC, id`;

/**
 * A statement that ranks by a vector which the application has given the model.
 *
 * @param {(distance: string) => string} statement
 */
const withVector = (statement) =>
  obey((_, world) => {
    const vector = Array.from(world.vector(QUERY), (value) => value.toExponential()).join(",");
    return {
      name: "hotdata_execute_sql",
      arguments: { sql: statement(`cosine_distance(embedding, ARRAY[${vector}])`) },
    };
  });

/**
 * These papers, and from the index.
 *
 * @param {(world: import("../world.js").World) => Promise<any[]>} expected
 */
const byTheIndex = (expected) =>
  right(async (answer, world, said) => {
    const ids = (/** @type {any[]} */ found) => found.map(({ id }) => id);
    assert.deepEqual(ids(answer.rows), ids(await expected(world)));
    const plan = JSON.stringify(await world.ask(`EXPLAIN ${said.sql}`));
    assert.include(plan, "USearchExec");
    assert.notInclude(plan, "DataSourceExec");
  });

const nearest = byTheIndex((world) => world.nearest(QUERY, 3));

/** @type {import("../model.js").Scenario[]} */
const byWords = ROUTES.filter(({ tool }) => tool === "hotdata_search_text").flatMap(({ set }) => [
  {
    title: "a search by words without its bound is told that it stops",
    set,
    turns: [
      [
        "leaves out the fourth argument",
        sql(
          `SELECT id FROM bm25_search('${PAPERS}', 'content', 'entity linking') ORDER BY score DESC, id LIMIT 3`,
        ),
        warned(/without a fourth argument stops at 1,000 rows/),
      ],
      [
        "passes how many rows it may give",
        obeyInSql((said) => said.sql.replace("linking')", "linking', 3)")),
        rows(FIRST_THREE),
      ],
    ],
  },
  {
    title: "a search by words without an order is told the order that ranks it",
    set,
    turns: [
      [
        "takes the rows as they come",
        sql(`SELECT id FROM ${WORDS}`),
        warned(/ORDER BY score DESC/, async (answer, world) => {
          assert.notDeepEqual(answer.rows, await world.ask(FIRST_THREE));
        }),
      ],
      [
        "adds the order it was told",
        rewrite((said) => `${said.sql} ${said.take(/write (ORDER BY \w+ \w+)/)}, id`),
        rows(FIRST_THREE),
      ],
    ],
  },
  {
    title: "a search by words sorted the wrong way round is told the right one",
    set,
    turns: [
      [
        "sorts by rising score",
        sql(`SELECT id FROM ${WORDS} ORDER BY score ASC LIMIT 1`),
        warned(/higher score is better/),
      ],
      [
        "sorts as it was told",
        rewrite((said) => said.sql.replace("score ASC", said.take(/ORDER BY (score \w+)/))),
        rows(`${FIRST_THREE} LIMIT 1`),
      ],
    ],
  },
]);

/** @type {import("../model.js").Scenario[]} */
export const scenarios = [
  ...byWords,
  {
    title: "an aggregate over a search without its bound is over a thousand rows",
    set: "stays",
    turns: [
      [
        "counts matches",
        sql(`SELECT COUNT(id) AS n FROM bm25_search('${REVIEWS}', 'content', 'garden')`),
        warned(/without a fourth argument stops at 1,000 rows/, (answer) => {
          assert.deepEqual(answer.rows, [{ n: 1_000 }]);
        }),
      ],
      [
        "passes more rows than the table has",
        obeyInSql((said) => said.sql.replace("'garden')", "'garden', 5000)")),
        rows(`SELECT COUNT(*) AS n FROM ${REVIEWS} WHERE content LIKE '%garden%'`, "stays"),
      ],
    ],
  },
  {
    title: "a listing of exactly a thousand rows is told of as cut",
    set: "stays",
    turns: [
      [
        "lists the matches",
        sql(
          `SELECT id FROM bm25_search('${REVIEWS}', 'content', 'garden') ORDER BY score DESC, id`,
        ),
        warned(/Exactly 1,000 rows.*may be more/, ({ metadata }) => {
          assert.equal(metadata.total, 1_000);
        }),
      ],
      [
        "counts them with a bound beyond that",
        obeyInSql(
          () => `SELECT COUNT(id) AS n FROM bm25_search('${REVIEWS}', 'content', 'garden', 5000)`,
        ),
        rows(`SELECT COUNT(*) AS n FROM ${REVIEWS} WHERE content LIKE '%garden%'`, "stays"),
      ],
    ],
  },
  {
    title: "LIMIT before a sort takes any rows of a search by meaning",
    set: "meaning",
    turns: [
      [
        "limits instead of bounding",
        sql(`SELECT id FROM vector_search('${SEMANTIC}', 'content', 'entity linking', 20) LIMIT 3`),
        warned(/LIMIT takes rows as they come.*fourth argument/),
      ],
      [
        "sorts as it was told, and bounds by the fourth argument",
        rewrite((said) =>
          said.sql.replace(
            ", 20) LIMIT 3",
            `, 3) ${said.take(/write (ORDER BY _distance \w+)/)}, id`,
          ),
        ),
        rows(
          `SELECT id FROM ${SEMANTIC} ORDER BY vector_distance(content, 'entity linking'), id LIMIT 3`,
        ),
      ],
    ],
  },
  {
    title: "scores of two searches do not add up, and their ranks do",
    set: "words",
    turns: [
      [
        "adds the scores of two searches",
        sql(
          `SELECT a.id, a.score + b.score AS both FROM bm25_search('${PAPERS}', 'content', 'graph', 50) AS a ` +
            `JOIN bm25_search('${PAPERS}', 'content', 'linking', 50) AS b ON a.id = b.id ORDER BY both DESC`,
        ),
        warned(/do not compare: rank each search by itself and combine the ranks/),
      ],
      [
        "combines the ranks",
        obeyInSql(() => {
          const ranked = (/** @type {string} */ words) =>
            `SELECT id, ROW_NUMBER() OVER (ORDER BY score DESC, id) AS place FROM bm25_search('${PAPERS}', 'content', '${words}', 50)`;
          return (
            `WITH a AS (${ranked("graph")}), b AS (${ranked("linking")}) ` +
            "SELECT a.id, 1.0 / (60 + a.place) + 1.0 / (60 + b.place) AS both FROM a JOIN b ON a.id = b.id ORDER BY both DESC, a.id"
          );
        }),
        right(async (answer, world) => {
          /** @type {Map<number, number>[]} */
          const places = [];
          for (const words of ["graph", "linking"]) {
            const list = await world.byWords(words, 50);
            places.push(new Map(list.map(({ id }, at) => [id, at + 1])));
          }
          const [first = new Map(), second = new Map()] = places;
          const expected = [...first.keys()].filter((id) => second.has(id));
          assert.isNotEmpty(expected);
          assert.sameMembers(
            answer.rows.map((/** @type {any} */ row) => row.id),
            expected,
          );
          for (const { id, both } of answer.rows) {
            assert.approximately(both, 1 / (60 + first.get(id)) + 1 / (60 + second.get(id)), 1e-12);
          }
        }),
      ],
    ],
  },
  {
    title: "a ranking by distance keeps its index where the table is named in full",
    set: "vectors",
    turns: [
      [
        "leaves out the catalog",
        withVector(
          (distance) => `SELECT id, ${distance} AS d FROM public.papers ORDER BY d LIMIT 3`,
        ),
        warned(/fewer than three parts loses the vector index/),
      ],
      [
        "writes all three",
        rewrite((said) => {
          const full = said.take(/write (catalog\.schema\.papers)/);
          return said.sql.replace(
            "public.papers",
            full.replace("catalog.schema", "default.public"),
          );
        }),
        nearest,
      ],
    ],
  },
  {
    title: "a ranking by distance keeps its index where no vector is in the answer",
    set: "vectors",
    turns: [
      [
        "selects everything",
        withVector((distance) => `SELECT * FROM ${PAPERS} ORDER BY ${distance} LIMIT 3`),
        warned(/vector column in the answer \(embedding\) makes the ranking read the whole table/),
      ],
      [
        "selects other columns by name",
        obeyInSql((said) => said.sql.replace("*", "id, title")),
        nearest,
      ],
    ],
  },
  {
    title: "a ranking by distance keeps its index where it is bounded",
    set: "fused",
    turns: [
      [
        "ranks every paper",
        withVector(
          (distance) => `SELECT id, ${distance} AS d FROM ${PAPERS} WHERE id < 50 ORDER BY d`,
        ),
        warned(/without LIMIT reads the whole table/),
      ],
      [
        "adds the clause that it was told",
        rewrite((said) => `${said.sql} ${said.take(/write (LIMIT)/)} 3`),
        byTheIndex(async (world) => {
          const all = await world.nearest(QUERY, 314);
          return all.filter(({ id }) => id < 50).slice(0, 3);
        }),
      ],
    ],
  },
];
