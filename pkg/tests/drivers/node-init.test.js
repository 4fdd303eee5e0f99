// The `/wasm` door, in a process of its own.

import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { assert } from "chai";
import { initCases, watchImports } from "../cases/init.js";

const module = new URL("../../dist/core_bg.wasm", import.meta.url);
const bytes = await readFile(module);
const environment = {
  assert,
  watch: watchImports(globalThis),
  importWasmEntry: () => import("hotdata-wasm/wasm"),
  importDefaultEntry: () => import("hotdata-wasm"),
  sources: {
    "left out": () => undefined,
    url: () => module,
    string: () => module.href,
    bytes: () => bytes,
    buffer: () => new Uint8Array(bytes).buffer,
    module: () => WebAssembly.compile(bytes),
    response: () => new Response(bytes, { headers: { "content-type": "application/wasm" } }),
    "response of another type": () => new Response(bytes),
  },
};

for (const { name, run } of initCases) {
  test(name, { timeout: 60_000 }, async () => {
    await run(environment);
  });
}
