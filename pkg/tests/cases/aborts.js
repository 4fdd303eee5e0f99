// An abort at every wait: the call ends at once with the signal's own reason, and sends nothing after it.

import { answering, failure, queryAnswer } from "./samples.js";

const PROMPT_MS = 1_000;
const never = () => new Promise(() => {});

/** What callers abort with. @type {[string, unknown[]][]} */
const REASONS = [
  ["an Error", [new Error("enough")]],
  ["a string", ["enough"]],
  ["an object", [{ why: "enough" }]],
  ["null", [null]],
  ["undefined", [undefined]],
  ["nothing", []],
];

/** Rows that begin and do not end. */
async function* oneRow() {
  yield { a: 1 };
  await never();
}

/**
 * A Response whose body begins and does not end.
 *
 * @param {string} text
 * @param {string} [type]
 */
function begun(text, type = "application/json") {
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
  });
  return new Response(body, { headers: { "content-type": type } });
}

const json = (/** @type {number} */ status, /** @type {object} */ body, headers = {}) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });

const query = (/** @type {any} */ hotdata, /** @type {AbortSignal} */ signal) =>
  hotdata.query("SELECT 1 AS n", { signal });

const load = (/** @type {any} */ hotdata, /** @type {AbortSignal} */ signal) =>
  hotdata.loadTable({ table: "t", mode: "append", data: "a\n1\n", format: "csv", signal });

const session = {
  upload_id: "u",
  finalize_token: "f",
  mode: "single",
  url: "https://store.example/1",
};

/**
 * Where a call can wait: what it is answered with, and how many requests it has sent by then.
 *
 * @type {Record<string, { answer?: (url: string) => unknown, options?: object, call?: (hotdata: any, signal: AbortSignal) => Promise<unknown>, sent: number }>}
 */
const WAITS = {
  "the key": { options: { apiKey: never }, sent: 0 },
  "the look-up of the workspace": { options: { workspaceId: undefined }, answer: never, sent: 1 },
  "the answer": { answer: never, sent: 1 },
  "the rest of the body": { answer: () => begun('{"columns":["n"],'), sent: 1 },
  "the rest of a failure's body": {
    answer: () => new Response(begun('{"error":').body, { status: 400 }),
    sent: 1,
  },
  "the next attempt": { answer: () => json(429, {}, { "retry-after": "30" }), sent: 1 },
  "the next look at a run": {
    answer: (url) =>
      url.endsWith("/query")
        ? json(202, { query_run_id: "q" })
        : json(200, { id: "q", status: "running" }),
    // The first looks follow each other quickly.
    sent: 2,
  },
  "the next look at a result": {
    answer: (url) =>
      url.includes("/results/")
        ? json(202, { status: "pending", result_id: "r" }, { "retry-after": "30" })
        : queryAnswer(["n"], "[[1]]", { truncated: true, total_row_count: 2, result_id: "r" }),
    sent: 2,
  },
  "the look at a job": {
    answer: (url) => (url.includes("/jobs/") ? never() : json(202, { id: "job_1" })),
    call: (hotdata, signal) =>
      hotdata.loadTable({ table: "t", mode: "append", csv: "a\n1\n", signal }),
    sent: 2,
  },
  "a part of an upload": {
    answer: (url) => (url.startsWith("https://store") ? never() : json(201, session)),
    call: load,
    sent: 2,
  },
  "another attempt at a part": {
    answer: (url) =>
      url.startsWith("https://store")
        ? new Response("", { status: 503, headers: { "retry-after": "30" } })
        : json(201, session),
    call: load,
    sent: 2,
  },
  "the next bytes of a stream to load": {
    answer: () => json(201, session),
    call: (hotdata, signal) =>
      hotdata.loadTable({
        table: "t",
        mode: "append",
        data: begun("a\n").body,
        format: "csv",
        signal,
      }),
    sent: 0,
  },
  "the next row of a load": {
    answer: () => json(201, session),
    call: (hotdata, signal) =>
      hotdata.loadTable({
        table: "t",
        mode: "append",
        rows: oneRow(),
        signal,
      }),
    sent: 0,
  },
  "the bytes of a URL": {
    answer: (url) => (url.startsWith("https://files") ? never() : json(201, session)),
    call: (hotdata, signal) =>
      hotdata.loadTable({
        table: "t",
        mode: "append",
        url: "https://files.example/a.csv",
        signal,
      }),
    sent: 1,
  },
  "a toolset's indexes": {
    answer: never,
    call: (hotdata, signal) =>
      hotdata.tools({ searchTable: "default.public.t", searchColumn: "a", signal }),
    sent: 1,
  },
};

/** @type {import("../harness.js").Case[]} */
const waits = Object.entries(WAITS).map(([name, { answer, options, call = query, sent }]) => ({
  name: `an abort while waiting for ${name}`,
  async run(environment) {
    const { assert } = environment;
    for (const [what, reasons] of REASONS) {
      const replies = /** @type {(url: string) => Response} */ (answer ?? never);
      const { hotdata, requests } = answering(environment, replies, options);
      const controller = new AbortController();
      const ended = failure(() => call(hotdata, controller.signal));
      await until(() => requests.length >= sent);
      await pause(20);
      const begun = performance.now();
      controller.abort(...reasons);
      assert.strictEqual(await ended, controller.signal.reason, what);
      assert.isBelow(performance.now() - begun, PROMPT_MS, what);
      const { length } = requests;
      await pause(10);
      assert.lengthOf(requests, length, what);
    }
  },
}));

/** @type {import("../harness.js").Case[]} */
export const abortCases = [
  {
    name: "an abort before the call",
    async run(environment) {
      const { assert } = environment;
      for (const [what, reasons] of REASONS) {
        let asked = 0;
        const { hotdata, requests } = answering(environment, () => queryAnswer(["n"], "[[1]]"), {
          apiKey: () => `hd_${asked++}`,
        });
        const signal = AbortSignal.abort(...reasons);
        assert.strictEqual(await failure(() => query(hotdata, signal)), signal.reason, what);
        assert.deepEqual([requests.length, asked], [0, 0], what);
      }
    },
  },
  ...waits,
  {
    name: "an abort while an Arrow stream is read",
    async run(environment) {
      const { assert } = environment;
      for (const [what, reasons] of REASONS) {
        let cancelled = 0;
        const body = new ReadableStream({
          start: (controller) => controller.enqueue(new Uint8Array(8)),
          cancel: () => {
            cancelled++;
          },
        });
        const type = "application/vnd.apache.arrow.stream";
        const { hotdata } = answering(
          environment,
          () => new Response(body, { headers: { "content-type": type } }),
        );
        const controller = new AbortController();
        const { stream } = await hotdata.queryArrow("SELECT 1", { signal: controller.signal });
        const reader = stream.getReader();
        assert.lengthOf((await reader.read()).value, 8);
        const ended = failure(() => reader.read());
        const begun = performance.now();
        controller.abort(...reasons);
        assert.strictEqual(await ended, controller.signal.reason, what);
        assert.isBelow(performance.now() - begun, PROMPT_MS, what);
        assert.strictEqual(await failure(() => reader.read()), controller.signal.reason, what);
        assert.equal(cancelled, 1, what);
      }
    },
  },
  {
    name: "an abort between two reads of an Arrow stream",
    async run(environment) {
      const { assert } = environment;
      const type = "application/vnd.apache.arrow.stream";
      const { hotdata } = answering(environment, () => begun("12345678", type));
      const controller = new AbortController();
      const { stream } = await hotdata.queryArrow("SELECT 1", { signal: controller.signal });
      controller.abort("enough");
      assert.equal(await failure(() => stream.getReader().read()), "enough");
    },
  },
  {
    name: "an abort after the call changes nothing",
    async run(environment) {
      const { assert } = environment;
      const { hotdata } = answering(environment, () => queryAnswer(["n"], "[[1]]"));
      const controller = new AbortController();
      const result = await query(hotdata, controller.signal);
      controller.abort();
      assert.deepEqual(result.rows, [[1]]);
    },
  },
];

/** @param {() => boolean} is */
async function until(is) {
  for (let turns = 0; !is(); turns++) {
    if (turns === 400) throw new Error("the call did not come so far");
    await pause(5);
  }
}

/** @param {number} ms */
function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
