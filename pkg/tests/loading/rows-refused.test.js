// Rows that are refused, and how that is said.

import { test } from "node:test";
import { assert } from "chai";
import { refuses } from "./support.js";

test("rows that say no type, or too many, are refused", async () => {
  const half = "a\ud83d";
  const columns = {};
  /** @type {[unknown, RegExp, (RegExp | undefined)?][]} */
  const table = [
    [[], /^`rows` must hold at least one row$/],
    [new Set(), /^`rows` must hold at least one row$/],
    [[{}, {}], /^`rows` must have at least one column$/],
    [null, /^`rows` must be an array, an iterable or an async iterable of objects, not null$/],
    ["text", /not a string$/],
    [{ id: 1 }, /not a plain object$/],
    [[{ a: 1 }, 5], /^`rows\[1\]` must be an object of columns and values, not a number$/],
    [[[1]], /^`rows\[0\]` must be an object .* not an array$/],
    [Object.assign([{ a: 1 }], { length: 2 }), /^`rows\[1\]` .* not undefined$/],
    [new Map([["a", 1]]), /^`rows\[0\]` .* not an array$/],
    [[new Map()], /^`rows\[0\]` .* not a Map$/],
    [[Promise.resolve({})], /^`rows\[0\]` .* not a Promise$/],
    [
      [{ a: null, b: 1 }, { a: undefined }],
      /^`rows` have nothing but null in the column "a"/,
      /\{"a": "VARCHAR"\}/,
    ],
    [[{ "": 1 }], /^`rows\[0\]` has a column without a name$/],
    [[{ [half]: 1 }], /^`rows\[0\]` has a name with half of a surrogate pair$/],
    [
      [{ Id: 1 }, { id: 1 }],
      /^`rows` have columns "Id" and "id", which the engine stores under one name$/,
    ],
    [
      [Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`c${at}`, at]))],
      /at most 10000 columns/,
    ],
    [
      [1, 2, 3].map((price) => ({ price })).concat(/** @type {any} */ ({ price: "4" })),
      /^`rows\[3\].price` must be a number like the rows before, not a string$/,
      /`columns`/,
    ],
    [
      [{ a: 1 }, { a: true }],
      /^`rows\[1\].a` must be a number like the rows before, not a boolean$/,
    ],
    [
      [{ a: "1" }, { a: 1n }],
      /^`rows\[1\].a` must be a string like the rows before, not a bigint$/,
    ],
    [
      [{ a: 1.5 }, { a: 1n }],
      /^`rows\[1\].a` must be a number like the rows before, not a bigint$/,
    ],
    [[{ a: 1n }, { a: 1.5 }], /^`rows\[1\].a` must be an integer like the rows before, not 1.5$/],
    [
      [{ a: new Date(0) }, { a: "2026-01-01" }],
      /must be a Date like the rows before, not a string$/,
    ],
    [
      [{ a: [1] }, { a: new Float64Array(1) }],
      /must be an array of numbers like the rows before, not a Float64Array$/,
    ],
    [[{ a: new Uint8Array(1) }, { a: [1] }], /must be bytes like the rows before, not an array$/],
    [[{ a: 1 }, { a: 2 ** 53 }], /^`rows\[1\].a` is an integer beyond 2\^53/, /pass a bigint/],
    [[{ a: -(2 ** 53) }], /^`rows\[0\].a` is an integer beyond 2\^53/],
    [
      [{ a: 2n ** 63n }],
      /^`rows\[0\].a` must be from -9223372036854775808 to 9223372036854775807$/,
    ],
    [[{ a: -(2n ** 63n) - 1n }], /must be from -9223372036854775808/],
    [[{ a: half }], /^`rows\[0\].a` holds half of a surrogate pair$/],
    [[{ "unit price": half }], /^`rows\[0\]\["unit price"\]` holds half/],
    [
      [{ a: { b: 1 } }],
      /^`rows\[0\].a` cannot be loaded as it is: it is a plain object$/,
      /JSON text/,
    ],
    [[{ a: ["x"] }], /^`rows\[0\].a\[0\]` must be a number, not a string$/, /VARCHAR\[\]/],
    [[{ a: [1, null] }], /^`rows\[0\].a\[1\]` must be a number, not null$/],
    [
      [{ a: Object.assign([1], { length: 2 }) }],
      /^`rows\[0\].a\[1\]` must be a number, not undefined$/,
    ],
    [[{ a: [Number.NaN] }], /^`rows\[0\].a\[0\]` must be a finite number, not NaN$/],
    [
      [{ a: new Float32Array([1, Infinity]) }],
      /^`rows\[0\].a\[1\]` must be a finite number, not Infinity$/,
    ],
    [
      [{ a: [1e39] }],
      /^`rows\[0\].a\[0\]` is an integer that a 32-bit float would change$/,
      /DOUBLE\[\]/,
    ],
    [[{ a: [-3.5e38 - 0.5] }], /^`rows\[0\].a\[0\]` is /],
    [
      [{ a: [16_777_217] }],
      /^`rows\[0\].a\[0\]` is an integer that a 32-bit float would change$/,
      /BIGINT\[\]/,
    ],
    [[{ a: [] }], /^`rows\[0\].a` must hold at least one number$/],
    [
      [{ a: [1, 2] }, { a: new Float32Array(3) }],
      /^`rows\[1\].a` must hold 2 numbers like the rows before, not 3$/,
    ],
    [[{ a: new Int8Array(1) }], /^`rows\[0\].a` is an Int8Array, which says no type of a column$/],
    [[{ a: new Map() }], /it is a Map$/],
    [[{ a: () => 1 }], /it is a function$/],
    [[{ a: Symbol("s") }], /it is a symbol$/],
    [[{ a: new Date(Number.NaN) }], /^`rows\[0\].a` is an invalid Date$/],
    [[{ a: new Number(1) }], /it is a Number$/],
  ];
  for (const [rows, message, hint] of table) {
    await refuses({ rows }, message, { hint });
    if (Array.isArray(rows)) await refuses({ rows: rows.values(), columns }, message, { hint });
  }
});

test("what is given away, what throws and what fails is told with its place", async () => {
  const bytes = new Uint8Array(4);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  await refuses(
    { rows: [{ a: bytes }] },
    /^`rows\[0\].a` cannot be loaded as it is: it is a detached Uint8Array$/,
  );
  await refuses(
    { rows: [{ a: bytes }], columns: { a: "BLOB" } },
    /^`rows\[0\].a` is memory that has been transferred away$/,
  );
  const cause = new Error("no");
  const throwing = [
    { a: 1 },
    {
      get a() {
        throw cause;
      },
    },
  ];
  assert.equal(
    (await refuses({ rows: throwing }, /^`rows\[1\].a` could not be read$/)).cause,
    cause,
  );
  const failing = function* () {
    yield { a: 1 };
    throw cause;
  };
  const failingLater = async function* () {
    yield* failing();
  };
  for (const rows of [failing(), failingLater()]) {
    assert.equal((await refuses({ rows }, /^`rows` failed to give row 1$/)).cause, cause);
  }
  let ended = 0;
  const closing = (function* () {
    try {
      yield { a: 1 };
      yield { a: "x" };
    } finally {
      ended++;
    }
  })();
  await refuses({ rows: closing }, /^`rows\[1\].a`/);
  assert.equal(ended, 1, "a refusal ends the iterable");
});
