// Tools npm cannot bring: found, installed where that is one safe command, or named with how to get them.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { PlainError } from "./errors.mjs";
import { capture, output, run } from "./process.mjs";
import { step } from "./progress.mjs";

const WASM_TARGET = "wasm32-unknown-unknown";

/** @throws {PlainError} when there is no cargo */
export async function requireCargo() {
  if (onPath("cargo")) return;
  throw new PlainError(
    "cargo is not installed. Get Rust with:\n" +
      "  curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh\n" +
      "or see https://rustup.rs",
  );
}

/** Adds Rust's wasm target where it is missing. */
export async function requireWasmTarget() {
  await requireCargo();
  const sysroot = (await output("rustc", ["--print", "sysroot"])).trim();
  if (existsSync(join(sysroot, "lib", "rustlib", WASM_TARGET))) return;
  const added =
    onPath("rustup") &&
    (await step(`adding Rust's ${WASM_TARGET} target`, () =>
      capture("rustup", ["target", "add", WASM_TARGET]),
    ));
  if (added && added.code === 0) return;
  throw new PlainError(
    `Rust's ${WASM_TARGET} target is missing from ${sysroot}${added ? ` and rustup could not add it:\n${added.stderr.trim()}` : ""}\n` +
      `Get it with:\n  rustup target add ${WASM_TARGET}\n` +
      "or, where Rust comes from a package manager, install its wasm target (Debian: libstd-rust-dev-wasm32)",
  );
}

/** @returns {Promise<string>} path of a Chromium or Chrome */
export function requireChromium() {
  return requireDebianCommand({
    what: "Chromium",
    variable: "CHROMIUM_PATH",
    commands: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
    packages: ["chromium"],
    elsewhere: "https://www.chromium.org/getting-involved/download-chromium/",
  });
}

/** @returns {Promise<string>} path of a Firefox */
export function requireFirefox() {
  return requireDebianCommand({
    what: "Firefox",
    variable: "FIREFOX_PATH",
    commands: ["firefox-esr", "firefox"],
    packages: ["firefox-esr"],
    elsewhere: "https://www.mozilla.org/firefox/",
  });
}

/** @returns {Promise<string>} path of a Python 3.11 or newer that can make virtual environments */
export async function requirePython() {
  const python = await requireDebianCommand({
    what: "Python 3.11 or newer",
    variable: "PYTHON",
    commands: ["python3", "python"],
    packages: ["python3", "python3-venv"],
    elsewhere: "https://www.python.org/downloads/",
  });
  const probe = "import sys, venv, ensurepip; assert sys.version_info >= (3, 11), sys.version";
  if ((await capture(python, ["-c", probe])).code === 0) return python;
  if (await aptInstall("Python's venv module", ["python3-venv"])) {
    if ((await capture(python, ["-c", probe])).code === 0) return python;
  }
  throw new PlainError(
    `${python} is older than 3.11 or cannot make virtual environments. On Debian: apt-get install python3-venv; ` +
      "elsewhere: https://www.python.org/downloads/. PYTHON=path names another one.",
  );
}

/**
 * @param {{ what: string, variable: string, commands: string[], packages: string[], elsewhere: string }} need
 */
async function requireDebianCommand(need) {
  const named = process.env[need.variable];
  if (named) {
    if (existsSync(named)) return named;
    throw new PlainError(`${need.variable} names ${named}, which does not exist`);
  }
  const found = firstOnPath(need.commands);
  if (found) return found;
  await aptInstall(need.what, need.packages);
  const installed = firstOnPath(need.commands);
  if (installed) return installed;
  throw new PlainError(
    `${need.what} is not installed. On Debian, as root: apt-get update && apt-get install ${need.packages.join(" ")}; ` +
      `elsewhere: ${need.elsewhere}. ${need.variable}=path names one that is not on the PATH.`,
  );
}

/**
 * Installs Debian packages when this is Debian and we are root.
 *
 * @param {string} what
 * @param {string[]} packages
 * @returns {Promise<boolean>} whether it was tried and worked
 */
async function aptInstall(what, packages) {
  if (process.getuid?.() !== 0 || !onPath("apt-get")) return false;
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await step(`installing ${what} (apt-get update)`, () =>
    output("apt-get", ["update", "-q"], { env }),
  );
  console.log(`installing ${what} (apt-get install ${packages.join(" ")})`);
  await run("apt-get", ["install", "-q", "-y", "--no-install-recommends", ...packages], { env });
  return true;
}

/** @param {string[]} commands */
function firstOnPath(commands) {
  for (const command of commands) {
    const path = onPath(command);
    if (path) return path;
  }
  return undefined;
}

/**
 * @param {string} command
 * @returns {string | undefined} its full path
 */
function onPath(command) {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, command))
    .find((path) => existsSync(path));
}
