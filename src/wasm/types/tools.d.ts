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
  /** A condition that every hit fulfils, whatever the model asks for. It narrows the search tools, not SQL. */
  searchFilter?: Filter;
  /** How many rows a search returns unless the model asks for more; 5 unless given, 100 at most. */
  searchK?: number;
  /** `auto` takes the best the indexes serve. */
  searchStrategy?: "auto" | "text" | "semantic" | "hybrid";
  /** The search tool's name as it is, without the suffix. */
  searchToolName?: string;
  /** Needed to search a plain vector index. */
  embed?: Embed;
  /** Other columns that SQL can search, the most wanted first; those that no index serves are left out and noted. */
  searchableColumns?: readonly { table: string; column: string }[];
  /** The most rows a tool shows; 100 unless given, 10,000 at most. */
  maxRows?: number;
  /**
   * How `content` writes rows; `records` unless given. `columns` says the names once. `csv` and `markdown` follow a line of
   * metadata; in both an empty cell is NULL and `""` an empty text. `structured` is the same for all.
   */
  resultFormat?: "records" | "columns" | "csv" | "markdown";
  /** `hotdata_execute_sql`; true unless given. */
  sqlTool?: boolean;
  /** Whether that tool refuses statements that write; true unless given. The real boundary is what the key may do. */
  readOnly?: boolean;
  /** `hotdata_describe_tables`; true unless given. */
  describeTables?: boolean;
  /** Whether it counts each column's values, with one more query; true unless given. */
  describeColumnStats?: boolean;
  /** Whether it tells what each column can be searched by, with one more request; true unless given. */
  describeSearchCapabilities?: boolean;
  /** `hotdata_aggregate_matches`, beside a search by words; true unless given. */
  aggregateTool?: boolean;
  /** The tools that list, create and load databases; true unless given. */
  managementTools?: boolean;
  /** Stands after `_` on every tool's name: for sets over several databases in one agent. */
  toolNameSuffix?: string;
  /** What the database is called in descriptions; its own name unless given. */
  label?: string;
  /** The catalog that descriptions name; read from the database unless given. */
  catalog?: string;
  /** Whether the load tool may be sent to a private host; false unless given. */
  allowPrivateHosts?: boolean;
}

export interface ToolDefinition {
  name: string;
  title: string;
  description: string;
  inputSchema: ToolInputSchema;
  annotations: ToolAnnotations;
}

/** JSON Schema 2020-12. A type alias: an interface is not assignable to the open objects of the providers' own types. */
export type ToolInputSchema = {
  type: "object";
  properties: Record<string, Record<string, Json>>;
  required: string[];
  additionalProperties: false;
};

export interface ToolAnnotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** A function tool of OpenAI's Responses API. */
export interface OpenAiTool {
  type: "function";
  name: string;
  description: string;
  parameters: ToolInputSchema;
  strict: boolean;
}

/** A function tool of OpenAI's Chat Completions API. */
export interface OpenAiChatTool {
  type: "function";
  function: {
    name: string;
    description: string;
    parameters: ToolInputSchema;
    /** There where it is true. */
    strict?: boolean;
  };
}

/** A tool of Anthropic's Messages API. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: ToolInputSchema;
  /** There where it is true. */
  strict?: boolean;
}

/** A function declaration of Gemini. */
export interface GeminiTool {
  name: string;
  description: string;
  /** Absent of a tool without arguments. */
  parameters?: GeminiSchema;
  parametersJsonSchema?: ToolInputSchema;
}

/** The subset of OpenAPI's Schema that Gemini takes. */
export interface GeminiSchema {
  /** `OBJECT`, `STRING`, `INTEGER`, `BOOLEAN` or `ARRAY`; `any`, since no text is assignable to the enum of Google's SDK. */
  type: any;
  description?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  items?: GeminiSchema;
  properties?: Record<string, GeminiSchema>;
  required?: string[];
}

/** A tool as an MCP server lists it. */
export interface McpTool {
  name: string;
  title: string;
  description: string;
  inputSchema: ToolInputSchema;
  annotations: ToolAnnotations;
  outputSchema?: {
    type: "object";
    properties: Record<string, { type: "object" | "array"; items?: { type: "object" } }>;
  };
}

export interface ToolResult {
  /** For the model, with every digit the engine sent: rows as `resultFormat` says, all else as compact JSON. */
  content: string;
  /** The same as an object, rows as records, numbers that JavaScript would change as strings. */
  structured: Record<string, Json> & { rows?: Record<string, Json>[] };
  isError: boolean;
}
