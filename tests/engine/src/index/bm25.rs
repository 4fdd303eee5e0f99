//! BM25 over one or more text columns, by tantivy.

use arrow::array::{Array, AsArray};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use tantivy::collector::TopDocs;
use tantivy::directory::RamDirectory;
use tantivy::query::{Query, QueryParser, QueryParserError};
use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::{Index, Searcher, TantivyDocument, TantivyError};

use crate::catalog::TableData;
use crate::error::{EngineError, Result};

/// Sizes tantivy's first hash table; its writer never flushes on it.
const MEMORY_BUDGET: usize = 64 << 20;
/// Parentheses a query may nest: tantivy's grammar recurses on them.
const MAX_NESTING: usize = 200;

/// Whether a column of this type can be indexed.
pub fn is_text_type(data_type: &DataType) -> bool {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => is_text_type(values),
        _ => false,
    }
}

/// An immutable index whose document ids are the table's row ids.
pub struct Bm25Index {
    columns: Vec<(String, Field)>,
    index: Index,
    searcher: Searcher,
}

impl std::fmt::Debug for Bm25Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let columns: Vec<&str> = self.columns.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("Bm25Index").field("columns", &columns).finish_non_exhaustive()
    }
}

impl Bm25Index {
    /// Indexes every row. Fails when a column is missing or not text.
    pub fn build(data: &TableData, columns: &[String]) -> Result<Self> {
        let mut schema = Schema::builder();
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(text_analyzer::TOKENIZER)
            .set_index_option(IndexRecordOption::WithFreqsAndPositions);
        let options = TextOptions::default().set_indexing_options(indexing);
        let mut fields = Vec::with_capacity(columns.len());
        let mut positions = Vec::with_capacity(columns.len());
        for name in columns {
            let position = data.column_index(name)?;
            let data_type = data.schema.field(position).data_type();
            if !is_text_type(data_type) {
                return Err(EngineError::bad_request(format!(
                    "a bm25 index needs a text column; '{name}' is {data_type}"
                )));
            }
            positions.push(position);
            fields.push((name.clone(), schema.add_text_field(name, options.clone())));
        }
        let mut builder = Index::builder().schema(schema.build());
        builder = builder.tokenizers(tokenizers());
        let mut writer = builder
            .single_segment_index_writer::<TantivyDocument>(RamDirectory::create(), MEMORY_BUDGET)
            .map_err(internal)?;
        for batch in &data.batches {
            let mut texts = Vec::with_capacity(positions.len());
            for position in &positions {
                texts.push(cast(batch.column(*position), &DataType::LargeUtf8).map_err(internal)?);
            }
            for row in 0..batch.num_rows() {
                let mut document = TantivyDocument::new();
                for ((_, field), texts) in fields.iter().zip(&texts) {
                    let texts = texts.as_string::<i64>();
                    if texts.is_valid(row) {
                        document.add_text(*field, texts.value(row));
                    }
                }
                writer.add_document(document).map_err(internal)?;
            }
        }
        let index = writer.finalize().map_err(internal)?;
        let searcher = index.reader().map_err(internal)?.searcher();
        Ok(Self { columns: fields, index, searcher })
    }

    pub fn covers(&self, column: &str) -> bool {
        self.columns.iter().any(|(name, _)| name == column)
    }

    /// The best `k` rows of a column for a query in tantivy's syntax: `(row id, score)`, best first, ties by row.
    ///
    /// A query the parser rejects is an error with the parser's words, unless `lenient`: then what can be read of
    /// it is searched.
    pub fn search(
        &self,
        column: &str,
        query: &str,
        k: usize,
        lenient: bool,
    ) -> Result<Vec<(usize, f32)>> {
        let Some((_, field)) = self.columns.iter().find(|(name, _)| name == column) else {
            return Ok(Vec::new());
        };
        let query = self.parse(*field, query, lenient)?;
        // Tantivy allocates by the limit and does not accept zero.
        let k = k.min(self.searcher.num_docs() as usize);
        if k == 0 {
            return Ok(Vec::new());
        }
        let found = self.searcher.search(&query, &TopDocs::with_limit(k).order_by_score());
        let best = match found {
            Ok(best) => best,
            // What only running a query finds wrong with it, such as `missing:*`.
            Err(
                TantivyError::FieldNotFound(_)
                | TantivyError::SchemaError(_)
                | TantivyError::InvalidArgument(_),
            ) if lenient => Vec::new(),
            Err(
                error @ (TantivyError::FieldNotFound(_)
                | TantivyError::SchemaError(_)
                | TantivyError::InvalidArgument(_)),
            ) => return Err(EngineError::bad_request(error.to_string())),
            Err(error) => return Err(internal(error)),
        };
        Ok(best.into_iter().map(|(score, address)| (address.doc_id as usize, score)).collect())
    }

    fn parse(&self, field: Field, query: &str, lenient: bool) -> Result<Box<dyn Query>> {
        if nesting(query) > MAX_NESTING {
            return Err(EngineError::bad_request(format!(
                "Syntax Error: more than {MAX_NESTING} nested parentheses"
            )));
        }
        let parser = QueryParser::for_index(&self.index, vec![field]);
        if lenient {
            return Ok(parser.parse_query_lenient(query).0);
        }
        parser
            .parse_query(query)
            .map_err(|error: QueryParserError| EngineError::bad_request(error.to_string()))
    }
}

fn tokenizers() -> tantivy::tokenizer::TokenizerManager {
    let manager = tantivy::tokenizer::TokenizerManager::default();
    manager.register(text_analyzer::TOKENIZER, text_analyzer::analyzer());
    manager
}

fn nesting(query: &str) -> usize {
    let mut depth = 0usize;
    let mut deepest = 0;
    for byte in query.bytes() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

fn internal(error: impl std::fmt::Display) -> EngineError {
    EngineError::internal(format!("BM25 index: {error}"))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{ArrayRef, RecordBatch, StringArray};

    use super::*;

    fn index(texts: &[Option<&str>]) -> Bm25Index {
        let column: ArrayRef = Arc::new(StringArray::from(texts.to_vec()));
        let batch = RecordBatch::try_from_iter([("content", column)]).unwrap();
        let data = TableData::new(batch.schema(), vec![batch]);
        Bm25Index::build(&data, &["content".to_owned()]).unwrap()
    }

    #[test]
    fn ranks_by_score_and_ties_by_row() {
        let index = index(&[Some("a garden"), None, Some("quiet gardens"), Some("the garden")]);
        let hits = index.search("content", "quiet garden", 10, false).unwrap();
        assert_eq!(hits.iter().map(|hit| hit.0).collect::<Vec<_>>(), [2, 0, 3]);
        assert_eq!(hits[1].1, hits[2].1);
        assert_eq!(index.search("content", "garden", 1, false).unwrap().len(), 1);
        assert!(index.search("content", "garden", 0, false).unwrap().is_empty());
        assert!(index.search("content", "garden", usize::MAX, false).unwrap().len() == 3);
    }

    #[test]
    fn a_query_the_parser_rejects_is_an_error_unless_lenient() {
        let index = index(&[Some("quiet garden")]);
        let error = index.search("content", "\"quiet garden", 5, false).unwrap_err();
        assert_eq!((error.status, error.message.as_str()), (400, "Syntax Error: \"quiet garden"));
        assert_eq!(index.search("content", "\"quiet garden", 5, true).unwrap().len(), 1);
        for text in ["missing:*", "content:*", "missing:x"] {
            let strict = index.search("content", text, 5, false);
            assert_eq!(strict.unwrap_err().status, 400, "{text}");
            assert!(index.search("content", text, 5, true).is_ok(), "{text}");
        }
        let deep = format!("{}garden", "(".repeat(100_000));
        assert!(index.search("content", &deep, 5, true).is_err());
    }

    #[test]
    fn an_empty_table_answers_nothing() {
        assert!(index(&[]).search("content", "garden", 5, false).unwrap().is_empty());
    }
}
