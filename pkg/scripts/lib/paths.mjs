// Where things are, whatever folder a script was started from.

import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

export const pkgDir = fileURLToPath(new URL("../..", import.meta.url));
export const rootDir = resolve(pkgDir, "..");
export const distDir = join(pkgDir, "dist");
export const entryDir = join(pkgDir, "entry");
export const testsDir = join(pkgDir, "tests");

/** Cargo's output folder: `CARGO_TARGET_DIR`, relative to the checkout as cargo would read it there, or `target/`. */
export const targetDir = resolve(rootDir, process.env.CARGO_TARGET_DIR ?? "target");

/** What the scripts themselves keep between runs. */
export const cacheDir = join(targetDir, "package");
