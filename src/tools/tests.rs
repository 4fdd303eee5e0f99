use serde_json::{Value as Json, json};

use super::*;
use crate::client::testing::{Script, run};
use crate::vector::Vector;

mod aggregate;
mod databases;
mod describe;
mod digits;
mod facts;
mod sets;

struct Fixed;

impl Embedder for Fixed {
    async fn embed(&self, _: &str) -> Result<Vector> {
        Ok(Vector::F32(vec![0.5, 1.0]))
    }
}

/// Gives receipts, and keeps what it was asked for.
#[derive(Default)]
struct Loads {
    asked: std::cell::RefCell<Vec<Value>>,
    failure: Option<Error>,
}

impl Loader for Loads {
    async fn load(&self, options: Value) -> Result<Value> {
        self.asked.borrow_mut().push(options);
        match &self.failure {
            Some(failure) => Err(failure.clone()),
            None => Ok(json!({"schemaName": "public", "tableName": "t", "rowCount": 3}).into()),
        }
    }
}

const NO_LOADER: Option<&Loads> = None;

fn answer(columns: Json, rows: Json) -> Json {
    let count = rows.as_array().unwrap().len();
    json!({"columns": columns, "rows": rows, "preview_row_count": count, "total_row_count": count,
           "truncated": false, "query_run_id": "q", "execution_time_ms": 1.0})
}

fn catalogs() -> Json {
    answer(json!(["table_catalog"]), json!([["default"]]))
}

fn database() -> Json {
    json!({"id": "db_1", "default_catalog": "default", "default_connection_id": "conn_1"})
}

fn columns() -> Json {
    let names = ["id", "content", "embedding", "content_embedding"];
    let rows: Vec<_> = names
        .iter()
        .map(|name| json!(["default", "public", "papers", name, "Utf8", "YES"]))
        .collect();
    let head = json!([
        "table_catalog",
        "table_schema",
        "table_name",
        "column_name",
        "data_type",
        "is_nullable"
    ]);
    answer(head, json!(rows))
}

fn bm25() -> Json {
    json!({"index_name": "words", "index_type": "bm25", "columns": ["content"], "status": "ready"})
}

fn plain() -> Json {
    json!({"index_name": "near", "index_type": "vector", "columns": ["embedding"], "metric": "l2", "status": "ready"})
}

fn provider() -> Json {
    json!({"index_name": "sense", "index_type": "vector", "columns": ["content_embedding"],
           "source_column": "content", "metric": "cosine", "status": "ready"})
}

/// A script that answers what building a toolset with a search asks.
fn with_indexes(indexes: Json) -> Script {
    Script::default()
        .json(200, database())
        .json(200, catalogs())
        .json(200, columns())
        .json(200, json!({"indexes": indexes}))
}

fn client(script: &Script) -> Client<Script> {
    script.client(json!({"baseUrl": "https://x", "workspaceId": "ws", "databaseId": "db_1"}))
}

fn build(script: &Script, options: Json, can_embed: bool) -> Result<Toolset> {
    let options = ToolsOptions::parse(&options.into())?;
    run(Toolset::build(&client(script), options, can_embed))
}

fn search() -> Json {
    json!({"searchTable": "default.public.papers", "searchColumn": "content"})
}

fn call(script: &Script, tools: &Toolset, name: &str, arguments: Json) -> (Json, bool) {
    let result =
        run(tools.call(&client(script), Some(&Fixed), NO_LOADER, name, &arguments.into())).unwrap();
    (serde_json::from_str(&result.content).unwrap(), result.is_error)
}

fn last_sql(script: &Script) -> String {
    script.bodies().last().unwrap()["sql"].as_str().unwrap().to_owned()
}

#[test]
fn a_set_has_the_tools_that_serve_something() {
    let tools =
        build(&Script::default().json(200, database()).json(200, catalogs()), json!({}), false)
            .unwrap();
    let names: Vec<_> = tools.definitions().iter().map(|tool| tool.name.as_str()).collect();
    let management = [
        "hotdata_list_managed_databases",
        "hotdata_create_managed_database",
        "hotdata_load_managed_table",
    ];
    assert_eq!(names[..2], ["hotdata_execute_sql", "hotdata_describe_tables"]);
    assert_eq!(names[2..], management);
    let script = Script::default().json(200, database()).json(200, catalogs());
    let few = build(&script, json!({"managementTools": false}), false).unwrap();
    assert_eq!(few.definitions().len(), 2);

    let tools = build(&with_indexes(json!([bm25()])), search(), false).unwrap();
    assert_eq!(tools.definitions()[2].name, "hotdata_search_text");
    let tools = build(&with_indexes(json!([provider()])), search(), false).unwrap();
    assert_eq!(tools.definitions()[2].name, "hotdata_search_semantic");
}

#[test]
fn each_route_runs_its_own_query() {
    for (indexes, name, says) in [
        (
            json!([bm25()]),
            "hotdata_search_text",
            "SELECT \"id\", \"content\", score FROM bm25_search(",
        ),
        (
            json!([provider()]),
            "hotdata_search_semantic",
            "SELECT \"id\", \"content\", _distance FROM vector_search(",
        ),
        (
            json!([bm25(), plain()]),
            "hotdata_search_text",
            "l2_distance(\"embedding\", ARRAY[0.5,1.0])",
        ),
    ] {
        let script = with_indexes(indexes);
        let tools = build(&script, search(), true).unwrap();
        let script = script.json(200, answer(json!(["id"]), json!([[1]])));
        let (content, is_error) = call(&script, &tools, name, json!({"query": "q", "k": 3}));
        assert!(!is_error, "{content}");
        assert!(last_sql(&script).contains(says), "{}", last_sql(&script));
    }
    // Meaning alone, over a plain vector column: the text is returned though the vector is what is ranked.
    let script = with_indexes(json!([plain()]));
    let mut options = search();
    options["searchSemanticColumn"] = json!("embedding");
    let tools = build(&script, options, true).unwrap();
    let script = script.json(200, answer(json!(["id"]), json!([[1]])));
    call(&script, &tools, "hotdata_search_semantic", json!({"query": "q"}));
    assert!(last_sql(&script).contains("SELECT \"id\", \"content\", _distance FROM near"));
}

#[test]
fn the_sql_tool_names_what_the_searched_column_really_supports() {
    let described = |indexes: Json, can_embed: bool| {
        let mut options = search();
        if can_embed {
            options["searchSemanticColumn"] = json!("embedding");
        }
        let tools = build(&with_indexes(indexes), options, can_embed).unwrap();
        tools.definitions()[0].description.clone()
    };
    let text = described(json!([bm25()]), false);
    assert!(text.contains("bm25_search('default.public.papers', 'content', 'some words', 20)"));
    let semantic = described(json!([provider()]), false);
    assert!(semantic.contains("vector_search(") && !semantic.contains("bm25_search("));
    let vector = described(json!([plain()]), true);
    assert!(
        vector.contains("not available in SQL: call hotdata_search_semantic")
            && !vector.contains("vector_search(")
    );
}

#[test]
fn definitions_fit_every_provider_and_their_annotations_are_true() {
    for indexes in [json!([bm25()]), json!([provider()]), json!([bm25(), plain()])] {
        let tools = build(&with_indexes(indexes), search(), true).unwrap();
        for tool in tools.definitions() {
            assert!(tool.description.chars().count() <= MAX_DESCRIPTION_CHARS, "{}", tool.name);
            let Annotations { read_only_hint, destructive_hint, idempotent_hint, open_world_hint } =
                tool.annotations;
            let truth = match tool.name.as_str() {
                "hotdata_create_managed_database" => (false, false, false, false),
                "hotdata_load_managed_table" => (false, true, false, true),
                _ => (true, false, true, false),
            };
            let hints = (read_only_hint, destructive_hint, idempotent_hint, open_world_hint);
            assert_eq!(hints, truth, "{}", tool.name);
            let schema: Json = serde_json::from_str(&tool.input_schema.to_json()).unwrap();
            assert_eq!(schema["type"], "object");
            assert_eq!(schema["additionalProperties"], false);
            for required in schema["required"].as_array().unwrap() {
                assert!(schema["properties"][required.as_str().unwrap()].is_object());
            }
        }
    }
}

#[test]
fn what_cannot_work_fails_when_the_tools_are_built() {
    let missing = Script::default()
        .json(404, json!({"error": {"code": "NOT_FOUND", "message": "no database sales"}}));
    let error = build(&missing, json!({"databaseId": "sales"}), false).unwrap_err();
    assert!(error.hint.as_deref().unwrap().contains("addressed by its id"));

    let mut options = search();
    options["searchColumn"] = json!("body");
    let script = Script::default().json(200, database()).json(200, catalogs()).json(200, columns());
    let error = build(&script, options, false).unwrap_err();
    assert!(error.message.starts_with(
        "`searchColumn` must name columns of default.public.papers, which has id, content"
    ));

    let mut options = search();
    options["searchStrategy"] = json!("hybrid");
    let error = build(&with_indexes(json!([bm25()])), options, true).unwrap_err();
    assert!(error.message.contains("a BM25 index, a plain vector index and `embed`"));

    let mut options = search();
    options["searchColumns"] = json!(["content", "embedding"]);
    let error = build(&with_indexes(json!([bm25(), plain()])), options, true).unwrap_err();
    assert!(
        error.message.starts_with("The search tool: `columns` must not name the vector column")
    );

    let empty = answer(json!(["a", "b", "c", "d", "e", "f"]), json!([]));
    let refusal = "Managed table 'default.public.papers' is declared but has no data; POST a load before querying";
    let script = Script::default()
        .json(200, database())
        .json(200, catalogs())
        .json(200, empty)
        .json(400, json!({"error": {"code": "BAD_REQUEST", "message": refusal}}));
    assert_eq!(build(&script, search(), false).unwrap_err().message, refusal);
}

#[test]
fn an_unreadable_listing_leaves_search_by_words() {
    let script =
        Script::default().json(200, database()).json(200, catalogs()).json(200, columns()).json(
            403,
            json!({"error": {"code": "FORBIDDEN", "message": "missing scope indexes:read"}}),
        );
    let tools = build(&script, search(), true).unwrap();
    assert_eq!(tools.definitions()[2].name, "hotdata_search_text");
    assert!(tools.notes()[0].contains("missing scope indexes:read"));
}

#[test]
fn a_failed_call_is_a_result_the_model_can_read() {
    let script = Script::default().json(200, database()).json(200, catalogs());
    let tools = build(&script, json!({}), false).unwrap();
    let script = script.json(
        400,
        json!({"error": {"code": "BAD_REQUEST", "message": "Invalid function 'to_tsvector'."}}),
    );
    let (content, is_error) =
        call(&script, &tools, "hotdata_execute_sql", json!({"sql": "SELECT to_tsvector('x')"}));
    assert!(is_error);
    assert_eq!(
        content,
        json!({"error": {"code": "bad_request", "message": "Invalid function 'to_tsvector'.",
                          "hint": "Write FROM bm25_search('catalog.schema.table', 'column', 'words', 100), vector_search the same."}})
    );
}

#[test]
fn h24_a_model_is_told_of_date_templates_beside_the_rows() {
    let rows = json!({"columns": ["day"], "rows": [["YYYY"]], "preview_row_count": 1, "query_run_id": "q"});
    let script = Script::default().json(200, database()).json(200, catalogs());
    let tools = build(&script, json!({}), false).unwrap();
    let script = script.json(200, rows);
    let sql = json!({"sql": "SELECT to_char(d, 'YYYY') AS day FROM default.public.t"});
    let (content, is_error) = call(&script, &tools, "hotdata_execute_sql", sql);
    assert!(!is_error);
    assert_eq!(content["rows"], json!([{"day": "YYYY"}]));
    let warning = content["metadata"]["client_warning"].as_str().unwrap();
    assert!(warning.contains("write '%Y', where 'YYYY' comes back as it is"), "{warning}");
}

#[test]
fn arguments_are_checked_before_anything_is_sent() {
    let script = with_indexes(json!([bm25()]));
    let tools = build(&script, search(), false).unwrap();
    let asked = script.lines().len();
    for (name, arguments, says) in [
        ("hotdata_execute_sql", json!({}), "`sql` is missing"),
        ("hotdata_execute_sql", json!({"sql": 1}), "`sql` must be a string, not 1"),
        (
            "hotdata_execute_sql",
            json!({"query": "x"}),
            "`query` is not an option of hotdata_execute_sql; it takes sql",
        ),
        (
            "hotdata_execute_sql",
            json!("SELECT 1"),
            "The options of hotdata_execute_sql must be an object",
        ),
        ("hotdata_search_text", json!({"query": "q", "k": "many"}), "`k` must be a whole number"),
        ("hotdata_search_text", json!({"query": "  "}), "`query` must hold some words"),
        ("hotdata_describe_tables", json!({"table": 5}), "`table` must be a string"),
        (
            "hotdata_drop",
            json!({}),
            "There is no tool \"hotdata_drop\"; there are hotdata_execute_sql, ",
        ),
    ] {
        let (content, is_error) = call(&script, &tools, name, arguments);
        assert!(is_error);
        let message = content["error"]["message"].as_str().unwrap();
        assert!(message.starts_with(says), "{message}");
    }
    assert_eq!(script.lines().len(), asked);
}

#[test]
fn k_may_come_as_a_model_writes_it_and_a_clamp_is_said() {
    let script = with_indexes(json!([bm25()]));
    let tools = build(&script, search(), false).unwrap();
    for (k, bound) in [(json!("7"), 7), (json!(7.0), 7), (json!(null), 5), (json!(400), 100)] {
        script.clone().json(200, answer(json!(["id"]), json!([[1]])));
        let (content, _) =
            call(&script, &tools, "hotdata_search_text", json!({"query": "q", "k": k}));
        assert!(last_sql(&script).contains(&format!("'q', {bound})")), "{}", last_sql(&script));
        let warning = content["metadata"]["client_warning"].as_str();
        assert_eq!(
            warning,
            (bound == 100).then_some("400 rows were asked for; the search returns at most 100.")
        );
    }
}
