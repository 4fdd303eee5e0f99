import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { pageCases } from "../../tests/demo-page/cases.js";
import { buildPackage } from "../build/package.mjs";
import { withPage } from "../lib/browser.mjs";
import { DEMO_ENGINE } from "../lib/demo-site.mjs";
import { installDependencies } from "../lib/dependencies.mjs";
import { startEngine } from "../lib/engine.mjs";
import { distDir } from "../lib/paths.mjs";
import { stop } from "../lib/process.mjs";
import { countChecks } from "./checks.mjs";

/** @type {import("./suites.mjs").Suite} */
export const demoPage = {
  name: "demo-page",
  title: "the demo page in Chromium, against the sample papers",
  async run({ engine }) {
    await buildPackage();
    await installDependencies();
    const { assert } = await import("chai");
    const api = await import(pathToFileURL(join(distDir, "index.js")).href);
    const strictEngineUrl = await engine.url();
    const { url: engineUrl, child } = await startEngine(DEMO_ENGINE);
    try {
      return await withPage("chrome", (page, faults) =>
        countChecks(
          pageCases.map(({ name, run }) => ({
            name,
            run: () => {
              faults.length = 0;
              return run({ page, faults, api, engineUrl, strictEngineUrl, assert });
            },
          })),
        ),
      );
    } finally {
      await stop(child);
    }
  },
};
