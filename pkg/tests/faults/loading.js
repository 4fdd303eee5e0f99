// Uploads and loads. Each load brings one row that bears the cell's marker.

import { assert } from "chai";

/** @typedef {import("./cell.js").Call} Call */
/** @typedef {import("./cell.js").Cell} Cell */

const isLoad = (/** @type {string} */ method, /** @type {string} */ path) =>
  method === "POST" && path.endsWith("/loads");
const isPut = (/** @type {string} */ method) => method === "PUT";

const HEAD = "id,marker\n";

/** A database with a table that the load's row goes into. @param {Cell} cell */
async function withTable(cell) {
  const { id: databaseId } = await cell.calm.createDatabase({ name: cell.marker });
  const into = { databaseId, table: "t" };
  await cell.calm.loadTable({ ...into, mode: "append", csv: `${HEAD}0,before\n` });
  return into;
}

const row = (/** @type {Cell} */ cell) => `${HEAD}1,${cell.marker}\n`;

/** @type {NonNullable<Call["landed"]>} */
async function rowsThere(cell, { databaseId }) {
  const counted = await cell.calm.query(
    `SELECT COUNT(id) AS n FROM default.public.t WHERE marker = '${cell.marker}'`,
    { databaseId },
  );
  return Number(counted.rows[0]?.[0]);
}

const isReceipt = (/** @type {any} */ receipt) => {
  assert.equal(receipt.tableName, "t");
  assert.isNumber(receipt.rowCount);
};

/**
 * An upload that can be loaded.
 *
 * @param {any} upload
 * @param {Cell} cell
 */
async function isLoadable({ uploadId }, cell) {
  const into = await withTable(cell);
  await cell.calm.loadTable({ ...into, mode: "append", uploadId, format: "csv" });
  assert.equal(await rowsThere(cell, into), 1);
}

/**
 * Storage says nothing but its status: only where the bytes are not there is the end of the upload refused.
 *
 * @type {NonNullable<Call["unlike"]>}
 */
const unlikeStorage = ({ effect, applied }) => {
  if (effect !== "junk") return undefined;
  if (applied) return { attempts: 1 };
  return {
    attempts: 1,
    error: {
      code: "bad_request",
      status: 400,
      says: "nothing was uploaded: PUT the file first",
      retryable: false,
    },
  };
};

/** Bytes that take two parts: wide rows, the last of them the marked one. @param {Cell} cell */
const wide = (cell) =>
  `${HEAD}${Array.from({ length: 90 }, (_, at) => `${at},${"x".repeat(100_000)}\n`).join("")}100,${cell.marker}\n`;

/** @type {Call[]} */
export const loadingCalls = [
  {
    name: "loadTable, csv, append",
    kind: "keyed",
    hits: isLoad,
    hint: /idempotencyKey: "load-/,
    prepare: withTable,
    run: (cell, into) => cell.client().loadTable({ ...into, mode: "append", csv: row(cell) }),
    check: isReceipt,
    landed: rowsThere,
  },
  {
    name: "loadTable, csv, upsert",
    kind: "keyed",
    hits: isLoad,
    hint: /idempotencyKey: "load-/,
    prepare: withTable,
    run: (cell, into) =>
      cell.client().loadTable({ ...into, mode: "upsert", key: ["id"], csv: row(cell) }),
    check: isReceipt,
    landed: rowsThere,
  },
  {
    name: "loadTable, data, append",
    kind: "keyed",
    hits: isLoad,
    hint: /uploadId: "/,
    prepare: withTable,
    run: (cell, into) =>
      cell.client().loadTable({ ...into, mode: "append", data: row(cell), format: "csv" }),
    check: isReceipt,
    landed: rowsThere,
  },
  {
    name: "loadTable, rows, append",
    kind: "keyed",
    hits: isLoad,
    hint: /uploadId: "/,
    prepare: withTable,
    run: (cell, into) =>
      cell.client().loadTable({ ...into, mode: "append", rows: [{ id: 1, marker: cell.marker }] }),
    check: isReceipt,
    landed: rowsThere,
  },
  {
    name: "loadTable, resultId, append",
    kind: "write",
    hits: isLoad,
    hint: /^Count the rows/,
    prepare: async (cell) => {
      const into = await withTable(cell);
      const sql = `SELECT CAST(1 AS BIGINT) AS id, '${cell.marker}' AS marker`;
      const { resultId } = await cell.calm.query(sql, { databaseId: into.databaseId });
      return { ...into, resultId };
    },
    run: (cell, from) => cell.client().loadTable({ ...from, mode: "append" }),
    check: isReceipt,
    landed: rowsThere,
  },
  {
    name: "loadTable, accepted: the job",
    kind: "followed",
    hits: (_, path) => path.startsWith("/v1/jobs/"),
    polls: true,
    beside: (method, path) => (isLoad(method, path) ? "accepted" : undefined),
    hint: /waitForJob\("job_?[^"]+"\)/,
    prepare: withTable,
    run: (cell, into) => cell.client().loadTable({ ...into, mode: "append", csv: row(cell) }),
    check: isReceipt,
    landed: rowsThere,
  },
  {
    name: "uploadFile: the session",
    kind: "read",
    hits: (_, path) => path === "/v1/uploads",
    succeeds: 201,
    run: (cell) => cell.client().uploadFile({ data: row(cell), format: "csv" }),
    check: isLoadable,
  },
  {
    name: "uploadFile: the bytes",
    kind: "read",
    hits: isPut,
    succeeds: 204,
    unlike: unlikeStorage,
    run: (cell) => cell.client().uploadFile({ data: row(cell), format: "csv" }),
    check: isLoadable,
  },
  {
    name: "uploadFile: the end",
    kind: "step",
    hits: (_, path) => path.endsWith("/finalize"),
    run: (cell) => cell.client().uploadFile({ data: row(cell), format: "csv" }),
    check: isLoadable,
  },
  {
    name: "uploadFile, a stream: the end",
    kind: "step",
    hits: (_, path) => path.endsWith("/finalize"),
    run: (cell) =>
      cell.client().uploadFile({ data: new Blob([row(cell)]).stream(), format: "csv" }),
    check: isLoadable,
  },
  {
    name: "uploadFile, a stream: a part's address",
    kind: "read",
    hits: (_, path) => path.endsWith("/parts"),
    run: (cell) =>
      cell.client().uploadFile({ data: new Blob([row(cell)]).stream(), format: "csv" }),
    check: isLoadable,
  },
];

/** Takes 9 MB a cell, so it meets only some faults. @type {Call} */
export const multipartUpload = {
  name: "uploadFile in parts: the second part",
  kind: "read",
  hits: (method, path, cell) => {
    if (method === "PUT") cell.paths.add(path);
    return method === "PUT" && [...cell.paths].indexOf(path) === 1;
  },
  run: (cell) => cell.client().uploadFile({ data: wide(cell), format: "csv" }),
  check: isLoadable,
};
