// The page: a query from the form or the address, its searches, their lists.

import { connect, loadConfig } from "./connection.js";
import { hitsOf, summary } from "./hits.js";
import { ndcg } from "./metrics.js";
import { explain, explainRefusal, isUnreachable } from "./problems.js";
import { loadQueries } from "./queries.js";
import { K, searchesFor } from "./searches.js";
import { byId, ListView, ProblemBox, Status } from "./view.js";

/** What the page opens with: all three figures of agreement near their average over the stored queries. */
const FIRST_QUERY = "Knowledge Graphs";
const TITLE = document.title;
const NO_VECTOR =
  "No vector for your own words: this page has no embedding model. Only the stored queries come with one.";
const NOTHING_TO_FUSE = "Nothing to fuse: without a vector there is only the list by words.";

const form = /** @type {HTMLFormElement} */ (byId("form"));
const input = /** @type {HTMLInputElement} */ (byId("q"));
const select = /** @type {HTMLSelectElement} */ (byId("stored"));
const status = new Status();
const problem = new ProblemBox();
const say = (/** @type {string} */ text) => status.say(text);
const lists = {
  words: new ListView("words", say),
  meaning: new ListView("meaning", say),
  fused: new ListView("fused", say),
};

const queries = loadQueries();
queries.then(offer, () => {}); // a failure is told by the search that needs them
const config = loadConfig();
config.then(nameEngine, () => {});

/** @type {Promise<import("./connection.js").Connection> | undefined} */
let connection;
/** @type {AbortController | undefined} */
let running;
/** The query the page shows or is about to. */
let shown = "";

form.addEventListener("submit", (event) => {
  event.preventDefault();
  go(input.value);
});
select.addEventListener("change", () => {
  if (select.value) go(select.value);
});
addEventListener("popstate", () => {
  // A jump to an anchor of the page comes here too.
  if (queryOfAddress() !== shown) search(queryOfAddress());
});
search(queryOfAddress());

/** The query the address asks for. */
function queryOfAddress() {
  return new URLSearchParams(location.search).get("q")?.trim() || FIRST_QUERY;
}

/**
 * Searches for a new query, which becomes the address.
 *
 * @param {string} text
 */
function go(text) {
  const query = text.trim();
  if (!query) return;
  if (query !== queryOfAddress()) {
    const address = new URL(location.href);
    address.search = new URLSearchParams({ q: query }).toString();
    address.hash = "";
    history.pushState(null, "", address);
  }
  search(query);
}

/**
 * Runs a query's searches, one after another so that no timing holds another's work. A search under way is given up.
 *
 * @param {string} query
 */
async function search(query) {
  running?.abort();
  running = new AbortController();
  const { signal } = running;
  shown = query;
  input.value = query;
  select.value = "";
  document.title = `${query} · ${TITLE}`;
  problem.hide();
  say(`Searching for “${query}” …`);
  try {
    const stored = (await queries).find(({ text }) => text === query);
    if (signal.aborted) return;
    select.value = stored?.text ?? "";
    const connected = await reach();
    if (signal.aborted) return;
    await runAll(connected, query, stored, signal);
  } catch (error) {
    if (signal.aborted) return;
    const engineUrl = await config.then(({ engine }) => engine).catch(() => undefined);
    if (signal.aborted) return;
    for (const list of Object.values(lists)) list.clear("");
    say("");
    problem.show(explain(error, engineUrl));
  }
}

/** The connection; after a failure, a new attempt at it. */
function reach() {
  connection ??= config.then(connect);
  connection.catch(() => {
    connection = undefined;
  });
  return connection;
}

/**
 * @param {import("./connection.js").Connection} connected
 * @param {string} query
 * @param {import("./queries.js").StoredQuery | undefined} stored
 * @param {AbortSignal} signal
 */
async function runAll(connected, query, stored, signal) {
  const searches = searchesFor(connected, query, stored?.vector);
  for (const { ranking, sql } of searches) lists[ranking].expect(sql);
  if (!stored) {
    lists.meaning.clear(NO_VECTOR);
    lists.fused.clear(NOTHING_TO_FUSE);
  }
  /** @type {Map<import("./searches.js").Ranking, number | "failed">} */
  const outcomes = new Map();
  for (const { ranking, run } of searches) {
    try {
      const started = performance.now();
      const result = await run({ databaseId: connected.databaseId, signal });
      const roundTripMs = performance.now() - started;
      if (signal.aborted) return;
      const hits = hitsOf(ranking, result.objects(), stored?.grades);
      lists[ranking].show(hits, factsOf(result.executionTimeMs, roundTripMs, hits, stored));
      outcomes.set(ranking, hits.length);
    } catch (error) {
      if (signal.aborted) return;
      if (isUnreachable(error)) throw error;
      lists[ranking].fail(explainRefusal(error));
      outcomes.set(ranking, "failed");
    }
  }
  say(summary(query, outcomes));
}

/**
 * @param {number} engineMs
 * @param {number} roundTripMs
 * @param {import("./view.js").Hit[]} hits
 * @param {import("./queries.js").StoredQuery | undefined} stored
 * @returns {import("./view.js").Fact[]}
 */
function factsOf(engineMs, roundTripMs, hits, stored) {
  const facts = [
    { name: "round trip", value: milliseconds(roundTripMs) },
    { name: "engine", value: milliseconds(engineMs) },
  ];
  if (stored) {
    const ids = hits.map(({ id }) => id);
    facts.push({ name: `nDCG@${K}`, value: ndcg(ids, stored.grades, K).toFixed(2) });
  }
  return facts;
}

/** @param {number} ms */
function milliseconds(ms) {
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

/** @param {import("./queries.js").StoredQuery[]} stored */
function offer(stored) {
  select.append(...stored.map(({ text }) => new Option(text, text)));
}

/** @param {import("./connection.js").Config} where */
function nameEngine({ engine }) {
  byId("engine").textContent = `, at ${engine}`;
}
