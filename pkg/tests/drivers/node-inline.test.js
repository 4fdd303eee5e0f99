// What the default entry carries inside, in a process of its own.

import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { assert } from "chai";

const dist = new URL("../../dist/", import.meta.url);

test("the default entry compiles core_bg.wasm, byte for byte", async () => {
  /** @type {Buffer[]} */
  const compiled = [];
  WebAssembly.Module = new Proxy(WebAssembly.Module, {
    construct(target, [bytes]) {
      compiled.push(Buffer.from(bytes));
      return new target(bytes);
    },
  });
  await import("hotdata-wasm");
  const module = await readFile(new URL("core_bg.wasm", dist));
  assert.isTrue(compiled.at(-1)?.equals(module));
});

test("no character set reads its text otherwise, and no bundler has to escape it", async () => {
  const script = await readFile(new URL("core_inline.js", dist), "latin1");
  assert.match(script, /^[\n\x20-\x7e]+$/);
  const text = /text: "(.*)",\n/.exec(script)?.[1] ?? "";
  assert.isAbove(text.length, 100_000);
  assert.notMatch(text, /["'`\\$<]/);
});
