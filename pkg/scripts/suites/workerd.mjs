import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { buildPackage } from "../build/package.mjs";
import { bin, installDependencies, runtimesDir } from "../lib/dependencies.mjs";
import { distDir, pkgDir, testsDir } from "../lib/paths.mjs";
import { printed, start, stop } from "../lib/process.mjs";
import { countChecks, countResults, sum } from "./checks.mjs";

// Old enough that a fetch with `credentials`, `mode` or `cache` throws, as it does for many deployed workers.
const COMPATIBILITY_DATE = "2024-01-01";

/** @type {import("./suites.mjs").Suite} */
export const workerd = {
  name: "workerd",
  title: "JavaScript in a Cloudflare Worker (workerd), unbundled",
  async run({ engine }) {
    await buildPackage();
    await installDependencies(runtimesDir);
    const engineUrl = await engine.url();
    return sum([
      countResults("workerd", await unbundledWorker("worker.js", engineUrl)),
      countResults("workerd, init", await unbundledWorker("worker-init.js", engineUrl)),
      await oneClientForAll(engineUrl),
    ]);
  },
};

/**
 * @param {string} driver a file of tests/drivers
 * @param {string} engineUrl
 */
function unbundledWorker(driver, engineUrl) {
  return inFolder(driver, (dir) => askWorker(dir, driver, engineUrl));
}

/**
 * A folder with the package, the cases and a driver.
 *
 * @template T
 * @param {string} driver
 * @param {(dir: string) => Promise<T>} use
 */
async function inFolder(driver, use) {
  const dir = mkdtempSync(join(tmpdir(), "hotdata-workerd-"));
  try {
    const copy = (/** @type {string} */ from, /** @type {string} */ to) =>
      cpSync(from, join(dir, to), { recursive: true });
    copy(distDir, "dist");
    copy(join(testsDir, "cases"), "tests/cases");
    copy(join(testsDir, "harness.js"), "tests/harness.js");
    mkdirSync(join(dir, "chai"));
    copy(join(pkgDir, "node_modules", "chai", "index.js"), "chai/index.js");
    copy(join(testsDir, "drivers", driver), driver);
    return await use(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * A client of the worker's module, for all of its requests at once.
 *
 * @param {string} engineUrl
 */
function oneClientForAll(engineUrl) {
  const driver = "worker-shared.js";
  return inFolder(driver, async (dir) => {
    const names = ["the first request aborts its call", "the first request's sender leaves"];
    const checks = names.map((name, at) => ({
      name: `workerd, one client for all requests: ${name} while the workspace is looked up`,
      run: async () => {
        // A client of a module has to know its engine before any request.
        writeFileSync(join(dir, "engine.js"), await moduleOfEngine(engineUrl));
        await withWorker(dir, driver, (url) => firstOneEnds(url, at === 0));
      },
    }));
    return countChecks(checks);
  });
}

/** @param {string} engineUrl */
async function moduleOfEngine(engineUrl) {
  const headers = { authorization: "Bearer any", "x-workspace-id": "ws_local" };
  const answer = await fetch(`${engineUrl}/v1/databases?search=papers`, { headers });
  const { databases } = /** @type {any} */ (await answer.json());
  const engine = { baseUrl: engineUrl, databaseId: databases[0].id };
  return `export const engine = ${JSON.stringify(engine)};\n`;
}

/**
 * The first of many requests ends early; all others are answered, and so is one that comes later.
 *
 * @param {string} url
 * @param {boolean} aborts whether it aborts its own call, or its sender leaves
 */
async function firstOneEnds(url, aborts) {
  const ask = (/** @type {number} */ n, /** @type {object} */ init = {}) =>
    fetch(`${url}/?n=${n}${aborts && n === 0 ? "&abort" : ""}`, {
      ...init,
      signal: AbortSignal.timeout(20_000),
    }).then((answer) => answer.text());
  const leaving = new AbortController();
  const first = aborts
    ? ask(0)
    : fetch(`${url}/?n=0`, { signal: leaving.signal }).catch((error) => error.name);
  // The look-up takes longer than both waits together.
  await new Promise((resolve) => setTimeout(resolve, 100));
  const others = Array.from({ length: 40 }, (_, n) => ask(n + 1));
  setTimeout(() => leaving.abort(), 100);
  const outcome = await first;
  const wanted = aborts ? "aborted: enough" : "AbortError";
  if (outcome !== wanted) throw new Error(`the first: ${outcome}`);
  for (const [at, answer] of (await Promise.all(others)).entries()) {
    if (answer !== `rows: [[${at + 1}]]`) throw new Error(`request ${at + 1}: ${answer}`);
  }
  const later = await ask(99);
  if (later !== "rows: [[99]]") throw new Error(`a later request: ${later}`);
}

/**
 * Serves a folder's modules as a worker, asks it once and ends it.
 *
 * @param {string} dir
 * @param {string} main the module that answers
 * @param {string} engineUrl
 * @returns {Promise<import("../../tests/harness.js").CaseResult[]>}
 */
export function askWorker(dir, main, engineUrl) {
  return withWorker(dir, main, async (url) => {
    const answer = await fetch(`${url}/?engine=${encodeURIComponent(engineUrl)}`);
    if (!answer.ok)
      throw new Error(`${basename(main)}: HTTP ${answer.status} ${await answer.text()}`);
    return /** @type {any} */ (await answer.json());
  });
}

/**
 * Serves a folder's modules as a worker while it is used.
 *
 * @template T
 * @param {string} dir
 * @param {string} main the module that answers
 * @param {(url: string) => Promise<T>} use
 * @returns {Promise<T>}
 */
async function withWorker(dir, main, use) {
  const names = readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.(js|wasm)$/.test(name),
  );
  // The first module is the worker itself.
  const ordered = [main, ...names.filter((name) => name !== main)];
  const modules = ordered.map((name) => {
    const kind = name.endsWith(".wasm") ? "wasm" : "esModule";
    return `(name = ${JSON.stringify(name)}, ${kind} = embed ${JSON.stringify(name)})`;
  });
  writeFileSync(join(dir, "config.capnp"), configuration(modules));
  const child = start(
    bin("workerd", runtimesDir),
    ["serve", "config.capnp", "--socket-addr", "http=127.0.0.1:0", "--control-fd=1"],
    { cwd: dir },
    ["ignore", "pipe", "pipe"],
  );
  try {
    const [, port] = await printed(child, /"socket":"http","port":(\d+)/, 60_000);
    return await use(`http://127.0.0.1:${port}`);
  } finally {
    await stop(child);
  }
}

/** @param {string[]} modules */
function configuration(modules) {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      compatibilityDate = "${COMPATIBILITY_DATE}",
      modules = [
        ${modules.join(",\n        ")}
      ],
    )),
    (name = "internet", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", http = (), service = "main")],
);
`;
}
