// The engine that the scripted model works on: its data, its sets of tools, and answers computed apart from them.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { Hotdata } from "hotdata-wasm";

export const PAPERS = "default.public.papers";
export const SEMANTIC = "default.public.papers_semantic";
/** Rejects projections that name none of its columns: the suite's engine is started so. */
export const LISTINGS = "default.public.listings";
/** Holds more matches of `garden` than a search without a bound ranks. */
export const REVIEWS = "default.public.reviews";
export const GARDENS = 1_200;
const STREETS = 300;

/**
 * The four ways a search is served: the set of tools, the table it searches, and its search tool.
 */
export const ROUTES = [
  { set: "words", table: PAPERS, tool: "hotdata_search_text" },
  { set: "meaning", table: SEMANTIC, tool: "hotdata_search_semantic" },
  { set: "vectors", table: PAPERS, tool: "hotdata_search_semantic" },
  { set: "fused", table: PAPERS, tool: "hotdata_search_text" },
];
/** A query that there is a vector of. */
export const QUERY = "Entity linking";

const DATA = new URL("../../../tests/data/papers/", import.meta.url);
const WIDTH = 384;
const FLAKY_KEY = "hd_flaky";
const WORKSPACE = "ws_local";

/** @param {string} engineUrl */
export async function openWorld(engineUrl) {
  const world = new World(engineUrl);
  await world.prepare();
  return world;
}

export class World {
  /** Requests of the sets' clients so far. */
  sent = 0;
  #url;
  /** @type {Map<string, Promise<any>>} */
  #sets = new Map();
  /** Query text to its vector. @type {Map<string, Float32Array>} */
  #vectors = new Map();
  /** Database by name. @type {Record<string, string>} */
  #databases = {};
  /** Ids. @type {string[]} */
  #made = [];
  #files = createServer((request, answer) => {
    const text = FILES[request.url ?? ""];
    answer.writeHead(text ? 200 : 404, { "content-type": "text/csv" }).end(text);
  });

  /** @param {string} url */
  constructor(url) {
    this.#url = url;
  }

  async prepare() {
    const judgements = JSON.parse(await readFile(new URL("judgements.json", DATA), "utf8"));
    const bytes = await readFile(new URL("queries.f32", DATA));
    const floats = new Float32Array(
      bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
    );
    for (const [at, { query }] of judgements.entries()) {
      this.#vectors.set(wordsOf(query), floats.subarray(at * WIDTH, (at + 1) * WIDTH));
    }
    await new Promise((listening) => this.#files.listen(0, "127.0.0.1", () => listening(null)));
    const hotdata = this.client();
    for (const { id, name } of await hotdata.listDatabases()) this.#databases[name ?? ""] = id;
    await this.#makeStays(hotdata);
  }

  /** A database of places to stay, with an attached source. @param {Hotdata} hotdata */
  async #makeStays(hotdata) {
    const { id } = await hotdata.createDatabase({ name: "stays", expiresAt: "1h" });
    this.#databases.stays = id;
    this.willEnd(id);
    const load = (/** @type {string} */ table, /** @type {string[]} */ lines) =>
      hotdata.loadTable({ databaseId: id, table, mode: "replace", csv: `${lines.join("\n")}\n` });
    await load("listings", [
      "id,name,price,start_date",
      "1,Quiet attic,80,2024-05-01",
      "2,Garden flat,120,2024-06-15",
      "3,Loft,,2025-01-31",
    ]);
    await load("rooms", ["id,all", "1,6", "2,9"]);
    const cities = ["Ghent", "Porto", "Turku"];
    const review = (/** @type {number} */ n) =>
      `${n},${cities[n % 3]},${1 + (n % 5)},${n < GARDENS ? "a quiet garden" : "a loud street"}`;
    const all = Array.from({ length: GARDENS + STREETS }, (_, n) => review(n));
    await load("reviews", ["id,city,rating,content", ...all]);
    await hotdata.createIndex({
      databaseId: id,
      table: REVIEWS,
      indexName: "words",
      indexType: "bm25",
      columns: ["content"],
    });
    const connections = await hotdata.listConnections();
    const source = connections.find((one) => one.name === "rivers");
    if (!source) throw new Error("the engine has no connection `rivers`");
    await hotdata.attachCatalog({ databaseId: id, connectionId: source.id, alias: "rivers" });
  }

  async close() {
    this.#files.close();
    for (const id of this.#made) await this.client().deleteDatabase(id);
  }

  /** Notes a database that goes with this world. @param {string} id */
  willEnd(id) {
    this.#made.push(id);
  }

  /** The URL of one of {@link FILES}. @param {string} path */
  file(path) {
    const address = this.#files.address();
    if (!address || typeof address === "string") throw new Error("the files are not served");
    return `http://127.0.0.1:${address.port}${path}`;
  }

  /** @param {object} [options] */
  client(options = {}) {
    const service = { baseUrl: this.#url, apiKey: "hd_agent", workspaceId: WORKSPACE };
    return new Hotdata({ ...service, ...options });
  }

  /** The id of a database. @param {string} name */
  database(name) {
    const id = this.#databases[name];
    if (!id) throw new Error(`no database ${name}`);
    return id;
  }

  /** A set of tools, made when first asked for. @param {string} name one of {@link SETS} */
  set(name) {
    let made = this.#sets.get(name);
    if (!made) {
      made = this.#make(name);
      this.#sets.set(name, made);
    }
    return made;
  }

  /** @param {string} name */
  async #make(name) {
    const known = SETS[name];
    if (!known) throw new Error(`no set ${name}`);
    const { database, embeds, client, ...options } = known;
    const counting = (/** @type {string} */ url, /** @type {RequestInit} */ init) => {
      this.sent += 1;
      return fetch(url, init);
    };
    const scope = { databaseId: this.database(database), fetch: counting };
    const hotdata = this.client({ ...scope, ...client });
    const embed = (/** @type {string[]} */ texts) => texts.map((text) => this.vector(text));
    return hotdata.tools(embeds ? { ...options, embed } : options);
  }

  /**
   * Has the next query of the set `flaky` fail, as a fault of the engine's.
   *
   * @param {object} fault
   */
  async fail(fault) {
    const match = { path: "/v1/query", headers: { authorization: `Bearer ${FLAKY_KEY}` } };
    const response = await fetch(`${this.#url}/local/faults`, {
      method: "POST",
      headers: { authorization: `Bearer ${FLAKY_KEY}`, "content-type": "application/json" },
      body: JSON.stringify({ faults: [{ match, ...fault }] }),
    });
    if (response.status !== 201) throw new Error(await response.text());
  }

  /** The vector of a judged query, however it is punctuated. @param {string} query */
  vector(query) {
    const vector = this.#vectors.get(wordsOf(query));
    if (!vector) throw new Error(`no vector of "${query}"`);
    return vector;
  }

  /**
   * The rows of a statement as objects, asked of the engine without the client.
   *
   * @param {string} sql
   * @param {string} [database]
   * @returns {Promise<any[]>}
   */
  async ask(sql, database = "papers") {
    const response = await fetch(`${this.#url}/v1/query`, {
      method: "POST",
      headers: {
        authorization: "Bearer hd_agent",
        "x-workspace-id": WORKSPACE,
        "x-database-id": this.database(database),
        "content-type": "application/json",
      },
      body: JSON.stringify({ sql }),
    });
    const { columns, rows, error } = await response.json();
    if (error) throw new Error(`${error.message}: ${sql}`);
    return rows.map((/** @type {any[]} */ row) =>
      Object.fromEntries(row.map((cell, at) => [columns[at], cell])),
    );
  }

  /**
   * Papers by the distance to a judged query, by a scan of all of them.
   *
   * @param {string} query
   * @param {number} k
   */
  async nearest(query, k) {
    const literal = Array.from(this.vector(query), (value) => value.toExponential()).join(",");
    const distance = `cosine_distance(embedding, ARRAY[${literal}])`;
    return this.ask(
      `SELECT id, content, ${distance} AS _distance FROM papers ORDER BY ${distance}, id LIMIT ${k}`,
    );
  }

  /** Papers by words. @param {string} query @param {number} k */
  async byWords(query, k) {
    return this.ask(
      `SELECT id, content, score FROM bm25_search('${PAPERS}', 'content', '${query}', ${k}) ORDER BY score DESC, id`,
    );
  }

  /**
   * Ids of the papers by both, fused by rank with the constant 60.
   *
   * @param {string} query
   * @param {number} k
   */
  async fused(query, k) {
    const depth = Math.max(4 * k, 20);
    /** @type {Map<number, number>} */
    const scores = new Map();
    for (const list of [await this.byWords(query, depth), await this.nearest(query, depth)]) {
      for (const [at, { id }] of list.entries()) {
        scores.set(id, (scores.get(id) ?? 0) + 1 / (61 + at));
      }
    }
    const ranked = [...scores].sort(([a, first], [b, second]) => second - first || a - b);
    return ranked.slice(0, k).map(([id]) => id);
  }
}

/** What a model can load. @type {Record<string, string>} */
const FILES = {
  "/towns.csv": "id,town,people\n1,Ghent,265000\n2,Bruges,118000\n",
  "/more-towns.csv": "id,town,people\n2,Bruges,119000\n3,Ostend,71000\n",
};

/** @param {string} text */
function wordsOf(text) {
  return text.toLowerCase().match(/\w+/g)?.join(" ") ?? "";
}

/**
 * What each set is made with: one a route, and those over the places to stay. @type {Record<string, any>}
 */
const SETS = {
  words: { database: "papers", searchTable: PAPERS, searchColumn: "content" },
  meaning: { database: "papers", searchTable: SEMANTIC, searchColumn: "content" },
  vectors: {
    database: "papers",
    searchTable: PAPERS,
    searchColumn: "content",
    searchStrategy: "semantic",
    embeds: true,
  },
  fused: { database: "papers", searchTable: PAPERS, searchColumn: "content", embeds: true },
  stays: { database: "stays", searchTable: REVIEWS, searchColumn: "content" },
  rated: {
    database: "stays",
    searchTable: REVIEWS,
    searchColumn: "content",
    searchColumns: ["rating", "city"],
  },
  writing: { database: "stays", readOnly: false },
  // A model sees each failure: the client does not try again by itself.
  flaky: { database: "stays", client: { apiKey: FLAKY_KEY, maxRetries: 0 } },
  managing: { database: "stays", allowPrivateHosts: true },
  "stays, twenty rows": {
    database: "stays",
    searchTable: REVIEWS,
    searchColumn: "content",
    maxRows: 20,
  },
};
