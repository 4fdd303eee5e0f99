//! A search built, given the bound it needs, and run.

use super::with_search_hint;
use crate::client::{Client, Limits, QueryOptions, QueryOutcome, Response, Transport};
use crate::error::{Error, Result};
use crate::sql::{DistanceSearch, HybridSearch, SemanticSearch, TextSearch};
use crate::value::{Fields, Value, missing};

type Outcome<T> = QueryOutcome<<<T as Transport>::Response as Response>::Rows>;

/// Runs [`TextSearch`]; `input` takes its options and `databaseId`.
pub async fn search_text<T: Transport>(client: &Client<T>, input: Value) -> Result<Outcome<T>> {
    let (input, options) = with_database("searchText", &[TextSearch::OPTIONS], input)?;
    let mut search = TextSearch::parse(&input)?;
    if search.needs_bound() {
        let bound = client.text_bound(&search.table, &search.column, &options).await?;
        search.set_bound(bound);
    }
    client.query(&search.sql()?, &options).await.map_err(with_search_hint)
}

/// Runs [`SemanticSearch`] where `input` has a `query`, [`DistanceSearch`] where it has a `vector`; `input` takes their
/// options and `databaseId`.
pub async fn search_semantic<T: Transport>(client: &Client<T>, input: Value) -> Result<Outcome<T>> {
    let known = [SemanticSearch::OPTIONS, DistanceSearch::OPTIONS];
    let (input, options) = with_database("searchSemantic", &known, input)?;
    let fields = Fields::of_answer(&input)?;
    let sql = match (fields.get("query").is_some(), fields.get("vector").is_some()) {
        (true, false) => SemanticSearch::parse(&input)?.sql(),
        (false, true) => DistanceSearch::parse(&input)?.sql(),
        (true, true) => {
            return Err(Error::argument(
                "query",
                "and `vector` must not both be given: the index takes one of them",
            ));
        }
        (false, false) => {
            return Err(missing("query", "a string, or `vector` an array of numbers"));
        }
    };
    client.query(&sql, &options).await.map_err(with_search_hint)
}

/// Runs [`HybridSearch`]; `input` takes its options and `databaseId`.
pub async fn search_hybrid<T: Transport>(client: &Client<T>, input: Value) -> Result<Outcome<T>> {
    let (input, options) = with_database("searchHybrid", &[HybridSearch::OPTIONS], input)?;
    let mut search = HybridSearch::parse(&input)?;
    let mut bound = None;
    for column in search.unbounded_columns() {
        let counted = client.text_bound(&search.table, &column, &options).await?;
        bound = bound.max(Some(counted));
    }
    if let Some(bound) = bound {
        search.set_bound(bound);
    }
    client.query(&search.sql()?, &options).await.map_err(with_search_hint)
}

/// Checks the names of a call's options, those of its builder and the call's own, and takes `databaseId` off.
fn with_database(call: &str, known: &[&[&str]], input: Value) -> Result<(Value, QueryOptions)> {
    let mut names = known.concat();
    // A call counts by itself what the builder has to be told.
    names.retain(|name| *name != "textBound");
    names.extend(["databaseId", "signal"]);
    names.extend(Limits::OPTIONS);
    let fields = Fields::new(call, &input, &names)?;
    let options = QueryOptions::on(fields.text("databaseId")?);
    Ok(match input {
        Value::Object(mut members) => {
            members.retain(|(name, _)| name != "databaseId");
            (Value::Object(members), options)
        }
        _ => (Value::Object(Vec::new()), options),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::testing::{Script, run};
    use serde_json::json;

    fn answer(rows: serde_json::Value) -> serde_json::Value {
        json!({"columns": ["a"], "rows": rows, "preview_row_count": 1, "query_run_id": "q"})
    }

    fn client(script: &Script) -> Client<Script> {
        script.client(json!({"baseUrl": "https://x", "workspaceId": "ws", "databaseId": "db_1"}))
    }

    #[test]
    fn a_filtered_search_asks_for_its_bound_in_the_same_database() {
        let script =
            Script::default().json(200, answer(json!([[314]]))).json(200, answer(json!([[1]])));
        let options = json!({"databaseId": "db_2", "table": "default.public.t", "column": "c", "query": "q", "filter": {"n": 1}});
        run(search_text(&client(&script), options.into())).unwrap();
        let bodies = script.bodies();
        assert_eq!(
            bodies[0]["sql"],
            "SELECT COUNT(\"c\") AS bound FROM \"default\".\"public\".\"t\""
        );
        assert!(bodies[1]["sql"].as_str().unwrap().contains("'q', 314) WHERE \"n\" = 1"));
        for request in script.asked.borrow().iter() {
            assert!(request.headers.contains(&("x-database-id", "db_2".to_owned())));
        }
    }

    #[test]
    fn a_filtered_fusion_asks_for_its_bound() {
        let script =
            Script::default().json(200, answer(json!([[7]]))).json(200, answer(json!([[1]])));
        let options = json!({"table": "default.public.t", "column": "c", "query": "q", "vectorColumn": "e", "vector": [1.0], "filter": {"n": 1}});
        run(search_hybrid(&client(&script), options.into())).unwrap();
        assert!(script.bodies()[1]["sql"].as_str().unwrap().contains("'q', 20) WHERE"));
    }

    #[test]
    fn the_largest_count_bounds_every_text_half() {
        let script = Script::default()
            .json(200, answer(json!([[7]])))
            .json(200, answer(json!([[314]])))
            .json(200, answer(json!([[1]])));
        let half = |column: &str| json!({"kind": "text", "column": column, "query": "q"});
        let options = json!({"table": "default.public.t", "halves": [half("title"), half("body")], "filter": {"n": 1}});
        run(search_hybrid(&client(&script), options.into())).unwrap();
        assert_eq!(script.bodies()[2]["sql"].as_str().unwrap().matches("'q', 314)").count(), 2);
    }

    #[test]
    fn an_unknown_option_is_told_what_the_call_takes() {
        let script = Script::default();
        let options = json!({"databaseID": "db", "table": "default.public.t"});
        let error = run(search_text(&client(&script), options.into())).unwrap_err();
        assert!(
            error.message.ends_with("keyColumn, databaseId, signal, timeoutMs, deadlineMs"),
            "{}",
            error.message
        );
    }

    #[test]
    fn a_semantic_search_takes_text_or_a_vector() {
        let script =
            Script::default().json(200, answer(json!([[1]]))).json(200, answer(json!([[1]])));
        let client = client(&script);
        let base = json!({"table": "default.public.t", "column": "c", "keyColumn": "id"});
        let with = |patch: serde_json::Value| {
            let mut options = base.clone();
            options.as_object_mut().unwrap().extend(patch.as_object().unwrap().clone());
            Value::from(options)
        };
        run(search_semantic(&client, with(json!({"query": "q"})))).unwrap();
        run(search_semantic(&client, with(json!({"vector": [1.0]})))).unwrap();
        assert!(script.bodies()[0]["sql"].as_str().unwrap().contains("vector_search("));
        assert!(script.bodies()[1]["sql"].as_str().unwrap().contains("cosine_distance("));
        for (patch, says) in [
            (json!({}), "`query` is missing"),
            (json!({"query": "q", "vector": [1.0]}), "`query` and `vector` must not both be given"),
            (json!({"query": "q", "databaseId": 7}), "`databaseId` must be a string"),
        ] {
            let error = run(search_semantic(&client, with(patch))).unwrap_err();
            assert!(error.message.starts_with(says), "{}", error.message);
        }
        assert_eq!(script.lines().len(), 2);
    }
}
