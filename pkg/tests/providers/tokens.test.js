// What a toolset costs a model in tokens, against the recorded figures of the Python sibling.

import { readFileSync } from "node:fs";
import { test } from "node:test";
import { assert } from "chai";
import { measure } from "../../scripts/tokens/measure.mjs";
import { engineUrl } from "./sets.js";

const sibling = JSON.parse(
  readFileSync(new URL("../../scripts/tokens/sibling.json", import.meta.url), "utf8"),
);
const ours = await measure(engineUrl);

test("the default set takes at most 1,500 tokens, the tool for figures aside", () => {
  assert.isAbove(ours.set, 300);
  assert.isAtMost(ours.set, 1_500);
  assert.isAtMost(ours.strictSet, 1_500);
  assert.isBelow(ours.set, sibling.set);
});

/** The most that the leanest format may take of the sibling's answer. @type {Record<string, number>} */
const MOST = { numeric: 0.35, text: 0.6, mixed: 0.6 };

for (const [name, most] of Object.entries(MOST)) {
  test(`the leanest format of the ${name} result takes at most ${100 * most}% of the sibling's`, () => {
    const counts = Object.values(ours.answers[name] ?? {});
    assert.lengthOf(counts, 4);
    assert.isAtMost(Math.min(...counts), most * sibling.answers[name]);
  });
}

test("each format is leaner than records, which is leaner than the sibling's", () => {
  for (const [name, counts] of Object.entries(ours.answers)) {
    const { records = 0, columns = 0, csv = 0, markdown = 0 } = counts;
    assert.isBelow(records, sibling.answers[name]);
    for (const lean of [columns, csv, markdown]) assert.isBelow(lean, records);
  }
});
