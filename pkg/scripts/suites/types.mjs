import { readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { buildPackage } from "../build/package.mjs";
import { pkgDir, rootDir } from "../lib/paths.mjs";
import { output } from "../lib/process.mjs";
import { countChecks } from "./checks.mjs";

const COMPILERS = { "TypeScript 5.4": "typescript-floor", "TypeScript now": "typescript" };

// A project with a browser's types and no Node's, one with Node's alone, and both ways of resolving a package.
const PROJECTS = {
  "a browser project": [
    ...["--module", "esnext", "--moduleResolution", "bundler"],
    ...["--lib", "es2022,dom,dom.iterable", "--typeRoots", "tests/types"],
  ],
  "a Node project": [
    ...["--module", "nodenext", "--moduleResolution", "nodenext"],
    ...["--lib", "es2022", "--types", "node"],
  ],
};

/** @type {import("./suites.mjs").Suite} */
export const types = {
  name: "types",
  title: "the declarations as users see them, and our own scripts",
  async run() {
    await buildPackage();
    const tests = readdirSync(join(pkgDir, "tests", "types")).filter((name) =>
      name.endsWith(".ts"),
    );
    const checks = Object.entries(COMPILERS).flatMap(([version, compiler]) =>
      Object.entries(PROJECTS).flatMap(([project, flags]) =>
        tests.map((test) => ({
          name: `${test} in ${project}, ${version}`,
          run: () => compile(compiler, [...flags, join("tests", "types", test)]),
        })),
      ),
    );
    return countChecks([
      ...checks,
      { name: "scripts and tests", run: () => compile("typescript", ["-p", "tsconfig.json"]) },
      {
        name: "the demo page",
        run: () => compile("typescript", ["-p", join(rootDir, "www", "tsconfig.json")]),
      },
    ]);
  },
};

/**
 * @param {string} compiler the package that holds it
 * @param {string[]} args
 */
function compile(compiler, args) {
  const tsc = join(pkgDir, "node_modules", compiler, "bin", "tsc");
  const strict = [
    "--strict",
    "--target",
    "es2022",
    "--noEmit",
    "--exactOptionalPropertyTypes",
    "--noUncheckedIndexedAccess",
  ];
  const flags = args[0] === "-p" ? args : [...strict, "--skipLibCheck", "false", ...args];
  return output(process.execPath, [tsc, ...flags], { cwd: pkgDir });
}
