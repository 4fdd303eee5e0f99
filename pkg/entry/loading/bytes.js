// Bytes in a caller's hands.

import { tagOf } from "../values.js";

/**
 * The memory of an ArrayBuffer or a view of one, not copied.
 *
 * @param {unknown} value
 * @returns {Uint8Array | undefined} nothing for anything else
 * @throws {TypeError} when the memory has been transferred away
 */
export function bytesOf(value) {
  if (ArrayBuffer.isView(value)) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  }
  const isBuffer = /^(Shared)?ArrayBuffer$/.test(tagOf(value));
  return isBuffer ? new Uint8Array(/** @type {ArrayBuffer} */ (value)) : undefined;
}

/**
 * A copy in memory of our own. `slice` of a Node Buffer shares it.
 *
 * @param {Uint8Array} bytes
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function copyOf(bytes) {
  const copy = new Uint8Array(bytes.length);
  copy.set(bytes);
  return copy;
}
