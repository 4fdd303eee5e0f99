// A question about every match: a listing shows a part, the tool for it all of them.

import { assert } from "chai";
import { again, call, obey, refused, right, rows, sql, warned, wrong } from "../model.js";
import { GARDENS, REVIEWS } from "../world.js";

const AGGREGATE = "hotdata_aggregate_matches";
const ALL = `${REVIEWS} WHERE content LIKE '%garden%'`;

/** The arguments of the last call. @param {import("../model.js").Said} said @returns {any} */
const last = (said) => said.call.arguments;

/** @type {import("../model.js").Scenario[]} */
export const scenarios = [
  {
    title:
      "a listing is a part of the matches, and the description names the tool that sees them all",
    set: "rated",
    turns: [
      [
        "lists as many as it can to average them itself",
        call("hotdata_search_text", { query: "garden", k: 100 }),
        right((answer) => {
          assert.lengthOf(answer.rows, 100);
          assert.hasAllKeys(answer.rows[0], ["rating", "city", "score"]);
        }),
      ],
      [
        "reads in the description of the search what counts and averages matches",
        {
          by: "rule",
          move: (said) => {
            const description = said.description("hotdata_search_text");
            const [, name] = /to count or average matches call (\w+)/.exec(description) ?? [];
            const figures = [{ function: "avg", column: "rating" }, { function: "count" }];
            return { name: String(name), arguments: { query: "garden", aggregates: figures } };
          },
        },
        right(async (answer, world) => {
          const [{ mean, n }] = await world.ask(
            `SELECT AVG(rating) AS mean, COUNT(*) AS n FROM ${ALL}`,
            "stays",
          );
          assert.deepEqual(answer.rows, [{ avg_rating: mean, count: n }]);
          assert.equal(answer.metadata.cohort, GARDENS);
        }),
      ],
      [
        "does the same in SQL with the number of matches as the bound",
        sql(
          (said) =>
            `SELECT AVG(rating) AS avg_rating, COUNT(id) AS count FROM bm25_search('${REVIEWS}', 'content', 'garden', ${said.answer.metadata.cohort})`,
        ),
        rows(`SELECT AVG(rating) AS avg_rating, COUNT(*) AS count FROM ${ALL}`, "stays"),
      ],
    ],
  },
  {
    title: "groups and filters are over every match",
    set: "stays",
    turns: [
      [
        "counts by city the reviews that rate four or more",
        call(AGGREGATE, {
          query: "garden",
          aggregates: [{ function: "count" }, { function: "max", column: "rating" }],
          group_by: ["city"],
          filters: [{ column: "rating", op: ">=", value: "4" }],
        }),
        right(async (answer, world) => {
          const expected = await world.ask(
            `SELECT city, COUNT(*) AS count, MAX(rating) AS max_rating FROM ${ALL} AND rating >= 4 GROUP BY city ORDER BY city`,
            "stays",
          );
          assert.sameDeepMembers(answer.rows, expected);
          assert.equal(answer.metadata.cohort, 480);
        }),
      ],
    ],
  },
  {
    title: "figures of columns and functions that are not there are refused, naming those that are",
    set: "stays",
    turns: [
      [
        "averages a column it made up",
        call(AGGREGATE, { query: "garden", aggregates: [{ function: "avg", column: "ratings" }] }),
        wrong({ code: "invalid_argument", message: /`aggregates` must name a column/ }),
      ],
      [
        "takes the one that it was asked whether it meant",
        again((said) => ({
          ...last(said),
          aggregates: [{ function: "avg", column: said.take(/did you mean (\w+)/) }],
        })),
        rows([{ avg_rating: 3 }]),
      ],
      [
        "calls the average a mean",
        call(AGGREGATE, { query: "garden", aggregates: [{ function: "mean", column: "rating" }] }),
        refused({ message: /`function` must be one of/ }),
      ],
      [
        "takes the function of that kind from the list",
        again((said) => ({
          ...last(said),
          aggregates: [{ function: said.take(/"(av\w+)"/), column: "rating" }],
        })),
        rows([{ avg_rating: 3 }]),
      ],
      [
        "averages text",
        call(AGGREGATE, { query: "garden", aggregates: [{ function: "avg", column: "city" }] }),
        wrong({ code: "invalid_argument", message: /a column of numbers.*city is Utf8/ }),
      ],
      [
        "counts its values instead",
        again((said) => ({
          ...last(said),
          aggregates: [{ function: "count_distinct", column: said.take(/and (\w+) is Utf8/) }],
        })),
        rows([{ count_distinct_city: 3 }]),
      ],
      [
        "compares by a word",
        call(AGGREGATE, {
          query: "garden",
          filters: [{ column: "rating", op: "gte", value: "5" }],
        }),
        refused({ message: /`op` must be one of/ }),
      ],
      [
        "takes the sign from the list",
        again((said) => ({
          ...last(said),
          filters: [{ column: "rating", op: said.take(/"(>=)"/), value: 5 }],
        })),
        rows([{ count: 240 }]),
      ],
    ],
  },
  {
    title: "no match is said, and operators are refused",
    set: "fused",
    turns: [
      [
        "counts what is not there",
        call(AGGREGATE, { query: "zyzzyva" }),
        warned(/No rows matched/, ({ metadata }) => assert.equal(metadata.cohort, 0)),
      ],
      [
        "counts what is",
        obey(() => ({ name: AGGREGATE, arguments: { query: "embeddings" } })),
        right(({ rows: [row] }) => assert.isAbove(row.count, 0)),
      ],
      [
        "counts with operators",
        call(AGGREGATE, { query: "graph AND (" }),
        wrong({ code: "bad_request", hint: /plain words/ }),
      ],
      [
        "counts plain words",
        obey(() => ({ name: AGGREGATE, arguments: { query: "graph" } })),
        right(async (answer, world) => {
          const all = await world.byWords("graph", 314);
          assert.deepEqual(answer.rows, [{ count: all.length }]);
        }),
      ],
    ],
  },
  {
    title: "a search by meaning has no such tool, as meaning has no edge",
    set: "meaning",
    turns: [
      [
        "calls it all the same",
        call(AGGREGATE, { query: "graph" }),
        wrong({ code: "not_found", message: /there are .*hotdata_execute_sql/ }),
      ],
      [
        "counts the hundred nearest in SQL",
        {
          by: "words",
          move: (said) => ({
            name: said.take(/(hotdata_execute_sql)/),
            arguments: {
              sql: "SELECT COUNT(id) AS n FROM vector_search('default.public.papers_semantic', 'content', 'graph', 100)",
            },
          }),
        },
        rows([{ n: 100 }]),
      ],
    ],
  },
];
