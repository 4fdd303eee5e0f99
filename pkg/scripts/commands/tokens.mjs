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
    } else {
      checkRecorded(sibling);
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
  const line = (
    /** @type {string} */ what,
    /** @type {number} */ one,
    /** @type {number} */ other,
  ) =>
    `| ${what} | ${one || ""} | ${other || ""} | ${one && other ? `${Math.round((100 * one) / other)}%` : ""} |`;
  return [
    `| tokens (o200k_base) | hotdata-wasm | ${sibling.release} | ratio |`,
    "| --- | ---: | ---: | ---: |",
    line("default set, without hotdata_aggregate_matches", ours.set, sibling.set),
    line("the same, strict for OpenAI's Responses", ours.strictSet, sibling.set),
    ...names.map((name) => line(name, ours.tools[name] ?? 0, sibling.tools[name] ?? 0)),
    ...Object.entries(ours.answers).flatMap(([name, counts]) =>
      FORMATS.map((format) =>
        line(`${name} result, ${format}`, counts[format] ?? 0, sibling.answers[name] ?? 0),
      ),
    ),
  ].join("\n");
}

/**
 * Its answers hold random ids, so that a few tokens come and go.
 *
 * @param {Sibling} sibling
 */
function checkRecorded(sibling) {
  const recorded = JSON.parse(readFileSync(RECORDED, "utf8"));
  for (const [now, then] of [
    [sibling.set, recorded.set],
    ...Object.entries(sibling.answers).map(([name, count]) => [count, recorded.answers[name]]),
  ]) {
    if (!(Math.abs(now - then) <= 0.01 * then)) {
      throw new PlainError(
        `the sibling takes ${now} tokens where ${then} are recorded: run with --record`,
      );
    }
  }
}
