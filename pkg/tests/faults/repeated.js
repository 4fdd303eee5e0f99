// Loads that are accepted, or meet several faults on their way, and keys that are refused.

import { assert } from "chai";
import { byTurns, fails, isJob, isLoad, isQuery, together, WHY, where } from "./support.js";

/** @typedef {import("./support.js").OwnCell} OwnCell */

const CSV = "id,text\n1,a quiet garden\n";
const load = (/** @type {any} */ hotdata, /** @type {any} */ database, more = {}) =>
  hotdata.loadTable({ ...database, table: "t", mode: "append", csv: CSV, ...more });

/** @type {OwnCell[]} */
export const repeatedLoads = [
  {
    name: "loadTable: 202, running, then succeeded",
    async run(engine) {
      const database = await engine.database();
      await load(engine.client(where(isLoad, "accepted;delay_ms=250")), database);
      assert.isAtLeast(engine.asked("/v1/jobs/"), 2);
      assert.equal(await engine.rows(database), 2);
    },
  },
  ...[false, true].map((applied) => ({
    name: `loadTable: 202, then failed${applied ? ", applied" : ""}`,
    async run(/** @type {import("./support.js").Engine} */ engine) {
      const database = await engine.database();
      const fault = `accepted-then-failed;delay_ms=150;apply=${applied}`;
      await fails(engine, load(engine.client(where(isLoad, fault)), database), {
        code: "engine_error",
        engineMessage: WHY,
        retryable: false,
      });
      assert.equal(engine.asked("/loads"), 1);
      assert.equal(await engine.rows(database), applied ? 2 : 1);
    },
  })),
  {
    name: "loadTable: a job of an unknown status goes on until deadlineMs, and is named",
    async run(engine) {
      const database = await engine.database();
      const faults = together(
        where(isLoad, "accepted"),
        where(isJob, 'edit;set={"status":"cancelled"}'),
      );
      const hotdata = engine.client(faults, { deadlineMs: 1_500 });
      const error = await fails(engine, load(hotdata, database), {
        code: "timeout",
        retryable: false,
      });
      assert.match(error.message, /^Job job_?\w+ was still "cancelled"/);
      assert.match(error.hint, /^waitForJob\("job_?\w+"\)/);
      assert.equal(await engine.rows(database), 2);
    },
  },
  {
    name: "loadTable: applied and lost, then turned away for good",
    async run(engine) {
      const database = await engine.database();
      const busy = "error;status=429;retry_after=0";
      const faults = byTurns(isLoad, ["reset;apply=true", busy], true);
      const hotdata = engine.client(faults, { maxRetries: 3 });
      const error = await fails(engine, load(hotdata, database), {
        code: "outcome_unknown",
        status: 429,
        retryable: false,
      });
      const [, key] = /idempotencyKey: "([^"]+)"/.exec(error.hint) ?? [];
      assert.isString(key);
      // The hint is right: the same load under its key changes nothing.
      await load(engine.calm, database, { idempotencyKey: key });
      assert.equal(await engine.rows(database), 2);
    },
  },
  {
    name: "loadTable: applied and lost, then a wait beyond deadlineMs",
    async run(engine) {
      const database = await engine.database();
      const faults = byTurns(isLoad, ["reset;apply=true", "error;status=503;retry_after=99999999"]);
      await fails(engine, load(engine.client(faults, { maxRetries: 3 }), database), {
        code: "outcome_unknown",
        status: 503,
        retryable: false,
      });
      assert.equal(engine.asked("/loads"), 2);
      assert.equal(await engine.rows(database), 2);
    },
  },
  {
    name: "loadTable: applied and lost, then refused",
    async run(engine) {
      const database = await engine.database();
      const faults = byTurns(isLoad, ["reset;apply=true", "error;status=400;message=bad row"]);
      await fails(engine, load(engine.client(faults), database), {
        code: "bad_request",
        engineMessage: "bad row",
        retryable: false,
      });
      assert.equal(await engine.rows(database), 2);
    },
  },
  {
    name: "loadTable: lost at each attempt but the last, and applied each time",
    async run(engine) {
      const database = await engine.database();
      const lost = "reset;apply=true";
      const faults = byTurns(isLoad, [lost, "html;apply=true", lost, "reset-mid-body"]);
      await load(engine.client(faults, { maxRetries: 4 }), database);
      assert.equal(engine.asked("/loads"), 5);
      assert.equal(await engine.rows(database), 2);
    },
  },
  {
    name: "loadTable: deadlineMs over in a wait is not taken for a load that may have been applied",
    async run(engine) {
      const database = await engine.database();
      const faults = where(isLoad, "error;status=429");
      const hotdata = engine.client(faults, { deadlineMs: 1_200, maxRetries: 20 });
      await fails(engine, load(hotdata, database), { code: "rate_limited", status: 429 });
      assert.equal(await engine.rows(database), 1);
    },
  },
];

/**
 * What is called, and what it ends in.
 *
 * @type {Record<string, [string, (hotdata: any, database: any) => Promise<unknown>]>}
 */
const HANGING = {
  query: ["timeout", (hotdata, database) => hotdata.query("SELECT 1", database)],
  queryArrow: ["timeout", (hotdata, database) => hotdata.queryArrow("SELECT 1", database)],
  listDatabases: ["timeout", (hotdata) => hotdata.listDatabases()],
  loadTable: ["outcome_unknown", load],
  uploadFile: ["timeout", (hotdata) => hotdata.uploadFile({ data: CSV, format: "csv" })],
  createDatabase: ["outcome_unknown", (hotdata) => hotdata.createDatabase({})],
};

/** @type {OwnCell[]} */
export const hangingCalls = Object.entries(HANGING).map(([name, [code, call]]) => ({
  name: `${name}: no answer at all ends by deadlineMs`,
  async run(engine) {
    const database = await engine.database();
    const hotdata = engine.client(() => "hang", { deadlineMs: 1_000, timeoutMs: 700 });
    const begun = performance.now();
    await fails(engine, call(hotdata, database), { code, status: undefined });
    assert.isBelow(performance.now() - begun, 3_000);
  },
}));

/** @type {OwnCell[]} */
export const refusedKeys = [
  {
    name: "a 401 with a key that stays the same is not sent again",
    async run(engine) {
      const database = await engine.database();
      for (const apiKey of [engine.key, () => engine.key]) {
        const hotdata = engine.client(where(isQuery, "error;status=401"), { apiKey });
        const before = engine.requests.length;
        await fails(engine, hotdata.query("SELECT 1", database), {
          code: "unauthorized",
          status: 401,
          retryable: false,
        });
        assert.equal(engine.requests.length - before, 1);
      }
    },
  },
];
