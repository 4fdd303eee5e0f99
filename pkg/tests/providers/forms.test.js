// Every tool of every set in every form, against every provider's rules.

import { test } from "node:test";
import { assert } from "chai";
import { FORMS, problems } from "./rules.js";
import { connect, everyKind, sets } from "./sets.js";

const all = await sets();

test("no tool of any set breaks a provider's rule in any form", () => {
  const found = [];
  let checked = 0;
  for (const { name, toolset } of [...all, { name: "every kind", toolset: everyKind }]) {
    for (const [form, { made }] of Object.entries(FORMS)) {
      const tools = made(toolset);
      assert.lengthOf(tools, toolset.tools.length);
      checked += tools.length;
      for (const problem of problems(form, tools)) found.push(`${name} as ${form}: ${problem}`);
    }
  }
  assert.deepEqual(found, []);
  assert.isAbove(checked, 500);
});

test("the sets differ as their options say", () => {
  const names = all.map(({ toolset }) => toolset.tools.map((tool) => tool.name).join());
  for (const name of ["hotdata_search_text", "hotdata_search_semantic", "hotdata_execute_sql"]) {
    assert.isTrue(names.some((one) => one.includes(name)));
  }
  assert.isTrue(names.some((one) => one.includes("hotdata_execute_sql_sales_2026")));
});

test("H15: Gemini's parameters hold only what its parser knows", () => {
  const known = new Set(
    "type description properties required items enum minimum maximum".split(" "),
  );
  /** @param {any} schema */
  const walk = (schema) => {
    for (const keyword of Object.keys(schema)) assert.isTrue(known.has(keyword), keyword);
    assert.match(schema.type, /^(OBJECT|ARRAY|STRING|INTEGER|BOOLEAN)$/);
    for (const inner of Object.values(schema.properties ?? {})) walk(inner);
    if (schema.items) walk(schema.items);
  };
  for (const { toolset } of [...all, { toolset: everyKind }]) {
    for (const { parameters } of toolset.gemini()) if (parameters) walk(parameters);
  }
  const [bare, load] = everyKind.gemini();
  assert.deepEqual(bare, { name: "list_things", description: "Lists things." });
  assert.deepEqual(load?.parameters, {
    type: "OBJECT",
    properties: {
      table: { type: "STRING", description: "The table." },
      mode: { type: "STRING", enum: ["append", "replace"], description: "How." },
      limit: { type: "INTEGER", minimum: 1, maximum: 100, description: "How many." },
      bare: { type: "INTEGER", minimum: 0, maximum: 7 },
      dry: { type: "BOOLEAN" },
      names: { type: "ARRAY", items: { type: "STRING" }, description: "Names." },
      keys: {
        type: "ARRAY",
        description: "Keys.",
        items: {
          type: "OBJECT",
          properties: {
            table: { type: "STRING" },
            columns: { type: "ARRAY", items: { type: "STRING" } },
            order: { type: "STRING", enum: ["up", "down"] },
          },
          required: ["table", "columns"],
        },
      },
    },
    required: ["table", "mode"],
  });
});

test("a strict form names every argument and says its bounds in words", () => {
  const [bare, load] = everyKind.openai();
  assert.deepEqual(bare?.parameters, {
    type: "object",
    properties: {},
    required: [],
    additionalProperties: false,
  });
  const { properties, required } = /** @type {any} */ (load).parameters;
  assert.deepEqual(required, Object.keys(properties));
  assert.deepEqual(properties.table, { type: "string", description: "The table." });
  assert.deepEqual(properties.mode.enum, ["append", "replace"]);
  assert.deepEqual(properties.limit, {
    type: ["integer", "null"],
    description: "How many. From 1 to 100.",
  });
  assert.deepEqual(properties.bare, { type: ["integer", "null"], description: "From 0 to 7." });
  assert.deepEqual(properties.keys.type, ["array", "null"]);
  const inner = properties.keys.items;
  assert.deepEqual(inner.required, ["table", "columns", "order"]);
  assert.deepEqual(inner.properties.order, {
    type: ["string", "null"],
    enum: ["up", "down", null],
  });
  const plain = /** @type {any} */ (everyKind.anthropic({ strict: true })[1]?.input_schema);
  assert.deepEqual(plain.required, ["table", "mode"]);
  assert.deepEqual(plain.properties.limit, {
    type: "integer",
    description: "How many. From 1 to 100.",
  });
});

test("what a framework does to a form reaches neither the next form nor the definitions", async () => {
  const toolset = await (await connect()).tools();
  for (const subject of [toolset, everyKind]) {
    const before = JSON.stringify(subject.tools);
    for (const { made } of Object.values(FORMS).slice(1)) {
      const first = made(subject);
      const text = JSON.stringify(first);
      spoil(first);
      assert.equal(JSON.stringify(made(subject)), text);
    }
    assert.equal(JSON.stringify(subject.tools), before);
  }
  assert.throws(() => spoil(toolset.tools), TypeError);
});

/** Changes everything that is there. @param {any} value */
function spoil(value) {
  for (const key of Object.keys(value)) {
    if (typeof value[key] === "object" && value[key] !== null) spoil(value[key]);
    else value[key] = "spoilt";
  }
  if (Array.isArray(value)) value.push("spoilt");
  else value.spoilt = true;
}

test("arguments in the kinds that a strict form brings are understood", async () => {
  const toolset = await (await connect()).tools({
    searchTable: "default.public.papers",
    searchColumn: "content",
  });
  for (const k of [null, "3", 3.0]) {
    const found = await toolset.call("hotdata_search_text", { query: "entity linking", k });
    assert.isFalse(found.isError, found.content);
    assert.lengthOf(/** @type {any} */ (found.structured).rows, k === null ? 5 : 3);
  }
  const described = await toolset.call("hotdata_describe_tables", { table: null });
  assert.isFalse(described.isError, described.content);
  const refused = await toolset.call("hotdata_search_text", { query: "x", k: "some" });
  assert.include(refused.content, '`k` must be a whole number from 1 to 100, not \\"some\\"');
});
