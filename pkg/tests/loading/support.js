// What the tests of loading share. The sources are not public: they are imported from the built package by path.

import { getEventListeners } from "node:events";
import { createServer } from "node:http";
import { assert } from "chai";
import { openSource } from "../../dist/sources.js";

/** @typedef {import("../../dist/sources.js").ByteSource} ByteSource */
/** @typedef {import("../../dist/sources.js").SourceOptions} SourceOptions */

/** A fetch for what must be refused before any request. */
export const noFetch = /** @type {typeof fetch} */ (
  () => {
    throw new Error("a request was sent");
  }
);

/**
 * @param {SourceOptions} given
 * @param {{ fetch?: typeof fetch, signal?: AbortSignal }} [host]
 */
export function open(given, { fetch = noFetch, signal } = {}) {
  return openSource(given, { fetch, signal });
}

/**
 * All bytes of a source, asked for in parts.
 *
 * @param {ByteSource} source
 * @param {() => number} [most] bytes of the next part
 */
export async function readAll(source, most = () => 1 << 20) {
  /** @type {Uint8Array[]} */
  const parts = [];
  let size = 0;
  let isLast = false;
  for (;;) {
    const asked = most();
    const part = await source.next(asked);
    if (!part) break;
    assert.isFalse(isLast, "a part shorter than asked for came before the end");
    assert.isAtMost(part.length, asked);
    assert.isAtLeast(part.length, 1);
    isLast = part.length < asked;
    size += part.length;
    parts.push(part);
  }
  assert.isUndefined(await source.next(1), "nothing comes after the end");
  if (source.size !== undefined) assert.equal(source.size, size);
  return new Uint8Array(Buffer.concat(parts));
}

/**
 * What a promise rejects with.
 *
 * @param {Promise<unknown>} work
 * @returns {Promise<any>}
 */
export async function failure(work) {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error("it did not fail");
}

/**
 * Opening fails so: as invalid_argument unless another code is told.
 *
 * @param {SourceOptions} given
 * @param {RegExp} message
 * @param {{ code?: string, hint?: RegExp, fetch?: typeof fetch }} [more]
 */
export async function refuses(given, message, { code = "invalid_argument", hint, fetch } = {}) {
  const error = await failure(open(given, { fetch }));
  assert.equal(error.name, "HotdataError", error.stack);
  assert.match(error.message, message);
  assert.equal(error.code, code, error.message);
  if (hint) assert.match(error.hint ?? "", hint);
  return error;
}

/**
 * An abort ends a wait with its own reason, at once, and leaves no listener.
 *
 * @param {(signal: AbortSignal) => Promise<unknown>} wait begins to wait for what does not come
 */
export async function endsWithAbort(wait) {
  const controller = new AbortController();
  const reason = new Error("enough");
  const waiting = wait(controller.signal);
  setTimeout(() => controller.abort(reason), 50);
  const begun = performance.now();
  assert.equal(await failure(waiting), reason);
  assert.isBelow(performance.now() - begun, 2_000);
  assert.lengthOf(getEventListeners(controller.signal, "abort"), 0);
}

/**
 * A server on this machine for one test.
 *
 * @param {import("node:test").TestContext} context ends it
 * @param {import("node:http").RequestListener} answer
 * @returns {Promise<string>} its address
 */
export async function serve(context, answer) {
  const server = createServer(answer);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return `http://127.0.0.1:${port}`;
}

/**
 * Random numbers, the same on every run.
 *
 * @param {number} seed
 * @returns {() => number} from 0 to 1
 */
export function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
