// Ending a wait when the caller does.

import { failed } from "./failure.js";

/**
 * A wait that ends with the signal's reason as soon as the signal is aborted. Leaves no listener behind.
 *
 * @template T
 * @param {AbortSignal | undefined} signal
 * @param {Promise<T> | T} work its own failure after an abort is nobody's
 * @returns {Promise<T>}
 */
export async function untilAborted(signal, work) {
  if (!signal) return work;
  const working = Promise.resolve(work);
  if (signal.aborted) {
    working.catch(() => {});
    throw reasonOf(signal);
  }
  /** @type {(() => void) | undefined} */
  let listener;
  const aborted = new Promise((_, reject) => {
    listener = () => reject(reasonOf(signal));
    signal.addEventListener("abort", listener, { once: true });
  });
  try {
    return /** @type {T} */ (await Promise.race([working, aborted]));
  } finally {
    if (listener) signal.removeEventListener("abort", listener);
  }
}

/** @param {AbortSignal | undefined} signal */
export function throwIfAborted(signal) {
  if (signal?.aborted) throw reasonOf(signal);
}

/** @param {AbortSignal} signal an aborted one */
function reasonOf(signal) {
  return signal.reason ?? failed("aborted", "The call was aborted");
}
