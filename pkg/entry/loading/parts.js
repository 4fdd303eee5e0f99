// From pieces of any length to parts of the length that is asked for.

import { throwIfAborted, untilAborted } from "./abort.js";
import { copyOf } from "./bytes.js";
import { failed } from "./failure.js";

/** @typedef {import("../sources.js").ByteSource} ByteSource */
/** @typedef {import("../sources.js").LoadFormat} LoadFormat */

/** The first room made for a part, in bytes; it doubles up to the part's length. */
const FIRST_ROOM = 64 * 1024;

/**
 * Where pieces come from.
 *
 * @typedef {object} Pieces
 * @property {() => Promise<Uint8Array | undefined>} pull the next piece, of any length; nothing after the end. Its memory
 *   may change once the next one is pulled.
 * @property {(ended: boolean) => void} release gives back what is held. Called once: at the end, or before it.
 */

/**
 * A source over pieces, holding no more than one part and one piece.
 *
 * @implements {ByteSource}
 */
export class PieceSource {
  /** @type {Uint8Array[]} read and not yet given, in our own memory */
  #held = [];
  /** @type {{ reason: unknown } | undefined} */
  #failure;
  #ended = false;
  #released = false;
  #pieces;
  #signal;
  /** @type {number | undefined} */
  size;
  /** @type {LoadFormat | undefined} */
  format;

  /**
   * @param {Pieces} pieces
   * @param {AbortSignal} [signal]
   */
  constructor(pieces, signal) {
    this.#pieces = pieces;
    this.#signal = signal;
  }

  /**
   * The first bytes, which `next` still gives.
   *
   * @param {number} most
   * @returns {Promise<Uint8Array>} fewer only where there are no more
   */
  async head(most) {
    const head = await this.next(most);
    if (!head) return new Uint8Array();
    this.#held.unshift(head);
    return head;
  }

  /** @param {number} most */
  async next(most) {
    if (this.#failure) throw this.#failure.reason;
    try {
      throwIfAborted(this.#signal);
      return await this.#gather(most);
    } catch (reason) {
      this.#failure = { reason };
      await this.close();
      throw reason;
    }
  }

  async close() {
    this.#failure ??= { reason: failed("internal", "the source was read after it was closed") };
    this.#held = [];
    this.#release();
  }

  /** @param {number} most */
  async #gather(most) {
    let part = new Uint8Array(Math.min(most, FIRST_ROOM));
    let length = 0;
    while (length < most) {
      const ours = this.#held.shift();
      const piece = ours ?? (await this.#pull());
      if (!piece) break;
      const taken = Math.min(piece.length, most - length);
      if (length + taken > part.length) {
        const wider = new Uint8Array(Math.min(most, Math.max(length + taken, part.length * 2)));
        wider.set(part.subarray(0, length));
        part = wider;
      }
      part.set(piece.subarray(0, taken), length);
      length += taken;
      if (taken < piece.length) {
        this.#held.unshift(ours ? piece.subarray(taken) : copyOf(piece.subarray(taken)));
      }
    }
    if (length === 0) return undefined;
    return length === part.length ? part : part.slice(0, length);
  }

  async #pull() {
    if (this.#ended) return undefined;
    const piece = await untilAborted(this.#signal, this.#pieces.pull());
    // Closed meanwhile: what ends then is not the end.
    if (this.#failure) throw this.#failure.reason;
    if (!piece) {
      this.#ended = true;
      this.#release();
    }
    return piece;
  }

  #release() {
    if (this.#released) return;
    this.#released = true;
    this.#pieces.release(this.#ended);
  }
}
