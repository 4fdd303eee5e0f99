// The rules themselves: a set that breaks one is told so.

import { test } from "node:test";
import { assert } from "chai";
import { FORMS, problems } from "./rules.js";
import { everyKind } from "./sets.js";

/**
 * A form, what is done to the tool `load_things` in it, and what has to be said of that.
 *
 * @type {[string, (tool: any) => void, RegExp][]}
 */
const WRONG = [
  ["definitions", (tool) => (tool.name = "load-things"), /no name that every provider takes/],
  ["definitions", (tool) => (tool.name = "x".repeat(65)), /no name/],
  ["definitions", (tool) => (tool.name = "1st"), /no name/],
  ["definitions", (tool) => (tool.name = "list_things"), /two tools of one name/],
  ["openai, strict", (tool) => (tool.description = "x".repeat(1025)), /1025 characters/],
  ["openai, strict", (tool) => (tool.description = " "), /no description/],
  ["openai, strict", (tool) => delete tool.strict, /no member strict/],
  ["openai, strict", (tool) => delete tool.type, /not of type function/],
  ["openai chat, not strict", (tool) => (tool.strict = false), /the member strict/],
  ["openai, strict", (tool) => (tool.title = "Load"), /the member title/],
  ["openai, strict", (tool) => tool.parameters.required.pop(), /keys not required/],
  ["openai, strict", (tool) => delete tool.parameters.additionalProperties, /additionalProperties/],
  ["openai, strict", (tool) => (tool.parameters.properties.limit.minimum = 1), /keyword minimum/],
  ["openai, strict", (tool) => (tool.parameters.properties.limit.default = 5), /keyword default/],
  [
    "openai, strict",
    (tool) => (tool.parameters.properties.keys.items.properties.order.enum = ["up", "down"]),
    /leaves out its null/,
  ],
  [
    "openai, strict",
    (tool) => (tool.parameters.properties.limit.type = ["integer", "string"]),
    /not one and null/,
  ],
  [
    "openai, strict",
    (tool) => (tool.parameters.properties.table = { oneOf: [{ type: "string" }] }),
    /keyword oneOf/,
  ],
  ["openai, not strict", (tool) => (tool.parameters.properties.any = {}), /any: an empty schema/],
  [
    "openai, not strict",
    (tool) =>
      (tool.parameters.properties.map = {
        type: "object",
        additionalProperties: { type: "string" },
      }),
    /map: no properties/,
  ],
  [
    "openai, not strict",
    (tool) => (tool.parameters = { $schema: "x" }),
    /the arguments are undefined, not an object/,
  ],
  ["openai, not strict", (tool) => (tool.parameters.type = "array"), /not an object/],
  ["openai, not strict", (tool) => (tool.parameters = deep(6)), /nested 6 levels deep/],
  ["openai, not strict", (tool) => (tool.parameters = wide(101)), /101 properties/],
  [
    "openai, not strict",
    (tool) => (tool.parameters.properties.mode.enum = words(2_000)),
    /characters of names and enums/,
  ],
  [
    "anthropic, not strict",
    (tool) => (tool.input_schema.properties.mode.enum = [1, 2]),
    /enum of other than texts/,
  ],
  [
    "anthropic, not strict",
    (tool) => (tool.input_schema.properties.mode.enum = []),
    /enum of nothing/,
  ],
  [
    "anthropic, not strict",
    (tool) => (tool.input_schema.properties.limit.enum = ["1"]),
    /enum of integer/,
  ],
  [
    "anthropic, not strict",
    (tool) => tool.input_schema.required.push("gone"),
    /gone is required and not there/,
  ],
  ["anthropic, not strict", (tool) => tool.input_schema.required.push("table"), /required twice/],
  [
    "anthropic, not strict",
    (tool) => (tool.input_schema.properties.limit.minimum = 101),
    /minimum above its maximum/,
  ],
  [
    "anthropic, not strict",
    (tool) => (tool.input_schema.properties.table.minimum = 1),
    /minimum of string/,
  ],
  [
    "anthropic, not strict",
    (tool) => (tool.input_schema.properties.limit.maximum = 1.5),
    /maximum is 1.5/,
  ],
  [
    "anthropic, not strict",
    (tool) => delete tool.input_schema.properties.names.items,
    /array of nothing/,
  ],
  [
    "anthropic, not strict",
    (tool) => (tool.input_schema.properties["order by"] = { type: "string" }),
    /property name order by/,
  ],
  [
    "anthropic, strict",
    (tool) => (tool.input_schema.properties.limit.maximum = 5),
    /keyword maximum/,
  ],
  [
    "anthropic, strict",
    (tool) => (tool.input_schema.properties.limit.type = ["integer", "null"]),
    /the types integer, null/,
  ],
  [
    "anthropic, strict",
    (tool) => Object.assign(tool.input_schema, wide(25)),
    /25 optional, at most 24/,
  ],
  [
    "gemini",
    (tool) => (tool.parameters.additionalProperties = false),
    /keyword additionalProperties/,
  ],
  ["gemini", (tool) => (tool.parameters.$schema = "x"), /keyword \$schema/],
  [
    "gemini",
    (tool) => (tool.parameters.properties.limit.exclusiveMinimum = 0),
    /keyword exclusiveMinimum/,
  ],
  ["gemini", (tool) => (tool.parameters.properties.table.const = "t"), /keyword const/],
  [
    "gemini",
    (tool) => (tool.parameters.properties.table.type = ["STRING", "null"]),
    /the types STRING, null/,
  ],
  ["gemini", (tool) => (tool.parameters.properties.table.type = "string"), /the type string/],
  [
    "gemini",
    (tool) => (tool.parameters.properties = {}),
    /without properties, which Gemini refuses/,
  ],
  ["gemini", (tool) => (tool.parameters.required = []), /an empty required/],
  [
    "gemini, JSON Schema",
    (tool) => delete tool.parametersJsonSchema,
    /no member parametersJsonSchema/,
  ],
  ["mcp", (tool) => delete tool.annotations, /no member annotations/],
  ["mcp, with output schemas", (tool) => delete tool.outputSchema, /no member outputSchema/],
];

for (const [form, spoil, says] of WRONG) {
  test(`${form}: ${says.source}`, () => {
    const tools = structuredClone(/** @type {any} */ (FORMS[form]).made(everyKind));
    assert.deepEqual(problems(form, tools), []);
    spoil(tools[1]);
    assert.match(problems(form, tools).join("\n"), says);
  });
}

test("anthropic, strict: no more than 20 tools and 16 unions in one request", () => {
  const [one] = everyKind.anthropic({ strict: true });
  const many = Array.from({ length: 21 }, (_, n) => ({ ...one, name: `tool_${n}` }));
  assert.deepEqual(problems("anthropic, strict", many), ["21 tools"]);
  const unions = Object.fromEntries(
    Array.from({ length: 17 }, (_, n) => [`a${n}`, { type: ["string", "null"] }]),
  );
  const input_schema = { ...one?.input_schema, properties: unions, required: Object.keys(unions) };
  const found = problems("anthropic, strict", [{ ...one, input_schema }]);
  assert.include(found, "17 unions, at most 16");
});

/** @param {number} levels @returns {any} */
function deep(levels) {
  const inner = levels > 2 ? deep(levels - 1) : { type: "string" };
  return { type: "object", properties: { a: inner }, required: [], additionalProperties: false };
}

/** @param {number} count */
function wide(count) {
  const properties = Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`a${n}`, { type: "string" }]),
  );
  return { type: "object", properties, required: [], additionalProperties: false };
}

/** @param {number} count */
function words(count) {
  return Array.from({ length: count }, (_, n) => `word${n}xxxx`);
}
