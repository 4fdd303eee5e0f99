// One request and its answer.

import { HotdataError } from "./errors.js";
import { breath, guarded, guardedStream } from "./guard.js";
import { bodyOf, joined, responseStatus, tagOf } from "./values.js";

/** What a request failed at, beside `network`. */
const KEY = "key";
const SHAPE = "shape";
const SIZE = "size";

/** The most bytes read of the body of a failure. */
const MOST_OF_A_FAILURE = 65_536;

/** More parts than a host's error has. */
const MOST_PARTS = 1_000;

/** What shows that a connection was never made, by the words of Node and of Bun. */
const NOT_CONNECTED = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused/;

/** A failure that is not the host's. */
class Fault {
  /**
   * @param {string} at
   * @param {unknown} [thrown]
   */
  constructor(at, thrown) {
    this.at = at;
    this.thrown = thrown;
  }
}

/**
 * An answer with its body.
 *
 * @typedef {object} Answer
 * @property {number} status
 * @property {Headers} headers
 * @property {Uint8Array | ReadableStream<Uint8Array>} body
 */

/**
 * Sends once and reads the answer.
 *
 * @param {Function} fetch
 * @param {string | (() => unknown) | undefined} key what to sign with; nothing for storage
 * @param {string} method
 * @param {string} url
 * @param {string} headers names and values by turns, a line each
 * @param {string | Uint8Array | undefined} body
 * @param {number} most bytes of a success's body; below zero for a stream
 * @param {AbortSignal | undefined} signal
 * @param {number} ms
 * @returns {Promise<import("./guard.js").Ending & { unsent: boolean }>} With an `Answer`, or with a `Fault` or what the
 *   host threw; `unsent` where it ended before anything was sent.
 */
export function exchange(fetch, key, method, url, headers, body, most, signal, ms) {
  let used = "";
  let begun = false;
  const sent = async (/** @type {AbortSignal} */ inner) => {
    /** @type {Record<string, string>} */
    const named = {};
    const lines = headers.split("\n");
    for (let at = 0; at + 1 < lines.length; at += 2) named[lines[at] ?? ""] = lines[at + 1] ?? "";
    if (key !== undefined) {
      used = await keyOf(key);
      named.authorization = `Bearer ${used}`;
    }
    /** @type {Record<string, unknown>} */
    const init = { method, headers: named, signal: inner, redirect: "manual" };
    if (body !== undefined) init.body = body;
    // Nobody waits any more: what is sent now would be sent behind the caller's back.
    if (inner.aborted) throw new Fault(KEY);
    begun = true;
    const response = await fetch(url, init);
    if (responseStatus(response) === undefined) throw new Fault(SHAPE);
    return /** @type {Response} */ (response);
  };
  const work = async (/** @type {AbortSignal} */ inner) => {
    try {
      let response = await sent(inner);
      if (response.status === 401 && typeof key === "function") {
        // The key may have been renewed since it was given. The same one again would be refused again.
        const refused = used;
        used = await keyOf(key);
        if (used !== refused) {
          discard(response);
          response = await sent(inner);
        }
      }
      return await read(response, most, used, { inner, signal, ms });
    } catch (thrown) {
      // What follows the path of a storage address is what permits the writing.
      throw withoutKey(thrown, key === undefined ? url.slice(url.indexOf("?") + 1) : used);
    }
  };
  return guarded(work, signal, ms).then((ending) => ({ ...ending, unsent: !begun }));
}

/**
 * A header of an answer, where it is text.
 *
 * @param {Answer} answer
 * @param {string} name
 * @returns {string | undefined}
 */
export function headerOf(answer, name) {
  try {
    const value = answer.headers.get(name);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The text of a body, whatever bytes it is of.
 *
 * @param {Uint8Array} body
 */
export function textOf(body) {
  return new TextDecoder().decode(body);
}

/**
 * What an exchange failed at: `key`, `shape`, `size`, `unsent` or `network`.
 *
 * @param {unknown} value
 */
export function faultAt(value) {
  if (value instanceof Fault) return value.at;
  try {
    const { code, cause } = /** @type {any} */ (value ?? {});
    const told = [code, cause?.code].filter((one) => typeof one === "string");
    return told.some((one) => NOT_CONNECTED.test(one)) ? "unsent" : "network";
  } catch {
    return "network";
  }
}

/**
 * What the host threw.
 *
 * @param {unknown} value
 */
export function thrownBy(value) {
  return value instanceof Fault ? value.thrown : value;
}

/**
 * Whether a text can be sent as a key.
 *
 * @param {unknown} key
 */
export function isKey(key) {
  return typeof key === "string" && /^[\x21-\x7e]{1,8192}$/.test(key);
}

/**
 * Whether a key is long enough to be one: the words of an answer hold shorter ones by chance.
 *
 * @param {string} key
 */
function isSecret(key) {
  return key.length >= 8;
}

/** @param {string | (() => unknown)} key */
async function keyOf(key) {
  if (typeof key === "string") return key;
  let given;
  try {
    given = await key();
  } catch (thrown) {
    throw new Fault(KEY, thrown);
  }
  if (!isKey(given)) throw new Fault(KEY);
  return /** @type {string} */ (given);
}

/**
 * @param {Response} response
 * @param {number} most
 * @param {string} key
 * @param {{ inner: AbortSignal, signal: AbortSignal | undefined, ms: number }} end
 * @returns {Promise<Answer>}
 */
async function read(response, most, key, { inner, signal, ms }) {
  const { status, headers } = response;
  if (status < 200 || status > 299) {
    const body = await bytesOf(response, MOST_OF_A_FAILURE, true, inner).catch(
      () => new Uint8Array(),
    );
    const text = textOf(body);
    const echoed = isSecret(key) && text.includes(key);
    return { status, headers, body: echoed ? bytes(text.replaceAll(key, "[hidden]")) : body };
  }
  if (most >= 0) return { status, headers, body: await bytesOf(response, most, false, inner) };
  const type = headers.get("content-type") ?? "";
  if (status !== 200 || !type.startsWith("application/vnd.apache.arrow.stream")) {
    return { status, headers, body: await bytesOf(response, MOST_OF_A_FAILURE, true, inner) };
  }
  const stream = guardedStream(streamOf(response), signal, ms, (ending) => {
    const late = `No further piece of the answer within ${ms} ms (\`timeoutMs\` sets the time)`;
    return ending.value === undefined
      ? new HotdataError({ code: "timeout", message: late, retryable: true })
      : new HotdataError(
          { code: "network", message: "The answer broke off", status, retryable: true },
          withoutKey(ending.value, key),
        );
  });
  return { status, headers, body: stream };
}

/**
 * @param {Response} response
 * @param {number} most
 * @param {boolean} cut whether more is left unread, or a fault
 * @param {AbortSignal} inner after which nobody waits for it
 */
async function bytesOf(response, most, cut, inner) {
  if (!cut && Number(response.headers.get("content-length")) > most) {
    discard(response);
    throw new Fault(SIZE);
  }
  const { body } = response;
  if (body === null) return new Uint8Array();
  /** @type {Uint8Array[]} */
  const pieces = [];
  let total = 0;
  if (typeof body?.getReader !== "function") {
    // Some hosts and stand-ins have no streams.
    const whole = await bodyOf(response);
    if (whole.length > most && !cut) throw new Fault(SIZE);
    return whole.subarray(0, most);
  }
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return joined(pieces);
    if (inner.aborted) {
      reader.cancel().catch(() => {});
      throw new Fault(SIZE);
    }
    if (!ArrayBuffer.isView(value) || tagOf(value) !== "Uint8Array") {
      throw new TypeError("the body gave something else than a Uint8Array");
    }
    // One has no length once its memory has been given away.
    if (value.length) pieces.push(value);
    else await breath();
    total += value.length;
    if (total > most) {
      reader.cancel().catch(() => {});
      if (cut) return joined(pieces);
      throw new Fault(SIZE);
    }
  }
}

/** @param {Response} response */
function streamOf(response) {
  if (typeof response.body?.getReader === "function") return response.body;
  return new ReadableStream({
    async start(controller) {
      const whole = await bodyOf(response);
      if (whole.length > 0) controller.enqueue(whole);
      controller.close();
    },
  });
}

/** @param {Response} response */
function discard(response) {
  if (!response.bodyUsed) response.body?.cancel?.().catch(() => {});
}

/** @param {string} text */
function bytes(text) {
  return new TextEncoder().encode(text);
}

/**
 * What was thrown, unless it shows the key: then its name and message alone, without it.
 *
 * @param {any} thrown
 * @param {string} key
 * @returns {unknown}
 */
function withoutKey(thrown, key) {
  if (thrown instanceof Fault) return new Fault(thrown.at, withoutKey(thrown.thrown, key));
  if (!isSecret(key) || !shows(thrown, key)) return thrown;
  const kept = new Error(String(thrown?.message ?? thrown).replaceAll(key, "[hidden]"));
  kept.name = String(thrown?.name ?? "Error").replaceAll(key, "[hidden]");
  return kept;
}

/**
 * Whether a console, a log or JSON would show a text of what was thrown, of what caused it or of what hangs on it. What
 * cannot be looked through is taken to.
 *
 * @param {any} thrown
 * @param {string} text
 */
function shows(thrown, text) {
  const parts = new Set([thrown]);
  try {
    for (const part of parts) {
      if (parts.size > MOST_PARTS || (typeof part === "string" && part.includes(text))) return true;
      if (Object(part) !== part || ArrayBuffer.isView(part)) continue;
      for (const name of Reflect.ownKeys(part)) {
        parts.add(String(name)).add(Object.getOwnPropertyDescriptor(part, name)?.value);
      }
      // What classes hold elsewhere: errors of the host, requests, headers, maps.
      parts.add(part.message).add(part.stack).add(part.headers);
      if (!Array.isArray(part) && typeof part.entries === "function")
        parts.add([...part.entries()]);
    }
  } catch {
    return true;
  }
  return false;
}
