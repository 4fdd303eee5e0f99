// What has to come of a fault, by what kind of call meets it.

/** @typedef {import("./faults.js").Fault} Fault */

/**
 * - `read`: a read, or what does no harm when it is done twice
 * - `query`: a read that may keep the service busy for long
 * - `keyed`: a write that the service applies once however often it comes
 * - `write`: a write that nothing guards
 * - `step`: a step that nothing is lost by
 * - `removal`: gone after a lost answer is removed
 * - `followed`: a look at work that the service has accepted, on behalf of a write
 *
 * @typedef {"read" | "query" | "keyed" | "write" | "step" | "removal" | "followed"} Kind
 */

/** What each kind sends again after. @type {Record<Kind, Fault["effect"][]>} */
const SENT_AGAIN = {
  read: ["shed", "vague", "late"],
  query: ["shed", "vague"],
  keyed: ["shed", "vague", "late"],
  write: ["shed"],
  step: ["shed"],
  removal: ["shed", "vague", "late"],
  followed: ["shed", "vague", "late"],
};

/** How often a request is sent again at most, in every cell. */
export const MAX_RETRIES = 1;

/**
 * @typedef {object} Expected
 * @property {number} attempts
 * @property {{ code: string, status: number | undefined, says: string | undefined, retryable: boolean }} [error] none:
 *   it succeeds
 */

/**
 * @param {Fault} fault
 * @param {{ kind: Kind, succeeds?: number }} call
 * @param {boolean} always
 * @returns {Expected}
 */
export function expected(fault, { kind, succeeds = 200 }, always) {
  const { effect, code, says } = fault;
  if (effect === "harmless") return { attempts: 1 };
  const status = fault.damages === "body" && fault.status ? succeeds : fault.status;
  const again = effect === "denied" || SENT_AGAIN[kind].includes(effect);
  if (again && !always) return { attempts: 1 + MAX_RETRIES };
  const unknown =
    kind === "followed" ||
    ((kind === "keyed" || kind === "write") &&
      ["vague", "late", "junk", "failed"].includes(effect));
  return {
    attempts: again ? 1 + MAX_RETRIES : 1,
    error: {
      code: unknown ? "outcome_unknown" : code,
      status,
      says,
      retryable: !unknown && fault.retryable === true,
    },
  };
}
