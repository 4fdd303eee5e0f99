// Files behind URLs, from real servers on this machine and from made-up answers.

import { test } from "node:test";
import { assert } from "chai";
import { open, readAll, refuses, serve } from "./support.js";

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

/**
 * An answer with a body, from a public host.
 *
 * @param {BodyInit | null} body
 * @param {string} type
 */
const typed = (body, type) =>
  answering(() => new Response(body, { headers: { "content-type": type } }));

test("a file is read whole, with one plain request", async (context) => {
  /** @type {import("node:http").IncomingMessage[]} */
  const requests = [];
  const base = await serve(context, (request, response) => {
    requests.push(request);
    response.setHeader("content-type", "text/csv; charset=utf-8");
    response.setHeader("content-length", encoded.length);
    response.end(encoded);
  });
  const url = new URL(`${base}/a?b=c#fragment`);
  const source = await open({ url, allowPrivateHosts }, { fetch });
  assert.equal(source.format, "csv");
  assert.equal(source.size, encoded.length);
  assert.deepEqual(await readAll(source, () => 5), encoded);
  assert.lengthOf(requests, 1);
  assert.equal(requests[0]?.url, "/a?b=c");
  assert.equal(requests[0]?.method, "GET");
  const sent = Object.keys(requests[0]?.headers ?? {}).filter((name) =>
    /auth|cookie|workspace|database|referer/.test(name),
  );
  assert.deepEqual(sent, []);
});

test("fetch is given a string and a plain object of what every runtime knows", async () => {
  /** @type {any[][]} */
  const calls = [];
  const noting = /** @type {any} */ (
    /** @this {unknown} */
    function (/** @type {any[]} */ ...call) {
      calls.push([this, ...call]);
      return Promise.resolve(new Response(CSV));
    }
  );
  await open({ url: "https://a.example/#x", format: "csv" }, { fetch: noting });
  const [[self, address, init, ...rest] = []] = calls;
  assert.isUndefined(self);
  assert.equal(address, "https://a.example/");
  assert.lengthOf(rest, 0);
  assert.deepEqual(Object.keys(init).sort(), ["headers", "method", "redirect", "signal"]);
  assert.deepEqual(
    { ...init, signal: undefined },
    { method: "GET", headers: {}, redirect: "manual", signal: undefined },
  );
});

test("the format is what was said, what the bytes show, or what type and name say", async () => {
  const parquet = "PAR1....PAR1";
  /** @type {[string, string, string, string][]} */
  const table = [
    [parquet, "application/octet-stream", "/a", "parquet"],
    [parquet, "text/html", "/a.csv", "parquet"],
    [CSV, "text/csv", "/a", "csv"],
    [CSV, "Application/CSV ; header=present", "/a", "csv"],
    [CSV, "text/plain", "/a.csv", "csv"],
    [CSV, "application/octet-stream", "/a.CSV", "csv"],
    ['{"a":1}\n', "application/x-ndjson", "/a", "json"],
    ['{"a":1}\n', "application/json", "/a", "json"],
    ['\n {"a":1}\n', "text/plain", "/a.ndjson", "json"],
    ['{"a":1}\n', "", "/a.jsonl", "json"],
  ];
  for (const [body, type, path, format] of table) {
    const source = await open({ url: `https://a.example${path}` }, { fetch: typed(body, type) });
    assert.equal(source.format, format, `${type} ${path}`);
    assert.equal(new TextDecoder().decode(await readAll(source)), body);
  }
  const said = await open(
    { url: "https://a.example/", format: "csv" },
    { fetch: typed(CSV, "text/html") },
  );
  assert.equal(said.format, "csv");
});

test("an answer that is something else is refused, and says what came", async () => {
  const page = "<!doctype html><title>Sign in</title>";
  const code = "unexpected_response";
  /** @type {[object, string | null, string, RegExp, string?][]} */
  const table = [
    [{ format: "parquet" }, page, "text/html", /is not Parquet but an HTML page/],
    [{ format: "parquet" }, CSV, "text/csv", /is not Parquet but data of type text\/csv/],
    [{}, CSV, "application/vnd.apache.parquet", /is not Parquet/],
    [{}, page, "text/html", /must hold CSV, JSON or Parquet, not an HTML page/],
    [{}, "Sign in", "text/html; charset=utf-8", /not an HTML page/],
    [{ format: "csv" }, page, "text/csv", /not an HTML page/],
    [{ format: "csv" }, "PAR1", "text/csv", /is Parquet, not csv/],
    [{ format: "json" }, "[1]", "application/json", /must hold one JSON object a line/],
    [
      {},
      CSV,
      "text/plain",
      /^`format` must be given: what `url` holds is .* text\/plain/,
      "invalid_argument",
    ],
    [{}, CSV, "<b>", /^`format` must be given: .*data of no type/, "invalid_argument"],
    [{ format: "csv" }, "", "text/csv", /holds no bytes/],
    [{ format: "csv" }, null, "text/csv", /holds no bytes/],
  ];
  for (const [given, body, type, message, other] of table) {
    await refuses({ url: "https://a.example/", ...given }, message, {
      code: other ?? code,
      fetch: typed(body, type),
    });
  }
  await refuses({ url: "https://a.example/x.parquet" }, /is not Parquet/, {
    code,
    fetch: typed(CSV, "text/plain"),
  });
});

test("arguments that are not acceptable are refused before any request", async () => {
  /** @type {[object, RegExp][]} */
  const table = [
    [{ url: "" }, /^`url` must be an absolute http or https URL/],
    [{ url: "a.csv" }, /^`url` must be an absolute/],
    [{ url: "//a.example/a.csv" }, /^`url` must be an absolute/],
    [{ url: "file:///etc/passwd" }, /^`url` must be http or https, not file:/],
    [{ url: "ftp://a.example/" }, /not ftp:/],
    [{ url: "data:text/csv,a" }, /not data:/],
    [{ url: "blob:https://a.example/1" }, /not blob:/],
    [{ url: "javascript:alert(1)" }, /not javascript:/],
    [{ url: 5 }, /^`url` must be an http or https URL, not a number/],
    [{ url: null }, /not null/],
    [{ url: "https://user:secret@a.example/" }, /^`url` must not hold credentials$/],
    [{ url: "https://token@a.example/" }, /^`url` must not hold credentials$/],
    [
      { url: "https://a.example/", maxBytes: 0 },
      /^`maxBytes` must be a whole number of bytes above 0, not 0/,
    ],
    [{ url: "https://a.example/", maxBytes: 1.5 }, /not 1.5/],
    [{ url: "https://a.example/", maxBytes: Number.NaN }, /not NaN/],
    [{ url: "https://a.example/", maxBytes: "1" }, /^`maxBytes` .* not a string/],
    [
      { url: "https://a.example/", allowPrivateHosts: 1 },
      /^`allowPrivateHosts` must be true or false, not a number/,
    ],
    [{ url: "https://a.example/", allowPrivateHosts: "false" }, /not a string/],
    [{ url: "https://a.example/", format: "xml" }, /^`format` must be/],
  ];
  for (const [given, message] of table) await refuses(given, message);
});
