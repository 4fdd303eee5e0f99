// What changes databases, their sources and indexes.

import { assert } from "chai";
import { SOURCE } from "./prepared.js";

/** @typedef {import("./cell.js").Call} Call */
/** @typedef {import("./cell.js").Cell} Cell */
/** @typedef {import("./faults.js").Fault} Fault */

const TABLE = "default.public.t";

const isCreation = (/** @type {string} */ method, /** @type {string} */ path) =>
  method === "POST" && path === "/v1/databases";
const isBuild = (/** @type {string} */ method, /** @type {string} */ path) =>
  method === "POST" && path.endsWith("/indexes");
const isListing = (/** @type {string} */ method, /** @type {string} */ path) =>
  method === "GET" && path.endsWith("/indexes");
const isRemoval = (/** @type {string} */ method) => method === "DELETE";

const database = (/** @type {Cell} */ cell) => cell.calm.createDatabase({ name: cell.marker });

/** How many databases bear the cell's name. @param {Cell} cell */
async function namesakes(cell) {
  const found = await cell.calm.listDatabases({ search: cell.marker });
  return found.filter((/** @type {any} */ { name }) => name === cell.marker).length;
}

/** @param {Cell} cell */
async function withRows(cell) {
  const { id: databaseId } = await database(cell);
  const csv = "id,text\n1,a quiet garden\n";
  await cell.calm.loadTable({ databaseId, table: "t", mode: "append", csv });
  const indexType = /** @type {const} */ ("bm25");
  return { databaseId, table: TABLE, indexType, columns: ["text"], indexName: "words" };
}

/** @param {Cell} cell */
async function withIndex(cell) {
  const index = await withRows(cell);
  await cell.calm.createIndex(index);
  return index;
}

/** @param {Cell} cell @param {any} of */
async function indexes(cell, { databaseId }) {
  const found = await cell.calm.listIndexes({ databaseId, table: TABLE });
  return found.filter((/** @type {any} */ { indexName }) => indexName === "words").length;
}

const isIndex = (/** @type {any} */ index) => {
  assert.deepEqual([index.indexName, index.status], ["words", "ready"]);
};

/** @param {Cell} cell */
async function withSource(cell) {
  const { id: databaseId } = await database(cell);
  const sources = await cell.calm.listConnections();
  const source = sources.find((/** @type {any} */ { name }) => name === SOURCE);
  return { databaseId, connectionId: String(source?.id) };
}

/** @param {Cell} cell */
async function withAttached(cell) {
  const source = await withSource(cell);
  await cell.calm.attachCatalog({ ...source, alias: "other" });
  return source;
}

/** @param {Cell} cell @param {any} of */
async function attached(cell, { databaseId, connectionId }) {
  const { attachments } = await cell.calm.getDatabase(databaseId);
  return attachments.filter((/** @type {any} */ one) => one.connectionId === connectionId).length;
}

/**
 * A body that breaks off ends the first answer, which has none, without a word; of the second, which is a refusal, the
 * status is there and tells enough.
 *
 * @type {NonNullable<Call["unlike"]>}
 */
const unlikeBroken = ({ streamed, effect }) =>
  streamed && effect === "vague" ? { attempts: 2 } : undefined;

/**
 * What was attached is read back: what the answer's body is does not matter, if only it is attached then.
 *
 * @type {NonNullable<Call["unlike"]>}
 */
const unlikeAttachment = (fault, always) => {
  const { effect, applied, code } = fault;
  if (effect !== "junk") return unlikeBroken(fault, always);
  if (applied) return { attempts: 1 };
  return { attempts: 1, error: { code, status: undefined, says: undefined, retryable: false } };
};

/** @type {Call[]} */
export const changingCalls = [
  {
    name: "createDatabase",
    kind: "write",
    hits: isCreation,
    succeeds: 201,
    hint: /^listDatabases\(\) shows/,
    run: (cell) => cell.client().createDatabase({ name: cell.marker }),
    check: (made, cell) => assert.deepEqual([made.name, made.created], [cell.marker, true]),
    landed: namesakes,
  },
  {
    name: "createDatabase, ifNotExists",
    kind: "read",
    hits: isCreation,
    succeeds: 201,
    run: (cell) => cell.client().createDatabase({ name: cell.marker, ifNotExists: true }),
    check: (made, cell) => assert.equal(made.name, cell.marker),
    landed: namesakes,
  },
  {
    name: "forkDatabase",
    kind: "write",
    hits: (_, path) => path.endsWith("/fork"),
    succeeds: 201,
    hint: /^listDatabases\(\) shows .*forkedFrom/,
    prepare: (cell) => cell.calm.createDatabase({ name: "origin" }),
    run: (cell, { id }) => cell.client().forkDatabase(id, { name: cell.marker }),
    check: (made, cell) => assert.equal(made.name, cell.marker),
    landed: namesakes,
  },
  {
    name: "deleteDatabase",
    kind: "removal",
    hits: isRemoval,
    succeeds: 204,
    unlike: unlikeBroken,
    prepare: database,
    run: (cell, { id }) => cell.client().deleteDatabase(id),
    check: (value) => assert.isUndefined(value),
    landed: async (cell) => 1 - (await namesakes(cell)),
  },
  {
    name: "attachCatalog",
    kind: "read",
    hits: (_, path) => path.endsWith("/catalogs"),
    succeeds: 204,
    unlike: unlikeAttachment,
    prepare: withSource,
    run: (cell, source) => cell.client().attachCatalog({ ...source, alias: "other" }),
    check: (found) => assert.equal(found.attachments[0].alias, "other"),
    landed: attached,
  },
  {
    name: "detachCatalog",
    kind: "removal",
    hits: isRemoval,
    succeeds: 204,
    unlike: unlikeBroken,
    prepare: withAttached,
    run: (cell, source) => cell.client().detachCatalog(source),
    check: (found) => assert.deepEqual(found.attachments, []),
    landed: async (cell, source) => 1 - (await attached(cell, source)),
  },
  {
    name: "createIndex",
    kind: "write",
    hits: isBuild,
    succeeds: 201,
    hint: /^listIndexes\(\) shows/,
    prepare: withRows,
    run: (cell, index) => cell.client().createIndex(index),
    check: isIndex,
    landed: indexes,
  },
  {
    name: "createIndex, accepted: the job",
    kind: "followed",
    hits: (_, path) => path.startsWith("/v1/jobs/"),
    polls: true,
    beside: (method, path) => (isBuild(method, path) ? "accepted" : undefined),
    hint: /waitForJob\("job_?[^"]+"\)/,
    prepare: withRows,
    run: (cell, index) => cell.client().createIndex(index),
    check: isIndex,
    landed: indexes,
  },
  {
    name: "createIndex: the listing",
    kind: "followed",
    hits: isListing,
    hint: /^listIndexes\(\) shows/,
    prepare: withRows,
    run: (cell, index) => cell.client().createIndex(index),
    check: isIndex,
    landed: indexes,
  },
  {
    name: "dropIndex",
    kind: "removal",
    hits: isRemoval,
    succeeds: 204,
    unlike: unlikeBroken,
    prepare: withIndex,
    run: (cell, index) => {
      const { databaseId, table, indexName } = index;
      return cell.client().dropIndex({ databaseId, table, indexName });
    },
    check: (value) => assert.isUndefined(value),
    landed: async (cell, index) => 1 - (await indexes(cell, index)),
  },
];
