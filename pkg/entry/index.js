// The default entry: the module stands inside it as base64, so that any runtime and bundler that can compile
// WebAssembly from bytes needs no file, no request and no init call.

import { bytesFromBase64 } from "./base64.js";
import base64 from "./core_inline.js";
import { isStarted, start } from "./instance.js";

if (!isStarted()) {
  try {
    start(new WebAssembly.Module(bytesFromBase64(base64)));
  } catch (error) {
    // Chromium before 115 compiles no more than 4 KB at once on a page's main thread. Such a page can still call `init`
    // of the `/wasm` entry, so the import stands; until then every call says so.
    if (!(error instanceof RangeError)) throw error;
  }
}

export * from "./api.js";
