// Keyboard, names, contrast and narrow screens.

import { answered, enter, openQuery, withDemo } from "./support.js";

/** What WCAG 2 asks of text at level AA. */
const CONTRAST = 4.5;

/** @type {import("./support.js").PageCase[]} */
export const accessCases = [
  {
    name: "text stands out in the light and in the dark scheme",
    run: (environment) =>
      withDemo(environment, async (url) => {
        const { page, assert } = environment;
        for (const value of ["light", "dark"]) {
          await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
          await openQuery(page, url, "BERT");
          const faint = await page.evaluate(faintTexts, CONTRAST);
          assert.deepEqual(faint.weak, [], value);
          assert.isAtLeast(faint.measured, 100);
        }
        await page.emulateMediaFeatures([]);
      }),
  },
  {
    name: "a phone scrolls in one direction only",
    run: (environment) =>
      withDemo(environment, async (url) => {
        const { page, assert } = environment;
        const before = page.viewport();
        await page.setViewport({ width: 320, height: 640 });
        await openQuery(page, url, "Pre-Trained Language Models");
        const [content, screen] = await page.evaluate(() => [
          document.documentElement.scrollWidth,
          document.documentElement.clientWidth,
        ]);
        assert.isAtMost(content, screen);
        await page.setViewport(before);
      }),
  },
  {
    name: "controls and lists have names, and the keyboard reaches them in order",
    run: (environment) =>
      withDemo(environment, async (url) => {
        const { page, assert } = environment;
        await openQuery(page, url, "BERT");
        const tree = await page.accessibility.snapshot({ interestingOnly: false });
        const named = flatten(tree).map(({ role, name }) => `${role}: ${name}`);
        for (const expected of [
          "searchbox: Your own words",
          "combobox: or a stored query",
          "button: Search",
          "search: Papers",
          "region: Words",
          "region: Meaning",
          "region: Fused",
          "button: Copy whole SQL, words",
        ]) {
          assert.include(named, expected);
        }
        const reached = [];
        for (let n = 0; n < 7; n++) {
          await page.keyboard.press("Tab");
          reached.push(
            await page.evaluate(() => {
              const { id, className, tagName } = /** @type {Element} */ (document.activeElement);
              return id || className || tagName.toLowerCase();
            }),
          );
        }
        assert.deepEqual(reached, ["skip", "q", "primary", "stored", "summary", "pre", "copy"]);
        await enter(page, "grammar");
        await answered(page, "grammar");
      }),
  },
];

/**
 * @param {any} node of puppeteer's accessibility tree
 * @returns {any[]}
 */
function flatten(node) {
  return [node, ...(node.children ?? []).flatMap(flatten)];
}

/**
 * Runs in the page: the visible texts whose contrast with what lies behind them is too low.
 *
 * @param {number} least
 */
function faintTexts(least) {
  const channels = (/** @type {string} */ colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (/** @type {number[]} */ colour) => {
    const [r = 0, g = 0, b = 0] = colour.slice(0, 3).map((channel) => {
      const part = channel / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (/** @type {Element | null} */ element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = channels(getComputedStyle(at).backgroundColor);
      if (colour[3] !== 0) return colour;
    }
    return [255, 255, 255];
  };
  const weak = [];
  let measured = 0;
  for (const element of document.body.querySelectorAll("*")) {
    const hasText = [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
    );
    if (!hasText || !element.checkVisibility()) continue;
    measured += 1;
    const [low = 0, high = 0] = [
      luminance(channels(getComputedStyle(element).color)),
      luminance(behind(element)),
    ].sort((a, b) => a - b);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < least) weak.push(`${element.tagName} ${element.className}: ${ratio.toFixed(2)}`);
  }
  return { weak, measured };
}
