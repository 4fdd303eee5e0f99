// The local engine: built with cargo's dev profile, run on loopback.

import { join } from "node:path";
import process from "node:process";
import { targetDir } from "./paths.mjs";
import { requireCargo } from "./prerequisites.mjs";
import { printed, run, start } from "./process.mjs";

const BINARY = "hotdata-local-engine";
const LISTENING = /listening on (http:\/\/\S+)/;

/** Builds the engine; cargo shows its own progress. A first build compiles DataFusion: several minutes. */
export async function buildEngine() {
  await requireCargo();
  await run("cargo", ["build", "-p", "hotdata-local-server", "--bin", BINARY]);
}

/**
 * Runs a built engine in the foreground, its output shown.
 *
 * @param {string[]} args
 * @returns {import("node:child_process").ChildProcess}
 */
export function runEngine(args) {
  return start(enginePath(), args);
}

/**
 * Starts a built engine on a free port and waits until it listens.
 *
 * @param {string[]} args
 * @returns {Promise<{ url: string, child: import("node:child_process").ChildProcess }>}
 */
export async function startEngine(args) {
  const child = start(enginePath(), args, { env: { PORT: "0" } }, ["ignore", "pipe", "inherit"]);
  const [, url = ""] = await printed(child, LISTENING, 120_000);
  return { url, child };
}

/** Where cargo puts the engine. */
export function enginePath() {
  return join(targetDir, "debug", process.platform === "win32" ? `${BINARY}.exe` : BINARY);
}
