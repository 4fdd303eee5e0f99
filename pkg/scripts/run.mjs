// Entry of every npm script: `node scripts/run.mjs COMMAND [ARGUMENTS]`. Uses Node's own modules only, so that it
// runs before anything is installed, and checks the Node version before newer syntax is loaded.

import process from "node:process";

const COMMANDS = ["build", "engine", "demo", "test", "bench", "tokens", "lint", "format"];
const OLDEST_NODE = 20;

const [name = "", ...args] = process.argv.slice(2);
if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  console.error(
    `Node ${OLDEST_NODE} or newer is needed and this is ${process.versions.node}: ` +
      "get one from https://nodejs.org/en/download",
  );
  process.exit(1);
}
if (!COMMANDS.includes(name)) {
  console.error(`unknown command "${name}"; one of: ${COMMANDS.join(", ")}`);
  process.exit(2);
}

const { PlainError } = await import("./lib/errors.mjs");
try {
  const { main } = await import(`./commands/${name}.mjs`);
  process.exitCode = await main(args);
} catch (error) {
  // A missing tool or a failed compiler has said what is wrong: our stack would only bury it.
  console.error(error instanceof PlainError ? `\n${error.message}` : error);
  process.exitCode = 1;
}
