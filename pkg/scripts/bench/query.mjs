import assert from "node:assert/strict";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { printed, start, stop } from "../lib/process.mjs";
import { medians, timed } from "./measure.mjs";

/**
 * A query through the client, with its rows as objects, against `fetch`, `JSON.parse` and building them by hand.
 *
 * @param {any} api the package
 * @returns {Promise<import("./benchmarks.mjs").Comparison[]>}
 */
export async function query(api) {
  const script = fileURLToPath(new URL("canned-server.mjs", import.meta.url));
  const server = start(process.execPath, [script], {}, ["ignore", "pipe", "inherit"]);
  try {
    const [, url = ""] = await printed(server, /listening on (\S+)/, 30_000);
    const hotdata = new api.Hotdata({
      ...{ baseUrl: url, apiKey: "hd_bench", workspaceId: "ws_bench", databaseId: "db_bench" },
    });
    const ours = async (/** @type {string} */ sql) => (await hotdata.query(sql)).objects();
    const byHand = (/** @type {string} */ sql) => fetchObjects(url, sql);
    const comparisons = [];
    for (const [what, sql, plan] of /** @type {const} */ ([
      ["1 row", "SELECT one", { rounds: 400, warmUp: 50 }],
      ["10,000 x 10", "SELECT many", { rounds: 40, warmUp: 5 }],
    ])) {
      assert.deepEqual(await ours(sql), await byHand(sql));
      const cost = await medians(
        { ours: () => timed(() => ours(sql)), byHand: () => timed(() => byHand(sql)) },
        plan,
      );
      comparisons.push({
        name: `query, ${what}`,
        unit: "ms",
        ours: cost.ours,
        other: cost.byHand,
        against: "fetch, JSON.parse and objects by hand",
        budget: 1.1,
      });
    }
    return comparisons;
  } finally {
    await stop(server);
  }
}

/**
 * @param {string} url
 * @param {string} sql
 * @returns {Promise<Record<string, unknown>[]>}
 */
async function fetchObjects(url, sql) {
  const response = await fetch(`${url}/v1/query`, {
    method: "POST",
    headers: {
      authorization: "Bearer hd_bench",
      "content-type": "application/json",
      "x-workspace-id": "ws_bench",
      "x-database-id": "db_bench",
    },
    body: JSON.stringify({ sql }),
  });
  const { columns, rows } = JSON.parse(await response.text());
  return rows.map((/** @type {unknown[]} */ row) => {
    /** @type {Record<string, unknown>} */
    const object = {};
    for (let index = 0; index < columns.length; index++) object[columns[index]] = row[index];
    return object;
  });
}
