// From Rust to an optimised module and its glue: cargo, wasm-bindgen, wasm-opt.

import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { bin } from "../lib/dependencies.mjs";
import { cacheDir, rootDir, targetDir } from "../lib/paths.mjs";
import { requireWasmTarget } from "../lib/prerequisites.mjs";
import { output, run } from "../lib/process.mjs";
import { step } from "../lib/progress.mjs";

const TARGET = "wasm32-unknown-unknown";

// What the oldest supported engines have, named one by one: wasm-opt then refuses a module that needs more.
const FEATURES = [
  "--mvp-features",
  "--enable-bulk-memory",
  "--enable-bulk-memory-opt",
  "--enable-multivalue",
  "--enable-mutable-globals",
  "--enable-nontrapping-float-to-int",
  "--enable-reference-types",
  "--enable-sign-ext",
  "--enable-simd",
];
// Chosen by bytes after gzip, which is what users download: -Oz gives fewer bytes that compress worse, 3 % more in all.
const PASSES = [
  ...["-O1", "--dae-optimizing", "--duplicate-function-elimination"],
  ...["--gufa", "-O1", "--code-folding"],
];

const OPTIMISE = [
  ...PASSES,
  ...FEATURES,
  "--strip-debug",
  "--strip-producers",
  "--strip-target-features",
];

/** Optimised modules of this many sources are kept: a switch between branches is then free. */
const KEPT = 4;

/**
 * Compiles the crate and runs what its result still needs.
 *
 * @returns {Promise<{ dir: string, key: string }>} a folder with `core_bg.wasm`, `core_bg.js`, `core.js` and
 *   `core.d.ts`, and a key that changes when any of them may
 */
export async function buildWasm() {
  await requireWasmTarget();
  console.log(`compiling hotdata-wasm for ${TARGET} (cargo, release)`);
  const build = ["build", "--release", "--target", TARGET, "-p", "hotdata-wasm"];
  const sysroot = (await output("rustc", ["--print", "sysroot"])).trim();
  await run("cargo", [...build, "--config", withoutPaths(sysroot)]);
  const compiled = join(targetDir, TARGET, "release", "hotdata_wasm.wasm");
  const key = hash([
    readFileSync(compiled),
    readFileSync(join(rootDir, "pkg", "bindgen", "src", "main.rs")),
    readFileSync(join(rootDir, "pkg", "package-lock.json")),
    OPTIMISE.join(" "),
  ]);
  const dir = join(cacheDir, `wasm-${key}`);
  if (existsSync(dir)) return { dir, key };

  // Filled under another name first: a folder with the right name is complete.
  const work = join(cacheDir, `work-${process.pid}`);
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  try {
    console.log("generating the JavaScript glue (wasm-bindgen)");
    await run("cargo", ["run", "--quiet", "-p", "bindgen", "--", compiled, work]);
    const module = join(work, "core_bg.wasm");
    await step("optimising core_bg.wasm (wasm-opt)", () =>
      output(bin("wasm-opt"), [module, ...OPTIMISE, "-o", module]),
    );
    rmSync(dir, { recursive: true, force: true });
    renameSync(work, dir);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  prune();
  return { dir, key };
}

/** Panics name files: what is shipped says nothing of the machine it was built on, and is the same from all of them. */
function withoutPaths(/** @type {string} */ sysroot) {
  const cargo = process.env.CARGO_HOME ?? join(homedir(), ".cargo");
  const flags = [
    `--remap-path-prefix=${join(cargo, "registry", "src")}=`,
    // Where the library's source is installed, its panics name it.
    `--remap-path-prefix=${join(sysroot, "lib", "rustlib", "src", "rust")}=`,
  ];
  return `target.${TARGET}.rustflags=${JSON.stringify(flags)}`;
}

/** @param {(string | Buffer)[]} parts */
export function hash(parts) {
  const sum = createHash("sha256");
  for (const part of parts) sum.update(`${part.length}:`).update(part);
  return sum.digest("hex").slice(0, 20);
}

function prune() {
  readdirSync(cacheDir)
    .filter((name) => name.startsWith("wasm-"))
    .map((name) => join(cacheDir, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
    .slice(KEPT)
    .forEach((old) => {
      rmSync(old, { recursive: true, force: true });
    });
}
