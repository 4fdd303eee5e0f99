import { join } from "node:path";
import process from "node:process";
import { buildPackage } from "../build/package.mjs";
import { buildEngine, startEngine } from "../lib/engine.mjs";
import { pkgDir, testsDir } from "../lib/paths.mjs";
import { capture, stop } from "../lib/process.mjs";
import { tapOutcome } from "./node.mjs";
import { ARGUMENTS } from "./shared-engine.mjs";

/** Behaviour of the service that a model meets and other suites do without. */
const AS_THE_SERVICE = [
  "--empty-body-for-quoted-case",
  "--strict-projection",
  "default.public.listings",
];

/** @type {import("./suites.mjs").Suite} */
export const agent = {
  name: "agent",
  title: "scripted models at work with the tools: right calls, wrong ones and their corrections",
  async run() {
    await buildPackage();
    await buildEngine();
    const engine = await startEngine([...ARGUMENTS, ...AS_THE_SERVICE]);
    try {
      const driver = join(testsDir, "agent", "agent.test.js");
      const done = await capture(process.execPath, ["--test", "--test-reporter=tap", driver], {
        cwd: pkgDir,
        // A test process must not believe that it was started by the outer one.
        env: { HOTDATA_TEST_ENGINE: engine.url, NODE_TEST_CONTEXT: undefined },
        timeoutMs: 120_000,
      });
      return tapOutcome(done);
    } finally {
      await stop(engine.child);
    }
  },
};
