// Saying what is going on: every step that takes over a second is named, with its time.

const QUIET_MS = 1_000;
const HEARTBEAT_MS = 15_000;

/**
 * Runs a step. Silent if it is over within a second; else names it, says every 15 seconds that it still runs, and
 * prints how long it took.
 *
 * @template T
 * @param {string} title what is done, as a phrase: "optimising core_bg.wasm"
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(title, work) {
  const started = performance.now();
  let named = false;
  const timer = setTimeout(() => {
    named = true;
    console.log(`${title} …`);
  }, QUIET_MS);
  const heartbeat = setInterval(
    () => console.log(`${title}: ${seconds(started)} so far`),
    HEARTBEAT_MS,
  );
  try {
    const result = await work();
    if (named) console.log(`${title}: done in ${seconds(started)}`);
    return result;
  } finally {
    clearTimeout(timer);
    clearInterval(heartbeat);
  }
}

/** @param {number} started a `performance.now()` */
export function seconds(started) {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}
