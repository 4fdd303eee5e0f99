import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { runBenchmarks } from "../bench/benchmarks.mjs";
import { buildPackage } from "../build/package.mjs";
import { installDependencies, runtimesDir } from "../lib/dependencies.mjs";
import { rootDir } from "../lib/paths.mjs";

/**
 * Measures the package against its budgets, as ratios within this run, and writes `target/bench.json`.
 *
 * @returns {Promise<number>} exit code: 1 when a ratio is over its budget
 */
export async function main() {
  await buildPackage();
  await installDependencies(runtimesDir);
  const results = (await runBenchmarks()).map((result) => {
    const ratio = result.ours / result.other;
    return { ...result, ratio, within: ratio <= result.budget };
  });
  for (const { name, unit, ours, other, against, ratio, budget, within } of results) {
    console.log(
      `${name}: ${ours.toFixed(3)} ${unit}, ${other.toFixed(3)} ${unit} for ${against}; ` +
        `ratio ${ratio.toFixed(2)}, budget ${budget.toFixed(2)}${within ? "" : "  OVER"}`,
    );
  }
  const folder = join(rootDir, "target");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "bench.json");
  writeFileSync(file, `${JSON.stringify({ node: process.versions.node, results }, null, 2)}\n`);
  console.log(`written to ${file}`);
  return results.every((result) => result.within) ? 0 : 1;
}
