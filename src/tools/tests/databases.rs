//! The tools over the workspace.

use super::*;

const LIST: &str = "hotdata_list_managed_databases";
const CREATE: &str = "hotdata_create_managed_database";
const LOAD: &str = "hotdata_load_managed_table";

fn set(options: Json) -> (Script, Toolset) {
    let script = Script::default().json(200, database()).json(200, catalogs());
    let tools = build(&script, options, false).unwrap();
    (script, tools)
}

fn load(script: &Script, tools: &Toolset, loads: &Loads, arguments: Json) -> (Json, bool) {
    let arguments = Value::from(arguments);
    let result =
        run(tools.call(&client(script), Some(&Fixed), Some(loads), LOAD, &arguments)).unwrap();
    (serde_json::from_str(&result.content).unwrap(), result.is_error)
}

fn page(from: usize, count: usize, more: bool) -> Json {
    let databases: Vec<Json> = (from..from + count)
        .map(|n| json!({"id": format!("db_{n}"), "name": "same", "default_catalog": "default", "created_at": "2026-12-01T00:00:00Z"}))
        .collect();
    json!({"databases": databases, "has_more": more, "next_cursor": more.then(|| format!("c{from}"))})
}

fn gone() -> Json {
    json!({"error": {"code": "NOT_FOUND", "message": "Database 'sales' not found"}})
}

#[test]
fn databases_are_listed_by_id_with_the_one_that_is_queried() {
    let (script, tools) = set(json!({}));
    let other = json!({"id": "db_2", "name": null, "default_catalog": "lake", "default_schema": "main", "expires_at": "2027-01-01T00:00:00Z"});
    let mut listed = page(1, 1, false);
    listed["databases"].as_array_mut().unwrap().push(other);
    let script = script.json(200, listed);
    let (content, is_error) = call(&script, &tools, LIST, json!({"search": " "}));
    assert!(!is_error, "{content}");
    assert_eq!(
        content,
        json!({"databases": [
            {"id": "db_1", "name": "same", "created_at": "2026-12-01T00:00:00Z", "current": true},
            {"id": "db_2", "expires_at": "2027-01-01T00:00:00Z"},
        ]})
    );
    assert_eq!(script.lines().last().unwrap(), "GET /databases?limit=100");
}

#[test]
fn a_long_listing_ends_and_says_so() {
    let (script, tools) = set(json!({}));
    let script = script.json(200, page(1, 100, true)).json(200, page(101, 100, true));
    let before = script.lines().len();
    let (content, _) = call(&script, &tools, LIST, json!({"search": "sam"}));
    // Two pages of however many.
    assert_eq!(
        script.lines()[before..],
        ["GET /databases?limit=100&search=sam", "GET /databases?limit=100&search=sam&cursor=c1"]
    );
    assert_eq!(content["databases"].as_array().unwrap().len(), 100);
    assert!(
        content["client_warning"].as_str().unwrap().starts_with("Only the 100 newest are shown")
    );
    for (arguments, says) in [
        (json!({}), "There is no such database."),
        (json!({"search": "x"}), "There is no such database."),
    ] {
        let script = script.clone().json(200, page(1, 0, false));
        let (content, is_error) = call(&script, &tools, LIST, arguments);
        assert!(!is_error);
        assert_eq!(content, json!({"databases": [], "client_warning": says}));
    }
}

#[test]
fn a_database_is_made_with_its_tables_and_keys() {
    let (script, tools) = set(json!({}));
    let made = json!({"id": "db_9", "name": "shop", "default_catalog": "default", "expires_at": "2026-12-02T00:00:00Z"});
    let script = script.json(201, made);
    let arguments = json!({"name": "shop", "schema_name": "Sales", "tables": ["Orders", "items", "list price"],
                           "keys": [{"table": "orders", "columns": ["Id", "line no"]}], "expires_at": "24h"});
    let (content, is_error) = call(&script, &tools, CREATE, arguments);
    assert!(!is_error, "{content}");
    assert_eq!(
        script.bodies().last().unwrap(),
        &json!({"name": "shop", "expires_at": "24h", "schemas": [{"name": "sales", "tables": [
            {"name": "orders", "key": ["Id", "line no"]}, {"name": "items"}, {"name": "list price"}]}]})
    );
    assert_eq!(
        content,
        json!({"id": "db_9", "name": "shop", "expires_at": "2026-12-02T00:00:00Z",
               "empty_tables": ["default.sales.orders", "default.sales.items", "default.sales.\"list price\""]})
    );
    // Nothing asked for is nothing sent.
    let script = script.json(201, json!({"id": "db_10"}));
    let (content, _) =
        call(&script, &tools, CREATE, json!({"name": "", "tables": null, "keys": []}));
    assert_eq!(content, json!({"id": "db_10"}));
    assert_eq!(script.bodies().last().unwrap(), &json!({}));
}

#[test]
fn a_database_that_cannot_be_made_is_not_asked_for() {
    let (script, tools) = set(json!({}));
    let asked = script.lines().len();
    let keys = |keys: Json| json!({"tables": ["orders"], "keys": keys});
    for (arguments, says) in [
        (json!({"name": 5}), "`name` must be a string"),
        (
            json!({"database": "x"}),
            "`database` is not an option of hotdata_create_managed_database; it takes name, schema_name",
        ),
        (json!({"tables": 5}), "`tables` must be an array of strings"),
        (json!({"tables": ["public.orders"]}), "`tables` must be a name alone, not public.orders"),
        (json!({"tables": [""]}), "`tables` must name it by 1 to 255 bytes"),
        (json!({"schema_name": "a.b"}), "`schema_name` must be a name alone"),
        (
            json!({"keys": [{"table": "orders", "columns": ["id"]}]}),
            "`keys` must be of tables that `tables` names, of each once, with at least one column",
        ),
        (
            keys(json!({"orders": ["id"]})),
            "keys: `orders` is not an option of keys; it takes table, columns",
        ),
        (keys(json!([{"columns": ["id"]}])), "keys: `table` is missing"),
        (keys(json!([{"table": "orders"}])), "keys: `columns` is missing"),
        (keys(json!([{"table": "orders", "columns": []}])), "`keys` must be of tables"),
        (keys(json!([{"table": "order", "columns": ["id"]}])), "`keys` must be of tables"),
        (
            keys(json!([{"table": "orders", "columns": [1]}])),
            "keys: `columns` must be an array of strings",
        ),
        (
            keys(
                json!([{"table": "orders", "columns": ["id"]}, {"table": "Orders", "columns": ["id"]}]),
            ),
            "`keys` must be of tables",
        ),
    ] {
        let (content, is_error) = call(&script, &tools, CREATE, arguments.clone());
        assert!(is_error);
        let message = content["error"]["message"].as_str().unwrap();
        assert!(message.starts_with(says), "{arguments}: {message}");
    }
    assert_eq!(script.lines().len(), asked);
}

#[test]
fn a_database_that_may_have_been_made_is_looked_for_first() {
    for (options, says) in [
        (json!({}), "Look with hotdata_list_managed_databases whether it is there"),
        (
            json!({"toolNameSuffix": "eu"}),
            "Look with hotdata_list_managed_databases_eu whether it is there",
        ),
    ] {
        let (script, tools) = set(options.clone());
        let script = script.fails(Code::Network);
        let name = tools.definitions()[3].name.clone();
        let (content, is_error) = call(&script, &tools, &name, json!({"name": "shop"}));
        assert!(is_error);
        assert_eq!(content["error"]["code"], "outcome_unknown");
        assert!(content["error"]["hint"].as_str().unwrap().starts_with(says), "{content}");
    }
}

fn good() -> Json {
    json!({"database_id": "db_7", "table": "Orders", "file": "https://example.com/orders.csv", "mode": "append"})
}

fn with(patch: Json) -> Json {
    let mut arguments = good();
    arguments.as_object_mut().unwrap().extend(patch.as_object().unwrap().clone());
    arguments
}

#[test]
fn a_load_is_the_hosts_and_what_landed_is_told() {
    let (script, tools) = set(json!({}));
    let loads = Loads::default();
    let script = script.json(200, json!({"id": "db_7", "default_catalog": "default"}));
    let (content, is_error) = load(&script, &tools, &loads, good());
    assert!(!is_error, "{content}");
    assert_eq!(
        content,
        json!({"table": "default.public.t", "database_id": "db_7", "mode": "append", "row_count": 3,
               "client_warning": "hotdata_execute_sql queries another database."})
    );
    let asked =
        |at: usize| -> Json { serde_json::from_str(&loads.asked.borrow()[at].to_json()).unwrap() };
    assert_eq!(
        asked(0),
        json!({"databaseId": "db_7", "table": "Orders", "mode": "append", "url": "https://example.com/orders.csv", "allowPrivateHosts": false})
    );
    // Into the database that the other tools query, keyed, and with what the program allows.
    let (script, tools) = set(json!({"allowPrivateHosts": true}));
    let script = script.json(200, json!({"id": "db_1", "default_catalog": "lake"}));
    let arguments = with(
        json!({"database_id": "db_1", "mode": "upsert", "key": ["id"], "schema_name": "Sales", "format": "csv"}),
    );
    let (content, _) = load(&script, &tools, &loads, arguments);
    assert_eq!(
        content,
        json!({"table": "lake.public.t", "database_id": "db_1", "mode": "upsert", "row_count": 3})
    );
    assert_eq!(
        asked(1),
        json!({"databaseId": "db_1", "schema": "Sales", "table": "Orders", "mode": "upsert", "key": ["id"], "format": "csv",
               "url": "https://example.com/orders.csv", "allowPrivateHosts": true})
    );
}

#[test]
fn a_load_that_cannot_be_is_not_begun() {
    let (script, tools) = set(json!({}));
    let (asked, loads) = (script.lines().len(), Loads::default());
    for (arguments, says) in [
        (json!({}), "`database_id` is missing"),
        (with(json!({"table": null})), "`table` is missing"),
        (
            with(json!({"table": "default.public.orders"})),
            "`table` must be a name of its own, without catalog or schema",
        ),
        (with(json!({"schema_name": "a.b"})), "`schema_name` must be a name of its own"),
        (
            with(json!({"file": "/tmp/orders.csv"})),
            "`file` must be an http or https URL, such as https://example.com/orders.csv, not \"/tmp/orders.csv\"",
        ),
        (with(json!({"file": "file:///etc/passwd"})), "`file` must be an http or https URL"),
        (with(json!({"file": "s3://bucket/x"})), "`file` must be an http or https URL"),
        (with(json!({"file": "C:\\orders.csv"})), "`file` must be an http or https URL"),
        (with(json!({"file": ""})), "`file` must be an http or https URL"),
        (
            with(json!({"mode": null})),
            "`mode` is missing: it must be one of \"replace\", \"append\"",
        ),
        (
            with(json!({"mode": "merge"})),
            "`mode` must be one of \"replace\", \"append\", \"upsert\"",
        ),
        (
            with(json!({"mode": "upsert"})),
            "`key` is missing: it must be an array of the columns that upsert finds rows by",
        ),
        (with(json!({"mode": "delete", "key": []})), "`key` is missing"),
        (with(json!({"mode": "update", "key": 5})), "`key` must be an array of strings"),
        (with(json!({"format": "xlsx"})), "`format` must be one of \"csv\", \"json\", \"parquet\""),
        (
            with(json!({"url": "https://x"})),
            "`url` is not an option of hotdata_load_managed_table; it takes database_id",
        ),
    ] {
        let (content, is_error) = load(&script, &tools, &loads, arguments.clone());
        assert!(is_error);
        let message = content["error"]["message"].as_str().unwrap();
        assert!(message.starts_with(says), "{arguments}: {message}");
    }
    assert_eq!(script.lines().len(), asked);
    assert!(loads.asked.borrow().is_empty());
}

#[test]
fn a_name_is_no_id_and_its_file_is_not_fetched() {
    let (script, tools) = set(json!({}));
    let loads = Loads::default();
    let script = script.json(404, gone());
    let (content, is_error) = load(&script, &tools, &loads, with(json!({"database_id": "sales"})));
    assert!(is_error);
    assert_eq!(
        content["error"],
        json!({"code": "not_found", "message": "Database 'sales' not found",
               "hint": "`database_id` must be an id, not a name. hotdata_list_managed_databases shows the ids."})
    );
    assert!(loads.asked.borrow().is_empty());
}

#[test]
fn a_failed_load_speaks_of_the_tools_own_arguments() {
    let failing = |failure: Error, mode: &str| {
        let (script, tools) = set(json!({}));
        let script = script.json(200, json!({"id": "db_7"}));
        let loads = Loads { failure: Some(failure), ..Loads::default() };
        let (content, is_error) = load(
            &script,
            &tools,
            &loads,
            with(
                json!({"mode": mode, "key": (["upsert", "update", "delete"].contains(&mode).then_some(["id"]))}),
            ),
        );
        assert!(is_error);
        content["error"].clone()
    };
    let private =
        Error::argument("url", "must not name 127.0.0.1, an address of the range loopback")
            .with_hint("`allowPrivateHosts: true` lets private hosts be read");
    let told = failing(private, "append");
    assert_eq!(told["message"], "`file` must not name 127.0.0.1, an address of the range loopback");
    assert_eq!(
        told["hint"],
        "Only the program behind this tool can change that: `allowPrivateHosts: true` lets private hosts be read."
    );
    let rows = Error::new(Code::UnexpectedResponse, "`url` must hold one JSON object a line")
        .with_hint("an array of objects goes in as `rows`");
    assert_eq!(
        failing(rows, "append"),
        json!({"code": "unexpected_response", "message": "`file` must hold one JSON object a line"})
    );
    // An append that may have landed is not sent again unseen; what replaces may be.
    let lost = || {
        Error::new(Code::OutcomeUnknown, "no answer")
            .with_hint("The same load with `uploadId: \"u\"` is applied once")
    };
    let told = failing(lost(), "append");
    let hint = told["hint"].as_str().unwrap();
    assert!(
        hint.contains("Do not send the same append again before you have counted the rows"),
        "{hint}"
    );
    for mode in ["replace", "upsert", "update", "delete"] {
        let told = failing(lost(), mode);
        assert!(told["hint"].as_str().unwrap().contains("can be sent again"), "{told}");
    }
}

#[test]
fn an_abort_of_a_load_is_the_callers() {
    let (script, tools) = set(json!({}));
    let script = script.json(200, json!({"id": "db_7"}));
    let loads = Loads {
        failure: Some(Error::new(Code::Aborted, "The call was aborted")),
        ..Loads::default()
    };
    let arguments = Value::from(good());
    let result = run(tools.call(&client(&script), Some(&Fixed), Some(&loads), LOAD, &arguments));
    assert_eq!(result.unwrap_err().code, Code::Aborted);
}

#[test]
fn a_key_is_refused_where_no_row_is_found_by_it() {
    let (script, tools) = set(json!({}));
    let loads = Loads::default();
    let (content, is_error) =
        load(&script, &tools, &loads, with(json!({"mode": "append", "key": ["id"]})));
    assert!(is_error);
    let message = content["error"]["message"].as_str().unwrap();
    assert!(message.starts_with("`key` goes with upsert, update and delete"), "{message}");
    assert!(loads.asked.borrow().is_empty());
}
