import { capture } from "../lib/process.mjs";

const SUMMARY = /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/gm;

/** @type {import("./suites.mjs").Suite} */
export const coreTests = {
  name: "core",
  title: "the core, natively (cargo test -p hotdata-wasm -p lossless-numbers)",
  run: () => cargoTest(["hotdata-wasm", "lossless-numbers"]),
};

/** @type {import("./suites.mjs").Suite} */
export const engineTests = {
  name: "engine",
  title: "the local engine, with the contract's claims (cargo test)",
  run: () => cargoTest(["hotdata-local-engine", "hotdata-local-server", "distance-kernel"]),
};

/**
 * @param {string[]} packages
 * @returns {Promise<import("./suites.mjs").Outcome>} an ignored test counts as failed: nothing here may be skipped
 */
async function cargoTest(packages) {
  const args = packages.flatMap((name) => ["-p", name]);
  const done = await capture("cargo", ["test", "--no-fail-fast", ...args, "--", "--quiet"], {
    show: true,
  });
  return libtestOutcome(done);
}

/**
 * @param {import("../lib/process.mjs").Finished} done
 * @returns {import("./suites.mjs").Outcome}
 */
export function libtestOutcome(done) {
  let passed = 0;
  let failed = 0;
  for (const [, ok, bad, ignored] of done.stdout.matchAll(SUMMARY)) {
    passed += Number(ok);
    failed += Number(bad) + Number(ignored);
  }
  // A compile error or a crashed test program leaves no summary of its own.
  if (done.code !== 0 && failed === 0) failed = 1;
  return { passed, failed };
}
