import { join } from "node:path";
import { buildPackage } from "../build/package.mjs";
import { withPage } from "../lib/browser.mjs";
import { distDir, pkgDir, testsDir } from "../lib/paths.mjs";
import { serve } from "../lib/static-server.mjs";
import { countResults, sum } from "./checks.mjs";

const PAGE_TIMEOUT_MS = 180_000;

/**
 * The cases in plain pages under a strict content security policy.
 *
 * @param {"chrome" | "firefox"} browser
 * @param {import("./shared-engine.mjs").SharedEngine} engine
 */
export async function runInPages(browser, engine) {
  await buildPackage();
  const engineUrl = await engine.url();
  const site = await serve({
    mounts: {
      "/dist/": distDir,
      "/tests/": testsDir,
      "/chai/": join(pkgDir, "node_modules", "chai"),
    },
  });
  try {
    const outcomes = [];
    for (const name of ["page", "page-init"]) {
      const url = `${site.url}/tests/drivers/${name}.html?engine=${encodeURIComponent(engineUrl)}`;
      const results = await withPage(browser, (page, faults) => resultsOf(page, url, faults));
      outcomes.push(countResults(`${browser}, ${name}`, results));
    }
    return sum(outcomes);
  } finally {
    await site.close();
  }
}

/**
 * @param {any} page
 * @param {string} url
 * @param {string[]} faults
 * @returns {Promise<import("../../tests/harness.js").CaseResult[]>}
 */
async function resultsOf(page, url, faults) {
  await page.goto(url);
  const done = await page
    .waitForFunction("globalThis.caseResults", { timeout: PAGE_TIMEOUT_MS })
    .catch((/** @type {Error} */ error) => {
      throw new Error(`${url}: ${error.message}\n${faults.join("\n")}`);
    });
  return done.jsonValue();
}
