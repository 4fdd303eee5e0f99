/**
 * Runs named checks one after another and counts them; a failure is printed, the rest still run.
 *
 * @param {{ name: string, run: () => unknown }[]} checks each throws, or rejects, to fail
 * @returns {Promise<import("./suites.mjs").Outcome>}
 */
export async function countChecks(checks) {
  const outcome = { passed: 0, failed: 0 };
  for (const check of checks) {
    try {
      await check.run();
      outcome.passed += 1;
      console.log(`ok ${check.name}`);
    } catch (error) {
      outcome.failed += 1;
      console.error(`FAILED ${check.name}\n${error instanceof Error ? error.message : error}`);
    }
  }
  return outcome;
}

/**
 * Prints and counts what a driver in some runtime reported.
 *
 * @param {string} runtime
 * @param {import("../../tests/harness.js").CaseResult[]} results
 * @returns {import("./suites.mjs").Outcome}
 */
export function countResults(runtime, results) {
  const outcome = { passed: 0, failed: 0 };
  for (const result of results) {
    outcome[result.error === undefined ? "passed" : "failed"] += 1;
    if (result.error !== undefined)
      console.error(`FAILED ${runtime}: ${result.name}\n${shortened(result.error)}`);
  }
  return outcome;
}

/** @param {string} stack @returns its message and first frames */
function shortened(stack) {
  return stack.split("\n").slice(0, 12).join("\n");
}

/** @param {import("./suites.mjs").Outcome[]} outcomes */
export function sum(outcomes) {
  return outcomes.reduce(
    (total, one) => ({ passed: total.passed + one.passed, failed: total.failed + one.failed }),
    { passed: 0, failed: 0 },
  );
}
