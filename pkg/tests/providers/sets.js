// The toolsets that the rules are held against: every route, every switch, and a definition of every kind of argument.

import process from "node:process";
import { Hotdata } from "../../dist/index.js";
import { PAPERS, papers } from "../cases/samples.js";

// The source: in the package it stands inside a file that all entries share.
/** @type {typeof import("../../dist/providers.js")} */
const providers = await import(new URL("../../entry/providers.js", import.meta.url).href);

const SEMANTIC = "default.public.papers_semantic";

export const engineUrl = process.env.HOTDATA_TEST_ENGINE ?? "";
if (!engineUrl) throw new Error("HOTDATA_TEST_ENGINE must name a running engine");

/** @returns {Promise<Hotdata>} in the scope of the sample papers */
export function connect() {
  return papers({ api: { Hotdata }, engineUrl, assert: /** @type {any} */ (undefined) });
}

/** @param {readonly string[]} texts */
const embed = async (texts) => texts.map(() => new Float32Array(384).fill(0.05));

/** One route each. @type {Record<string, any>} */
const ROUTES = {
  "no search": {},
  text: { searchTable: PAPERS, searchColumn: "content" },
  "semantic, the engine embeds": { searchTable: SEMANTIC, searchColumn: "content" },
  "semantic, the caller embeds": {
    searchTable: PAPERS,
    searchColumn: "content",
    searchStrategy: "semantic",
    embed,
  },
  hybrid: { searchTable: PAPERS, searchColumn: "content", embed },
};

/** @type {Record<string, any>} */
const SWITCHES = {
  "as it comes": {},
  "without management": { managementTools: false },
  "with a suffix and a label": { toolNameSuffix: "sales_2026", label: "Sales, every year" },
  "may write": { readOnly: false },
  "without figures": { aggregateTool: false },
  "search alone": { sqlTool: false, describeTables: false, managementTools: false },
};

/** @returns {Promise<{ name: string, toolset: import("../../dist/index.js").Toolset }[]>} every route with every switch */
export async function sets() {
  const hotdata = await connect();
  const made = [];
  for (const [route, search] of Object.entries(ROUTES)) {
    for (const [switched, options] of Object.entries(SWITCHES)) {
      made.push({
        name: `${route}, ${switched}`,
        toolset: await hotdata.tools({ ...search, ...options }),
      });
    }
  }
  return made;
}

/** @param {object} properties @param {string[]} [required] */
const object = (properties, required = []) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

/** Arguments of every kind, and none at all, as the core writes them. */
export const everyKind = made([
  {
    name: "list_things",
    title: "List",
    description: "Lists things.",
    inputSchema: object({}),
    annotations,
  },
  {
    name: "load_things",
    title: "Load",
    description: "Loads things.",
    inputSchema: object(
      {
        table: { type: "string", description: "The table." },
        mode: { type: "string", enum: ["append", "replace"], description: "How." },
        limit: { type: "integer", minimum: 1, maximum: 100, description: "How many." },
        bare: { type: "integer", minimum: 0, maximum: 7 },
        dry: { type: "boolean" },
        names: { type: "array", items: { type: "string" }, description: "Names." },
        keys: {
          type: "array",
          items: object(
            {
              table: { type: "string" },
              columns: { type: "array", items: { type: "string" } },
              order: { type: "string", enum: ["up", "down"] },
            },
            ["table", "columns"],
          ),
          description: "Keys.",
        },
      },
      ["table", "mode"],
    ),
    annotations,
  },
]);

/** The methods of a toolset over definitions of our own. @param {any[]} tools */
function made(tools) {
  return {
    tools: /** @type {readonly import("../../dist/index.js").ToolDefinition[]} */ (tools),
    openai: ({ strict = true } = {}) => providers.openai(tools, strict),
    openaiChat: ({ strict = false } = {}) => providers.openaiChat(tools, strict),
    anthropic: ({ strict = false } = {}) => providers.anthropic(tools, strict),
    gemini: ({ jsonSchema = false } = {}) => providers.gemini(tools, jsonSchema),
    mcp: ({ outputSchema = false } = {}) => providers.mcp(tools, outputSchema),
  };
}
