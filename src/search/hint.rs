//! The engine's refusals by their words, and the step that follows from each.

use crate::error::Error;
use crate::text::after;

use Asks::{Columns, Meaning, Nothing, OfEmpty, Projection, Tables, Words};

/// A refusal of a known kind. The words are the service's (contract) or DataFusion's.
pub(crate) struct Refusal {
    words: &'static str,
    /// What to do, as far as the words tell.
    pub hint: &'static str,
    pub asks: Asks,
}

/// What of the database tells more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asks {
    Nothing,
    /// The columns of the tables that the statement names; the words lead to a name that is none of them.
    Columns,
    /// The tables; the words lead to a name that is none of them.
    Tables,
    /// The tables that have data.
    OfEmpty,
    /// Any column of the table.
    Projection,
    /// What can be searched by words in the table; the words lead to the column.
    Words,
    /// The same by meaning.
    Meaning,
}

const PLAIN_WORDS: &str =
    "Search by words reads quotes, brackets, colons, + and - as operators: send plain words.";
const SEARCH_CALL: &str = "Write FROM bm25_search('catalog.schema.table', 'column', 'words', 100), vector_search the same.";
const SCORES: &str = "Rows of bm25_search have score, those of vector_search _distance.";
const SYSTEM: &str = "There are information_schema.tables and .columns; what is searchable shows where a table is described.";

/// A function's name follows.
const UNKNOWN_FUNCTION: &str = "nvalid function '";

impl Refusal {
    /// The function that is none, where that is what is refused; `rest` is what follows the words.
    pub fn name<'a>(&self, rest: &'a str) -> Option<&'a str> {
        let is_function = self.words == UNKNOWN_FUNCTION;
        rest.split('\'').next().filter(|_| is_function)
    }
}

const fn refusal(words: &'static str, hint: &'static str) -> Refusal {
    Refusal { words, hint, asks: Nothing }
}

const fn asking(words: &'static str, hint: &'static str, asks: Asks) -> Refusal {
    Refusal { words, hint, asks }
}

/// Of several that fit the first counts.
const REFUSALS: &[Refusal] = &[
    refusal("function 'if", "Write CASE WHEN a THEN b ELSE c END."),
    asking("function 'to_ts", SEARCH_CALL, Words),
    asking("function 'ts_", SEARCH_CALL, Words),
    asking("function 'plainto_", SEARCH_CALL, Words),
    asking("function 'phraseto_", SEARCH_CALL, Words),
    asking("function 'websearch_", SEARCH_CALL, Words),
    asking("function 'match", SEARCH_CALL, Words),
    asking("function 'similarity", SEARCH_CALL, Words),
    asking("function 'bm25", SEARCH_CALL, Words),
    asking("function 'text_", SEARCH_CALL, Words),
    asking("function 'hybrid_", SEARCH_CALL, Words),
    asking("function 'vector_", SEARCH_CALL, Meaning),
    refusal(
        UNKNOWN_FUNCTION,
        "Functions are Apache DataFusion's: write the suggested one if that is meant.",
    ),
    asking(
        "No BM25 index found on column '",
        "Search by words needs a BM25 index on the column.",
        Words,
    ),
    asking(
        "no vector index with embedding configuration found for column '",
        "Search by meaning needs an index with an embedding provider on the column.",
        Meaning,
    ),
    refusal("rewrite-only stub", "Run the query without EXPLAIN: only its plan cannot be had."),
    asking("is declared but has no data", "The table is empty until data is loaded.", OfEmpty),
    asking(
        "must either specify a row count",
        "Name one of the table's own columns in the SELECT.",
        Projection,
    ),
    refusal("a database is required", "The program has to name a database; SQL cannot."),
    refusal("got List(", "Write every number of the vector with a point: ARRAY[1.0, 0.0]."),
    refusal("lists of floats", "A distance takes a column of vectors and ARRAY[1.0, 0.5]."),
    refusal("query vector length", "Give as many numbers as the stored vectors have."),
    refusal("must be a text literal", SEARCH_CALL),
    refusal("_search requires at least", SEARCH_CALL),
    refusal("single SQL statement", "Send one statement a call."),
    refusal("ML not supported", "Only queries run here: write a SELECT."),
    refusal("DL not supported", "Only queries run here: write a SELECT."),
    refusal("Ambiguous reference", "Put the table's alias before the column: a.id."),
    refusal("Unterminated string", "Write a quote within a text twice: 'it''s'."),
    refusal(
        "ParserError",
        "Mend it where the message says. A keyword as a name is quoted: \"all\".",
    ),
    refusal("Syntax Error", PLAIN_WORDS),
    refusal("Field does not exist", PLAIN_WORDS),
    refusal("Invalid query", PLAIN_WORDS),
    refusal("Unsupported query", PLAIN_WORDS),
    refusal("No field named score", SCORES),
    refusal("No field named _dist", SCORES),
    asking("No field named ", "", Columns),
    refusal("information_schema.", SYSTEM),
    refusal("public.pg_", SYSTEM),
    asking("table '", "", Tables),
];

/// Whether the engine could not read the text of a search by words.
pub(crate) fn is_query_syntax(error: &Error) -> bool {
    refusal_of(&error.message).is_some_and(|(known, _)| known.hint == PLAIN_WORDS)
}

/// The kind of refusal that a message is of, and what follows its words.
pub(crate) fn refusal_of(message: &str) -> Option<(&'static Refusal, &str)> {
    REFUSALS.iter().find_map(|known| Some((known, after(message, known.words)?)))
}

/// Adds a next step where the refusal is of a known kind; the engine's words stay as they are.
pub(super) fn with_search_hint(mut error: Error) -> Error {
    if error.hint.is_none()
        && let Some((known, _)) = refusal_of(&error.message)
        && !known.hint.is_empty()
    {
        let listed = match known.asks {
            Words | Meaning => {
                " listIndexes shows what there is; a plain vector index is searched with `vector`."
            }
            _ => "",
        };
        error.hint = Some(format!("{}{listed}", known.hint));
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Code;

    #[test]
    fn known_refusals_get_a_next_step_and_keep_their_words() {
        for (message, says) in [
            ("Syntax Error: \"quiet garden", "plain words"),
            ("Field does not exist: 'NLP'", "plain words"),
            ("No BM25 index found on column 'a' for c.public.t", "listIndexes"),
            (
                "no vector index with embedding configuration found for column 'a'",
                "searched with `vector`",
            ),
        ] {
            let error = with_search_hint(Error::new(Code::BadRequest, message));
            assert_eq!(error.message, message);
            assert!(error.hint.as_deref().unwrap().contains(says));
        }
        let other = with_search_hint(Error::new(Code::BadRequest, "No field named x."));
        assert_eq!(other.hint, None);
        let told = Error::new(Code::BadRequest, "Syntax Error: x").with_hint("h");
        assert_eq!(with_search_hint(told).hint.as_deref(), Some("h"));
    }

    #[test]
    fn no_entry_is_hidden_by_one_before_it() {
        for known in REFUSALS {
            let message = format!("Error during planning: {}rest", known.words);
            let (found, rest) = refusal_of(&message).unwrap();
            assert_eq!((found.words, rest), (known.words, "rest"));
        }
        assert!(refusal_of("Arrow error: Divide by zero error").is_none());
    }
}
