// The type of a column that was not told one, read off its values.

import { isNumberArray } from "./cells.js";
import { named } from "./failure.js";
import { millisecondsOf } from "./moments.js";
import { Problem } from "./problem.js";
import { typeNamed } from "./types.js";

/** @typedef {import("./types.js").ColumnType} ColumnType */

/** What a column may hold, for a sentence, and the type it then has. Numbers decide between two. */
const KINDS = /** @type {const} */ ({
  boolean: ["a boolean", "BOOLEAN"],
  number: ["a number", "BIGINT"],
  string: ["a string", "VARCHAR"],
  date: ["a Date", "TIMESTAMPTZ"],
  bytes: ["bytes", "BINARY"],
  // What vector indexes are made over, and what models give.
  vector: ["an array of numbers", "FLOAT[]"],
  wideVector: ["a Float64Array", "DOUBLE[]"],
});
/** @typedef {keyof typeof KINDS} Kind */

const TYPED = "name the column's type in `columns`";

/** Watches the values of one column. */
export class Inference {
  /** @type {Kind | undefined} */
  #kind;
  #sawFraction = false;
  #sawBigint = false;
  /** @type {number | undefined} the first row whose integer a number may have changed */
  #unsafeRow;
  /** @type {number | undefined} */
  #width;
  /** @type {ColumnType | undefined} */
  #decided;

  /**
   * Takes notice of a value that is neither null nor undefined.
   *
   * @param {unknown} value
   * @param {number} row
   * @throws {Problem} when it does not go with those before
   */
  see(value, row) {
    const kind = kindOfCell(value);
    this.#kind ??= kind;
    if (kind !== this.#kind) {
      throw new Problem(
        `must be ${KINDS[this.#kind][0]} like the rows before, not ${named(value)}`,
        {
          hint: TYPED,
        },
      );
    }
    if (kind === "number") this.#seeNumber(value, row);
    if (kind === "vector" || kind === "wideVector") {
      this.#seeVector(/** @type {ArrayLike<unknown>} */ (value));
    }
  }

  /**
   * The column's type; from now on only its values pass.
   *
   * @returns {ColumnType | undefined} nothing for a column that was NULL throughout
   * @throws {Problem} when an integer is no longer exact
   */
  decide() {
    if (!this.#kind) return undefined;
    if (this.#unsafeRow !== undefined && !this.#sawFraction) {
      throw new Problem("is an integer beyond 2^53, which a number may have changed", {
        row: this.#unsafeRow,
        hint: `pass a bigint, or ${TYPED}: DOUBLE`,
      });
    }
    this.#decided = typeNamed(this.#sawFraction ? "DOUBLE" : KINDS[this.#kind][1]);
    return this.#decided;
  }

  /**
   * @param {unknown} value
   * @param {number} row
   */
  #seeNumber(value, row) {
    if (typeof value === "bigint") {
      if (this.#sawFraction) {
        throw new Problem("must be a number like the rows before, not a bigint", { hint: TYPED });
      }
      this.#sawBigint = true;
    } else if (!Number.isInteger(value)) {
      if (this.#sawBigint || (this.#decided && !this.#sawFraction)) {
        throw new Problem(`must be an integer like the rows before, not ${value}`, {
          hint: this.#sawBigint ? TYPED : `${TYPED}: DOUBLE`,
        });
      }
      this.#sawFraction = true;
    } else if (!Number.isSafeInteger(value)) {
      this.#unsafeRow ??= row;
    }
  }

  /** @param {ArrayLike<unknown>} vector */
  #seeVector(vector) {
    if (vector.length === 0) {
      throw new Problem("must hold at least one number", { hint: `${TYPED} to load empty lists` });
    }
    this.#width ??= vector.length;
    if (vector.length !== this.#width) {
      throw new Problem(
        `must hold ${this.#width} numbers like the rows before, not ${vector.length}`,
        { hint: `${TYPED} to load lists of any length` },
      );
    }
    if (!Array.isArray(vector)) return;
    for (let at = 0; at < vector.length; at++) {
      const item = vector[at];
      if (typeof item !== "number") {
        throw new Problem(`must be a number, not ${named(item)}`, {
          path: `[${at}]`,
          hint: `${TYPED}: VARCHAR stores an array as JSON, VARCHAR[] as a list of strings`,
        });
      }
      if (Number.isInteger(item) && Math.fround(item) !== item) {
        throw new Problem("is an integer that a 32-bit float would change", {
          path: `[${at}]`,
          hint: `${TYPED}: BIGINT[] or DOUBLE[]`,
        });
      }
    }
  }
}

/**
 * @param {unknown} value
 * @returns {Kind}
 */
function kindOfCell(value) {
  const kind = typeof value;
  if (kind === "boolean" || kind === "number" || kind === "string") return kind;
  if (kind === "bigint") return "number";
  if (Array.isArray(value)) return "vector";
  if (isNumberArray(value)) {
    const tag = Object.prototype.toString.call(value).slice(8, -1);
    if (tag === "Float32Array") return "vector";
    if (tag === "Float64Array") return "wideVector";
    if (tag === "Uint8Array") return "bytes";
    throw new Problem(`is ${named(value)}, which says no type of a column`, {
      hint: `${TYPED}: BIGINT[], INTEGER[] or FLOAT[], for instance`,
    });
  }
  if (/^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value))) {
    return "bytes";
  }
  if (millisecondsOf(value) !== undefined) return "date";
  throw new Problem(`cannot be loaded as it is: it is ${named(value)}`, {
    hint: `${TYPED}: VARCHAR or JSON stores plain objects and arrays as JSON text`,
  });
}
