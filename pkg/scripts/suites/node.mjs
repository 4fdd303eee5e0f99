import { readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { buildPackage } from "../build/package.mjs";
import { bin, installDependencies, runtimesDir } from "../lib/dependencies.mjs";
import { pkgDir, testsDir } from "../lib/paths.mjs";
import { capture, output } from "../lib/process.mjs";

const DRIVERS = [
  "node.test.js",
  "node-init.test.js",
  "node-asynchronous.test.js",
  "node-inline.test.js",
];
/** Folders of tests that run in Node alone. */
const FOLDERS = ["loading", "node"];

/** @type {import("./suites.mjs").Suite} */
export const currentNode = {
  name: "node",
  title: `JavaScript in this Node (${process.versions.node})`,
  run: ({ engine }) => nodeTest(async () => process.execPath, engine),
};

/** @type {import("./suites.mjs").Suite} */
export const newerNode = {
  name: "node24",
  title: "JavaScript in Node 24",
  run: ({ engine }) =>
    nodeTest(async () => {
      await installDependencies(runtimesDir);
      return bin("node", runtimesDir);
    }, engine),
};

/**
 * @param {() => Promise<string>} findNode
 * @param {import("./shared-engine.mjs").SharedEngine} engine
 * @returns {Promise<import("./suites.mjs").Outcome>}
 */
async function nodeTest(findNode, engine) {
  await buildPackage();
  const node = await findNode();
  console.log(`node ${(await output(node, ["--version"])).trim()}`);
  const drivers = [
    ...DRIVERS.map((name) => join(testsDir, "drivers", name)),
    ...FOLDERS.flatMap((folder) =>
      readdirSync(join(testsDir, folder))
        .filter((name) => name.endsWith(".test.js"))
        .map((name) => join(testsDir, folder, name)),
    ),
  ];
  const done = await capture(node, ["--test", "--test-reporter=tap", ...drivers], {
    cwd: pkgDir,
    // A test process must not believe that it was started by the outer one.
    env: { HOTDATA_TEST_ENGINE: await engine.url(), NODE_TEST_CONTEXT: undefined },
    timeoutMs: 300_000,
  });
  return tapOutcome(done);
}

/**
 * @param {import("../lib/process.mjs").Finished} done
 * @returns {import("./suites.mjs").Outcome} skipped, todo and cancelled tests count as failed
 */
export function tapOutcome(done) {
  const count = (/** @type {string} */ what) =>
    Number(new RegExp(`^# ${what} (\\d+)$`, "m").exec(done.stdout)?.[1] ?? 0);
  const passed = count("pass");
  let failed = count("fail") + count("skipped") + count("todo") + count("cancelled");
  if (done.code !== 0 && failed === 0) failed = 1;
  if (failed) console.error(failures(done.stdout) || done.stdout + done.stderr);
  return { passed, failed };
}

/** @param {string} tap */
function failures(tap) {
  return tap
    .split(/^(?=\s*(?:not )?ok \d+ )/m)
    .filter((block) => /^\s*not ok /.test(block))
    .join("");
}
