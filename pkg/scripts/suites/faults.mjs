import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { buildPackage } from "../build/package.mjs";
import { buildEngine, startEngine } from "../lib/engine.mjs";
import { PlainError } from "../lib/errors.mjs";
import { pkgDir, testsDir } from "../lib/paths.mjs";
import { capture, stop } from "../lib/process.mjs";
import { countResults } from "./checks.mjs";

/** @type {import("./suites.mjs").Suite} */
export const faults = {
  name: "faults",
  title: "every kind of call under every kind of fault, against an engine that fails on request",
  async run() {
    await buildPackage();
    await buildEngine();
    const source = mkdtempSync(join(tmpdir(), "hotdata-source-"));
    writeFileSync(join(source, "cities.csv"), "id,name\n1,Ghent\n");
    const flags = ["--faults", "--inline-rows", "50", "--attach", `source=${source}`];
    const engine = await startEngine(flags);
    try {
      return await runCells(engine.url);
    } finally {
      await stop(engine.child);
      rmSync(source, { recursive: true, force: true });
    }
  },
};

/** @param {string} engineUrl */
async function runCells(engineUrl) {
  const driver = join(testsDir, "faults", "run.js");
  const done = await capture(process.execPath, [driver, engineUrl], {
    cwd: pkgDir,
    timeoutMs: 300_000,
  });
  const line = /^results (.*)$/m.exec(done.stdout)?.[1];
  if (!line) throw new PlainError(`no results (exit ${done.code})\n${done.stderr}`);
  const results = JSON.parse(line);
  console.log(`${results.length} cells`);
  return countResults("faults", results);
}
