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
