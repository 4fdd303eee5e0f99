// What went wrong in other clients: what is sent, and what becomes of the key. Names begin with the number of the hazard.

import { answering, failure, queryAnswer } from "./samples.js";

const KEY = "hd_very_secret_0123456789";
const ARROW = "application/vnd.apache.arrow.stream";

const json = (/** @type {number} */ status, /** @type {unknown} */ body, headers = {}) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });

const DATABASE = {
  id: "db_test",
  default_catalog: "default",
  default_connection_id: "conn",
  attachments: [{ connection_id: "conn_2", alias: "other" }],
};
const INDEX = { index_name: "i", index_type: "bm25", columns: ["a"], status: "ready" };
const SESSION = { upload_id: "u", finalize_token: "token", mode: "single" };
const STORE = "https://store.example/object?signature=s";
const RESULT = { result_id: "r", status: "ready", columns: ["n"], rows: [[1]] };

/** The service, as far as each kind of call needs it. @type {[RegExp, (init: any) => Response][]} */
const SERVICE = [
  [
    /^GET .*\/v1\/workspaces$/,
    () => json(200, { workspaces: [{ public_id: "ws_1", active: true }] }),
  ],
  [/^GET .*\/v1\/connections$/, () => json(200, { connections: [] })],
  [/^GET .*\/v1\/embedding-providers$/, () => json(200, { embedding_providers: [] })],
  [/^GET .*\/v1\/databases\?/, () => json(200, { databases: [DATABASE], has_more: false })],
  [/^GET .*\/v1\/databases\/db_test$/, () => json(200, DATABASE)],
  [/^POST .*\/v1\/databases(\/db_test\/fork)?$/, () => json(201, DATABASE)],
  [/^POST .*\/loads$/, () => json(200, { schema_name: "public", table_name: "t", row_count: 1 })],
  [/^POST .*\/catalogs$/, () => new Response(null, { status: 204 })],
  [
    /^POST .*\/v1\/uploads$/,
    () => json(201, { ...SESSION, url: STORE, headers: { "x-amz-acl": "private" } }),
  ],
  [/^PUT https:\/\/store\.example/, () => new Response("", { headers: { etag: "e" } })],
  [/^POST .*\/finalize$/, () => json(200, {})],
  [/^GET .*\/indexes$/, () => json(200, { indexes: [INDEX] })],
  [/^POST .*\/indexes$/, () => json(201, INDEX)],
  [/^DELETE /, () => new Response(null, { status: 204 })],
  [/^GET .*\/v1\/jobs\//, () => json(200, { id: "j", status: "succeeded" })],
  [/^GET .*\/v1\/query-runs\//, () => json(200, { id: "q", status: "succeeded" })],
  [/^GET .*\/v1\/results\//, () => json(200, RESULT)],
  [
    /^POST .*\/v1\/query$/,
    ({ headers }) =>
      headers.accept === ARROW
        ? new Response(new Uint8Array(8), { headers: { "content-type": ARROW } })
        : queryAnswer(
            [
              "table_catalog",
              "table_schema",
              "table_name",
              "column_name",
              "data_type",
              "is_nullable",
            ],
            '[["default","public","t","a","Utf8","YES"]]',
          ),
  ],
];

/** @param {string} url @param {any} init */
function service(url, init) {
  const line = `${init.method} ${url}`;
  const found = SERVICE.find(([pattern]) => pattern.test(line));
  return found ? found[1](init) : json(404, { error: { message: `nothing at ${line}` } });
}

const TABLE = "default.public.t";

/** Every call of the client. @type {Record<string, (hotdata: any) => Promise<unknown>>} */
const CALLS = {
  query: (hotdata) => hotdata.query("SELECT 1"),
  queryArrow: (hotdata) => hotdata.queryArrow("SELECT 1"),
  searchText: (hotdata) => hotdata.searchText({ table: TABLE, column: "a", query: "q" }),
  searchSemantic: (hotdata) =>
    hotdata.searchSemantic({ table: TABLE, column: "a", vector: [1], keyColumn: "id" }),
  searchHybrid: (hotdata) =>
    hotdata.searchHybrid({ table: TABLE, column: "a", query: "q", vectorColumn: "b", vector: [1] }),
  describeTables: (hotdata) => hotdata.describeTables(),
  listWorkspaces: (hotdata) => hotdata.listWorkspaces(),
  listConnections: (hotdata) => hotdata.listConnections(),
  listEmbeddingProviders: (hotdata) => hotdata.listEmbeddingProviders(),
  listDatabases: (hotdata) => hotdata.listDatabases(),
  getDatabase: (hotdata) => hotdata.getDatabase("db_test"),
  createDatabase: (hotdata) => hotdata.createDatabase({ name: "n" }),
  forkDatabase: (hotdata) => hotdata.forkDatabase("db_test"),
  deleteDatabase: (hotdata) => hotdata.deleteDatabase("db_test"),
  attachCatalog: (hotdata) => hotdata.attachCatalog({ connectionId: "conn_2" }),
  detachCatalog: (hotdata) => hotdata.detachCatalog({ connectionId: "conn_3" }),
  loadTable: (hotdata) => hotdata.loadTable({ table: "t", mode: "append", csv: "a\n1\n" }),
  "loadTable, rows": (hotdata) =>
    hotdata.loadTable({ table: "t", mode: "append", rows: [{ a: 1 }] }),
  uploadFile: (hotdata) => hotdata.uploadFile({ data: "a\n1\n", format: "csv" }),
  listIndexes: (hotdata) => hotdata.listIndexes({ table: TABLE }),
  createIndex: (hotdata) =>
    hotdata.createIndex({ table: TABLE, indexType: "bm25", columns: ["a"], indexName: "i" }),
  dropIndex: (hotdata) => hotdata.dropIndex({ table: TABLE, indexName: "i" }),
  waitForJob: (hotdata) => hotdata.waitForJob("j"),
  getQueryRun: (hotdata) => hotdata.getQueryRun("q"),
  getResult: (hotdata) => hotdata.getResult("r"),
  tools: async (hotdata) => {
    const toolset = await hotdata.tools({ searchTable: TABLE, searchColumn: "a" });
    return toolset.call("hotdata_execute_sql", { sql: "SELECT 1" });
  },
};

/**
 * Errors as libraries and gateways make them, with the key somewhere.
 *
 * @type {Record<string, (key: string) => unknown>}
 */
const LEAKS = {
  message: (key) => new TypeError(`failed with Bearer ${key}`),
  stack: (key) => Object.assign(new Error("failed"), { stack: `Error: failed\n  at ${key}` }),
  "a nested member": (key) =>
    Object.assign(new Error("failed"), { config: { headers: { authorization: `Bearer ${key}` } } }),
  "a cyclic member": (key) => {
    /** @type {any} */
    const request = { headers: [["authorization", `Bearer ${key}`]] };
    request.self = request;
    return Object.assign(new Error("failed"), { request });
  },
  "a Headers object": (key) =>
    Object.assign(new Error("failed"), {
      headers: new Headers({ authorization: `Bearer ${key}` }),
    }),
  "a Request": (key) => {
    const headers = { authorization: `Bearer ${key}` };
    return Object.assign(new Error("failed"), {
      request: new Request("https://x.example", { headers }),
    });
  },
  "a Map": (key) => Object.assign(new Error("failed"), { sent: new Map([["key", key]]) }),
  "a hidden member": (key) => Object.defineProperty(new Error("failed"), "sent", { value: key }),
  "a symbol": (key) => Object.assign(new Error("failed"), { [Symbol("sent")]: key }),
  "a cause": (key) => new Error("failed", { cause: new Error("below", { cause: { key } }) }),
  "one of several": (key) => new AggregateError([new Error(key)], "failed"),
  "a name": (key) => Object.assign(new Error("failed"), { [key]: 1 }),
  "no error": (key) => ({ message: "failed", token: key }),
  "a string": (key) => `failed with ${key}`,
  "a DOMException": (key) => new DOMException(`failed with ${key}`, "NetworkError"),
  "what cannot be read": (key) =>
    Object.assign(new Error("failed"), {
      trap: new Proxy(
        { key },
        {
          ownKeys() {
            throw new Error("trap");
          },
        },
      ),
    }),
};

/**
 * Whether a value shows a text anywhere that a console, a log or JSON looks.
 *
 * @param {unknown} value
 * @param {string} text
 */
function shows(value, text) {
  const seen = new Set([value]);
  for (const one of seen) {
    if (String(one).includes(text)) return true;
    if (one === null || (typeof one !== "object" && typeof one !== "function")) continue;
    for (const name of Reflect.ownKeys(one)) {
      seen.add(typeof name === "symbol" ? name.description : name);
      seen.add(Object.getOwnPropertyDescriptor(one, name)?.value);
    }
    const { message, stack, cause, headers, entries } = /** @type {any} */ (one);
    for (const inherited of [message, stack, cause, headers]) seen.add(inherited);
    if (typeof entries === "function" && !Array.isArray(one)) {
      for (const entry of /** @type {any} */ (one).entries()) seen.add(entry);
    }
    try {
      seen.add(JSON.stringify(one));
    } catch {
      // Shows nothing.
    }
  }
  return false;
}

/** @type {import("../harness.js").Case[]} */
export const requestHazardCases = [
  {
    name: "H17: a fetch that knows five members only serves every call",
    async run(environment) {
      const { assert } = environment;
      const known = ["method", "headers", "body", "signal", "redirect"];
      const strict = (/** @type {string} */ url, /** @type {any} */ init) => {
        const other = Object.keys(init).filter((name) => !known.includes(name));
        if (other.length > 0) throw new TypeError(`the '${other}' field is not implemented`);
        if (Object.getPrototypeOf(init) !== Object.prototype)
          throw new TypeError("init is no object");
        return service(url, init);
      };
      for (const [name, call] of Object.entries(CALLS)) {
        const { hotdata, requests } = answering(environment, strict);
        await call(hotdata).catch((error) => assert.fail(`${name}: ${error.stack}`));
        assert.isNotEmpty(requests, name);
      }
    },
  },
  {
    name: "H39: no call sends a header that a browser's preflight would refuse",
    async run(environment) {
      const { assert } = environment;
      const usual = ["authorization", "content-type", "x-workspace-id", "x-database-id"];
      for (const [name, call] of Object.entries(CALLS)) {
        const { hotdata, requests } = answering(environment, service);
        await call(hotdata);
        for (const { url, init } of requests) {
          const sent = Object.keys(init.headers).map((header) => header.toLowerCase());
          if (init.method === "PUT") {
            assert.deepEqual(sent, ["x-amz-acl"], "storage gets what the service told, no more");
            continue;
          }
          const more = url.includes("/finalize") ? ["x-upload-finalize-token"] : [];
          if (name === "queryArrow") more.push("accept");
          assert.deepEqual(
            sent.filter((header) => ![...usual, ...more].includes(header)),
            [],
            name,
          );
          assert.equal(init.headers.authorization, "Bearer hd_test");
        }
      }
    },
  },
  {
    name: "H35: neither a client nor its parts show the key",
    async run(environment) {
      const { assert } = environment;
      const { hotdata } = answering(environment, service, { apiKey: KEY });
      const toolset = await hotdata.tools();
      const result = await hotdata.query("SELECT 1");
      for (const value of [hotdata, toolset, result]) assert.isFalse(shows(value, KEY));
    },
  },
  {
    name: "H35: what a fetch throws with the key in it does not reach the caller",
    async run(environment) {
      const { assert } = environment;
      for (const [name, leak] of Object.entries(LEAKS)) {
        for (const apiKey of [KEY, () => KEY]) {
          const options = { apiKey, maxRetries: 0 };
          const throwing = () => Promise.reject(leak(KEY));
          const { hotdata } = answering(environment, throwing, options);
          const error = await failure(() => hotdata.query("SELECT 1"));
          assert.deepEqual([error.name, error.code], ["HotdataError", "network"], name);
          assert.include(error.message, "failed", name);
          assert.isFalse(shows(error, KEY), name);
          // An error without the key stays what it is.
          const other = leak("another text");
          const plain = answering(environment, () => Promise.reject(other), options);
          const kept = await failure(() => plain.hotdata.query("SELECT 1"));
          if (name !== "what cannot be read") assert.strictEqual(kept.cause, other, name);
        }
      }
    },
  },
  {
    name: "H35: a body that breaks off with the key in the error, whole or streamed",
    async run(environment) {
      const { assert } = environment;
      for (const [name, leak] of Object.entries(LEAKS)) {
        const breaking = () =>
          new Response(new ReadableStream({ pull: (controller) => controller.error(leak(KEY)) }), {
            headers: { "content-type": ARROW },
          });
        const { hotdata } = answering(environment, breaking, { apiKey: KEY, maxRetries: 0 });
        const whole = await failure(() => hotdata.query("SELECT 1"));
        const { stream } = await hotdata.queryArrow("SELECT 1");
        const streamed = await failure(() => stream.getReader().read());
        for (const error of [whole, streamed]) {
          assert.equal(error.code, "network", name);
          assert.isFalse(shows(error, KEY), name);
        }
      }
    },
  },
  {
    name: "H35: an engine that echoes the key is not echoed",
    async run(environment) {
      const { assert } = environment;
      const said = `the key ${KEY} may not do this`;
      for (const answer of [
        () => json(403, { error: { code: "FORBIDDEN", message: said } }),
        () => json(403, { error: said }),
        () => new Response(said, { status: 403 }),
        () => new Response(`<p>${said}`, { status: 403, headers: { "content-type": "text/html" } }),
      ]) {
        const { hotdata } = answering(environment, answer, { apiKey: KEY });
        const error = await failure(() => hotdata.query("SELECT 1"));
        assert.equal(error.code, "forbidden");
        assert.isFalse(shows(error, KEY));
      }
    },
  },
  {
    name: "H36: a load carries one idempotency key over all of its attempts",
    async run(environment) {
      const { assert } = environment;
      let attempts = 0;
      const { hotdata, requests } = answering(environment, (url, init) => {
        attempts++;
        if (attempts === 1) throw new TypeError("reset");
        if (attempts === 2) return json(504, {});
        return service(url, init);
      });
      await hotdata.loadTable({ table: "t", mode: "append", csv: "a\n1\n" });
      const keys = new Set(requests.map(({ init }) => JSON.parse(init.body).idempotency_key));
      assert.deepEqual([requests.length, keys.size], [3, 1]);
      assert.match(String([...keys][0]), /^load-[0-9a-f]{32}$/);

      await hotdata.loadTable({ table: "t", mode: "append", csv: "a\n1\n" });
      assert.isFalse(keys.has(JSON.parse(requests.at(-1)?.init.body).idempotency_key));
    },
  },
  {
    name: "H36: a load that nothing guards is sent once, unless it was turned away",
    async run(environment) {
      const { assert } = environment;
      const load = (/** @type {any} */ hotdata) =>
        hotdata.loadTable({ table: "t", mode: "append", resultId: "r" });
      for (const broken of [
        () => Promise.reject(new TypeError("reset")),
        () => json(504, {}),
        () => /** @type {Promise<Response>} */ (new Promise(() => {})),
      ]) {
        const { hotdata, requests } = answering(environment, broken, { timeoutMs: 50 });
        const error = await failure(() => load(hotdata));
        assert.deepEqual([error.code, error.retryable], ["outcome_unknown", false]);
        assert.lengthOf(requests, 1);
      }
      for (const [status, headers] of /** @type {[number, {}][]} */ ([
        [429, { "retry-after": "0" }],
        [503, { "retry-after": "0" }],
      ])) {
        let attempts = 0;
        const { hotdata, requests } = answering(environment, (url, init) =>
          attempts++ ? service(url, init) : json(status, {}, headers),
        );
        await load(hotdata);
        assert.lengthOf(requests, 2);
      }
    },
  },
  {
    name: "H38: a key function is asked at every attempt, and its newest key is sent",
    async run(environment) {
      const { assert } = environment;
      let given = 0;
      let attempts = 0;
      const { hotdata, requests } = answering(
        environment,
        (url, init) =>
          attempts++ < 2 ? json(429, {}, { "retry-after": "0" }) : service(url, init),
        { apiKey: async () => `hd_${given++}` },
      );
      await hotdata.query("SELECT 1");
      const keys = requests.map(({ init }) => init.headers.authorization);
      assert.deepEqual(keys, ["Bearer hd_0", "Bearer hd_1", "Bearer hd_2"]);
    },
  },
  {
    name: "H38: a key function that fails is told of, and nothing is sent without a key",
    async run(environment) {
      const { assert } = environment;
      const cause = new Error("the session is over");
      for (const apiKey of [
        () => Promise.reject(cause),
        () => {
          throw cause;
        },
      ]) {
        const { hotdata, requests } = answering(environment, service, { apiKey });
        const error = await failure(() => hotdata.query("SELECT 1"));
        assert.deepEqual([error.code, error.retryable], ["unauthorized", false]);
        assert.match(error.message, /`apiKey` failed to give a key: the session is over/);
        assert.strictEqual(error.cause, cause);
        assert.lengthOf(requests, 0);
      }
      for (const given of [undefined, null, "", 5, "a b", "a\nb", {}]) {
        const { hotdata, requests } = answering(environment, service, { apiKey: () => given });
        const error = await failure(() => hotdata.query("SELECT 1"));
        assert.equal(error.code, "invalid_argument", String(given));
        assert.match(error.message, /^`apiKey` must give a key/);
        assert.lengthOf(requests, 0);
      }
    },
  },
  {
    name: "H38: after a 401 only another key is tried, once, and the service's own words stay",
    async run(environment) {
      const { assert } = environment;
      const refused = () => json(401, { error: { code: "UNAUTHORIZED", message: "expired" } });
      let given = 0;
      for (const [apiKey, sent] of /** @type {[unknown, number][]} */ ([
        ["hd_same", 1],
        [() => "hd_same", 1],
        [() => `hd_${given++}`, 2],
      ])) {
        const { hotdata, requests } = answering(environment, refused, { apiKey });
        const error = await failure(() => hotdata.query("SELECT 1"));
        assert.deepEqual([error.code, error.status], ["unauthorized", 401]);
        assert.equal(error.engineMessage, "expired");
        assert.lengthOf(requests, sent);
      }
      let attempts = 0;
      const { hotdata } = answering(
        environment,
        (url, init) => (attempts++ ? service(url, init) : refused()),
        { apiKey: () => `hd_${given++}` },
      );
      assert.lengthOf((await hotdata.query("SELECT 1")).rows, 1);
    },
  },
];
