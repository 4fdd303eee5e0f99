/** What is wrong with a value of `rows`, before it is known which value of which row it was. */
export class Problem extends Error {
  /**
   * @param {string} text how the sentence goes on: "must be …"
   * @param {{ path?: string, hint?: string, row?: number }} [more] `path`: where inside the value; `row`: whose it is, if
   *   not the one at hand
   */
  constructor(text, { path = "", hint, row } = {}) {
    super(text);
    this.path = path;
    this.hint = hint;
    this.row = row;
  }
}

/**
 * A member as JavaScript writes it: `.price`, `["unit price"]`.
 *
 * @param {string} name
 */
export function member(name) {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
