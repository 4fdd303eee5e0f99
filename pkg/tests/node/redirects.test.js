// A redirect is not followed, so that neither key nor ids nor data go to another server.

import { createServer } from "node:http";
import { after, before, beforeEach, test } from "node:test";
import { assert } from "chai";
import { Hotdata } from "hotdata-wasm";

/** @typedef {{ url: string, seen: string[], stop: () => void }} Server */

/**
 * @param {(request: import("node:http").IncomingMessage, answer: import("node:http").ServerResponse) => void} answer
 * @returns {Promise<Server>}
 */
async function started(answer) {
  /** @type {string[]} */
  const seen = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    request.resume().on("end", () => answer(request, response));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

let status = 307;
/** @type {Server} */
let service;
/** @type {Server} */
let other;

before(async () => {
  other = await started((_, answer) => answer.end("{}"));
  service = await started((request, answer) => {
    if (request.url === "/v1/uploads") {
      const url = `${service.url}/storage/1`;
      const session = { upload_id: "u", finalize_token: "f", mode: "single", url, headers: {} };
      answer.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify(session));
      return;
    }
    answer.writeHead(status, { location: `${other.url}${request.url}` }).end();
  });
});
after(() => {
  service.stop();
  other.stop();
});
beforeEach(() => {
  service.seen.length = 0;
});

/** @type {Record<string, [string, (hotdata: InstanceType<typeof Hotdata>) => Promise<unknown>]>} */
const CALLS = {
  "a query": ["POST /v1/query", (hotdata) => hotdata.query("SELECT 1")],
  "a query in Arrow": ["POST /v1/query", (hotdata) => hotdata.queryArrow("SELECT 1")],
  "a listing": ["GET /v1/databases?limit=100", (hotdata) => hotdata.listDatabases()],
  "a removal": ["DELETE /v1/databases/db", (hotdata) => hotdata.deleteDatabase("db")],
  "a load": [
    "POST /v1/databases/db/schemas/public/tables/t/loads",
    (hotdata) => hotdata.loadTable({ table: "t", mode: "append", csv: "a\n1\n" }),
  ],
  "a part of an upload": [
    "PUT /storage/1",
    (hotdata) => hotdata.uploadFile({ data: "a\n1\n", format: "csv" }),
  ],
};

for (const [name, [request, call]] of Object.entries(CALLS)) {
  for (const code of [301, 302, 303, 307, 308]) {
    test(`${name}: ${code} to another server is an error`, async () => {
      status = code;
      const hotdata = new Hotdata({
        baseUrl: service.url,
        apiKey: "hd_test",
        workspaceId: "ws",
        databaseId: "db",
      });
      const error = await call(hotdata).then(
        () => assert.fail("it succeeded"),
        (/** @type {any} */ error) => error,
      );
      assert.deepEqual([error.code, error.status], ["unexpected_response", code], error.message);
      assert.match(error.message, /redirect, which is not followed/);
      assert.deepEqual(service.seen.slice(-1), [request]);
      assert.isAtMost(service.seen.length, 2, "sent once");
      assert.deepEqual(other.seen, []);
    });
  }
}
