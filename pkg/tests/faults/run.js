// Runs the matrix against an engine started with `--faults`, and prints the results as one line of JSON. Arguments: the
// engine's address, and optionally a part of the names of the cells to run.

import process from "node:process";
import { acceptedIndexes, acceptedQueries } from "./accepted.js";
import { bounded } from "./cell.js";
import { matrix } from "./matrix.js";
import { prepare } from "./prepared.js";
import { hangingCalls, refusedKeys, repeatedLoads } from "./repeated.js";
import { Engine } from "./support.js";

/** Most of a cell's time is waiting. */
const AT_ONCE = 48;

const [, , engineUrl = "", only = ""] = process.argv;

const own = [
  ...acceptedQueries,
  ...acceptedIndexes,
  ...repeatedLoads,
  ...hangingCalls,
  ...refusedKeys,
];
const ownCells = own.map(({ name, run }, number) => ({
  name,
  run: () => bounded(() => run(new Engine(engineUrl, number))),
}));

await prepare(engineUrl);
const cells = [...matrix(engineUrl), ...ownCells].filter(({ name }) => name.includes(only));
/** @type {import("../harness.js").CaseResult[]} */
const results = [];
const left = cells.values();

async function work() {
  for (const cell of left) {
    const { name } = cell;
    try {
      await cell.run();
      results.push({ name });
    } catch (error) {
      results.push({ name, error: error instanceof Error ? `${error.stack}` : String(error) });
    }
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, work));
console.log(`results ${JSON.stringify(results)}`);
process.exit(0);
