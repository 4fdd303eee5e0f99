// The tools over the workspace: databases listed, made and loaded as an agent does it, on the engine.

import { client, papers } from "./samples.js";

const LIST = "hotdata_list_managed_databases";
const CREATE = "hotdata_create_managed_database";
const LOAD = "hotdata_load_managed_table";
const CITIES = "https://data.example/cities.csv";

/** @type {import("../harness.js").Case[]} */
export const toolWorkspaceCases = [
  {
    name: "an agent makes a database, loads a file behind a URL and loads it again in every mode",
    async run(environment) {
      const { assert } = environment;
      /** @type {Record<string, string>} */
      const files = {
        [CITIES]: "id,name\n1,Ghent\n2,Dover\n",
        "https://data.example/more.csv": "id,name\n2,Calais\n3,Bruges\n",
        "https://data.example/keys.csv": "id\n3\n",
      };
      const hotdata = await serving(environment, files);
      const toolset = await hotdata.tools();
      const made = await answer(toolset, CREATE, {
        name: "made by an agent",
        tables: ["Cities", "notes"],
        keys: [{ table: "cities", columns: ["id"] }],
        expires_at: "1h",
      });
      const database_id = made.id;
      try {
        assert.deepEqual(made.empty_tables, ["default.public.cities", "default.public.notes"]);
        assert.isString(made.expires_at);
        const load = async (/** @type {object} */ more) => {
          const file = "https://data.example/more.csv";
          return answer(toolset, LOAD, { database_id, table: "cities", file, ...more });
        };
        const landed = await load({ file: CITIES, mode: "replace" });
        assert.deepInclude(landed, {
          table: "default.public.cities",
          database_id,
          mode: "replace",
          row_count: 2,
        });
        assert.match(landed.client_warning, /^hotdata_execute_sql queries another database/);
        const key = ["id"];
        assert.equal((await load({ mode: "append" })).row_count, 4);
        assert.equal((await load({ mode: "replace" })).row_count, 2);
        assert.equal((await load({ mode: "upsert", key, file: CITIES })).row_count, 3);
        assert.equal((await load({ mode: "update", key })).row_count, 3);
        const keys = "https://data.example/keys.csv";
        assert.equal((await load({ mode: "delete", key, file: keys })).row_count, 2);
        const result = await hotdata.query(
          "SELECT id, name FROM default.public.cities ORDER BY id",
          {
            databaseId: database_id,
          },
        );
        assert.deepEqual(result.rows, [
          [1, "Ghent"],
          [2, "Calais"],
        ]);
        // What was declared and not loaded is told from what is not there.
        const inside = await hotdata.tools({ databaseId: database_id, toolNameSuffix: "made" });
        const overview = await answer(inside, "hotdata_describe_tables_made", {});
        assert.deepEqual(overview.tables, [
          { table: "default.public.cities", columns: { id: "Int64", name: "Utf8" } },
          { table: "default.public.notes", columns: {}, loaded: false },
        ]);
        assert.include(overview.client_warning, "hotdata_load_managed_table_made loads it.");
        const declared = await answer(inside, "hotdata_describe_tables_made", { table: "notes" });
        assert.equal(declared.row_count, 0);
        assert.match(declared.note, /^Declared and never loaded/);
        const missing = await failed(inside, "hotdata_describe_tables_made", {
          table: "default.public.citys",
        });
        assert.equal(missing.hint, "Did you mean default.public.cities?");
        const own = await answer(inside, `${LIST}_made`, { search: "made by an agent" });
        const current = own.databases.filter((/** @type {any} */ one) => one.current);
        assert.deepEqual(
          current.map((/** @type {any} */ one) => one.id),
          [database_id],
        );
      } finally {
        await hotdata.deleteDatabase(database_id);
      }
      const gone = await failed(toolset, LOAD, {
        database_id,
        table: "cities",
        file: CITIES,
        mode: "append",
      });
      assert.equal(gone.code, "not_found");
      assert.equal(gone.hint, `\`database_id\` must be an id, not a name. ${LIST} shows the ids.`);
    },
  },
  {
    name: "databases are listed for a model, few of them and by a part of the name",
    async run(environment) {
      const { assert } = environment;
      const toolset = await (await papers(environment)).tools({ maxRows: 1 });
      const some = await answer(toolset, LIST, { search: "papers" });
      const found = some.databases[0];
      assert.hasAllKeys(found, ["id", "name", "created_at", "current"]);
      assert.equal(found.name, "papers");
      const none = await answer(toolset, LIST, { search: "no such name" });
      assert.deepEqual(none, {
        databases: [],
        client_warning: "There is no such database.",
      });
    },
  },
  {
    name: "a load tool reaches no private host, no file and no name of a database",
    async run(environment) {
      const { assert } = environment;
      /** @type {string[]} */
      const asked = [];
      const hotdata = await serving(environment, {}, asked);
      const toolset = await hotdata.tools();
      const { databases } = await answer(toolset, LIST, { search: "papers" });
      const database_id = databases[0].id;
      const before = asked.length;
      const load = (/** @type {object} */ more) =>
        failed(toolset, LOAD, { database_id, table: "t", file: CITIES, mode: "append", ...more });
      for (const file of [
        "http://127.0.0.1:9/x.csv",
        "http://localhost/x.csv",
        "http://169.254.169.254/latest/meta-data",
        "http://[::1]/x.csv",
        "http://2130706433/x.csv",
      ]) {
        const error = await load({ file });
        assert.equal(error.code, "invalid_argument", file);
        assert.match(error.message, /^`file` must not name /);
        assert.match(error.hint, /^Only the program behind this tool can change that/);
      }
      for (const file of ["/etc/passwd", "file:///etc/passwd", "cities.csv", "s3://bucket/x.csv"]) {
        assert.match((await load({ file })).message, /^`file` must be an http or https URL/);
      }
      assert.match((await load({ mode: "merge" })).message, /^`mode` must be one of/);
      assert.match((await load({ mode: "delete" })).message, /^`key` is missing/);
      assert.deepEqual(asked.slice(before), []);
      const named = await load({ database_id: "papers" });
      assert.equal(named.code, "not_found");
      assert.include(named.hint, `${LIST} shows the ids`);
      // What a program allows a model cannot.
      const refused = await load({ allow_private_hosts: true });
      assert.match(refused.message, /^`allow_private_hosts` is not an option of/);
    },
  },
  {
    name: "a file that cannot be loaded says why in the words of the tool",
    async run(environment) {
      const { assert } = environment;
      const files = {
        "https://data.example/page.csv": "<!doctype html><p>log in",
        "https://data.example/rows.json": '[{"id": 1}]',
      };
      const hotdata = await serving(environment, files);
      const toolset = await hotdata.tools();
      const made = await answer(toolset, CREATE, { expires_at: "1h" });
      try {
        for (const [file, says] of /** @type {[string, RegExp][]} */ ([
          ["https://data.example/page.csv", /^`file` must hold CSV, JSON or Parquet, not an HTML/],
          ["https://data.example/rows.json", /^`file` must hold one JSON object a line/],
          ["https://data.example/absent.csv", /^`file` answered HTTP 404/],
        ])) {
          const error = await failed(toolset, LOAD, {
            database_id: made.id,
            table: "t",
            file,
            mode: "replace",
          });
          assert.match(error.message, says);
          assert.notInclude(JSON.stringify(error), "`url`");
        }
      } finally {
        await hotdata.deleteDatabase(made.id);
      }
    },
  },
  {
    name: "an abort ends a load tool with the caller's own reason",
    async run(environment) {
      const { assert } = environment;
      const { databaseId } = await scope(environment);
      const controller = new AbortController();
      const reason = new Error("enough");
      const fetch = (/** @type {string} */ url, /** @type {any} */ init) => {
        if (!url.startsWith("https://data.example/")) return globalThis.fetch(url, init);
        setTimeout(() => controller.abort(reason), 10);
        return new Promise(() => {});
      };
      const toolset = await client(environment, { databaseId, fetch }).tools();
      const args = { database_id: databaseId, table: "t", file: CITIES, mode: "append" };
      let thrown;
      try {
        await toolset.call(LOAD, args, { signal: controller.signal });
      } catch (error) {
        thrown = error;
      }
      assert.equal(thrown, reason);
    },
  },
];

/** @param {import("../harness.js").CaseEnvironment} environment */
async function scope(environment) {
  const databases = await client(environment).listDatabases();
  const found = databases.find((/** @type {any} */ database) => database.name === "papers");
  return { databaseId: found.id };
}

/**
 * A client of the engine, in the scope of the papers, for which a public host has these files.
 *
 * @param {import("../harness.js").CaseEnvironment} environment
 * @param {Record<string, string>} files
 * @param {string[]} [asked] gets every address
 */
async function serving(environment, files, asked = []) {
  const { databaseId } = await scope(environment);
  const fetch = (/** @type {string} */ url, /** @type {any} */ init) => {
    asked.push(url);
    if (!url.startsWith("https://data.example/")) return globalThis.fetch(url, init);
    const file = files[url];
    return file === undefined ? new Response("", { status: 404 }) : new Response(file);
  };
  return client(environment, { databaseId, fetch });
}

/**
 * @param {any} toolset
 * @param {string} name
 * @param {object} args
 * @returns {Promise<any>} the answer of a call that succeeds
 */
async function answer(toolset, name, args) {
  const result = await toolset.call(name, args);
  if (result.isError) throw new Error(result.content);
  return result.structured;
}

/**
 * @param {any} toolset
 * @param {string} name
 * @param {object} args
 * @returns {Promise<any>} the error of a call that fails
 */
async function failed(toolset, name, args) {
  const result = await toolset.call(name, args);
  if (!result.isError) throw new Error(`no error: ${result.content}`);
  return result.structured.error;
}
