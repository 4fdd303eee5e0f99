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
    return this.rows.map((row) => rowObject(this.columns, row));
  }

  *[Symbol.iterator]() {
    for (const row of this.rows) {
      yield rowObject(this.columns, row);
    }
  }
}

/**
 * @param {string[]} columns
 * @param {unknown[]} row
 */
function rowObject(columns, row) {
  /** @type {Record<string, unknown>} */
  const object = {};
  for (let at = 0; at < columns.length; at++) {
    const name = columns[at];
    if (name === "__proto__") {
      // Assigning to this name would set the object's prototype instead.
      Object.defineProperty(object, name, {
        value: row[at],
        enumerable: true,
        configurable: true,
        writable: true,
      });
    } else {
      object[name] = row[at];
    }
  }
  return object;
}

/**
 * Takes a result's JSON apart: the text of everything but the rows, and the rows.
 *
 * @param {Uint8Array[]} pieces the bytes of the text, in order
 * @returns {{ head: string, rows: unknown[][] } | undefined} Nothing where the text is not such a result, each row as wide
 *   as there are columns.
 */
export function splitResult(pieces) {
  try {
    const decoder = new TextDecoder();
    const text = pieces.map((piece) => decoder.decode(piece, { stream: true })).join("");
    const { rows, ...head } = JSON.parse(text);
    const width = head.columns?.length;
    const whole = (/** @type {unknown} */ row) => Array.isArray(row) && row.length === width;
    return Array.isArray(rows) && rows.every(whole)
      ? { head: JSON.stringify(head), rows }
      : undefined;
  } catch {
    return undefined;
  }
}
