// A stream of `queryArrow` in two other decoders: its values are those that SQL and JSON tell.

import process from "node:process";
import { after, before, test } from "node:test";
import { tableFromIPC as flechetteTable } from "@uwdata/flechette";
import { tableFromIPC as arrowTable, RecordBatchReader } from "apache-arrow";
import { assert } from "chai";
import { Hotdata } from "hotdata-wasm";

const hotdata = new Hotdata({
  baseUrl: process.env.HOTDATA_TEST_ENGINE ?? "",
  apiKey: "hd_test",
  workspaceId: "ws_local",
});
const options = { databaseId: "" };
const SQL = "SELECT * FROM default.public.kinds ORDER BY n";

before(async () => {
  const database = await hotdata.createDatabase({ expiresAt: "1h" });
  options.databaseId = database.id;
  await hotdata.loadTable({
    databaseId: database.id,
    table: "kinds",
    mode: "append",
    rows: [
      {
        n: 1,
        big: 9_007_199_254_740_993n,
        price: "12345678901234567890.12",
        vector: Float32Array.of(0.1, -2.5),
        text: "Ghent, 日本👍",
        moment: "1969-12-31T23:59:59.999999",
        day: "2026-08-12",
        flag: true,
        ratio: 0.1,
      },
      { n: 2 },
      {
        n: 3,
        big: -9_223_372_036_854_775_808n,
        price: "-0.05",
        vector: Float32Array.of(0, 1),
        text: "",
        moment: "2026-08-12T02:40:00.000001",
        day: "1969-12-31",
        flag: false,
        ratio: -0,
      },
    ],
    columns: {
      big: "BIGINT",
      price: "DECIMAL(30,2)",
      vector: "FLOAT[]",
      moment: "TIMESTAMP",
      day: "DATE",
    },
  });
});

after(() => hotdata.deleteDatabase(options.databaseId));

/**
 * The columns of a stream as each decoder gives them.
 *
 * @type {Record<string, (bytes: Uint8Array) => Record<string, unknown[]>>}
 */
const DECODERS = {
  "apache-arrow": (bytes) => {
    const table = arrowTable(bytes);
    return Object.fromEntries(
      table.schema.fields.map(({ name }) => [name, [...(table.getChild(name) ?? [])]]),
    );
  },
  "@uwdata/flechette": (bytes) => {
    const columns = flechetteTable(bytes, { useBigInt: true, useDecimalInt: true }).toColumns();
    // Some come as typed arrays.
    return Object.fromEntries(Object.entries(columns).map(([name, of]) => [name, Array.from(of)]));
  },
};

/** A value of either decoder as SQL writes it. @type {Record<string, (value: any) => unknown>} */
const WRITTEN = {
  n: Number,
  big: String,
  // The digits without the point.
  price: (value) => {
    const [, sign, digits = ""] = /^"?(-?)(\d+)"?$/.exec(String(value)) ?? [];
    const padded = digits.padStart(3, "0");
    return `${sign}${padded.slice(0, -2)}.${padded.slice(-2)}`;
  },
  vector: (value) => Array.from(value),
  text: (value) => value,
  // Milliseconds, the rest behind the point.
  moment: (value) => {
    const micros = Math.round(value * 1_000);
    const date = new Date(Math.floor(micros / 1_000)).toISOString().slice(0, -1);
    const rest = ((micros % 1_000) + 1_000) % 1_000;
    return `${date}${String(rest).padStart(3, "0")}`;
  },
  day: (value) => new Date(Number(value)).toISOString().slice(0, 10),
  flag: (value) => value,
  ratio: (value) => value,
};

/** JSON writes a 32-bit float by its shortest digits. @param {any} value */
const rounded = (value) => (Array.isArray(value) ? value.map(Math.fround) : value);

/** @param {string} sql */
async function streamed(sql) {
  const arrow = await hotdata.queryArrow(sql, options);
  return { ...arrow, bytes: new Uint8Array(await new Response(arrow.stream).arrayBuffer()) };
}

for (const [decoder, decode] of Object.entries(DECODERS)) {
  test(`${decoder} reads every kind of value as SQL tells it`, async () => {
    const { bytes, totalRowCount } = await streamed(SQL);
    const told = await hotdata.query(SQL, options);
    assert.equal(totalRowCount, 3);
    const columns = decode(bytes);
    assert.deepEqual(Object.keys(columns), told.columns);
    for (const [at, name] of told.columns.entries()) {
      const wanted = told.rows.map((row) => rounded(row[at]));
      const found = columns[name]?.map((value) => (value === null ? null : WRITTEN[name]?.(value)));
      assert.deepEqual(found, wanted, name);
    }
    // Values that a number would have changed.
    assert.deepEqual(columns.big, [9_007_199_254_740_993n, null, -9_223_372_036_854_775_808n]);
    assert.isTrue(Object.is(columns.ratio?.[2], -0));
  });

  test(`${decoder} reads what JSON has no number for`, async () => {
    const sql =
      "SELECT CAST('NaN' AS DOUBLE) AS a, CAST('Infinity' AS DOUBLE) AS b, CAST(NULL AS DOUBLE) AS c";
    const { a, b, c } = decode((await streamed(sql)).bytes);
    assert.deepEqual([a?.[0], b?.[0], c?.[0]], [Number.NaN, Number.POSITIVE_INFINITY, null]);
  });

  test(`${decoder} reads an answer without rows`, async () => {
    const { bytes, totalRowCount } = await streamed("SELECT 1 AS n WHERE 1 = 0");
    assert.equal(totalRowCount, 0);
    assert.deepEqual(Object.keys(decode(bytes)), ["n"]);
  });
}

test("a stream larger than comes at once is decoded as it comes", async () => {
  const [count, width] = [9_000, 1_000];
  const sql = `SELECT n, repeat('x', ${width}) AS text FROM (SELECT UNNEST(range(0, ${count})) AS n)`;
  const { stream, totalRowCount } = await hotdata.queryArrow(sql, options);
  assert.equal(totalRowCount, count);
  const reader = await RecordBatchReader.from(stream);
  let [rows, sum, bytes, batches] = [0, 0n, 0, 0];
  for await (const batch of reader) {
    batches++;
    rows += batch.numRows;
    for (const { n, text } of batch) {
      sum += n;
      bytes += text.length;
    }
  }
  assert.isAbove(batches, 1);
  assert.deepEqual([rows, bytes], [count, count * width]);
  assert.equal(sum, (BigInt(count) * BigInt(count - 1)) / 2n);
});
