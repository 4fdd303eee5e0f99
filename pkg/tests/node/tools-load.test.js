// The load tool over a real server of this machine, which only the program's own word lets it reach.

import { createServer } from "node:http";
import { test } from "node:test";
import { assert } from "chai";
import { Hotdata } from "hotdata-wasm";

const baseUrl = process.env.HOTDATA_TEST_ENGINE;
if (!baseUrl) throw new Error("HOTDATA_TEST_ENGINE must name a running engine");

test("a file of a private host is loaded where the program allows it, and not else", async (context) => {
  let requests = 0;
  const server = createServer((_, answer) => {
    requests += 1;
    answer.writeHead(200, { "content-type": "text/csv" });
    answer.end("id,name\n1,Ghent\n2,Dover\n");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  context.after(() => server.close());
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());

  const hotdata = new Hotdata({ baseUrl, apiKey: "hd_test", workspaceId: "ws_local" });
  const { id } = await hotdata.createDatabase({ name: "loaded by a tool", expiresAt: "1h" });
  context.after(() => hotdata.deleteDatabase(id));
  const args = {
    database_id: id,
    table: "cities",
    file: `http://127.0.0.1:${port}/cities`,
    mode: "replace",
  };

  const closed = await hotdata.tools({ databaseId: id });
  const refused = await closed.call("hotdata_load_managed_table", args);
  assert.isTrue(refused.isError);
  assert.match(refused.content, /`file` must not name 127\.0\.0\.1/);
  assert.equal(requests, 0);

  const open = await hotdata.tools({ databaseId: id, allowPrivateHosts: true });
  const landed = await open.call("hotdata_load_managed_table", args);
  assert.isFalse(landed.isError, landed.content);
  assert.deepEqual(landed.structured, {
    database_id: id,
    mode: "replace",
    table: "default.public.cities",
    row_count: 2,
  });
  assert.equal(requests, 1);
  const rows = await open.call("hotdata_execute_sql", {
    sql: "SELECT name FROM default.public.cities ORDER BY id",
  });
  assert.deepEqual(rows.structured.rows, [{ name: "Ghent" }, { name: "Dover" }]);
});
