import process from "node:process";
import { buildPackage } from "../build/package.mjs";
import { DEMO_ENGINE, serveDemo } from "../lib/demo-site.mjs";
import { buildEngine, startEngine } from "../lib/engine.mjs";
import { PlainError } from "../lib/errors.mjs";

const DEFAULT_PORT = 8787;

/**
 * Builds what is missing, starts the local engine with the sample data and serves the demo page until it is stopped.
 *
 * @returns {Promise<number>} exit code, when the engine ends by itself
 */
export async function main() {
  const port = demoPort(process.env.PORT);
  console.log("[1/3] building the package");
  await buildPackage();
  console.log(
    "[2/3] building the local engine (cargo, dev profile; the first time takes several minutes)",
  );
  await buildEngine();
  console.log("[3/3] starting the engine with the sample papers");
  const engine = await startEngine(DEMO_ENGINE);
  const site = await serveDemo({ engineUrl: engine.url, port }).catch((error) => {
    throw error.code === "EADDRINUSE"
      ? new PlainError(
          `port ${port} is taken: choose another with PORT=…, or PORT=0 for a free one`,
        )
      : error;
  });
  console.log(`\nthe demo is at ${site.url} (engine: ${engine.url}); Ctrl-C ends both`);
  return new Promise((resolve) => {
    engine.child.on("close", (code) => {
      console.error(`the engine ended (exit ${code})`);
      resolve(code || 1);
    });
  });
}

/** @param {string | undefined} text the PORT variable */
function demoPort(text) {
  if (!text) return DEFAULT_PORT;
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new PlainError(`PORT must be a number from 0 to 65535, not "${text}"`);
}
