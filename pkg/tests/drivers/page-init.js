// The `/wasm` door in a browser page.

import { assert } from "/chai/index.js";
import { initCases, watchImports } from "../cases/init.js";
import { runCases } from "../harness.js";

const url = "/dist/core_bg.wasm";
const bytes = await (await fetch(url)).arrayBuffer();
globalThis.caseResults = await runCases(initCases, {
  assert,
  watch: watchImports(globalThis),
  importWasmEntry: () => import("/dist/wasm.js"),
  importDefaultEntry: () => import("/dist/index.js"),
  sources: {
    "left out": () => undefined,
    url: () => new URL(url, location.href),
    string: () => url,
    "fetched response": () => fetch(url),
    bytes: () => new Uint8Array(bytes),
    buffer: () => bytes,
    module: () => WebAssembly.compile(bytes),
  },
});
