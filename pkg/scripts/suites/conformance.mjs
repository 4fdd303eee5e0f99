import { join } from "node:path";
import { buildEngine, enginePath } from "../lib/engine.mjs";
import { PlainError } from "../lib/errors.mjs";
import { cacheDir, rootDir } from "../lib/paths.mjs";
import { requirePython } from "../lib/prerequisites.mjs";
import { capture } from "../lib/process.mjs";

/** @type {import("./suites.mjs").Suite} */
export const conformance = {
  name: "conformance",
  title: "the official Python clients against the local engine",
  async run() {
    await buildEngine();
    const python = await requirePython();
    const args = [
      join(rootDir, "tests", "conformance", "run.py"),
      // It starts engines of its own, each with the options that its cases are about.
      ...["--binary", enginePath()],
      ...["--venvs", join(cacheDir, "conformance")],
    ];
    const done = await capture(python, args, { show: true, timeoutMs: 600_000 });
    const total = /^(\d+) passed, (\d+) failed$/m.exec(done.stdout);
    if (!total) throw new PlainError(`the conformance run printed no total (exit ${done.code})`);
    const [passed = 0, failed = 0] = total.slice(1).map(Number);
    return { passed, failed: failed || Number(done.code !== 0) };
  },
};
