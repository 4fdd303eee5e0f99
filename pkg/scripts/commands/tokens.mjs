import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildPackage } from "../build/package.mjs";
import { installDependencies, providersDir } from "../lib/dependencies.mjs";
import { PlainError } from "../lib/errors.mjs";
import { cacheDir, pkgDir } from "../lib/paths.mjs";
import { requirePython } from "../lib/prerequisites.mjs";
import { output } from "../lib/process.mjs";
import { SharedEngine } from "../suites/shared-engine.mjs";
import { counter, FORMATS, measure, tokens } from "../tokens/measure.mjs";
import { QUERIES } from "../tokens/queries.mjs";

const FOLDER = join(pkgDir, "scripts", "tokens");
const RECORDED = join(FOLDER, "sibling.json");

/**
 * Prints the token table: `tokens [--record]`. The sibling is measured anew; with `--record`, its figures replace the
 * recorded ones that the tests hold ours against.
 *
 * @param {string[]} args
 * @returns {Promise<number>} exit code
 */
export async function main(args) {
  await buildPackage();
  await installDependencies(providersDir);
  const engine = new SharedEngine();
  try {
    const url = await engine.url();
    const sibling = await measureSibling(url);
    const ours = await measure(url);
    console.log(`\n${table(ours, sibling)}`);
    if (args.includes("--record")) {
      writeFileSync(RECORDED, `${JSON.stringify(sibling, null, 2)}\n`);
    } else if (JSON.stringify(sibling) !== JSON.stringify(JSON.parse(readFileSync(RECORDED, "utf8")))) {
      throw new PlainError("the sibling's figures are not the recorded ones: run with --record");
    }
    return 0;
  } finally {
    await engine.stop();
  }
}

/**
 * @typedef {{ how: string, release: string, set: number, tools: Record<string, number>, answers: Record<string, number> }} Sibling
 *
 * @param {string} url
 * @returns {Promise<Sibling>}
 */
async function measureSibling(url) {
  const count = await counter();
  const printed = await output(await requirePython(), [
    join(FOLDER, "sibling.py"),
    ...["--engine", url],
    ...["--venvs", join(cacheDir, "conformance")],
    ...["--queries", JSON.stringify(QUERIES)],
  ]);
  const told = JSON.parse(printed.slice(printed.lastIndexOf('{"release"')));
  return {
    how:
      "o200k_base; tools by its convert_to_openai_tool as compact JSON, with a text search over the sample papers; " +
      "answers by its execute_sql_json, as indented JSON with the same row limit; npm --prefix pkg run tokens -- --record",
    release: `hotdata-langchain ${told.release}`,
    set: tokens(count, told.tools),
    tools: Object.fromEntries(
      told.tools.map((/** @type {any} */ tool) => [tool.function.name, tokens(count, [tool])]),
    ),
    answers: Object.fromEntries(
      Object.entries(told.answers).map(([name, text]) => [name, count(text)]),
    ),
  };
}

/**
 * @param {import("../tokens/measure.mjs").Measured} ours
 * @param {Sibling} sibling
 */
function table(ours, sibling) {
  const names = [...new Set([...Object.keys(ours.tools), ...Object.keys(sibling.tools)])];
  const percent = (/** @type {number} */ part, /** @type {number | undefined} */ whole) =>
    whole ? `${Math.round((100 * part) / whole)}%` : "";
  const line = (/** @type {(string | number | undefined)[]} */ ...cells) =>
    `| ${cells.map((cell) => cell ?? "").join(" | ")} |`;
  return [
    line("tokens (o200k_base)", "hotdata-wasm", sibling.release, "ratio"),
    line("---", "---:", "---:", "---:"),
    line("default set", ours.set, sibling.set, percent(ours.set, sibling.set)),
    line("the same, strict for Responses", ours.strictSet, "", percent(ours.strictSet, sibling.set)),
    ...names.map((name) => line(name, ours.tools[name], sibling.tools[name])),
    ...Object.entries(ours.answers).flatMap(([name, counts]) =>
      FORMATS.map((format) => {
        const count = counts[format] ?? 0;
        return line(`${name} result, ${format}`, count, sibling.answers[name], percent(count, sibling.answers[name]));
      }),
    ),
  ].join("\n");
}
