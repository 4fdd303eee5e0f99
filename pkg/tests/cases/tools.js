// The tools an agent is given.

import { failure, PAPERS, papers } from "./samples.js";

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
    name: "rows come in the format that is asked for, and a program has records",
    async run(environment) {
      const { assert } = environment;
      const hotdata = await papers(environment);
      const sql =
        "SELECT * FROM (VALUES (1, 'a,b|c', 0.1), (9007199254740993, '', 1e300), (3, NULL, -2.5)) AS t (id, name, x) ORDER BY x";
      const metadata = '{"row_count":3,"total":3,"truncated":false}';
      /** @type {Record<string, string>} */
      const expected = {
        columns: `{"metadata":${metadata},"columns":["id","name","x"],"rows":[[3,null,-2.5],[1,"a,b|c",0.1],[9007199254740993,"",1.0e300]]}`,
        csv: `${metadata}\nid,name,x\n3,,-2.5\n1,"a,b|c",0.1\n9007199254740993,"",1.0e300`,
        markdown: `${metadata}\n\n|id|name|x|\n|---|---|---|\n|3||-2.5|\n|1|a,b\\|c|0.1|\n|9007199254740993|""|1.0e300|`,
      };
      for (const resultFormat of Object.keys(expected)) {
        const toolset = await hotdata.tools({ resultFormat });
        const answer = await toolset.call("hotdata_execute_sql", { sql });
        assert.equal(answer.content, expected[resultFormat]);
        assert.deepEqual(answer.structured.rows[2], { id: "9007199254740993", name: "", x: 1e300 });
      }
      const error = await failure(() => hotdata.tools({ resultFormat: "xml" }));
      assert.match(error.message, /^`resultFormat` must be one of "records", "columns", "csv"/);
    },
  },
  {
    name: "a toolset comes in the shape of each provider",
    async run(environment) {
      const { assert } = environment;
      const toolset = await tools(environment);
      const count = toolset.tools.length;
      for (const shaped of [
        toolset.openai(),
        toolset.anthropic(),
        toolset.gemini(),
        toolset.mcp(),
      ]) {
        assert.lengthOf(shaped, count);
        for (const [at, { name, description }] of shaped.entries()) {
          assert.equal(name, toolset.tools[at].name);
          assert.equal(description, toolset.tools[at].description);
        }
      }
      const search = (/** @type {any[]} */ shaped) =>
        shaped.find((tool) => (tool.function ?? tool).name === "hotdata_search_text");
      assert.deepEqual(search(toolset.openai()).parameters.properties.k.type, ["integer", "null"]);
      assert.equal(search(toolset.openaiChat()).function.parameters.properties.k.type, "integer");
      assert.equal(search(toolset.anthropic()).input_schema.properties.k.maximum, 100);
      assert.equal(search(toolset.gemini()).parameters.properties.k.type, "INTEGER");
      assert.equal(search(toolset.mcp()).inputSchema.properties.k.type, "integer");
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
