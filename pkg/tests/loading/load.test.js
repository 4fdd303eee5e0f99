// Rows through a real engine: it reads the file with a Parquet reader of its own, and makes a vector index over a column.

import { test } from "node:test";
import { assert } from "chai";
import { open, readAll } from "./support.js";

const base = process.env.HOTDATA_TEST_ENGINE;
if (!base) throw new Error("HOTDATA_TEST_ENGINE must name a running engine");

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {Record<string, string>} [headers]
 * @returns {Promise<any>}
 */
async function call(method, path, body, headers = {}) {
  const answer = await fetch(base + path, {
    method,
    headers: {
      authorization: "Bearer hd_test",
      "x-workspace-id": "ws_local",
      "content-type": "application/json",
      ...headers,
    },
    body: body && JSON.stringify(body),
  });
  const text = await answer.text();
  assert.isTrue(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
  return text ? JSON.parse(text) : undefined;
}

/**
 * A database for one test.
 *
 * @param {import("node:test").TestContext} context ends it
 */
async function database(context) {
  const { id } = await call("POST", "/v1/databases", {
    name: "loaded by a test",
    expires_at: "1h",
  });
  context.after(() => call("DELETE", `/v1/databases/${id}`));
  const made = await call("GET", `/v1/databases/${id}`);
  const query = async (/** @type {string} */ sql) =>
    (await call("POST", "/v1/query", { sql, database_id: id })).rows;
  return { id, connection: made.default_connection_id, query };
}

/**
 * Uploads a source as a client does, and loads it as table `t`.
 *
 * @param {string} id the database
 * @param {import("./support.js").ByteSource} source
 * @returns {Promise<any>} the engine's receipt
 */
async function load(id, source) {
  const declared_size_bytes = source.size;
  const upload = await call("POST", "/v1/uploads", { declared_size_bytes });
  const token = { "x-upload-finalize-token": upload.finalize_token };
  const path = `/v1/uploads/${upload.upload_id}`;
  const put = async (/** @type {string} */ url, /** @type {Uint8Array<ArrayBuffer>} */ body) => {
    const answer = await fetch(url, { method: "PUT", body });
    assert.equal(answer.status, 200);
    return answer.headers.get("etag");
  };
  if (upload.url) {
    await put(upload.url, await readAll(source));
    await call("POST", `${path}/finalize`, {}, token);
  } else {
    const parts = [];
    for (let number = 1; ; number++) {
      const part = await source.next(upload.part_size);
      if (!part) break;
      const minted = await call("POST", `${path}/parts`, { part_numbers: [number] }, token);
      parts.push({ part_number: number, e_tag: await put(minted.parts[0].url, part) });
    }
    await call("POST", `${path}/finalize`, { parts }, token);
  }
  return call("POST", `/v1/databases/${id}/schemas/public/tables/t/loads`, {
    mode: "replace",
    upload_id: upload.upload_id,
    format: source.format,
  });
}

/** By column: its declared type, the engine's, a value, and that value as the engine's text. */
const COLUMNS = /** @type {const} */ ({
  boolean: [undefined, "Boolean", true, "true"],
  whole: [undefined, "Int64", Number.MAX_SAFE_INTEGER, "9007199254740991"],
  big: [undefined, "Int64", 9007199254740993n, "9007199254740993"],
  least: [undefined, "Int64", -(2n ** 63n), "-9223372036854775808"],
  real: [undefined, "Float64", 0.1, "0.1"],
  text: [undefined, "Utf8", "é\u{1f600}\u0000", "é\u{1f600}\u0000"],
  at: [
    undefined,
    'Timestamp(µs, "UTC")',
    new Date("1969-12-31T23:59:59.999Z"),
    "1969-12-31T23:59:59.999Z",
  ],
  tiny: ["TINYINT", "Int8", -128, "-128"],
  small: ["SMALLINT", "Int16", -32_768, "-32768"],
  int: ["INTEGER", "Int32", -2_147_483_648, "-2147483648"],
  utiny: ["UTINYINT", "UInt8", 255, "255"],
  usmall: ["USMALLINT", "UInt16", 65_535, "65535"],
  uint: ["UINTEGER", "UInt32", 4_294_967_295, "4294967295"],
  ubig: ["UBIGINT", "UInt64", 2n ** 64n - 1n, "18446744073709551615"],
  single: ["REAL", "Float32", 0.1, "0.1"],
  money: ["DECIMAL(10,2)", "Decimal128(10, 2)", -0.05, "-0.05"],
  digits: [
    "DECIMAL(38,2)",
    "Decimal128(38, 2)",
    "-123456789012345678901234567890123456.78",
    "-123456789012345678901234567890123456.78",
  ],
  day: ["DATE", "Date32", "2024-02-29", "2024-02-29"],
  time: ["TIME", "Time64(µs)", "23:59:59.5", "23:59:59.500"],
  local: ["TIMESTAMP", "Timestamp(µs)", "2026-01-31T12:00:00.000001", "2026-01-31T12:00:00.000001"],
  json: ["JSON", "Utf8", { a: [1, null] }, '{"a":[1,null]}'],
});

test("every type reaches the engine as itself, with every digit, and so does NULL", async (context) => {
  const names = Object.keys(COLUMNS);
  const entries = Object.entries(COLUMNS);
  const full = Object.fromEntries(entries.map(([name, [, , value]]) => [name, value]));
  const columns = Object.fromEntries(
    entries.flatMap(([name, [type]]) => (type === undefined ? [] : [[name, type]])),
  );
  // Often enough for dictionaries and runs, which are other encodings.
  const rows = [
    { id: 0, ...full },
    ...Array.from({ length: 50 }, (_, at) => ({ id: at + 1, ...(at % 2 ? full : {}) })),
  ];
  const { id, query } = await database(context);
  const receipt = await load(id, await open({ rows, columns }));
  assert.equal(receipt.row_count, 51);

  const types = await query(
    "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 't'",
  );
  assert.deepEqual(
    Object.fromEntries(types.filter((/** @type {string[]} */ [name]) => name !== "id")),
    Object.fromEntries(entries.map(([name, [, type]]) => [name, type])),
  );
  const texts = names.map((name) => `CAST("${name}" AS VARCHAR)`).join(", ");
  const found = await query(`SELECT ${texts} FROM default.public.t ORDER BY id`);
  const expected = entries.map(([, [, , , text]]) => text);
  for (const [at, row] of found.entries()) {
    assert.deepEqual(row, at === 0 || at % 2 === 0 ? expected : expected.map(() => null));
  }
});

test("bytes, lists and floats beyond numbers reach the engine", async (context) => {
  const { id, query } = await database(context);
  const rows = [
    {
      id: 1,
      bytes: Uint8Array.of(0, 255),
      tags: ["a", ""],
      wide: new Float64Array([0.1]),
      real: Number.NaN,
    },
    { id: 2, bytes: new Uint8Array(), tags: [], wide: null, real: -0.5 },
    { id: 3, bytes: null, tags: null, wide: new Float64Array([1e300]), real: null },
  ];
  await load(id, await open({ rows, columns: { tags: "VARCHAR[]" } }));
  const found = await query(
    "SELECT bytes, tags, wide, CAST(real AS VARCHAR) FROM default.public.t ORDER BY id",
  );
  assert.deepEqual(found, [
    ["00ff", ["a", ""], [0.1], "NaN"],
    ["", [], null, "-0.5"],
    [null, null, [1e300], null],
  ]);
});

test("arrays of numbers become vectors that an index is made over and serves", async (context) => {
  const { id, connection, query } = await database(context);
  const vector = (/** @type {number} */ at) => [Math.cos(at), Math.sin(at), at % 2 ? 0.25 : 0];
  const rows = Array.from({ length: 200 }, (_, at) => ({
    id: at,
    embedding: at === 7 ? null : at % 2 ? vector(at) : Float32Array.from(vector(at)),
  }));
  await load(id, await open({ rows }));
  const made = await call("POST", `/v1/connections/${connection}/tables/public/t/indexes`, {
    index_name: "meaning",
    index_type: "vector",
    columns: ["embedding"],
    metric: "cosine",
  });
  assert.equal(made.status, "ready");
  const sought = `ARRAY[${vector(42)
    .map((one) => one.toFixed(8))
    .join(", ")}]`;
  const nearest = `SELECT id, cosine_distance(embedding, ${sought}) AS d FROM default.public.t ORDER BY d ASC LIMIT 1`;
  const [[found, distance]] = await query(nearest);
  assert.equal(found, 42);
  assert.isBelow(distance, 1e-6);
  assert.include(JSON.stringify(await query(`EXPLAIN ${nearest}`)), "USearchExec");
  const [[type]] = await query(
    "SELECT data_type FROM information_schema.columns WHERE column_name = 'embedding'",
  );
  assert.match(type, /^List\(Float32/);
});

test("a generator of more rows than a group holds is loaded in parts", async (context) => {
  const { id, query } = await database(context);
  const all = 150_000;
  function* rows() {
    for (let at = 0; at < all; at++)
      yield { id: at, text: `${at * 7919} ${Math.sin(at)}`, odd: at % 2 === 1 };
  }
  const source = await open({ rows: rows() });
  assert.isUndefined(source.size);
  const receipt = await load(id, source);
  assert.equal(receipt.row_count, all);
  const [row] = await query(
    "SELECT COUNT(DISTINCT id), SUM(id), COUNT(DISTINCT text), SUM(CASE WHEN odd THEN 1 ELSE 0 END) FROM default.public.t",
  );
  assert.deepEqual(row, [all, (all * (all - 1)) / 2, all, all / 2]);
  assert.deepEqual(await query("SELECT text FROM default.public.t WHERE id = 100000"), [
    [`${100_000 * 7919} ${Math.sin(100_000)}`],
  ]);
});

test("CSV and lines of JSON are loaded as the format says", async (context) => {
  const { id, query } = await database(context);
  await load(id, await open({ data: "id,name\n1,Ghent\n", format: "csv" }));
  assert.deepEqual(await query("SELECT id, name FROM default.public.t"), [[1, "Ghent"]]);
  const lines = new Blob(['{"id": 2, "name": "Liège"}\n'], { type: "application/x-ndjson" });
  await load(id, await open({ data: lines }));
  assert.deepEqual(await query("SELECT id, name FROM default.public.t"), [[2, "Liège"]]);
});
