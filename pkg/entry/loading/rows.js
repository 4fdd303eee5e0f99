// Rows as a Parquet file, written one group of rows at a time.

import { tagOf } from "../values.js";
import { ByteWriter, ParquetWriter } from "../vendor/parquet-writer.js";
import { untilAborted } from "./abort.js";
import { copyOf } from "./bytes.js";
import { isNumberArray } from "./cells.js";
import { failed, named, refused } from "./failure.js";
import { PieceSource } from "./parts.js";
import { Table } from "./table.js";
import { declaredTypes, schemaOf } from "./types.js";

/** A group of rows ends at either: it is held in memory, and read whole by whoever reads the file. */
const GROUP_ROWS = 65_536;
const GROUP_BYTES = 8 * 1024 * 1024;

/**
 * @param {unknown} rows an iterable or async iterable of objects
 * @param {unknown} columns SQL types by name
 * @param {AbortSignal} [signal]
 * @returns {Promise<import("../sources.js").ByteSource>} its size is known where all rows fit one group
 */
export async function openRows(rows, columns, signal) {
  const table = new Table(declaredTypes(columns));
  const feed = feedOf(rows);
  const file = new RowFile(feed, table, signal);
  const source = new PieceSource({ pull: () => file.piece(), release: feed.close }, signal);
  source.format = "parquet";
  await source.head(1);
  source.size = file.size;
  return source;
}

/**
 * Rows, one after another.
 *
 * @typedef {object} Feed
 * @property {unknown[]} [all] the rows, where they can be gone through more than once
 * @property {() => IteratorResult<unknown> | Promise<IteratorResult<unknown>>} next
 * @property {() => void} close
 */

/**
 * @param {unknown} rows
 * @returns {Feed}
 */
function feedOf(rows) {
  const iterable = /** @type {any} */ (typeof rows === "object" && rows !== null ? rows : {});
  const begin = iterable[Symbol.asyncIterator] ?? iterable[Symbol.iterator];
  if (typeof begin !== "function") {
    throw refused(
      "rows",
      `must be an array, an iterable or an async iterable of objects, not ${named(rows)}`,
    );
  }
  const iterator = begin.call(iterable);
  return {
    all: Array.isArray(rows) ? rows : undefined,
    next: () => iterator.next(),
    close() {
      try {
        Promise.resolve(iterator.return?.()).catch(() => {});
      } catch {
        // What it holds is its own affair; nothing more is asked of it.
      }
    },
  };
}

class RowFile {
  #feed;
  #table;
  #signal;
  #bytes = new ByteWriter();
  /** @type {ParquetWriter | undefined} */
  #parquet;
  /** @type {unknown[]} rows taken from the feed and not yet written */
  #ahead = [];
  /** How many rows have been written. */
  #written = 0;
  /** How many rows the feed has given. */
  #given = 0;
  #feedEnded = false;
  /** @type {number | undefined} bytes of the file, once it is written to its end */
  size;

  /**
   * @param {Feed} feed
   * @param {Table} table
   * @param {AbortSignal} [signal]
   */
  constructor(feed, table, signal) {
    this.#feed = feed;
    this.#table = table;
    this.#signal = signal;
  }

  /** The next bytes of the file; nothing after its end. */
  async piece() {
    if (this.size !== undefined) return undefined;
    const parquet = this.#parquet ?? (await this.#begin());
    const isFirst = this.#written === 0;
    const group = await this.#group();
    const isLast = this.#feedEnded && this.#ahead.length === 0;
    if (isFirst && !isLast) this.#checkRest();
    try {
      if (group.rows > 0) {
        const columnData = this.#table.columns.map(({ name, type }, index) => ({
          name,
          data: group.cells[index] ?? [],
          offsetIndex: false,
          // A dictionary takes 0 and -0 for one value, and vectors neither repeat nor shrink.
          ...(type?.isFloat ? { encoding: /** @type {const} */ ("PLAIN") } : {}),
          ...(type?.isFloat && type.isList ? { codec: /** @type {const} */ ("UNCOMPRESSED") } : {}),
        }));
        parquet.write({ columnData, rowGroupSize: group.rows });
      }
      if (isLast) {
        parquet.finish();
        this.size = this.#bytes.offset;
      }
    } catch (cause) {
      throw failed("internal", "`rows` could not be written as Parquet", {}, cause);
    }
    const piece = this.#bytes.getBytes().slice();
    this.#bytes.index = 0;
    return piece;
  }

  /** Settles the columns: by all rows of an array, by as many of others as a group holds. */
  async #begin() {
    const { all } = this.#feed;
    if (all) {
      for (let at = 0; at < all.length; at++) this.#table.see(all[at], at);
    } else {
      let bytes = 0;
      while (this.#ahead.length < GROUP_ROWS && bytes < GROUP_BYTES) {
        const step = await this.#step();
        if (step.done) break;
        this.#table.see(step.value, this.#ahead.length);
        const row = snapshot(/** @type {object} */ (step.value));
        for (const value of Object.values(row)) bytes += weight(value);
        this.#ahead.push(row);
      }
    }
    if (all ? all.length === 0 : this.#ahead.length === 0) {
      throw refused("rows", "must hold at least one row");
    }
    this.#table.decide();
    const { columns } = this.#table;
    this.#parquet = new ParquetWriter({
      writer: this.#bytes,
      schema: [
        { name: "root", num_children: columns.length },
        ...columns.flatMap(({ name, type }) => (type ? schemaOf(name, type) : [])),
      ],
      statistics: false,
      createdBy: "hotdata-wasm",
    });
    return this.#parquet;
  }

  /** Takes rows until a group is full or there are no more. */
  async #group() {
    /** @type {unknown[][]} */
    const cells = this.#table.columns.map(() => []);
    let bytes = 0;
    const put = (/** @type {unknown} */ value, /** @type {number} */ column) => {
      cells[column]?.push(value);
      bytes += weight(value);
    };
    const ahead = this.#ahead;
    this.#ahead = [];
    let rows = 0;
    for (; rows < GROUP_ROWS && bytes < GROUP_BYTES; rows++) {
      let row = ahead[rows];
      if (rows >= ahead.length) {
        const next = this.#step();
        const step = "then" in next ? await next : next;
        if (step.done) break;
        row = step.value;
      }
      this.#table.read(row, this.#written + rows, put);
    }
    this.#ahead = ahead.slice(rows);
    this.#written += rows;
    return { rows, cells };
  }

  /** Finds what is wrong with the rest of an array before anything of it is sent. */
  #checkRest() {
    const { all = [] } = this.#feed;
    for (let at = this.#written; at < all.length; at++) this.#table.read(all[at], at, () => {});
  }

  /** @returns {IteratorResult<unknown> | Promise<IteratorResult<unknown>>} the feed's next row */
  #step() {
    const broken = (/** @type {unknown} */ cause) =>
      refused("rows", `failed to give row ${this.#given}`, undefined, cause);
    const noted = (/** @type {IteratorResult<unknown>} */ step) => {
      this.#given++;
      this.#feedEnded = Boolean(step.done);
      return step;
    };
    if (this.#feedEnded) return { done: true, value: undefined };
    /** @type {ReturnType<Feed["next"]>} */
    let next;
    try {
      next = Object(this.#feed.next());
    } catch (cause) {
      throw broken(cause);
    }
    if (!("then" in next)) return noted(next);
    return untilAborted(
      this.#signal,
      next.then(noted, (cause) => {
        throw broken(cause);
      }),
    );
  }
}

/**
 * A row as it is now: a generator may fill one object, or one vector, again and again.
 *
 * @param {object} row
 * @returns {Record<string, unknown>}
 */
function snapshot(row) {
  const copy = /** @type {Record<string, unknown>} */ ({ ...row });
  for (const [name, value] of Object.entries(copy)) {
    if (Array.isArray(value)) copy[name] = value.slice();
    else if (isNumberArray(value)) copy[name] = copyOfNumbers(value);
  }
  return copy;
}

/** @param {Uint8Array | Float32Array} numbers or any other typed array */
function copyOfNumbers(numbers) {
  // A Node Buffer's own `slice` shares its memory.
  return tagOf(numbers) === "Uint8Array"
    ? copyOf(/** @type {Uint8Array} */ (numbers))
    : numbers.slice();
}

/**
 * About how many bytes of memory a value takes.
 *
 * @param {unknown} value
 */
function weight(value) {
  if (typeof value === "string") return value.length;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  return 8 * (Array.isArray(value) ? value.length : 1);
}
