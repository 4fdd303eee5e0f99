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
