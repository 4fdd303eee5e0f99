import { readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { buildPackage } from "../build/package.mjs";
import { bin, installDependencies, providersDir, runtimesDir } from "../lib/dependencies.mjs";
import { pkgDir } from "../lib/paths.mjs";
import { capture, output } from "../lib/process.mjs";
import { countChecks, sum } from "./checks.mjs";
import { tapOutcome } from "./node.mjs";

/** @type {import("./suites.mjs").Suite} */
export const providers = {
  name: "providers",
  title: "a toolset in every provider's shape, by its rules and its own SDK; tokens within bounds",
  async run({ engine }) {
    await buildPackage();
    await installDependencies(providersDir);
    await installDependencies(runtimesDir);
    const tests = readdirSync(providersDir)
      .filter((name) => name.endsWith(".test.js"))
      .map((name) => join(providersDir, name));
    // Two of the SDKs ask for a newer Node than the package does.
    const node = bin("node", runtimesDir);
    const done = await capture(node, ["--test", "--test-reporter=tap", ...tests], {
      cwd: pkgDir,
      env: { HOTDATA_TEST_ENGINE: await engine.url(), NODE_TEST_CONTEXT: undefined },
      timeoutMs: 120_000,
    });
    const types = await countChecks([
      { name: "the SDKs' own types take our shapes", run: () => compile(providersDir) },
    ]);
    return sum([tapOutcome(done), types]);
  },
};

/** @param {string} project */
function compile(project) {
  const tsc = join(pkgDir, "node_modules", "typescript", "bin", "tsc");
  return output(process.execPath, [tsc, "-p", project], { cwd: pkgDir });
}
