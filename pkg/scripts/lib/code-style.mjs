// Formatting and lints of both languages.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { bin, installDependencies } from "./dependencies.mjs";
import { pkgDir } from "./paths.mjs";
import { requireCargo, requireWasmTarget } from "./prerequisites.mjs";

/** @typedef {{ name: string, command: string, args: string[], cwd?: string }} Check */

const DENY = ["--", "-D", "warnings"];

/** @returns {Promise<Check[]>} commands that fail on unformatted or doubtful code */
export async function lintChecks() {
  await requireWasmTarget();
  await installDependencies();
  return [
    { name: "rustfmt", command: "cargo", args: ["fmt", "--all", "--check"] },
    {
      name: "clippy, native",
      command: "cargo",
      args: ["clippy", "--workspace", "--all-targets", ...DENY],
    },
    {
      name: "clippy, wasm32",
      command: "cargo",
      args: ["clippy", "-p", "hotdata-wasm", "--target", "wasm32-unknown-unknown", ...DENY],
    },
    ...biome(["check", "--error-on-warnings"]),
  ];
}

/** @returns {Promise<Check[]>} commands that rewrite the code */
export async function formatCommands() {
  await requireCargo();
  await installDependencies();
  return [
    { name: "rustfmt", command: "cargo", args: ["fmt", "--all"] },
    ...biome(["check", "--write"]),
  ];
}

/**
 * From the folder of its configuration: elsewhere Biome takes that file for a second root and refuses.
 *
 * @param {string[]} args
 * @returns {Check[]}
 */
function biome(args) {
  const folders = [".", "../www"].filter((folder) => existsSync(join(pkgDir, folder)));
  return [{ name: "biome", command: bin("biome"), args: [...args, ...folders], cwd: pkgDir }];
}
