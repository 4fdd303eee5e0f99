// Child processes: run to the end, captured, or kept running; all ended with this process.

import { spawn } from "node:child_process";
import process from "node:process";
import { PlainError } from "./errors.mjs";
import { rootDir, targetDir } from "./paths.mjs";

/** @typedef {{ cwd?: string, env?: Record<string, string | undefined>, timeoutMs?: number }} RunOptions */
/** @typedef {{ code: number, stdout: string, stderr: string }} Finished */

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();

process.on("exit", () => {
  for (const child of running) child.kill("SIGTERM");
});
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
  // Exiting through `process.exit` lets the handler above end the children.
  process.on(signal, () => process.exit(signal === "SIGINT" ? 130 : 143));
}

// A signal to npm ends npm and its shell, not this process: it notices that its parent has changed.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && process.exit(143), 1_000).unref();

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} options
 * @param {import("node:child_process").StdioOptions} stdio
 */
export function start(command, args, options = {}, stdio = "inherit") {
  const child = spawn(command, args, {
    cwd: options.cwd ?? rootDir,
    env: { ...process.env, CARGO_TARGET_DIR: targetDir, ...options.env },
    stdio,
  });
  running.add(child);
  child.on("close", () => running.delete(child));
  child.on("error", () => running.delete(child));
  return child;
}

/**
 * Runs a command with its output shown.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @throws {PlainError} when it cannot start or exits with anything but 0
 */
export async function run(command, args, options = {}) {
  const child = start(command, args, options);
  const code = await ended(child, command, options.timeoutMs);
  if (code !== 0) throw new PlainError(`failed (exit ${code}): ${command} ${args.join(" ")}`);
}

/**
 * Runs a command and returns what it printed; with `show`, prints it as it comes too.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions & { show?: boolean, input?: string }} [options]
 * @returns {Promise<Finished>} whatever the exit code
 * @throws {PlainError} when the command cannot start or runs into `timeoutMs`
 */
export async function capture(command, args, options = {}) {
  const child = start(command, args, options, ["pipe", "pipe", "pipe"]);
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
    stdout += text;
    if (options.show) process.stdout.write(text);
  });
  child.stderr?.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
    stderr += text;
    if (options.show) process.stderr.write(text);
  });
  // A command that does not read its input may close it first.
  child.stdin?.on("error", () => {});
  child.stdin?.end(options.input ?? "");
  const code = await ended(child, command, options.timeoutMs);
  return { code, stdout, stderr };
}

/**
 * As `capture`, for commands whose failure ends the caller.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<string>} standard output
 */
export async function output(command, args, options = {}) {
  const done = await capture(command, args, options);
  if (done.code !== 0) {
    const said = `${done.stdout}${done.stderr}`.trim();
    throw new PlainError(`failed (exit ${done.code}): ${command} ${args.join(" ")}\n${said}`);
  }
  return done.stdout;
}

/**
 * Waits until a running command prints a match, and returns it.
 *
 * @param {import("node:child_process").ChildProcess} child with its standard output piped
 * @param {RegExp} pattern
 * @param {number} timeoutMs
 * @returns {Promise<RegExpExecArray>}
 */
export function printed(child, pattern, timeoutMs) {
  return new Promise((resolve, reject) => {
    let text = "";
    const timer = setTimeout(
      () => fail(`said nothing matching ${pattern} in ${timeoutMs / 1000} s`),
      timeoutMs,
    );
    const fail = (/** @type {string} */ why) => {
      clearTimeout(timer);
      reject(new PlainError(`${child.spawnfile} ${why}\n${text}`.trim()));
    };
    child.on("error", (error) => fail(error.message));
    child.on("close", (code) => fail(`ended with exit ${code}`));
    const read = (/** @type {Buffer} */ chunk) => {
      text += chunk.toString();
      const match = pattern.exec(text);
      if (!match) return;
      clearTimeout(timer);
      // What follows is of no interest, but has to be read or the command would block.
      for (const stream of [child.stdout, child.stderr]) stream?.off("data", read).resume();
      resolve(match);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
  });
}

/**
 * Ends a command started with `start` and waits for it.
 *
 * @param {import("node:child_process").ChildProcess} child
 */
export async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((resolve) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
    child.once("close", () => {
      clearTimeout(timer);
      resolve(undefined);
    });
    child.kill("SIGTERM");
  });
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @param {string} command
 * @param {number} [timeoutMs]
 * @returns {Promise<number>}
 */
function ended(child, command, timeoutMs) {
  return new Promise((resolve, reject) => {
    const timer = timeoutMs
      ? setTimeout(() => {
          child.kill("SIGKILL");
          reject(new PlainError(`${command} did not end in ${timeoutMs / 1000} s`));
        }, timeoutMs)
      : undefined;
    child.on("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      clearTimeout(timer);
      const why = error.code === "ENOENT" ? "is not installed" : error.message;
      reject(new PlainError(`${command} ${why}`));
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve(code ?? (signal ? 1 : 0));
    });
  });
}
