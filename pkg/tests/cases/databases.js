// Databases, loads and index listings against the engine.

import { client, failure, PAPERS, papers } from "./samples.js";

/** @type {import("../harness.js").Case[]} */
export const databaseCases = [
  {
    name: "a database is made, loaded, queried and deleted",
    async run(environment) {
      const { assert } = environment;
      const hotdata = client(environment);
      const made = await hotdata.createDatabase({ name: "made by a test", expiresAt: "1h" });
      try {
        assert.isString(made.id);
        const found = await hotdata.getDatabase(made.id);
        assert.equal(found.name, "made by a test");
        const loaded = await hotdata.loadTable({
          databaseId: made.id,
          table: "cities",
          mode: "replace",
          csv: 'id,name\n1,Ghent\n2,"a, b"\n',
        });
        assert.equal(loaded.rowCount, 2);
        const result = await hotdata.query(
          "SELECT id, name FROM default.public.cities ORDER BY id",
          {
            databaseId: made.id,
          },
        );
        assert.deepEqual(result.rows, [
          [1, "Ghent"],
          [2, "a, b"],
        ]);
      } finally {
        await hotdata.deleteDatabase(made.id);
      }
      const error = await failure(() => hotdata.getDatabase(made.id));
      assert.equal(error.code, "not_found");
      assert.equal(error.status, 404);
    },
  },
  {
    name: "databases are listed",
    async run(environment) {
      const { assert } = environment;
      const databases = await client(environment).listDatabases();
      const names = databases.map((/** @type {any} */ database) => database.name);
      assert.include(names, "papers");
      for (const database of databases) assert.isString(database.id);
    },
  },
  {
    name: "the sample table's indexes are listed",
    async run(environment) {
      const { assert } = environment;
      const hotdata = await papers(environment);
      const indexes = await hotdata.listIndexes({ table: PAPERS });
      const kinds = indexes.map((/** @type {any} */ index) => index.indexType).sort();
      assert.deepEqual(kinds, ["bm25", "vector"]);
      const vector = indexes.find((/** @type {any} */ index) => index.indexType === "vector");
      assert.equal(vector.metric, "cosine");
      assert.equal(vector.status, "ready");
    },
  },
  {
    name: "tables are described",
    async run(environment) {
      const { assert } = environment;
      const hotdata = await papers(environment);
      const overview = await hotdata.describeTables();
      assert.include(JSON.stringify(overview), "papers_semantic");
      const one = await hotdata.describeTables({ table: PAPERS });
      assert.include(JSON.stringify(one), "abstract");
    },
  },
];
