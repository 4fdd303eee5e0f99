// What went wrong, in words a visitor can act on.

/** @typedef {{ what: string, hint: string }} Explanation */

/** A failure with its explanation. */
export class PageProblem extends Error {
  /**
   * @param {string} message what happened
   * @param {string} hint what to do about it
   * @param {unknown} [cause]
   */
  constructor(message, hint, cause) {
    super(message, { cause });
    this.name = "PageProblem";
    this.hint = hint;
  }
}

/** Codes of `HotdataError` that mean the engine itself is out of reach. */
const UNREACHABLE = ["network", "timeout", "unavailable"];

/**
 * Whether every further request would fail as well.
 *
 * @param {unknown} error
 */
export function isUnreachable(error) {
  return UNREACHABLE.includes(member(error, "code"));
}

/**
 * @param {unknown} error
 * @param {string} [engineUrl]
 * @returns {Explanation}
 */
export function explain(error, engineUrl) {
  const message = member(error, "message") || String(error);
  if (isUnreachable(error)) {
    return {
      what: `The local engine does not answer${engineUrl ? ` at ${engineUrl}` : ""}.`,
      hint: `Start it again with “npm --prefix pkg run demo” and reload this page. (${message})`,
    };
  }
  return { what: message, hint: member(error, "hint") };
}

/**
 * @param {unknown} error the engine's, about one query
 * @returns {string}
 */
export function explainRefusal(error) {
  const { what, hint } = explain(error);
  const advice =
    hint ||
    (/^(Syntax Error|Unsupported query|Field does not exist)/.test(what)
      ? "Its text search reads quotes, brackets, colons and the like as operators: try plain words."
      : "");
  return [`The engine refused this query: ${what}`, advice].filter(Boolean).join("\n");
}

/**
 * @param {unknown} error
 * @param {string} name
 * @returns {string} empty where there is none
 */
function member(error, name) {
  const value = Object(error)[name];
  return typeof value === "string" ? value : "";
}
