// Where the bytes of a load come from. Everything but this door is loaded the first time a load needs it.

import { HotdataError } from "./errors.js";

/** @typedef {"csv" | "json" | "parquet"} LoadFormat */

/**
 * Gives the bytes of a load part by part. One call at a time.
 *
 * @typedef {object} ByteSource
 * @property {number | undefined} size bytes in all, where known beforehand
 * @property {LoadFormat | undefined} format
 * @property {(most: number) => Promise<Uint8Array<ArrayBuffer> | undefined>} next exactly `most` bytes, fewer only at the end, and
 *   nothing after it. The array is the receiver's: it can be sent again, and nothing here changes it.
 * @property {() => Promise<void>} close gives back what the source holds; also mid-way, and any number of times
 */

/**
 * Exactly one of `rows`, `data` and `url`, with what belongs to it.
 *
 * @typedef {object} SourceOptions
 * @property {unknown} [rows] an iterable or async iterable of objects
 * @property {unknown} [columns] SQL types by column name, for `rows`
 * @property {unknown} [data] bytes, a Blob, a stream of bytes, or text
 * @property {unknown} [url] an http or https URL
 * @property {unknown} [format] of `data` or `url`
 * @property {unknown} [maxBytes] of `url`
 * @property {unknown} [allowPrivateHosts] of `url`
 */

/** @typedef {{ fetch: typeof fetch, signal?: AbortSignal }} SourceHost */

/**
 * Opens what a load was given. Whatever can be told without a request is refused here.
 *
 * @param {SourceOptions} given
 * @param {SourceHost} host
 * @returns {Promise<ByteSource>}
 * @throws {HotdataError} `invalid_argument` for what is not acceptable, `too_large` for a file beyond `maxBytes`; of a
 *   `url` also `network`, `unexpected_response`, `not_found`, `forbidden`, `rate_limited` and `unavailable`. An abort
 *   throws the signal's reason.
 */
export async function openSource(given, host) {
  const { open } = await loaded(import("./loading/open.js"));
  return open(given, host);
}

/**
 * A part of the package that is not there from the start.
 *
 * @template Module
 * @param {Promise<Module>} importing
 * @returns {Promise<Module>}
 */
export async function loaded(importing) {
  try {
    return await importing;
  } catch (cause) {
    const message =
      "the part of hotdata-wasm that reads `rows`, `data` and `url` could not be loaded";
    throw new HotdataError({ code: "network", message, retryable: true }, cause);
  }
}
