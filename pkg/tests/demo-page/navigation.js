// The address, the history, and one search following another.

import { answered, openQuery, shownList, withDemo } from "./support.js";

/** @type {import("./support.js").PageCase[]} */
export const navigationCases = [
  {
    name: "the query stands in the address, and back and forward bring it again",
    run: (environment) =>
      withDemo(environment, async (url) => {
        const { page, faults, assert } = environment;
        await openQuery(page, url, "BERT");
        const first = await state(page);
        await page.select("#stored", "Entity linking");
        await answered(page, "Entity linking");
        const second = await state(page);
        assert.equal(second.query, "Entity linking");
        assert.notDeepEqual(second.ids, first.ids);
        await page.evaluate("history.back()");
        await answered(page, "BERT");
        assert.deepEqual(await state(page), first);
        await page.evaluate("history.forward()");
        await answered(page, "Entity linking");
        assert.deepEqual(await state(page), second);
        await page.reload();
        await answered(page, "Entity linking");
        assert.deepEqual(await state(page), second);
        assert.deepEqual(faults, []);
      }),
  },
  {
    name: "a jump to the results does not search again",
    run: (environment) =>
      withDemo(environment, async (url) => {
        const { page, assert } = environment;
        await openQuery(page, url, "BERT");
        await page.$eval("#words .hit", (/** @type {Element} */ hit) => hit.classList.add("kept"));
        await page.focus(".skip");
        await page.keyboard.press("Enter");
        await page.waitForFunction("location.hash === '#results'");
        await new Promise((resolve) => setTimeout(resolve, 300));
        assert.isNotNull(await page.$("#words .hit.kept"));
      }),
  },
  {
    name: "a new search aborts the one under way",
    run: (environment) =>
      withDemo(environment, async (url) => {
        const { page, faults, assert } = environment;
        await openQuery(page, url, "Word2vec");
        await page.evaluate(neverAnswer, "'BERT'");
        await page.select("#stored", "BERT");
        await page.waitForFunction("globalThis.held === 1");
        assert.isTrue((await shownList(page, "words")).busy);
        await page.select("#stored", "Entity linking");
        await answered(page, "Entity linking");
        assert.equal(await page.evaluate("globalThis.aborted"), 1);
        const shown = await state(page);
        assert.equal(shown.query, "Entity linking");
        for (const ranking of /** @type {const} */ (["words", "meaning", "fused"])) {
          const list = await shownList(page, ranking);
          assert.isFalse(list.busy, ranking);
          assert.isNotEmpty(list.hits, ranking);
        }
        assert.isFalse(await page.$eval("#problem", (/** @type {any} */ box) => !box.hidden));
        assert.deepEqual(faults, []);
      }),
  },
];

/** @param {any} page */
async function state(page) {
  const words = await shownList(page, "words");
  const [query, field, selected, title] = await page.evaluate(() => [
    new URLSearchParams(location.search).get("q"),
    /** @type {any} */ (document.querySelector("#q")).value,
    /** @type {any} */ (document.querySelector("#stored")).value,
    document.title,
  ]);
  return { query, field, selected, title, ids: words.hits.map(({ id }) => id) };
}

/**
 * Runs in the page: requests that name a text stay open until they are aborted.
 *
 * @param {string} text
 */
function neverAnswer(text) {
  const scope = /** @type {any} */ (globalThis);
  const { fetch } = scope;
  Object.assign(scope, { held: 0, aborted: 0 });
  scope.fetch = (/** @type {string} */ url, /** @type {RequestInit} */ init) => {
    if (!String(init?.body).includes(text)) return fetch(url, init);
    scope.held += 1;
    return new Promise((_, reject) => {
      init.signal?.addEventListener("abort", () => {
        scope.aborted += 1;
        reject(init.signal?.reason);
      });
    });
  };
}
