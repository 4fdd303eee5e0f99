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

/** What `lintSql` can be told of a database. */
export interface LintContext {
  /** As `listIndexes` gives them; one without a `table` counts for every table. */
  indexes?: readonly (Partial<IndexInfo> & { table?: string })[];
}

/** Something that SQL does not do as it seems to. */
export interface Lint {
  /** Stable, in snake case. */
  code: string;
  /** What happens, and what to write instead. */
  message: string;
  /** What can stand in place of the text from `start` to `end`. */
  fix: string | null;
  /** In UTF-16 units, as JavaScript counts. */
  start: number;
  /** One past the last unit. */
  end: number;
}
