// The calls that read: queries, results, listings, the look-up of the workspace.

import { assert } from "chai";
import { PAGED } from "./prepared.js";

/** @typedef {import("./cell.js").Call} Call */
/** @typedef {import("./cell.js").Cell} Cell */

/** More rows than the engine sends at once. */
const ROWS = 60;
const MANY = `SELECT UNNEST(range(0, ${ROWS})) AS n`;
const FEW = "SELECT 7 AS n";

const isQuery = (/** @type {string} */ method, /** @type {string} */ path) =>
  method === "POST" && path === "/v1/query";
const isRun = (/** @type {string} */ _, /** @type {string} */ path) =>
  path.startsWith("/v1/query-runs/");
const isResult = (/** @type {string} */ _, /** @type {string} */ path) =>
  path.startsWith("/v1/results/");
/** Answers a query with 202. @type {NonNullable<Call["beside"]>} */
const acceptsQuery = (method, path) => (isQuery(method, path) ? "accepted" : undefined);

const inDatabase = async (/** @type {Cell} */ cell) => ({
  databaseId: (await cell.calm.createDatabase({ name: cell.marker })).id,
});

const hasMany = (/** @type {any} */ result) => {
  assert.lengthOf(result.rows, ROWS);
  assert.deepEqual([result.truncated, result.totalRowCount], [false, ROWS]);
};

const hasFew = (/** @type {any} */ result) => assert.deepEqual(result.rows, [[7]]);

/** Reads the stream to its end. @param {any} arrow */
const bytesOf = async ({ stream }) => new Uint8Array(await new Response(stream).arrayBuffer());

/** @param {Uint8Array} bytes */
const isArrow = (bytes) => {
  // The mark of a stream's end.
  assert.deepEqual([...bytes.subarray(-8)], [255, 255, 255, 255, 0, 0, 0, 0]);
};

/**
 * A stream's answer is there before its body: what befalls that ends the reading, and nothing is sent again.
 *
 * @type {NonNullable<Call["unlike"]>}
 */
const unlikeStream = ({ streamed, code, status, retryable }) =>
  streamed
    ? {
        attempts: 1,
        error: {
          code,
          status: code === "network" ? 200 : status,
          says: undefined,
          retryable: retryable === true,
        },
      }
    : undefined;

/** @type {Call[]} */
export const readingCalls = [
  {
    name: "query",
    kind: "query",
    hits: isQuery,
    prepare: inDatabase,
    run: (cell, database) => cell.client().query(FEW, database),
    check: hasFew,
  },
  {
    name: "query, truncated: the result",
    kind: "read",
    hits: isResult,
    ofRun: true,
    prepare: inDatabase,
    run: (cell, database) => cell.client().query(MANY, database),
    check: hasMany,
  },
  {
    name: "query, accepted: the run",
    kind: "read",
    hits: isRun,
    polls: true,
    beside: acceptsQuery,
    ofRun: true,
    prepare: inDatabase,
    run: (cell, database) => cell.client().query(MANY, database),
    check: hasMany,
  },
  {
    name: "query, accepted: the result",
    kind: "read",
    hits: isResult,
    beside: acceptsQuery,
    ofRun: true,
    prepare: inDatabase,
    run: (cell, database) => cell.client().query(FEW, database),
    check: hasFew,
  },
  {
    name: "queryArrow",
    kind: "query",
    hits: isQuery,
    streams: true,
    unlike: unlikeStream,
    prepare: inDatabase,
    run: async (cell, database) => bytesOf(await cell.client().queryArrow(FEW, database)),
    check: isArrow,
  },
  {
    name: "queryArrow, too large to come at once: the result",
    kind: "read",
    hits: isResult,
    streams: true,
    unlike: unlikeStream,
    prepare: inDatabase,
    run: async (cell, database) => bytesOf(await cell.client().queryArrow(MANY, database)),
    check: isArrow,
  },
  {
    name: "getResult",
    kind: "read",
    hits: isResult,
    prepare: async (cell) => {
      const database = await inDatabase(cell);
      return { database, id: (await cell.calm.query(FEW, database)).resultId };
    },
    run: (cell, { database, id }) => cell.client().getResult(id, database),
    check: hasFew,
  },
  {
    name: "listDatabases, the second page",
    kind: "read",
    hits: (method, path) => method === "GET" && /^\/v1\/databases\?.*cursor=/.test(path),
    run: (cell) => cell.client().listDatabases({ search: PAGED.prefix }),
    check: (databases) => {
      const names = new Set(databases.map((/** @type {any} */ database) => database.name));
      assert.deepEqual([databases.length, names.size], [PAGED.count, PAGED.count]);
    },
  },
  {
    name: "listIndexes",
    kind: "read",
    hits: (_, path) => path.endsWith("/indexes"),
    prepare: async (cell) => {
      const database = await inDatabase(cell);
      await cell.calm.loadTable({ ...database, table: "t", mode: "append", csv: "id\n1\n" });
      return database;
    },
    run: (cell, database) => cell.client().listIndexes({ ...database, table: "default.public.t" }),
    check: (indexes) => assert.deepEqual(indexes, []),
  },
  {
    name: "the look-up of the workspace",
    kind: "read",
    hits: (_, path) => path === "/v1/workspaces",
    prepare: inDatabase,
    run: (cell, database) => cell.client({ workspaceId: undefined }).query(FEW, database),
    check: hasFew,
  },
];
