// The stored queries: their text, their vector, and which papers were judged relevant to them.

import { PageProblem } from "./problems.js";

/**
 * @typedef {{ text: string, vector: Float32Array, grades: Map<string, number> }} StoredQuery
 *   grades: by paper id; 2 the query's own tag, 1 a narrower tag
 */

/**
 * @returns {Promise<StoredQuery[]>}
 * @throws {PageProblem}
 */
export async function loadQueries() {
  const [judgements, vectors] = await Promise.all([
    get("/papers/judgements.json").then((response) => response.json()),
    get("/papers/queries.f32").then((response) => response.arrayBuffer()),
  ]);
  return storedQueries(judgements, vectors);
}

/**
 * @param {{ query: string, relevant: Record<string, number> }[]} judgements
 * @param {ArrayBuffer} vectors little-endian float32, as every browser's machine has it; one row a query, in order
 * @returns {StoredQuery[]}
 */
export function storedQueries(judgements, vectors) {
  const numbers = new Float32Array(vectors);
  const width = numbers.length / judgements.length;
  if (!Number.isInteger(width)) {
    throw new PageProblem(
      "The stored queries and their vectors do not belong together.",
      "Check tests/data/papers: judgements.json and queries.f32 come as a pair.",
    );
  }
  return judgements.map(({ query, relevant }, at) => ({
    text: query,
    vector: numbers.subarray(at * width, (at + 1) * width),
    grades: new Map(Object.entries(relevant)),
  }));
}

/** @param {string} path */
async function get(path) {
  const response = await fetch(path).catch(() => undefined);
  if (!response?.ok) {
    throw new PageProblem(
      `The stored queries could not be loaded from ${path}.`,
      "Serve the page with “npm --prefix pkg run demo”.",
    );
  }
  return response;
}
