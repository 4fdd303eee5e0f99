// Reading a caller's values. Nothing here throws: what cannot be read is left to the core to refuse by name.

/**
 * What a value is to the core: `typeof` for a primitive or a function, `object` and `array` for plain ones, and the
 * name of anything else (`Map`, `Date`, `Float32Array`). By tag, not `instanceof`: a value may come from another realm.
 *
 * @param {unknown} value
 * @returns {string}
 */
export function kindOf(value) {
  try {
    if (value === null) return "null";
    if (typeof value !== "object") return typeof value;
    if (Array.isArray(value)) return "array";
    const tag = tagOf(value);
    if (tag !== "Object") return isDetached(value) ? `detached ${tag}` : tag;
    const prototype = Object.getPrototypeOf(value);
    const plain = prototype === null || Object.getPrototypeOf(prototype) === null;
    return plain ? "object" : (prototype.constructor?.name ?? "class instance");
  } catch {
    return "unreadable value";
  }
}

/**
 * Whether a typed array's memory has been given away. A copy of one throws.
 *
 * @param {object} value
 */
function isDetached(value) {
  if (!ArrayBuffer.isView(value)) return false;
  try {
    new Uint8Array(value.buffer);
    return false;
  } catch {
    return true;
  }
}

/**
 * The own members of an object but for those skipped, as names and values.
 *
 * @param {Record<string, unknown>} object
 * @param {string[]} skipped
 * @returns {[string[], unknown[]] | undefined}
 */
export function membersOf(object, skipped) {
  try {
    const names = Object.keys(object).filter((name) => !skipped.includes(name));
    return [names, names.map((name) => object[name])];
  } catch {
    return undefined;
  }
}

/**
 * The items of an array, or its numbers packed where it holds nothing else; nothing where there are more than `most`. A
 * hole is an undefined item.
 *
 * @param {unknown[]} array
 * @param {number} most
 * @returns {unknown[] | Float64Array | undefined}
 */
export function itemsOf(array, most) {
  try {
    const { length } = array;
    if (!(length <= most)) return undefined;
    const numbers = new Float64Array(length);
    for (let at = 0; at < length; at++) {
      const item = array[at];
      if (typeof item !== "number") return Array.from({ length }, (_, index) => array[index]);
      numbers[at] = item;
    }
    return length > 0 ? numbers : [];
  } catch {
    return undefined;
  }
}

/**
 * The status of what a caller's `fetch` answered with, if it reads like a Response, of whichever class.
 *
 * @param {any} value
 * @returns {number | undefined}
 */
export function responseStatus(value) {
  try {
    const { status, headers, arrayBuffer } = value;
    const reads = typeof headers.get === "function" && typeof arrayBuffer === "function";
    return reads && Number.isInteger(status) && status >= 0 && status < 1000 ? status : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The bytes of a body, taken from its stream where it has one: engines copy them once more for `arrayBuffer()`.
 *
 * @param {any} response
 * @returns {Promise<Uint8Array>}
 */
export async function bodyOf(response) {
  const { body } = response;
  if (typeof body?.getReader !== "function") {
    const buffer = await response.arrayBuffer();
    if (!/^(Shared)?ArrayBuffer$/.test(tagOf(buffer))) {
      throw new TypeError("arrayBuffer() gave something else than an ArrayBuffer");
    }
    return new Uint8Array(buffer);
  }
  const reader = body.getReader();
  /** @type {Uint8Array[]} */
  const pieces = [];
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (tagOf(next.value) !== "Uint8Array") {
      throw new TypeError("the body gave something else than a Uint8Array");
    }
    // None has a length once its memory has been given away.
    if (next.value.length) pieces.push(next.value);
  }
  return joined(pieces);
}

/**
 * Bytes in one piece.
 *
 * @param {Uint8Array[]} pieces
 */
export function joined(pieces) {
  if (pieces.length === 1 && pieces[0]?.length) return pieces[0];
  const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** @param {unknown} value */
function tagOf(value) {
  return Object.prototype.toString.call(value).slice(8, -1);
}

/**
 * What of a signal is asked for, where it can be read.
 *
 * @param {any} signal
 * @returns {{ aborted: boolean, reason: unknown } | undefined}
 */
export function signalState(signal) {
  try {
    const { aborted, reason, addEventListener, removeEventListener } = signal;
    const reads =
      typeof aborted === "boolean" &&
      typeof addEventListener === "function" &&
      typeof removeEventListener === "function";
    return reads ? { aborted, reason } : undefined;
  } catch {
    return undefined;
  }
}
