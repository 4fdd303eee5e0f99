import { buildEngine, runEngine } from "../lib/engine.mjs";

/**
 * Builds the local engine and runs it until it is stopped.
 *
 * @param {string[]} args passed to the engine
 * @returns {Promise<number>} the engine's exit code
 */
export async function main(args) {
  console.log(
    "building the local engine (cargo, dev profile; the first time takes several minutes)",
  );
  await buildEngine();
  const engine = runEngine(args);
  return new Promise((resolve, reject) => {
    engine.on("error", reject);
    engine.on("close", (code) => resolve(code ?? 1));
  });
}
