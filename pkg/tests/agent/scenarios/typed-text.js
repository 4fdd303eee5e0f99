// A model that sends a search what a search engine's query language would take.

import { assert } from "chai";
import { call, right, told } from "../model.js";

/** The words of a text that searches by words cannot read for its operators. */
const plain = (/** @type {string} */ text) =>
  text
    .replace(/[^\w]+/g, " ")
    .trim()
    .toLowerCase();

/** @type {import("../model.js").Scenario[]} */
export const scenarios = [
  ['"graph embeddings" AND (neural', "words"],
  ["title:graph", "words"],
  ["what's a graph", "words"],
  ["-graph", "words"],
  ['Text, KG and embeddings"', "fused"],
].map(([query = "", set = ""]) => ({
  title: `what cannot be read as a query is searched by its words, and that is said: ${query}`,
  set,
  turns: [
    [
      "searches with operators",
      call("hotdata_search_text", { query, k: 4 }),
      told(({ metadata, rows }) => {
        assert.lengthOf(rows, 4);
        assert.include(metadata.client_warning, `its words were searched: ${plain(query)}.`);
      }),
    ],
    [
      "sends the words",
      call("hotdata_search_text", { query: plain(query), k: 4 }),
      right((answer, _, said) => {
        assert.lengthOf(answer.rows, 4);
        assert.notInclude(said.text, "its words were searched");
      }),
    ],
  ],
}));

scenarios.push({
  title: "a search by meaning takes any text as it is",
  set: "meaning",
  turns: [
    [
      "asks with quotes, brackets and colons",
      call("hotdata_search_semantic", { query: 'what\'s "entity linking" (NLP: graphs)?', k: 4 }),
      right((answer) => assert.lengthOf(answer.rows, 4)),
    ],
  ],
});
