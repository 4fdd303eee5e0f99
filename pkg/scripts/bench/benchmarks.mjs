import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { distDir } from "../lib/paths.mjs";
import { coldStart } from "./cold-start.mjs";
import { hybridSql } from "./hybrid-sql.mjs";
import { query } from "./query.mjs";

/**
 * @typedef {{ name: string, unit: string, ours: number, other: number, against: string, budget: number }} Comparison
 *   medians in `unit`; budget: the most that ours may be of the other
 */

/** @returns {Promise<Comparison[]>} */
export async function runBenchmarks() {
  const api = await import(pathToFileURL(join(distDir, "index.js")).href);
  const results = [];
  for (const [title, work] of /** @type {[string, () => Promise<Comparison[]>][]} */ ([
    ["cold start", coldStart],
    ["queries", () => query(api)],
    ["SQL", () => hybridSql(api)],
  ])) {
    console.log(`measuring: ${title}`);
    results.push(...(await work()));
  }
  return results;
}
