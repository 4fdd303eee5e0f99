export interface DescribeOptions {
  /** One table to describe in full; all of them unless given. */
  table?: string;
}

/** Every table with data. */
export interface TableOverview {
  tables: {
    /** `catalog.schema.table`. */
    table: string;
    columns: { name: string; type: string }[];
    /** False of a table that was declared and never loaded: no query runs on it. */
    loaded?: false;
  }[];
  table?: undefined;
  rowCount?: undefined;
  columns?: undefined;
  /** What could not be told, and why. */
  note?: string;
}

/** One table in full. */
export interface TableDescription {
  tables?: undefined;
  /** `catalog.schema.table`. */
  table: string;
  /** Absent where no column can be named in SQL. */
  rowCount?: number;
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
