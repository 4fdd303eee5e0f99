// A process of its own that answers every query with one of two canned bodies: 1 row, or 10,000 rows of 10 columns.

import { createServer } from "node:http";

const COLUMNS = ["id", "name", "price", "score", "city", "count", "ratio", "note", "flag", "day"];

/** @param {number} n */
function row(n) {
  return [
    ...[n, `listing number ${n}`, (n * 7919) % 100_000, Math.sin(n), n % 3 ? "sf" : null, n * n],
    ...[1 / (n + 3), `a note with "quotes" and é ${n}`, n % 2 === 0, "2026-08-12"],
  ];
}

/** @param {number} count */
function body(count) {
  return JSON.stringify({
    columns: COLUMNS,
    nullable: COLUMNS.map(() => true),
    rows: Array.from({ length: count }, (_, n) => row(n)),
    preview_row_count: count,
    row_count: count,
    total_row_count: count,
    truncated: false,
    result_id: null,
    query_run_id: "qr_bench",
    execution_time_ms: 1,
    warning: null,
  });
}

const bodies = { one: body(1), many: body(10_000) };

const server = createServer((request, response) => {
  let asked = "";
  request.on("data", (chunk) => {
    asked += chunk;
  });
  request.on("end", () => {
    const text = asked.includes("many") ? bodies.many : bodies.one;
    response.setHeader("content-type", "application/json");
    response.setHeader("content-length", Buffer.byteLength(text));
    response.end(text);
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  console.log(`listening on http://127.0.0.1:${address.port}`);
});
