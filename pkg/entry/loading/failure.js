// The errors of reading a source.

import { HotdataError } from "../errors.js";
import { nameOf } from "../values.js";

/** @typedef {import("../errors.js").HotdataErrorCode} HotdataErrorCode */

/**
 * An argument that is not acceptable.
 *
 * @param {string} argument as the caller spells it
 * @param {string} problem how the sentence goes on: "must be …"
 * @param {string} [hint] what to do instead
 * @param {unknown} [cause]
 */
export function refused(argument, problem, hint, cause) {
  return failed("invalid_argument", `\`${argument}\` ${problem}`, { hint }, cause);
}

/**
 * @param {HotdataErrorCode} code
 * @param {string} message
 * @param {{ hint?: string, status?: number, retryable?: boolean }} [more]
 * @param {unknown} [cause]
 */
export function failed(code, message, { hint, status, retryable = false } = {}, cause = undefined) {
  return new HotdataError({ code, message, hint, status, retryable }, cause);
}

/**
 * What a value is, for a sentence: "a string", "an array", "null".
 *
 * @param {unknown} value
 */
export function named(value) {
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  const kind = nameOf(value);
  if (kind === "null" || kind === "undefined") return kind;
  if (kind === "object") return "a plain object";
  return `${/^[aeiou]/i.test(kind) && !/^u(ni|int)/i.test(kind) ? "an" : "a"} ${kind}`;
}
