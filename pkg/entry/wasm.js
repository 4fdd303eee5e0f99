// The entry for those who bring the module themselves: the smallest download, and streaming compilation.

import { isStarted, start } from "./instance.js";
import { tagOf } from "./values.js";

export * from "./api.js";

/**
 * `WebAssembly.Module`, where the project's types know it: those of Node alone do not.
 *
 * @typedef {typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module & object : object} WasmModule
 */
/** @typedef {WasmModule | URL | string | Response | ArrayBuffer | ArrayBufferView} WasmSource */

/** @type {Promise<void> | undefined} */
let pending;

/**
 * Makes the package's functions and classes usable. May be called any number of times, also at once: there is one
 * instance, and once it exists further calls resolve without reading their source. After a failure the next call tries
 * again.
 *
 * @param {WasmSource | Promise<WasmSource>} [source] the compiled module, where to fetch it (a string is a URL), an
 *   answer that holds it, or its bytes; left out, `core_bg.wasm` beside this file
 * @returns {Promise<void>}
 * @throws {TypeError} when `source` is none of these
 * @throws {Error} when the module cannot be fetched
 * @throws {WebAssembly.CompileError} when the bytes are not WebAssembly
 * @throws {WebAssembly.LinkError} when the module is another version's
 */
export async function init(source) {
  while (pending && !isStarted()) {
    // Another call is at it. Its failure is its caller's; this call then tries its own source.
    await pending.catch(() => {});
  }
  if (isStarted()) return;
  const attempt = compile(source).then(start);
  pending = attempt;
  try {
    await attempt;
  } finally {
    if (pending === attempt) pending = undefined;
  }
}

/**
 * @param {WasmSource | Promise<WasmSource> | undefined} source
 * @returns {Promise<WebAssembly.Module>}
 */
async function compile(source) {
  const given = (await source) ?? new URL("./core_bg.wasm", import.meta.url);
  // By shape, not `instanceof`: a module or an answer may come from another realm.
  if (tagOf(given) === "WebAssembly.Module") return /** @type {WebAssembly.Module} */ (given);
  if (typeof given === "string") return load(given);
  if (ArrayBuffer.isView(given) || /^(Shared)?ArrayBuffer$/.test(tagOf(given))) {
    return WebAssembly.compile(/** @type {BufferSource} */ (given));
  }
  if ("href" in Object(given)) return load(/** @type {URL} */ (given));
  if ("arrayBuffer" in Object(given)) return compileResponse(/** @type {Response} */ (given));
  throw new TypeError(
    "init(source): source must be a WebAssembly.Module, a URL, a Response or bytes (an ArrayBuffer or a view of one), " +
      `not ${tagOf(given)}`,
  );
}

/** @param {URL | string} url */
async function load(url) {
  const file = String(url).startsWith("file:") && nodeFiles();
  if (file) return WebAssembly.compile(await file.readFile(new URL(url)));
  let response;
  try {
    response = await fetch(String(url));
  } catch (cause) {
    throw new Error(`the WebAssembly module could not be fetched from ${url}`, { cause });
  }
  return compileResponse(response);
}

/** @param {Response} response */
async function compileResponse(response) {
  if (!response.ok) {
    const from = response.url ? ` for ${response.url}` : "";
    throw new Error(`the WebAssembly module could not be fetched: HTTP ${response.status}${from}`);
  }
  const type = response.headers.get("content-type") ?? "";
  // Streaming insists on the media type, which not every server knows.
  return type.startsWith("application/wasm") && typeof WebAssembly.compileStreaming === "function"
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

/**
 * Node's `fetch` refuses `file:` URLs. Its file functions are asked for at run time: an import of `node:` would stop
 * bundlers for the browser.
 *
 * @returns {{ readFile: (url: URL) => Promise<Uint8Array<ArrayBuffer>> } | undefined}
 */
function nodeFiles() {
  const { process } = /** @type {{ process?: { getBuiltinModule?: (name: string) => any } }} */ (
    globalThis
  );
  return process?.getBuiltinModule?.("node:fs/promises");
}
