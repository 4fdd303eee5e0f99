// The demo page in a browser, as the cases meet it.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { serveDemo } from "../../scripts/lib/demo-site.mjs";
import { rootDir } from "../../scripts/lib/paths.mjs";

/**
 * @typedef {"words" | "meaning" | "fused"} Ranking
 * @typedef {{
 *   page: any,
 *   faults: string[],
 *   api: any,
 *   engineUrl: string,
 *   strictEngineUrl: string,
 *   assert: import("../harness.js").Assert,
 * }} PageEnvironment page: puppeteer's; faults: what it logged as an error, threw or failed to load; engineUrl:
 *   the engine as the demo starts it; strictEngineUrl: one that refuses what its text search cannot read
 * @typedef {{ name: string, run: (environment: PageEnvironment) => Promise<void> }} PageCase
 * @typedef {{ id: string, title: string, abstract: string, figures: string, badge: string | null }} ShownHit
 * @typedef {{ busy: boolean, message: string, sql: string | null, facts: Record<string, string>, hits: ShownHit[] }} ShownList
 *   sql: as shown, nothing where none is
 */

/** @type {Ranking[]} */
export const RANKINGS = ["words", "meaning", "fused"];

const SETTLE_MS = 20_000;

/**
 * Serves the page and works with it.
 *
 * @param {PageEnvironment} environment
 * @param {(url: string) => Promise<void>} work url: the page's, without a path
 * @param {{ engineUrl?: string, databaseId?: string, headers?: Record<string, string> }} [options]
 */
export async function withDemo({ page, engineUrl }, work, options = {}) {
  const site = await serveDemo({ engineUrl, ...options });
  try {
    await work(site.url);
  } finally {
    await page.goto("about:blank");
    await site.close();
  }
}

/**
 * Opens an address and waits for its query's answer.
 *
 * @param {any} page
 * @param {string} siteUrl
 * @param {string} query
 */
export async function openQuery(page, siteUrl, query) {
  await page.goto(`${siteUrl}/?${new URLSearchParams({ q: query })}`);
  await answered(page, query);
}

/**
 * Waits until the page says what it found for a query.
 *
 * @param {any} page
 * @param {string} query
 */
export async function answered(page, query) {
  await page.waitForFunction(
    (/** @type {string} */ start) =>
      document.querySelector("#status")?.textContent?.startsWith(start),
    { timeout: SETTLE_MS },
    `“${query}”: `,
  );
}

/**
 * Searches by keyboard.
 *
 * @param {any} page
 * @param {string} query replaces what the field holds
 */
export async function enter(page, query) {
  await page.focus("#q");
  await page.$eval("#q", (/** @type {HTMLInputElement} */ input) => input.select());
  await page.keyboard.type(query);
  await page.keyboard.press("Enter");
}

/**
 * Waits for the box that says what keeps the page from working.
 *
 * @param {any} page
 * @returns {Promise<string>} what it says
 */
export async function problemShown(page) {
  await page.waitForSelector("#problem:not([hidden])", { visible: true, timeout: SETTLE_MS });
  return page.$eval("#problem", (/** @type {any} */ box) => box.textContent);
}

/**
 * @param {any} page
 * @param {Ranking} ranking
 * @returns {Promise<ShownList>}
 */
export function shownList(page, ranking) {
  return page.$eval(`#${ranking}`, (/** @type {HTMLElement} */ list) => {
    const text = (/** @type {ParentNode} */ parent, /** @type {string} */ selector) =>
      parent.querySelector(selector)?.textContent ?? "";
    const shown = (/** @type {ParentNode} */ parent, /** @type {string} */ selector) => {
      const element = /** @type {HTMLElement | null} */ (parent.querySelector(selector));
      return element?.checkVisibility() ? element.textContent : null;
    };
    return {
      busy: list.getAttribute("aria-busy") === "true",
      message: shown(list, ".message") ?? "",
      sql: shown(list, ".sql code"),
      facts: Object.fromEntries(
        [...list.querySelectorAll(".facts > div")].map((fact) => [
          text(fact, "dt"),
          text(fact, "dd"),
        ]),
      ),
      hits: [...list.querySelectorAll(".hit")].map((hit) => ({
        id: /** @type {HTMLElement} */ (hit).dataset.id ?? "",
        title: text(hit, ".title"),
        abstract: text(hit, ".abstract"),
        figures: text(hit, ".figures"),
        badge: shown(hit, ".badge"),
      })),
    };
  });
}

/**
 * Follows what the page sends to the engine while some work is done.
 *
 * @param {any} page
 * @param {() => Promise<void>} work
 * @returns {Promise<{ path: string, sql?: string, headers: Record<string, string> }[]>} without preflights
 */
export async function requestsDuring(page, work) {
  /** @type {{ path: string, sql?: string, headers: Record<string, string> }[]} */
  const requests = [];
  const note = (/** @type {any} */ request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith("/v1/") || request.method() === "OPTIONS") return;
    const sql = JSON.parse(request.postData() ?? "{}").sql;
    requests.push({ path: pathname, sql, headers: request.headers() });
  };
  page.on("request", note);
  try {
    await work();
  } finally {
    page.off("request", note);
  }
  return requests;
}

/**
 * The stored queries, read from the sample data's files.
 *
 * @returns {{ text: string, vector: Float32Array, relevant: Record<string, number> }[]}
 */
export function storedQueries() {
  const folder = join(rootDir, "tests", "data", "papers");
  const judgements = JSON.parse(readFileSync(join(folder, "judgements.json"), "utf8"));
  const bytes = readFileSync(join(folder, "queries.f32"));
  const numbers = new Float32Array(new Uint8Array(bytes).buffer);
  return judgements.map((/** @type {any} */ { query, relevant }, /** @type {number} */ at) => ({
    text: query,
    vector: numbers.slice(at * 384, (at + 1) * 384),
    relevant,
  }));
}

/**
 * One of them.
 *
 * @param {string} text
 */
export function storedQuery(text) {
  const found = storedQueries().find((query) => query.text === text);
  if (!found) throw new Error(`no stored query "${text}"`);
  return found;
}
