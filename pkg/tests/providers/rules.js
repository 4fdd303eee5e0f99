// The rules of each provider for the tools of a request. What breaks one is told in words; nothing is told of what is valid.
//
// Where providers publish several limits, or lowered or raised one, the tightest counts: a toolset is one for all.

/** @typedef {Record<string, any>} Schema */
/**
 * @typedef {{
 *   keywords: readonly string[],
 *   types: readonly string[],
 *   nullable?: boolean,
 *   allRequired?: boolean,
 * }} Dialect what a schema may be written with. nullable: what is optional is a union with null; allRequired: every
 *   property stands in `required`
 */
/** @typedef {{ members: readonly string[], schema: string, dialect: Dialect, open?: boolean }} Shape of one tool */

const BASE = ["type", "description", "properties", "required", "items", "enum"];
const TYPES = ["object", "array", "string", "integer", "boolean"];
const PLAIN = {
  keywords: [...BASE, "minimum", "maximum", "additionalProperties"],
  types: TYPES,
};
const STRICT = { keywords: [...BASE, "additionalProperties"], types: TYPES };
const GEMINI = {
  keywords: [...BASE, "minimum", "maximum"],
  types: TYPES.map((type) => type.toUpperCase()),
};
const OPENAI = ["type", "name", "description", "parameters", "strict"];

/**
 * The forms of a toolset: how they are asked for, and what each tool has to look like.
 *
 * @type {Record<string, { made: (toolset: any) => any[], shape: Shape, limits?: Limits }>}
 */
export const FORMS = {
  definitions: {
    made: (toolset) => toolset.tools,
    shape: {
      members: ["name", "title", "description", "inputSchema", "annotations"],
      schema: "inputSchema",
      dialect: PLAIN,
    },
  },
  "openai, strict": {
    made: (toolset) => toolset.openai(),
    shape: {
      members: OPENAI,
      schema: "parameters",
      dialect: { ...STRICT, nullable: true, allRequired: true },
    },
    limits: { tools: 128 },
  },
  "openai, not strict": {
    made: (toolset) => toolset.openai({ strict: false }),
    shape: { members: OPENAI, schema: "parameters", dialect: PLAIN },
    limits: { tools: 128 },
  },
  "openai chat, strict": {
    made: (toolset) => toolset.openaiChat({ strict: true }).map(unwrapped),
    shape: {
      members: ["type", "name", "description", "parameters", "strict"],
      schema: "parameters",
      dialect: { ...STRICT, nullable: true, allRequired: true },
    },
    limits: { tools: 128 },
  },
  "openai chat, not strict": {
    made: (toolset) => toolset.openaiChat().map(unwrapped),
    shape: {
      members: ["type", "name", "description", "parameters"],
      schema: "parameters",
      dialect: PLAIN,
    },
    limits: { tools: 128 },
  },
  "anthropic, not strict": {
    made: (toolset) => toolset.anthropic(),
    shape: {
      members: ["name", "description", "input_schema"],
      schema: "input_schema",
      dialect: PLAIN,
    },
  },
  "anthropic, strict": {
    made: (toolset) => toolset.anthropic({ strict: true }),
    shape: {
      members: ["name", "description", "input_schema", "strict"],
      schema: "input_schema",
      dialect: STRICT,
    },
    limits: { tools: 20, optional: 24, unions: 16 },
  },
  gemini: {
    made: (toolset) => toolset.gemini(),
    shape: {
      members: ["name", "description", "parameters"],
      schema: "parameters",
      dialect: GEMINI,
      open: true,
    },
  },
  "gemini, JSON Schema": {
    made: (toolset) => toolset.gemini({ jsonSchema: true }),
    shape: {
      members: ["name", "description", "parametersJsonSchema"],
      schema: "parametersJsonSchema",
      dialect: PLAIN,
    },
  },
  mcp: {
    made: (toolset) => toolset.mcp(),
    shape: {
      members: ["name", "title", "description", "inputSchema", "annotations"],
      schema: "inputSchema",
      dialect: PLAIN,
    },
  },
  "mcp, with output schemas": {
    made: (toolset) => toolset.mcp({ outputSchema: true }),
    shape: {
      members: ["name", "title", "description", "inputSchema", "annotations", "outputSchema"],
      schema: "inputSchema",
      dialect: PLAIN,
    },
  },
};

/** The strictest of the providers' patterns: Bedrock takes no dash, OpenAI no more than 64 characters. */
const TOOL_NAME = /^[a-zA-Z][a-zA-Z0-9_]{0,63}$/;
const PROPERTY_NAME = /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/;
const DESCRIPTION = 1_024;
/** Levels of nesting, properties, characters of names and enums: what OpenAI's strict mode has taken from the start. */
const DEPTH = 5;
const PROPERTIES = 100;
const CHARACTERS = 15_000;

/** @typedef {{ tools?: number, optional?: number, unions?: number }} Limits of one request */

/**
 * What breaks a rule in a form of a whole set.
 *
 * @param {keyof typeof FORMS} form
 * @param {any[]} tools
 * @returns {string[]}
 */
export function problems(form, tools) {
  const { shape, limits = {} } = /** @type {(typeof FORMS)[string]} */ (FORMS[form]);
  /** @type {string[]} */
  const found = [];
  const count = { optional: 0, unions: 0 };
  for (const tool of tools) {
    const tell = (/** @type {string} */ what) => found.push(`${tool?.name}: ${what}`);
    checkTool(tool, shape, tell);
    const schema = tool?.[shape.schema];
    if (schema === undefined) continue;
    const seen = { properties: 0, characters: 0, optional: 0, unions: 0 };
    const type = String(schema?.type);
    if (type.toLowerCase() !== "object") tell(`the arguments are ${type}, not an object`);
    checkSchema(schema, shape.dialect, "", 1, seen, tell);
    if (seen.properties > PROPERTIES) tell(`${seen.properties} properties`);
    if (seen.characters > CHARACTERS) tell(`${seen.characters} characters of names and enums`);
    count.optional += seen.optional;
    count.unions += seen.unions;
  }
  const names = tools.map((tool) => tool?.name);
  if (new Set(names).size !== names.length) found.push("two tools of one name");
  if (tools.length > (limits.tools ?? 128)) found.push(`${tools.length} tools`);
  for (const what of /** @type {const} */ (["optional", "unions"])) {
    if (count[what] > (limits[what] ?? Number.POSITIVE_INFINITY)) {
      found.push(`${count[what]} ${what}, at most ${limits[what]}`);
    }
  }
  return found;
}

/**
 * @param {any} tool
 * @param {Shape} shape
 * @param {(what: string) => void} tell
 */
function checkTool(tool, shape, tell) {
  if (!TOOL_NAME.test(tool?.name)) tell("no name that every provider takes");
  if (typeof tool?.description !== "string" || tool.description.trim() === "") {
    tell("no description");
  } else if ([...tool.description].length > DESCRIPTION) {
    tell(`a description of ${[...tool.description].length} characters`);
  }
  for (const member of Object.keys(tool)) {
    if (!shape.members.includes(member)) tell(`the member ${member}`);
  }
  for (const member of shape.members) {
    // Gemini's functions without arguments have no schema at all.
    if (tool[member] === undefined && !(shape.open && member === shape.schema)) {
      tell(`no member ${member}`);
    }
  }
  if ("strict" in tool && typeof tool.strict !== "boolean")
    tell("strict is neither true nor false");
  if (shape.members.includes("type") && tool.type !== "function") tell("not of type function");
}

/**
 * @param {any} schema
 * @param {Dialect} dialect
 * @param {string} path
 * @param {number} depth
 * @param {{ properties: number, characters: number, optional: number, unions: number }} seen
 * @param {(what: string) => void} tell
 */
function checkSchema(schema, dialect, path, depth, seen, tell) {
  const at = (/** @type {string} */ what) => tell(`${path || "the arguments"}: ${what}`);
  if (typeof schema !== "object" || schema === null || Array.isArray(schema))
    return at("no schema");
  if (Object.keys(schema).length === 0) return at("an empty schema");
  if (depth > DEPTH) return at(`nested ${depth} levels deep`);
  for (const keyword of Object.keys(schema)) {
    if (!dialect.keywords.includes(keyword)) at(`the keyword ${keyword}`);
  }
  const { type, nullable } = typeOf(schema, dialect, at);
  if (nullable || schema.anyOf || schema.oneOf) seen.unions += 1;
  if ("description" in schema && (typeof schema.description !== "string" || !schema.description)) {
    at("a description that is no text");
  }
  checkValues(schema, type, nullable, seen, at);
  if (type === "array") {
    if (!("items" in schema)) at("an array of nothing in particular");
    else checkSchema(schema.items, dialect, `${path}[]`, depth + 1, seen, tell);
  } else if ("items" in schema) at(`items of ${type}`);
  if (type === "object") checkObject(schema, dialect, path, depth, seen, tell);
  else if ("properties" in schema || "required" in schema) at(`properties of ${type}`);
}

/**
 * @param {Schema} schema
 * @param {Dialect} dialect
 * @param {(what: string) => void} at
 */
function typeOf({ type }, dialect, at) {
  let only = type;
  let nullable = false;
  if (Array.isArray(type)) {
    if (!dialect.nullable) at(`the types ${type.join(", ")}`);
    if (type.length !== 2 || type[1] !== "null")
      at(`the types ${type.join(", ")}, not one and null`);
    only = type[0];
    nullable = true;
  }
  if (!dialect.types.includes(only)) at(`the type ${only}`);
  return { type: String(only).toLowerCase(), nullable };
}

/**
 * @param {Schema} schema
 * @param {string} type
 * @param {boolean} nullable
 * @param {{ characters: number }} seen
 * @param {(what: string) => void} at
 */
function checkValues(schema, type, nullable, seen, at) {
  if ("enum" in schema) {
    const values = Array.isArray(schema.enum) ? schema.enum : [];
    const words = nullable ? values.filter((value) => value !== null) : values;
    if (type !== "string") at(`an enum of ${type}`);
    if (words.length === 0) at("an enum of nothing");
    if (words.some((word) => typeof word !== "string" || word === ""))
      at("an enum of other than texts");
    if (new Set(values).size !== values.length) at("an enum that says a word twice");
    if (nullable && words.length === values.length) at("an enum that leaves out its null");
    seen.characters += words.join("").length;
  }
  for (const bound of ["minimum", "maximum"]) {
    if (!(bound in schema)) continue;
    if (type !== "integer") at(`${bound} of ${type}`);
    if (!Number.isSafeInteger(schema[bound])) at(`${bound} is ${schema[bound]}`);
  }
  if (schema.minimum > schema.maximum) at("a minimum above its maximum");
}

/**
 * @param {Schema} schema
 * @param {Dialect} dialect
 * @param {string} path
 * @param {number} depth
 * @param {{ properties: number, characters: number, optional: number, unions: number }} seen
 * @param {(what: string) => void} tell
 */
function checkObject(schema, dialect, path, depth, seen, tell) {
  const at = (/** @type {string} */ what) => tell(`${path || "the arguments"}: ${what}`);
  const { properties, required = [] } = schema;
  if (typeof properties !== "object" || properties === null) return at("no properties");
  const names = Object.keys(properties);
  if (!dialect.keywords.includes("additionalProperties")) {
    if (names.length === 0) at("an object without properties, which Gemini refuses");
    if ("required" in schema && required.length === 0) at("an empty required");
  } else if (schema.additionalProperties !== false) at("additionalProperties is not false");
  if (!Array.isArray(required)) return at("required is no list");
  if (new Set(required).size !== required.length) at("a name is required twice");
  for (const name of required) if (!names.includes(name)) at(`${name} is required and not there`);
  const optional = names.filter((name) => !required.includes(name));
  seen.optional += optional.length;
  if (dialect.allRequired && optional.length) at(`${optional.join(", ")} not required`);
  for (const name of names) {
    if (!PROPERTY_NAME.test(name)) at(`the property name ${name}`);
    seen.properties += 1;
    seen.characters += name.length;
    checkSchema(properties[name], dialect, path ? `${path}.${name}` : name, depth + 1, seen, tell);
  }
}

/** @param {any} tool of Chat Completions @returns {any} */
function unwrapped(tool) {
  return { ...tool.function, type: tool.type };
}
