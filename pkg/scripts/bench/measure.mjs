// Comparing two or more ways of doing one thing within one run.

/**
 * Runs the candidates in turn, so that a busy moment of the machine hits all alike.
 *
 * @template {string} Name
 * @param {Record<Name, () => Promise<number> | number>} candidates each returns its own cost
 * @param {{ rounds: number, warmUp: number }} plan
 * @returns {Promise<Record<Name, number>>} the median cost of each
 */
export async function medians(candidates, { rounds, warmUp }) {
  const names = /** @type {Name[]} */ (Object.keys(candidates));
  const costs = /** @type {Record<Name, number[]>} */ ({});
  for (const name of names) costs[name] = [];
  for (let round = -warmUp; round < rounds; round++) {
    // Every other round backwards: the one that runs after a costly one pays for its garbage.
    for (const name of round % 2 ? [...names].reverse() : names) {
      const cost = await candidates[name]();
      if (round >= 0) costs[name].push(cost);
    }
  }
  const result = /** @type {Record<Name, number>} */ ({});
  for (const name of names) result[name] = median(costs[name]);
  return result;
}

/**
 * @param {() => unknown} work
 * @returns {Promise<number>} milliseconds
 */
export async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** @param {number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = 0, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  return (low + high) / 2;
}
