// What went wrong in other clients: answers and values. Names begin with the number of the hazard.

import { answering, client, failure, PAPERS, papers, queryAnswer } from "./samples.js";

const PAGE = "<!DOCTYPE html><html><head><title>502</title></head><body>nginx</body></html>";

const json = (/** @type {number} */ status, /** @type {unknown} */ body, headers = {}) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });

/** A page in place of a query's answer. */
const html = (/** @type {number} */ status) => (/** @type {string} */ url) =>
  url.endsWith("/query")
    ? new Response(PAGE, { status, headers: { "content-type": "text/html" } })
    : json(200, { id: "db_test" });

/** @type {import("../harness.js").Case[]} */
export const hazardCases = [
  {
    name: "H6: a refusal that is plain text under the type of JSON keeps status and text",
    async run(environment) {
      const { assert } = environment;
      const text = "Authorization was not valid";
      const { hotdata, requests } = answering(
        environment,
        () => new Response(text, { status: 400, headers: { "content-type": "application/json" } }),
      );
      const error = await failure(() => hotdata.query("SELECT 1"));
      assert.deepEqual(
        [error.code, error.status, error.engineMessage, error.message],
        ["bad_request", 400, text, text],
      );
      assert.lengthOf(requests, 1);
    },
  },
  {
    name: "H6: a refusal whose body breaks off keeps its status",
    async run(environment) {
      const { assert } = environment;
      const { hotdata } = answering(environment, () => {
        const body = new ReadableStream({
          pull: (controller) => controller.error(new Error("cut")),
        });
        return new Response(body, { status: 400 });
      });
      const error = await failure(() => hotdata.query("SELECT 1"));
      assert.deepEqual([error.code, error.status], ["bad_request", 400]);
    },
  },
  {
    name: "H9: every request of a query carries its database",
    async run(environment) {
      const { assert } = environment;
      const { hotdata, requests } = answering(environment, (url) => {
        if (url.endsWith("/query")) return json(202, { query_run_id: "q", status: "running" });
        if (!url.includes("/results/")) {
          return json(200, { id: "q", status: "succeeded", result_id: "r" });
        }
        return requests.length < 4
          ? json(202, { status: "pending", result_id: "r" }, { "retry-after": "0" })
          : json(200, { result_id: "r", status: "ready", columns: ["n"], rows: [[1]] });
      });
      await hotdata.query("SELECT 1 AS n", { databaseId: "db_other" });
      assert.lengthOf(requests, 4);
      for (const { url, init } of requests) {
        assert.equal(new Headers(init.headers).get("x-database-id"), "db_other", url);
      }
    },
  },
  {
    name: "H9: a name is no id, and an attached source answers to its alias alone",
    async run(environment) {
      const { assert } = environment;
      const hotdata = client(environment);
      const made = [
        await hotdata.createDatabase({ name: "sales", expiresAt: "1h" }),
        await hotdata.createDatabase({ name: "sales", expiresAt: "1h" }),
      ];
      const [{ id: databaseId }] = made;
      try {
        const named = await failure(() => hotdata.query("SELECT 1", { databaseId: "sales" }));
        assert.equal(named.code, "not_found");
        assert.match(named.hint, /listDatabases\(\)/);

        const sources = await hotdata.listConnections();
        const source = sources.find((/** @type {any} */ one) => one.name === "rivers");
        await hotdata.attachCatalog({ databaseId, connectionId: source.id, alias: "f1" });
        const { tables } = await hotdata.describeTables({ databaseId });
        assert.deepEqual(
          tables.map((/** @type {any} */ one) => one.table),
          ["f1.public.rivers"],
        );
        const count = (/** @type {string} */ table) =>
          hotdata.query(`SELECT COUNT(*) AS n FROM ${table}`, { databaseId });
        assert.isAbove((await count("f1.public.rivers")).rows[0][0], 0);
        const wrong = await failure(() => count("default.public.rivers"));
        assert.equal(wrong.code, "bad_request");
      } finally {
        for (const { id } of made) await hotdata.deleteDatabase(id);
      }
    },
  },
  {
    name: "H10: a row whose JSON text holds NaN comes back untouched, beside the others",
    async run(environment) {
      const { assert } = environment;
      const hotdata = client(environment);
      const { id: databaseId } = await hotdata.createDatabase({ expiresAt: "1h" });
      try {
        const loose = '{"s": NaN, "t": Infinity, "u": 1}';
        const csv = `id,metadata_json\n1,"${loose.replaceAll('"', '""')}"\n2,"{""u"": 2}"\n`;
        await hotdata.loadTable({ databaseId, table: "docs", mode: "append", csv });
        const sql = "SELECT id, metadata_json FROM default.public.docs ORDER BY id";
        const { rows } = await hotdata.query(sql, { databaseId });
        assert.deepEqual(rows, [
          [1, loose],
          [2, '{"u": 2}'],
        ]);
      } finally {
        await hotdata.deleteDatabase(databaseId);
      }
    },
  },
  {
    name: "H10: rows with NaN where JSON is to be stored are refused before any request",
    async run(environment) {
      const { assert } = environment;
      for (const number of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        const { hotdata, requests } = answering(environment, () => json(500, {}));
        const rows = [{ id: 1, meta: { s: { deep: [number] } } }];
        const error = await failure(() =>
          hotdata.loadTable({ table: "t", mode: "append", rows, columns: { meta: "JSON" } }),
        );
        assert.equal(error.code, "invalid_argument");
        assert.match(error.message, /meta.*deep.*must not be (NaN|-?Infinity)/);
        assert.lengthOf(requests, 0);
      }
    },
  },
  {
    name: "H12: rows are plain objects, and NULL is null rather than absent",
    async run(environment) {
      const { assert } = environment;
      const hotdata = await papers(environment);
      const sql =
        "SELECT CAST(NULL AS INT) AS a, named_struct('x', 1, 'y', 'z') AS s, [1, NULL] AS l";
      const [row] = await hotdata.query(sql);
      assert.deepEqual(Object.keys(row), ["a", "s", "l"]);
      for (const object of [row, row.s]) {
        assert.strictEqual(Object.getPrototypeOf(object), Object.prototype);
      }
      assert.equal(JSON.stringify(row), '{"a":null,"s":{"x":1,"y":"z"},"l":[1,null]}');
      const { tools } = await hotdata.tools();
      for (const { inputSchema } of tools) {
        assert.strictEqual(Object.getPrototypeOf(inputSchema.properties), Object.prototype);
      }
    },
  },
  {
    name: "H18: waits end where the clock stands still and there is no window",
    async run(environment) {
      const { assert } = environment;
      const { now } = Date;
      /** @type {[string, PropertyDescriptor][]} */
      const taken = [];
      for (const name of ["window", "self"]) {
        const found = Object.getOwnPropertyDescriptor(globalThis, name);
        if (found?.configurable && Reflect.deleteProperty(globalThis, name)) {
          taken.push([name, found]);
        }
      }
      Date.now = () => 1_786_500_000_000;
      try {
        const busy = answering(environment, () => json(429, {}, { "retry-after": "0" }), {
          maxRetries: 2,
        });
        const turnedAway = await failure(() => busy.hotdata.query("SELECT 1"));
        assert.equal(turnedAway.code, "rate_limited");
        assert.lengthOf(busy.requests, 3);

        const running = answering(
          environment,
          (url) =>
            url.endsWith("/query")
              ? json(202, { query_run_id: "q" })
              : json(200, { id: "q", status: "running" }),
          { deadlineMs: 800 },
        );
        const late = await failure(() => running.hotdata.query("SELECT 1"));
        assert.equal(late.code, "timeout");
        // Pauses of 100, 200 and 400 ms fit.
        assert.isAtMost(running.requests.length, 6);
      } finally {
        Date.now = now;
        for (const [name, descriptor] of taken) Object.defineProperty(globalThis, name, descriptor);
      }
    },
  },
  {
    name: "H21: a gateway's page is told of and not passed on",
    async run(environment) {
      const { assert } = environment;
      const gateway = answering(environment, html(502), { maxRetries: 1 });
      const error = await failure(() => gateway.hotdata.query("SELECT 1"));
      assert.deepEqual([error.code, error.status, error.retryable], ["unavailable", 502, true]);
      assert.match(error.message, /^HTTP 502 Bad Gateway: /);
      assert.lengthOf(gateway.requests, 2, "the status decides before the body is read as JSON");

      const login = answering(environment, html(200));
      const page = await failure(() => login.hotdata.query("SELECT 1"));
      assert.deepEqual([page.code, page.status], ["unexpected_response", 200]);
      assert.match(page.message, /HTML page where the API answers with JSON/);
      assert.lengthOf(login.requests, 1);

      for (const { hotdata } of [gateway, login]) {
        const toolset = await hotdata.tools();
        const { content, isError } = await toolset.call("hotdata_execute_sql", { sql: "SELECT 1" });
        assert.isTrue(isError);
        assert.isBelow(content.length, 400);
        for (const text of [content, error.message, page.message]) {
          assert.notMatch(text, /nginx|<html|DOCTYPE/i);
        }
      }
    },
  },
  {
    name: "H22: an address is joined once, or refused",
    async run(environment) {
      const { api, assert } = environment;
      for (const [baseUrl, url] of [
        ["https://x.example", "https://x.example/v1/databases/a%2Fb"],
        ["https://x.example/", "https://x.example/v1/databases/a%2Fb"],
        ["https://x.example/v1", "https://x.example/v1/databases/a%2Fb"],
        ["https://x.example/v1/", "https://x.example/v1/databases/a%2Fb"],
        ["https://x.example/prefix", "https://x.example/prefix/v1/databases/a%2Fb"],
        ["https://x.example:8443/prefix/v1/", "https://x.example:8443/prefix/v1/databases/a%2Fb"],
        ["http://127.0.0.1:1", "http://127.0.0.1:1/v1/databases/a%2Fb"],
      ]) {
        const { hotdata, requests } = answering(environment, () => json(404, {}), { baseUrl });
        await failure(() => hotdata.getDatabase("a/b"));
        assert.equal(requests[0]?.url, url);
      }
      for (const baseUrl of [
        "https://x.example?key=1",
        "https://x.example/#f",
        "http://x.example",
        "https://user:pass@x.example",
        "x.example",
        "",
        "https://x.example/../y",
      ]) {
        const error = await failure(() => new api.Hotdata({ apiKey: "hd_x", baseUrl }));
        assert.match(error.message, /^`baseUrl` must be/, baseUrl);
      }
      const { hotdata, requests } = answering(environment, () => json(404, {}));
      for (const id of ["..", ".", "", "a?b#c%", "../../v1/query"]) {
        await failure(() => hotdata.getDatabase(id));
      }
      const paths = requests.map(({ url }) => new URL(url).pathname + new URL(url).search);
      assert.deepEqual(paths, ["/v1/databases/a%3Fb%23c%25", "/v1/databases/..%2F..%2Fv1%2Fquery"]);
    },
  },
  {
    name: "H33: every failure is an Error with a name, a code and words",
    async run(environment) {
      const { api, assert } = environment;
      const hotdata = await papers(environment);
      const down = new TypeError("no route");
      const broken = answering(environment, () => Promise.reject(down), { maxRetries: 0 });
      const hanging = answering(environment, () => new Promise(() => {}), { timeoutMs: 20 });
      const search = { table: PAPERS, column: "content", query: "q" };
      for (const [code, status, call] of /** @type {[string, number?, (() => unknown)?][]} */ ([
        ["bad_request", 400, () => hotdata.query("SELECT * FROM default.public.no_such_table")],
        ["bad_request", 400, () => hotdata.query("SELEKT 1")],
        ["not_found", 404, () => hotdata.getDatabase("db_no_such")],
        ["invalid_argument", undefined, () => hotdata.searchText({ ...search, k: 0 })],
        ["invalid_argument", undefined, () => api.bm25SearchSql({ ...search, k: 0 })],
        ["invalid_argument", undefined, () => new api.Hotdata({ apiKey: 5 })],
        ["timeout", undefined, () => hanging.hotdata.query("SELECT 1")],
        ["network", undefined, () => broken.hotdata.query("SELECT 1")],
      ])) {
        const error = await failure(() => call?.());
        assert.instanceOf(error, api.HotdataError, code);
        assert.instanceOf(error, Error, code);
        assert.deepEqual([error.name, error.code, error.status], ["HotdataError", code, status]);
        assert.isNotEmpty(error.message);
        assert.isNotEmpty(error.stack);
        assert.strictEqual(error.cause, code === "network" ? down : undefined);
      }
      const signal = AbortSignal.abort();
      const aborted = await failure(() => hotdata.query("SELECT 1", { signal }));
      assert.strictEqual(aborted, signal.reason);
      assert.equal(aborted.name, "AbortError");
    },
  },
  {
    name: "H37: times that timers cannot keep are refused, and long waits are not begun",
    async run(environment) {
      const { api, assert } = environment;
      const { hotdata, requests } = answering(environment, () => queryAnswer(["n"], "[[1]]"));
      for (const name of ["timeoutMs", "deadlineMs"]) {
        for (const ms of [Number.POSITIVE_INFINITY, 3e9, 0, -1, Number.NaN, 1.5, "5"]) {
          const made = await failure(() => new api.Hotdata({ apiKey: "hd_x", [name]: ms }));
          const asked = await failure(() => hotdata.query("SELECT 1", { [name]: ms }));
          for (const error of [made, asked]) {
            assert.equal(error.code, "invalid_argument", `${name} ${ms}`);
            assert.match(error.message, new RegExp(`^\`${name}\` must be a whole number`));
          }
        }
      }
      assert.lengthOf(requests, 0);
      const longest = { timeoutMs: 2 ** 31 - 1, deadlineMs: 2 ** 31 - 1 };
      assert.deepEqual((await hotdata.query("SELECT 1", longest)).rows, [[1]]);

      const busy = answering(environment, () => json(429, {}, { "retry-after": "99999999" }));
      const begun = performance.now();
      const error = await failure(() => busy.hotdata.query("SELECT 1"));
      assert.isBelow(performance.now() - begun, 1_000);
      assert.equal(error.code, "rate_limited");
      assert.match(error.hint, /asks to wait 99999999 s.*deadlineMs/);
      assert.lengthOf(busy.requests, 1);
    },
  },
  {
    name: "H44: a status of unknown words is waited on until the deadline, and named",
    async run(environment) {
      const { assert } = environment;
      const options = { deadlineMs: 400 };
      for (const status of ["cancelled", null, "READY", ""]) {
        const { hotdata } = answering(environment, () => json(200, { id: "j", status }), options);
        const error = await failure(() => hotdata.waitForJob("j"));
        assert.deepEqual([error.code, error.retryable], ["timeout", false]);
        assert.include(error.message, `was still "${status}"`);
      }
      let asked = 0;
      const gone = answering(environment, () =>
        asked++
          ? json(404, { error: { message: "no such job" } })
          : json(200, { status: "running", id: "j" }),
      );
      const lost = await failure(() => gone.hotdata.waitForJob("j"));
      assert.deepEqual([lost.code, lost.engineMessage], ["not_found", "no such job"]);

      const failed = { status: "failed", result_id: "r", error_message: "out of memory" };
      const { hotdata } = answering(environment, () => json(409, failed));
      const error = await failure(() => hotdata.getResult("r"));
      assert.deepEqual([error.code, error.engineMessage], ["query_failed", "out of memory"]);
    },
  },
];
