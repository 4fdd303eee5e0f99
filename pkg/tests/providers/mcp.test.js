// Our tools behind a real MCP server, called by a real client that validates.

import { after, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  ToolSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { assert } from "chai";
import { connect, everyKind, sets } from "./sets.js";

const toolset = await (await connect()).tools({
  searchTable: "default.public.papers",
  searchColumn: "content",
  maxRows: 3,
});
const tools = toolset.mcp({ outputSchema: true });
const server = new Server({ name: "hotdata", version: "0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools }));
server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
  const result = await toolset.call(params.name, params.arguments, { signal });
  const content = /** @type {const} */ ([{ type: "text", text: result.content }]);
  return result.isError
    ? { isError: true, content: [...content] }
    : { content: [...content], structuredContent: result.structured };
});
const [here, there] = InMemoryTransport.createLinkedPair();
const client = new Client({ name: "test", version: "0" });
await Promise.all([server.connect(here), client.connect(there)]);
after(() => client.close());

test("the protocol's own schema takes every tool whole", async () => {
  for (const subject of [...(await sets()).map((set) => set.toolset), everyKind]) {
    for (const outputSchema of [false, true]) {
      for (const tool of subject.mcp({ outputSchema })) {
        assert.deepEqual(ToolSchema.parse(structuredClone(tool)), /** @type {any} */ (tool));
      }
    }
  }
  const listed = await client.listTools();
  assert.deepEqual(listed.tools, /** @type {any} */ (tools));
});

test("H40: a client that validates takes success, emptiness, cuts and failures", async () => {
  await client.listTools();
  /** @param {string} name @param {Record<string, unknown>} args @returns {Promise<any>} */
  const call = (name, args) => client.callTool({ name, arguments: args });
  const papers = "default.public.papers";
  const some = await call("hotdata_execute_sql", { sql: `SELECT id FROM ${papers} WHERE id < 2` });
  assert.lengthOf(some.structuredContent.rows, 2);
  const none = await call("hotdata_execute_sql", { sql: `SELECT id FROM ${papers} WHERE id < 0` });
  assert.deepEqual(none.structuredContent.rows, []);
  assert.include(none.structuredContent.metadata.client_warning, "No rows matched.");
  const cut = await call("hotdata_execute_sql", { sql: `SELECT id FROM ${papers}` });
  assert.isTrue(cut.structuredContent.metadata.truncated);
  assert.lengthOf(cut.structuredContent.rows, 3);
  const tables = await call("hotdata_describe_tables", {});
  assert.isArray(tables.structuredContent.tables);
  const found = await call("hotdata_search_text", { query: "entity linking", k: 2 });
  assert.lengthOf(found.structuredContent.rows, 2);
  for (const args of [{ sql: "SELECT nope" }, {}, { sql: 5 }]) {
    const failed = await call("hotdata_execute_sql", args);
    assert.isTrue(failed.isError);
    assert.notProperty(failed, "structuredContent");
    assert.isNotEmpty(JSON.parse(failed.content[0].text).error.message);
  }
});
