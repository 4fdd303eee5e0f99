import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { buildPackage } from "../build/package.mjs";
import { bin, installDependencies, runtimesDir } from "../lib/dependencies.mjs";
import { distDir, pkgDir, testsDir } from "../lib/paths.mjs";
import { printed, start, stop } from "../lib/process.mjs";
import { countResults, sum } from "./checks.mjs";

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
    ]);
  },
};

/**
 * @param {string} driver a file of tests/drivers
 * @param {string} engineUrl
 */
async function unbundledWorker(driver, engineUrl) {
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
    return await askWorker(dir, driver, engineUrl);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * Serves a folder's modules as a worker, asks it once and ends it.
 *
 * @param {string} dir
 * @param {string} main the module that answers
 * @param {string} engineUrl
 * @returns {Promise<import("../../tests/harness.js").CaseResult[]>}
 */
export async function askWorker(dir, main, engineUrl) {
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
    const answer = await fetch(`http://127.0.0.1:${port}/?engine=${encodeURIComponent(engineUrl)}`);
    if (!answer.ok)
      throw new Error(`${basename(main)}: HTTP ${answer.status} ${await answer.text()}`);
    return /** @type {any} */ (await answer.json());
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
