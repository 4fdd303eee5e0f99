// The tools an agent is given.

import { PAPERS, papers } from "./samples.js";

/** @type {import("../harness.js").Case[]} */
export const toolCases = [
  {
    name: "a toolset is plain to see, and needs no freeing",
    async run(environment) {
      const { assert } = environment;
      const toolset = await (await papers(environment)).tools();
      assert.instanceOf(toolset, environment.api.Toolset);
      assert.deepEqual(Object.keys(JSON.parse(JSON.stringify(toolset))), ["tools", "notes"]);
      const call = toolset.call("hotdata_execute_sql", { sql: "SELECT 1 AS one" });
      const dispose = /** @type {any} */ (Symbol).dispose;
      if (dispose) toolset[dispose]();
      assert.isFalse((await call).isError);
      assert.isFalse((await toolset.call("hotdata_execute_sql", { sql: "SELECT 2" })).isError);
    },
  },
  {
    name: "tools are plain definitions",
    async run(environment) {
      const { assert } = environment;
      const toolset = await tools(environment);
      const names = toolset.tools.map((/** @type {any} */ tool) => tool.name);
      assert.include(names, "hotdata_execute_sql");
      assert.include(names, "hotdata_describe_tables");
      assert.include(names, "hotdata_search_text");
      for (const tool of toolset.tools) {
        assert.isAtMost(tool.description.length, 1024);
        assert.equal(tool.inputSchema.type, "object");
        assert.deepEqual(JSON.parse(JSON.stringify(tool)), tool);
      }
      assert.isArray(toolset.notes);
    },
  },
  {
    name: "execute_sql returns the envelope",
    async run(environment) {
      const { assert } = environment;
      const toolset = await tools(environment);
      const result = await toolset.call("hotdata_execute_sql", {
        sql: `SELECT id, title FROM ${PAPERS} ORDER BY id LIMIT 2`,
      });
      assert.equal(result.isError, false);
      const envelope = JSON.parse(result.content);
      assert.deepEqual(envelope, result.structured);
      assert.equal(envelope.metadata.row_count, 2);
      assert.equal(envelope.metadata.truncated, false);
      assert.equal(envelope.rows[1].id, 1);
    },
  },
  {
    name: "describe_tables and the search tool answer",
    async run(environment) {
      const { assert } = environment;
      const toolset = await tools(environment);
      const described = await toolset.call("hotdata_describe_tables", {});
      assert.equal(described.isError, false, described.content);
      assert.include(described.content, "papers");
      const found = await toolset.call("hotdata_search_text", { query: "knowledge graphs" });
      assert.equal(found.isError, false, found.content);
      assert.isNotEmpty(JSON.parse(found.content).rows);
    },
  },
  {
    name: "a failed tool is an answer, not an exception",
    async run(environment) {
      const { assert } = environment;
      const toolset = await tools(environment);
      for (const [name, args] of /** @type {[string, any][]} */ ([
        ["hotdata_execute_sql", { sql: `SELECT nope FROM ${PAPERS}` }],
        ["hotdata_execute_sql", {}],
        ["hotdata_execute_sql", { sql: 5 }],
        ["hotdata_no_such_tool", {}],
      ])) {
        const result = await toolset.call(name, args);
        assert.equal(result.isError, true, result.content);
        const { error } = JSON.parse(result.content);
        assert.isString(error.code);
        assert.isNotEmpty(error.message);
      }
    },
  },
];

/** @param {import("../harness.js").CaseEnvironment} environment */
async function tools(environment) {
  const hotdata = await papers(environment);
  return hotdata.tools({ searchTable: PAPERS, searchColumn: "content" });
}
