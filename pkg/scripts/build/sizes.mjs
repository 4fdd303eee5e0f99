// The size table and its budgets: what a user downloads, by any of the three transfers.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { distDir } from "../lib/paths.mjs";
import { moduleClosure } from "./closure.mjs";

/** Gzip bytes a row may have; 1 KB is 1,024 bytes. What is there now and little more: to be lowered where it can. */
const BUDGETS = {
  "core_bg.wasm": 168 * 1024,
  "index.js, self-contained": 185 * 1024,
};

/** @typedef {{ name: string, raw: number, gzip: number, brotli: number, budget?: number }} SizeRow */

/** @returns {SizeRow[]} of the built package */
export function measureSizes() {
  const files = (/** @type {string} */ entry) => moduleClosure(join(distDir, entry));
  return [
    row("core_bg.wasm", [join(distDir, "core_bg.wasm")]),
    row("index.js, self-contained", files("index.js")),
    row("index.workerd.js, JavaScript", files("index.workerd.js")),
    row("wasm.js, JavaScript", files("wasm.js")),
    // Not part of any entry: fetched when a load first needs it.
    row("loading data, when used", files(join("loading", "open.js"))),
    row("loading a URL, when used", files(join("loading", "remote.js"))),
    row("loading rows, when used", files(join("loading", "rows.js"))),
  ];
}

/** @param {SizeRow[]} rows */
export function sizeTable(rows) {
  const cells = rows.map((size) => [
    size.name,
    kilobytes(size.raw),
    kilobytes(size.gzip),
    kilobytes(size.brotli),
    size.budget ? `${kilobytes(size.budget)}${isOver(size) ? "  OVER" : ""}` : "",
  ]);
  const table = [["size in KB", "raw", "gzip", "brotli", "gzip budget"], ...cells];
  const width = (/** @type {number} */ column) =>
    Math.max(...table.map((line) => line[column]?.length ?? 0));
  return table
    .map((line) =>
      line
        .map((cell, column) => (column ? cell.padStart(width(column)) : cell.padEnd(width(column))))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** @param {SizeRow} size */
export function isOver(size) {
  return size.budget !== undefined && size.gzip > size.budget;
}

/**
 * @param {string} name
 * @param {string[]} files each compressed by itself, as a server sends them
 * @returns {SizeRow}
 */
function row(name, files) {
  const sum = { raw: 0, gzip: 0, brotli: 0 };
  for (const file of files) {
    const bytes = readFileSync(file);
    sum.raw += bytes.length;
    sum.gzip += gzipSync(bytes, { level: 9 }).length;
    sum.brotli += brotliCompressSync(bytes, {
      params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }).length;
  }
  return { name, ...sum, budget: /** @type {Record<string, number>} */ (BUDGETS)[name] };
}

/** @param {number} bytes */
function kilobytes(bytes) {
  return (bytes / 1024).toFixed(1);
}
