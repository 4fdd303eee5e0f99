// What bytes are, as far as their beginning tells.

import { failed, refused } from "./failure.js";

/** @typedef {import("../sources.js").LoadFormat} LoadFormat */

/** Bytes to look at. */
export const HEAD_BYTES = 512;

/** What else may come where rows were meant, by how it begins. */
const OTHERS = /** @type {const} */ ([
  ["a gzip file", [0x1f, 0x8b]],
  ["a zip archive or a spreadsheet", [0x50, 0x4b, 0x03, 0x04]],
  ["a zstd file", [0x28, 0xb5, 0x2f, 0xfd]],
  ["UTF-16 text", [0xff, 0xfe]],
  ["UTF-16 text", [0xfe, 0xff]],
]);
const PARQUET_MAGIC = [0x50, 0x41, 0x52, 0x31];

/** @type {Record<string, LoadFormat>} */
const BY_TYPE = {
  "text/csv": "csv",
  "application/csv": "csv",
  "application/x-ndjson": "json",
  "application/ndjson": "json",
  "application/jsonl": "json",
  "application/x-jsonlines": "json",
  "application/jsonlines": "json",
  "application/json-lines": "json",
  "application/json": "json",
  "application/vnd.apache.parquet": "parquet",
  "application/parquet": "parquet",
  "application/x-parquet": "parquet",
};
/** @type {Record<string, string>} */
const OTHER_TYPES = { "text/html": "an HTML page", "application/xhtml+xml": "an HTML page" };
/** @type {Record<string, LoadFormat>} */
const BY_EXTENSION = {
  csv: "csv",
  ndjson: "json",
  jsonl: "json",
  json: "json",
  parquet: "parquet",
};

/**
 * The format of a source: the one asked for, or the one it shows. Refuses what is plainly something else.
 *
 * @param {object} source
 * @param {"data" | "url"} source.argument
 * @param {LoadFormat} [source.format] what the caller says
 * @param {Uint8Array} source.head the first bytes
 * @param {string} [source.type] the media type it came with
 * @param {string[]} [source.names] file names it goes by
 * @returns {LoadFormat}
 */
export function detectFormat({ argument, format, head, type = "", names = [] }) {
  const wrong = (/** @type {string} */ problem, /** @type {string} */ hint = "") =>
    argument === "url"
      ? failed("unexpected_response", `\`url\` ${problem}`, { hint: hint || undefined })
      : refused(argument, problem, hint || undefined);
  if (head.length === 0) throw wrong("holds no bytes");
  const media = type.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const shown = BY_TYPE[media] ?? byExtension(names);
  const said = format ?? shown;
  if (startsWith(head, PARQUET_MAGIC)) {
    if (format && format !== "parquet") throw wrong(`is Parquet, not ${format}`);
    return "parquet";
  }
  const other = otherThanRows(head) ?? (format ? undefined : OTHER_TYPES[media]);
  if (said === "parquet") throw wrong(`is not Parquet but ${other ?? described(media)}`);
  if (other) throw wrong(`must hold CSV, JSON or Parquet, not ${other}`);
  if (!said) {
    throw refused(
      "format",
      `must be given: what \`${argument}\` holds is ${described(media)}`,
      '"csv", or "json" for one object a line',
    );
  }
  if (said === "json" && textOf(head).trimStart()[0] !== "{") {
    throw wrong("must hold one JSON object a line", "an array of objects goes in as `rows`");
  }
  return said;
}

/** @param {string[]} names */
function byExtension(names) {
  for (const name of names) {
    const found = BY_EXTENSION[/\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ""];
    if (found) return found;
  }
  return undefined;
}

/**
 * @param {Uint8Array} head
 * @returns {string | undefined}
 */
function otherThanRows(head) {
  const found = OTHERS.find(([, magic]) => startsWith(head, magic));
  if (found) return found[0];
  const text = textOf(head).trimStart();
  if (/^<(!doctype\s+html|html|head|body)\b/i.test(text)) return "an HTML page";
  return /^<\?xml\b/i.test(text) ? "an XML document" : undefined;
}

/** @param {string} media */
function described(media) {
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(media) ? `data of type ${media}` : "data of no type";
}

/** @param {Uint8Array} head UTF-8, possibly cut, possibly after a byte order mark */
function textOf(head) {
  return new TextDecoder().decode(head);
}

/**
 * @param {Uint8Array} bytes
 * @param {readonly number[]} magic
 */
function startsWith(bytes, magic) {
  return magic.every((byte, at) => bytes[at] === byte);
}
