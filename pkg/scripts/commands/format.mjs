import { formatCommands } from "../lib/code-style.mjs";
import { run } from "../lib/process.mjs";

/**
 * Rewrites Rust and JavaScript to their formatters' shape.
 *
 * @returns {Promise<number>} exit code
 */
export async function main() {
  for (const { command, args, cwd } of await formatCommands()) await run(command, args, { cwd });
  return 0;
}
