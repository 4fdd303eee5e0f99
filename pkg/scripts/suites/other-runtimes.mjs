import { join } from "node:path";
import { buildPackage } from "../build/package.mjs";
import { bin, installDependencies, matrixDir } from "../lib/dependencies.mjs";
import { PlainError } from "../lib/errors.mjs";
import { pkgDir } from "../lib/paths.mjs";
import { capture } from "../lib/process.mjs";
import { runInPages } from "./browser-pages.mjs";
import { countResults, sum } from "./checks.mjs";

/** @type {import("./suites.mjs").Suite} */
export const otherRuntimes = {
  name: "runtimes",
  title: "JavaScript in Deno, Bun and a Firefox page",
  matrix: true,
  async run({ engine }) {
    await buildPackage();
    await installDependencies(matrixDir);
    const engineUrl = await engine.url();
    const host = new URL(engineUrl).host;
    return sum([
      // Only the network: no file is read, nothing else asked of the machine.
      await report("deno", ["run", "--quiet", "--no-prompt", `--allow-net=${host}`], engineUrl),
      await report("bun", ["run"], engineUrl),
      await runInPages("firefox", engine),
    ]);
  },
};

/**
 * @param {string} runtime a command of the matrix
 * @param {string[]} args
 * @param {string} engineUrl
 */
async function report(runtime, args, engineUrl) {
  const driver = join(pkgDir, "tests", "drivers", "report.js");
  const done = await capture(bin(runtime, matrixDir), [...args, driver, engineUrl], {
    cwd: pkgDir,
    env: { DENO_NO_UPDATE_CHECK: "1", NODE_OPTIONS: undefined },
    timeoutMs: 180_000,
  });
  const line = /^results (.*)$/m.exec(done.stdout)?.[1];
  if (!line)
    throw new PlainError(`${runtime} reported nothing (exit ${done.code})\n${done.stderr}`);
  return countResults(runtime, JSON.parse(line));
}
