//! Which query answers a question over a column, read off the index listing and never guessed.

use crate::client::{Index, IndexStatus, IndexType};
use crate::error::{Code, Error, Result};
use crate::sql::{Column, Metric, TableName};
use crate::text::{join, joined};

/// The ranking a caller asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// Whatever the indexes serve best.
    Auto,
    /// By words.
    Text,
    /// By meaning.
    Semantic,
    /// Both, fused.
    Hybrid,
}

impl Strategy {
    /// The names the options use.
    pub const CHOICES: &[(&str, Strategy)] = &[
        ("auto", Strategy::Auto),
        ("text", Strategy::Text),
        ("semantic", Strategy::Semantic),
        ("hybrid", Strategy::Hybrid),
    ];
}

/// How a search is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Route {
    /// BM25 over a text column.
    Text {
        /// The indexed column.
        column: Column,
    },
    /// A provider-backed index: the engine embeds the question.
    SemanticText {
        /// The text column.
        column: Column,
    },
    /// A plain vector index: the caller's embedder embeds the question.
    SemanticVector {
        /// The vector column.
        column: Column,
        /// The index's own metric; no other is served by it.
        metric: Metric,
    },
    /// BM25 and a plain vector index, fused.
    Hybrid {
        /// The text column.
        text: Column,
        /// The vector column.
        vector: Column,
        /// The vector index's own metric.
        metric: Metric,
    },
}

/// A route, and what a caller may want to know about the choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Routed {
    /// How the search is answered.
    pub route: Route,
    /// What was found and why, one sentence each.
    pub notes: Vec<String>,
}

/// What is being searched, and with what at hand.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The table.
    pub table: &'a TableName,
    /// The column the caller named.
    pub column: &'a Column,
    /// The vector column the caller named beside it.
    pub semantic_column: Option<&'a Column>,
    /// The ranking asked for.
    pub strategy: Strategy,
    /// Whether the caller can embed a question.
    pub can_embed: bool,
}

/// Chooses. A listing that could not be read leaves search by words, which needs nothing else to be known.
pub fn route(question: Question, listing: &Result<Vec<Index>>) -> Result<Routed> {
    let column = question.column;
    let indexes = match listing {
        Ok(indexes) => indexes,
        Err(error) if matches!(question.strategy, Strategy::Auto | Strategy::Text) => {
            let note = format!(
                "The indexes of {} could not be listed ({}), so the search goes by words.",
                question.table.path(),
                error.message
            );
            return Ok(Routed { route: Route::Text { column: column.clone() }, notes: vec![note] });
        }
        Err(error) => return Err(error.clone()),
    };
    let found = Found::among(indexes, question);
    found.choose(question, indexes)
}

/// The indexes that could serve a question, and why others cannot.
#[derive(Default)]
struct Found {
    text: bool,
    provider: bool,
    plain: Vec<(Column, Metric)>,
    notes: Vec<String>,
}

impl Found {
    fn among(indexes: &[Index], question: Question) -> Self {
        let mut found = Self::default();
        for index in indexes {
            let over = |column: &Column| index.columns.iter().any(|name| name == column.name());
            let wanted = match (index.index_type, &index.source_column) {
                (IndexType::Bm25, _) => over(question.column),
                (IndexType::Vector, Some(source)) => source == question.column.name(),
                (IndexType::Vector, None) => question.semantic_column.is_none_or(over),
                _ => false,
            };
            if !wanted {
                continue;
            }
            if index.status != IndexStatus::Ready {
                found
                    .notes
                    .push(format!("Index {} is not ready, so it is not used.", index.index_name));
                continue;
            }
            match (index.index_type, &index.source_column) {
                (IndexType::Bm25, _) => found.text = true,
                (_, Some(_)) => found.provider = true,
                (_, None) => found.take_plain(index),
            }
        }
        found
    }

    fn take_plain(&mut self, index: &Index) {
        let metric = index.metric.as_deref().and_then(Metric::named);
        let column = index.columns.first().and_then(|name| Column::parse("column", name).ok());
        match (metric, column) {
            (Some(metric), Some(column)) => self.plain.push((column, metric)),
            _ => self.notes.push(format!(
                "Index {} has the metric {}, which is none of cosine, l2 and dot, so it is not used.",
                index.index_name,
                index.metric.as_deref().unwrap_or("null")
            )),
        }
    }

    /// The vector column to rank by: the only one, or the one the question is about. Of several none is guessed.
    fn nearest(&mut self, question: Question) -> Option<(Column, Metric)> {
        let own = self.plain.iter().find(|(column, _)| column == question.column);
        match (own, self.plain.as_slice()) {
            (Some(own), _) => Some(own.clone()),
            (None, [only]) => Some(only.clone()),
            (None, []) => None,
            (None, several) => {
                let names =
                    join(&mut several.iter().map(|(column, _)| column.name().to_owned()), ", ");
                self.notes.push(format!(
                    "Several vector columns are indexed ({names}): `searchSemanticColumn` says which is meant."
                ));
                None
            }
        }
    }

    fn choose(mut self, question: Question, indexes: &[Index]) -> Result<Routed> {
        let column = question.column;
        let plain = self.nearest(question);
        let text = || Route::Text { column: column.clone() };
        let semantic_text = || Route::SemanticText { column: column.clone() };
        if let Some(named) = question.semantic_column
            && plain.is_none()
            && !self.provider
        {
            return Err(Error::argument(
                "searchSemanticColumn",
                format_args!("must have a ready plain vector index; `{}` has none", named.name()),
            ));
        }
        // A vector column is searched for its own sake, or where the caller says it stands for the text.
        let meant = |plain: &Column| question.semantic_column.is_some() || plain == column;
        let (route, why) = match (question.strategy, &plain) {
            (Strategy::Auto | Strategy::Semantic, _) if self.provider => {
                (semantic_text(), "by meaning, with text")
            }
            (Strategy::Auto | Strategy::Hybrid, Some((vector, metric)))
                if self.text && question.can_embed =>
            {
                (
                    Route::Hybrid { text: column.clone(), vector: vector.clone(), metric: *metric },
                    "by words and meaning, fused",
                )
            }
            (Strategy::Auto, plain) if self.text => {
                self.notes.push(match plain {
                    Some((vector, _)) => format!(
                        "Words and meaning are not fused: {} has a vector index, and no `embed` was given.",
                        vector.name()
                    ),
                    None => format!(
                        "Words and meaning are not fused: {} has no plain vector index that is ready.",
                        question.table.path()
                    ),
                });
                (text(), "by words")
            }
            (Strategy::Text, _) if self.text => (text(), "by words"),
            (Strategy::Semantic, Some((vector, metric))) if question.can_embed => (
                Route::SemanticVector { column: vector.clone(), metric: *metric },
                "by meaning, with a vector",
            ),
            (Strategy::Auto, Some((vector, metric))) if question.can_embed && meant(vector) => (
                Route::SemanticVector { column: vector.clone(), metric: *metric },
                "by meaning, with a vector",
            ),
            _ => return Err(self.refusal(question, indexes)),
        };
        self.notes.push(format!("Search over {} ranks {why}.", question.table.path()));
        Ok(Routed { route, notes: self.notes })
    }

    fn refusal(self, question: Question, indexes: &[Index]) -> Error {
        let (column, table) = (question.column.name(), question.table.path());
        // Of a table's vector columns none is taken to stand for a text column unasked.
        let is_meant = |vector: &Column| match question.strategy {
            Strategy::Auto => question.semantic_column.is_some() || vector == question.column,
            Strategy::Semantic | Strategy::Hybrid => true,
            Strategy::Text => false,
        };
        let has_vector =
            !question.can_embed && self.plain.iter().any(|(vector, _)| is_meant(vector));
        let wanted = match question.strategy {
            Strategy::Auto => format!("Nothing can search `{column}` of {table}"),
            Strategy::Text => format!(
                "`{column}` of {table} cannot be searched by words: it has no ready BM25 index"
            ),
            Strategy::Semantic => format!("`{column}` of {table} cannot be searched by meaning"),
            Strategy::Hybrid => {
                format!("`{column}` of {table} cannot be searched by words and meaning fused")
            }
        };
        let needs = match question.strategy {
            _ if has_vector => "its vector index needs `embed`, a function from texts to vectors",
            Strategy::Auto => "it takes a ready BM25 or vector index",
            Strategy::Text => "it takes one on this column",
            Strategy::Semantic => {
                "it takes a provider-backed vector index, or a plain one and `embed`"
            }
            Strategy::Hybrid => "it takes a BM25 index, a plain vector index and `embed`",
        };
        let listed = join(&mut indexes.iter().map(searched_by), "; ");
        let listed = if listed.is_empty() { "none".to_owned() } else { listed };
        let mut told = vec![format!("{wanted}: {needs}.")];
        told.extend(self.notes);
        Error::new(Code::InvalidArgument, joined(&told, " "))
            .with_hint(format!("Indexes of {table}: {listed}."))
    }
}

/// One index in words: what it is over and what it serves.
fn searched_by(index: &Index) -> String {
    let kind = match index.index_type {
        IndexType::Bm25 => "words",
        IndexType::Vector if index.source_column.is_some() => "meaning, with text",
        IndexType::Vector => "meaning, with a vector",
        IndexType::Sorted => "filters",
        IndexType::Unknown => "an unknown kind",
    };
    let column = index.source_column.clone().unwrap_or_else(|| joined(&index.columns, ", "));
    let pending = if index.status == IndexStatus::Ready { "" } else { ", not ready" };
    format!("{column} ({kind}{pending})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Fields, Value};
    use serde_json::json;

    fn indexes(list: serde_json::Value) -> Vec<Index> {
        let list = Value::from(list).as_list().unwrap();
        list.iter().map(|index| Index::read(&Fields::of_answer(index).unwrap()).unwrap()).collect()
    }

    fn bm25() -> serde_json::Value {
        json!({"indexName": "words", "indexType": "bm25", "columns": ["content"], "status": "ready"})
    }

    fn plain() -> serde_json::Value {
        json!({"indexName": "near", "indexType": "vector", "columns": ["embedding"], "metric": "l2", "status": "ready"})
    }

    fn provider() -> serde_json::Value {
        json!({"indexName": "sense", "indexType": "vector", "columns": ["content_embedding"], "metric": "cosine",
               "sourceColumn": "content", "status": "ready"})
    }

    fn ask(
        list: serde_json::Value,
        column: &str,
        semantic: Option<&str>,
        strategy: Strategy,
        can_embed: bool,
    ) -> Result<Routed> {
        let table = TableName::parse("table", "default.public.t").unwrap();
        let column = Column::parse("column", column).unwrap();
        let semantic = semantic.map(|name| Column::parse("column", name).unwrap());
        let question = Question {
            table: &table,
            column: &column,
            semantic_column: semantic.as_ref(),
            strategy,
            can_embed,
        };
        route(question, &Ok(indexes(list)))
    }

    fn kind(routed: &Routed) -> &'static str {
        match &routed.route {
            Route::Text { .. } => "text",
            Route::SemanticText { .. } => "semantic text",
            Route::SemanticVector { .. } => "semantic vector",
            Route::Hybrid { .. } => "hybrid",
        }
    }

    #[test]
    fn each_arrangement_of_indexes_has_its_route() {
        use Strategy::*;
        for (list, strategy, can_embed, expected) in [
            (json!([bm25()]), Auto, true, "text"),
            (json!([provider()]), Auto, false, "semantic text"),
            (json!([bm25(), plain()]), Auto, true, "hybrid"),
            (json!([bm25(), plain()]), Auto, false, "text"),
            (json!([bm25(), plain()]), Text, true, "text"),
            (json!([bm25(), plain()]), Semantic, true, "semantic vector"),
            (json!([bm25(), plain()]), Hybrid, true, "hybrid"),
            (json!([provider()]), Semantic, true, "semantic text"),
        ] {
            let routed = ask(list.clone(), "content", None, strategy, can_embed).unwrap();
            assert_eq!(kind(&routed), expected, "{list} {strategy:?}");
            assert!(
                routed.notes.last().unwrap().starts_with("Search over default.public.t ranks by ")
            );
        }
    }

    #[test]
    fn a_vector_index_is_used_with_its_own_metric() {
        let routed = ask(json!([plain()]), "embedding", None, Strategy::Auto, true).unwrap();
        let column = Column::parse("column", "embedding").unwrap();
        assert_eq!(routed.route, Route::SemanticVector { column, metric: Metric::L2 });
        let routed =
            ask(json!([plain()]), "content", Some("embedding"), Strategy::Auto, true).unwrap();
        assert_eq!(kind(&routed), "semantic vector");
    }

    #[test]
    fn of_several_vector_columns_none_is_guessed() {
        let mut other = plain();
        other["columns"] = json!(["picture"]);
        let list = json!([bm25(), plain(), other]);
        let routed = ask(list.clone(), "content", None, Strategy::Auto, true).unwrap();
        assert_eq!(kind(&routed), "text");
        assert!(routed.notes[0].contains("(embedding, picture)"), "{:?}", routed.notes);
        assert!(ask(list.clone(), "content", None, Strategy::Hybrid, true).is_err());
        let routed = ask(list, "content", Some("picture"), Strategy::Hybrid, true).unwrap();
        assert_eq!(kind(&routed), "hybrid");
    }

    #[test]
    fn what_was_not_fused_is_said() {
        let routed = ask(json!([bm25(), plain()]), "content", None, Strategy::Auto, false).unwrap();
        assert!(routed.notes[0].contains("no `embed` was given"));
        let mut building = plain();
        building["status"] = json!("pending");
        let routed = ask(json!([bm25(), building]), "content", None, Strategy::Auto, true).unwrap();
        assert_eq!(kind(&routed), "text");
        assert_eq!(routed.notes[0], "Index near is not ready, so it is not used.");
        for metric in [json!(null), json!("hamming")] {
            let mut odd = plain();
            odd["metric"] = metric;
            let routed = ask(json!([bm25(), odd]), "content", None, Strategy::Auto, true).unwrap();
            assert_eq!(kind(&routed), "text");
            assert!(routed.notes[0].contains("none of cosine, l2 and dot"));
        }
    }

    #[test]
    fn a_route_that_cannot_be_served_says_what_would_serve_it() {
        use Strategy::*;
        for (list, column, strategy, can_embed, says) in [
            (json!([]), "content", Auto, true, "it takes a ready BM25 or vector index."),
            (json!([plain()]), "embedding", Auto, false, "its vector index needs `embed`"),
            (json!([plain()]), "title", Auto, false, "it takes a ready BM25 or vector index."),
            (json!([plain()]), "title", Text, false, "it has no ready BM25 index"),
            (json!([plain()]), "content", Text, true, "it has no ready BM25 index"),
            (
                json!([bm25()]),
                "content",
                Semantic,
                true,
                "a provider-backed vector index, or a plain one and `embed`",
            ),
            (
                json!([bm25()]),
                "content",
                Hybrid,
                true,
                "a BM25 index, a plain vector index and `embed`",
            ),
            (
                json!([provider()]),
                "content_embedding",
                Auto,
                true,
                "Nothing can search `content_embedding`",
            ),
        ] {
            let error = ask(list, column, None, strategy, can_embed).unwrap_err();
            assert!(error.message.contains(says), "{}", error.message);
            assert!(error.hint.as_deref().unwrap().starts_with("Indexes of default.public.t: "));
        }
    }

    #[test]
    fn an_unreadable_listing_leaves_words_and_no_other_promise() {
        let table = TableName::parse("table", "default.public.t").unwrap();
        let column = Column::parse("column", "content").unwrap();
        let listing = Err(Error::new(Code::Forbidden, "missing scope"));
        for (strategy, served) in [
            (Strategy::Auto, true),
            (Strategy::Text, true),
            (Strategy::Semantic, false),
            (Strategy::Hybrid, false),
        ] {
            let question = Question {
                table: &table,
                column: &column,
                semantic_column: None,
                strategy,
                can_embed: true,
            };
            let routed = route(question, &listing);
            assert_eq!(routed.is_ok(), served);
            if let Ok(routed) = routed {
                assert!(routed.notes[0].contains("missing scope"));
            }
        }
    }
}
