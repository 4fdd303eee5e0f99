// The default entry: the module stands inside it as text, so that any runtime and bundler that can compile WebAssembly
// from bytes needs no file, no request and no init call.

import inline from "./core_inline.js";
import { isStarted, start } from "./instance.js";

/**
 * Compiles `core_bg.wasm`. Returns nothing that holds on to the unpacker: a memory reserves gigabytes of addresses, and
 * where these are limited, those have to be free again for the instance.
 */
function inlineModule() {
  const unpacker = new WebAssembly.Module(new Uint8Array(inline.unpacker));
  const { memory, unpack } =
    /** @type {{ memory: { buffer: ArrayBuffer }, unpack: () => number }} */ (
      /** @type {unknown} */ (new WebAssembly.Instance(unpacker).exports)
    );
  const bytes = new Uint8Array(memory.buffer);
  new TextEncoder().encodeInto(inline.text, bytes);
  return new WebAssembly.Module(bytes.subarray(0, unpack()));
}

if (!isStarted()) {
  try {
    start(inlineModule());
  } catch (error) {
    // Chromium before 115 compiles no more than 4 KB at once on a page's main thread. Such a page can still call `init`
    // of the `/wasm` entry, so the import stands; until then every call says so.
    if (!(error instanceof RangeError)) throw error;
  }
}

export * from "./api.js";
