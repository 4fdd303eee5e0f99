import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { moduleClosure } from "../build/closure.mjs";
import { buildPackage } from "../build/package.mjs";
import { isOver, measureSizes, sizeTable } from "../build/sizes.mjs";
import { distDir } from "../lib/paths.mjs";
import { countChecks } from "./checks.mjs";

/** @type {import("./suites.mjs").Suite} */
export const sizes = {
  name: "sizes",
  title: "the built package: budgets, one module, nothing that a strict page forbids",
  async run() {
    await buildPackage();
    const rows = measureSizes();
    console.log(sizeTable(rows));
    return countChecks([
      ...rows
        .filter((row) => row.budget)
        .map((row) => ({
          name: `${row.name} within its budget`,
          run: () => {
            if (isOver(row)) throw new Error(`${row.gzip} bytes gzip, budget ${row.budget}`);
          },
        })),
      { name: "one WebAssembly file", run: oneModule },
      {
        name: "no eval",
        run: () => noneMatches(/\beval\s*\(|\bnew\s+Function\b|(?<![.\w`])Function\s*\(/),
      },
      { name: "no top-level await", run: () => noneMatches(/^(?:const .*= |let .*= )?await\b/m) },
      { name: "no entry imports another", run: entriesStandAlone },
    ]);
  },
};

function oneModule() {
  const modules = readdirSync(distDir).filter((name) => name.endsWith(".wasm"));
  if (modules.join() !== "core_bg.wasm") throw new Error(`found ${modules.join(", ") || "none"}`);
}

/** @param {RegExp} pattern */
function noneMatches(pattern) {
  const scripts = readdirSync(distDir, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".js"),
  );
  const found = scripts.filter((name) =>
    pattern.test(withoutComments(readFileSync(join(distDir, name), "utf8"))),
  );
  if (found.length) throw new Error(`${pattern} in ${found.join(", ")}`);
}

/** @param {string} source */
function withoutComments(source) {
  return source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}

function entriesStandAlone() {
  const entries = ["index.js", "index.workerd.js", "index.edge.js", "wasm.js"];
  const shared = new Set();
  for (const entry of entries) {
    const reached = moduleClosure(join(distDir, entry))
      .slice(1)
      .map((path) => path.slice(distDir.length + 1));
    const other = reached.find((name) => entries.includes(name));
    if (other) throw new Error(`${entry} reaches ${other}`);
    // One instance of the module, one class of each name: what holds them is a file that all entries share.
    const files = reached.map((name) => [name, readFileSync(join(distDir, name), "utf8")]);
    const core = files.find(([, source]) => source?.includes("function __wbg_set_wasm"))?.[0];
    if (!core) throw new Error(`${entry} has the module's glue in itself`);
    shared.add(core);
  }
  if (shared.size !== 1) throw new Error(`the entries share ${[...shared].join(" and ")}`);
}
