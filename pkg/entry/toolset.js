// The tools of one agent.

/**
 * @import {
 *   AnthropicTool, GeminiTool, McpTool, OpenAiChatTool, OpenAiTool, ToolDefinition, ToolResult,
 * } from "./core_bg.js"
 */

import * as providers from "./providers.js";

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
     * The definitions, as a model and a framework take them; frozen throughout.
     *
     * @type {readonly ToolDefinition[]}
     */
    this.tools = frozen(core.definitions());
    /**
     * What was resolved and why: the route of the search, why nothing was fused.
     *
     * @type {readonly string[]}
     */
    this.notes = Object.freeze(core.notes());
    Object.freeze(this);
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

  /**
   * The tools in the shape of OpenAI's Responses API. Strict unless told otherwise: so does the API where nothing is said,
   * and a model then names each argument as it is, leaving none out (those it has no value for are null, which counts as
   * absent).
   *
   * @param {{ strict?: boolean }} [options]
   * @returns {OpenAiTool[]}
   */
  openai(options) {
    return providers.openai(this.tools, (options?.strict ?? true) === true);
  }

  /**
   * The tools in the shape of OpenAI's Chat Completions API. Not strict unless told: many services that speak this API
   * refuse `strict`, or a type with null beside it. Arguments are checked here either way.
   *
   * @param {{ strict?: boolean }} [options]
   * @returns {OpenAiChatTool[]}
   */
  openaiChat(options) {
    return providers.openaiChat(this.tools, (options?.strict ?? false) === true);
  }

  /**
   * The tools in the shape of Anthropic's Messages API. Not strict unless told: strict tools of one request share a limit
   * of 20 tools and 24 optional arguments, and the first request waits for their grammar. Arguments are checked here
   * either way.
   *
   * @param {{ strict?: boolean }} [options]
   * @returns {AnthropicTool[]}
   */
  anthropic(options) {
    return providers.anthropic(this.tools, (options?.strict ?? false) === true);
  }

  /**
   * The tools as Gemini's function declarations: the arguments as the subset of OpenAPI that every Gemini takes in
   * `parameters`, or with `jsonSchema` as JSON Schema in `parametersJsonSchema`.
   *
   * @param {{ jsonSchema?: boolean }} [options]
   * @returns {GeminiTool[]}
   */
  gemini(options) {
    return providers.gemini(this.tools, (options?.jsonSchema ?? false) === true);
  }

  /**
   * The tools as an MCP server lists them. With `outputSchema` each says what its answer holds: clients then refuse an
   * answer without `structuredContent`, so a server that asks for it sends `structured` under that name, except beside
   * `isError`.
   *
   * @param {{ outputSchema?: boolean }} [options]
   * @returns {McpTool[]}
   */
  mcp(options) {
    return providers.mcp(this.tools, (options?.outputSchema ?? false) === true);
  }

  /** Nothing has to be freed, and calls under way go on: `using` may be written all the same. */
  [Symbol.dispose]() {}
}

// A host without the symbol has made a method of its absence.
if (!Symbol.dispose) Reflect.deleteProperty(Toolset.prototype, "undefined");

/**
 * A value that nobody can change.
 *
 * @template T
 * @param {T} value
 * @returns {T}
 */
function frozen(value) {
  if (typeof value !== "object" || value === null) return value;
  Object.values(value).forEach(frozen);
  return Object.freeze(value);
}
