// A headless browser through puppeteer-core.

import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { installDependencies, runtimesDir } from "./dependencies.mjs";
import { requireChromium, requireFirefox } from "./prerequisites.mjs";

const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-dev-shm-usage",
  "--disable-sync",
];

/**
 * Runs work with a page of a fresh headless browser. What the page logs as an error, throws or fails to load is
 * collected.
 *
 * @template T
 * @param {"chrome" | "firefox"} browser
 * @param {(page: any, faults: string[]) => Promise<T>} work page: puppeteer's
 * @returns {Promise<T>}
 */
export async function withPage(browser, work) {
  const executablePath = await (browser === "chrome" ? requireChromium() : requireFirefox());
  await installDependencies(runtimesDir);
  const entry = createRequire(join(runtimesDir, "package.json")).resolve("puppeteer-core");
  const { default: puppeteer } = await import(pathToFileURL(entry).href);
  const userDataDir = await mkdtemp(join(tmpdir(), "hotdata-browser-"));
  const instance = await puppeteer.launch({
    browser,
    executablePath,
    headless: true,
    userDataDir,
    args: browser === "chrome" ? CHROMIUM_FLAGS : [],
  });
  try {
    const page = await instance.newPage();
    /** @type {string[]} */
    const faults = [];
    page.on("pageerror", (/** @type {Error} */ error) => faults.push(error.stack ?? String(error)));
    page.on("console", (/** @type {any} */ message) => {
      if (message.type() === "error") faults.push(message.text());
    });
    page.on("requestfailed", (/** @type {any} */ request) =>
      faults.push(`${request.url()}: ${request.failure()?.errorText}`),
    );
    return await work(page, faults);
  } finally {
    await instance.close();
    rmSync(userDataDir, { recursive: true, force: true, maxRetries: 3 });
  }
}
