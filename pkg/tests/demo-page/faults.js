// What keeps the page from working, and what it then says.

import { createServer } from "node:http";
import { client } from "../cases/samples.js";
import { answered, openQuery, problemShown, RANKINGS, shownList, withDemo } from "./support.js";

/** @type {import("./support.js").PageCase[]} */
export const faultCases = [
  {
    name: "an engine that is down is named, with how to start it, and a search tries again",
    async run(environment) {
      const { page, assert } = environment;
      const engine = await forwarding(environment.engineUrl);
      try {
        await withDemo(
          environment,
          async (url) => {
            await openQuery(page, url, "BERT");
            await engine.close();
            await page.select("#stored", "Entity linking");
            const says = await problemShown(page);
            assert.include(says, "does not answer");
            assert.include(says, engine.url);
            assert.include(says, "npm --prefix pkg run demo");
            for (const ranking of RANKINGS) {
              const list = await shownList(page, ranking);
              assert.deepEqual(list.hits, [], ranking);
              assert.isFalse(list.busy, ranking);
            }
            // From the start, too.
            await page.goto(`${url}/?q=BERT`);
            assert.include(await problemShown(page), "does not answer");
            await engine.open();
            await page.click("button[type=submit]");
            await answered(page, "BERT");
            assert.isNull(await page.$("#problem:not([hidden])"));
          },
          { engineUrl: engine.url },
        );
      } finally {
        await engine.close();
      }
    },
  },
  {
    name: "a page that may not run WebAssembly says so",
    run: (environment) =>
      withDemo(
        environment,
        async (url) => {
          const { page, faults, assert } = environment;
          await page.goto(`${url}/?q=BERT`);
          const says = await problemShown(page);
          assert.include(says, "WebAssembly may not run in this page");
          assert.include(says, "'wasm-unsafe-eval'");
          // The browser's own report of the policy is all that may be logged.
          for (const fault of faults) assert.match(fault, /Content Security Policy/);
        },
        { headers: { "content-security-policy": "script-src 'self'; object-src 'none'" } },
      ),
  },
  {
    name: "words that the engine takes for operators get its own message and advice",
    run: (environment) =>
      withDemo(
        environment,
        async (url) => {
          const { page, assert } = environment;
          for (const query of ['say "hello', "Attention + Knowledge Graphs"]) {
            await openQuery(page, url, query);
            const words = await shownList(page, "words");
            assert.include(words.message, `Syntax Error: ${query}`);
            assert.include(words.message, "plain words");
            assert.include(words.sql ?? "", `'${query}', 10)`);
          }
          // What the refusal does not concern is there all the same.
          assert.lengthOf((await shownList(page, "meaning")).hits, 10);
          await openQuery(page, url, "say hello");
          assert.equal((await shownList(page, "words")).message, "");
        },
        { engineUrl: environment.strictEngineUrl },
      ),
  },
  {
    name: "a query that the engine refuses says why in its own list",
    async run(environment) {
      const { page, assert } = environment;
      const hotdata = client(environment);
      const { id } = await hotdata.createDatabase({ name: "bare", expiresAt: "1h" });
      try {
        await withDemo(
          environment,
          async (url) => {
            await page.goto(`${url}/?q=BERT`);
            await page.waitForFunction(() =>
              [...document.querySelectorAll(".message")].every((one) =>
                one.textContent?.startsWith("The engine refused this query: "),
              ),
            );
            for (const ranking of RANKINGS) {
              const list = await shownList(page, ranking);
              assert.include(list.message, "papers", ranking);
              assert.isFalse(list.busy, ranking);
              assert.isNotNull(list.sql, ranking);
            }
          },
          { databaseId: id },
        );
      } finally {
        await hotdata.deleteDatabase(id);
      }
    },
  },
];

/**
 * An address that stands for the engine and can be closed and opened again.
 *
 * @param {string} engineUrl
 */
async function forwarding(engineUrl) {
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { host: _, connection: __, ...headers } = request.headers;
    const answer = await fetch(engineUrl + request.url, {
      method: request.method,
      headers: /** @type {Record<string, string>} */ (headers),
      body: chunks.length ? Buffer.concat(chunks) : undefined,
    });
    const body = Buffer.from(await answer.arrayBuffer());
    const { "transfer-encoding": ___, ...answered } = Object.fromEntries(answer.headers);
    response.writeHead(answer.status, answered).end(body);
  });
  const listen = (/** @type {number} */ port) =>
    new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(undefined)));
  await listen(0);
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    open: () => listen(port),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve(undefined));
      }),
  };
}
