// A model that gets the arguments wrong, on each route.

import { assert } from "chai";
import { again, call, callNamed, obey, refused, right, warned, wrong } from "../model.js";
import { QUERY, ROUTES } from "../world.js";

/** So many rows, best first. @param {number} count */
const found = (count) =>
  right(({ rows }) => {
    assert.lengthOf(rows, count);
    const [of, sign] = "score" in rows[0] ? ["score", -1] : ["_distance", 1];
    const values = rows.map((/** @type {any} */ row) => sign * row[of]);
    assert.deepEqual(
      values,
      values.toSorted?.((/** @type {number} */ a, /** @type {number} */ b) => a - b) ??
        [...values].sort((a, b) => a - b),
    );
  });

/** @type {import("../model.js").Scenario[]} */
export const scenarios = ROUTES.flatMap(({ set, table, tool }) => [
  {
    title:
      "a number in words is refused, and a number from the accepted ones works, in digits or as text",
    set,
    turns: [
      [
        "asks for many rows",
        call(tool, { query: QUERY, k: "many" }),
        refused({ message: /`k` must be a whole number from 1 to \d+, not "many"/ }),
      ],
      [
        "asks for the least that is accepted",
        again((said) => ({ query: QUERY, k: Number(said.take(/from (\d+)/)) })),
        found(1),
      ],
      ["writes a number as text", call(tool, { query: QUERY, k: "5" }), found(5)],
      ["writes a number with a point", call(tool, { query: QUERY, k: 3.0 }), found(3)],
      ["leaves the number to the tool", call(tool, { query: QUERY, k: null }), found(5)],
    ],
  },
  {
    title: "half a row is refused",
    set,
    turns: [
      [
        "asks for two and a half rows",
        call(tool, { query: QUERY, k: 2.5 }),
        refused({ message: /`k` must be a whole number/ }),
      ],
      [
        "asks for two",
        again((said) => ({ query: QUERY, k: 2 * Number(said.take(/from (\d+)/)) })),
        found(2),
      ],
    ],
  },
  {
    title: "a call without its query is told what is missing",
    set,
    turns: [
      [
        "names only how many rows it wants",
        call(tool, { k: 2 }),
        refused({ message: /`query` is missing: it must be a string/ }),
      ],
      ["adds it", again((said) => ({ [said.take(/`(\w+)` is missing/)]: QUERY, k: 2 })), found(2)],
      [
        "sends a list of queries",
        call(tool, { query: [QUERY], k: 2 }),
        refused({ message: /`query` must be a string/ }),
      ],
      [
        "sends one",
        again((said) => ({ [said.take(/`(\w+)` must be a string/)]: QUERY, k: 2 })),
        found(2),
      ],
    ],
  },
  {
    title: "an argument the tool does not have is refused, naming those it has",
    set,
    turns: [
      [
        "limits the rows by another name",
        call(tool, { query: QUERY, limit: 2 }),
        refused({ message: /`limit` is not an option of \w+; it takes / }),
      ],
      [
        "uses the name it was told",
        again((said) => ({ query: QUERY, [said.take(/takes query(?:,| and) (\w+)/)]: 2 })),
        found(2),
      ],
    ],
  },
  {
    title: "a tool that does not exist is refused, naming those that do",
    set,
    turns: [
      [
        "calls a tool by a name it made up",
        call("search_papers", { query: QUERY, k: 2 }),
        wrong({ code: "not_found", message: /no tool "search_papers"; there are / }),
      ],
      [
        "calls the one that it was told of",
        callNamed(/(hotdata_search_\w+)/, (said) => said.call.arguments),
        found(2),
      ],
    ],
  },
  {
    title: "a statement under another name, and none at all",
    set,
    turns: [
      [
        "sends the statement as `query`",
        call("hotdata_execute_sql", { query: `SELECT COUNT(id) AS n FROM ${table}` }),
        refused({ message: /`query` is not an option of hotdata_execute_sql/ }),
      ],
      [
        "sends it under the name it was told",
        again((said) => ({
          [said.take(/it takes (\w+)/)]: /** @type {any} */ (said.call.arguments).query,
        })),
        right(({ rows }) => assert.deepEqual(rows, [{ n: 314 }])),
      ],
      ["sends nothing", call("hotdata_execute_sql"), refused({ message: /`sql` is missing/ })],
      [
        "sends a statement",
        again((said) => ({
          [said.take(/`(\w+)` is missing/)]: `SELECT COUNT(id) AS n FROM ${table}`,
        })),
        right(({ rows }) => assert.deepEqual(rows, [{ n: 314 }])),
      ],
    ],
  },
  {
    title: "more rows than a search gives are cut, which is said with the number that it gives",
    set,
    turns: [
      [
        "asks for five hundred",
        call(tool, { query: QUERY, k: 500 }),
        warned(/500 rows were asked for; the search returns at most \d+/),
      ],
      [
        "asks for fewer than that, as it says",
        again((said) => ({ query: QUERY, k: Number(said.take(/at most (\d+)/)) / 10 })),
        found(10),
      ],
    ],
  },
  {
    title: "a table that is no table is described as those that are",
    set,
    turns: [
      [
        "describes a table by half a name",
        call("hotdata_describe_tables", { table: "paper" }),
        wrong({ code: "invalid_argument", message: /default\.public\.papers/ }),
      ],
      [
        "takes the full name it was told",
        again((said) => ({ table: said.take(/(default\.public\.papers)/) })),
        right(({ row_count }) => assert.equal(row_count, 314)),
      ],
      [
        "leaves out the catalog, which is enough to find it",
        obey(() => ({ name: "hotdata_describe_tables", arguments: { table: "public.papers" } })),
        right((answer) => assert.equal(answer.table, "default.public.papers")),
      ],
    ],
  },
]);
