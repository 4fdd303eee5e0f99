// The default entry where only asynchronous compilation is allowed, as on the main thread of Chromium before 115.

import { test } from "node:test";
import { assert } from "chai";

const options = { table: "default.public.papers", column: "content", query: "a" };

test("the default entry stands and init makes it work", async () => {
  const { Module } = WebAssembly;
  WebAssembly.Module = new Proxy(Module, {
    construct(target, [bytes]) {
      if (bytes.byteLength > 4096)
        throw new RangeError("WebAssembly.Compile is disallowed on the main thread");
      return new target(bytes);
    },
  });
  const api = /** @type {any} */ (await import("hotdata-wasm"));
  WebAssembly.Module = Module;
  assert.throws(() => api.bm25SearchSql(options), /await init\(\)/);
  const { init } = await import("hotdata-wasm/wasm");
  await init();
  assert.include(api.bm25SearchSql(options), "bm25_search");
});
