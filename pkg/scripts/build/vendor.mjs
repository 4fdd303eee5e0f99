// The npm packages the package carries inside: bundled, so that a page or a worker without a bundler has them too, and
// with their licences.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pkgDir } from "../lib/paths.mjs";

/** Beside the bundles. */
const LICENCES = "LICENSES.txt";

/**
 * Replaces each script of a folder by itself with everything it imports.
 *
 * @param {string} folder
 */
export async function bundleVendor(folder) {
  const { build } = await import("esbuild");
  const { metafile } = await build({
    absWorkingDir: pkgDir,
    entryPoints: readdirSync(folder)
      .filter((name) => name.endsWith(".js"))
      .map((name) => join(folder, name)),
    outdir: folder,
    allowOverwrite: true,
    bundle: true,
    minify: true,
    format: "esm",
    // The packages' variants without Node's modules.
    platform: "browser",
    target: "es2022",
    metafile: true,
    logLevel: "error",
  });
  const packages = new Set(
    Object.keys(metafile.inputs)
      .map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
      .filter((name) => name !== undefined),
  );
  writeFileSync(join(folder, LICENCES), [...packages].sort().map(licence).join("\n"));
}

/** @param {string} name a package */
function licence(name) {
  const dir = join(pkgDir, "node_modules", name);
  const { version } = JSON.parse(readFileSync(join(dir, "package.json"), "utf8"));
  const text = readFileSync(join(dir, "LICENSE"), "utf8");
  return `${name} ${version}\n\n${text}`;
}
