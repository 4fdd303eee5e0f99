// Redirects, failures, limits and ends of files behind URLs.

import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { assert } from "chai";
import { endsWithAbort, failure, open, readAll, refuses, serve } from "./support.js";

const CSV = "id,name\n1,Ghent\n";
const encoded = new TextEncoder().encode(CSV);
const allowPrivateHosts = true;
const { fetch } = globalThis;

/**
 * A fetch that gives one answer to everything.
 *
 * @param {() => unknown} answer
 */
const answering = (answer) => /** @type {typeof fetch} */ (async () => answer());

test("redirects are followed by hand, with relative and absolute addresses", async (context) => {
  const hops = ["/1", "b/2", "?3", "//HOST/4", "http://HOST/5"];
  const statuses = [301, 302, 303, 307, 308];
  let at = 0;
  const base = await serve(context, (request, response) => {
    if (at < hops.length) {
      const location = hops[at]?.replace("HOST", request.headers.host ?? "") ?? "";
      response.writeHead(statuses[at++] ?? 302, { location });
      // A body nobody reads.
      response.end("moved");
    } else {
      response.end(CSV);
    }
  });
  const source = await open({ url: `${base}/a.csv`, allowPrivateHosts }, { fetch });
  assert.equal(source.format, "csv", "by the name that was asked for");
  assert.deepEqual(await readAll(source), encoded);
  assert.equal(at, 5);
});

test("redirects end somewhere, and never at what was not allowed", async () => {
  const code = "unexpected_response";
  /** @type {[string | undefined, RegExp][]} */
  const table = [
    ["https://b.example/", /redirects more than 5 times/],
    ["http://b.example/", /redirects from https to http/],
    [undefined, /redirects without saying where to/],
    ["http://", /redirects without saying where to/],
    ["https://user:secret@b.example/", /redirects to an address that must not hold credentials$/],
    ["file:///etc/passwd", /redirects to an address that must be http or https, not file:/],
    ["https://10.0.0.1/", /redirects to 10.0.0.1, an address of the range private/],
  ];
  for (const [location, message] of table) {
    const headers = /** @type {Record<string, string>} */ (location ? { location } : {});
    const redirect = answering(() => new Response(null, { status: 302, headers }));
    await refuses({ url: "https://a.example/" }, message, { code, fetch: redirect });
  }
  const hidden = answering(() => ({
    status: 0,
    type: "opaqueredirect",
    headers: new Headers(),
    arrayBuffer() {},
  }));
  await refuses({ url: "https://a.example/" }, /does not show where to/, {
    code,
    fetch: hidden,
    hint: /the URL it ends at/,
  });
  const plain = answering(
    () => new Response(null, { status: 302, headers: { location: "http://b.example/" } }),
  );
  await refuses({ url: "http://a.example/", allowPrivateHosts }, /more than 5/, {
    code,
    fetch: plain,
  });
});

test("a failure status is told, and nothing of the body", async (context) => {
  const base = await serve(context, (request, response) => {
    response.writeHead(Number(request.url?.slice(1)), { "content-type": "text/csv" });
    response.end("the secret of the server");
  });
  /** @type {[number, string, boolean][]} */
  const table = [
    [300, "unexpected_response", false],
    [304, "unexpected_response", false],
    [400, "unexpected_response", false],
    [401, "forbidden", false],
    [403, "forbidden", false],
    [404, "not_found", false],
    [410, "not_found", false],
    [429, "rate_limited", true],
    [500, "unexpected_response", false],
    [503, "unavailable", true],
  ];
  for (const [status, code, retryable] of table) {
    const error = await refuses(
      { url: `${base}/${status}`, allowPrivateHosts },
      /^`url` answered HTTP \d+$/,
      { code, fetch },
    );
    assert.equal(error.status, status);
    assert.equal(error.retryable, retryable);
    assert.notInclude(JSON.stringify({ ...error, message: error.message }), "secret");
  }
});

test("nothing of a URL's path or query stands in a message", async () => {
  const url = "https://a.example/secret.csv?signature=secret";
  const cause = new TypeError("fetch failed");
  const failing = /** @type {any} */ (() => Promise.reject(cause));
  const error = await failure(open({ url }, { fetch: failing }));
  assert.equal(error.code, "network");
  assert.equal(error.cause, cause);
  assert.isTrue(error.retryable);
  for (const status of [404, 200]) {
    const found = await failure(
      open({ url }, { fetch: answering(() => new Response("", { status })) }),
    );
    assert.notInclude(found.message, "secret");
  }
  assert.notInclude(error.message, "secret");
});

test("a synchronous throw of fetch, and what is no Response, are told", async () => {
  const cause = new Error("no network here");
  const throwing = /** @type {any} */ (
    () => {
      throw cause;
    }
  );
  assert.equal(
    (await failure(open({ url: "https://a.example/" }, { fetch: throwing }))).cause,
    cause,
  );
  for (const answer of [undefined, 5, "text", {}, { status: 200 }]) {
    await refuses({ url: "https://a.example/" }, /`fetch` gave something else than a Response/, {
      code: "unexpected_response",
      fetch: answering(() => answer),
    });
  }
});

test("an answer without a stream is read at once", async () => {
  const { buffer } = encoded.slice();
  const answer = answering(() => ({
    status: 200,
    headers: new Headers({ "content-type": "text/csv" }),
    arrayBuffer: async () => buffer,
  }));
  const url = "https://a.example/";
  assert.deepEqual(await readAll(await open({ url }, { fetch: answer })), encoded);
  await refuses({ url, maxBytes: 3 }, /may have 3 bytes/, { code: "too_large", fetch: answer });
});

test("a file beyond maxBytes is refused by its announced length and by its bytes", async (context) => {
  let endless = 0;
  const base = await serve(context, (request, response) => {
    if (request.url === "/announced.csv") {
      response.setHeader("content-length", 101);
      response.write("a");
      return;
    }
    if (request.url === "/gzip.csv") {
      response.setHeader("content-encoding", "gzip");
      response.end(gzipSync(Buffer.alloc(1_000_000, 65)));
      return;
    }
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(64_000, 65))) endless += 64_000;
    };
    response.on("drain", more);
    more();
  });
  const code = "too_large";
  const at = (/** @type {string} */ name, /** @type {number} */ maxBytes) => ({
    url: `${base}/${name}.csv`,
    maxBytes,
    allowPrivateHosts,
  });
  await refuses(at("announced", 100), /^`url` may have 100 bytes and has 101 bytes$/, {
    code,
    fetch,
    hint: /maxBytes/,
  });
  await refuses(at("endless", 100), /^`url` may have 100 bytes and goes on after that$/, {
    code,
    fetch,
  });
  // The bytes as they are unpacked count.
  const packed = await open(at("gzip", 500_000), { fetch });
  assert.isUndefined(packed.size);
  assert.equal((await failure(readAll(packed))).code, code);
  const source = await open(at("endless", 3_000_000), { fetch });
  assert.equal((await failure(readAll(source))).code, code);
  const written = endless;
  await settled();
  assert.isBelow(endless - written, 1_000_000, "the server goes on writing");
  const whole = await open(at("gzip", 1_000_000), { fetch });
  assert.lengthOf(await readAll(whole), 1_000_000);
});

test("an announced length that does not hold is an error, never a short file", async (context) => {
  const base = await serve(context, (_, response) => {
    response.setHeader("content-type", "text/csv");
    response.setHeader("content-length", 100_000);
    response.write("a".repeat(50_000), () => setTimeout(() => response.destroy(), 50));
  });
  const cut = await open({ url: base, allowPrivateHosts }, { fetch });
  const error = await failure(readAll(cut));
  assert.equal(error.code, "network");
  assert.match(error.message, /^`url` broke off/);
  assert.instanceOf(error.cause, Error);
  // A runtime that lets it pass.
  for (const length of [3, 30]) {
    const headers = { "content-type": "text/csv", "content-length": String(length) };
    const lying = answering(() => new Response(CSV, { headers }));
    const wrong = await failure(open({ url: "https://a.example/" }, { fetch: lying }));
    assert.equal(wrong.code, "network");
    assert.match(wrong.message, /of the 30 bytes it announced|more than the 3 bytes it announced/);
  }
});

test("an abort ends every wait at once, with its reason, and the connection", async (context) => {
  /** @type {string[]} */
  const closed = [];
  const base = await serve(context, (request, response) => {
    const name = request.url ?? "";
    response.on("close", () => closed.push(name));
    if (name === "/silent") return;
    response.setHeader("content-type", "text/csv");
    response.write(name === "/slow-head" ? "a" : "a".repeat(2_000));
  });
  for (const name of ["/silent", "/slow-head"]) {
    await endsWithAbort((signal) =>
      open({ url: base + name, allowPrivateHosts }, { fetch, signal }),
    );
  }
  await endsWithAbort(async (signal) => {
    const source = await open({ url: `${base}/slow`, allowPrivateHosts }, { fetch, signal });
    return readAll(source);
  });
  // A fetch that knows nothing of signals.
  const deaf = /** @type {any} */ (() => new Promise(() => {}));
  await endsWithAbort((signal) => open({ url: "https://a.example/" }, { fetch: deaf, signal }));
  await settled();
  assert.deepEqual(closed, ["/silent", "/slow-head", "/slow"]);
});

test("close ends the connection, and so does a refusal", async (context) => {
  let closed = 0;
  const base = await serve(context, (request, response) => {
    response.on("close", () => closed++);
    response.setHeader("content-type", "text/csv");
    response.write((request.url === "/page" ? "<html>" : "a").padEnd(2_000, "b"));
  });
  const source = await open({ url: base, allowPrivateHosts }, { fetch });
  await source.next(1_000);
  await source.close();
  await source.close();
  assert.equal((await failure(source.next(1))).code, "internal");
  await settled();
  assert.equal(closed, 1);
  const code = "unexpected_response";
  await refuses({ url: `${base}/page`, allowPrivateHosts }, /an HTML page/, { code, fetch });
  await settled();
  assert.equal(closed, 2);
});

/** Time for a connection's end to reach the other side. */
function settled() {
  return new Promise((resolve) => setTimeout(resolve, 100));
}
