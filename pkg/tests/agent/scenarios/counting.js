// Tables that cannot be counted, and one without rows.

import { assert } from "chai";
import { firstListed, rewrite, right, rows, sql, wrong } from "../model.js";
import { LISTINGS } from "../world.js";

const EMPTY = "default.public.empty_declared";

/** @type {import("../model.js").Scenario[]} */
export const scenarios = [
  {
    title: "COUNT(*) fails on some tables, and the hint counts beside a column",
    set: "stays",
    turns: [
      [
        "counts rows",
        sql(`SELECT COUNT(*) FROM ${LISTINGS}`),
        wrong({
          code: "bad_request",
          message: /row count or at least one column/,
          hint: /COUNT\("id"\)/,
        }),
      ],
      [
        "counts as the hint writes it",
        rewrite((said) =>
          said.sql.replace("COUNT(*)", said.take(/write (COUNT\(\*\), COUNT\("\w+"\))/)),
        ),
        right(({ rows: [row] }) => assert.deepEqual(Object.values(row), [3, 3])),
      ],
    ],
  },
  {
    title: "a constant fails there too, and goes beside a column",
    set: "stays",
    turns: [
      [
        "asks whether there is any row",
        sql(`SELECT 1 AS found FROM ${LISTINGS} LIMIT 1`),
        wrong({ code: "bad_request", hint: /[Nn]ame (one of|a|any).*column/ }),
      ],
      [
        "names the column of the hint beside it",
        rewrite((said) =>
          said.sql.replace("1 AS found", `1 AS found, ${said.take(/COUNT\("(\w+)"\)/)}`),
        ),
        rows([{ found: 1, id: 1 }]),
      ],
    ],
  },
  {
    title: "a table that is declared and empty is told of with those that have data",
    set: "words",
    turns: [
      [
        "reads the empty one",
        sql(`SELECT COUNT(id) AS n FROM ${EMPTY}`),
        wrong({
          code: "bad_request",
          message: /declared but has no data/,
          hint: /default\.public\.papers/,
        }),
      ],
      [
        "reads one that the hint says has data",
        rewrite((said) => said.sql.replace(EMPTY, firstListed(said))),
        rows([{ n: 314 }]),
      ],
    ],
  },
];
