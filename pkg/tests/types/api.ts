// What the declarations accept, give and refuse. Compiled, never run.

import {
  bm25SearchSql,
  Hotdata,
  HotdataError,
  type HotdataErrorCode,
  hybridSearchSql,
  type Json,
  type JsonOrBigInt,
  type QueryResult,
  vectorDistanceSql,
  vectorSearchSql,
} from "hotdata-wasm";
import { init, type WasmModule } from "hotdata-wasm/wasm";

const table = "default.public.papers";

export async function accepted(module: WasmModule): Promise<void> {
  await init();
  await init(module);
  await init(new URL("https://example.org/core_bg.wasm"));
  await init(new Uint8Array(8));
  await init(Promise.resolve(module));

  const sql: string[] = [
    bm25SearchSql({ table, column: "content", query: "q", k: 3, columns: ["id"] }),
    vectorSearchSql({ table, column: "content", query: "q", filter: { year: { $gte: 2020 } } }),
    vectorDistanceSql({ table, column: "v", vector: [1, 2], metric: "l2", keyColumn: "id" }),
    vectorDistanceSql({ table, column: "v", vector: new Float32Array(3), keyColumn: "id" }),
    hybridSearchSql({
      table,
      column: "content",
      vectorColumn: "v",
      query: "q",
      vector: new Float64Array(3),
      weights: { text: 2 },
      explain: true,
    }),
    hybridSearchSql({
      table,
      keyColumn: "id",
      halves: [
        { kind: "text", column: "title", query: "q", weight: 2 },
        { kind: "vector", column: "v", vector: [1], metric: "cosine" },
      ],
    }),
  ];

  const hotdata = new Hotdata({
    apiKey: async () => "hd_key",
    workspaceId: "ws",
    baseUrl: "https://api.hotdata.dev",
    databaseId: "db",
    fetch,
    timeoutMs: 1000,
  });
  Hotdata.fromEnv({ HOTDATA_API_KEY: "hd_key", HOTDATA_WORKSPACE: undefined });

  const result: QueryResult = await hotdata.query(sql.join(), {
    databaseId: "db",
    dialect: "postgres",
    signal: new AbortController().signal,
  });
  const columns: string[] = result.columns;
  const count: number = result.rowCount;
  const total: number | null = result.totalRowCount;
  const truncated: boolean = result.truncated;
  const warning: string | null = result.warning;
  const run: string = result.queryRunId;
  const resultId: string | null = result.resultId;
  const took: number = result.executionTimeMs;
  for (const row of result) console.log(row.id, Object.keys(row));
  const objects: Record<string, unknown>[] = result.objects();
  console.log(
    columns,
    count,
    total,
    truncated,
    warning,
    run,
    resultId,
    took,
    objects,
    result.rows[0]?.[0],
  );

  const plain: Json | undefined = (await hotdata.query("q", { integers: "string" })).rows[0]?.[0];
  const exact: QueryResult<JsonOrBigInt> = await hotdata.query("q", { integers: "bigint" });
  const big: JsonOrBigInt | undefined = exact.rows[0]?.[0];
  console.log(plain, typeof big === "bigint" ? big + 1n : big);

  const found: QueryResult = await hotdata.searchHybrid({
    table,
    column: "content",
    vectorColumn: "v",
    query: "q",
    vector: [1],
    databaseId: "db",
  });
  console.log(found.rowCount);
  await hotdata.searchText({ table, column: "content", query: "q" });
  await hotdata.searchSemantic({ table, column: "content", query: "q" });
  await hotdata.searchSemantic({ table, column: "v", vector: [1], metric: "dot" });

  for (const database of await hotdata.listDatabases()) console.log(database.id, database.name);
  const { id } = await hotdata.createDatabase({ name: "n", expiresAt: "24h" });
  await hotdata.deleteDatabase(id);

  const toolset = await hotdata.tools();
  const names: string[] = toolset.tools.map((tool) => tool.name);
  const notes: readonly string[] = toolset.notes;
  await hotdata.tools({ resultFormat: "markdown" });
  const strict: boolean | undefined = toolset.openaiChat({ strict: true })[0]?.function.strict;
  const required = toolset.mcp({ outputSchema: true }).map((tool) => tool.inputSchema.required);
  toolset.gemini({ jsonSchema: true }).map((tool) => tool.parametersJsonSchema?.properties);
  console.log(strict, required, toolset.openai(), toolset.anthropic({ strict: true }));
  const answer = await toolset.call("hotdata_execute_sql", { sql: "SELECT 1" });
  const content: string = answer.content;
  const isError: boolean = answer.isError;
  console.log(names, notes, content, isError, answer.structured);
}

export async function service(hotdata: Hotdata, signal: AbortSignal): Promise<void> {
  interface Bindings {
    HOTDATA_API_KEY: string;
    OTHER: { get(name: string): string };
  }
  const bindings: Bindings = { HOTDATA_API_KEY: "hd_key", OTHER: { get: (name) => name } };
  Hotdata.fromEnv(bindings);
  const code: HotdataErrorCode = "outcome_unknown";
  const tables: number = (await hotdata.describeTables()).tables.length;
  const rowCount: number | undefined = (await hotdata.describeTables({ table })).rowCount;
  console.log(code, tables, rowCount);
  await hotdata.tools({ deadlineMs: 1 });

  const limits = { signal, timeoutMs: 1, deadlineMs: 2 };
  const arrow = await hotdata.queryArrow("SELECT 1", limits);
  const stream: ReadableStream<Uint8Array> = arrow.stream;
  const result: QueryResult = await hotdata.getResult("r", { maxRows: 1, maxBytes: 1 });
  const run = await hotdata.getQueryRun("q", { databaseId: "db" });
  const job = await hotdata.waitForJob("j", limits);
  console.log(stream, arrow.totalRowCount, result.rows, run.status, job.result);

  const workspaces: string[] = (await hotdata.listWorkspaces()).map((one) => one.publicId);
  const [connection] = await hotdata.listConnections(limits);
  const [provider] = await hotdata.listEmbeddingProviders();
  console.log(workspaces, provider?.hasSecret);
  const made = await hotdata.createDatabase({
    name: "n",
    ifNotExists: true,
    schemas: [
      {
        name: "public",
        tables: [
          {
            name: "t",
            key: ["id"],
            partitionBy: [{ column: "at", transform: "day" }],
            sortedBy: [{ column: "at", direction: "desc" }],
          },
        ],
      },
    ],
  });
  const fork = await hotdata.forkDatabase(made.id, { expiresAt: "24h" });
  console.log(made.created, fork.forkedFrom?.databaseId);
  const attached = await hotdata.attachCatalog({ connectionId: connection?.id ?? "", alias: "a" });
  await hotdata.detachCatalog({ connectionId: attached.attachments[0]?.connectionId ?? "" });

  interface Item {
    id: bigint;
    v: Float32Array;
  }
  const rows: Item[] = [{ id: 1n, v: new Float32Array(2) }];
  const load = { table: "t", mode: "append" } as const;
  await hotdata.loadTable({ ...load, rows, columns: { id: "BIGINT" } });
  await hotdata.loadTable({ ...load, data: new Blob([]), format: "csv" });
  await hotdata.loadTable({ ...load, data: stream, format: "parquet" });
  await hotdata.loadTable({ ...load, url: new URL("https://x"), maxBytes: 1 });
  await hotdata.loadTable({ ...load, csv: "id\n1\n", idempotencyKey: "k" });
  const upload = await hotdata.uploadFile({
    data: new Uint8Array(1),
    onProgress: ({ bytes, totalBytes }) => console.log(bytes, totalBytes),
  });
  const receipt = await hotdata.loadTable({ ...load, uploadId: upload.uploadId });
  console.log(receipt.rowCount);

  const index = await hotdata.createIndex({
    ...{ table, indexType: "vector", columns: ["v"], metric: "l2", wait: false },
  });
  console.log(index.jobId, index.status);
  await hotdata.dropIndex({ table, indexName: index.indexName });
}

export function caught(error: unknown): string | undefined {
  if (!(error instanceof HotdataError)) return undefined;
  const code: string = error.code;
  const status: number | undefined = error.status;
  const retryable: boolean = error.retryable;
  console.log(code, status, retryable, error.cause);
  return error.hint ?? error.engineMessage ?? error.queryRunId;
}

export async function refused(hotdata: Hotdata): Promise<void> {
  // @ts-expect-error: a search needs its query
  bm25SearchSql({ table, column: "content" });
  // @ts-expect-error: an option spelled wrong
  bm25SearchSql({ tabel: table, column: "content", query: "q" });
  // @ts-expect-error: a filter is an object, never SQL
  bm25SearchSql({ table, column: "content", query: "q", filter: "year > 2020" });
  // @ts-expect-error: no such metric
  vectorDistanceSql({ table, column: "v", vector: [1], metric: "euclid" });
  // @ts-expect-error: a vector holds numbers
  vectorDistanceSql({ table, column: "v", vector: ["1"] });
  // @ts-expect-error: halves have a kind
  hybridSearchSql({ table, keyColumn: "id", halves: [{ column: "title", query: "q" }] });
  // @ts-expect-error: no such option
  new Hotdata({ apikey: "hd_key" });
  // @ts-expect-error: SQL is text
  await hotdata.query(1);
  // @ts-expect-error: no such dialect
  await hotdata.query("SELECT 1", { dialect: "oracle" });
  // @ts-expect-error: no such mode
  await hotdata.loadTable({ table: "t", mode: "merge", csv: "" });
  // @ts-expect-error: a stream has no rows to count
  await hotdata.queryArrow("SELECT 1", { maxRows: 1 });
  // @ts-expect-error: no such kind of index
  await hotdata.createIndex({ table, indexType: "hash", columns: ["v"] });
  // @ts-expect-error: no such form of integers
  await hotdata.query("SELECT 1", { integers: "number" });
  // @ts-expect-error: its values may be bigints
  const result: QueryResult = await hotdata.query("SELECT 1", { integers: "bigint" });
  console.log(result);
  // @ts-expect-error: the rows are no promise's
  (await hotdata.query("SELECT 1")).then();
  // @ts-expect-error: a number is no module
  await init(1);
}
