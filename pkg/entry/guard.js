// Work with an end: its own, the caller's abort, or the end of its time.

import { signalState } from "./values.js";

export const DONE = 0;
export const FAILED = 1;
export const ABORTED = 2;
export const LATE = 3;

/**
 * How a piece of work ended: with its value, with what it threw, with the reason of an abort, or with its time.
 *
 * @typedef {{ how: number, value: unknown }} Ending
 */

/**
 * Runs a piece of work. It is not waited for beyond its end, and leaves no timer and no listener behind.
 *
 * @param {(signal: AbortSignal) => unknown} work gets a signal of its own: some hosts trip over the reasons that
 *   callers abort with
 * @param {AbortSignal | undefined} signal the caller's
 * @param {number} ms
 * @returns {Promise<Ending>}
 */
export function guarded(work, signal, ms) {
  return new Promise((resolve) => {
    const inner = new AbortController();
    const end = (/** @type {number} */ how, /** @type {unknown} */ value) => {
      clearTimeout(timer);
      if (signal) listen(signal, "removeEventListener", abort);
      resolve({ how, value });
    };
    const cut = (/** @type {number} */ how, /** @type {unknown} */ value) => {
      end(how, value);
      inner.abort();
    };
    const abort = () => cut(ABORTED, signalState(signal)?.reason);
    const timer = setTimeout(cut, ms, LATE);
    if (signal) {
      if (signalState(signal)?.aborted) {
        abort();
        return;
      }
      listen(signal, "addEventListener", abort);
    }
    try {
      Promise.resolve(work(inner.signal)).then(
        (value) => end(DONE, value),
        (thrown) => end(FAILED, thrown),
      );
    } catch (thrown) {
      end(FAILED, thrown);
    }
  });
}

/** Lets timers run. A source of endless nothing would hold them off for ever. */
export function breath() {
  return new Promise((resolve) => setTimeout(resolve));
}

/**
 * A pause, unless it is aborted.
 *
 * @param {AbortSignal | undefined} signal
 * @param {number} ms
 */
export function paused(signal, ms) {
  return guarded(() => new Promise(() => {}), signal, ms);
}

/**
 * The caller's own function, asked for the vectors of texts.
 *
 * @param {Function} embed
 * @param {string[]} texts
 * @param {AbortSignal | undefined} signal
 * @param {number} ms
 */
export function embedded(embed, texts, signal, ms) {
  return guarded((inner) => embed(texts, { signal: inner }), signal, ms);
}

/**
 * A stream that ends with the caller's abort, or when a piece of it is not there in time.
 *
 * @param {ReadableStream<Uint8Array>} stream
 * @param {AbortSignal | undefined} signal
 * @param {number} ms for each piece
 * @param {(ending: Ending) => unknown} errorOf what the stream fails with
 * @returns {ReadableStream<Uint8Array>}
 */
export function guardedStream(stream, signal, ms, errorOf) {
  const reader = stream.getReader();
  let abort = () => {};
  const release = () => signal && listen(signal, "removeEventListener", abort);
  const guarding = new ReadableStream(
    {
      start(controller) {
        abort = abortOf(signal, reader, controller);
        if (signalState(signal)?.aborted) abort();
        else if (signal) listen(signal, "addEventListener", abort);
      },
      async pull(controller) {
        const ending = await guarded(() => reader.read(), undefined, ms);
        if (ending.how !== DONE) {
          release();
          reader.cancel().catch(() => {});
          throw errorOf(ending);
        }
        const { done, value } = /** @type {ReadableStreamReadResult<Uint8Array>} */ (ending.value);
        if (!done) {
          controller.enqueue(value);
          return;
        }
        release();
        controller.close();
      },
      cancel(reason) {
        release();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  abandoned?.register(guarding, { signal, reader, abort });
  return guarding;
}

/**
 * Streams that nobody can read any more, not read to their end: what they hold is given back. Not every host tells of
 * them.
 *
 * @type {FinalizationRegistry<{ signal: AbortSignal | undefined, reader: ReadableStreamDefaultReader, abort: () => void }> | undefined}
 */
const abandoned =
  typeof FinalizationRegistry === "function"
    ? new FinalizationRegistry(({ signal, reader, abort }) => {
        if (signal) listen(signal, "removeEventListener", abort);
        reader.cancel().catch(() => {});
      })
    : undefined;

/**
 * What an abort does to a stream. It does not hold the stream, which a signal may outlive.
 *
 * @param {AbortSignal | undefined} signal
 * @param {ReadableStreamDefaultReader} reader of what stands behind it
 * @param {ReadableStreamDefaultController} controller
 */
function abortOf(signal, reader, controller) {
  const weak = weakly(controller);
  const abort = () => {
    if (signal) listen(signal, "removeEventListener", abort);
    const reason = signalState(signal)?.reason;
    weak.deref()?.error(reason);
    reader.cancel(reason).catch(() => {});
  };
  return abort;
}

/**
 * A function of its own: a closure that needs the object would make every closure beside it hold it.
 *
 * @template {object} T
 * @param {T} object
 * @returns {{ deref: () => T | undefined }}
 */
function weakly(object) {
  return typeof WeakRef === "function" ? new WeakRef(object) : { deref: () => object };
}

/**
 * What waits for a signal's abort, behind one listener: Node warns of more than ten, and many calls may share a signal.
 *
 * @type {WeakMap<AbortSignal, { waiting: Set<() => void>, run: () => void }>}
 */
const heard = new WeakMap();

/**
 * @param {AbortSignal} signal of any making
 * @param {"addEventListener" | "removeEventListener"} how
 * @param {() => void} listener
 */
function listen(signal, how, listener) {
  try {
    let all = heard.get(signal);
    if (!all) {
      /** @type {Set<() => void>} */
      const waiting = new Set();
      all = { waiting, run: () => [...waiting].map((one) => one()) };
      heard.set(signal, all);
    }
    const { waiting, run } = all;
    const adds = how === "addEventListener";
    if (adds) waiting.add(listener);
    else waiting.delete(listener);
    // The first one comes, or the last one goes.
    if (waiting.size === Number(adds)) signal[how]("abort", run);
  } catch {
    // A signal that cannot be listened to ends nothing; the time does.
  }
}
