// Runs the cases in any runtime: a driver brings the package, the assertions and the engine's address.

/**
 * @typedef {{ [Name in keyof Chai.AssertStatic]: (...args: any[]) => void }} Assert chai's, without the narrowing that
 *   would need every use annotated
 * @typedef {{
 *   api: any,
 *   assert: Assert,
 *   engineUrl: string,
 * }} CaseEnvironment api: the package's namespace; not typed, because cases also pass what the types forbid
 * @typedef {{ name: string, run: (environment: CaseEnvironment) => unknown }} Case
 * @typedef {{ name: string, error?: string }} CaseResult
 */

const CASE_TIMEOUT_MS = 60_000;

// Taken before any case replaces it.
const { setTimeout } = globalThis;

/**
 * @template Environment
 * @param {{ name: string, run: (environment: Environment) => unknown }[]} cases
 * @param {Environment} environment
 * @returns {Promise<CaseResult[]>} one a case, in order; with `error` where it failed
 */
export async function runCases(cases, environment) {
  /** @type {CaseResult[]} */
  const results = [];
  for (const { name, run } of cases) {
    try {
      await within(CASE_TIMEOUT_MS, Promise.resolve(environment).then(run));
      results.push({ name });
    } catch (error) {
      results.push({
        name,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
  }
  return results;
}

/**
 * @template T
 * @param {number} ms
 * @param {Promise<T>} work
 * @returns {Promise<T>}
 */
async function within(ms, work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end after ${ms / 1000} s`)), ms);
  });
  try {
    return /** @type {T} */ (await Promise.race([work, late]));
  } finally {
    clearTimeout(timer);
  }
}
