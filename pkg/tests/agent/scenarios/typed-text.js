// A model that sends a search what a search engine's query language would take.

import { assert } from "chai";
import { call, obey, right, wrong } from "../model.js";

/** The words of a text that searches by words refuse for its operators. */
const plain = (/** @type {string} */ text) => text.replace(/[^\w ]+|\b(AND|OR|NOT)\b/g, " ").trim();

/** @type {import("../model.js").Scenario[]} */
export const scenarios = [
  ['"graph embeddings" AND (neural', "words"],
  ["title:graph", "words"],
  ["what's a graph", "words"],
  ["-graph", "words"],
  ['Text, KG and embeddings"', "fused"],
].map(([query = "", set = ""]) => ({
  title: `operators are refused and plain words found: ${query}`,
  set,
  turns: [
    [
      "searches with operators",
      call("hotdata_search_text", { query }),
      wrong({ code: "bad_request", hint: /plain words/ }),
    ],
    [
      "sends the same in plain words, as the hint asks",
      obey((said) => {
        assert.match(said.text, /send plain words/);
        return { name: said.call.name, arguments: { query: plain(query), k: 4 } };
      }),
      right((answer) => assert.lengthOf(answer.rows, 4)),
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
