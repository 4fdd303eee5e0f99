// Strict JSON: what JSON cannot hold is refused instead of dropped or made null.

import { nameOf } from "../values.js";
import { named } from "./failure.js";
import { member, Problem } from "./problem.js";
import { isWellFormed } from "./text.js";

/** Deeper than any data nests, and far from what the stack holds. */
const MOST_LEVELS = 100;

/**
 * @param {object} value a plain object or an array
 * @returns {string}
 * @throws {Problem}
 */
export function jsonText(value) {
  check(value, "", 0);
  return JSON.stringify(value);
}

/**
 * @param {unknown} value
 * @param {string} path
 * @param {number} level
 */
function check(value, path, level) {
  if (value === null || typeof value === "boolean") return;
  if (typeof value === "string") {
    if (!isWellFormed(value)) throw new Problem("holds half of a surrogate pair", { path });
    return;
  }
  if (typeof value === "number") {
    if (!Number.isFinite(value)) {
      throw new Problem(`must not be ${value}, which JSON has no number for`, { path });
    }
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      const hint = "JSON text can hold it as a string of its digits";
      throw new Problem("is an integer beyond 2^53, which a number may have changed", {
        path,
        hint,
      });
    }
    return;
  }
  const kind = nameOf(value);
  if (kind !== "array" && kind !== "object") {
    throw new Problem(`must be a value of JSON, not ${named(value)}`, { path });
  }
  if (level === MOST_LEVELS) {
    throw new Problem(`must not nest deeper than ${MOST_LEVELS} levels, nor hold itself`);
  }
  if (Array.isArray(value)) {
    // By index: a hole is undefined.
    for (let at = 0; at < value.length; at++) check(value[at], `${path}[${at}]`, level + 1);
    return;
  }
  for (const [name, item] of Object.entries(/** @type {object} */ (value))) {
    if (!isWellFormed(name))
      throw new Problem("has a name with half of a surrogate pair", { path });
    check(item, path + member(name), level + 1);
  }
}
