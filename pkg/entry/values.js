// Reading a caller's values. What cannot be read is left to the core to refuse by name: what the core calls here throws
// nothing, since an exception within WebAssembly ends every call under way.

const KINDS = {
  ...{ null: 1, undefined: 2, boolean: 3, number: 4, string: 5, bigint: 6, array: 7, object: 8 },
  ...{ Float32Array: 9, Float64Array: 10 },
};

/**
 * What a value is to the core, as a number; 0 for what has no meaning there.
 *
 * @param {unknown} value
 * @returns {number}
 */
export function kindOf(value) {
  const name = nameOf(value);
  return Object.hasOwn(KINDS, name) ? KINDS[/** @type {keyof KINDS} */ (name)] : 0;
}

/**
 * What a value is: `typeof` for a primitive or a function, `object` and `array` for plain ones, and the name of anything
 * else (`Map`, `Date`, `Float32Array`). By tag, not `instanceof`: a value may come from another realm.
 *
 * @param {unknown} value
 * @returns {string}
 */
export function nameOf(value) {
  try {
    if (value === null) return "null";
    if (typeof value === "string" && /\p{Surrogate}/u.test(value)) {
      return "string with half of a surrogate pair";
    }
    if (typeof value !== "object") return typeof value;
    if (Array.isArray(value)) return "array";
    if (ArrayBuffer.isView(value)) {
      const kind = viewGetter(Symbol.toStringTag).call(value) ?? "DataView";
      return isDetached(value) ? `detached ${kind}` : kind;
    }
    const tag = tagOf(value);
    if (tag !== "Object") return Object.hasOwn(KINDS, tag) ? `class instance ${tag}` : tag;
    const prototype = Object.getPrototypeOf(value);
    const plain = prototype === null || Object.getPrototypeOf(prototype) === null;
    return plain ? "object" : className(prototype);
  } catch {
    return "unreadable value";
  }
}

/**
 * A class may bear the name of a kind that it is none of.
 *
 * @param {any} prototype
 */
function className(prototype) {
  const name = String(prototype.constructor?.name ?? "class instance");
  return Object.hasOwn(KINDS, name) ? `class instance ${name}` : name;
}

/**
 * A property of typed arrays as they are, whatever a subclass says.
 *
 * @param {string | symbol} name
 * @returns {{ call(view: unknown): any }}
 */
function viewGetter(name) {
  const prototype = Object.getPrototypeOf(Uint8Array.prototype);
  return /** @type {any} */ (Object.getOwnPropertyDescriptor(prototype, name)?.get);
}

/**
 * The numbers of a `Float32Array` or `Float64Array` in a plain one.
 *
 * @param {Float32Array | Float64Array} value
 */
export function numbersOf(value) {
  const [buffer, offset, length] = ["buffer", "byteOffset", "length"].map((name) =>
    viewGetter(name).call(value),
  );
  return viewGetter(Symbol.toStringTag).call(value) === "Float32Array"
    ? new Float32Array(buffer, offset, length)
    : new Float64Array(buffer, offset, length);
}

/**
 * The words of what a host threw.
 *
 * @param {any} thrown
 */
export function wordsOf(thrown) {
  try {
    const words = typeof thrown === "string" ? thrown : thrown?.message;
    return typeof words === "string" ? words : "";
  } catch {
    return "";
  }
}

/**
 * Whether a typed array's memory has been given away. A copy of one throws.
 *
 * @param {ArrayBufferView} value
 */
function isDetached(value) {
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
 * The bytes of a body that has no stream.
 *
 * @param {any} response
 * @returns {Promise<Uint8Array>}
 */
export async function bodyOf(response) {
  const buffer = await response.arrayBuffer();
  if (!/^(Shared)?ArrayBuffer$/.test(tagOf(buffer))) {
    throw new TypeError("arrayBuffer() gave something else than an ArrayBuffer");
  }
  return new Uint8Array(buffer);
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

/**
 * What a value says of itself: `Uint8Array`, of whichever realm.
 *
 * @param {unknown} value
 */
export function tagOf(value) {
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
