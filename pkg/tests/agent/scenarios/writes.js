// A model that writes, or sends more than one statement, with a tool that reads.

import { assert } from "chai";
import { obeyInSql, refused, right, rows, sql, wrong } from "../model.js";
import { LISTINGS } from "../world.js";

const COUNT = `SELECT COUNT(id) AS n FROM ${LISTINGS}`;
/** Statement, and what may be sent in its place. */
const WRITES = [
  `INSERT INTO ${LISTINGS} VALUES (4, 'Boat', 95, '2025-02-01')`,
  `DELETE FROM ${LISTINGS}`,
  `/* tidy up */ delete from ${LISTINGS} WHERE id = 1`,
  `UPDATE ${LISTINGS} SET price = 1`,
  `DROP TABLE ${LISTINGS}`,
  `CREATE TABLE copy AS SELECT * FROM ${LISTINGS}`,
  `SELECT * INTO copy FROM ${LISTINGS}`,
  `COPY (SELECT * FROM ${LISTINGS}) TO 'listings.csv'`,
  `WITH gone AS (SELECT 1) DELETE FROM ${LISTINGS}`,
];

/** @type {import("../model.js").Scenario[]} */
const writes = WRITES.map((statement) => ({
  title: `what writes is refused before it is sent: ${statement}`,
  set: "stays",
  turns: [
    ["writes", sql(statement), refused({ message: /only queries do/ })],
    ["reads, as it was told is allowed", obeyInSql(() => COUNT), rows([{ n: 3 }])],
  ],
}));

/** @type {import("../model.js").Scenario[]} */
export const scenarios = [
  ...writes,
  {
    title: "a second statement is refused before the first is sent",
    set: "stays",
    turns: [
      [
        "hides a second statement",
        sql(`${COUNT}; DROP TABLE ${LISTINGS}`),
        refused({ message: /statement/i }),
      ],
      ["leaves it out", obeyInSql((said) => said.sql.split(";")[0] ?? ""), rows([{ n: 3 }])],
      ["ends the statement as statements end", sql(`${COUNT};`), rows([{ n: 3 }])],
      [
        "speaks of such words in a text, a name and a comment",
        sql(
          `SELECT 'a; DELETE FROM b' AS "drop" FROM ${LISTINGS} WHERE id = 1 -- ; DELETE`.replace(
            " AS",
            " || name AS",
          ),
        ),
        right(({ rows: [row] }) => assert.deepEqual(row, { drop: "a; DELETE FROM bQuiet attic" })),
      ],
    ],
  },
  {
    title: "where reading is not all that is allowed, the engine itself refuses",
    set: "writing",
    turns: [
      [
        "deletes",
        sql(`DELETE FROM ${LISTINGS}`),
        wrong({ code: "bad_request", message: /DML not supported/ }),
      ],
      ["reads", obeyInSql(() => COUNT), rows([{ n: 3 }])],
    ],
  },
];
