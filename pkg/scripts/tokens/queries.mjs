// Three results of the sample papers: numbers in many rows, text, and a ranking with both.

const PAPERS = "default.public.papers";

/** @type {Record<"numeric" | "text" | "mixed", { sql: string, maxRows: number }>} */
export const QUERIES = {
  numeric: {
    sql:
      "SELECT id, character_length(title) AS title_length, character_length(abstract) AS abstract_length, " +
      "character_length(abstract) / CAST(character_length(title) AS DOUBLE) AS length_ratio " +
      `FROM ${PAPERS} ORDER BY id`,
    maxRows: 100,
  },
  text: {
    sql:
      "SELECT id, title, split_part(title, ' ', 1) AS first_word, substr(abstract, 1, 40) AS abstract_start, " +
      `substr(abstract, 41, 40) AS abstract_next FROM ${PAPERS} ORDER BY id`,
    maxRows: 100,
  },
  mixed: {
    sql:
      `SELECT id, title, score FROM bm25_search('${PAPERS}', 'content', 'knowledge graph embedding', 50) ` +
      "ORDER BY score DESC",
    maxRows: 50,
  },
};
