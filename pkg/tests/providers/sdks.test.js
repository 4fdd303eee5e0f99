// The providers' own code on our forms: what it would send is what we wrote, and what it says is wrong.

import { test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { transformJSONSchema } from "@anthropic-ai/sdk/lib/transform-json-schema";
import { GoogleGenAI } from "@google/genai";
import { tool } from "@langchain/core/tools";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { Ajv2020 } from "ajv/dist/2020.js";
import { assert } from "chai";
import OpenAI from "openai";
import { toStrictJsonSchema } from "openai/lib/transform";
import { everyKind, sets } from "./sets.js";

const subjects = [...(await sets()), { name: "every kind", toolset: everyKind }];

test("ajv takes every JSON Schema as 2020-12, and each accepts what it should", () => {
  for (const { toolset } of subjects) {
    for (const schema of [
      ...toolset.tools.map((tool) => tool.inputSchema),
      ...toolset.openai().map((tool) => tool.parameters),
      ...toolset.anthropic({ strict: true }).map((tool) => tool.input_schema),
    ]) {
      new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: true }).compile(schema);
    }
  }
  const [, load] = everyKind.openai();
  const accepts = new Ajv2020({ allowUnionTypes: true }).compile(
    /** @type {any} */ (load).parameters,
  );
  const full = { table: "t", mode: "append", limit: null, bare: 1, dry: null, names: ["a"] };
  assert.isTrue(accepts({ ...full, keys: [{ table: "t", columns: ["a"], order: null }] }));
  assert.isTrue(accepts({ ...full, keys: null }));
  assert.isFalse(accepts({ ...full, keys: null, mode: null }), "what is required is never null");
  assert.isFalse(accepts(full), "every argument is named");
});

test("openai's own strict transform has nothing to change", () => {
  for (const { toolset } of subjects) {
    for (const { parameters } of toolset.openai()) {
      assert.deepEqual(
        toStrictJsonSchema(/** @type {any} */ (structuredClone(parameters))),
        parameters,
      );
    }
  }
  assert.throws(() =>
    toStrictJsonSchema({
      type: "object",
      properties: { map: { type: "object", additionalProperties: { type: "string" } } },
    }),
  );
});

test("Anthropic's own strict transform has nothing to move into descriptions", () => {
  for (const { toolset } of subjects) {
    for (const { input_schema } of toolset.anthropic({ strict: true })) {
      const transformed = transformJSONSchema(structuredClone(input_schema));
      assert.deepEqual(transformed, untypedEnums(input_schema));
    }
  }
});

/** The transform leaves the type of an enum to its words. @param {any} schema @returns {any} */
function untypedEnums(schema) {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return schema;
  const { type, ...rest } = schema;
  const inner = Object.fromEntries(
    Object.entries("enum" in schema ? rest : schema).map(([key, value]) => [
      key,
      untypedEnums(value),
    ]),
  );
  return inner;
}

test("each SDK sends our tools as they are", async () => {
  for (const { toolset } of subjects) {
    const sent = /** @type {any[]} */ ([]);
    const fetch = async (/** @type {any} */ url, /** @type {any} */ init) => {
      sent.push(JSON.parse(init?.body ?? (await url.text())));
      return new Response("{}", { headers: { "content-type": "application/json" } });
    };
    const openai = new OpenAI({ apiKey: "k", fetch });
    await openai.responses.create({ model: "m", input: "q", tools: toolset.openai() });
    assert.deepEqual(sent.pop().tools, toolset.openai());
    await openai.chat.completions.create({ model: "m", messages: [], tools: toolset.openaiChat() });
    assert.deepEqual(sent.pop().tools, toolset.openaiChat());
    const anthropic = new Anthropic({ apiKey: "k", fetch });
    await anthropic.messages.create({
      model: "m",
      max_tokens: 1,
      messages: [],
      tools: toolset.anthropic(),
    });
    assert.deepEqual(sent.pop().tools, toolset.anthropic());
    for (const jsonSchema of [false, true]) {
      const real = globalThis.fetch;
      globalThis.fetch = fetch;
      try {
        const tools = [{ functionDeclarations: toolset.gemini({ jsonSchema }) }];
        await new GoogleGenAI({ apiKey: "k" }).models.generateContent({
          model: "m",
          contents: "q",
          config: { tools },
        });
      } finally {
        globalThis.fetch = real;
      }
      assert.deepEqual(sent.pop().tools, [
        { functionDeclarations: toolset.gemini({ jsonSchema }) },
      ]);
    }
  }
});

test("H16: LangChain makes of our JSON Schema a tool with all its arguments, and one without any", () => {
  for (const { toolset } of subjects) {
    for (const { name, description, inputSchema } of toolset.tools) {
      const made = tool(async () => "", {
        name,
        description,
        schema: structuredClone(inputSchema),
      });
      const converted = /** @type {any} */ (convertToOpenAITool(made));
      assert.equal(converted.function.parameters.type, "object");
      assert.deepEqual(converted.function.parameters.properties, inputSchema.properties);
    }
  }
  const bare = /** @type {any} */ (everyKind.tools[0]);
  assert.equal(bare.inputSchema.type, "object");
  assert.deepEqual(bare.inputSchema.properties, {});
});
