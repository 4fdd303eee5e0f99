// The tools of one agent.

/** @import { ToolDefinition, ToolResult } from "./core_bg.js" */

/** What an agent can call, resolved once by `tools()` of a client. There is nothing to free. */
export class Toolset {
  /** @type {import("./core_bg.js").ToolsetCore} */
  #core;

  /**
   * Made by `tools()` of a client alone.
   *
   * @param {unknown} made
   */
  constructor(made) {
    const core = /** @type {import("./core_bg.js").ToolsetCore} */ (made);
    this.#core = core;
    /**
     * The definitions, as a model and a framework take them.
     *
     * @type {readonly ToolDefinition[]}
     */
    this.tools = Object.freeze(core.definitions());
    /**
     * What was resolved and why: the route of the search, why nothing was fused.
     *
     * @type {readonly string[]}
     */
    this.notes = Object.freeze(core.notes());
  }

  /**
   * Runs one call of a model. A failed tool is a result with `isError`; only an abort rejects, and options that are none.
   *
   * @param {string} name
   * @param {unknown} [args] the model's arguments, parsed
   * @param {{ signal?: AbortSignal }} [options]
   * @returns {Promise<ToolResult>}
   */
  call(name, args, options) {
    return this.#core.call(name, args, options);
  }

  /** Nothing has to be freed, and calls under way go on: `using` may be written all the same. */
  [Symbol.dispose]() {}
}

// A host without the symbol has made a method of its absence.
if (!Symbol.dispose) Reflect.deleteProperty(Toolset.prototype, "undefined");
