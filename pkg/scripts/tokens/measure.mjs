// Tokens of what a model is handed, counted with o200k_base.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { providersDir } from "../lib/dependencies.mjs";
import { distDir } from "../lib/paths.mjs";
import { QUERIES } from "./queries.mjs";

export const FORMATS = /** @type {const} */ (["records", "columns", "csv", "markdown"]);
/** Not in the sibling's set: counted on a line of its own. */
const ASIDE = /^hotdata_aggregate_matches/;

/**
 * @typedef {{
 *   set: number,
 *   strictSet: number,
 *   tools: Record<string, number>,
 *   answers: Record<string, Record<string, number>>,
 * }} Measured strictSet: as the Responses API takes it, without the aggregate tool
 */

/** @returns {Promise<(text: string) => number>} */
export async function counter() {
  const path = join(
    providersDir,
    "node_modules",
    "gpt-tokenizer",
    "esm",
    "encoding",
    "o200k_base.js",
  );
  const { countTokens } = await import(pathToFileURL(path).href);
  return countTokens;
}

/**
 * Counts our side on a running engine with the sample data.
 *
 * @param {string} engineUrl
 * @returns {Promise<Measured>}
 */
export async function measure(engineUrl) {
  const count = await counter();
  const { Hotdata } = await import(pathToFileURL(join(distDir, "index.js")).href);
  const access = { baseUrl: engineUrl, apiKey: "hd_tokens", workspaceId: "ws_local" };
  const databases = await new Hotdata(access).listDatabases({ search: "papers" });
  const { id } = databases.find((/** @type {any} */ one) => one.name === "papers");
  const hotdata = new Hotdata({ ...access, databaseId: id });
  const search = { searchTable: "default.public.papers", searchColumn: "content" };
  const toolset = await hotdata.tools(search);
  const tools = Object.fromEntries(
    toolset
      .openaiChat()
      .map((/** @type {any} */ tool) => [tool.function.name, tokens(count, [tool])]),
  );
  const aside = (/** @type {any} */ tool) => ASIDE.test(tool.name ?? tool.function.name);
  const measured = /** @type {Measured} */ ({
    set: tokens(
      count,
      toolset.openaiChat().filter((/** @type {any} */ tool) => !aside(tool)),
    ),
    strictSet: tokens(
      count,
      toolset.openai().filter((/** @type {any} */ tool) => !aside(tool)),
    ),
    tools,
    answers: {},
  });
  for (const [name, { sql, maxRows }] of Object.entries(QUERIES)) {
    /** @type {Record<string, number>} */
    const counts = {};
    for (const resultFormat of FORMATS) {
      const set = await hotdata.tools({ maxRows, resultFormat });
      const answer = await set.call("hotdata_execute_sql", { sql });
      if (answer.isError) throw new Error(answer.content);
      counts[resultFormat] = count(answer.content);
    }
    measured.answers[name] = counts;
  }
  return measured;
}

/**
 * Tools as they stand in a request, without the brackets of the list.
 *
 * @param {(text: string) => number} count
 * @param {any[]} tools
 */
export function tokens(count, tools) {
  return tools.reduce((sum, tool) => sum + count(JSON.stringify(tool)), 0);
}
