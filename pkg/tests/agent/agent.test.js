// Scripted models at work with the tools, on an engine of their own. Every file in `scenarios` is played.

import { readdir } from "node:fs/promises";
import { after, before, test } from "node:test";
import { play } from "./model.js";
import { openWorld } from "./world.js";

const engineUrl = process.env.HOTDATA_TEST_ENGINE;
if (!engineUrl) throw new Error("HOTDATA_TEST_ENGINE must name a running engine");

const folder = new URL("scenarios/", import.meta.url);
/** @type {import("./world.js").World} */
let world;

before(async () => {
  world = await openWorld(engineUrl);
});

after(() => world?.close());

for (const file of (await readdir(folder)).sort()) {
  const { scenarios } = await import(new URL(file, folder).href);
  for (const scenario of scenarios) {
    test(
      `${file.replace(/\.js$/, "")}, ${scenario.set}: ${scenario.title}`,
      { timeout: 60_000 },
      () => play(scenario, world),
    );
  }
}
