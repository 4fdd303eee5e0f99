// From a JavaScript value to what Parquet stores of it, by type. Nothing is cut, and nothing rounded but for 32-bit floats.

import { nameOf } from "../values.js";
import { bytesOf, copyOf } from "./bytes.js";
import { named } from "./failure.js";
import { jsonText } from "./json-text.js";
import { Problem } from "./problem.js";
import { isWellFormed } from "./text.js";

/** @typedef {(value: unknown) => unknown} Cell of a value that is neither null nor undefined; throws a Problem */

/** @type {Cell} */
export function boolean(value) {
  if (typeof value !== "boolean") throw new Problem(`must be a boolean, not ${named(value)}`);
  return value;
}

/** @type {Cell} */
export function text(value) {
  if (typeof value !== "string") {
    const kind = nameOf(value);
    if (kind === "object" || kind === "array") return jsonText(/** @type {object} */ (value));
    throw new Problem(
      `must be a string, or an object or array to store as JSON, not ${named(value)}`,
    );
  }
  if (!isWellFormed(value)) throw new Problem("holds half of a surrogate pair");
  return value;
}

/** @type {Cell} */
export function binary(value) {
  let bytes;
  try {
    bytes = bytesOf(value);
  } catch {
    throw new Problem("is memory that has been transferred away");
  }
  if (!bytes) throw new Problem(`must be bytes, like a Uint8Array, not ${named(value)}`);
  return copyOf(bytes);
}

/**
 * @param {number} bits 8 to 64
 * @param {boolean} signed
 * @returns {Cell}
 */
export function integer(bits, signed) {
  const least = signed ? -(2n ** BigInt(bits - 1)) : 0n;
  const most = 2n ** BigInt(signed ? bits - 1 : bits) - 1n;
  return (value) => {
    const whole = wholeOf(value);
    if (whole < least || whole > most) throw new Problem(`must be from ${least} to ${most}`);
    return bits === 64 ? BigInt(whole) : Number(whole);
  };
}

/**
 * @param {unknown} value
 * @returns {number | bigint}
 */
function wholeOf(value) {
  if (typeof value === "bigint") return value;
  if (typeof value === "string" && /^-?\d{1,40}$/.test(value)) return BigInt(value);
  if (typeof value !== "number") {
    throw new Problem(
      `must be an integer (a number, a bigint or its digits), not ${typeof value === "string" ? "another string" : named(value)}`,
    );
  }
  if (!Number.isInteger(value)) throw new Problem(`must be an integer, not ${value}`);
  if (!Number.isSafeInteger(value)) {
    throw new Problem("is an integer beyond 2^53, which a number may have changed", {
      hint: "pass a bigint",
    });
  }
  return value;
}

/**
 * @param {32 | 64} bits
 * @returns {Cell}
 */
export function real(bits) {
  return (value) => {
    const number = typeof value === "bigint" ? Number(value) : value;
    if (typeof number !== "number") throw new Problem(`must be a number, not ${named(value)}`);
    if (typeof value === "bigint" && (!Number.isFinite(number) || BigInt(number) !== value)) {
      throw new Problem("is a bigint that a float cannot hold exactly");
    }
    if (bits === 32 && Number.isFinite(number) && !Number.isFinite(Math.fround(number))) {
      throw new Problem(`is beyond what 32 bits hold: ${number}`);
    }
    return number;
  };
}

/**
 * A decimal as its digits without the point.
 *
 * @param {number} precision digits in all
 * @param {number} scale of them, after the point
 * @returns {Cell}
 */
export function decimal(precision, scale) {
  const most = 10n ** BigInt(precision) - 1n;
  return (value) => {
    const unscaled =
      typeof value === "bigint" ? value * 10n ** BigInt(scale) : digitsOf(value, scale);
    if (unscaled > most || unscaled < -most) {
      throw new Problem(`must have at most ${precision - scale} digits before its point`);
    }
    return unscaled;
  };
}

/**
 * @param {unknown} value
 * @param {number} scale
 * @returns {bigint}
 */
function digitsOf(value, scale) {
  if (typeof value === "number") wholeIsSafe(value);
  const found =
    (typeof value === "number" || typeof value === "string") &&
    /^([+-]?)(\d{1,80})(?:\.(\d{1,80}))?(?:e([+-]?\d{1,2}))?$/i.exec(String(value));
  if (!found) {
    throw new Problem(
      `must be a decimal (a number, a bigint or a string like "12.50"), not ${typeof value === "string" ? "another string" : named(value)}`,
    );
  }
  const [, sign, whole = "", fraction = "", exponent = "0"] = found;
  const shift = scale + Number(exponent) - fraction.length;
  let digits = BigInt(whole + fraction);
  if (shift >= 0) {
    digits *= 10n ** BigInt(shift);
  } else {
    const divisor = 10n ** BigInt(-shift);
    if (digits % divisor !== 0n) {
      throw new Problem(`must have at most ${scale} digits after its point, not ${value}`);
    }
    digits /= divisor;
  }
  return sign === "-" ? -digits : digits;
}

/** @param {number} value */
function wholeIsSafe(value) {
  if (Number.isInteger(value)) wholeOf(value);
}

/**
 * @param {(value: unknown) => unknown} read gives nothing for what it cannot read
 * @param {string} accepted
 * @returns {Cell}
 */
export function moment(read, accepted) {
  return (value) => {
    const found = read(value);
    if (found === undefined) {
      throw new Problem(
        `must be ${accepted}, not ${typeof value === "string" ? "another string" : named(value)}`,
      );
    }
    return found;
  };
}

/**
 * A list; of floats, all of them finite: no distance can be told of others.
 *
 * @param {Cell} item
 * @param {boolean} floats
 * @returns {Cell}
 */
export function list(item, floats) {
  return (value) => {
    if (!Array.isArray(value) && !isNumberArray(value)) {
      throw new Problem(`must be an array, not ${named(value)}`);
    }
    const items = new Array(value.length);
    for (let at = 0; at < value.length; at++) {
      const one = value[at];
      try {
        if (one === null || one === undefined || (floats && !Number.isFinite(Number(one)))) {
          throw new Problem(`must be ${floats ? "a finite number" : "a value"}, not ${named(one)}`);
        }
        items[at] = item(one);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        throw new Problem(error.message, { path: `[${at}]${error.path}`, hint: error.hint });
      }
    }
    return items;
  };
}

/**
 * Whether a value is an array of numbers or bigints in binary form.
 *
 * @param {unknown} value
 * @returns {value is Float32Array} for the types' sake one of them
 */
export function isNumberArray(value) {
  return ArrayBuffer.isView(value) && /^\w+Array$/.test(nameOf(value));
}
