import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { DOCUMENTS } from "../build/dist.mjs";
import { buildPackage } from "../build/package.mjs";
import { bin } from "../lib/dependencies.mjs";
import { withInstalledPackage } from "../lib/packed.mjs";
import { pkgDir } from "../lib/paths.mjs";
import { output } from "../lib/process.mjs";
import { countChecks } from "./checks.mjs";

/** @type {import("./suites.mjs").Suite} */
export const npmPackage = {
  name: "npm-package",
  title: "the packed package: contents, exports, types, use from another project",
  async run() {
    await buildPackage();
    const manifest = JSON.parse(readFileSync(join(pkgDir, "package.json"), "utf8"));
    return withInstalledPackage(({ dir, tarball, packed }) =>
      countChecks([
        { name: "every export is packed", run: () => exportsArePacked(manifest, packed.files) },
        { name: "the documents are packed", run: () => documentsArePacked(packed.files) },
        { name: "nothing else is packed", run: () => onlyTheDistIsPacked(packed.files) },
        { name: "no dependencies", run: () => noDependencies(manifest) },
        { name: "publint", run: () => output(bin("publint"), [tarball, "--strict"]) },
        {
          name: "attw",
          run: () =>
            output(bin("attw"), [
              ...[tarball, "--profile", "esm-only", "--no-color", "--no-emoji"],
              // The bare module has no types to resolve.
              ...["--exclude-entrypoints", "core_bg.wasm"],
            ]),
        },
        ...Object.keys(manifest.exports)
          .filter((path) => !path.endsWith(".wasm") && !path.endsWith(".json"))
          .map((path) => ({
            name: `import of ${path}`,
            run: () => importsFrom(dir, path.replace(/^\./, manifest.name)),
          })),
      ]),
    );
  },
};

/**
 * @param {{ exports: Record<string, string | Record<string, string>> }} manifest
 * @param {{ path: string, size: number }[]} files
 */
function exportsArePacked(manifest, files) {
  const packed = new Map(files.map((file) => [`./${file.path}`, file.size]));
  const named = Object.values(manifest.exports).flatMap((target) =>
    typeof target === "string" ? [target] : Object.values(target),
  );
  const missing = named.filter((path) => !packed.get(path));
  if (missing.length) throw new Error(`missing or empty: ${missing.join(", ")}`);
}

/** @param {{ path: string }[]} files */
function documentsArePacked(files) {
  const packed = files.map((file) => file.path);
  const missing = DOCUMENTS.filter((name) => !packed.includes(name));
  if (missing.length) throw new Error(`missing: ${missing.join(", ")}`);
}

/** @param {{ path: string }[]} files */
function onlyTheDistIsPacked(files) {
  const expected =
    /^(dist\/[\w.-]+\.(js|d\.ts|wasm)|dist\/adapters\/[\w.-]+\.(js|d\.ts)|dist\/loading\/[\w.-]+\.js|dist\/vendor\/LICENSES\.txt|package\.json|README\.md|LICENSE[\w-]*|CHANGELOG\.md)$/;
  const others = files.map((file) => file.path).filter((path) => !expected.test(path));
  if (others.length) throw new Error(`not expected: ${others.join(", ")}`);
}

/** @param {Record<string, object | undefined>} manifest */
function noDependencies(manifest) {
  const names = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  if (names.length) throw new Error(`depends on ${names.join(", ")}`);
}

/**
 * @param {string} dir
 * @param {string} specifier
 */
async function importsFrom(dir, specifier) {
  const script = join(dir, "use.js");
  writeFileSync(
    script,
    `const names = Object.keys(await import(${JSON.stringify(specifier)}));
if (!names.includes("Hotdata")) throw new Error("exports " + names);
`,
  );
  await output(process.execPath, [script], { cwd: dir });
}
