// Bytes of every kind, part by part.

import { Buffer } from "node:buffer";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { assert } from "chai";
import { endsWithAbort, failure, open, random, readAll, refuses } from "./support.js";

const CSV = "id,name\n1,Ghent\n2,\u{1f600}\n";
const encoded = new TextEncoder().encode(CSV);
const format = "csv";

/** @param {Uint8Array[]} chunks @param {boolean} [ends] */
const streamOf = (chunks, ends = true) =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      if (ends) controller.close();
    },
  });

/** @param {ArrayBufferLike} buffer @param {number} from */
const shifted = (buffer, from) => new Uint8Array(buffer, from);

test("every kind of bytes is read whole", async () => {
  const padded = new Uint8Array(encoded.length + 3);
  padded.set(encoded, 3);
  const shared = new SharedArrayBuffer(encoded.length);
  new Uint8Array(shared).set(encoded);
  const elsewhere = runInNewContext("new Uint8Array(bytes)", { bytes: [...encoded] });
  const kinds = {
    Uint8Array: encoded,
    "view of a part": shifted(padded.buffer, 3),
    ArrayBuffer: encoded.slice().buffer,
    SharedArrayBuffer: shared,
    DataView: new DataView(padded.buffer, 3),
    Buffer: Buffer.from(CSV),
    "another realm's": elsewhere,
    "another realm's buffer": elsewhere.buffer,
    Blob: new Blob([CSV]),
    File: new File([CSV], "a"),
    stream: streamOf([encoded]),
    "stream of a Response": new Response(CSV).body,
    text: CSV,
  };
  for (const [kind, data] of Object.entries(kinds)) {
    const source = await open({ data, format });
    assert.equal(source.format, "csv", kind);
    assert.deepEqual(await readAll(source, () => 7), encoded, kind);
  }
});

test("the size is known of all but streams", async () => {
  for (const data of [encoded, new Blob([encoded]), CSV]) {
    assert.equal((await open({ data, format })).size, encoded.length);
  }
  assert.isUndefined((await open({ data: streamOf([encoded]), format })).size);
});

test("parts of any length concatenate to the original, however a stream was cut", async () => {
  const next = random(7);
  const upTo = (/** @type {number} */ most) => 1 + Math.floor(next() * most);
  for (let round = 0; round < 60; round++) {
    const bytes = Uint8Array.from({ length: upTo(200_000) }, () => Math.floor(next() * 256));
    bytes.set(encoded.subarray(0, 3));
    /** @type {Uint8Array<ArrayBuffer>[]} */
    const chunks = [];
    for (let at = 0; at < bytes.length; ) {
      const length = upTo(round % 2 ? 500 : 150_000);
      chunks.push(bytes.slice(at, at + length), new Uint8Array());
      at += length;
    }
    const most = () => upTo(round % 3 ? 90_000 : 900);
    for (const data of [streamOf(chunks), bytes, new Blob(chunks)]) {
      assert.deepEqual(await readAll(await open({ data, format }), most), bytes);
    }
  }
});

test("a part that was given stays as it was", async () => {
  const memory = encoded.slice();
  const inMemory = await open({ data: memory, format });
  const first = await inMemory.next(8);
  memory.fill(0);
  assert.deepEqual(first, encoded.subarray(0, 8));

  const chunk = new Uint8Array(600).fill(65);
  let pulls = 0;
  const reusing = new ReadableStream(
    {
      pull(controller) {
        chunk.fill(65 + pulls);
        controller.enqueue(chunk);
        if (++pulls === 3) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const parts = await readAll(await open({ data: reusing, format }), () => 250);
  const expected = [65, 66, 67].flatMap((letter) => Array(600).fill(letter));
  assert.deepEqual([...parts], expected);
});

test("a stream is read no further than it is asked for", async () => {
  let pulled = 0;
  const stream = new ReadableStream(
    {
      pull(controller) {
        pulled += 1000;
        controller.enqueue(new Uint8Array(1000).fill(65));
      },
    },
    { highWaterMark: 0 },
  );
  const source = await open({ data: stream, format });
  assert.isAtMost(pulled, 1000);
  assert.lengthOf(/** @type {Uint8Array} */ (await source.next(5_500)), 5_500);
  assert.isAtMost(pulled, 6_000);
  await source.close();
});

test("the format is what the data shows, or what was said", async () => {
  const parquet = new TextEncoder().encode("PAR1....PAR1");
  assert.equal((await open({ data: parquet })).format, "parquet");
  assert.equal(
    (await open({ data: streamOf([parquet.slice(0, 2), parquet.slice(2)]) })).format,
    "parquet",
  );
  assert.equal((await open({ data: new Blob([CSV], { type: "text/csv" }) })).format, "csv");
  assert.equal(
    (await open({ data: new File([CSV], "A.CSV", { type: "application/vnd.ms-excel" }) })).format,
    "csv",
  );
  assert.equal((await open({ data: new File(['\ufeff\n {"a":1}'], "a.jsonl") })).format, "json");
  await refuses({ data: encoded }, /^`format` must be given: what `data` holds is/);
  await refuses({ data: CSV }, /^`format` must be "csv" or "json" where `data` is text/);
  await refuses({ data: "PAR1", format: "parquet" }, /^`format` must be "csv" or "json"/);
  await refuses(
    { data: encoded, format: "tsv" },
    /^`format` must be "csv", "json" or "parquet", not "tsv"/,
  );
  await refuses({ data: encoded, format: 1 }, /^`format` .* not a number/);
});

test("what is plainly something else is refused", async () => {
  const bytes = (/** @type {number[]} */ ...first) => Uint8Array.from([...first, ...encoded]);
  /** @type {[import("./support.js").SourceOptions, RegExp][]} */
  const table = [
    [{ data: encoded, format: "parquet" }, /^`data` is not Parquet but data of no type/],
    [
      { data: new Blob(["<!DOCTYPE html><p>Sign in"]), format: "parquet" },
      /not Parquet but an HTML page/,
    ],
    [{ data: " <html>", format }, /must hold CSV, JSON or Parquet, not an HTML page/],
    [{ data: '<?xml version="1.0"?>', format }, /not an XML document/],
    [{ data: "PAR1....", format }, /^`data` is Parquet, not csv/],
    [{ data: bytes(0x1f, 0x8b), format }, /not a gzip file/],
    [{ data: bytes(0x50, 0x4b, 3, 4), format }, /not a zip archive or a spreadsheet/],
    [{ data: bytes(0x28, 0xb5, 0x2f, 0xfd), format }, /not a zstd file/],
    [{ data: bytes(0xff, 0xfe), format }, /not UTF-16 text/],
    [{ data: '[{"a":1}]', format: "json" }, /^`data` must hold one JSON object a line/],
    [{ data: "", format }, /^`data` holds no bytes/],
    [{ data: new Uint8Array(), format }, /^`data` holds no bytes/],
    [{ data: new Blob([]), format }, /^`data` holds no bytes/],
    [{ data: streamOf([]), format }, /^`data` holds no bytes/],
    [{ data: "a\ud83d", format }, /^`data` holds half of a surrogate pair/],
    [{ data: ["a"], format }, /^`data` must be bytes .* not an array/],
    [{ data: 5, format }, /^`data` must be bytes .* not a number/],
    [{ data: null, format }, /^`data` must be bytes .* not null/],
    [{ data: new Response(CSV), format }, /^`data` must be bytes .* not a Response/],
    [{}, /^`rows` or `data` or `url` must be given, exactly one/],
    [{ data: CSV, url: "https://a.example", format }, /exactly one/],
    [{ data: CSV, format, columns: {} }, /^`columns` goes with `rows` only/],
    [{ data: CSV, format, maxBytes: 1 }, /^`maxBytes` goes with `url` only/],
    [{ rows: [], format }, /^`format` goes with `data` or `url` only/],
  ];
  for (const [given, message] of table) await refuses(given, message);
});

test("memory that was given away is refused", async () => {
  const bytes = encoded.slice();
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  await refuses({ data: bytes, format }, /^`data` is memory that has been transferred away/);
  const later = encoded.slice();
  const source = await open({ data: later, format });
  structuredClone(later.buffer, { transfer: [later.buffer] });
  assert.match((await failure(source.next(5))).message, /became shorter/);
});

test("streams in use, streams of strings and failing streams are refused", async () => {
  const locked = streamOf([encoded]);
  locked.getReader();
  await refuses({ data: locked, format }, /^`data` is a stream that somebody else reads/);

  const begun = streamOf([encoded, encoded]);
  const reader = begun.getReader();
  await reader.read();
  reader.releaseLock();
  await refuses({ data: begun, format }, /^`data` is a stream that has been read from before/);

  const strings = new ReadableStream({ pull: (controller) => controller.enqueue(CSV) });
  await refuses({ data: strings, format }, /not of strings/, { hint: /TextEncoderStream/ });
  const numbers = new ReadableStream({ pull: (controller) => controller.enqueue(7) });
  await refuses({ data: numbers, format }, /not of a number/);

  const cause = new Error("the disk is gone");
  let pulls = 0;
  const breaking = new ReadableStream({
    pull(controller) {
      if (++pulls > 2) throw cause;
      controller.enqueue(new Uint8Array(1000).fill(65));
    },
  });
  const source = await open({ data: breaking, format });
  const error = await failure(readAll(source));
  assert.equal(error.code, "network");
  assert.equal(error.cause, cause);
  assert.isFalse(error.retryable);
  assert.equal(await failure(source.next(1)), error);
});

test("close ends the stream once, and nothing is given after it", async () => {
  let cancelled = 0;
  const stream = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(1000).fill(65)),
    cancel: () => {
      cancelled++;
      return new Promise(() => {});
    },
  });
  const source = await open({ data: stream, format });
  await source.next(1500);
  await source.close();
  await source.close();
  assert.equal(cancelled, 1);
  assert.equal((await failure(source.next(1))).code, "internal");
  const waiting = await open({ data: streamOf([new Uint8Array(600).fill(65)], false), format });
  const part = failure(waiting.next(1_000));
  await waiting.close();
  assert.equal((await part).code, "internal", "no part is taken for the last one");
  const inMemory = await open({ data: CSV, format });
  await inMemory.close();
  assert.equal((await failure(inMemory.next(1))).code, "internal");
});

test("an abort ends the wait for a stream that gives nothing, and the stream", async () => {
  let cancelled = 0;
  const silent = () => new ReadableStream({ cancel: () => void cancelled++ });
  await endsWithAbort((signal) => open({ data: silent(), format }, { signal }));
  assert.equal(cancelled, 1);
  const reason = new Error("before");
  const signal = AbortSignal.abort(reason);
  for (const data of [CSV, new Blob([CSV]), silent()]) {
    assert.equal(await failure(open({ data, format }, { signal })), reason);
  }
  const controller = new AbortController();
  const source = await open({ data: CSV, format }, { signal: controller.signal });
  controller.abort(reason);
  assert.equal(await failure(source.next(1)), reason);
});

test("a Blob that cannot be read says why", async () => {
  const cause = new DOMException("gone", "NotReadableError");
  const blob = Object.assign(new Blob([CSV]), {
    slice: () => ({ arrayBuffer: () => Promise.reject(cause) }),
  });
  const error = await failure(open({ data: blob, format }));
  assert.equal(error.code, "network");
  assert.equal(error.cause, cause);
});
