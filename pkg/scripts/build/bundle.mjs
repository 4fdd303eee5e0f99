// Fewer, smaller files: an entry and what all entries share, instead of the twenty files they are written as. Reading and
// linking these took a third of the time that an import takes in Node. The npm packages in use stand inside too, so that a
// page or a worker without a bundler has them.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pkgDir } from "../lib/paths.mjs";

/** Of the npm packages the package carries inside. */
const LICENCES = join("vendor", "LICENSES.txt");

/** What is reached from outside: by `exports`, by a lazy import, or by tests of what stands behind it. */
const ENTRIES = [
  "index.js",
  "index.edge.js",
  "index.workerd.js",
  "wasm.js",
  "sources.js",
  join("loading", "open.js"),
  join("loading", "remote.js"),
  join("loading", "rows.js"),
];

/**
 * Bundles the scripts of a folder in place, removes those that stand inside others now, and collects the licences of what
 * is carried.
 *
 * @param {string} stage
 */
export async function bundleEntries(stage) {
  const { build } = await import("esbuild");
  const { outputFiles, metafile } = await build({
    absWorkingDir: stage,
    entryPoints: ENTRIES,
    outdir: stage,
    bundle: true,
    // What entries share stays one module: one instance of the wasm, one class of each name.
    splitting: true,
    format: "esm",
    // The packages' variants without Node's modules.
    platform: "browser",
    target: "es2022",
    // Identifiers stay: stack traces and inspected objects show them.
    minifySyntax: true,
    minifyWhitespace: true,
    chunkNames: "shared-[hash]",
    external: ["*.wasm", "*.wasm?module", "./core_inline.js"],
    metafile: true,
    write: false,
    logLevel: "error",
  });
  removeScripts(stage, ["core_inline.js"]);
  const packages = new Set(
    Object.keys(metafile.inputs)
      .map((path) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
      .filter((name) => name !== undefined),
  );
  write(join(stage, LICENCES), [...packages].sort().map(licence).join("\n"));
  for (const file of outputFiles) write(file.path, file.contents);
}

/** @param {string} name a package */
function licence(name) {
  const dir = join(pkgDir, "node_modules", name);
  const { version } = JSON.parse(readFileSync(join(dir, "package.json"), "utf8"));
  const text = readFileSync(join(dir, "LICENSE"), "utf8");
  return `${name} ${version}\n\n${text}`;
}

/**
 * @param {string} path
 * @param {string | Uint8Array} contents
 */
function write(path, contents) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}

/**
 * @param {string} folder
 * @param {string[]} kept
 */
function removeScripts(folder, kept) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      removeScripts(path, kept);
      if (readdirSync(path).length === 0) rmSync(path, { recursive: true });
    } else if (entry.name.endsWith(".js") && !kept.includes(entry.name)) {
      rmSync(path);
    }
  }
}
