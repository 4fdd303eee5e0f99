// The caller's own rows, bytes or URL, opened and read with an end to the waiting.

import { DONE, guarded } from "./guard.js";
import { openSource } from "./sources.js";

/**
 * @typedef {import("./sources.js").ByteSource} ByteSource
 */

/**
 * Opens a source.
 *
 * @param {any} given one of the sources, with what says more of it
 * @param {typeof globalThis.fetch} fetch
 * @param {AbortSignal | undefined} signal
 * @param {number} ms
 * @returns {Promise<import("./guard.js").Ending>} with a `ByteSource`
 */
export async function openedSource(given, fetch, signal, ms) {
  /** @type {Promise<ByteSource> | undefined} */
  let opening;
  const ending = await guarded(
    (inner) => {
      opening = openSource(given, { fetch, signal: inner });
      return opening;
    },
    signal,
    ms,
  );
  // One that is opened too late is nobody's.
  if (ending.how !== DONE) opening?.then(closeSource, () => {});
  return ending;
}

/**
 * The next part of a source.
 *
 * @param {ByteSource} source
 * @param {number} most bytes
 * @param {AbortSignal | undefined} signal
 * @param {number} ms
 */
export function nextPart(source, most, signal, ms) {
  return guarded(() => source.next(most), signal, ms);
}

/**
 * Tells how far an upload has come. What a listener throws, now or later, is no fault of the upload.
 *
 * @param {Function} listener
 * @param {number} bytes
 * @param {number | undefined} totalBytes
 */
export function tellProgress(listener, bytes, totalBytes) {
  Promise.resolve()
    .then(() => listener({ bytes, totalBytes: totalBytes ?? null }))
    .catch(() => {});
}

/**
 * Lets go of a source.
 *
 * @param {ByteSource} source
 */
export function closeSource(source) {
  source.close().catch(() => {});
}
