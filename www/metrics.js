// How well a ranking agrees with relevance judgements.

/**
 * Normalised discounted cumulative gain: the grade itself as gain, log2(rank + 1) as discount.
 *
 * @param {string[]} ids a ranking's, best first
 * @param {ReadonlyMap<string, number>} grades the judged ids; others count 0
 * @param {number} depth how many ranks count
 * @returns {number} 0 to 1; 0 where nothing is judged
 */
export function ndcg(ids, grades, depth) {
  const best = [...grades.values()].sort((a, b) => b - a).slice(0, depth);
  const ideal = gain(best);
  if (ideal === 0) return 0;
  return gain(ids.slice(0, depth).map((id) => grades.get(id) ?? 0)) / ideal;
}

/** @param {number[]} grades by rank */
function gain(grades) {
  return grades.reduce((sum, grade, at) => sum + grade / Math.log2(at + 2), 0);
}
