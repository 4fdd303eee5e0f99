import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { buildPackage } from "../build/package.mjs";
import { withInstalledPackage } from "../lib/packed.mjs";
import { rootDir } from "../lib/paths.mjs";
import { capture } from "../lib/process.mjs";
import { countChecks } from "./checks.mjs";

const LONGEST_SNIPPET = 15;

/** @type {import("./suites.mjs").Suite} */
export const readme = {
  name: "readme",
  title: "the README's first program, run as a user would",
  async run({ engine }) {
    await buildPackage();
    const engineUrl = await engine.url();
    const snippet = firstProgram(readFileSync(join(rootDir, "README.md"), "utf8"));
    return countChecks([
      {
        name: `at most ${LONGEST_SNIPPET} lines`,
        run: () => {
          const lines = snippet.trimEnd().split("\n").length;
          if (lines > LONGEST_SNIPPET) throw new Error(`${lines} lines`);
        },
      },
      { name: "prints fused rows with their ranks", run: () => printsRanks(snippet, engineUrl) },
    ]);
  },
};

/** @param {string} text */
function firstProgram(text) {
  const blocks = [...text.matchAll(/^```(?:js|javascript)\n([\s\S]*?)^```$/gm)];
  const program = blocks
    .map(([, code = ""]) => code)
    .find((code) => /from "hotdata-wasm"/.test(code));
  if (!program) throw new Error('README.md has no js block that imports from "hotdata-wasm"');
  return program;
}

/**
 * @param {string} snippet
 * @param {string} engineUrl
 */
async function printsRanks(snippet, engineUrl) {
  const done = await withInstalledPackage(({ dir }) => {
    const script = join(dir, "program.js");
    writeFileSync(script, snippet);
    // From the checkout, whose sample vectors the program may read.
    return capture(process.execPath, [script], {
      cwd: rootDir,
      env: {
        HOTDATA_API_URL: engineUrl,
        HOTDATA_API_KEY: "hd_local",
        HOTDATA_WORKSPACE: "ws_local",
        HOTDATA_DATABASE: undefined,
      },
      timeoutMs: 60_000,
    });
  });
  const printed = `${done.stdout}${done.stderr}`;
  if (done.code !== 0) throw new Error(printed);
  const rows = [...done.stdout.matchAll(/ words: (\d+|null) meaning: (\d+|null)$/gm)];
  const inBoth = rows.filter(([, words, meaning]) => words !== "null" && meaning !== "null");
  if (rows.length < 5 || inBoth.length === 0) {
    throw new Error(`no five rows with their ranks, one of them ranked by both:\n${printed}`);
  }
}
