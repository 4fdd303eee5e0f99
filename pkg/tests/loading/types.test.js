// Declared types: what each takes and refuses.

import { test } from "node:test";
import { assert } from "chai";
import { parquetReadObjects } from "hyparquet";
import { failure, open, readAll, refuses } from "./support.js";

/**
 * One value through a column of a type.
 *
 * @param {string} type
 * @param {unknown} value
 */
async function through(type, value) {
  const { buffer } = await readAll(await open({ rows: [{ a: value }], columns: { a: type } }));
  const file = /** @type {ArrayBuffer} */ (buffer);
  return (await parquetReadObjects({ file, utf8: false }))[0]?.a ?? null;
}

/** @type {[string, unknown, unknown][]} type, value, what comes back */
const TAKEN = [
  ["VARCHAR", "a", "a"],
  ["varchar(20)", "longer than twenty letters", "longer than twenty letters"],
  [" Text ", { b: [1, "x", null, true, { c: 0.5 }] }, '{"b":[1,"x",null,true,{"c":0.5}]}'],
  ["JSON", [], "[]"],
  ["JSON", '{"raw": 1}', '{"raw": 1}'],
  ["JSON", Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
  ["UUID", "0b1e", "0b1e"],
  ["Utf8", "a", "a"],
  ["BOOLEAN", false, false],
  ["Bool", true, true],
  ["TINYINT", -128, -128],
  ["SMALLINT", "32767", 32_767],
  ["INTEGER", -2_147_483_648, -2_147_483_648],
  ["int", 5n, 5],
  ["BIGINT", "-9223372036854775808", -(2n ** 63n)],
  ["Int64", 2 ** 53 - 1, 2n ** 53n - 1n],
  ["BIGINT", -0, 0n],
  ["UTINYINT", 255, 255],
  ["USMALLINT", 65_535, 65_535],
  ["UINTEGER", 4_294_967_295, 4_294_967_295],
  ["UBIGINT", 2n ** 64n - 1n, 2n ** 64n - 1n],
  ["REAL", 0.1, Math.fround(0.1)],
  ["FLOAT", Infinity, Infinity],
  ["DOUBLE", 1e300, 1e300],
  ["DOUBLE", 2 ** 53 + 2, 2 ** 53 + 2],
  ["DOUBLE", 2n ** 60n, 2 ** 60],
  ["Float64", Number.NaN, Number.NaN],
  ["DATE", "1969-12-31", new Date(-86_400_000)],
  ["DATE", "0001-01-01", new Date("0001-01-01T00:00:00Z")],
  ["DATE", new Date("2024-02-29T00:00:00Z"), new Date("2024-02-29T00:00:00Z")],
  ["TIMESTAMP", new Date(-1), new Date(-1)],
  ["TIMESTAMP", "2026-01-31 12:00", new Date("2026-01-31T12:00:00Z")],
  ["TIMESTAMP", "2026-01-31T12:00:00.5+02:00", new Date("2026-01-31T10:00:00.5Z")],
  ["TIMESTAMPTZ", "2026-01-31t12:00:00-00:30", new Date("2026-01-31T12:30:00Z")],
  ["TIMESTAMPTZ", new Date(8.64e15), new Date(8.64e15)],
  ["TIME", "23:59:59.000001", 86_399_000_001n],
  ["BINARY", Uint8Array.of(0, 255), Uint8Array.of(0, 255)],
  ["BLOB", new DataView(Uint8Array.of(1, 2, 3).buffer, 1), Uint8Array.of(2, 3)],
  ["FLOAT[]", [1, 16_777_217, 0.5], [1, 16_777_216, 0.5]],
  ["List(Float32)", new Float64Array([0.1]), [Math.fround(0.1)]],
  ["List(Float64, field: 'element')", [0.1, 2n], [0.1, 2]],
  ["BIGINT[]", new Int8Array([-1, 2]), [-1n, 2n]],
  ["bigint [ ]", new BigInt64Array([2n ** 62n]), [2n ** 62n]],
  ["VARCHAR[]", ["a", { b: 1 }], ["a", '{"b":1}']],
  ["DATE[]", [], []],
];

test("values a type takes come back as they were", async () => {
  for (const [type, value, expected] of TAKEN) {
    assert.deepEqual(await through(type, value), expected, type);
  }
});

test("decimals keep every digit", async () => {
  /** @type {[string, unknown, number][]} the reader gives numbers: the digits themselves are proved by the engine */
  const table = [
    ["DECIMAL(10,2)", "12.5", 12.5],
    ["DECIMAL(10,2)", 0.07, 0.07],
    ["DECIMAL(10,2)", "1e3", 1000],
    ["DECIMAL(10,7)", 1e-7, 1e-7],
    ["DECIMAL(10,2)", "-0.0500", -0.05],
    ["NUMERIC(30,2)", 12n, 12],
    ["decimal", "+1.125", 1.125],
    ["DECIMAL(5)", 99_999, 99_999],
  ];
  for (const [type, value, expected] of table) assert.equal(await through(type, value), expected);
});

const half = "\ud83d";
/** @type {any} */
const circular = { a: {} };
circular.a.b = circular;
/** @type {[string, unknown, RegExp, RegExp?][]} type, value, how the refusal goes on, its hint */
const REFUSED = [
  ["VARCHAR", 5, /must be a string, or an object or array to store as JSON, not a number$/],
  ["JSON", new Date(0), /not a Date$/],
  ["JSON", half, /holds half of a surrogate pair$/],
  ["JSON", { b: [Number.NaN] }, /\.b\[0\]` must not be NaN, which JSON has no number for$/],
  ["JSON", { b: -Infinity }, /\.b` must not be -Infinity/],
  ["JSON", { b: undefined }, /\.b` must be a value of JSON, not undefined$/],
  ["JSON", [undefined], /\[0\]` must be a value of JSON, not undefined$/],
  ["JSON", Object.assign([], { length: 1 }), /\[0\]` must be a value of JSON, not undefined$/],
  ["JSON", { "b c": new Date(0) }, /\["b c"\]` must be a value of JSON, not a Date$/],
  ["JSON", { b: 1n }, /\.b` must be a value of JSON, not a bigint$/],
  ["JSON", { b: () => 1 }, /not a function$/],
  ["JSON", { b: new Map() }, /not a Map$/],
  ["JSON", { b: [2 ** 53] }, /\.b\[0\]` is an integer beyond 2\^53/, /string of its digits/],
  ["JSON", { b: { c: half } }, /\.b\.c` holds half of a surrogate pair$/],
  ["JSON", { [half]: 1 }, /has a name with half of a surrogate pair$/],
  ["JSON", circular, /must not nest deeper than 100 levels, nor hold itself$/],
  ["BOOLEAN", 1, /must be a boolean, not a number$/],
  ["TINYINT", 128, /must be from -128 to 127$/],
  ["UTINYINT", -1, /must be from 0 to 255$/],
  ["BIGINT", 1.5, /must be an integer, not 1.5$/],
  ["BIGINT", Number.NaN, /must be an integer, not NaN$/],
  ["BIGINT", 2 ** 53, /is an integer beyond 2\^53/, /pass a bigint/],
  ["BIGINT", "1e3", /must be an integer .* not another string$/],
  ["BIGINT", "", /not another string$/],
  ["BIGINT", true, /not a boolean$/],
  ["BIGINT", 2n ** 63n, /must be from -9223372036854775808 to 9223372036854775807$/],
  ["UBIGINT", -1n, /must be from 0 to 18446744073709551615$/],
  ["REAL", 1e39, /is beyond what 32 bits hold: 1e\+39$/],
  ["DOUBLE", "1", /must be a number, not a string$/],
  ["DOUBLE", 2n ** 53n + 1n, /is a bigint that a float cannot hold exactly$/],
  ["DOUBLE", 2n ** 2000n, /is a bigint that a float cannot hold exactly$/],
  ["DECIMAL(5,2)", "1000", /must have at most 3 digits before its point$/],
  ["DECIMAL(5,2)", "1.005", /must have at most 2 digits after its point, not 1.005$/],
  ["DECIMAL(5,2)", 0.1 + 0.2, /must have at most 2 digits after its point/],
  ["DECIMAL(38,0)", 2 ** 53, /is an integer beyond 2\^53/],
  ["DECIMAL(5,2)", "1,5", /must be a decimal .* not another string$/],
  ["DECIMAL(5,2)", Number.NaN, /must be a decimal/],
  ["DATE", new Date(1), /has a time of day, which a DATE would lose$/, /2026-01-31/],
  ["DATE", "2026-02-30", /names a day that does not exist, 2026-02-30$/],
  ["DATE", "2026-13-01", /names a day that does not exist/],
  ["DATE", "31.01.2026", /must be a date like "2026-01-31", not another string$/],
  ["DATE", 20_000, /not a number$/],
  ["TIME", "24:00", /names a time that does not exist, 24:00$/],
  ["TIME", "12:00:00.0000001", /has more than six digits of a second/],
  ["TIMESTAMP", 0, /must be a Date or a timestamp like .* not a number$/],
  ["TIMESTAMP", "2026-01-31", /not another string$/],
  ["TIMESTAMP", "2026-01-31T12:60:00", /names a time that does not exist/],
  ["TIMESTAMP", new Date(Number.NaN), /is an invalid Date$/],
  ["TIMESTAMPTZ", "2026-01-31T12:00:00", /must name its offset from UTC/],
  ["BINARY", "abc", /must be bytes, like a Uint8Array, not a string$/],
  ["FLOAT[]", "abc", /must be an array, not a string$/],
  ["FLOAT[]", new DataView(new ArrayBuffer(4)), /must be an array, not a DataView$/],
  ["FLOAT[]", [1, null], /\[1\]` must be a finite number, not null$/],
  ["DOUBLE[]", [Number.NaN], /\[0\]` must be a finite number, not NaN$/],
  ["FLOAT[]", [1e39], /\[0\]` is beyond what 32 bits hold/],
  ["FLOAT[]", ["1"], /\[0\]` must be a number, not a string$/],
  ["BIGINT[]", [1, 2.5], /\[1\]` must be an integer, not 2.5$/],
  ["VARCHAR[]", [undefined], /\[0\]` must be a value, not undefined$/],
  ["JSON[]", [{ b: Number.NaN }], /\[0\]\.b` must not be NaN/],
];

test("values a type does not take are refused with their place", async () => {
  for (const [type, value, problem, hint] of REFUSED) {
    const rows = [{ a: null }, { a: value }];
    const error = await refuses({ rows, columns: { a: type } }, problem, { hint });
    assert.match(error.message, /^`rows\[1\]\.a/, `${type}: ${error.message}`);
  }
});

test("types the engine does not know are refused before any row is read", async () => {
  const rows = {
    [Symbol.iterator]() {
      throw new Error("a row was read");
    },
  };
  const unknown = [
    "",
    "NOPE",
    "INT8",
    "BIGINT(3)",
    "DECIMAL(39,2)",
    "DECIMAL(2,3)",
    "DECIMAL(0)",
    "DECIMAL(1",
    "FLOAT[][]",
    "List(NOPE)",
    "constructor",
    "Null",
  ];
  for (const type of unknown) {
    await refuses({ rows, columns: { a: type } }, /^`columns\.a` must be a type the engine knows/, {
      hint: /VARCHAR.*DECIMAL\(p,s\)/,
    });
  }
  await refuses(
    { rows, columns: { a: 5 } },
    /^`columns\.a` must be the name of a type, not a number$/,
  );
  for (const columns of [null, [], "a"]) {
    await refuses({ rows, columns }, /^`columns` must be an object of column names and types/);
  }
  const folded = await failure(open({ rows: [{ driverId: 1 }], columns: { driverid: "BIGINT" } }));
  assert.match(
    folded.message,
    /columns "driverId" and "driverid", which the engine stores under one name/,
  );
});

test("a declared column that no row has is there, and NULL", async () => {
  const { buffer } = await readAll(await open({ rows: [{ a: 1 }], columns: { b: "FLOAT[]" } }));
  const file = /** @type {ArrayBuffer} */ (buffer);
  assert.deepEqual(Object.keys((await parquetReadObjects({ file }))[0] ?? {}), ["a", "b"]);
});
