// The `/wasm` door and the default entry in one page or process: one instance, whatever the order of calls.

/**
 * @typedef {{
 *   assert: import("../harness.js").Assert,
 *   importWasmEntry: () => Promise<any>,
 *   importDefaultEntry: () => Promise<any>,
 *   sources: Record<string, () => unknown>,
 *   watch: ReturnType<typeof watchImports>,
 * }} InitEnvironment sources: ways to name the module in this runtime
 */

/** In order: each case builds on the state that the one before left. */
/** @type {{ name: string, run: (environment: InitEnvironment) => unknown }[]} */
export const initCases = [
  {
    name: "importing /wasm starts nothing",
    async run({ assert, importWasmEntry, watch }) {
      await importWasmEntry();
      assert.deepEqual(watch.calls(), []);
      assert.lengthOf(watch.instances(), 0);
    },
  },
  {
    name: "a call before init says what to do",
    async run({ assert, importWasmEntry }) {
      const { bm25SearchSql } = await importWasmEntry();
      const options = { table: "default.public.papers", column: "content", query: "a" };
      try {
        bm25SearchSql(options);
      } catch (error) {
        assert.instanceOf(error, Error);
        assert.equal(/** @type {any} */ (error).code, "not_initialized");
        assert.match(/** @type {Error} */ (error).message, /init\(\)/);
        return;
      }
      assert.fail("no error");
    },
  },
  {
    name: "init refuses what is not a module, by name",
    async run({ assert, importWasmEntry }) {
      const { init } = await importWasmEntry();
      for (const bad of [42, {}, false, Symbol.iterator]) {
        const error = await init(bad).catch((/** @type {unknown} */ e) => e);
        assert.instanceOf(error, TypeError);
        assert.match(/** @type {Error} */ (error).message, /source must be/);
      }
    },
  },
  {
    name: "a failed init can be retried, also at once, and the rest share one instance",
    async run({ assert, importWasmEntry, importDefaultEntry, sources, watch }) {
      const entry = await importWasmEntry();
      const { init } = entry;
      const failed = init(new Response("gone", { status: 404 }));
      const attempts = Object.values(sources).map((source) => init(source()));
      const error = await failed.then(
        () => undefined,
        (/** @type {unknown} */ e) => e,
      );
      assert.match(String(error), /HTTP 404/);
      await Promise.all(attempts);
      await init(new Response("not read any more", { status: 500 }));
      const options = { table: "default.public.papers", column: "content", query: "a" };
      const sql = entry.bm25SearchSql(options);
      assert.include(sql, "bm25_search");

      const standard = await importDefaultEntry();
      assert.strictEqual(standard.Hotdata, entry.Hotdata);
      assert.strictEqual(standard.bm25SearchSql, entry.bm25SearchSql);
      assert.equal(standard.bm25SearchSql(options), sql);
      assert.lengthOf(watch.instances(), 1);
    },
  },
  {
    name: "many calls leave the memory at its size",
    async run({ assert, importDefaultEntry, watch }) {
      const { bm25SearchSql } = await importDefaultEntry();
      const options = { table: "default.public.papers", column: "content", query: "quiet garden" };
      for (let count = 0; count < 1_000; count++) bm25SearchSql(options);
      const instance = /** @type {WebAssembly.Instance} */ (watch.instances()[0]);
      const size = () =>
        /** @type {WebAssembly.Memory} */ (instance.exports.memory).buffer.byteLength;
      const before = size();
      for (let count = 0; count < 20_000; count++) bm25SearchSql(options);
      assert.equal(size(), before);
    },
  },
];

/**
 * Watches what an import may not do: requests, timers, randomness, instances.
 *
 * @param {any} scope the global object
 * @returns {{ calls: () => string[], instances: () => WebAssembly.Instance[] }}
 */
export function watchImports(scope) {
  /** @type {string[]} */
  const seen = [];
  /** @type {WebAssembly.Instance[]} */
  const instances = [];
  for (const name of ["fetch", "setTimeout", "setInterval", "queueMicrotask"]) {
    const original = scope[name];
    scope[name] = (/** @type {unknown[]} */ ...args) => {
      seen.push(name);
      return original.apply(scope, args);
    };
  }
  const random = scope.Math.random;
  scope.Math.random = () => {
    seen.push("Math.random");
    return random();
  };
  const Instance = scope.WebAssembly.Instance;
  scope.WebAssembly.Instance = new Proxy(Instance, {
    construct(target, args) {
      const instance = new target(...args);
      instances.push(instance);
      return instance;
    },
  });
  return { calls: () => [...seen], instances: () => [...instances] };
}
