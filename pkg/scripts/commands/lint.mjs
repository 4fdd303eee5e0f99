import { lintChecks } from "../lib/code-style.mjs";
import { capture } from "../lib/process.mjs";

/**
 * Runs every formatter and linter in checking mode.
 *
 * @returns {Promise<number>} exit code
 */
export async function main() {
  let failed = 0;
  for (const check of await lintChecks()) {
    console.log(`${check.name}: ${check.command} ${check.args.join(" ")}`);
    const done = await capture(check.command, check.args, { show: true, cwd: check.cwd });
    if (done.code !== 0) failed += 1;
  }
  return failed ? 1 : 0;
}
