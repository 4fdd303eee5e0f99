// Dates as PostgreSQL would have them: one mistake is silent, the others are errors.

import { rewrite, rows, sql, warned } from "../model.js";
import { LISTINGS } from "../world.js";

/** @type {import("../model.js").Scenario[]} */
export const scenarios = [
  {
    title: "a PostgreSQL template comes back as it is, which only the warning tells",
    set: "stays",
    turns: [
      [
        "groups by month with a PostgreSQL template",
        sql(
          `SELECT to_char(start_date, 'YYYY-MM') AS month, COUNT(id) AS n FROM ${LISTINGS} GROUP BY 1 ORDER BY 1`,
        ),
        warned(/to_char takes strftime codes/, ({ rows: [row] }) => {
          if (row.month !== "YYYY-MM") throw new Error("the engine has learned templates");
        }),
      ],
      [
        "writes the codes it was told",
        rewrite((said) => said.sql.replace("'YYYY-MM'", said.take(/write ('%[^']+')/))),
        rows([
          { month: "2024-05", n: 1 },
          { month: "2024-06", n: 1 },
          { month: "2025-01", n: 1 },
        ]),
      ],
    ],
  },
];
