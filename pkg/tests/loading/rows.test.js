// Rows to Parquet: what is accepted, how it is fed, what is refused. What the file holds is proved in load.test.js.

import { Buffer } from "node:buffer";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { assert } from "chai";
import { parquetReadObjects } from "hyparquet";
import { endsWithAbort, failure, open, random, readAll, refuses } from "./support.js";

/** @typedef {Record<string, unknown>} Row */

/**
 * The rows of a file, by another reader than the writer's.
 *
 * @param {import("./support.js").ByteSource} source
 * @param {() => number} [most]
 * @returns {Promise<Row[]>}
 */
async function rowsOf(source, most) {
  assert.equal(source.format, "parquet");
  const { buffer } = await readAll(source, most);
  const rows = await parquetReadObjects({ file: /** @type {ArrayBuffer} */ (buffer), utf8: false });
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? null])),
  );
}

/** @param {number} rows @param {number} [from] @returns {Generator<Row>} */
function* counted(rows, from = 0) {
  for (let id = from; id < from + rows; id++) yield { id, name: `row ${id}`, half: id / 2 };
}

/** @param {Row} row */
const isCounted = ({ id, name, half }) => name === `row ${id}` && half === Number(id) / 2;

test("arrays, iterables and async iterables give the same rows", async () => {
  const plain = [...counted(100)];
  const sources = {
    array: plain,
    set: new Set(plain),
    generator: counted(100),
    "async generator": (async function* () {
      yield* counted(100);
    })(),
    stream: new ReadableStream({
      start(controller) {
        for (const row of plain) controller.enqueue(row);
        controller.close();
      },
    }),
    "another realm's array": runInNewContext("JSON.parse(text)", { text: JSON.stringify(plain) }),
  };
  const expected = plain.map((row) => ({ ...row, id: BigInt(/** @type {number} */ (row.id)) }));
  for (const [kind, rows] of Object.entries(sources)) {
    const source = await open({ rows });
    assert.isAbove(source.size ?? 0, 0, kind);
    assert.deepEqual(await rowsOf(source, () => 999), expected, kind);
  }
});

test("many rows come in groups, of every kind of source, and the parts concatenate", async () => {
  const next = random(3);
  const all = 200_000;
  const sources = [
    [...counted(all)],
    counted(all),
    (async function* () {
      yield* counted(all);
    })(),
  ];
  for (const rows of sources) {
    const source = await open({ rows });
    assert.isUndefined(source.size);
    const found = await rowsOf(source, () => 1 + Math.floor(next() * 300_000));
    assert.lengthOf(found, all);
    assert.isTrue(found.every((row, at) => row.id === BigInt(at) && isCounted(row)));
  }
});

test("wide rows end a group early, and no row is lost between groups", async () => {
  const text = "x".repeat(300_000);
  const vector = new Float32Array(50_000).fill(0.5);
  function* wide() {
    for (let id = 0; id < 120; id++) yield { id, text: text + id, vector };
  }
  for (const rows of [[...wide()], wide()]) {
    const found = await rowsOf(await open({ rows }));
    assert.deepEqual(
      found.map(({ id }) => id),
      Array.from({ length: 120 }, (_, id) => BigInt(id)),
    );
    assert.isTrue(found.every((row) => row.text === text + row.id));
    assert.isTrue(found.every((row) => /** @type {unknown[]} */ (row.vector).length === 50_000));
  }
});

test("an iterable is read no further than its rows are asked for, and is ended by close", async () => {
  let given = 0;
  let ended = 0;
  const endless = (function* () {
    try {
      for (;;) yield { id: given++ };
    } finally {
      ended++;
    }
  })();
  const source = await open({ rows: endless });
  assert.isAtMost(given, 70_000);
  await source.next(10);
  assert.isAtMost(given, 70_000);
  await source.close();
  await source.close();
  assert.equal(ended, 1);
  assert.equal((await failure(source.next(1))).code, "internal");
});

test("a generator may fill one object and one vector again and again", async () => {
  const vector = new Float32Array(2);
  const list = [0];
  const row = { id: 0, vector, list };
  function* reusing() {
    for (let id = 0; id < 3; id++) {
      row.id = id;
      vector.fill(id);
      list[0] = id;
      yield row;
    }
  }
  assert.deepEqual(await rowsOf(await open({ rows: reusing() })), [
    { id: 0n, vector: [0, 0], list: [0] },
    { id: 1n, vector: [1, 1], list: [1] },
    { id: 2n, vector: [2, 2], list: [2] },
  ]);
});

test("missing, undefined and null are NULL; columns come in the order they are met", async () => {
  class Record {
    constructor() {
      this.c = true;
    }
  }
  const rows = [{ a: 1 }, { b: "x", a: undefined }, new Record(), { __proto__: null, a: null }, {}];
  const columns = { d: "DATE", b: "TEXT" };
  const found = await rowsOf(await open({ rows, columns }));
  assert.deepEqual(Object.keys(found[0] ?? {}), ["a", "b", "c", "d"]);
  const nothing = { a: null, b: null, c: null, d: null };
  assert.deepEqual(
    found.map((row) =>
      Object.fromEntries(Object.keys(nothing).map((name) => [name, row[name] ?? null])),
    ),
    [{ ...nothing, a: 1n }, { ...nothing, b: "x" }, { ...nothing, c: true }, nothing, nothing],
  );
  const own = JSON.parse('[{"__proto__": 1, "constructor": 2}]');
  const odd = await readAll(await open({ rows: own }));
  assert.include(Buffer.from(odd).toString("latin1"), "__proto__");
});

test("all rows of an array are checked before its first byte", async () => {
  const rows = [...counted(150_000), { id: "late" }];
  await refuses(
    { rows },
    /^`rows\[150000\].id` must be a number like the rows before, not a string$/,
  );
  const typed = [...counted(150_000), { id: 2 ** 40 }];
  const columns = { id: "INTEGER" };
  await refuses(
    { rows: typed, columns },
    /^`rows\[150000\].id` must be from -2147483648 to 2147483647$/,
  );
  const late = [...counted(150_000), { id: 0.5, more: true }];
  const found = await rowsOf(await open({ rows: late }));
  assert.deepEqual(found.at(-1), { id: 0.5, name: null, half: null, more: true });
});

test("an iterable's types are those of its first group: what does not fit them later is refused", async () => {
  /** @type {[Row, RegExp, RegExp][]} */
  const table = [
    [
      { id: 0.5 },
      /^`rows\[99999\].id` must be an integer like the rows before, not 0.5$/,
      /DOUBLE/,
    ],
    [{ id: "x" }, /^`rows\[99999\].id` must be a number like/, /`columns`/],
    [{ id: 2 ** 60 }, /^`rows\[99999\].id` is an integer beyond/, /bigint/],
    [
      { more: 1 },
      /^`rows\[99999\].more` is a column that the rows before do not have$/,
      /`columns`/,
    ],
  ];
  for (const [last, message, hint] of table) {
    const rows = function* () {
      yield* counted(99_999);
      yield last;
    };
    const error = await failure(open({ rows: rows() }).then((source) => readAll(source)));
    assert.match(error.message, message);
    assert.match(error.hint, hint);
    assert.equal(error.code, "invalid_argument");
  }
  const fine = function* () {
    yield* counted(99_999);
    yield { id: 0.5, more: null };
  };
  const columns = { id: "DOUBLE" };
  assert.lengthOf(await rowsOf(await open({ rows: fine(), columns })), 100_000);
});

test("an abort ends the wait for rows that do not come, and the iterable", async () => {
  let ended = 0;
  const silent = (/** @type {number} */ first) => ({
    [Symbol.asyncIterator]: () => ({
      next: () => (first-- > 0 ? Promise.resolve({ value: { a: 1 } }) : new Promise(() => {})),
      return: async () => void ended++,
    }),
  });
  await endsWithAbort((signal) => open({ rows: silent(2) }, { signal }));
  assert.equal(ended, 1);
  await endsWithAbort(async (signal) => readAll(await open({ rows: silent(70_000) }, { signal })));
  assert.equal(ended, 2);
});

test("random rows come back as they were", async () => {
  const next = random(11);
  const pick = (/** @type {unknown[]} */ ...choices) =>
    choices[Math.floor(next() * choices.length)];
  for (let round = 0; round < 25; round++) {
    const rows = Array.from({ length: 1 + Math.floor(next() * 400) }, () => ({
      whole: pick(null, 0, -1, Number.MAX_SAFE_INTEGER, Math.floor(next() * 1e9)),
      big: pick(null, -(2n ** 63n), 2n ** 63n - 1n, BigInt(Math.floor(next() * 1e15))),
      real: pick(null, -0, 0, 0.1, -1e308, 5e-324, next()),
      text: pick(null, "", "a", "\u{1f600}\u0000é", "x".repeat(Math.floor(next() * 50))),
      flag: pick(null, true, false),
      at: pick(
        null,
        new Date(0),
        new Date(-1),
        new Date(8.64e15),
        new Date(Math.floor(next() * 2e12)),
      ),
      bytes: pick(null, new Uint8Array(), Uint8Array.of(0, 255)),
      vector: pick(null, new Float32Array([next(), -0]), [0.5, next()]),
      list: pick(null, [], ["a", ""], ["b"]),
    }));
    rows.push({
      whole: 1,
      big: 1n,
      real: 0.5,
      text: "t",
      flag: true,
      at: new Date(1),
      bytes: Uint8Array.of(1),
      vector: [1, 2],
      list: ["z"],
    });
    const columns = { list: "VARCHAR[]" };
    const found = await rowsOf(await open({ rows, columns }), () => 1 + Math.floor(next() * 5_000));
    const expected = rows.map((row) => ({
      ...row,
      whole: row.whole === null ? null : BigInt(/** @type {number} */ (row.whole)),
      vector: row.vector && Array.from(/** @type {number[]} */ (row.vector), Math.fround),
    }));
    assert.lengthOf(found, rows.length);
    for (const [at, row] of found.entries()) assert.deepEqual(row, expected[at]);
    assert.isTrue(found.every((row, at) => Object.is(row.real, expected[at]?.real)));
  }
});
