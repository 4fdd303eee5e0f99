/**
 * Whether a string has no half of a surrogate pair, which UTF-8 cannot hold.
 *
 * @param {string} text
 */
export function isWellFormed(text) {
  return !/\p{Surrogate}/u.test(text);
}
