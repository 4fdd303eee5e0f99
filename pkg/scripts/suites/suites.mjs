// Every test suite, in the order they run: what fails fastest comes first, what needs the engine after its own tests.

import { agent } from "./agent.mjs";
import { bundlers } from "./bundlers.mjs";
import { chromium } from "./chromium.mjs";
import { conformance } from "./conformance.mjs";
import { demoPage } from "./demo-page.mjs";
import { faults } from "./faults.mjs";
import { layering } from "./layering.mjs";
import { lint } from "./lint.mjs";
import { currentNode, newerNode } from "./node.mjs";
import { npmPackage } from "./npm-package.mjs";
import { otherRuntimes } from "./other-runtimes.mjs";
import { providers } from "./providers.mjs";
import { readme } from "./readme.mjs";
import { coreTests, engineTests } from "./rust.mjs";
import { sizes } from "./sizes.mjs";
import { types } from "./types.mjs";
import { workerd } from "./workerd.mjs";

/** @typedef {{ passed: number, failed: number }} Outcome */
/** @typedef {{ engine: import("./shared-engine.mjs").SharedEngine }} Context */
/** @typedef {{ name: string, title: string, matrix?: boolean, run: (context: Context) => Promise<Outcome> }} Suite */

/** @type {Suite[]} */
export const suites = [
  lint,
  layering,
  coreTests,
  engineTests,
  sizes,
  types,
  npmPackage,
  currentNode,
  newerNode,
  providers,
  faults,
  agent,
  chromium,
  demoPage,
  workerd,
  readme,
  conformance,
  otherRuntimes,
  bundlers,
];
