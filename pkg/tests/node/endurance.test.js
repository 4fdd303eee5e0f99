// Thousands of calls on one client leave nothing behind: no memory, no listener, no timer.

import { spawn } from "node:child_process";
import process from "node:process";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { assert } from "chai";
import { startService } from "./service.js";

const CALLS = 2_000;
const MOST_HEAP_GROWTH = 1_500_000;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

/** @type {WebAssembly.Memory | undefined} */
let memory;
const { Instance } = WebAssembly;
/** @type {any} */ (WebAssembly).Instance = class extends Instance {
  /** @param {[WebAssembly.Module, WebAssembly.Imports]} made */
  constructor(...made) {
    super(...made);
    memory = /** @type {WebAssembly.Memory} */ (this.exports.memory);
  }
};
const { Hotdata, bm25SearchSql } = await import("hotdata-wasm");
WebAssembly.Instance = Instance;

/** @type {Awaited<ReturnType<typeof startService>>} */
let service;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const client = () =>
  new Hotdata({
    baseUrl: service.url,
    apiKey: "hd_test",
    workspaceId: "ws",
    databaseId: "db",
    maxRetries: 1,
  });

/** A signal whose listeners are counted. */
function countedSignal() {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners = new Set();
  let most = 0;
  signal.addEventListener = (/** @type {string} */ type, /** @type {any} */ listener) => {
    listeners.add(listener);
    most = Math.max(most, listeners.size);
    AbortSignal.prototype.addEventListener.call(signal, type, listener);
  };
  signal.removeEventListener = (/** @type {string} */ type, /** @type {any} */ listener) => {
    listeners.delete(listener);
    AbortSignal.prototype.removeEventListener.call(signal, type, listener);
  };
  return { controller, signal, listeners, most: () => most };
}

/** The code, or the reason, that a call fails with. @param {Promise<unknown>} call */
const failure = (call) =>
  call.then(
    () => "it succeeded",
    (error) => error?.code ?? error,
  );

/** @typedef {{ signal: AbortSignal }} Options */

/** Every way for a call to end. @type {Record<string, (hotdata: InstanceType<typeof Hotdata>, options: Options) => Promise<unknown>>} */
const ENDINGS = {
  rows: async (hotdata, options) => {
    const result = await hotdata.query("SELECT 'rows'", options);
    assert.lengthOf(result.objects(), 50);
  },
  "a listing": async (hotdata, options) => {
    assert.deepEqual(await hotdata.listDatabases(options), []);
  },
  "no network": async () => {
    assert.include(bm25SearchSql({ table: "a.b.c", column: "d", query: "e" }), "bm25_search");
  },
  "a stream, read": async (hotdata, options) => {
    const { stream } = await hotdata.queryArrow("SELECT 'rows'", options);
    assert.equal((await new Response(stream).arrayBuffer()).byteLength, 70_000);
  },
  "a stream, cancelled": async (hotdata, options) => {
    const { stream } = await hotdata.queryArrow("SELECT 'rows'", options);
    const reader = stream.getReader();
    await reader.read();
    await reader.cancel();
  },
  "no stream": async (hotdata, options) => {
    assert.equal(
      await failure(hotdata.queryArrow("SELECT 'html'", options)),
      "unexpected_response",
    );
  },
  refused: async (hotdata, options) => {
    assert.equal(await failure(hotdata.query("SELECT 'refused'", options)), "bad_request");
  },
  misused: async (hotdata, options) => {
    assert.equal(await failure(hotdata.query("", options)), "invalid_argument");
  },
  busy: async (hotdata, options) => {
    assert.equal(await failure(hotdata.query("SELECT 'busy'", options)), "rate_limited");
  },
  "a page": async (hotdata, options) => {
    assert.equal(await failure(hotdata.query("SELECT 'html'", options)), "unexpected_response");
  },
};

/** Endings that take their time. @type {typeof ENDINGS} */
const SLOW_ENDINGS = {
  late: async (hotdata, options) => {
    const call = hotdata.query("SELECT 'hang'", { ...options, timeoutMs: 20 });
    assert.equal(await failure(call), "timeout");
  },
  "broken off": async (hotdata, options) => {
    const call = hotdata.query("SELECT 'broken'", { ...options, deadlineMs: 200 });
    assert.equal(await failure(call), "network");
  },
};

/** @param {InstanceType<typeof Hotdata>} hotdata @param {Options} options @param {number} count */
async function many(hotdata, options, count) {
  const endings = Object.values(ENDINGS);
  for (let n = 0; n < count; n++) await endings[n % endings.length]?.(hotdata, options);
}

/**
 * Waits until something holds, collecting garbage meanwhile.
 *
 * @param {() => boolean} is
 * @param {number} [most] turns
 */
async function untilCollected(is, most = 100) {
  for (let turns = 0; !is() && turns < most; turns++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const timers = () =>
  process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;

test(`${CALLS} calls leave memory, listeners and timers as they were`, async () => {
  const hotdata = client();
  const { signal, listeners, most } = countedSignal();
  await many(hotdata, { signal }, 400);
  collect();
  const [pages, heap, timersBefore] = [
    memory?.buffer.byteLength,
    process.memoryUsage().heapUsed,
    timers(),
  ];
  await many(hotdata, { signal }, CALLS);
  const grown = () => process.memoryUsage().heapUsed - heap;
  await untilCollected(() => grown() < MOST_HEAP_GROWTH);
  assert.isAbove(Number(pages), 0);
  assert.equal(memory?.buffer.byteLength, pages, "bytes of WebAssembly memory");
  assert.isBelow(grown(), MOST_HEAP_GROWTH, "growth of the heap");
  assert.equal(listeners.size, 0);
  assert.isAtLeast(most(), 1, "the signal is listened to at all");
  assert.isAtMost(timers(), timersBefore);
});

for (const [name, end] of Object.entries({ ...ENDINGS, ...SLOW_ENDINGS })) {
  test(`no listener and no timer is left after: ${name}`, async () => {
    const { signal, listeners } = countedSignal();
    const before = timers();
    for (let n = 0; n < 3; n++) await end(client(), { signal });
    assert.equal(listeners.size, 0);
    assert.isAtMost(timers(), before);
  });
}

test("no listener is left after an abort", async () => {
  for (const sql of ["SELECT 'hang'", "SELECT 'busy'"]) {
    const { controller, signal, listeners } = countedSignal();
    const call = failure(client().query(sql, { signal }));
    await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort("enough");
    await call;
    assert.equal(listeners.size, 0, sql);
  }
});

test("a stream that was aborted has no listener left", async () => {
  const { controller, signal, listeners } = countedSignal();
  const { stream } = await client().queryArrow("SELECT 'rows'", { signal });
  assert.equal(listeners.size, 1);
  controller.abort("enough");
  assert.equal(await failure(stream.getReader().read()), "enough");
  assert.equal(listeners.size, 0);
});

test("abandoned streams give their listeners back once they are collected", async () => {
  const { signal, listeners, most } = countedSignal();
  await (async () => {
    for (let n = 0; n < 20; n++) {
      const { stream } = await client().queryArrow("SELECT 'rows'", { signal });
      // Some of them half read.
      if (n % 2) await stream.getReader().read();
    }
  })();
  assert.equal(most(), 1);
  await untilCollected(() => listeners.size === 0);
  assert.equal(listeners.size, 0);
});

test("calls that share a signal share a listener, and each ends by itself", async () => {
  const { controller, signal, listeners, most } = countedSignal();
  const hotdata = client();
  const hanging = Array.from({ length: 20 }, () =>
    failure(hotdata.query("SELECT 'hang'", { signal })),
  );
  for (let n = 0; n < 20; n++) await hotdata.query("SELECT 'rows'", { signal });
  assert.deepEqual([most(), listeners.size], [1, 1]);
  controller.abort("enough");
  assert.deepEqual(await Promise.all(hanging), new Array(20).fill("enough"));
  assert.equal(listeners.size, 0);
});

test("a stream that is still read is not taken for abandoned", async () => {
  const { signal, listeners } = countedSignal();
  const { stream } = await client().queryArrow("SELECT 'rows'", { signal });
  await untilCollected(() => false, 20);
  assert.equal(listeners.size, 1);
  assert.equal((await new Response(stream).arrayBuffer()).byteLength, 70_000);
});

test("a program ends by itself after calls of every ending", { timeout: 30_000 }, async () => {
  const script = fileURLToPath(new URL("./program.js", import.meta.url));
  const child = spawn(process.execPath, [script, service.url], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  /** @type {number | undefined} */
  let done;
  child.stdout.on("data", (piece) => {
    printed += piece;
    done ??= performance.now();
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  assert.deepEqual([code, printed], [0, "done\n"]);
  // Idle connections are the host's: it lets go of them after four seconds.
  assert.isBelow(performance.now() - Number(done), 8_000);
});
