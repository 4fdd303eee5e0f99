// What a search shows.

import { PAPERS, papers } from "../cases/samples.js";
import {
  answered,
  enter,
  openQuery,
  RANKINGS,
  requestsDuring,
  shownList,
  storedQueries,
  storedQuery,
  withDemo,
} from "./support.js";

const QUERIES = [
  "Named Entity Recognition",
  "NLP: short texts",
  "Attention + Knowledge Graphs",
  "Poincaré Embeddings",
];
const COPIES = ["clipboard-read", "clipboard-write", "clipboard-sanitized-write"];

/** @type {import("./support.js").PageCase[]} */
export const searchingCases = [
  {
    name: "a stored query gives the three lists the API gives, ranks and figures included",
    run: (environment) =>
      withDemo(environment, async (url) => {
        const { page, faults, assert } = environment;
        for (const query of QUERIES) {
          await openQuery(page, url, query);
          const expected = await listsOfApi(environment, query);
          for (const ranking of RANKINGS) {
            const list = await shownList(page, ranking);
            const shown = list.hits.map(({ id, title, figures }) => ({ id, title, figures }));
            assert.deepEqual(shown, expected[ranking], `${ranking} of ${query}`);
            assert.isNotEmpty(shown);
            assert.isFalse(list.busy);
            assert.equal(list.message, "");
          }
        }
        assert.deepEqual(faults, []);
      }),
  },
  {
    name: "each list is one request of the SQL that is shown and copied",
    run: (environment) =>
      withDemo(environment, async (url) => {
        const { page, faults, assert } = environment;
        await page.browserContext().overridePermissions(url, COPIES);
        await openQuery(page, url, "BERT");
        const query = "Knowledge distillation";
        const requests = await requestsDuring(page, async () => {
          await page.select("#stored", query);
          await answered(page, query);
        });
        assert.deepEqual(
          requests.map(({ path }) => path),
          ["/v1/query", "/v1/query", "/v1/query"],
        );
        for (const [at, ranking] of RANKINGS.entries()) {
          const { sql } = await shownList(page, ranking);
          assert.equal(sql, cutVectors(requests[at]?.sql ?? ""), ranking);
          await page.click(`#${ranking} .copy`);
          await page.waitForFunction(() =>
            document.querySelector("#status")?.textContent?.includes("clipboard"),
          );
          const copied = await page.evaluate(() => navigator.clipboard.readText());
          assert.equal(copied, requests[at]?.sql, ranking);
          await page.$eval("#status", (/** @type {Element} */ status) => status.replaceChildren());
        }
        const [words = "", meaning = "", fused = ""] = requests.map(({ sql }) => sql ?? "");
        const bm25 = (/** @type {number} */ depth) =>
          `bm25_search('${PAPERS}', 'content', '${query}', ${depth})`;
        // What an index serves: a three-part name, an ascending distance and a limit.
        const near = (/** @type {number} */ depth) =>
          new RegExp(
            `cosine_distance\\("embedding", ARRAY\\[[^\\]]+\\]\\) AS _distance FROM "default"\\."public"\\."papers" ORDER BY _distance ASC LIMIT ${depth}\\)`,
          );
        assert.include(words, bm25(10));
        assert.match(meaning, near(10));
        assert.include(fused, bm25(40));
        assert.match(fused, near(40));
        assert.deepEqual(faults, []);
      }),
  },
  {
    name: "judged papers carry their badge, and nDCG@10 is what the judgements give",
    run: (environment) =>
      withDemo(environment, async (url) => {
        const { page, assert } = environment;
        const badges = new Set();
        for (const query of ["Knowledge Graphs", "Few-shot learning"]) {
          const { relevant } = storedQuery(query);
          await openQuery(page, url, query);
          for (const ranking of RANKINGS) {
            const { hits, facts } = await shownList(page, ranking);
            for (const { id, badge } of hits) {
              const grade = relevant[id] ?? 0;
              assert.equal(badge, [null, "related", "relevant"][grade], `${query}, paper ${id}`);
              badges.add(badge);
            }
            const grades = hits.map(({ id }) => relevant[id] ?? 0);
            const best = Object.values(relevant).sort((a, b) => b - a);
            const expected = gain(grades) / gain(best);
            assert.equal(facts["nDCG@10"], expected.toFixed(2), `${ranking} of ${query}`);
          }
        }
        assert.sameMembers([...badges], [null, "related", "relevant"]);
      }),
  },
  {
    name: "each list says how long it took, here and in the engine",
    run: (environment) =>
      withDemo(environment, async (url) => {
        const { page, assert } = environment;
        await openQuery(page, url, "Word2vec");
        for (const ranking of RANKINGS) {
          const { facts } = await shownList(page, ranking);
          const [trip = 0, engine = 0] = ["round trip", "engine"].map((name) => {
            assert.match(facts[name] ?? "", /^[\d.]+ ms$/, `${name} of ${ranking}`);
            return Number.parseFloat(facts[name] ?? "");
          });
          // Both are rounded to whole milliseconds from 10 on.
          assert.isAtLeast(trip + 1, engine);
          assert.isAbove(trip, 0);
        }
      }),
  },
  {
    name: "free text gets the list by words, and the other two say why they are empty",
    run: (environment) =>
      withDemo(environment, async (url) => {
        const { page, faults, assert } = environment;
        await openQuery(page, url, "BERT");
        const query = "what grammars learn";
        const requests = await requestsDuring(page, async () => {
          await enter(page, query);
          await answered(page, query);
        });
        assert.lengthOf(requests, 1);
        const words = await shownList(page, "words");
        const expected = await listsOfApi(environment, query);
        assert.deepEqual(
          words.hits.map(({ id, title, figures }) => ({ id, title, figures })),
          expected.words,
        );
        assert.isNotEmpty(words.hits);
        assert.include(words.sql ?? "", "'what grammars learn', 10)");
        assert.hasAllKeys(words.facts, ["round trip", "engine"]);
        for (const ranking of /** @type {const} */ (["meaning", "fused"])) {
          const list = await shownList(page, ranking);
          assert.deepEqual(list.hits, []);
          assert.isNull(list.sql);
          assert.deepEqual(list.facts, {});
          assert.include(list.message, "vector", ranking);
        }
        assert.equal(await page.$eval("#stored", (/** @type {any} */ select) => select.value), "");
        assert.deepEqual(faults, []);
      }),
  },
  {
    name: "words that no paper has are said to have none",
    run: (environment) =>
      withDemo(environment, async (url) => {
        const { page, assert } = environment;
        await openQuery(page, url, "xylophonists");
        const words = await shownList(page, "words");
        assert.deepEqual(words.hits, []);
        assert.include(words.message, "found nothing");
      }),
  },
  {
    name: "all stored queries are offered, and the page opens with one",
    run: (environment) =>
      withDemo(environment, async (url) => {
        const { page, faults, assert } = environment;
        await page.goto(url);
        await page.waitForFunction(() =>
          document.querySelector("#status")?.textContent?.endsWith(" fused."),
        );
        const options = await page.$$eval("#stored option", (/** @type {any[]} */ all) =>
          all.map(({ value }) => value).filter(Boolean),
        );
        assert.deepEqual(
          options,
          storedQueries().map(({ text }) => text),
        );
        const [typed, selected] = await page.evaluate(() =>
          ["#q", "#stored"].map((id) => /** @type {any} */ (document.querySelector(id)).value),
        );
        assert.include(options, selected);
        assert.equal(typed, selected);
        assert.equal(await page.evaluate("location.search"), "");
        assert.deepEqual(faults, []);
      }),
  },
  {
    name: "SQL is shortened outside literals only",
    run: (environment) =>
      withDemo(environment, async (url) => {
        const { page, assert } = environment;
        await page.goto(url);
        const shorten = (/** @type {string} */ sql) =>
          page.evaluate(`import("/sql-text.js").then((m) => m.shortened(${JSON.stringify(sql)}))`);
        const cases = {
          "f(ARRAY[1.0,2.0,3.0,4.0,5.0], 1)": "f(ARRAY[1.0, 2.0, 3.0, … 5 numbers], 1)",
          "f(ARRAY[1.0,2.0], 'ARRAY[1,2,3,4,5]')": "f(ARRAY[1.0,2.0], 'ARRAY[1,2,3,4,5]')",
          "'it''s ARRAY[1,2,3,4,5]'": "'it''s ARRAY[1,2,3,4,5]'",
          '"ARRAY[1,2,3,4,5]"': '"ARRAY[1,2,3,4,5]"',
        };
        for (const [sql, shown] of Object.entries(cases)) {
          assert.equal(await shorten(sql), shown);
        }
      }),
  },
];

/**
 * The lists the package gives outside the page, from options written here, as the page should show them.
 *
 * @param {import("./support.js").PageEnvironment} environment
 * @param {string} query
 */
async function listsOfApi(environment, query) {
  const hotdata = await papers(environment);
  const stored = storedQueries().find(({ text }) => text === query);
  const common = { table: PAPERS, k: 10, keyColumn: "id", columns: ["id", "title", "abstract"] };
  const text = { ...common, column: "content", query };
  const rows = async (/** @type {Promise<any>} */ search) => (await search).objects();
  const rank = (/** @type {number | null} */ value) => (value === null ? "–" : `#${value}`);
  const lists = {
    words: hit(await rows(hotdata.searchText(text)), ({ score }) => `score ${score.toFixed(2)}`),
  };
  if (!stored) return { ...lists, meaning: [], fused: [] };
  const { vector } = stored;
  return {
    ...lists,
    meaning: hit(
      await rows(hotdata.searchSemantic({ ...common, column: "embedding", vector })),
      ({ _distance }) => `_distance ${_distance.toFixed(3)}`,
    ),
    fused: hit(
      await rows(
        hotdata.searchHybrid({ ...text, vectorColumn: "embedding", vector, explain: true }),
      ),
      ({ score, text_rank, vector_rank }) =>
        `score ${score.toFixed(4)} · words ${rank(text_rank)}, meaning ${rank(vector_rank)}`,
    ),
  };
}

/**
 * @param {any[]} rows
 * @param {(row: any) => string} figures
 */
function hit(rows, figures) {
  return rows.map((row) => ({ id: String(row.id), title: row.title, figures: figures(row) }));
}

/** @param {string} sql the package's, whose only arrays are vectors */
function cutVectors(sql) {
  return sql.replace(/ARRAY\[([^\]]*)\]/g, (_, list) => {
    const numbers = list.split(",");
    return `ARRAY[${numbers.slice(0, 3).join(", ")}, … ${numbers.length} numbers]`;
  });
}

/** @param {number[]} grades by rank */
function gain(grades) {
  return grades
    .slice(0, 10)
    .map((grade, at) => grade / Math.log2(at + 2))
    .reduce((sum, one) => sum + one, 0);
}
