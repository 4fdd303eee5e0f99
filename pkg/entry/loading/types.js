// The engine's type names, and how Parquet holds each.

import { binary, boolean, decimal, integer, list, moment, real, text } from "./cells.js";
import { named, refused } from "./failure.js";
import { daysOf, microsecondsOf, timeOfDay } from "./moments.js";
import { member } from "./problem.js";

/** @typedef {import("hyparquet-writer").SchemaElement} SchemaElement */
/** @typedef {Omit<SchemaElement, "name">} Element */

/**
 * @typedef {object} ColumnType
 * @property {Element} element Parquet's description of one value, or of one item
 * @property {import("./cells.js").Cell} cell
 * @property {boolean} isFloat
 * @property {boolean} isList
 */

/**
 * @param {Element} element
 * @param {import("./cells.js").Cell} cell
 * @param {boolean} [isFloat]
 * @returns {ColumnType}
 */
const scalar = (element, cell, isFloat = false) => ({ element, cell, isFloat, isList: false });

/**
 * @param {number} bits
 * @param {boolean} signed
 */
function integers(bits, signed) {
  // Not by its logical type, which this writer writes in a form that readers refuse.
  const marked = /** @type {"INT_8"} */ (`${signed ? "INT" : "UINT"}_${bits}`);
  const converted_type = signed && bits >= 32 ? undefined : marked;
  return scalar({ type: bits === 64 ? "INT64" : "INT32", converted_type }, integer(bits, signed));
}

/** @param {boolean} zoned whether the type itself says that it is UTC */
function timestamps(zoned) {
  return scalar(
    {
      type: "INT64",
      ...(zoned ? { converted_type: "TIMESTAMP_MICROS" } : {}),
      logical_type: { type: "TIMESTAMP", isAdjustedToUTC: zoned, unit: "MICROS" },
    },
    moment(
      (value) => microsecondsOf(value, zoned),
      'a Date or a timestamp like "2026-01-31T12:00:00Z"',
    ),
  );
}

const TEXT = scalar(
  { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
  text,
);
const BOOLEAN = scalar({ type: "BOOLEAN" }, boolean);
const FLOAT = scalar({ type: "FLOAT" }, real(32), true);
const DOUBLE = scalar({ type: "DOUBLE" }, real(64), true);
const BINARY = scalar({ type: "BYTE_ARRAY" }, binary);
const DATE = scalar(
  { type: "INT32", converted_type: "DATE", logical_type: { type: "DATE" } },
  moment(daysOf, 'a date like "2026-01-31"'),
);
const TIME = scalar(
  {
    type: "INT64",
    converted_type: "TIME_MICROS",
    logical_type: { type: "TIME", isAdjustedToUTC: false, unit: "MICROS" },
  },
  moment(timeOfDay, 'a time like "12:30:00"'),
);

/** Upper case is the engine's SQL; the others are Arrow's names, as its schema listings print them. */
/** @type {Record<string, ColumnType>} */
const NAMED = {
  VARCHAR: TEXT,
  TEXT,
  STRING: TEXT,
  CHAR: TEXT,
  UUID: TEXT,
  JSON: TEXT,
  BOOLEAN,
  BOOL: BOOLEAN,
  TINYINT: integers(8, true),
  SMALLINT: integers(16, true),
  INTEGER: integers(32, true),
  INT: integers(32, true),
  BIGINT: integers(64, true),
  UTINYINT: integers(8, false),
  USMALLINT: integers(16, false),
  UINTEGER: integers(32, false),
  UBIGINT: integers(64, false),
  REAL: FLOAT,
  FLOAT,
  DOUBLE,
  DATE,
  TIME,
  TIMESTAMP: timestamps(false),
  TIMESTAMPTZ: timestamps(true),
  BINARY,
  BLOB: BINARY,
};
/** @type {Record<string, ColumnType>} */
const ARROW = {
  Utf8: TEXT,
  Boolean: BOOLEAN,
  Int8: integers(8, true),
  Int16: integers(16, true),
  Int32: integers(32, true),
  Int64: integers(64, true),
  UInt8: integers(8, false),
  UInt16: integers(16, false),
  UInt32: integers(32, false),
  UInt64: integers(64, false),
  Float32: FLOAT,
  Float64: DOUBLE,
  Date32: DATE,
  Binary: BINARY,
};

/**
 * The types of `columns`, by column name.
 *
 * @param {unknown} columns
 * @returns {Map<string, ColumnType>}
 */
export function declaredTypes(columns) {
  if (columns === undefined) return new Map();
  if (columns === null || typeof columns !== "object" || Array.isArray(columns)) {
    throw refused("columns", `must be an object of column names and types, not ${named(columns)}`);
  }
  return new Map(
    Object.entries(columns).map(([name, type]) => {
      const argument = `columns${member(name)}`;
      if (typeof type !== "string") {
        throw refused(argument, `must be the name of a type, not ${named(type)}`);
      }
      const found = typeNamed(type);
      if (found) return [name, found];
      throw refused(
        argument,
        `must be a type the engine knows, not ${JSON.stringify(type.slice(0, 40))}`,
        `known are ${Object.keys(NAMED).join(", ")}, DECIMAL(p,s), NUMERIC(p,s), and each followed by [] for a list`,
      );
    }),
  );
}

/**
 * @param {string} name as the engine's SQL has it, `BIGINT` or `float[]`, or Arrow, `List(Float32)`
 * @returns {ColumnType | undefined}
 */
export function typeNamed(name) {
  const trimmed = name.trim();
  const item =
    /^(.*)\[\s*\]$/.exec(trimmed)?.[1] ?? /^List\((\w+)(?:, field: '\w+')?\)$/.exec(trimmed)?.[1];
  if (item === undefined) return scalarNamed(trimmed);
  const type = scalarNamed(item.trim());
  return type && { ...type, cell: list(type.cell, type.isFloat), isList: true };
}

/** @param {string} name */
function scalarNamed(name) {
  if (Object.hasOwn(ARROW, name)) return ARROW[name];
  const upper = name.toUpperCase();
  if (Object.hasOwn(NAMED, upper)) return NAMED[upper];
  // A length bounds nothing in the engine.
  if (/^(VARCHAR|CHAR)\s*\(\s*\d+\s*\)$/.test(upper)) return TEXT;
  const numbers = /^(?:DECIMAL|NUMERIC)(?:\s*\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\))?$/.exec(upper);
  return numbers ? decimals(numbers[1], numbers[2]) : undefined;
}

/**
 * @param {string | undefined} digits
 * @param {string | undefined} after
 */
function decimals(digits, after) {
  const precision = Number(digits ?? 18);
  const scale = Number(after ?? (digits === undefined ? 3 : 0));
  if (precision < 1 || precision > 38 || scale > precision) return undefined;
  return scalar(
    {
      ...(precision > 18 ? { type: "FIXED_LEN_BYTE_ARRAY", type_length: 16 } : { type: "INT64" }),
      converted_type: "DECIMAL",
      precision,
      scale,
      logical_type: { type: "DECIMAL", precision, scale },
    },
    decimal(precision, scale),
  );
}

/**
 * Parquet's description of a column: every column may be NULL, and so may an item.
 *
 * @param {string} name
 * @param {ColumnType} type
 * @returns {SchemaElement[]}
 */
export function schemaOf(name, { element, isList }) {
  if (!isList) return [{ name, repetition_type: "OPTIONAL", ...element }];
  return [
    {
      name,
      repetition_type: "OPTIONAL",
      num_children: 1,
      converted_type: "LIST",
      logical_type: { type: "LIST" },
    },
    { name: "list", repetition_type: "REPEATED", num_children: 1 },
    { name: "element", repetition_type: "OPTIONAL", ...element },
  ];
}
