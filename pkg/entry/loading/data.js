// Bytes the caller has: in memory, in a Blob, in a stream, or as text.

import { breath } from "../guard.js";
import { untilAborted } from "./abort.js";
import { bytesOf, copyOf } from "./bytes.js";
import { failed, named, refused } from "./failure.js";
import { PieceSource } from "./parts.js";
import { detectFormat, HEAD_BYTES } from "./sniff.js";
import { isWellFormed } from "./text.js";

/** @typedef {import("../sources.js").ByteSource} ByteSource */
/** @typedef {import("../sources.js").LoadFormat} LoadFormat */

const ACCEPTED =
  "must be bytes (a Uint8Array, an ArrayBuffer or a view of one), a Blob, a ReadableStream of bytes, or text";

/**
 * @param {unknown} data
 * @param {LoadFormat | undefined} format
 * @param {AbortSignal} [signal]
 * @returns {Promise<ByteSource>}
 */
export async function openData(data, format, signal) {
  const argument = "data";
  if (typeof data === "string") return openText(data, format, signal);
  const bytes = memoryOf(data);
  if (bytes) {
    const head = copyOf(bytes.subarray(0, HEAD_BYTES));
    return memorySource(bytes, detectFormat({ argument, format, head }), signal);
  }
  if (isBlob(data)) {
    const head = await blobPart(data, 0, HEAD_BYTES, signal);
    const names = typeof data.name === "string" ? [data.name] : [];
    return blobSource(
      data,
      detectFormat({ argument, format, head, type: data.type, names }),
      signal,
    );
  }
  if (isStream(data)) {
    const source = new PieceSource(streamPieces(data), signal);
    try {
      source.format = detectFormat({ argument, format, head: await source.head(HEAD_BYTES) });
    } catch (error) {
      await source.close();
      throw error;
    }
    return source;
  }
  throw refused(
    argument,
    `${ACCEPTED}, not ${named(data)}`,
    "a Response has its stream in `body`; Node's streams become one with `Readable.toWeb`",
  );
}

/** @param {unknown} data */
function memoryOf(data) {
  try {
    return bytesOf(data);
  } catch (cause) {
    throw refused("data", "is memory that has been transferred away", undefined, cause);
  }
}

/**
 * @param {string} text
 * @param {LoadFormat | undefined} format
 * @param {AbortSignal} [signal]
 */
function openText(text, format, signal) {
  if (format !== "csv" && format !== "json") {
    throw refused(
      "format",
      'must be "csv" or "json" where `data` is text',
      "Parquet goes in as bytes",
    );
  }
  if (!isWellFormed(text)) throw refused("data", "holds half of a surrogate pair");
  const bytes = new TextEncoder().encode(text);
  const head = bytes.subarray(0, HEAD_BYTES);
  return memorySource(bytes, detectFormat({ argument: "data", format, head }), signal);
}

/**
 * @param {Uint8Array} bytes
 * @param {LoadFormat} format
 * @param {AbortSignal} [signal]
 * @returns {ByteSource}
 */
function memorySource(bytes, format, signal) {
  const read = async (/** @type {number} */ from, /** @type {number} */ to) => {
    // As memory does that is given away meanwhile.
    if (bytes.length < to) throw shorter();
    // Copied part by part: the caller may use the memory again while a part is on its way.
    return copyOf(bytes.subarray(from, to));
  };
  return slicedSource(bytes.length, format, read, { signal });
}

/** @typedef {{ size: number, type: string, name?: unknown, slice: (from: number, to: number) => Blob }} BlobLike */

/**
 * By shape: not every runtime's Blob has a tag.
 *
 * @param {unknown} value
 * @returns {value is BlobLike}
 */
function isBlob(value) {
  const { slice, arrayBuffer, size, type } = /** @type {Blob} */ (Object(value));
  return (
    typeof slice === "function" &&
    typeof arrayBuffer === "function" &&
    typeof size === "number" &&
    typeof type === "string"
  );
}

/**
 * @param {BlobLike} blob
 * @param {LoadFormat} format
 * @param {AbortSignal} [signal]
 */
function blobSource(blob, format, signal) {
  return slicedSource(blob.size, format, (from, to) => blobPart(blob, from, to, signal), {
    signal,
  });
}

/**
 * @param {BlobLike} blob
 * @param {number} from
 * @param {number} to
 * @param {AbortSignal} [signal]
 */
async function blobPart(blob, from, to, signal) {
  const buffer = await untilAborted(
    signal,
    blob
      .slice(from, to)
      .arrayBuffer()
      .catch((cause) => {
        throw failed("network", "`data` could not be read", {}, cause);
      }),
  );
  return new Uint8Array(buffer);
}

/**
 * A source over something that can be read anywhere.
 *
 * @param {number} size
 * @param {LoadFormat} format
 * @param {(from: number, to: number) => Promise<Uint8Array<ArrayBuffer>>} read
 * @param {{ signal?: AbortSignal }} host
 * @returns {ByteSource}
 */
function slicedSource(size, format, read, { signal }) {
  let at = 0;
  let closed = false;
  return {
    size,
    format,
    async next(most) {
      if (closed) throw failed("internal", "the source was read after it was closed");
      if (at >= size) return undefined;
      const to = Math.min(size, at + most);
      const part = await untilAborted(signal, read(at, to));
      if (part.length !== to - at) throw shorter();
      at = to;
      return part;
    },
    async close() {
      closed = true;
    },
  };
}

function shorter() {
  return refused("data", "became shorter while it was read");
}

/**
 * @param {unknown} value
 * @returns {value is ReadableStream<unknown>}
 */
function isStream(value) {
  const { getReader, locked } = /** @type {ReadableStream} */ (Object(value));
  return typeof getReader === "function" && typeof locked === "boolean";
}

/**
 * @param {ReadableStream<unknown>} stream
 * @returns {import("./parts.js").Pieces}
 */
function streamPieces(stream) {
  if (stream.locked) throw refused("data", "is a stream that somebody else reads: it is locked");
  try {
    // The one thing everywhere that tells a stream read before from a fresh one.
    new Response(/** @type {ReadableStream} */ (stream));
  } catch (cause) {
    throw refused("data", "is a stream that has been read from before", undefined, cause);
  }
  const reader = stream.getReader();
  return readerPieces(
    reader,
    (cause) => failed("network", "`data` broke off: its stream failed", {}, cause),
    (value) =>
      refused(
        "data",
        `must be a stream of bytes (Uint8Array), not of ${typeof value === "string" ? "strings" : named(value)}`,
        typeof value === "string" ? "pipe it through a TextEncoderStream" : undefined,
      ),
  );
}

/**
 * @param {ReadableStreamDefaultReader<unknown>} reader
 * @param {(cause: unknown) => Error} broken
 * @param {(chunk: unknown) => Error} notBytes
 * @returns {import("./parts.js").Pieces}
 */
export function readerPieces(reader, broken, notBytes) {
  return {
    async pull() {
      const { done, value } = await reader.read().catch((cause) => {
        throw broken(cause);
      });
      if (done) return undefined;
      const piece = bytesOf(value);
      if (!piece) throw notBytes(value);
      if (piece.length === 0) await breath();
      return piece;
    },
    release() {
      // Not awaited: a stream may take its time to end. Its failure to is nobody's.
      reader.cancel().catch(() => {});
    },
  };
}
