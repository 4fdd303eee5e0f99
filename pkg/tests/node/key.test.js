// What Node's console shows of clients and errors. Elsewhere than here, `H35` of the cases looks.

import { createServer } from "node:http";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { format, inspect } from "node:util";
import { assert } from "chai";
import { Hotdata } from "hotdata-wasm";

const KEY = "hd_very_secret_0123456789";

/** Everything the console can be made to show of a value. @param {unknown} value */
function shown(value) {
  const out = new PassThrough();
  const printed = new console.Console(out);
  printed.log(value);
  printed.dir(value, { showHidden: true, depth: 9 });
  printed.error(format("%o %O %j %s", value, value, value, value));
  const deep = inspect(value, { showHidden: true, depth: 9, getters: true });
  return `${out.read()}\n${deep}\n${JSON.stringify(value)}\n${String(value)}`;
}

/** @param {import("node:http").RequestListener} answer @param {(url: string) => Promise<void>} use */
async function serving(answer, use) {
  const server = createServer(answer);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  try {
    await use(`http://127.0.0.1:${port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** @param {string} baseUrl @param {string | (() => string)} apiKey */
const client = (baseUrl, apiKey) =>
  new Hotdata({ baseUrl, apiKey, workspaceId: "ws", databaseId: "db", maxRetries: 0 });

for (const [kind, apiKey] of /** @type {const} */ ([
  ["a string", KEY],
  ["a function", () => KEY],
])) {
  test(`H35: the console shows no key of a client, given ${kind}`, () => {
    const hotdata = client("https://x.example", apiKey);
    assert.notInclude(shown(hotdata), KEY);
    assert.notInclude(shown({ deep: { hotdata } }), KEY);
    assert.notInclude(shown(Object.getOwnPropertyDescriptors(hotdata)), KEY);
  });

  test(`H35: the console shows no key of an error, given ${kind}`, async () => {
    /** @type {import("node:http").RequestListener[]} */
    const endings = [
      (request, answer) => {
        answer.writeHead(401).end(`${request.headers.authorization} is wrong`);
      },
      (_, answer) => answer.destroy(),
      (_, answer) => {
        answer.writeHead(200, { "content-length": "99" }).write("{");
        setTimeout(() => answer.destroy(), 5);
      },
    ];
    for (const ending of endings) {
      await serving(ending, async (url) => {
        const error = await client(url, apiKey)
          .query("SELECT 1")
          .then(
            () => assert.fail("it succeeded"),
            (error) => error,
          );
        assert.include(["unauthorized", "network"], error.code);
        for (let at = error; at !== undefined; at = at.cause) assert.notInclude(shown(at), KEY);
      });
    }
    const unreachable = client("http://127.0.0.1:1", apiKey).listDatabases();
    const error = await unreachable.then(
      () => assert.fail("it succeeded"),
      (/** @type {any} */ error) => error,
    );
    assert.equal(error.code, "network");
    assert.notInclude(shown(error), KEY);
  });
}
