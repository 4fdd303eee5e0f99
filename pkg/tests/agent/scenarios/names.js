// A model that guesses names: of columns, of tables, of databases, and how they are written.

import { assert } from "chai";
import { callNamed, firstListed, obeyInSql, rewrite, right, rows, sql, wrong } from "../model.js";
import { LISTINGS, PAPERS, REVIEWS, ROUTES } from "../world.js";

/** @type {import("../model.js").Scenario[]} */
const onEachRoute = ROUTES.flatMap(({ set, table }) => [
  {
    title: "a column that is nearly there is named",
    set,
    turns: [
      [
        "guesses a column's name",
        sql(`SELECT id, LEFT(contents, 30) AS start FROM ${table} WHERE id = 3`),
        wrong({ code: "bad_request", message: /No field named contents/, hint: /\bcontent\b/ }),
      ],
      [
        "takes the one that the hint calls nearest",
        rewrite((said) => said.sql.replace("contents", said.take(/Nearest: [\w.]+ has (\w+)/))),
        rows(`SELECT id, LEFT(content, 30) AS start FROM ${table} WHERE id = 3`),
      ],
    ],
  },
  {
    title: "a column that is nothing like another is looked up",
    set,
    turns: [
      [
        "remembers a column of some other data",
        sql(`SELECT AVG(review_scores) AS mean FROM ${table}`),
        wrong({ code: "bad_request", hint: /call hotdata_describe_tables/ }),
      ],
      [
        "describes the table that the hint tells of, by the tool that it names",
        callNamed(/call (hotdata_\w+)/, (said) => ({ table: said.take(/([\w.]+) has/) })),
        right(({ columns }) => assert.includeMembers(names(columns), ["id", "content"])),
      ],
      [
        "averages a column of numbers",
        sql((said) => {
          const number = said.answer.columns.find((/** @type {any} */ one) => one.type === "Int64");
          return `SELECT AVG(${number.name}) AS mean FROM ${said.answer.table}`;
        }),
        rows([{ mean: 156.5 }]),
      ],
    ],
  },
  {
    title: "a table that is nearly there is named in full",
    set,
    turns: [
      [
        "guesses the table's name",
        sql("SELECT COUNT(id) AS n FROM default.public.paper"),
        wrong({ code: "bad_request", message: /not found/, hint: /default\.public\.papers\b/ }),
      ],
      [
        "takes the first that the hint names",
        rewrite((said) => said.sql.replace("default.public.paper", firstListed(said))),
        rows([{ n: 314 }]),
      ],
    ],
  },
  {
    title: "a table of another database is out of reach, and the tables within reach are listed",
    set,
    turns: [
      [
        "reads from a database it has heard of",
        sql("SELECT COUNT(id) AS n FROM stays.public.reviews"),
        wrong({
          code: "bad_request",
          hint: /catalogs of its own database.*: default\b.*Tables of another database/,
        }),
      ],
      [
        "reads one of its own",
        rewrite((said) => said.sql.replace("stays.public.reviews", firstListed(said))),
        rows([{ n: 314 }]),
      ],
    ],
  },
  {
    title:
      "a name in quotes and capitals is refused without a word, and the hint has it in small letters",
    set,
    turns: [
      [
        "quotes a name with its capital",
        sql(`SELECT id, "Content" IS NULL AS is_empty FROM ${table} WHERE id = 3`),
        wrong({ code: "bad_request", hint: /stored in lower case.*write "content"/ }),
      ],
      [
        "writes it as it was told",
        rewrite((said) => said.sql.replace('"Content"', said.take(/write ("\w+")/))),
        rows([{ id: 3, is_empty: false }]),
      ],
    ],
  },
]);

/** @type {import("../model.js").Scenario[]} */
export const scenarios = [
  ...onEachRoute,
  {
    title: "a search function given two parts of a table's name is told all three",
    set: "words",
    turns: [
      [
        "leaves out the catalog",
        sql(
          "SELECT id FROM bm25_search('public.papers', 'content', 'entity linking', 3) ORDER BY score DESC, id",
        ),
        wrong({
          code: "bad_request",
          message: /'public.papers' not found/,
          hint: /default\.public\.papers/,
        }),
      ],
      [
        "writes it in full",
        rewrite((said) => said.sql.replace("public.papers", firstListed(said))),
        rows(
          `SELECT id FROM bm25_search('${PAPERS}', 'content', 'entity linking', 3) ORDER BY score DESC, id`,
        ),
      ],
    ],
  },
  {
    title: "a table of an attached source answers to the source's own catalog",
    set: "stays",
    turns: [
      [
        "looks for it in the default catalog",
        sql("SELECT name FROM default.public.rivers ORDER BY length_km DESC LIMIT 1"),
        wrong({ code: "bad_request", hint: /rivers\.public\.rivers/ }),
      ],
      [
        "writes the catalog it was told",
        rewrite((said) => said.sql.replace("default.public.rivers", firstListed(said))),
        right((answer) => assert.lengthOf(answer.rows, 1)),
      ],
      [
        "guesses a column of it",
        sql("SELECT name, length FROM rivers.public.rivers ORDER BY length DESC LIMIT 1"),
        wrong({ code: "bad_request", hint: /length_km/ }),
      ],
      [
        "takes the one it was told",
        rewrite((said) => said.sql.replaceAll(/\blength\b/g, said.take(/has (\w+)/))),
        right(({ rows: [row] }) => assert.isNumber(row.length_km)),
      ],
    ],
  },
  {
    title: "text in double quotes is taken for a name, and the hint says which quotes it takes",
    set: "stays",
    turns: [
      [
        "compares with a text in double quotes",
        sql(`SELECT COUNT(id) AS n FROM ${REVIEWS} WHERE city = "Porto"`),
        wrong({ code: "bad_request", hint: /[Tt]ext goes in single quotes|write "porto"/ }),
      ],
      [
        "uses single quotes",
        obeyInSql((said) => said.sql.replace('"Porto"', "'Porto'")),
        rows([{ n: 500 }]),
      ],
      [
        "does the same with a text in small letters",
        sql(`SELECT id FROM ${LISTINGS} WHERE name = "loft"`),
        wrong({ code: "bad_request", hint: /[Tt]ext goes in single quotes/ }),
      ],
      [
        "uses single quotes",
        obeyInSql(() => `SELECT id FROM ${LISTINGS} WHERE lower(name) = 'loft'`),
        rows([{ id: 3 }]),
      ],
    ],
  },
];

/** @param {any[]} columns */
function names(columns) {
  return columns.map(({ name }) => name);
}
