// Statements that fail, and what a model makes of the hint.

import { PAPERS } from "./samples.js";

const SEMANTIC = "default.public.papers_semantic";

/**
 * A statement that fails, what its hint says, and the statement that a model makes of the hint: of what the expression
 * finds in it, where that is a function.
 *
 * @typedef {[sql: string, says: RegExp, next: string | ((found: string[]) => string)]} Turn
 */

/** @type {Record<string, Turn[]>} */
export const TURNS = {
  "an unknown column": [
    [
      `SELECT titel FROM ${PAPERS} LIMIT 1`,
      /^Nearest: default\.public\.papers has (\w+)\. For all call hotdata_describe_tables\.$/,
      ([, column]) => `SELECT ${column} FROM ${PAPERS} LIMIT 1`,
    ],
    [
      "SELECT p.paper_title_text FROM papers p",
      /^There is: default\.public\.papers has id, (\w+), .* For all call/,
      ([, column]) => `SELECT p.${column} FROM papers p LIMIT 1`,
    ],
    [
      `SELECT abstract_text FROM ${SEMANTIC} s JOIN ${PAPERS} p ON s.id = p.id LIMIT 1`,
      /^Nearest: default\.public\.papers has (\w+)\./,
      ([, column]) => `SELECT ${column} FROM ${SEMANTIC} s JOIN ${PAPERS} p ON s.id = p.id LIMIT 1`,
    ],
    [
      `SELECT "Title" FROM ${PAPERS} LIMIT 1`,
      /^Names are stored in lower case\. Nearest: default\.public\.papers has (\w+)\./,
      ([, column]) => `SELECT "${column}" FROM ${PAPERS} LIMIT 1`,
    ],
    [
      `SELECT x.title FROM ${PAPERS} p LIMIT 1`,
      /^It exists: give it its alias from FROM/,
      `SELECT p.title FROM ${PAPERS} p LIMIT 1`,
    ],
    [
      `SELECT id FROM ${PAPERS} WHERE title = "Some words"`,
      /^Text goes in single quotes\./,
      `SELECT id FROM ${PAPERS} WHERE title = 'Some words'`,
    ],
  ],
  "an unknown table": [
    [
      "SELECT id FROM papres",
      /^Nearest: (\S+)\. For all call hotdata_describe_tables\.$/,
      ([, table]) => `SELECT id FROM ${table} LIMIT 1`,
    ],
    [
      "SELECT id FROM main.papers",
      /^Nearest: (\S+)\. For all/,
      ([, table]) => `SELECT id FROM ${table} LIMIT 1`,
    ],
    [
      'SELECT id FROM "Papers"',
      /^Nearest: (\S+)\. For all/,
      ([, table]) => `SELECT id FROM ${table} LIMIT 1`,
    ],
    [
      "SELECT id FROM f1_db.public.drivers",
      /^A query sees the catalogs of its own database alone: default\. .* There is: (\S+), (\S+)\. For all/,
      ([, , table]) => `SELECT id FROM ${table} LIMIT 1`,
    ],
    [
      "SELECT id FROM bm25_search('papers', 'content', 'graph', 3)",
      /^Nearest: (\S+)\. For all/,
      ([, table]) => `SELECT id FROM bm25_search('${table}', 'content', 'graph', 3)`,
    ],
    [
      "SELECT * FROM pg_indexes",
      /^There are (information_schema\.tables) and \.columns; what is searchable shows/,
      ([, table]) => `SELECT table_name FROM ${table}`,
    ],
    [
      "SELECT id FROM empty_declared",
      /^The table is empty until data is loaded\. There is: (\S+), /,
      ([, table]) => `SELECT id FROM ${table} LIMIT 1`,
    ],
  ],
  "an unknown function": [
    [
      `SELECT id FROM ${PAPERS} WHERE to_tsvector('english', content) @@ to_tsquery('graph')`,
      /There is: (FROM bm25_search\(.*\) ORDER BY score DESC); cosine_distance of embedding to a vector\./,
      ([, ranked]) => `SELECT id ${ranked}`,
    ],
    [
      `SELECT ts_rank(title, 'x') FROM ${SEMANTIC}`,
      /There is: (FROM vector_search\(.*\) ORDER BY _distance)\./,
      ([, ranked]) => `SELECT id ${ranked}`,
    ],
    [
      `SELECT id FROM text_search('${PAPERS}', 'content', 'graph', 3)`,
      /^Write FROM (bm25_search\()'catalog\.schema\.table', 'column', 'words', 100\),/,
      ([, call]) => `SELECT id FROM ${call}'${PAPERS}', 'content', 'graph', 100)`,
    ],
    [
      "SELECT date_sub(CAST('2026-08-12' AS DATE), 6)",
      /Write d (- INTERVAL '6 days')\./,
      ([, interval]) => `SELECT CAST('2026-08-12' AS DATE) ${interval}`,
    ],
    [
      "SELECT date_add(CAST('2026-08-12' AS DATE), 6)",
      /Write d (\+ INTERVAL '6 days')\./,
      ([, interval]) => `SELECT CAST('2026-08-12' AS DATE) ${interval}`,
    ],
    [
      "SELECT datediff(a, b) FROM (SELECT now() AS a, now() AS b)",
      /Write (CAST\(a AS DATE\) - CAST\(b AS DATE\)) for days\./,
      ([, days]) => `SELECT ${days} FROM (SELECT now() AS a, now() AS b)`,
    ],
    [
      "SELECT month(d), len('abc') FROM (SELECT now() AS d)",
      /Write (EXTRACT\(MONTH FROM d\))\./,
      ([, month]) => `SELECT ${month} FROM (SELECT now() AS d)`,
    ],
    ["SELECT len('abc')", /Write (length\()x\)\./, ([, call]) => `SELECT ${call}'abc')`],
    [
      "SELECT if(id > 3, 'a', 'b') FROM papers",
      /Write CASE WHEN a (THEN) b (ELSE) c (END)\./,
      ([, then, otherwise, end]) =>
        `SELECT CASE WHEN id > 3 ${then} 'a' ${otherwise} 'b' ${end} FROM papers LIMIT 1`,
    ],
    [
      "SELECT strftime(now(), '%Y'), str_to_date('2026-08-12', '%Y-%m-%d')",
      /Write (to_char)\(d, '%Y-%m-%d'\)\./,
      ([, call]) => `SELECT ${call}(now(), '%Y')`,
    ],
    [
      "SELECT str_to_date('2026-08-12', '%Y-%m-%d')",
      /Write (to_date)\(s, '%Y-%m-%d'\)\./,
      ([, call]) => `SELECT ${call}('2026-08-12', '%Y-%m-%d')`,
    ],
    [
      "SELECT group_concat(title) FROM papers",
      /Write (string_agg)\(x, ', '\)\./,
      ([, call]) => `SELECT ${call}(title, ', ') FROM papers`,
    ],
    [
      `SELECT uper(title) FROM ${PAPERS}`,
      /Apache DataFusion's: write the suggested one/,
      `SELECT upper(title) FROM ${PAPERS} LIMIT 1`,
    ],
  ],
  "a search without its index": [
    [
      `SELECT id FROM bm25_search('${PAPERS}', 'title', 'graph', 3)`,
      /There is: (FROM bm25_search\('default\.public\.papers', 'content', .*\) ORDER BY score DESC);/,
      ([, ranked]) => `SELECT id ${ranked}`,
    ],
    [
      `SELECT id FROM bm25_search('${SEMANTIC}', 'content', 'graph', 3)`,
      /There is: (FROM vector_search\(.*\) ORDER BY _distance)\. A column ILIKE/,
      ([, ranked]) => `SELECT id ${ranked}`,
    ],
    [
      `SELECT id FROM vector_search('${PAPERS}', 'content', 'graph', 3)`,
      /an embedding provider on the column\. There is: (FROM bm25_search\(.*\) ORDER BY score DESC);/,
      ([, ranked]) => `SELECT id ${ranked}`,
    ],
    [
      "SELECT id, vector_distance(title, 'graph') AS d FROM papers ORDER BY d LIMIT 3",
      /A column (ILIKE '%word%') filters without an index\.$/,
      ([, filter]) => `SELECT id FROM papers WHERE title ${filter}`,
    ],
    [
      `SELECT id, score FROM vector_search('${SEMANTIC}', 'content', 'graph', 3)`,
      /those of vector_search (_distance)\.$/,
      ([, distance]) =>
        `SELECT id, ${distance} FROM vector_search('${SEMANTIC}', 'content', 'graph', 3)`,
    ],
    [
      `EXPLAIN SELECT id FROM vector_search('${SEMANTIC}', 'content', 'graph', 3)`,
      /^Run the query without EXPLAIN/,
      `SELECT id FROM vector_search('${SEMANTIC}', 'content', 'graph', 3)`,
    ],
    [
      `SELECT id FROM bm25_search('${PAPERS}', 'content', 'graph: "open', 3)`,
      /send plain words\.$/,
      `SELECT id FROM bm25_search('${PAPERS}', 'content', 'graph open', 3)`,
    ],
    [
      `SELECT id FROM bm25_search('${PAPERS}', 'content')`,
      /^Write FROM (bm25_search\()/,
      ([, call]) => `SELECT id FROM ${call}'${PAPERS}', 'content', 'words', 100)`,
    ],
  ],
  "SQL that does not read or fit": [
    [
      'SELECT COUNT(all) FROM (SELECT 1 AS "all")',
      /A keyword as a name is quoted: ("all")\.$/,
      ([, name]) => `SELECT COUNT(${name}) FROM (SELECT 1 AS "all")`,
    ],
    [
      `SELECT id FROM ${PAPERS} WHERE title = 'it's'`,
      /Write a quote within a text twice: ('it''s')\./,
      ([, text]) => `SELECT id FROM ${PAPERS} WHERE title = ${text}`,
    ],
    [
      "SELECT to_date('2026-08-12', 'YYYY-MM-DD')",
      /write ('%Y-%m-%d')/,
      ([, codes]) => `SELECT to_date('2026-08-12', ${codes})`,
    ],
    [
      "SELECT cosine_distance(ARRAY[1.0, 0.5], ARRAY[1, 0])",
      /Write every number of the vector with a point: (ARRAY\[1\.0, 0\.0\])\./,
      ([, vector]) => `SELECT cosine_distance(ARRAY[1.0, 0.5], ${vector})`,
    ],
    [
      `SELECT id FROM ${PAPERS} a JOIN ${PAPERS} b ON a.id = b.id`,
      /^Put the table's alias before the column: (a\.id)\.$/,
      ([, column]) => `SELECT ${column} FROM ${PAPERS} a JOIN ${PAPERS} b ON a.id = b.id`,
    ],
    [
      `SELECT repeat(title, 10000000) FROM ${PAPERS}`,
      /^Ask for less: aggregate, name fewer columns/,
      `SELECT MAX(length(title)) FROM ${PAPERS}`,
    ],
  ],
};
