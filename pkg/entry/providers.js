// A toolset's definitions in the shapes that providers take. Each call makes new objects: a framework may change them.

/**
 * @import {
 *   AnthropicTool, GeminiTool, McpTool, OpenAiChatTool, OpenAiTool, ToolDefinition,
 * } from "./core_bg.js"
 */

/** @typedef {Record<string, any>} Schema JSON Schema, or what a provider takes in its place */

/**
 * The shape of OpenAI's Responses API.
 *
 * @param {readonly ToolDefinition[]} tools
 * @param {boolean} strict
 * @returns {OpenAiTool[]}
 */
export function openai(tools, strict) {
  return tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    name,
    description,
    parameters: strict ? strictForm(inputSchema, true) : copied(inputSchema),
    strict,
  }));
}

/**
 * The shape of OpenAI's Chat Completions API.
 *
 * @param {readonly ToolDefinition[]} tools
 * @param {boolean} strict
 * @returns {OpenAiChatTool[]}
 */
export function openaiChat(tools, strict) {
  return openai(tools, strict).map(({ type, ...definition }) => {
    // Other services that speak this API refuse members they do not know.
    const { strict: _, ...plain } = definition;
    return { type, function: strict ? definition : plain };
  });
}

/**
 * The shape of Anthropic's Messages API.
 *
 * @param {readonly ToolDefinition[]} tools
 * @param {boolean} strict
 * @returns {AnthropicTool[]}
 */
export function anthropic(tools, strict) {
  return tools.map(({ name, description, inputSchema }) =>
    strict
      ? { name, description, input_schema: strictForm(inputSchema, false), strict }
      : { name, description, input_schema: copied(inputSchema) },
  );
}

/**
 * Gemini's function declarations.
 *
 * @param {readonly ToolDefinition[]} tools
 * @param {boolean} jsonSchema
 * @returns {GeminiTool[]}
 */
export function gemini(tools, jsonSchema) {
  return tools.map(({ name, description, inputSchema }) => {
    if (jsonSchema) return { name, description, parametersJsonSchema: copied(inputSchema) };
    // The API refuses an object without properties; a function without parameters has none.
    if (Object.keys(inputSchema.properties).length === 0) return { name, description };
    return { name, description, parameters: openApiForm(inputSchema) };
  });
}

/**
 * The tools of an MCP server.
 *
 * @param {readonly ToolDefinition[]} tools
 * @param {boolean} outputSchema
 * @returns {McpTool[]}
 */
export function mcp(tools, outputSchema) {
  return tools.map(({ name, title, description, inputSchema, annotations }) => ({
    name,
    title,
    description,
    inputSchema: copied(inputSchema),
    annotations: { ...annotations },
    ...(outputSchema && { outputSchema: answer() }),
  }));
}

/**
 * What `structured` holds, of every tool: rows where it has any.
 *
 * @returns {NonNullable<McpTool["outputSchema"]>}
 */
function answer() {
  return {
    type: "object",
    properties: {
      metadata: { type: "object" },
      rows: { type: "array", items: { type: "object" } },
    },
  };
}

/**
 * @template {Schema} T
 * @param {T} schema
 * @returns {T}
 */
function copied(schema) {
  return JSON.parse(JSON.stringify(schema));
}

/**
 * The form that a strict mode takes: nothing but what is named, bounds said in the description.
 *
 * @param {Schema} schema
 * @param {boolean} nullable whether what is optional has to be named as required, and may be null
 * @returns {any}
 */
function strictForm({ minimum, maximum, ...schema }, nullable) {
  if (minimum !== undefined) {
    const range = `From ${minimum} to ${maximum}.`;
    schema.description = schema.description ? `${schema.description} ${range}` : range;
  }
  if (schema.enum) schema.enum = [...schema.enum];
  if (schema.items) schema.items = strictForm(schema.items, nullable);
  if (!schema.properties) return schema;
  const names = Object.keys(schema.properties);
  /** @type {Schema} */
  const properties = {};
  for (const name of names) {
    const property = strictForm(schema.properties[name], nullable);
    if (nullable && !schema.required.includes(name)) {
      property.type = [property.type, "null"];
      property.enum?.push(null);
    }
    properties[name] = property;
  }
  return { ...schema, properties, required: nullable ? names : [...schema.required] };
}

/**
 * The part of OpenAPI's Schema that Gemini takes.
 *
 * @param {Schema} schema
 * @returns {any}
 */
function openApiForm({ additionalProperties: _, type, properties, required, items, ...rest }) {
  return {
    type: type.toUpperCase(),
    ...copied(rest),
    ...(items && { items: openApiForm(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, openApiForm(property)]),
      ),
    }),
    ...(required?.length && { required: [...required] }),
  };
}
