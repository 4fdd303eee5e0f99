// Queries and index builds that the service accepts and goes on with.

import { assert } from "chai";
import {
  byTurns,
  fails,
  isBuild,
  isListing,
  isQuery,
  isResult,
  TABLE,
  together,
  WHY,
  where,
} from "./support.js";

/** @typedef {import("./support.js").OwnCell} OwnCell */

const bytes = async (/** @type {any} */ { stream }) =>
  (await new Response(stream).arrayBuffer()).byteLength;

/**
 * How a query of each kind is run, and whether its answer is right.
 *
 * @type {Record<string, (hotdata: any, database: any) => Promise<unknown>>}
 */
const READINGS = {
  query: async (hotdata, database) => {
    const result = await hotdata.query("SELECT UNNEST(range(0, 60)) AS n", database);
    assert.deepEqual([result.rowCount, result.totalRowCount, result.truncated], [60, 60, false]);
  },
  queryArrow: async (hotdata, database) => {
    // No more rows than come at once: else the 202 is of another kind.
    const arrow = await hotdata.queryArrow("SELECT UNNEST(range(0, 40)) AS n", database);
    assert.isAbove(await bytes(arrow), 40 * 8);
  },
};

/** @type {OwnCell[]} */
export const acceptedQueries = Object.entries(READINGS).flatMap(([name, read]) => [
  {
    name: `${name}: 202, running, then succeeded`,
    async run(engine) {
      const database = await engine.database();
      await read(engine.client(where(isQuery, "accepted;delay_ms=1500")), database);
      assert.isAtLeast(engine.asked("/v1/query-runs/"), 2);
      assert.equal(engine.asked("POST /v1/query"), 1);
    },
  },
  {
    name: `${name}: 202, then failed`,
    async run(engine) {
      const database = await engine.database();
      const hotdata = engine.client(where(isQuery, "accepted-then-failed;delay_ms=150"));
      const error = await fails(engine, read(hotdata, database), {
        code: "query_failed",
        engineMessage: WHY,
        retryable: false,
        status: undefined,
      });
      assert.match(error.queryRunId, /^qrun_/);
      assert.equal(engine.asked("POST /v1/query"), 1);
    },
  },
  {
    name: `${name}: the result pending three times, then ready`,
    async run(engine) {
      const database = await engine.database();
      const pending = "result-pending;retry_after=0";
      const faults = together(
        where(isQuery, "accepted"),
        byTurns(isResult, [pending, `${pending};status=pending`, pending]),
      );
      await read(engine.client(faults), database);
      assert.equal(engine.asked("/v1/results/"), 4);
    },
  },
  {
    name: `${name}: the result pending, then failed`,
    async run(engine) {
      const database = await engine.database();
      const faults = together(
        where(isQuery, "accepted"),
        byTurns(isResult, ["result-pending;retry_after=0", "result-failed"]),
      );
      const error = await fails(engine, read(engine.client(faults), database), {
        code: "query_failed",
        engineMessage: WHY,
        status: 409,
        retryable: false,
      });
      assert.match(error.queryRunId, /^qrun_/);
      assert.equal(engine.asked("/v1/results/"), 2);
    },
  },
  {
    name: `${name}: a result that never comes ends by deadlineMs`,
    async run(engine) {
      const database = await engine.database();
      const faults = together(
        where(isQuery, "accepted"),
        where(isResult, "result-pending;retry_after=0"),
      );
      const hotdata = engine.client(faults, { deadlineMs: 1_500 });
      const begun = performance.now();
      const error = await fails(engine, read(hotdata, database), {
        code: "timeout",
        retryable: false,
      });
      assert.isBelow(performance.now() - begun, 3_000);
      assert.match(error.message, /was still "processing" after 1500 ms \(`deadlineMs`\)/);
      assert.match(error.hint, /getResult/);
      assert.match(error.queryRunId, /^qrun_/);
    },
  },
]);

const index = (/** @type {any} */ hotdata, /** @type {any} */ database, more = {}) =>
  hotdata.createIndex({
    ...database,
    table: TABLE,
    indexType: "bm25",
    columns: ["text"],
    indexName: "words",
    ...more,
  });

const PENDING = 'edit;set={"status":"pending"}';
const listed = (/** @type {string} */ status) =>
  `edit;set={"indexes":[{"index_name":"words","index_type":"bm25","columns":["text"],"status":"${status}"}]}`;

/** @type {OwnCell[]} */
export const acceptedIndexes = [
  {
    name: "createIndex: 201 and pending, then ready",
    async run(engine) {
      const database = await engine.database();
      const faults = together(
        where(isBuild, PENDING),
        byTurns(isListing, [listed("pending"), listed("brand_new")]),
      );
      const made = await index(engine.client(faults), database);
      assert.deepEqual([made.indexName, made.status, made.jobId], ["words", "ready", null]);
      assert.equal(engine.asked("GET /v1/connections"), 3);
    },
  },
  {
    name: "createIndex: 201 and pending, then gone",
    async run(engine) {
      const database = await engine.database();
      const faults = together(
        where(isBuild, PENDING),
        byTurns(isListing, [listed("pending"), 'edit;set={"indexes":[]}']),
      );
      const error = await fails(engine, index(engine.client(faults), database), {
        code: "engine_error",
        retryable: false,
      });
      assert.match(error.message, /^Index words is not listed any more: its build has failed/);
    },
  },
  {
    name: "createIndex: pending for ever ends by deadlineMs",
    async run(engine) {
      const database = await engine.database();
      const faults = together(where(isBuild, PENDING), where(isListing, listed("pending")));
      const hotdata = engine.client(faults, { deadlineMs: 1_500 });
      const error = await fails(engine, index(hotdata, database), {
        code: "timeout",
        retryable: false,
      });
      assert.match(error.message, /^Index words was still "pending"/);
    },
  },
  {
    name: "createIndex: 202, running, then succeeded",
    async run(engine) {
      const database = await engine.database();
      const made = await index(engine.client(where(isBuild, "accepted;delay_ms=1500")), database);
      assert.equal(made.status, "ready");
      assert.isAtLeast(engine.asked("/v1/jobs/"), 2);
    },
  },
  {
    name: "createIndex: 202 and not waited for, then waited for",
    async run(engine) {
      const database = await engine.database();
      const hotdata = engine.client(where(isBuild, "accepted;delay_ms=1500"));
      const made = await index(hotdata, database, { wait: false });
      assert.equal(made.status, "pending");
      assert.equal((await hotdata.waitForJob(made.jobId)).status, "succeeded");
    },
  },
  ...[false, true].map((applied) => ({
    name: `createIndex: 202, then failed${applied ? ", built" : ""}`,
    async run(/** @type {import("./support.js").Engine} */ engine) {
      const database = await engine.database();
      const fault = `accepted-then-failed;delay_ms=150;apply=${applied}`;
      await fails(engine, index(engine.client(where(isBuild, fault)), database), {
        code: "engine_error",
        engineMessage: WHY,
        retryable: false,
      });
      const there = await engine.calm.listIndexes({ ...database, table: TABLE });
      assert.lengthOf(there, applied ? 1 : 0);
    },
  })),
];
