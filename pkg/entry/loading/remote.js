// The bytes behind a URL: fetched without credentials, from public hosts, up to a limit.

import { bodyOf, responseStatus } from "../values.js";
import { untilAborted } from "./abort.js";
import { privateHost } from "./addresses.js";
import { readerPieces } from "./data.js";
import { failed, named, refused } from "./failure.js";
import { PieceSource } from "./parts.js";
import { detectFormat, HEAD_BYTES } from "./sniff.js";

/** @typedef {import("../sources.js").SourceHost} SourceHost */

const MOST_BYTES = 512 * 1024 * 1024;
const MOST_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

/** @type {Record<number, import("./failure.js").HotdataErrorCode>} */
const CODES = {
  401: "forbidden",
  403: "forbidden",
  404: "not_found",
  410: "not_found",
  429: "rate_limited",
  502: "unavailable",
  503: "unavailable",
  504: "unavailable",
};

/**
 * @param {import("../sources.js").SourceOptions} given
 * @param {import("../sources.js").LoadFormat | undefined} format
 * @param {SourceHost} host
 * @returns {Promise<import("../sources.js").ByteSource>}
 */
export async function openRemote({ url, maxBytes, allowPrivateHosts }, format, host) {
  const limit = limitOf(maxBytes);
  const request = new GuardedFetch(host, mayBePrivate(allowPrivateHosts));
  const first = parsed(url);
  try {
    const { response, address } = await request.follow(first);
    checkStatus(response);
    const length = lengthOf(response);
    if (length !== undefined && length > limit) throw tooLarge(limit, `has ${length} bytes`);
    const source = new PieceSource(bodyPieces(response, request, limit, length), host.signal);
    source.size = isLengthExact(response) ? length : undefined;
    const head = await source.head(HEAD_BYTES);
    source.format = detectFormat({
      argument: "url",
      format,
      head,
      type: response.headers.get("content-type") ?? "",
      names: [address.pathname, first.pathname],
    });
    return source;
  } catch (error) {
    request.end();
    throw error;
  }
}

/** The requests for one URL. */
class GuardedFetch {
  #fetch;
  #signal;
  #allowPrivate;
  // Not the caller's own signal: what a fetch leaves on it would stay there.
  #controller = new AbortController();
  #onAbort = () => this.end();

  /**
   * @param {SourceHost} host
   * @param {boolean} allowPrivate
   */
  constructor({ fetch, signal }, allowPrivate) {
    this.#fetch = fetch;
    this.#signal = signal;
    this.#allowPrivate = allowPrivate;
  }

  /**
   * Asks for an address, and for those it redirects to.
   *
   * @param {URL} first
   */
  async follow(first) {
    this.#check(first, "must not name");
    this.#signal?.addEventListener("abort", this.#onAbort);
    let address = first;
    for (let redirects = 0; ; redirects++) {
      const response = await this.#ask(address);
      if (response.type === "opaqueredirect" || response.status === 0) {
        throw failed(
          "unexpected_response",
          "`url` redirects, and this runtime does not show where to, so that it cannot be checked",
          { hint: "give the URL it ends at" },
        );
      }
      if (!REDIRECTS.includes(response.status)) return { response, address };
      discard(response);
      if (redirects === MOST_REDIRECTS) {
        throw failed("unexpected_response", `\`url\` redirects more than ${MOST_REDIRECTS} times`);
      }
      const next = target(response, address);
      if (address.protocol === "https:" && next.protocol === "http:") {
        throw failed("unexpected_response", "`url` redirects from https to http");
      }
      this.#check(next, "redirects to");
      address = next;
    }
  }

  /**
   * Lets go of the signal, and of the connection.
   *
   * @param {boolean} [isDone] whether the connection has ended by itself
   */
  end(isDone = false) {
    this.#signal?.removeEventListener("abort", this.#onAbort);
    if (!isDone) this.#controller.abort();
  }

  /**
   * @param {URL} address
   * @param {"must not name" | "redirects to"} verb
   */
  #check(address, verb) {
    const problem = this.#allowPrivate ? undefined : privateHost(address.hostname);
    if (!problem) return;
    const message = `\`url\` ${verb} ${address.hostname}, ${problem}`;
    throw failed(verb === "redirects to" ? "unexpected_response" : "invalid_argument", message, {
      hint: "`allowPrivateHosts: true` lets private hosts be read",
    });
  }

  /**
   * @param {URL} address
   * @returns {Promise<Response>}
   */
  async #ask(address) {
    // A function of its own: the global one may not be called as a method.
    const fetch = this.#fetch;
    const asked = (async () =>
      fetch(address.href, {
        method: "GET",
        headers: {},
        redirect: "manual",
        signal: this.#controller.signal,
      }))();
    const response = await untilAborted(
      this.#signal,
      asked.catch((cause) => {
        throw failed(
          "network",
          `\`url\`: ${address.hostname} gave no answer`,
          {
            retryable: true,
            hint:
              "document" in globalThis
                ? "in a page, the server has to allow the page's origin (CORS)"
                : undefined,
          },
          cause,
        );
      }),
    );
    if (responseStatus(response) === undefined) {
      throw failed("unexpected_response", "`fetch` gave something else than a Response for `url`");
    }
    return response;
  }
}

/**
 * Lets go of an answer's body, of whatever kind a caller's own `fetch` gives.
 *
 * @param {Response} response
 */
function discard({ body }) {
  if (typeof body?.cancel === "function") body.cancel().catch(() => {});
}

/** @param {unknown} url a string, or a URL of any realm */
function parsed(url) {
  const text = typeof url === "object" && url !== null && "href" in url ? url.href : url;
  if (typeof text !== "string") {
    throw refused("url", `must be an http or https URL, not ${named(url)}`);
  }
  let address;
  try {
    address = new URL(text);
  } catch {
    throw refused("url", "must be an absolute http or https URL");
  }
  const problem = addressProblem(address);
  if (problem) throw refused("url", problem);
  return withoutFragment(address);
}

/**
 * Where an answer redirects to.
 *
 * @param {Response} response
 * @param {URL} from
 */
function target(response, from) {
  const location = response.headers.get("location");
  let address;
  try {
    address = new URL(location ?? "", from);
  } catch {
    // No URL at all.
  }
  if (location === null || !address) {
    throw failed("unexpected_response", "`url` redirects without saying where to");
  }
  const problem = addressProblem(address);
  if (problem)
    throw failed("unexpected_response", `\`url\` redirects to an address that ${problem}`);
  return withoutFragment(address);
}

/** @param {URL} address */
function addressProblem({ protocol, username, password }) {
  if (protocol !== "https:" && protocol !== "http:") {
    return `must be http or https, not ${protocol.slice(0, 20)}`;
  }
  return username || password ? "must not hold credentials" : undefined;
}

/** @param {URL} address */
function withoutFragment(address) {
  address.hash = "";
  return address;
}

/** @param {unknown} maxBytes */
function limitOf(maxBytes) {
  if (maxBytes === undefined) return MOST_BYTES;
  if (typeof maxBytes === "number" && Number.isSafeInteger(maxBytes) && maxBytes > 0) {
    return maxBytes;
  }
  const found = typeof maxBytes === "number" ? maxBytes : named(maxBytes);
  throw refused("maxBytes", `must be a whole number of bytes above 0, not ${found}`);
}

/** @param {unknown} allowed */
function mayBePrivate(allowed) {
  if (allowed === undefined || typeof allowed === "boolean") return allowed === true;
  throw refused("allowPrivateHosts", `must be true or false, not ${named(allowed)}`);
}

/** @param {Response} response */
function checkStatus({ status }) {
  if (status >= 200 && status < 300) return;
  const code = CODES[status] ?? "unexpected_response";
  const retryable = code === "rate_limited" || code === "unavailable";
  throw failed(code, `\`url\` answered HTTP ${status}`, { status, retryable });
}

/** @param {Response} response */
function lengthOf(response) {
  const text = response.headers.get("content-length") ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/**
 * Whether the length told is that of the bytes that arrive: a compressed body is unpacked on the way, and a page does not
 * see whether another origin's was.
 *
 * @param {Response} response
 */
function isLengthExact(response) {
  const encoding = response.headers.get("content-encoding") ?? "identity";
  return encoding === "identity" && response.type !== "cors";
}

/**
 * @param {Response} response
 * @param {GuardedFetch} request
 * @param {number} limit
 * @param {number | undefined} length told by the server
 * @returns {import("./parts.js").Pieces}
 */
function bodyPieces(response, request, limit, length) {
  const told = isLengthExact(response) ? length : undefined;
  const pieces =
    typeof response.body?.getReader === "function"
      ? readerPieces(response.body.getReader(), broken, () => broken(undefined))
      : wholeBody(response);
  let read = 0;
  return {
    async pull() {
      const piece = await pieces.pull();
      read += piece?.length ?? 0;
      if (read > limit) throw tooLarge(limit, "goes on after that");
      if (told !== undefined && (piece ? read > told : read < told)) {
        throw failed(
          "network",
          `\`url\` gave ${piece ? "more than" : `${read} of`} the ${told} bytes it announced`,
          { retryable: true },
        );
      }
      return piece;
    },
    release(ended) {
      pieces.release(ended);
      request.end(ended);
    },
  };
}

/**
 * The body of an answer that gives no stream.
 *
 * @param {Response} response
 * @returns {import("./parts.js").Pieces}
 */
function wholeBody(response) {
  let isRead = response.body === null;
  return {
    async pull() {
      if (isRead) return undefined;
      isRead = true;
      return bodyOf(response).catch((cause) => {
        throw broken(cause);
      });
    },
    release() {},
  };
}

/** @param {unknown} cause */
function broken(cause) {
  return failed("network", "`url` broke off", { retryable: true }, cause);
}

/**
 * @param {number} limit
 * @param {string} found
 */
function tooLarge(limit, found) {
  return failed("too_large", `\`url\` may have ${limit} bytes and ${found}`, {
    hint: "`maxBytes` sets the limit",
  });
}
