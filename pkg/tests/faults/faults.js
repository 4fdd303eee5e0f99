// What goes wrong: the rows of the matrix. Each is asked of the local engine by the header `x-local-fault` (its README,
// "Faults").

/**
 * What a fault is to a caller who knows nothing but the answer:
 * - `shed`: turned away before it was applied, and said so
 * - `vague`: a gateway or the network failed; it may have been applied
 * - `late`: no answer in time
 * - `junk`: a success whose body is not the API's
 * - `failed`: a failure that does not tell whether it was applied
 * - `denied`: the key is refused, and the caller's function then gives another
 * - `harmless`: an answer like any other
 *
 * @typedef {"shed" | "vague" | "late" | "junk" | "failed" | "denied" | "harmless"} Effect
 */

/**
 * @typedef {object} Fault
 * @property {string} name
 * @property {string | (() => string)} header
 * @property {Effect} effect
 * @property {boolean} applied whether the engine does what it was asked all the same
 * @property {string} code of the error it ends in
 * @property {number} [status]
 * @property {string} [says] the engine's words
 * @property {boolean} [retryable]
 * @property {number} [waitMs] the least wait it asks for
 * @property {"body"} [damages] what it needs to have an effect: an answer with a body
 * @property {boolean} [streamed] whether it meets a stream only while that is read
 * @property {"writes"} [meets] the calls it can happen to
 */

/** A request's time in cells whose fault outlasts it. */
export const SHORT_MS = 2_000;

const BUSY = "busy on request";

const SHED = { effect: /** @type {const} */ ("shed"), applied: false, says: BUSY, retryable: true };
const LIMITED = { ...SHED, code: "rate_limited", status: 429 };
const VAGUE = { effect: /** @type {const} */ ("vague"), retryable: true };
const DOWN = { ...VAGUE, code: "unavailable", status: 503, says: BUSY };
const GATEWAY = { ...VAGUE, code: "unavailable", status: 502 };
const LOST = { ...VAGUE, code: "network" };
const FAILURE = {
  ...{ effect: /** @type {const} */ ("failed"), code: "engine_error", status: 500 },
  ...{ says: BUSY, retryable: false },
};
const LATE = { effect: /** @type {const} */ ("late"), code: "timeout", retryable: true };
const JUNK = {
  effect: /** @type {const} */ ("junk"),
  code: "unexpected_response",
  retryable: false,
};

/** @type {Fault[]} */
export const faults = [
  {
    ...LIMITED,
    name: "429, Retry-After in seconds",
    header: `error;status=429;retry_after=1;message=${BUSY}`,
    waitMs: 1_000,
  },
  {
    ...LIMITED,
    name: "429, Retry-After a date",
    header: () =>
      `error;status=429;retry_after=${new Date(Date.now() + 2_000).toUTCString()};message=${BUSY}`,
    // The date has no milliseconds.
    waitMs: 900,
  },
  {
    ...LIMITED,
    name: "429, Retry-After junk",
    header: `error;status=429;retry_after=120junk;message=${BUSY}`,
    waitMs: 250,
  },
  {
    ...LIMITED,
    name: "429, no Retry-After",
    header: `error;status=429;message=${BUSY}`,
    waitMs: 250,
  },
  {
    ...SHED,
    name: "503, Retry-After",
    header: `error;status=503;retry_after=0;message=${BUSY}`,
    code: "unavailable",
    status: 503,
  },
  {
    ...SHED,
    name: "409 RESOURCE_LOCKED",
    header: `error;status=409;retry_after=0;message=${BUSY}`,
    code: "conflict",
    status: 409,
    meets: "writes",
  },
  {
    ...DOWN,
    name: "503, no Retry-After",
    header: `error;status=503;message=${BUSY}`,
    applied: false,
  },
  {
    ...DOWN,
    name: "503, no Retry-After, applied",
    header: `error;status=503;message=${BUSY};apply=true`,
    applied: true,
  },
  { ...GATEWAY, name: "HTML under 502", header: "html", applied: false },
  { ...GATEWAY, name: "HTML under 502, applied", header: "html;apply=true", applied: true },
  {
    ...GATEWAY,
    name: "plain text under 502 and JSON",
    header: "text;status=502",
    applied: false,
    says: "upstream connect error",
  },
  { ...FAILURE, name: "500", header: `error;status=500;message=${BUSY}`, applied: false },
  {
    ...FAILURE,
    name: "500, applied",
    header: `error;status=500;message=${BUSY};apply=true`,
    applied: true,
  },
  {
    name: "401, and another key",
    header: `error;status=401;message=${BUSY}`,
    effect: "denied",
    applied: false,
    code: "unauthorized",
    status: 401,
    says: BUSY,
    retryable: false,
  },
  { ...LOST, name: "reset before it was handled", header: "reset", applied: false },
  { ...LOST, name: "reset after it was applied", header: "reset;apply=true", applied: true },
  {
    ...LOST,
    name: "reset within the body",
    header: "reset-mid-body",
    applied: true,
    streamed: true,
  },
  { ...LOST, name: "body cut short", header: "truncated-body", applied: true, streamed: true },
  {
    ...JUNK,
    name: "JSON cut short",
    header: "cut-json",
    applied: true,
    status: 200,
    damages: "body",
  },
  { ...JUNK, name: "HTML under 200", header: "html;status=200", applied: false, status: 200 },
  {
    ...JUNK,
    name: "HTML under 200, applied",
    header: "html;status=200;apply=true",
    applied: true,
    status: 200,
  },
  { ...JUNK, name: "empty body", header: "empty", applied: false, status: 200 },
  { ...JUNK, name: "empty body, applied", header: "empty;apply=true", applied: true, status: 200 },
  { ...JUNK, name: "plain text under JSON", header: "text", applied: false, status: 200 },
  {
    ...JUNK,
    name: "plain text under JSON, applied",
    header: "text;apply=true",
    applied: true,
    status: 200,
  },
  {
    name: "slow body",
    header: "slow-body;chunk_bytes=64;delay_ms=20",
    effect: "harmless",
    applied: true,
    code: "",
    damages: "body",
  },
  {
    ...LATE,
    name: "body slower than timeoutMs",
    header: "slow-body;chunk_bytes=100000;delay_ms=20000",
    applied: true,
    damages: "body",
    streamed: true,
  },
  { ...LATE, name: "no answer", header: "hang", applied: false },
  { ...LATE, name: "no answer, applied", header: "hang;apply=true", applied: true },
];
