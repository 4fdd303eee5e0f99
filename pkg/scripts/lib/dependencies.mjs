// npm packages, installed the first time a command needs them.

import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import process from "node:process";
import { PlainError } from "./errors.mjs";
import { pkgDir, rootDir, testsDir } from "./paths.mjs";
import { output } from "./process.mjs";
import { step } from "./progress.mjs";

export const runtimesDir = join(testsDir, "runtimes");
export const matrixDir = join(testsDir, "matrix");
export const providersDir = join(testsDir, "providers");

/**
 * Installs what a folder's lock file names, unless exactly that is installed.
 *
 * @param {string} [folder]
 */
export async function installDependencies(folder = pkgDir) {
  const lock = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex");
  const stamp = join(folder, "node_modules", ".installed-lock");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  const where = relative(rootDir, folder);
  await step(`installing npm packages in ${where}`, () =>
    npm(["ci", "--no-audit", "--no-fund"], folder),
  );
  writeFileSync(stamp, lock);
}

/**
 * Runs npm, the very one that started this script where there is one.
 *
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<string>} its standard output
 */
export async function npm(args, cwd) {
  const cli = process.env.npm_execpath;
  // npm sets these for its scripts; passed on, they would point a nested npm at the outer package.
  const env = Object.fromEntries(
    Object.keys(process.env)
      .filter((name) => /^npm_(config_prefix|config_local_prefix|package_|lifecycle_)/.test(name))
      .map((name) => [name, undefined]),
  );
  return cli?.endsWith("js")
    ? output(process.execPath, [cli, ...args], { cwd, env })
    : output("npm", args, { cwd, env });
}

/**
 * The script or binary behind a dependency's command.
 *
 * @param {string} command
 * @param {string} [folder]
 */
export function bin(command, folder = pkgDir) {
  const path = join(folder, "node_modules", ".bin", command);
  if (!existsSync(path)) {
    throw new PlainError(
      `${command} is missing from ${relative(rootDir, folder)}/node_modules: run npm ci there`,
    );
  }
  return path;
}
