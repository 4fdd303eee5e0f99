// Rows of a search as what the page shows of them.

/**
 * @typedef {import("./searches.js").Ranking} Ranking
 * @typedef {Record<string, import("/hotdata-wasm/index.js").Json>} Row
 */

/**
 * @param {Ranking} ranking
 * @param {Row[]} rows best first
 * @param {ReadonlyMap<string, number>} [grades] of a judged query
 * @returns {import("./view.js").Hit[]}
 */
export function hitsOf(ranking, rows, grades) {
  return rows.map((row) => ({
    id: String(row.id),
    title: String(row.title ?? ""),
    abstract: String(row.abstract ?? ""),
    figures: figures(ranking, row),
    grade: grades?.get(String(row.id)) ?? 0,
  }));
}

/**
 * What a query found, in a sentence.
 *
 * @param {string} query
 * @param {ReadonlyMap<Ranking, number | "failed">} outcomes how many hits each list that was asked for has
 */
export function summary(query, outcomes) {
  const parts = [...outcomes].map(([ranking, outcome]) =>
    ranking === "fused" ? `${outcome} fused` : `${outcome} by ${ranking}`,
  );
  return `“${query}”: ${parts.join(", ")}.`;
}

/**
 * @param {Ranking} ranking
 * @param {Row} row
 */
function figures(ranking, row) {
  if (ranking === "words") return `score ${Number(row.score).toFixed(2)}`;
  if (ranking === "meaning") return `_distance ${Number(row._distance).toFixed(3)}`;
  const ranks = `${rank("words", row.text_rank)}, ${rank("meaning", row.vector_rank)}`;
  return `score ${Number(row.score).toFixed(4)} · ${ranks}`;
}

/**
 * @param {string} name
 * @param {unknown} value
 */
function rank(name, value) {
  return `${name} ${value === null ? "–" : `#${value}`}`;
}
