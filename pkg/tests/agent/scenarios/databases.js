// A model that lists, makes and fills databases.

import { assert } from "chai";
import { again, call, callNamed, obey, refused, right, warned, wrong } from "../model.js";

const LIST = "hotdata_list_managed_databases";
const CREATE = "hotdata_create_managed_database";
const LOAD = "hotdata_load_managed_table";

/** The arguments of the last call. @param {import("../model.js").Said} said @returns {any} */
const last = (said) => said.call.arguments;

/** @type {import("../model.js").Scenario[]} */
export const scenarios = [
  {
    title: "the database that is queried is marked, and the others are known by id",
    set: "managing",
    turns: [
      [
        "lists them",
        call(LIST),
        right(({ databases }, world) => {
          const current = databases.filter((/** @type {any} */ one) => one.current);
          assert.deepEqual(
            current.map((/** @type {any} */ one) => [one.id, one.name]),
            [[world.database("stays"), "stays"]],
          );
          assert.include(
            databases.map((/** @type {any} */ one) => one.id),
            world.database("papers"),
          );
        }),
      ],
      [
        "looks for one that is not there",
        call(LIST, { search: "oceans" }),
        warned(/no such database|No database/i),
      ],
      [
        "looks for one that is",
        obey((said) => ({ name: said.call.name, arguments: { search: "paper" } })),
        right(({ databases }) => assert.lengthOf(databases, 1)),
      ],
    ],
  },
  {
    title: "makes a database, mends its keys, and fills a table by its id",
    set: "managing",
    turns: [
      [
        "gives the key of a table that it does not declare",
        call(CREATE, {
          name: "towns",
          tables: ["towns"],
          keys: [{ table: "cities", columns: ["id"] }],
          expires_at: "1h",
        }),
        refused({ message: /`keys` must be of tables that `tables` names/ }),
      ],
      [
        "declares that table",
        again((said) => ({ ...last(said), [said.take(/tables that `(\w+)` names/)]: ["cities"] })),
        right((answer, world) => {
          world.willEnd(answer.id);
          assert.deepEqual(answer.empty_tables, ["default.public.cities"]);
        }),
      ],
      [
        "gives the name where the id belongs",
        obey((_, world) => ({
          name: LOAD,
          arguments: {
            database_id: "towns",
            table: "cities",
            file: world.file("/towns.csv"),
            mode: "replace",
          },
        })),
        wrong({ code: "not_found", hint: /must be an id, not a name/ }),
      ],
      [
        "looks it up with the tool that the hint names",
        callNamed(/(hotdata_list\w+) shows the ids/, () => ({ search: "towns" })),
        right(({ databases }) => assert.lengthOf(databases, 1)),
      ],
      [
        "loads with the id that it found, and is told that its SQL reads another database",
        obey((said, world) => ({
          name: LOAD,
          arguments: {
            database_id: said.answer.databases[0].id,
            table: "cities",
            file: world.file("/towns.csv"),
            mode: "replace",
          },
        })),
        warned(/hotdata_execute_sql queries another database/, (answer) => {
          assert.equal(answer.table, "default.public.cities");
          assert.equal(answer.row_count, 2);
        }),
      ],
      [
        "counts its own",
        callNamed(/(hotdata_execute_sql) queries another/, () => ({
          sql: "SELECT COUNT(id) AS n FROM default.public.reviews",
        })),
        right(({ rows }) => assert.deepEqual(rows, [{ n: 1500 }])),
      ],
    ],
  },
  {
    title: "loads into the database that it queries, and the rows are there",
    set: "managing",
    turns: [
      [
        "names a file of its machine",
        obey((_, world) => ({
          name: LOAD,
          arguments: {
            database_id: world.database("stays"),
            table: "towns",
            file: "/tmp/towns.csv",
            mode: "replace",
          },
        })),
        refused({ message: /`file` must be an http or https URL/ }),
      ],
      [
        "names a URL",
        obey((said, world) => ({
          name: LOAD,
          arguments: { ...last(said), file: world.file("/towns.csv") },
        })),
        right((answer) => assert.equal(answer.row_count, 2)),
      ],
      [
        "names a mode of another tool",
        obey((said) => ({ name: LOAD, arguments: { ...last(said), mode: "overwrite" } })),
        refused({ message: /`mode` must be one of/ }),
      ],
      [
        "takes the mode of that kind from the list",
        again((said) => ({ ...last(said), mode: said.take(/"(re\w+)"/) })),
        right((answer) => assert.equal(answer.row_count, 2)),
      ],
      [
        "changes what is there without saying by what",
        obey((said, world) => ({
          name: LOAD,
          arguments: { ...last(said), file: world.file("/more-towns.csv"), mode: "upsert" },
        })),
        refused({ message: /`key` / }),
      ],
      [
        "adds the argument that is named",
        again((said) => ({ ...last(said), [said.take(/`(\w+)` (?:is missing|must)/)]: ["id"] })),
        right((answer) => assert.equal(answer.row_count, 3)),
      ],
      [
        "reads them",
        obey(() => ({
          name: "hotdata_execute_sql",
          arguments: { sql: "SELECT town, people FROM default.public.towns ORDER BY id" },
        })),
        right(({ rows }) =>
          assert.deepEqual(rows, [
            { town: "Ghent", people: 265000 },
            { town: "Bruges", people: 119000 },
            { town: "Ostend", people: 71000 },
          ]),
        ),
      ],
      [
        "loads from an address that is not there",
        obey((_, world) => ({
          name: LOAD,
          arguments: {
            database_id: world.database("stays"),
            table: "towns",
            file: world.file("/town.csv"),
            mode: "replace",
          },
        })),
        wrong({ code: "not_found", message: /HTTP 404/ }),
      ],
      [
        "corrects the address",
        obey((said, world) => ({
          name: LOAD,
          arguments: { ...last(said), file: world.file("/towns.csv") },
        })),
        right((answer) => assert.equal(answer.row_count, 2)),
      ],
    ],
  },
];
