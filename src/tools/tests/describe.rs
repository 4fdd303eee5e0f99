//! `hotdata_describe_tables` over a scripted service.

use super::*;

const NAME: &str = "hotdata_describe_tables";

fn set(options: Json) -> (Script, Toolset) {
    let script = Script::default().json(200, database()).json(200, catalogs());
    let tools = build(&script, options, false).unwrap();
    (script, tools)
}

/// Rows of information_schema.columns: `catalog.schema.table`, column, type.
fn facts(columns: &[(&str, &str, &str)]) -> Json {
    let rows: Vec<Json> = columns
        .iter()
        .map(|(table, column, data_type)| {
            let [catalog, schema, table] = table.splitn(3, '.').collect::<Vec<_>>()[..] else {
                panic!()
            };
            json!([catalog, schema, table, column, data_type, "YES"])
        })
        .collect();
    answer(
        json!([
            "table_catalog",
            "table_schema",
            "table_name",
            "column_name",
            "data_type",
            "is_nullable"
        ]),
        json!(rows),
    )
}

fn no_facts() -> Json {
    facts(&[])
}

/// The service's listing of tables, with those that hold data.
fn listing(tables: &[(&str, bool)]) -> Json {
    let tables: Vec<Json> =
        tables.iter().map(|(table, synced)| json!({"connection": "c", "schema": "public", "table": table, "synced": synced})).collect();
    json!({"tables": tables, "has_more": false})
}

fn refusal(message: &str) -> Json {
    json!({"error": {"code": "BAD_REQUEST", "message": message}})
}

const DECLARED: &str = "Managed table 'default.public.customer' is declared but has no data; POST a load before querying";

#[test]
fn an_overview_tells_tables_with_data_from_those_that_are_declared() {
    let (script, tools) = set(json!({}));
    let script = script
        .json(
            200,
            facts(&[
                ("default.public.papers", "id", "Int64"),
                ("default.public.papers", "a\"b", "Utf8"),
                ("f1.public.order", "x", "Date32"),
            ]),
        )
        .json(200, database())
        .json(200, listing(&[("papers", true), ("customer", false), ("Odd Name", false)]));
    let (content, is_error) = call(&script, &tools, NAME, json!({"table": " "}));
    assert!(!is_error, "{content}");
    assert_eq!(
        content,
        json!({
            "tables": [
                {"table": "default.public.papers", "columns": {"id": "Int64", "a\"b": "Utf8"}},
                {"table": "f1.public.order", "columns": {"x": "Date32"}},
                {"table": "default.public.customer", "columns": {}, "loaded": false},
                {"table": "default.public.\"odd name\"", "columns": {}, "loaded": false},
            ],
            "client_warning": "loaded: false is a table without columns or rows: no query runs on it before data is loaded. \
                               hotdata_load_managed_table loads it."
        })
    );
    assert_eq!(
        script.lines().last().unwrap(),
        "GET /information_schema?connection_id=conn_1&limit=1000"
    );
}

#[test]
fn h43_a_database_without_tables_says_so_and_an_unreadable_listing_fails_open() {
    let (script, tools) = set(json!({}));
    let script = script.json(200, no_facts()).json(200, database()).json(200, listing(&[]));
    let (content, is_error) = call(&script, &tools, NAME, json!({}));
    assert!(!is_error);
    assert_eq!(content, json!({"tables": [], "client_warning": "The database has no table."}));

    let script = script
        .json(200, facts(&[("default.public.papers", "id", "Int64")]))
        .json(200, database())
        .json(403, json!({"error": {"code": "FORBIDDEN", "message": "missing scope"}}));
    let (content, is_error) = call(&script, &tools, NAME, json!({}));
    assert!(!is_error);
    assert_eq!(content["tables"].as_array().unwrap().len(), 1);
    assert_eq!(
        content["client_warning"],
        "Whether there are tables without data is not known: missing scope."
    );
}

#[test]
fn many_and_wide_tables_are_cut_and_announced() {
    let (script, tools) = set(json!({}));
    let names: Vec<String> = (0..700).map(|n| format!("default.public.t{n:03}")).collect();
    let columns: Vec<String> = (0..60).map(|n| format!("column_{n}")).collect();
    let rows: Vec<(&str, &str, &str)> = names
        .iter()
        .flat_map(|table| {
            columns.iter().map(move |column| (table.as_str(), column.as_str(), "Utf8"))
        })
        .collect();
    let script = script.json(200, facts(&rows)).json(200, database()).json(200, listing(&[]));
    let (content, _) = call(&script, &tools, NAME, json!({}));
    let tables = content["tables"].as_array().unwrap();
    assert_eq!(tables[0]["columns"].as_object().unwrap().len(), 50);
    assert_eq!(tables[0]["more_columns"], 10);
    assert_eq!(content["more_tables"].as_array().unwrap().len(), 400);
    assert_eq!(content["more_tables"][0], format!("default.public.t{:03}", tables.len()));
    let warning = content["client_warning"].as_str().unwrap();
    assert!(
        warning.starts_with(&format!(
            "Only {} of 700 tables are told with their columns; ask for one by its name.",
            tables.len()
        )),
        "{warning}"
    );
    assert!(warning.ends_with("information_schema.tables has the names of all."));
    assert!(content.to_string().len() < 32_000);

    // One table of many columns.
    let rows: Vec<(String, String)> =
        (0..250).map(|n| ("default.public.wide".to_owned(), format!("c{n}"))).collect();
    let rows: Vec<(&str, &str, &str)> =
        rows.iter().map(|(table, column)| (table.as_str(), column.as_str(), "Utf8")).collect();
    let counts: Vec<u64> = vec![7; 101];
    let script = script
        .json(200, facts(&rows))
        .json(200, answer(json!(counts.iter().map(|_| "n").collect::<Vec<_>>()), json!([counts])))
        .json(200, database())
        .json(200, json!({"indexes": []}));
    let (content, is_error) = call(&script, &tools, NAME, json!({"table": "default.public.wide"}));
    assert!(!is_error, "{content}");
    let told = content["columns"].as_array().unwrap();
    assert_eq!(
        (told.len(), &told[99]["non_null"], told[100].get("non_null")),
        (200, &json!(7), None)
    );
    assert_eq!(
        content["note"],
        "Values were counted of 100 columns. Only 200 of 250 columns are told; information_schema.columns has them all."
    );
}

#[test]
fn one_table_is_told_in_full_without_its_generated_column() {
    let (script, tools) = set(json!({}));
    let script = script
        .json(200, columns())
        .json(
            200,
            answer(
                json!(["row_count", "n0", "n1", "n2", "n3"]),
                json!([[314, 314, 313, 300, 300]]),
            ),
        )
        .json(200, database())
        .json(200, json!({"indexes": [bm25(), plain(), provider()]}));
    let (table, is_error) = call(&script, &tools, NAME, json!({"table": "default.public.papers"}));
    assert!(!is_error, "{table}");
    assert_eq!(
        table,
        json!({"table": "default.public.papers", "row_count": 314, "columns": [
            {"name": "id", "type": "Utf8", "non_null": 314},
            {"name": "content", "type": "Utf8", "non_null": 313, "searchable_by": ["bm25_search", "vector_search"]},
            {"name": "embedding", "type": "Utf8", "non_null": 300, "searchable_by": ["l2_distance"]},
        ]})
    );
}

#[test]
fn what_is_switched_off_is_not_asked_for() {
    let (script, tools) =
        set(json!({"describeColumnStats": false, "describeSearchCapabilities": false}));
    let asked = script.lines().len();
    let script = script.json(200, facts(&[("default.public.papers", "id", "Int64")]));
    let (table, is_error) = call(&script, &tools, NAME, json!({"table": "default.public.papers"}));
    assert!(!is_error, "{table}");
    assert_eq!(
        table,
        json!({"table": "default.public.papers", "columns": [{"name": "id", "type": "Int64"}]})
    );
    assert_eq!(script.lines().len(), asked + 1);

    let (script, tools) = set(json!({"describeColumnStats": false}));
    let script =
        script.json(200, columns()).json(200, database()).json(200, json!({"indexes": [bm25()]}));
    let (table, _) = call(&script, &tools, NAME, json!({"table": "default.public.papers"}));
    assert_eq!(table["columns"][1]["searchable_by"], json!(["bm25_search"]));
    assert_eq!(table.get("row_count"), None);

    let (_, tools) = set(json!({"describeTables": false}));
    assert!(tools.definitions().iter().all(|tool| tool.name != NAME));
}

#[test]
fn what_cannot_be_known_of_a_table_is_said() {
    let (script, tools) = set(json!({}));
    let script = script
        .json(
            200,
            facts(&[("default.public.t", "id", "Int64"), ("default.public.t", "a\"b", "Utf8")]),
        )
        .json(200, answer(json!(["row_count", "n0"]), json!([[5, 5]])))
        .json(200, database())
        .json(
            403,
            json!({"error": {"code": "FORBIDDEN", "message": "missing scope indexes:read"}}),
        );
    let (table, is_error) = call(&script, &tools, NAME, json!({"table": "default.public.t"}));
    assert!(!is_error, "{table}");
    // The odd name is listed and not counted; one column is counted by name, so that any table answers.
    assert_eq!(
        script.bodies().last().unwrap()["sql"],
        "SELECT COUNT(*) AS row_count, COUNT(\"id\") AS n0 FROM \"default\".\"public\".\"t\""
    );
    assert_eq!(table["columns"][1], json!({"name": "a\"b", "type": "Utf8"}));
    assert_eq!(
        table["note"],
        "Values were counted of 1 columns. Which columns can be searched is not known: missing scope indexes:read"
    );
    // No column that SQL can name: nothing is counted.
    let script = script
        .json(200, facts(&[("default.public.t", "a\"b", "Utf8")]))
        .json(200, database())
        .json(200, json!({"indexes": []}));
    let (table, is_error) = call(&script, &tools, NAME, json!({"table": "default.public.t"}));
    assert!(!is_error, "{table}");
    assert_eq!(
        table,
        json!({"table": "default.public.t", "columns": [{"name": "a\"b", "type": "Utf8"}]})
    );
}

#[test]
fn a_declared_table_is_told_from_a_missing_one() {
    let (script, tools) = set(json!({}));
    let script = script.json(200, no_facts()).json(400, refusal(DECLARED));
    let (table, is_error) =
        call(&script, &tools, NAME, json!({"table": "default.public.customer"}));
    assert!(!is_error, "{table}");
    assert_eq!((&table["row_count"], &table["columns"]), (&json!(0), &json!([])));
    assert!(table["note"].as_str().unwrap().starts_with("Declared and never loaded"));

    let missing = "table 'default.public.custmer' not found";
    let script = script
        .json(200, no_facts())
        .json(400, refusal(missing))
        .json(200, facts(&[("default.public.papers", "id", "Int64")]))
        .json(200, database())
        .json(200, listing(&[("customer", false)]));
    let (content, is_error) =
        call(&script, &tools, NAME, json!({"table": "default.public.custmer"}));
    assert!(is_error);
    assert_eq!(
        content["error"],
        json!({"code": "bad_request", "message": missing, "hint": "Did you mean default.public.customer?"})
    );
}

/// Names as models write them, with the table that is meant or the beginning of the error.
#[test]
fn h32_odd_names_are_understood_or_refused_with_the_nearest() {
    let all = || {
        facts(&[
            ("default.public.listings", "id", "Int64"),
            ("default.public.my-table", "id", "Int64"),
            ("default.public.list price", "id", "Int64"),
            ("default.public.all", "all", "Int64"),
            ("default.public.list.price", "id", "Int64"),
            ("default.public.cities", "id", "Int64"),
            ("f1.public.cities", "id", "Int64"),
            ("f1.public.a\"b", "id", "Int64"),
        ])
    };
    for (name, meant) in [
        ("PUBLIC.Listings", Ok("default.public.listings")),
        ("default.public.listings", Ok("default.public.listings")),
        (" listings ", Ok("default.public.listings")),
        ("\"listings\"", Ok("default.public.listings")),
        ("`listings`", Ok("default.public.listings")),
        ("'Listings'", Ok("default.public.listings")),
        ("`default`.`public`.`listings`", Ok("default.public.listings")),
        ("\"DEFAULT\".\"public\".\"LISTINGS\"", Ok("default.public.listings")),
        ("my-table", Ok("default.public.\"my-table\"")),
        ("list price", Ok("default.public.\"list price\"")),
        ("default.public.\"list.price\"", Ok("default.public.\"list.price\"")),
        ("all", Ok("default.public.all")),
        ("f1.public.cities", Ok("f1.public.cities")),
        (
            "cities",
            Err(
                "`table` must be one table as catalog.schema.table. It may mean default.public.cities, f1.public.cities.",
            ),
        ),
        (
            "a.b.c.d",
            Err(
                "`table` must be one table as catalog.schema.table. There are default.public.listings, ",
            ),
        ),
        ("a\"b", Err("`table` must be one table as catalog.schema.table. There are ")),
        (
            "lisings",
            Err(
                "`table` must be one table as catalog.schema.table. Did you mean default.public.listings?",
            ),
        ),
        (
            "default.listings",
            Err(
                "`table` must be one table as catalog.schema.table. Did you mean default.public.listings?",
            ),
        ),
    ] {
        let (script, tools) = set(json!({}));
        let full = crate::sql::TableName::parse("table", &name.replace('`', "\"")).is_ok();
        let mut script = script;
        if !full {
            script = script.json(200, all()).json(200, database()).json(200, listing(&[]));
        }
        script = script
            .json(
                200,
                facts(&[
                    ("x.y.z", "all", "Int64"),
                    ("x.y.z", "list price", "Utf8"),
                    ("x.y.z", "a\"b", "Utf8"),
                ]),
            )
            .json(200, answer(json!(["row_count", "n0", "n1"]), json!([[3, 3, 2]])));
        if full {
            script = script.json(200, database());
        }
        script = script.json(200, json!({"indexes": []}));
        let (content, is_error) = call(&script, &tools, NAME, json!({"table": name}));
        match meant {
            Ok(table) => {
                assert!(!is_error, "{name}: {content}");
                assert_eq!(content["table"], table, "{name}");
                let sql = last_sql(&script);
                assert!(
                    sql.contains("COUNT(\"all\") AS n0, COUNT(\"list price\") AS n1 FROM"),
                    "{sql}"
                );
                assert!(!sql.contains("a\"b"));
            }
            Err(says) => {
                assert!(is_error, "{name}: {content}");
                let message = content["error"]["message"].as_str().unwrap();
                assert!(message.starts_with(says), "{name}: {message}");
            }
        }
    }
}

#[test]
fn a_table_that_sql_cannot_name_is_left_out_of_the_overview_and_announced() {
    let (script, tools) = set(json!({}));
    let script = script
        .json(
            200,
            facts(&[("default.public.a\"b", "id", "Int64"), ("default.public.t", "id", "Int64")]),
        )
        .json(200, database())
        .json(200, listing(&[]));
    let (content, _) = call(&script, &tools, NAME, json!({}));
    assert_eq!(
        content["tables"],
        json!([{"table": "default.public.t", "columns": {"id": "Int64"}}])
    );
    assert_eq!(
        content["client_warning"],
        "Tables whose names no SQL here can write, with a double quote, are left out."
    );
}
