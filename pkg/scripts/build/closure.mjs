// Which files an entry of the package pulls in.

import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

const IMPORT = /(?:^|[\n;])\s*(?:import|export)\b[^"';()]*?["'](\.{1,2}\/[^"']+\.js)["']/g;

/**
 * The JavaScript files reached from an entry through static relative imports, the entry first.
 *
 * @param {string} entry
 * @returns {string[]}
 */
export function moduleClosure(entry) {
  const found = new Set([entry]);
  for (const file of found) {
    for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(IMPORT)) {
      found.add(resolve(dirname(file), specifier));
    }
  }
  return [...found];
}
