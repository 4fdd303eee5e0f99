// The rest of the service against the engine: what an account has, layouts, forks, catalogs, indexes, jobs, results, and
// loads of a program's own rows and files.

import { client, failure, PAPERS, papers } from "./samples.js";

const TABLE = "default.public.items";
const FILE = { table: "t", mode: "append" };

/**
 * Runs with a database of its own.
 *
 * @param {import("../harness.js").CaseEnvironment} environment
 * @param {(hotdata: any, id: string) => Promise<void>} run
 * @param {object} [options] of `createDatabase`
 */
async function withDatabase(environment, run, options = {}) {
  const made = await client(environment).createDatabase({ expiresAt: "1h", ...options });
  try {
    await run(client(environment, { databaseId: made.id }), made.id);
  } finally {
    await client(environment).deleteDatabase(made.id);
  }
}

/** @param {number} count */
function items(count) {
  return Array.from({ length: count }, (_, n) => ({
    id: n,
    big: 9_007_199_254_740_993n + BigInt(n),
    name: n % 2 ? `item ${n}, "quoted"` : null,
    embedding: Float32Array.of(Math.cos(n), Math.sin(n), 0.5),
  }));
}

/** @type {import("../harness.js").Case[]} */
export const serviceCases = [
  {
    name: "workspaces, connections and embedding providers are listed",
    async run(environment) {
      const { assert } = environment;
      const hotdata = client(environment);
      const workspaces = await hotdata.listWorkspaces();
      assert.include(
        workspaces.map((/** @type {any} */ one) => one.publicId),
        "ws_local",
      );
      const connections = await hotdata.listConnections();
      assert.isTrue(connections.some((/** @type {any} */ one) => one.name === "rivers"));
      const [provider] = await hotdata.listEmbeddingProviders();
      assert.equal(provider.source, "system");
      assert.isFalse(provider.hasSecret);
    },
  },
  {
    name: "rows of every kind come back as they went in",
    run: (environment) =>
      withDatabase(environment, async (hotdata) => {
        const { assert } = environment;
        /** @type {any[]} */
        const progress = [];
        const receipt = await hotdata.loadTable({
          table: "items",
          mode: "replace",
          rows: items(10),
          onProgress: (/** @type {any} */ at) => progress.push(at),
        });
        assert.deepEqual(receipt, { schemaName: "public", tableName: "items", rowCount: 10 });
        assert.isAbove(progress.at(-1).bytes, 100);
        const sql = `SELECT id, big, name, embedding FROM ${TABLE} ORDER BY id LIMIT 2`;
        const text = await hotdata.query(sql);
        assert.deepEqual(text.rows[1].slice(0, 3), [1, "9007199254740994", 'item 1, "quoted"']);
        assert.deepEqual(text.rows[0][3], [1, 0, 0.5]);
        assert.isNull(text.rows[0][2]);
        const big = await hotdata.query(sql, { integers: "bigint" });
        assert.strictEqual(big.rows[1][1], 9_007_199_254_740_994n);
      }),
  },
  {
    name: "a file is uploaded and loaded by its id, once however often it is asked for",
    run: (environment) =>
      withDatabase(environment, async (hotdata) => {
        const { assert } = environment;
        const csv = "id,name\n1,a\n2,b\n";
        const upload = await hotdata.uploadFile({ data: new Blob([csv]), format: "csv" });
        assert.equal(upload.sizeBytes, csv.length);
        const load = { table: "items", mode: "append", uploadId: upload.uploadId, format: "csv" };
        for (let time = 0; time < 2; time++) {
          assert.equal((await hotdata.loadTable(load)).rowCount, 2);
        }
        const counted = await hotdata.query(`SELECT count(*) AS n FROM ${TABLE}`);
        assert.deepEqual(counted.rows, [[2]]);

        const stream = new Blob(["id,name\n3,c\n"]).stream();
        await hotdata.loadTable({ table: "items", mode: "append", data: stream, format: "csv" });
        await hotdata.loadTable({
          ...{ table: "items", mode: "upsert", key: ["id"] },
          csv: "id,name\n3,changed\n4,d\n",
        });
        const result = await hotdata.query(`SELECT id, name FROM ${TABLE} ORDER BY id`);
        assert.deepEqual(
          result.rows.map((/** @type {any} */ row) => row.join()),
          ["1,a", "2,b", "3,changed", "4,d"],
        );
      }),
  },
  {
    name: "a result becomes a table, and is read again by its id",
    run: (environment) =>
      withDatabase(environment, async (hotdata) => {
        const { assert } = environment;
        await hotdata.loadTable({ table: "items", mode: "replace", rows: items(4) });
        const first = await hotdata.query(`SELECT id, big FROM ${TABLE} WHERE id > 1 ORDER BY id`);
        assert.isString(first.resultId);
        const again = await hotdata.getResult(first.resultId);
        assert.sameDeepMembers(again.rows, first.rows);
        const run = await hotdata.getQueryRun(first.queryRunId);
        assert.equal(run.status, "succeeded");
        assert.equal(run.rowCount, 2);
        const receipt = await hotdata.loadTable({
          ...{ table: "copied", mode: "replace", resultId: first.resultId },
        });
        assert.equal(receipt.rowCount, 2);
        const copied = await hotdata.query("SELECT big FROM default.public.copied ORDER BY big");
        assert.deepEqual(copied.rows, [["9007199254740995"], ["9007199254740996"]]);
      }),
  },
  {
    name: "indexes are built, waited for, used and dropped",
    run: (environment) =>
      withDatabase(environment, async (hotdata) => {
        const { assert } = environment;
        await hotdata.loadTable({ table: "items", mode: "replace", rows: items(30) });
        const text = await hotdata.createIndex({
          ...{ table: TABLE, indexType: "bm25", columns: ["name"] },
        });
        assert.equal(text.indexName, "items_name_bm25");
        assert.equal(text.status, "ready");
        assert.isNull(text.jobId);
        const vector = await hotdata.createIndex({
          ...{ table: TABLE, indexType: "vector", columns: ["embedding"], metric: "cosine" },
        });
        assert.equal(vector.metric, "cosine");
        const found = await hotdata.searchHybrid({
          ...{ table: TABLE, column: "name", query: "item 7", k: 3, keyColumn: "id" },
          ...{ vectorColumn: "embedding", vector: [Math.cos(7), Math.sin(7), 0.5] },
        });
        assert.equal(found.rows[0][0], 7);
        await hotdata.dropIndex({ table: TABLE, indexName: "items_name_bm25" });
        const left = await hotdata.listIndexes({ table: TABLE });
        assert.deepEqual(
          left.map((/** @type {any} */ index) => index.indexName),
          ["items_embedding_vector"],
        );
        const error = await failure(() =>
          hotdata.createIndex({ table: "default.public.none", indexType: "bm25", columns: ["x"] }),
        );
        assert.isString(error.engineMessage);
      }),
  },
  {
    name: "an index nobody waits for is built, and its job ends where it has one",
    run: (environment) =>
      withDatabase(environment, async (hotdata) => {
        const { assert } = environment;
        await hotdata.loadTable({ table: "items", mode: "replace", rows: items(30) });
        const index = await hotdata.createIndex({
          ...{ table: TABLE, indexType: "bm25", columns: ["name"], wait: false },
        });
        if (index.jobId) {
          const job = await hotdata.waitForJob(index.jobId);
          assert.equal(job.status, "succeeded");
          assert.equal(job.id, index.jobId);
        }
        const [listed] = await hotdata.listIndexes({ table: TABLE });
        assert.equal(listed.status, "ready");
        const unknown = await failure(() => hotdata.waitForJob("job_none"));
        assert.equal(unknown.code, "not_found");
      }),
  },
  {
    name: "keys and layout are fixed at creation, names taken as they are on request",
    async run(environment) {
      const { assert } = environment;
      const name = `layout ${Math.random()}`;
      const schemas = [
        {
          name: "public",
          tables: [
            { name: "items", key: ["id"], partitionBy: [{ column: "id", transform: "identity" }] },
          ],
        },
      ];
      await withDatabase(
        environment,
        async (hotdata, id) => {
          const again = await hotdata.createDatabase({ name, ifNotExists: true });
          assert.equal(again.id, id);
          assert.isFalse(again.created);
          await hotdata.loadTable({ table: "items", mode: "append", csv: "id,name\n1,a\n" });
          await hotdata.loadTable({
            ...{ table: "items", mode: "upsert", key: ["id"], csv: "id,name\n1,b\n" },
          });
          const result = await hotdata.query(`SELECT name FROM ${TABLE}`);
          assert.deepEqual(result.rows, [["b"]]);
        },
        { name, schemas },
      );
    },
  },
  {
    name: "a fork goes its own way",
    run: (environment) =>
      withDatabase(environment, async (hotdata, id) => {
        const { assert } = environment;
        await hotdata.loadTable({ table: "items", mode: "replace", csv: "id\n1\n" });
        const fork = await hotdata.forkDatabase(id, { name: "a fork", expiresAt: "1h" });
        try {
          assert.equal(fork.forkedFrom.databaseId, id);
          await hotdata.loadTable({ table: "items", mode: "append", csv: "id\n2\n" });
          const sql = `SELECT count(*) AS n FROM ${TABLE}`;
          assert.deepEqual((await hotdata.query(sql, { databaseId: fork.id })).rows, [[1]]);
          assert.deepEqual((await hotdata.query(sql)).rows, [[2]]);
        } finally {
          await hotdata.deleteDatabase(fork.id);
        }
      }),
  },
  {
    name: "a source is attached, queried and detached, twice as well as once",
    run: (environment) =>
      withDatabase(environment, async (hotdata) => {
        const { assert } = environment;
        const connections = await hotdata.listConnections();
        const { id: connectionId } = connections.find(
          (/** @type {any} */ one) => one.name === "rivers",
        );
        for (let time = 0; time < 2; time++) {
          const database = await hotdata.attachCatalog({ connectionId, alias: "water" });
          assert.deepInclude(database.attachments, { connectionId, alias: "water" });
        }
        const { tables } = await hotdata.describeTables();
        const [river] = tables.map((/** @type {any} */ one) => one.table);
        assert.match(river, /^water\..*\.rivers$/);
        const result = await hotdata.query(`SELECT name FROM ${river} ORDER BY length_km`);
        assert.deepEqual(result.rows, [["Scheldt"], ["Meuse"]]);
        const other = await failure(() => hotdata.attachCatalog({ connectionId, alias: "rivers" }));
        assert.equal(other.code, "conflict");
        assert.include(other.hint, "attached as water");
        for (let time = 0; time < 2; time++) {
          const database = await hotdata.detachCatalog({ connectionId });
          assert.deepEqual(database.attachments, []);
        }
      }),
  },
  {
    name: "an answer beyond the inline size comes whole, or says how it can be had",
    async run(environment) {
      const { assert } = environment;
      const hotdata = await papers(environment);
      const sql = `SELECT a.id, b.content FROM ${PAPERS} a CROSS JOIN ${PAPERS} b LIMIT 9000`;
      const whole = await hotdata.query(sql);
      assert.deepEqual([whole.rowCount, whole.totalRowCount, whole.truncated], [9000, 9000, false]);
      assert.lengthOf(whole.rows, 9000);
      for (const limit of [{ maxRows: 8999 }, { maxBytes: 100_000 }]) {
        const error = await failure(() => hotdata.query(sql, limit));
        assert.equal(error.code, "too_large");
        assert.include(error.hint, "queryArrow()");
      }
      const arrow = await hotdata.queryArrow(sql);
      let bytes = 0;
      const reader = arrow.stream.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        bytes += value.length;
      }
      assert.isAbove(bytes, 1_000_000);
      assert.isString(arrow.resultId);
    },
  },
  {
    name: "what cannot work is refused before anything is sent",
    async run(environment) {
      const { assert } = environment;
      let sent = 0;
      const hotdata = client(environment, {
        databaseId: "db_x",
        fetch: () => {
          sent += 1;
          throw new Error("sent");
        },
      });
      const rows = [{ id: 1 }];
      for (const [call, says] of /** @type {[() => unknown, string][]} */ ([
        [() => hotdata.loadTable({ table: "t", mode: "upsert", rows }), "`key` is missing"],
        [() => hotdata.loadTable({ table: "t", mode: "append" }), "exactly one of them"],
        [() => hotdata.loadTable({ table: "t", mode: "append", rows, csv: "a" }), "exactly one"],
        [() => hotdata.loadTable({ table: "t", mode: "append", rows, data: "a" }), "exactly one"],
        [() => hotdata.loadTable({ table: "t", mode: "append", data: "a\n1" }), "`format`"],
        [
          () => hotdata.loadTable({ ...FILE, data: "a\n1", format: "csv", columns: { a: "DATE" } }),
          "`columns` goes with",
        ],
        [() => hotdata.loadTable({ ...FILE, csv: "a\n1", maxBytes: 1 }), "`maxBytes` goes with"],
        [() => hotdata.loadTable({ ...FILE, rows, format: "csv" }), "`format`"],
        [() => hotdata.uploadFile({}), "must be given"],
        [() => hotdata.uploadFile({ data: "x", format: "csv", nope: 1 }), "`nope` is not"],
        [
          () => hotdata.createIndex({ table: TABLE, indexType: "vector", columns: ["e"] }),
          "`metric`",
        ],
        [() => hotdata.query("SELECT 1", { maxRows: 0 }), "`maxRows`"],
        [() => hotdata.query("SELECT 1", { integers: "number" }), "`integers`"],
        [() => hotdata.query("SELECT 1", { timeoutMs: Number.POSITIVE_INFINITY }), "`timeoutMs`"],
        [() => hotdata.queryArrow("SELECT 1", { maxRows: 1 }), "`maxRows` is not an option"],
        [() => hotdata.attachCatalog({ alias: "a" }), "`connectionId` is missing"],
        [() => hotdata.getQueryRun(1), "`id` must be a string"],
      ])) {
        const error = await failure(call);
        assert.equal(error.code, "invalid_argument", error.message);
        assert.include(error.message, says);
      }
      assert.equal(sent, 0);
    },
  },
];
