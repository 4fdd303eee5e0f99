/** A value of a JSON answer. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** A value of an answer that was asked for with `integers: "bigint"`. */
export type JsonOrBigInt =
  | null
  | boolean
  | number
  | string
  | bigint
  | JsonOrBigInt[]
  | { [name: string]: JsonOrBigInt };

export interface HotdataOptions {
  /** An API key, or a function that gives one; a function is asked for every attempt. */
  apiKey: string | (() => string | Promise<string>);
  /** The workspace; unless given, the only active one the key has. */
  workspaceId?: string;
  /** Where the service is; `https://api.hotdata.dev` unless given. Plain http is for loopback only. */
  baseUrl?: string;
  /** The database used where a call names none. */
  databaseId?: string;
  /** Used instead of the global `fetch`. */
  fetch?: typeof fetch;
  /** Milliseconds for one request; 60,000 unless given. */
  timeoutMs?: number;
  /** Milliseconds for one call with all its requests and waits; 300,000 unless given. */
  deadlineMs?: number;
  /**
   * How often one request is sent again after a failure that may pass, 20 at most; 4 unless given. A write that may have
   * been applied is never sent again, unless the service applies it once however often it comes.
   */
  maxRetries?: number;
}

export interface CallTime {
  /** Ends the call at once; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Milliseconds for each request; the client's own unless given. */
  timeoutMs?: number;
  /** Milliseconds for the call with all its requests and waits; the client's own unless given. */
  deadlineMs?: number;
}

export interface CallOptions extends CallTime {
  /** The database; the client's own unless given. */
  databaseId?: string;
}

export interface StreamOptions extends CallOptions {
  /** The SQL dialect; `hotsql` unless given. */
  dialect?: "hotsql" | "duckdb" | "postgres" | "snowflake";
}

export interface ResultOptions extends CallOptions {
  /** The most rows; more are an error, `too_large`, and never a part. 100,000 unless given. */
  maxRows?: number;
  /** The most bytes of the answer's text; more are an error, `too_large`. 16 MiB unless given, 512 MiB at most. */
  maxBytes?: number;
  /**
   * What a column of integers becomes if a JavaScript number would change one of them: strings of their digits unless
   * given, or bigints. Both go for lists and structs of integers too; a column that also holds decimals is strings.
   */
  integers?: "string" | "bigint";
}

export interface QueryOptions extends StreamOptions, ResultOptions {}

/** An answer in Arrow. */
export interface ArrowResult {
  /**
   * The Arrow IPC stream as the engine sends it. It fails with the reason of an abort, and where a piece of it takes
   * longer than `timeoutMs`. Cancel it if it is not read to its end.
   */
  readonly stream: ReadableStream<Uint8Array>;
  readonly totalRowCount: number | null;
  readonly warning: string | null;
  readonly queryRunId: string | null;
  readonly resultId: string | null;
  readonly executionTimeMs: number | null;
}

/** The rows of one query. Iterating gives each row as an object. */
export interface QueryResult<Cell = Json> extends Iterable<Record<string, Cell>> {
  /** Column names, each once. */
  readonly columns: string[];
  /**
   * Cells by row. An integer or a decimal that a JavaScript number would change is a string of its digits, and then so is
   * every number of its column; see `integers` for bigint.
   */
  readonly rows: Cell[][];
  /** How many rows are here. */
  readonly rowCount: number;
  /** How many rows the whole answer has, where that is known. */
  readonly totalRowCount: number | null;
  /** Whether rows of the whole answer are missing here. `query` gives all of them, or an error. */
  readonly truncated: boolean;
  /** What the engine, or this package, has to say about the answer. */
  readonly warning: string | null;
  readonly queryRunId: string;
  /** Where the service keeps the whole answer, if it does. */
  readonly resultId: string | null;
  /** The engine's own time, in milliseconds. */
  readonly executionTimeMs: number;
  /** Every row as an object keyed by column. */
  objects(): Record<string, Cell>[];
}

/** A value a filter compares with. */
export type FilterValue = string | number | bigint | boolean;

/** What a column has to satisfy. */
export interface FilterCondition {
  $eq?: FilterValue | null;
  /** Also keeps rows whose column is NULL, unless compared with null. */
  $ne?: FilterValue | null;
  $gt?: FilterValue;
  $gte?: FilterValue;
  $lt?: FilterValue;
  $lte?: FilterValue;
  $in?: readonly (FilterValue | null)[];
  /** Also keeps rows whose column is NULL, unless null is listed. */
  $nin?: readonly (FilterValue | null)[];
  /** Keeps the rows that the condition does not keep. */
  $not?: FilterCondition;
}

/** Which rows may be found: column names with a value, null for NULL, or a condition. All members have to hold. */
export interface Filter {
  $and?: readonly Filter[];
  $or?: readonly Filter[];
  $not?: Filter;
  [column: string]: FilterValue | null | FilterCondition | readonly Filter[] | Filter | undefined;
}

/** Numbers of 64 bits, or of 32 where the array is a `Float32Array`. All finite. */
export type Vector = readonly number[] | Float32Array | Float64Array;

export type Metric = "cosine" | "l2" | "dot";

export interface SearchOptions {
  /** `catalog.schema.table`. */
  table: string;
  /** The column that is searched. */
  column: string;
  /** How many rows; 5 unless given, 10,000 at most. */
  k?: number;
  /** The columns of the answer; the key, where given, and the searched column unless given. */
  columns?: readonly string[];
  filter?: Filter;
  /** The column that tells rows apart: returned unless `columns` leaves it out; equal ranks come in its order. */
  keyColumn?: string;
}

export interface TextSearchOptions extends SearchOptions {
  /**
   * Plain words or a question. A search by words may read quotes, brackets, colons, `+` and `-` as operators, and
   * refuse what it cannot read.
   */
  query: string;
}

/** The answer has the key alone unless `columns` says more: one of `keyColumn` and `columns` has to be given. */
export interface VectorSearchOptions extends SearchOptions {
  vector: Vector;
  /** The index's own metric, else no index serves the search; `cosine` unless given. */
  metric?: Metric;
}

export type HybridHalf =
  | { kind: "text"; column: string; query: string; weight?: number }
  | { kind: "vector"; column: string; vector: Vector; metric?: Metric; weight?: number };

export interface FusionOptions {
  /** `catalog.schema.table`. */
  table: string;
  /** The column that tells rows apart; `id` unless given. */
  keyColumn?: string;
  /** How many rows; 5 unless given. */
  k?: number;
  /** How deep each half ranks; `max(4k, 20)` unless given. */
  fetchK?: number;
  /** The constant of reciprocal rank fusion; 60 unless given. */
  rrfK?: number;
  /** The columns of the answer; the key and the searched text columns unless given. */
  columns?: readonly string[];
  filter?: Filter;
  /** Adds each half's rank: `text_rank`, `vector_rank`, NULL where that half did not rank the row. */
  explain?: boolean;
}

export type HybridSearchOptions = FusionOptions &
  (
    | {
        /** The text column. */
        column: string;
        query: string;
        /** The vector column. */
        vectorColumn: string;
        vector: Vector;
        metric?: Metric;
        weights?: { text?: number; vector?: number };
        halves?: undefined;
      }
    | {
        /** Two to eight rankings. */
        halves: readonly HybridHalf[];
      }
  );

export interface DescribeOptions {
  /** One table to describe in full; all of them unless given. */
  table?: string;
}

/** Every table with data. */
export interface TableOverview {
  tables: { table: string; columns: { name: string; type: string }[] }[];
  table?: undefined;
  rowCount?: undefined;
  columns?: undefined;
  note?: undefined;
}

/** One table in full. */
export interface TableDescription {
  tables?: undefined;
  /** `catalog.schema.table`. */
  table: string;
  rowCount: number;
  columns: {
    name: string;
    type: string;
    nullable: boolean;
    /** How many rows have a value; counted for the first 100 columns. */
    nonNull?: number;
    /** The SQL functions that an index serves on this column. */
    searchableBy?: string[];
  }[];
  /** What could not be told, and why. */
  note?: string;
}

export interface Database {
  id: string;
  /** A display label; several databases may share it. */
  name: string | null;
  defaultCatalog: string | null;
  defaultSchema: string | null;
  createdAt: string | null;
  expiresAt: string | null;
  /** What it is a copy of, as that was then; the database may be gone since. */
  forkedFrom: {
    databaseId: string;
    name: string | null;
    description: string | null;
    forkedAt: string | null;
  } | null;
  /** Known of a single database only. */
  defaultConnectionId: string | null;
  /** Known of a single database only. */
  attachments: { connectionId: string; alias: string | null }[];
}

export interface Workspace {
  publicId: string;
  name: string | null;
  active: boolean;
  favorite: boolean;
  provisionStatus: string | null;
}

export interface Connection {
  id: string;
  name: string | null;
  sourceType: string | null;
}

export interface EmbeddingProvider {
  id: string;
  name: string | null;
  providerType: string | null;
  /** `system` or `user`. */
  source: string | null;
  hasSecret: boolean;
}

export interface CreateDatabaseOptions {
  /** A display label. */
  name?: string;
  /** `24h`, `90m`, `7d` or an RFC 3339 time. */
  expiresAt?: string;
  defaultCatalog?: string;
  defaultSchema?: string;
  /** Takes a database of that name as it is. */
  ifNotExists?: boolean;
  /** Keys and layout, which are fixed from then on. */
  schemas?: readonly {
    name: string;
    tables?: readonly {
      name: string;
      key?: readonly string[];
      partitionBy?: readonly {
        column: string;
        transform: "identity" | "year" | "month" | "day" | "hour";
      }[];
      /** A table sorted by columns cannot be indexed. */
      sortedBy?: readonly {
        column: string;
        direction?: "asc" | "desc";
        nulls?: "first" | "last";
      }[];
      constantPerKey?: readonly string[];
    }[];
  }[];
}

export interface ForkOptions {
  name?: string;
  /** `24h`, `90m`, `7d` or an RFC 3339 time. */
  expiresAt?: string;
  description?: string;
}

export interface DetachOptions {
  /** One of `listConnections()`. */
  connectionId: string;
}

export interface AttachOptions extends DetachOptions {
  /** The catalog that the source's tables answer to. */
  alias?: string;
}

export type LoadFormat = "csv" | "json" | "parquet";

/** How far an upload has come. */
export interface UploadProgress {
  bytes: number;
  totalBytes: number | null;
}

/** Bytes and where they come from: exactly one of `rows`, `data` and `url`. */
export interface ByteSourceOptions {
  /**
   * Objects of columns and values, sent as Parquet. Types are read off the values: of an array off all of them, of another
   * iterable off its first 65,536 rows (8 MiB at most). An array of numbers is a vector of 32-bit floats, which vector
   * indexes are made over. null and undefined are NULL. An integer beyond 2^53 goes in as a bigint.
   */
  rows?: Iterable<object> | AsyncIterable<object>;
  /** A file: bytes, a Blob, text, or a stream of bytes, which is held one part at a time. */
  data?: ArrayBufferView | ArrayBufferLike | Blob | ReadableStream<Uint8Array> | string;
  /**
   * An http or https URL, fetched without credentials. Private hosts are refused by address and by name; what a name
   * resolves to cannot be seen, so do not let strangers choose URLs on a server inside a private network.
   */
  url?: string | URL;
  /**
   * Of `data` or `url`: needed unless it is Parquet, or the type or name of a URL or Blob tells. `json` is one object a
   * line.
   */
  format?: LoadFormat;
  /**
   * SQL types by column, such as `BIGINT`, `DECIMAL(30,2)`, `DATE`, `TIMESTAMP`, `JSON`, `FLOAT[]`. Of `rows`, needed for a
   * column that is all NULL, or of `csv`, then for every column; a file has its own types.
   */
  columns?: Record<string, string>;
  /** Of `url`: the most bytes, unpacked; 512 MiB unless given. */
  maxBytes?: number;
  /** Lets `url` and its redirects name private hosts. */
  allowPrivateHosts?: boolean;
  /** Called after each part that is stored. */
  onProgress?: (progress: UploadProgress) => void;
}

export interface UploadOptions extends ByteSourceOptions {
  filename?: string;
  contentType?: string;
}

export interface Upload {
  uploadId: string;
  sizeBytes: number;
}

/** Exactly one of `rows`, `data`, `url`, `csv`, `uploadId` and `resultId` has to be given. */
export interface LoadOptions extends ByteSourceOptions {
  /** The schema's own name; `public` unless given. */
  schema?: string;
  /** The table's own name, without catalog and schema. It is created where it is not there. */
  table: string;
  mode: "replace" | "append" | "delete" | "update" | "upsert";
  /** The columns that tell rows apart; needed to delete, update and upsert. */
  key?: readonly string[];
  /** Rows as CSV with a header line, up to 2 MiB, within the request. */
  csv?: string;
  /** An upload; loaded once, however often it is asked for. */
  uploadId?: string;
  /** A stored result. */
  resultId?: string;
  /** With `csv`: the same load under the same key is applied once. One of its own unless given. */
  idempotencyKey?: string;
}

export interface LoadReceipt {
  schemaName: string;
  tableName: string;
  /** How many rows the table has after the load. */
  rowCount: number;
}

export interface IndexInfo {
  indexName: string;
  /** `sorted`, `bm25`, `vector`, or one that is new. */
  indexType: string | null;
  columns: string[];
  metric: string | null;
  /** The text column a provider-backed vector index is searched by. */
  sourceColumn: string | null;
  /** `ready`, `pending`, or one that is new. */
  status: string | null;
  algorithm: string | null;
  createdAt: string | null;
  updatedAt: string | null;
}

export interface CreateIndexOptions {
  /** `catalog.schema.table`. It has to hold data. */
  table: string;
  indexType: "bm25" | "vector" | "sorted";
  columns: readonly string[];
  /** `table_column_type` unless given. */
  indexName?: string;
  /** Needed for a vector index: it serves searches by that metric alone. */
  metric?: Metric;
  /** Makes a vector index over text, searched by `vector_search`; one of `listEmbeddingProviders()`. */
  embeddingProviderId?: string;
  outputColumn?: string;
  dimensions?: number;
  algorithm?: "hnsw" | "ivf";
  vectorPrecision?: "float64" | "float32" | "float16" | "float8" | "int8";
  description?: string;
  /**
   * Whether the call lasts until the index can be used; unless given, it does. If not, `jobId` is what `waitForJob` takes,
   * or null where the service names no job.
   */
  wait?: boolean;
}

/** Work that the service goes on with. */
export interface Job {
  id: string;
  jobType: string | null;
  /** `pending`, `running`, `succeeded`, `partially_succeeded`, `failed`, or one that is new. */
  status: string;
  errorMessage: string | null;
  /** What the call that started it would have answered at once, as the service sends it. */
  result: Json;
  attempts: number | null;
  createdAt: string | null;
  completedAt: string | null;
}

/** The service's record of a query. */
export interface QueryRun {
  id: string;
  /** `running`, `succeeded`, `failed`, `interrupted`, or one that is new. */
  status: string;
  resultId: string | null;
  rowCount: number | null;
  errorMessage: string | null;
  warningMessage: string | null;
  executionTimeMs: number | null;
}

/** Texts to vectors, in order, with the model that the stored vectors were made with. */
export type Embed = (
  texts: string[],
  options: { signal: AbortSignal },
) => Promise<readonly Vector[]> | readonly Vector[];

/** The time is that of the building; each call of a tool has the client's own. */
export interface ToolsOptions extends CallOptions {
  /** `catalog.schema.table` to search; with `searchColumn`, makes the search tool. */
  searchTable?: string;
  searchColumn?: string;
  /** The vector column of the same rows, where it is not found on its own. */
  searchSemanticColumn?: string;
  /** `id` unless given, where the table has it. */
  searchKeyColumn?: string;
  /** The columns of a hit; the key and the searched column unless given. */
  searchColumns?: readonly string[];
  /** How many rows a search returns unless the model asks for more; 5 unless given. */
  searchK?: number;
  /** `auto` takes the best the indexes serve. */
  searchStrategy?: "auto" | "text" | "semantic" | "hybrid";
  /** Needed to search a plain vector index. */
  embed?: Embed;
  /** The most rows a tool shows; 100 unless given. */
  maxRows?: number;
}

export interface ToolDefinition {
  name: string;
  title: string;
  description: string;
  /** JSON Schema 2020-12. */
  inputSchema: {
    type: "object";
    properties: Record<string, Record<string, Json>>;
    required: string[];
    additionalProperties: false;
  };
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

export interface ToolResult {
  /** For the model: compact JSON with every digit the engine sent. */
  content: string;
  /** The same as an object, numbers that JavaScript would change as strings. */
  structured: Record<string, Json>;
  isError: boolean;
}
