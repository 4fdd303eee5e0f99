// The client.

/**
 * @import {
 *   ArrowResult, AttachOptions, CallOptions, CallTime, Connection, CreateDatabaseOptions,
 *   CreateIndexOptions, Database, DescribeOptions, DetachOptions, EmbeddingProvider, ForkOptions,
 *   HotdataOptions, HybridSearchOptions, IndexInfo, Job, JsonOrBigInt, LoadOptions, LoadReceipt,
 *   QueryOptions, QueryResult, QueryRun, ResultOptions, StreamOptions, TableDescription, TableOverview,
 *   TextSearchOptions, ToolsOptions, Upload, UploadOptions, VectorSearchOptions, Workspace,
 * } from "./core_bg.js"
 */

import { CallName, HotdataCore } from "./core_bg.js";
import { HotdataError } from "./errors.js";
import { Toolset } from "./toolset.js";

/** The environment's variables, and the options they are. */
const VARIABLES = /** @type {const} */ ({
  HOTDATA_API_KEY: "apiKey",
  HOTDATA_WORKSPACE: "workspaceId",
  HOTDATA_API_URL: "baseUrl",
  HOTDATA_DATABASE: "databaseId",
});

/** The service, for one workspace. Any number of calls may run at once; there is nothing to free. */
export class Hotdata {
  /** @type {HotdataCore} */
  #core;

  /**
   * Makes a client; nothing is sent until the first call.
   *
   * @param {HotdataOptions} options
   */
  constructor(options) {
    this.#core = new HotdataCore(options);
  }

  /**
   * Makes a client from `HOTDATA_API_KEY`, `HOTDATA_WORKSPACE`, `HOTDATA_API_URL` and `HOTDATA_DATABASE`, of `env` or else
   * of `process.env`. In a Worker, `env` is what its handler is given; other members are of no concern.
   *
   * @param {Record<string, string | undefined> | Partial<Record<keyof typeof VARIABLES, string>>} [env]
   * @returns {Hotdata}
   */
  static fromEnv(env) {
    const { process } = /** @type {{ process?: { env?: unknown } }} */ (globalThis);
    const from = /** @type {any} */ (env ?? process?.env);
    if (typeof from !== "object" || from === null) {
      throw refused(
        "`env` must be an object of strings; this runtime has no process.env of its own",
      );
    }
    /** @type {Record<string, string>} */
    const options = {};
    for (const [variable, option] of Object.entries(VARIABLES)) {
      const value = from[variable];
      if (typeof value === "string" && value !== "") options[option] = value;
    }
    if (options.apiKey === undefined) {
      throw refused("`HOTDATA_API_KEY` is missing: the environment holds no API key");
    }
    try {
      return new Hotdata(/** @type {HotdataOptions} */ (/** @type {unknown} */ (options)));
    } catch (error) {
      if (!(error instanceof HotdataError)) throw error;
      throw refused(`From the environment: ${error.message}`);
    }
  }

  /**
   * Runs one SQL statement and gives all of its rows, or an error.
   *
   * @overload
   * @param {string} sql
   * @param {QueryOptions & { integers?: "string" }} [options]
   * @returns {Promise<QueryResult>}
   */
  /**
   * Runs one SQL statement and gives all of its rows, or an error. Integers that a JavaScript number would change come as bigints.
   *
   * @overload
   * @param {string} sql
   * @param {QueryOptions} options
   * @returns {Promise<QueryResult<JsonOrBigInt>>}
   */
  /**
   * @param {string} sql
   * @param {QueryOptions} [options]
   * @returns {Promise<any>}
   */
  query(sql, options) {
    return this.#core.call(CallName.Query, sql, options);
  }

  /**
   * Runs one SQL statement; its rows come as an Arrow IPC stream of any size.
   *
   * @param {string} sql
   * @param {StreamOptions} [options]
   * @returns {Promise<ArrowResult>}
   */
  queryArrow(sql, options) {
    return this.#core.call(CallName.QueryArrow, sql, options);
  }

  /**
   * Ranks the rows of a table by words (see `bm25SearchSql`) and runs the query.
   *
   * @param {TextSearchOptions & CallOptions} options
   * @returns {Promise<QueryResult>}
   */
  searchText(options) {
    return this.#core.call(CallName.SearchText, undefined, options);
  }

  /**
   * Ranks the rows of a table by meaning and runs the query: with `query`, over a provider-backed index; with
   * `vector`, over a plain one.
   *
   * @param {(TextSearchOptions | VectorSearchOptions) & CallOptions} options
   * @returns {Promise<QueryResult>}
   */
  searchSemantic(options) {
    return this.#core.call(CallName.SearchSemantic, undefined, options);
  }

  /**
   * Fuses rankings by words and by meaning in one query (see `hybridSearchSql`) and runs it.
   *
   * @param {HybridSearchOptions & CallOptions} options
   * @returns {Promise<QueryResult>}
   */
  searchHybrid(options) {
    return this.#core.call(CallName.SearchHybrid, undefined, options);
  }

  /**
   * One table of the database: its columns, its counts, and what each column can be searched by.
   *
   * @overload
   * @param {DescribeOptions & { table: string } & CallOptions} options
   * @returns {Promise<TableDescription>}
   */
  /**
   * The tables of the database with their columns.
   *
   * @overload
   * @param {DescribeOptions & { table?: undefined } & CallOptions} [options]
   * @returns {Promise<TableOverview>}
   */
  /**
   * The tables of the database with their columns, or one of them in full.
   *
   * @overload
   * @param {DescribeOptions & CallOptions} options
   * @returns {Promise<TableOverview | TableDescription>}
   */
  /**
   * @param {DescribeOptions & CallOptions} [options]
   * @returns {Promise<any>}
   */
  describeTables(options) {
    return this.#core.call(CallName.DescribeTables, undefined, options);
  }

  /**
   * Every workspace of the key.
   *
   * @param {CallTime} [options]
   * @returns {Promise<Workspace[]>}
   */
  listWorkspaces(options) {
    return this.#core.call(CallName.ListWorkspaces, undefined, options);
  }

  /**
   * The workspace's sources, whose ids `attachCatalog` takes.
   *
   * @param {CallTime} [options]
   * @returns {Promise<Connection[]>}
   */
  listConnections(options) {
    return this.#core.call(CallName.ListConnections, undefined, options);
  }

  /**
   * The providers whose ids `createIndex` takes.
   *
   * @param {CallTime} [options]
   * @returns {Promise<EmbeddingProvider[]>}
   */
  listEmbeddingProviders(options) {
    return this.#core.call(CallName.ListEmbeddingProviders, undefined, options);
  }

  /**
   * Every database of the workspace, newest first; with `search`, those whose name holds it.
   *
   * @param {{ search?: string } & CallTime} [options]
   * @returns {Promise<Database[]>}
   */
  listDatabases(options) {
    return this.#core.call(CallName.ListDatabases, undefined, options);
  }

  /**
   * One database by its id, with its connection and attachments.
   *
   * @param {string} id
   * @param {CallTime} [options]
   * @returns {Promise<Database>}
   */
  getDatabase(id, options) {
    return this.#core.call(CallName.GetDatabase, id, options);
  }

  /**
   * Creates a database.
   *
   * @param {CreateDatabaseOptions & CallTime} [options]
   * @returns {Promise<Database & { created: boolean }>}
   */
  createDatabase(options) {
    return this.#core.call(CallName.CreateDatabase, undefined, options);
  }

  /**
   * Copies a database; the copy goes its own way from then on.
   *
   * @param {string} id
   * @param {ForkOptions & CallTime} [options]
   * @returns {Promise<Database>}
   */
  forkDatabase(id, options) {
    return this.#core.call(CallName.ForkDatabase, id, options);
  }

  /**
   * Deletes a database with everything in it.
   *
   * @param {string} id
   * @param {CallTime} [options]
   * @returns {Promise<void>}
   */
  deleteDatabase(id, options) {
    return this.#core.call(CallName.DeleteDatabase, id, options);
  }

  /**
   * Attaches a source, whose tables then answer to `alias`. Attached already as asked is no error.
   *
   * @param {AttachOptions & CallOptions} options
   * @returns {Promise<Database>}
   */
  attachCatalog(options) {
    return this.#core.call(CallName.AttachCatalog, undefined, options);
  }

  /**
   * Detaches a source. Not attached is no error.
   *
   * @param {DetachOptions & CallOptions} options
   * @returns {Promise<Database>}
   */
  detachCatalog(options) {
    return this.#core.call(CallName.DetachCatalog, undefined, options);
  }

  /**
   * Loads rows into a table, which is created where it is not there.
   *
   * @param {LoadOptions & CallOptions} options
   * @returns {Promise<LoadReceipt>}
   */
  loadTable(options) {
    return this.#core.call(CallName.LoadTable, undefined, options);
  }

  /**
   * Stores bytes at the service, for a load to name.
   *
   * @param {UploadOptions & CallTime} options
   * @returns {Promise<Upload>}
   */
  uploadFile(options) {
    return this.#core.call(CallName.UploadFile, undefined, options);
  }

  /**
   * The indexes of a table, those being built included.
   *
   * @param {{ table: string } & CallOptions} options
   * @returns {Promise<IndexInfo[]>}
   */
  listIndexes(options) {
    return this.#core.call(CallName.ListIndexes, undefined, options);
  }

  /**
   * Builds an index and, unless told otherwise, waits until it can be used.
   *
   * @param {CreateIndexOptions & CallOptions} options
   * @returns {Promise<IndexInfo & { jobId: string | null }>}
   */
  createIndex(options) {
    return this.#core.call(CallName.CreateIndex, undefined, options);
  }

  /**
   * Drops an index.
   *
   * @param {{ table: string, indexName: string } & CallOptions} options
   * @returns {Promise<void>}
   */
  dropIndex(options) {
    return this.#core.call(CallName.DropIndex, undefined, options);
  }

  /**
   * Waits until a job has succeeded, wholly or in part; rejects with its message where it failed.
   *
   * @param {string} id
   * @param {CallTime} [options]
   * @returns {Promise<Job>}
   */
  waitForJob(id, options) {
    return this.#core.call(CallName.WaitForJob, id, options);
  }

  /**
   * A query run as it stands.
   *
   * @param {string} id
   * @param {CallOptions} [options]
   * @returns {Promise<QueryRun>}
   */
  getQueryRun(id, options) {
    return this.#core.call(CallName.GetQueryRun, id, options);
  }

  /**
   * The whole of a stored result.
   *
   * @overload
   * @param {string} id
   * @param {ResultOptions & { integers?: "string" }} [options]
   * @returns {Promise<QueryResult>}
   */
  /**
   * The whole of a stored result. Integers that a JavaScript number would change come as bigints.
   *
   * @overload
   * @param {string} id
   * @param {ResultOptions} options
   * @returns {Promise<QueryResult<JsonOrBigInt>>}
   */
  /**
   * @param {string} id
   * @param {ResultOptions} [options]
   * @returns {Promise<any>}
   */
  getResult(id, options) {
    return this.#core.call(CallName.GetResult, id, options);
  }

  /**
   * Builds the tools of an agent, resolved once: what cannot work fails here.
   *
   * @param {ToolsOptions} [options]
   * @returns {Promise<Toolset>}
   */
  tools(options) {
    return this.#core
      .call(CallName.Tools, undefined, options)
      .then((/** @type {import("./core_bg.js").ToolsetCore} */ core) => new Toolset(core));
  }

  /** Nothing has to be freed, and calls under way go on: `using` may be written all the same. */
  [Symbol.dispose]() {}
}

// A host without the symbol has made a method of its absence.
if (!Symbol.dispose) Reflect.deleteProperty(Hotdata.prototype, "undefined");

/** @param {string} message */
function refused(message) {
  return new HotdataError({ code: "invalid_argument", message, retryable: false });
}
