import { joined } from "./values.js";

/**
 * The rows of one query, as arrays in `rows` and as objects when iterated.
 *
 * @implements {Iterable<Record<string, unknown>>}
 */
export class QueryResult {
  /**
   * @param {string[]} columns
   * @param {unknown[][]} rows
   * @param {number | undefined} totalRowCount
   * @param {boolean} truncated
   * @param {string | undefined} warning
   * @param {string} queryRunId
   * @param {string | undefined} resultId
   * @param {number} executionTimeMs
   */
  constructor(
    columns,
    rows,
    totalRowCount,
    truncated,
    warning,
    queryRunId,
    resultId,
    executionTimeMs,
  ) {
    this.columns = columns;
    this.rows = rows;
    this.rowCount = rows.length;
    this.totalRowCount = totalRowCount ?? null;
    this.truncated = truncated;
    this.warning = warning ?? null;
    this.queryRunId = queryRunId;
    this.resultId = resultId ?? null;
    this.executionTimeMs = executionTimeMs;
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
 * Whether a text has brackets enough to hold more rows than this.
 *
 * @param {Uint8Array} body
 * @param {number} most
 */
export function mayHaveRows(body, most) {
  let brackets = 0;
  for (let at = body.indexOf(0x5b); at >= 0; at = body.indexOf(0x5b, at + 1)) {
    brackets += 1;
    if (brackets > most) return true;
  }
  return false;
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
    const { rows, nullable: _, ...head } = JSON.parse(textOf(pieces));
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
