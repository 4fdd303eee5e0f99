import { joined } from "./values.js";

/**
 * The rows of one query, as arrays in `rows` and as objects when iterated.
 *
 * @implements {Iterable<Record<string, unknown>>}
 */
export class QueryResult {
  /**
   * @param {Record<string, unknown> & { columns: string[] }} head
   * @param {unknown[][]} rows
   */
  constructor(head, rows) {
    this.columns = head.columns;
    this.rows = rows;
    this.rowCount = head.rowCount;
    this.totalRowCount = head.totalRowCount;
    this.truncated = head.truncated;
    this.warning = head.warning;
    this.queryRunId = head.queryRunId;
    this.resultId = head.resultId;
    this.executionTimeMs = head.executionTimeMs;
  }

  /** Every row as an object of its own, keyed by column. */
  objects() {
    const objectOf = rowObjects(this.columns);
    return this.rows.map(objectOf);
  }

  *[Symbol.iterator]() {
    const objectOf = rowObjects(this.columns);
    for (const row of this.rows) yield objectOf(row);
  }
}

/**
 * What makes rows objects. All of them are copies of one that has every column: faster than growing each, and a column
 * named `__proto__` is a member like any other.
 *
 * @param {string[]} columns
 * @returns {(row: unknown[]) => Record<string, unknown>}
 */
function rowObjects(columns) {
  /** @type {Record<string, unknown>} */
  const empty = Object.fromEntries(columns.map((name) => [name, null]));
  return (row) => {
    const object = { ...empty };
    let at = 0;
    for (const name of columns) object[name] = row[at++];
    return object;
  };
}

/**
 * Takes a result's JSON apart: the text of everything but the rows, and the rows.
 *
 * @param {Uint8Array[]} pieces the bytes of the text, in order
 * @param {Uint8Array[]} bigints the digits of each bigint and a comma, in order
 * @param {number[]} bigintColumns the columns whose numbers stand for bigints, by their place among them
 * @returns {[head: string, rows: unknown[][]] | []} Empty where the text is not such a result, each row as wide as there
 *   are columns.
 */
export function splitResult(pieces, bigints, bigintColumns) {
  try {
    const { rows, ...head } = JSON.parse(textOf(pieces));
    if (!Array.isArray(rows)) return [];
    const width = head.columns?.length;
    const digits = textOf(bigints).split(",");
    for (const row of rows) {
      if (!Array.isArray(row) || row.length !== width) return [];
      for (const column of bigintColumns) row[column] = withBigInts(row[column], digits);
    }
    return [JSON.stringify(head), rows];
  } catch {
    return [];
  }
}

/**
 * Decoded at once: in pieces it takes twice as long.
 *
 * @param {Uint8Array[]} pieces
 */
function textOf(pieces) {
  return new TextDecoder().decode(joined(pieces));
}

/**
 * A cell with the bigints that its numbers stand for.
 *
 * @param {any} value
 * @param {string[]} digits
 * @returns {unknown}
 */
function withBigInts(value, digits) {
  if (typeof value === "number") return BigInt(String(digits[value]));
  if (Array.isArray(value)) return value.map((item) => withBigInts(item, digits));
  if (typeof value === "object" && value !== null) {
    for (const name of Object.keys(value)) value[name] = withBigInts(value[name], digits);
  }
  return value;
}
