// Rows and queries that try to be markup, and the key.

import { client } from "../cases/samples.js";
import { openQuery, requestsDuring, shownList, withDemo } from "./support.js";

const MARKUP =
  '<script>globalThis.ran = true</script><img src="x:" onerror="globalThis.ran = true"><b>bold</b>';

/** @type {import("./support.js").PageCase[]} */
export const hostileCases = [
  {
    name: "markup in titles and abstracts is shown as text",
    async run(environment) {
      const { page, faults, assert } = environment;
      const { databaseId, remove } = await hostileDatabase(environment);
      try {
        await withDemo(
          environment,
          async (url) => {
            await openQuery(page, url, "hostile");
            const { hits } = await shownList(page, "words");
            assert.lengthOf(hits, 2);
            for (const { title, abstract } of hits) {
              assert.include(title, MARKUP);
              assert.include(abstract, "<script>");
            }
            await assertNothingRan(environment);
            assert.deepEqual(faults, []);
          },
          { databaseId },
        );
      } finally {
        await remove();
      }
    },
  },
  {
    name: "markup in the engine's own message is shown as text",
    run: (environment) =>
      withDemo(
        environment,
        async (url) => {
          const { page, assert } = environment;
          // It refuses an open quote, and says the whole text back.
          await openQuery(page, url, `${MARKUP} "`);
          const { message, sql } = await shownList(page, "words");
          assert.include(message, MARKUP);
          assert.include(sql ?? "", MARKUP);
          await assertNothingRan(environment);
        },
        { engineUrl: environment.strictEngineUrl },
      ),
  },
  {
    name: "the key goes to the engine and stands nowhere in the page",
    run: (environment) =>
      withDemo(environment, async (url) => {
        const { page, assert } = environment;
        const requests = await requestsDuring(page, () => openQuery(page, url, "BERT"));
        const keys = new Set(
          requests.map(({ headers }) => (headers.authorization ?? "").replace(/^Bearer /, "")),
        );
        assert.lengthOf([...keys], 1);
        const [key = ""] = keys;
        assert.isAtLeast(key.length, 8);
        const html = await page.content();
        assert.include(html, "BERT");
        assert.notInclude(html, key);
        const kept = await page.evaluate(
          () => JSON.stringify(localStorage) + JSON.stringify(sessionStorage) + document.cookie,
        );
        assert.notInclude(kept, key);
        assert.notInclude(await page.url(), key);
      }),
  },
];

/** @param {import("./support.js").PageEnvironment} environment */
async function assertNothingRan({ page, assert }) {
  assert.isTrue(await page.evaluate(() => !("ran" in globalThis)));
  assert.isNull(await page.$("main img, main b, main script"));
}

/**
 * A database whose papers are markup, with a BM25 index as the page needs it.
 *
 * @param {import("./support.js").PageEnvironment} environment
 */
async function hostileDatabase(environment) {
  const hotdata = client(environment);
  const { id: databaseId } = await hotdata.createDatabase({ name: "hostile", expiresAt: "1h" });
  const cell = (/** @type {string} */ text) => `"${text.replaceAll('"', '""')}"`;
  const rows = [1, 2].map((id) => [
    String(id),
    ...[`hostile ${MARKUP}`, `${MARKUP} abstract ${id}`, `hostile paper ${id}`].map(cell),
  ]);
  await hotdata.loadTable({
    databaseId,
    table: "papers",
    mode: "replace",
    csv: `${["id,title,abstract,content", ...rows.map(String)].join("\n")}\n`,
  });
  const { defaultConnectionId } = await hotdata.getDatabase(databaseId);
  const response = await fetch(
    `${environment.engineUrl}/v1/connections/${defaultConnectionId}/tables/public/papers/indexes`,
    {
      method: "POST",
      headers: {
        authorization: "Bearer hd_test",
        "x-workspace-id": "ws_local",
        "content-type": "application/json",
      },
      body: JSON.stringify({ index_name: "words", columns: ["content"], index_type: "bm25" }),
    },
  );
  if (response.status !== 201) throw new Error(await response.text());
  return { databaseId, remove: () => hotdata.deleteDatabase(databaseId) };
}
