// Rows to columns: which columns there are, of which type, and the values of one group of rows.

import { HotdataError } from "../errors.js";
import { tagOf } from "../values.js";
import { named, refused } from "./failure.js";
import { Inference } from "./inference.js";
import { member, Problem } from "./problem.js";
import { isWellFormed } from "./text.js";

/** @typedef {import("./types.js").ColumnType} ColumnType */
/** @typedef {Record<string, unknown>} Row */

/** Wider rows are data whose keys were taken for column names. */
const MOST_COLUMNS = 10_000;

/**
 * @typedef {object} Column
 * @property {string} name
 * @property {ColumnType | undefined} type known from the start, or once decided
 * @property {Inference | undefined} inference of a column without a declared type
 */

/** The columns of some rows. */
export class Table {
  /** @type {Map<string, Column>} */
  #columns = new Map();
  /** @type {Map<string, string>} by the name the engine stores */
  #stored = new Map();
  #declared;

  /** @param {Map<string, ColumnType>} declared */
  constructor(declared) {
    this.#declared = declared;
  }

  /** @returns {Column[]} */
  get columns() {
    return [...this.#columns.values()];
  }

  /**
   * Takes notice of a row, before the columns are decided.
   *
   * @param {unknown} given
   * @param {number} at its number
   */
  see(given, at) {
    const row = rowOf(given, at);
    let name = "";
    try {
      for (name of Object.keys(row)) {
        const column = this.#columns.get(name) ?? this.#add(name, `rows[${at}]`);
        const value = row[name];
        if (value !== null && value !== undefined) column.inference?.see(value, at);
      }
    } catch (error) {
      throw located(error, at, name);
    }
  }

  /** Settles the type of every column. */
  decide() {
    for (const name of this.#declared.keys()) {
      if (!this.#columns.has(name)) this.#add(name, "columns");
    }
    if (this.#columns.size === 0) throw refused("rows", "must have at least one column");
    for (const column of this.#columns.values()) {
      try {
        column.type ??= column.inference?.decide();
      } catch (error) {
        throw located(error, 0, column.name);
      }
      if (!column.type) {
        throw refused(
          "rows",
          `have nothing but null in the column ${JSON.stringify(column.name)}, which says no type`,
          `name it in \`columns\`: {${JSON.stringify(column.name)}: "VARCHAR"}, for instance`,
        );
      }
    }
  }

  /**
   * What Parquet stores of a row, handed over value by value; null for NULL.
   *
   * @param {unknown} given
   * @param {number} at its number
   * @param {(value: unknown, column: number) => void} put
   */
  read(given, at, put) {
    const row = rowOf(given, at);
    let name = "";
    try {
      for (name of Object.keys(row)) {
        if (!this.#columns.has(name) && row[name] !== null && row[name] !== undefined) {
          throw new Problem("is a column that the rows before do not have", {
            hint: "name every column in `columns`, or pass the rows as an array",
          });
        }
      }
      let index = 0;
      for (const column of this.#columns.values()) {
        name = column.name;
        const value = Object.hasOwn(row, name) ? row[name] : undefined;
        if (value === null || value === undefined) {
          put(null, index++);
        } else {
          column.inference?.see(value, at);
          put(column.type?.cell(value), index++);
        }
      }
    } catch (error) {
      throw located(error, at, name);
    }
  }

  /**
   * @param {string} name
   * @param {string} where it stands
   */
  #add(name, where) {
    if (name === "") throw refused(where, "has a column without a name");
    if (!isWellFormed(name)) throw refused(where, "has a name with half of a surrogate pair");
    if (this.#columns.size === MOST_COLUMNS) {
      throw refused("rows", `must have at most ${MOST_COLUMNS} columns`);
    }
    const stored = name.toLowerCase();
    const other = this.#stored.get(stored);
    if (other !== undefined) {
      const both = `${JSON.stringify(other)} and ${JSON.stringify(name)}`;
      throw refused("rows", `have columns ${both}, which the engine stores under one name`);
    }
    this.#stored.set(stored, name);
    const type = this.#declared.get(name);
    const column = { name, type, inference: type ? undefined : new Inference() };
    this.#columns.set(name, column);
    return column;
  }
}

/**
 * @param {unknown} given
 * @param {number} at
 * @returns {Row}
 */
function rowOf(given, at) {
  // Any object with columns of its own, also a class's: a Map, a Date or an array has none.
  if (typeof given === "object" && given !== null && tagOf(given) === "Object") {
    return /** @type {Row} */ (given);
  }
  throw refused(`rows[${at}]`, `must be an object of columns and values, not ${named(given)}`);
}

/**
 * What is wrong with a value, with its place.
 *
 * @param {unknown} error
 * @param {number} at
 * @param {string} name
 */
function located(error, at, name) {
  if (error instanceof HotdataError) return error;
  if (error instanceof Problem) {
    const place = `rows[${error.row ?? at}]${member(name)}${error.path}`;
    return refused(place, error.message, error.hint);
  }
  return refused(`rows[${at}]${member(name)}`, "could not be read", undefined, error);
}
