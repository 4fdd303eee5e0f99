// SQL as other databases have it.

import { assert } from "chai";
import { obeyInSql, refused, rewrite, right, rows, sql, wrong } from "../model.js";
import { LISTINGS, PAPERS, REVIEWS, ROUTES, SEMANTIC } from "../world.js";

/** @type {import("../model.js").Scenario[]} */
const onEachRoute = ROUTES.map(({ set, table }) => ({
  title: "PostgreSQL's text search is not there, and the hint has the search that is",
  set,
  turns: [
    [
      "matches text as in PostgreSQL",
      sql(
        `SELECT id FROM ${table} WHERE to_tsvector('english', content) @@ plainto_tsquery('knowledge graph') LIMIT 4`,
      ),
      wrong({
        code: "bad_request",
        message: /Invalid function/,
        hint: /bm25_search|vector_search/,
      }),
    ],
    [
      "ranks by the call that the hint writes out",
      rewrite((said) => {
        const source = said.take(/FROM (\w+_search\([^)]*\) ORDER BY \w+( DESC)?)/);
        return `SELECT id FROM ${source.replace(/'words', \d+/, "'knowledge graph', 4")}, id`;
      }),
      right(async (answer, world) => {
        const expected =
          table === SEMANTIC
            ? await world.ask(
                `SELECT id FROM ${SEMANTIC} ORDER BY vector_distance(content, 'knowledge graph'), id LIMIT 4`,
              )
            : (await world.byWords("knowledge graph", 4)).map(({ id }) => ({ id }));
        assert.deepEqual(answer.rows, expected);
      }),
    ],
  ],
}));

/** @type {import("../model.js").Scenario[]} */
export const scenarios = [
  ...onEachRoute,
  {
    title: "days are subtracted as an interval",
    set: "stays",
    turns: [
      [
        "subtracts days by a function of other databases",
        sql(
          `SELECT id FROM ${LISTINGS} WHERE start_date >= date_sub(cast('2024-06-21' AS DATE), 6)`,
        ),
        wrong({ code: "bad_request", message: /Invalid function 'date_sub'/, hint: /INTERVAL/ }),
      ],
      [
        "writes it as the hint does",
        rewrite((said) => {
          const interval = said.take(/- (INTERVAL '6 days')/);
          return said.sql.replace(/date_sub\((.*\)), 6\)/, `$1 - ${interval}`);
        }),
        rows([{ id: 2 }, { id: 3 }]),
      ],
    ],
  },
  {
    title: "a date is not read by a PostgreSQL template",
    set: "stays",
    turns: [
      [
        "reads a date by a template",
        sql(
          `SELECT id, to_date('2024-06-15', 'YYYY-MM-DD') = start_date AS is_it FROM ${LISTINGS} WHERE id = 2`,
        ),
        wrong({ code: "bad_request", hint: /strftime/ }),
      ],
      [
        "writes the codes of the hint",
        rewrite((said) => said.sql.replace("'YYYY-MM-DD'", said.take(/write ('%[^']+')/))),
        rows([{ id: 2, is_it: true }]),
      ],
    ],
  },
  {
    title: "a function that does not exist is written with others",
    set: "stays",
    turns: [
      [
        "counts distinct values as another database does",
        sql(`SELECT approx_count_distinct(city) AS n FROM ${REVIEWS}`),
        wrong({
          code: "bad_request",
          message: /Invalid function/,
          hint: /[Ff]unctions are Apache DataFusion's|Write /,
        }),
      ],
      [
        "writes it in plain SQL",
        obeyInSql((said) => said.sql.replace("approx_count_distinct(", "COUNT(DISTINCT ")),
        rows([{ n: 3 }]),
      ],
    ],
  },
  {
    title: "a statement that does not parse is told where",
    set: "words",
    turns: [
      [
        "misspells the first word",
        sql(`SELEC COUNT(id) AS n FROM ${PAPERS}`),
        refused({ message: /Begin with SELECT/ }),
      ],
      [
        "begins as it was told",
        rewrite((said) => said.sql.replace("SELEC", said.take(/Begin with (\w+)/))),
        rows([{ n: 314 }]),
      ],
      [
        "forgets a bracket",
        sql(`SELECT COUNT(id AS n FROM ${PAPERS}`),
        wrong({ code: "bad_request", message: /Expected: \), found: AS/ }),
      ],
      [
        "puts it where the message expects it",
        rewrite((said) => {
          const [missing, before] = [
            said.take(/Expected: (\S+), found/),
            said.take(/found: (\w+)/),
          ];
          return said.sql.replace(` ${before} `, `${missing} ${before} `);
        }),
        rows([{ n: 314 }]),
      ],
    ],
  },
  {
    title: "a column whose name is a keyword is written in quotes",
    set: "stays",
    turns: [
      [
        "adds up a column of that name",
        sql("SELECT SUM(all) AS n FROM default.public.rooms"),
        wrong({ code: "bad_request", message: /ParserError/, hint: /keyword/ }),
      ],
      [
        "writes the name as it was told",
        rewrite((said) => said.sql.replace("(all)", `(${said.take(/name\b.*?("\w+")/)})`)),
        rows([{ n: 15 }]),
      ],
    ],
  },
];
