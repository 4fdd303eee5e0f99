// The `/wasm` door in a Cloudflare Worker, which brings the module as an import.

import { assert } from "./chai/index.js";
import module from "./dist/core_bg.wasm";
import { initCases, watchImports } from "./tests/cases/init.js";
import { runCases } from "./tests/harness.js";

export default {
  async fetch() {
    const environment = {
      assert,
      watch: watchImports(globalThis),
      importWasmEntry: () => import("./dist/wasm.js"),
      importDefaultEntry: () => import("./dist/index.workerd.js"),
      sources: { module: () => module, promise: () => Promise.resolve(module) },
    };
    return Response.json(await runCases(initCases, environment));
  },
};
