import assert from "node:assert/strict";
import { medians, timed } from "./measure.mjs";

const WIDTH = 1536;
/** Different ones, as every question brings its own: engines remember how recent numbers print. */
const VECTORS = 100;

/**
 * The SQL of a fused search with a wide vector, against the same text put together in JavaScript.
 *
 * @param {any} api the package
 * @returns {Promise<import("./benchmarks.mjs").Comparison[]>}
 */
export async function hybridSql(api) {
  const vectors = Array.from({ length: VECTORS }, (_, v) =>
    Array.from({ length: WIDTH }, (_, n) => component(v * WIDTH + n)),
  );
  const ours = (/** @type {number[]} */ vector) =>
    api.hybridSearchSql({
      table: "default.public.papers",
      column: "content",
      vectorColumn: "embedding",
      query: "quiet garden",
      keyColumn: "id",
      vector,
    });
  const [before = "", after = ""] = ours([1]).split(/(?<=ARRAY\[)1\.0(?=\])/);
  const byHand = (/** @type {number[]} */ vector) => before + vector.map(float).join(",") + after;
  for (const vector of vectors) assert.ok(ours(vector) === byHand(vector), "the texts differ");
  const each = (/** @type {(vector: number[]) => string} */ build) => () =>
    timed(() => {
      for (const vector of vectors) build(vector);
    });
  const cost = await medians({ ours: each(ours), byHand: each(byHand) }, { rounds: 20, warmUp: 5 });
  return [
    {
      name: `hybrid SQL, ${WIDTH}-wide vector`,
      unit: "ms",
      ours: cost.ours / VECTORS,
      other: cost.byHand / VECTORS,
      against: "the same text built in JavaScript",
      budget: 1,
    },
  ];
}

/**
 * A number of 16 or 17 digits, or one that needs its point added. None is so small that only one side writes it with an
 * exponent.
 *
 * @param {number} n
 */
function component(n) {
  const value = Math.sin(n) / 3;
  return Math.abs(value) < 1e-3 ? 1 : value;
}

/** @param {number} value always with a point or an exponent, so that the engine reads a float */
function float(value) {
  const text = String(value);
  return Number.isInteger(value) ? `${text}.0` : text;
}
