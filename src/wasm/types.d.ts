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
  /** An API key, or a function that gives one; a function is asked for every request. */
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
}

export interface CallOptions {
  /** The database; the client's own unless given. */
  databaseId?: string;
  /** Ends the call at once; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
}

export interface QueryOptions extends CallOptions {
  /** The SQL dialect; `hotsql` unless given. */
  dialect?: "hotsql" | "duckdb" | "postgres" | "snowflake";
  /**
   * What a column of integers becomes if a JavaScript number would change one of them: strings of their digits unless
   * given, or bigints. Both go for lists and structs of integers too.
   */
  integers?: "string" | "bigint";
}

export interface Hotdata {
  /** Runs one SQL statement; with `integers: "bigint"`, integers that a JavaScript number would change are bigints. */
  query(sql: string, options: QueryOptions): Promise<QueryResult<JsonOrBigInt>>;
}

/** The rows of one query. Iterating gives each row as an object. */
export interface QueryResult<Cell = Json> extends Iterable<Record<string, Cell>> {
  /** Column names, each once. */
  readonly columns: string[];
  /**
   * Cells by row. An integer or a decimal that a JavaScript number would change is a string of its digits, and then so is
   * every number of its column.
   */
  readonly rows: Cell[][];
  /** How many rows are here. */
  readonly rowCount: number;
  /** How many rows the whole answer has, where that is known. */
  readonly totalRowCount: number | null;
  /** Whether rows of the whole answer are missing here, which `warning` says too. */
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
  forkedFrom: string | null;
  /** Known of a single database only. */
  defaultConnectionId: string | null;
  /** Known of a single database only. */
  attachments: { connectionId: string; alias: string | null }[];
}

export interface CreateDatabaseOptions {
  name?: string;
  /** `24h`, `90m`, `7d` or an RFC 3339 time. */
  expiresAt?: string;
  ifNotExists?: boolean;
  schemas?: readonly {
    name: string;
    tables?: readonly { name: string; key?: readonly string[] }[];
  }[];
}

export interface LoadOptions {
  /** The schema's own name; `public` unless given. */
  schema?: string;
  /** The table's own name, without catalog and schema. It is created where it is not there. */
  table: string;
  mode: "replace" | "append" | "delete" | "update" | "upsert";
  /** The key of a keyed mode; the table's own unless given. */
  key?: readonly string[];
  /** Rows as CSV with a header line, up to 2 MiB. One of `csv`, `uploadId` and `resultId` has to be given. */
  csv?: string;
  uploadId?: string;
  resultId?: string;
  /** Column types, by name. */
  columns?: Record<string, string>;
}

export interface LoadReceipt {
  schemaName: string;
  tableName: string;
  rowCount: number;
}

export interface IndexInfo {
  indexName: string;
  indexType: "sorted" | "bm25" | "vector" | "unknown";
  columns: string[];
  metric: string | null;
  /** The text column a provider-backed vector index is searched by. */
  sourceColumn: string | null;
  status: "ready" | "pending" | "unknown";
}

/** Texts to vectors, in order, with the model that the stored vectors were made with. */
export type Embed = (
  texts: string[],
  options: { signal: AbortSignal },
) => Promise<readonly Vector[]> | readonly Vector[];

export interface ToolsOptions {
  databaseId?: string;
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
  signal?: AbortSignal;
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
