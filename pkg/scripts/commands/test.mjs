import { PlainError } from "../lib/errors.mjs";
import { seconds } from "../lib/progress.mjs";
import { SharedEngine } from "../suites/shared-engine.mjs";
import { suites } from "../suites/suites.mjs";

/**
 * Runs the test suites in order: `test [--all] [--list] [SUITE…]`. The last line is `N passed, N failed`.
 *
 * @param {string[]} args names of the suites to run; none: all of the default set, with `--all` of the whole matrix
 * @returns {Promise<number>} exit code
 */
export async function main(args) {
  const selected = select(args);
  if (args.includes("--list")) {
    for (const suite of selected) console.log(`${suite.name.padEnd(14)} ${suite.title}`);
    return 0;
  }
  const engine = new SharedEngine();
  let passed = 0;
  let failed = 0;
  /** @type {string[]} */
  const summary = [];
  for (const [index, suite] of selected.entries()) {
    console.log(`\n[${index + 1}/${selected.length}] ${suite.name}: ${suite.title}`);
    const started = performance.now();
    const outcome = await runSuite(suite, engine);
    passed += outcome.passed;
    failed += outcome.failed;
    const line = `${suite.name}: ${outcome.passed} passed, ${outcome.failed} failed in ${seconds(started)}`;
    console.log(line);
    summary.push(line);
  }
  await engine.stop();
  console.log(`\n${summary.join("\n")}\n\n${passed} passed, ${failed} failed`);
  return failed ? 1 : 0;
}

/**
 * @param {import("../suites/suites.mjs").Suite} suite
 * @param {SharedEngine} engine
 */
async function runSuite(suite, engine) {
  try {
    const outcome = await suite.run({ engine });
    if (outcome.passed + outcome.failed > 0) return outcome;
    console.error(`${suite.name} ran no test, which counts as a failure`);
  } catch (error) {
    console.error(error instanceof PlainError ? error.message : error);
  }
  return { passed: 0, failed: 1 };
}

/** @param {string[]} args */
function select(args) {
  const names = args.filter((arg) => !arg.startsWith("--"));
  const unknown = args.filter(
    (arg) => !["--all", "--list"].includes(arg) && !suites.some((suite) => suite.name === arg),
  );
  if (unknown.length) {
    throw new PlainError(
      `unknown: ${unknown.join(", ")}; suites are: ${suites.map((suite) => suite.name).join(", ")}`,
    );
  }
  if (names.length) return suites.filter((suite) => names.includes(suite.name));
  return suites.filter((suite) => args.includes("--all") || !suite.matrix);
}
