/**
 * What kind of failure it is:
 * - `invalid_argument`: an argument is missing or not acceptable; nothing was sent
 * - `bad_request`: the engine refused the request as written (SQL that does not run)
 * - `unauthorized`, `forbidden`: the key is wrong, or may not do this
 * - `not_found`, `conflict`: there is no such thing, or it collides with what exists
 * - `too_large`: larger than a limit
 * - `rate_limited`, `unavailable`: try the same call again later
 * - `engine_error`, `query_failed`: the service failed, or the query did after it was accepted
 * - `embed_failed`: the caller's own `embed` failed
 * - `network`: the request did not arrive, or its answer did not
 * - `timeout`: `timeoutMs` or `deadlineMs` ran out
 * - `outcome_unknown`: a write was sent and may have been applied, or not; `hint` says how to find out, or how to go on
 * - `aborted`: the caller's signal; seen only where that has no reason of its own
 * - `unexpected_response`: the answer is not what the API promises
 * - `not_initialized`: `init` of `hotdata-wasm/wasm` has not been awaited
 * - `internal`: a fault in this package
 *
 * @typedef {"invalid_argument" | "bad_request" | "unauthorized" | "forbidden" | "not_found" | "conflict" | "too_large"
 *   | "rate_limited" | "unavailable" | "engine_error" | "query_failed" | "embed_failed" | "network" | "timeout"
 *   | "outcome_unknown" | "aborted" | "unexpected_response" | "not_initialized" | "internal"} HotdataErrorCode
 */

/**
 * What the core tells about a failure.
 *
 * @typedef {object} Failure
 * @property {HotdataErrorCode} code
 * @property {string} message
 * @property {number} [status]
 * @property {string} [engineMessage]
 * @property {string} [hint]
 * @property {boolean} retryable
 * @property {string} [queryRunId]
 */

/** Every failure of this package. `cause` is the error underneath. */
export class HotdataError extends Error {
  /**
   * @param {Failure} failure
   * @param {unknown} [cause]
   */
  constructor(failure, cause) {
    super(failure.message, cause === undefined ? undefined : { cause });
    this.name = "HotdataError";
    this.code = failure.code;
    this.status = failure.status;
    this.engineMessage = failure.engineMessage;
    this.hint = failure.hint;
    this.retryable = failure.retryable;
    this.queryRunId = failure.queryRunId;
  }
}
