import { join } from "node:path";
import { buildEngine, startEngine } from "../lib/engine.mjs";
import { rootDir } from "../lib/paths.mjs";
import { stop } from "../lib/process.mjs";

/** The sample papers, a source that databases can attach, failures on request, and a table that wants a column named. */
export const ARGUMENTS = [
  "--seed",
  ...["--attach", `rivers=${join(rootDir, "tests", "data", "attached")}`],
  "--faults",
  ...["--strict-projection", "default.public.strict_rows"],
];

/** One local engine with the sample data, started by the first suite that asks and shared by all. */
export class SharedEngine {
  /** @type {ReturnType<typeof startEngine> | undefined} */
  #started;

  /** @returns {Promise<string>} its base URL */
  async url() {
    this.#started ??= buildEngine().then(() => startEngine(ARGUMENTS));
    return (await this.#started).url;
  }

  async stop() {
    const started = await this.#started?.catch(() => undefined);
    if (started) await stop(started.child);
  }
}
