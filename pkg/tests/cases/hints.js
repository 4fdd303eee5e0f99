// What a model is told after a failed call, and that doing so leads to a call that succeeds.

import { TURNS } from "./hint-turns.js";
import { client, PAPERS, papers } from "./samples.js";

/** @typedef {import("./hint-turns.js").Turn} Turn */

/** @type {import("../harness.js").Case[]} */
export const hintCases = [
  ...Object.entries(TURNS).map(([kind, turns]) => ({
    name: `the hint after ${kind} leads to a call that succeeds`,
    async run(/** @type {import("../harness.js").CaseEnvironment} */ environment) {
      const toolset = await (await papers(environment)).tools();
      for (const turn of turns) await take(environment, toolset, turn);
    },
  })),
  {
    name: "a projection without a column is told which one to name",
    run: (environment) =>
      withDatabase(environment, "strict_rows", async (hotdata) => {
        const toolset = await hotdata.tools();
        await take(environment, toolset, [
          "SELECT COUNT(*) FROM default.public.strict_rows",
          /^Name one of the table's own columns in the SELECT\. For COUNT\(\*\) write (.+)\.$/,
          ([, counts]) => `SELECT ${counts} FROM default.public.strict_rows`,
        ]);
      }),
  },
  {
    name: "what was loaded since the last hint is found, and an attached source's catalog",
    run: (environment) =>
      withDatabase(environment, "cities", async (hotdata, databaseId) => {
        const { assert } = environment;
        const connections = await hotdata.listConnections();
        const { id: connectionId } = connections.find(
          (/** @type {any} */ one) => one.name === "rivers",
        );
        const toolset = await hotdata.tools();
        const streets = "SELECT id FROM default.public.street";
        assert.notInclude((await hintOf(toolset, streets)).hint, "streets");
        await hotdata.loadTable({ databaseId, table: "streets", mode: "replace", csv: "id\n1\n" });
        await take(environment, toolset, [
          streets,
          /^Nearest: (\S+)\. For all/,
          ([, table]) => `SELECT id FROM ${table}`,
        ]);
        await hotdata.attachCatalog({ connectionId, alias: "water" });
        await take(environment, toolset, [
          "SELECT name FROM default.public.rivers",
          /^Nearest: (water\.\w+\.rivers)\. For all/,
          ([, table]) => `SELECT name FROM ${table}`,
        ]);
        assert.include(
          (await hintOf(toolset, "SELECT id FROM f1_db.public.drivers")).hint,
          "its own database alone: default, water.",
        );
      }),
  },
  {
    name: "a described table that is not there gets the nearest",
    async run(environment) {
      const { assert } = environment;
      const toolset = await (await papers(environment)).tools();
      const wrong = { table: "default.public.papres" };
      const { error } = JSON.parse((await toolset.call("hotdata_describe_tables", wrong)).content);
      const table = /^Nearest: (\S+)\. /.exec(error.hint)?.[1];
      const described = await toolset.call("hotdata_describe_tables", { table });
      assert.isFalse(described.isError, described.content);
    },
  },
  {
    name: "a search tool that meets operators searches the words, and says so",
    async run(environment) {
      const { assert } = environment;
      const search = { searchTable: PAPERS, searchColumn: "content" };
      const toolset = await (await papers(environment)).tools(search);
      const found = await toolset.call("hotdata_search_text", { query: 'graph: "open' });
      const words = await toolset.call("hotdata_search_text", { query: "graph open" });
      assert.isFalse(found.isError, found.content);
      assert.deepEqual(found.structured.rows, words.structured.rows);
      const { client_warning } = found.structured.metadata;
      assert.match(client_warning, /its words were searched: graph open\.$/);
      const none = await toolset.call("hotdata_search_text", { query: '":' });
      assert.match(JSON.parse(none.content).error.hint, /send plain words\.$/);
    },
  },
  {
    name: "the same call is asked for again where the service was busy, late or gone",
    async run(environment) {
      const { assert } = environment;
      for (const [fault, code, says] of /** @type {[string, string, RegExp][]} */ ([
        ["error;status=429;retry_after=7", "rate_limited", /unchanged, after 7 s\.$/],
        ["error;status=429", "rate_limited", /unchanged, later\.$/],
        ["error;status=503;retry_after=banana", "unavailable", /unchanged, later\.$/],
        ["hang", "timeout", /unchanged, later\.$/],
        ["reset", "network", /unchanged, later\.$/],
        ["error;status=500", "engine_error", /^The service failed, not the SQL: .* once more/],
        ["html;status=200", "unexpected_response", /^The service failed, not the SQL/],
      ])) {
        // Chromium sends again by itself over a connection that was used before and is reset.
        const times = fault === "reset" ? 5 : 1;
        const toolset = await failing(environment, fault, times);
        const sql = `SELECT COUNT(id) FROM ${PAPERS}`;
        const told = await hintOf(toolset, sql);
        assert.equal(told.code, code, fault);
        assert.match(told.hint, says, fault);
        await succeeds(environment, toolset, sql);
      }
    },
  },
  {
    name: "no other SQL is asked for where the key may not do it",
    async run(environment) {
      const { assert } = environment;
      const message = "missing scope query:execute";
      const toolset = await failing(environment, `error;status=403;message=${message}`);
      const told = await hintOf(toolset, `SELECT id FROM ${PAPERS}`);
      assert.equal(told.message, message);
      assert.match(told.hint, /^The API key may not do this, whatever the SQL: tell the user\.$/);
    },
  },
  {
    name: "a refusal without a word is traced to a quoted name with capitals",
    async run(environment) {
      const toolset = await failing(environment, "empty;status=400");
      await take(environment, toolset, [
        `SELECT "Title" FROM ${PAPERS} LIMIT 1`,
        /stored in lower case.*write ("title")\./,
        ([, name]) => `SELECT ${name} FROM ${PAPERS} LIMIT 1`,
      ]);
    },
  },
  {
    name: "a date function that breaks the service is traced to its template",
    async run(environment) {
      const message = "An internal server error occurred";
      const toolset = await failing(environment, `error;status=500;message=${message}`);
      await take(environment, toolset, [
        `SELECT to_date(title, 'YYYY-MM-DD') FROM ${PAPERS} WHERE id < 0`,
        /write ('%Y-%m-%d')/,
        ([, codes]) => `SELECT to_date(title, ${codes}) FROM ${PAPERS} WHERE id < 0`,
      ]);
    },
  },
];

/**
 * The error of a statement as the model reads it.
 *
 * @param {any} toolset
 * @param {string} sql
 */
async function hintOf(toolset, sql) {
  const result = await toolset.call("hotdata_execute_sql", { sql });
  if (!result.isError) throw new Error(`${sql} did not fail`);
  return JSON.parse(result.content).error;
}

/**
 * @param {import("../harness.js").CaseEnvironment} environment
 * @param {any} toolset
 * @param {string} sql
 */
async function succeeds({ assert }, toolset, sql) {
  const result = await toolset.call("hotdata_execute_sql", { sql });
  assert.isFalse(result.isError, `${sql}: ${result.content}`);
}

/**
 * @param {import("../harness.js").CaseEnvironment} environment
 * @param {any} toolset
 * @param {Turn} turn
 */
async function take(environment, toolset, [sql, says, next]) {
  const { assert } = environment;
  const told = await hintOf(toolset, sql);
  assert.match(told.hint, says, `${sql}: ${told.message}`);
  const found = says.exec(told.hint) ?? [];
  await succeeds(environment, toolset, typeof next === "string" ? next : next([...found]));
}

/**
 * The tools over the sample papers, whose first queries meet a fault of the engine.
 *
 * @param {import("../harness.js").CaseEnvironment} environment
 * @param {string} fault
 * @param {number} [times]
 */
async function failing(environment, fault, times = 1) {
  const databases = await client(environment).listDatabases();
  const { id: databaseId } = databases.find((/** @type {any} */ one) => one.name === "papers");
  let left = times;
  const fetch = (/** @type {string} */ url, /** @type {any} */ init) => {
    const headers = { ...init.headers };
    if (url.endsWith("/v1/query") && left-- > 0) headers["x-local-fault"] = fault;
    return globalThis.fetch(url, { ...init, headers });
  };
  const options = { databaseId, fetch, maxRetries: times - 1, timeoutMs: 1_000 };
  // Given the catalog, building asks nothing that the fault would take.
  return client(environment, options).tools({ catalog: "default" });
}

/**
 * A client in the scope of a database of its own with one table.
 *
 * @param {import("../harness.js").CaseEnvironment} environment
 * @param {string} table
 * @param {(hotdata: any, databaseId: string) => Promise<unknown>} run
 */
async function withDatabase(environment, table, run) {
  const { id: databaseId } = await client(environment).createDatabase({
    name: "hints",
    expiresAt: "1h",
  });
  const hotdata = client(environment, { databaseId });
  try {
    await hotdata.loadTable({ databaseId, table, mode: "replace", csv: "id,name\n1,Ghent\n" });
    await run(hotdata, databaseId);
  } finally {
    await hotdata.deleteDatabase(databaseId);
  }
}
