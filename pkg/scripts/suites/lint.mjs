import { lintChecks } from "../lib/code-style.mjs";
import { run } from "../lib/process.mjs";
import { countChecks } from "./checks.mjs";

/** @type {import("./suites.mjs").Suite} */
export const lint = {
  name: "lint",
  title: "rustfmt, clippy for both targets, biome",
  async run() {
    const checks = await lintChecks();
    return countChecks(
      checks.map(({ name, command, args, cwd }) => ({
        name,
        run: () => run(command, args, { cwd }),
      })),
    );
  },
};
