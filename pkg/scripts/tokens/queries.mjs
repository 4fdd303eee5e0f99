// Results of the sample papers: numbers in many rows, titles, a ranking with both, and whole abstracts.

const PAPERS = "default.public.papers";

/** @type {Record<"numeric" | "text" | "mixed" | "prose", { sql: string, maxRows: number }>} */
export const QUERIES = {
  numeric: {
    sql:
      "SELECT id, character_length(title) AS title_length, character_length(abstract) AS abstract_length, " +
      "character_length(abstract) / CAST(character_length(title) AS DOUBLE) AS length_ratio " +
      `FROM ${PAPERS} ORDER BY id`,
    maxRows: 100,
  },
  text: { sql: `SELECT id, title FROM ${PAPERS} ORDER BY id`, maxRows: 100 },
  mixed: {
    sql:
      `SELECT id, title, score FROM bm25_search('${PAPERS}', 'content', 'knowledge graph embedding', 50) ` +
      "ORDER BY score DESC",
    maxRows: 50,
  },
  // Prose that no format can shorten: what is left to save is what stands around it.
  prose: { sql: `SELECT id, title, abstract FROM ${PAPERS} ORDER BY id`, maxRows: 20 },
};
