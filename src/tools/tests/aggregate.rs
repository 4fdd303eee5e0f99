//! `hotdata_aggregate_matches` over a scripted service; what the engine makes of its SQL is proved by running it.

use super::*;

const NAME: &str = "hotdata_aggregate_matches";

/// Columns of every kind.
fn typed_columns() -> Json {
    let columns = [
        ("id", "Int64"),
        ("content", "Utf8"),
        ("price", "Decimal128(10, 2)"),
        ("city", "Utf8View"),
        ("open", "Boolean"),
        ("since", "Date32"),
        ("embedding", "List(Float32)"),
        ("list price", "Float64"),
    ];
    let rows: Vec<_> = columns
        .iter()
        .map(|(name, data_type)| json!(["default", "public", "papers", name, data_type, "YES"]))
        .collect();
    answer(json!(["c", "s", "t", "column_name", "data_type", "is_nullable"]), json!(rows))
}

fn bound() -> Json {
    answer(json!(["bound"]), json!([[5_000]]))
}

/// A set over the papers, and what each of its calls is answered with from then on.
fn set(options: Json) -> (Script, Toolset) {
    let script = with_indexes(json!([bm25()]));
    let mut all = search();
    all.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
    let tools = build(&script, all, false).unwrap();
    (script, tools)
}

/// The statement of a call, between `FROM bm25_search(` and its end.
fn condition(arguments: Json) -> String {
    let (script, tools) = set(json!({}));
    let script = script
        .json(200, typed_columns())
        .json(200, bound())
        .json(200, answer(json!(["n", "a0"]), json!([[1, 1]])));
    let (content, is_error) = call(&script, &tools, NAME, arguments);
    assert!(!is_error, "{content}");
    let sql = last_sql(&script);
    sql.split_once(" WHERE ").map_or(String::new(), |(_, condition)| condition.to_owned())
}

#[test]
fn the_bound_is_counted_first_and_the_cohort_said() {
    let (script, tools) = set(json!({}));
    let script =
        script.json(200, bound()).json(200, answer(json!(["n", "a0"]), json!([[1_426, 1_426]])));
    let (content, is_error) = call(&script, &tools, NAME, json!({"query": "quiet garden"}));
    assert!(!is_error, "{content}");
    assert_eq!(content["rows"], json!([{"count": 1_426}]));
    assert_eq!(content["metadata"]["cohort"], 1_426);
    assert_eq!(content["metadata"].get("client_warning"), None);
    let bodies = script.bodies();
    let [.., counted, asked] = bodies.as_slice() else { panic!() };
    assert_eq!(
        counted["sql"],
        "SELECT COUNT(\"content\") AS bound FROM \"default\".\"public\".\"papers\""
    );
    assert!(asked["sql"].as_str().unwrap().ends_with("'quiet garden', 5000)"));
    let script = script.json(200, bound()).json(200, answer(json!(["n", "a0"]), json!([[0, 0]])));
    let (content, _) = call(&script, &tools, NAME, json!({"query": "nothing", "aggregates": null}));
    assert_eq!(content["metadata"]["cohort"], 0);
    assert_eq!(content["metadata"]["client_warning"], "No rows matched.");
}

#[test]
fn one_client_counts_the_bound_once() {
    let (script, tools) = set(json!({}));
    let figures = || answer(json!(["n", "a0"]), json!([[1, 1]]));
    let script = script.json(200, bound()).json(200, figures()).json(200, figures());
    let (client, asked) = (client(&script), script.lines().len());
    for requests in [2, 3] {
        let arguments = Value::from(json!({"query": "q"}));
        let result = run(tools.call(&client, Some(&Fixed), NO_LOADER, NAME, &arguments)).unwrap();
        assert!(!result.is_error);
        assert_eq!(script.lines().len(), asked + requests);
    }
}

#[test]
fn figures_are_called_by_function_and_column() {
    let (script, tools) = set(json!({}));
    let script = script
        .json(200, typed_columns())
        .json(200, bound())
        .json(200, answer(json!(["a0", "a1", "a2", "n"]), json!([[4.5, 3, 9, 9]])));
    let aggregates = json!([{"function": "avg", "column": "Price"}, {"function": "count_distinct", "column": "`city`"},
                            {"function": "count", "column": "*"}]);
    let (content, is_error) =
        call(&script, &tools, NAME, json!({"query": "q", "aggregates": aggregates}));
    assert!(!is_error, "{content}");
    assert_eq!(content["rows"], json!([{"avg_price": 4.5, "count_distinct_city": 3, "count": 9}]));
    let sql = last_sql(&script);
    assert!(
        sql.contains(
            "AVG(\"price\") AS a0, COUNT(DISTINCT \"city\") AS a1, COUNT(\"content\") AS a2"
        ),
        "{sql}"
    );
}

#[test]
fn groups_that_are_not_shown_are_counted_and_announced() {
    let (script, tools) = set(json!({"maxRows": 2}));
    let rows = json!([["sf", 30, 7.5, 90, 40], [null, 20, 7.0, 90, 40], ["ny", 10, 6.5, 90, 40]]);
    let script = script
        .json(200, typed_columns())
        .json(200, bound())
        .json(200, answer(json!(["g0", "a0", "a1", "cohort", "found"]), rows));
    let aggregates = json!([{"function": "count"}, {"function": "avg", "column": "price"}]);
    let arguments = json!({"query": "q", "aggregates": aggregates, "group_by": ["city"]});
    let (content, _) = call(&script, &tools, NAME, arguments);
    assert!(
        last_sql(&script).ends_with("ORDER BY a0 DESC NULLS LAST, g0 LIMIT 3"),
        "{}",
        last_sql(&script)
    );
    assert_eq!(
        content["rows"],
        json!([{"city": "sf", "count": 30, "avg_price": 7.5}, {"city": null, "count": 20, "avg_price": 7.0}])
    );
    let metadata = &content["metadata"];
    assert_eq!((&metadata["cohort"], &metadata["total"]), (&json!(90), &json!(40)));
    assert_eq!(metadata["truncated"], true);
    let warning = metadata["client_warning"].as_str().unwrap();
    assert!(warning.starts_with("Only 2 of 40 rows are shown (2 rows at most)"), "{warning}");
    // No group at all.
    let script = script
        .json(200, typed_columns())
        .json(200, bound())
        .json(200, answer(json!(["g0", "a0", "cohort", "found"]), json!([])));
    let (content, _) = call(&script, &tools, NAME, json!({"query": "q", "group_by": ["city"]}));
    assert_eq!(content["metadata"]["cohort"], 0);
    assert_eq!(content["metadata"]["total"], 0);
    assert_eq!(content["metadata"]["client_warning"], "No rows matched.");
}

#[test]
fn a_group_and_a_figure_of_one_name_are_both_told() {
    let (script, tools) = set(json!({}));
    let count = json!(["default", "public", "papers", "count", "Int64", "YES"]);
    let script = script
        .json(200, answer(json!(["c", "s", "t", "n", "d", "i"]), json!([count])))
        .json(200, bound())
        .json(200, answer(json!(["g0", "a0", "cohort", "found"]), json!([[3, 5, 5, 1]])));
    let (content, _) = call(&script, &tools, NAME, json!({"query": "q", "group_by": ["count"]}));
    assert_eq!(content["rows"], json!([{"count": 3, "count_": 5}]));
}

#[test]
fn a_value_is_written_by_the_type_of_its_column() {
    for (filter, expected) in [
        (
            json!({"column": "id", "op": "=", "value": "9007199254740993"}),
            r#""id" = 9007199254740993"#,
        ),
        (json!({"column": "id", "op": ">=", "value": " -5 "}), r#""id" >= -5"#),
        (json!({"column": "price", "op": "<", "value": "10.25"}), r#""price" < 10.25"#),
        (json!({"column": "price", "op": "<=", "value": 10.5}), r#""price" <= 10.5"#),
        (json!({"column": "City", "op": "=", "value": "5"}), r#""city" = '5'"#),
        (json!({"column": "city", "op": "=", "value": "O'Hare"}), r#""city" = 'O''Hare'"#),
        (
            json!({"column": "city", "op": "!=", "value": "sf"}),
            r#"("city" NOT IN ('sf') AND "city" IS NOT NULL)"#,
        ),
        (json!({"column": "open", "op": "=", "value": true}), r#""open" = TRUE"#),
        (json!({"column": "since", "op": ">", "value": "2026-01-31"}), r#""since" > '2026-01-31'"#),
        (json!({"column": "embedding", "op": "is_null"}), r#""embedding" IS NULL"#),
        (
            json!({"column": "list price", "op": "is_not_null", "value": null}),
            r#""list price" IS NOT NULL"#,
        ),
    ] {
        assert_eq!(condition(json!({"query": "q", "filters": [filter]})), expected, "{filter}");
    }
    let both =
        json!([{"column": "id", "op": "=", "value": 1}, {"column": "city", "op": "is_null"}]);
    assert_eq!(condition(json!({"query": "q", "filters": both})), r#""id" = 1 AND "city" IS NULL"#);
}

#[test]
fn the_callers_own_filter_comes_first() {
    let (script, tools) = set(json!({"searchFilter": {"$or": [{"id": 1}, {"content": "x"}]}}));
    let script = script
        .json(200, typed_columns())
        .json(200, bound())
        .json(200, answer(json!(["n", "a0"]), json!([[1, 1]])));
    let filters = json!([{"column": "id", "op": ">", "value": "3"}]);
    call(&script, &tools, NAME, json!({"query": "q", "filters": filters}));
    assert!(
        last_sql(&script).ends_with(r#" WHERE ("id" = 1 OR "content" = 'x') AND "id" > 3"#),
        "{}",
        last_sql(&script)
    );
}

#[test]
fn what_is_wrong_with_the_arguments_alone_is_told_before_any_request() {
    let (script, tools) = set(json!({}));
    let asked = script.lines().len();
    let filter = |filter: Json| json!({"query": "q", "filters": [filter]});
    let figure = |figure: Json| json!({"query": "q", "aggregates": [figure]});
    for (arguments, says) in [
        (json!({}), "`query` is missing"),
        (json!({"query": " "}), "`query` must hold some words"),
        (
            json!({"query": "q", "sql": "x"}),
            "`sql` is not an option of hotdata_aggregate_matches; it takes query, aggregates",
        ),
        (
            json!({"query": "q", "aggregates": "count"}),
            "`aggregates` must be an array of {function, column}, not \"count\"",
        ),
        (
            figure(json!("count")),
            "`aggregates` must be an array of {function, column}, not \"count\"",
        ),
        (figure(json!({})), "aggregates: `function` is missing"),
        (
            figure(json!({"function": "mode"})),
            "aggregates: `function` must be one of \"count\", \"count_distinct\", \"sum\"",
        ),
        (
            figure(json!({"function": "avg"})),
            "aggregates: `column` is missing: it must be the one that avg is of",
        ),
        (
            figure(json!({"function": "count_distinct", "column": "*"})),
            "aggregates: `column` is missing",
        ),
        (json!({"query": "q", "group_by": 5}), "`group_by` must be an array of strings"),
        (
            json!({"query": "q", "filters": {"city": "sf"}}),
            "filters: `city` is not an option of filters; it takes column, op, value",
        ),
        (
            filter(json!({"column": "city", "op": "LIKE", "value": "x"})),
            "filters: `op` must be one of \"=\", \"!=\"",
        ),
        (filter(json!({"column": "city", "value": "x"})), "filters: `op` is missing"),
        (filter(json!({"op": "=", "value": "x"})), "filters: `column` is missing"),
        (
            filter(json!({"column": "city", "op": "="})),
            "filters: `value` is missing: it must be what the column is compared with",
        ),
        (
            filter(json!({"column": "city", "op": "=", "value": ["x"]})),
            "filters: `value` must be a string, not an array",
        ),
        (
            filter(json!({"column": "city", "op": "is_null", "value": "x"})),
            "filters: `value` does not go with is_null",
        ),
    ] {
        let (content, is_error) = call(&script, &tools, NAME, arguments.clone());
        assert!(is_error);
        let message = content["error"]["message"].as_str().unwrap();
        assert!(message.starts_with(says), "{arguments}: {message}");
    }
    assert_eq!(script.lines().len(), asked);
}

#[test]
fn a_column_must_be_there_and_fit() {
    let (script, tools) = set(json!({}));
    let filter = |filter: Json| json!({"query": "q", "filters": [filter]});
    let figure = |figure: Json| json!({"query": "q", "aggregates": [figure]});
    for (arguments, says) in [
        (
            json!({"query": "q", "group_by": ["citty"]}),
            "`group_by` must name a column of default.public.papers, not citty; did you mean city?",
        ),
        (
            figure(json!({"function": "avg", "column": "score"})),
            "`aggregates` must name a column of default.public.papers, not score; it has id content price",
        ),
        (
            figure(json!({"function": "avg", "column": "city"})),
            "`aggregates` must name a column of numbers, and city is Utf8View",
        ),
        (
            figure(json!({"function": "median", "column": "since"})),
            "`aggregates` must name a column of numbers, and since is Date32",
        ),
        (
            figure(json!({"function": "max", "column": "embedding"})),
            "`aggregates` must name a column of single values, and embedding is List(Float32)",
        ),
        (
            json!({"query": "q", "group_by": ["embedding"]}),
            "`group_by` must name a column of single values, and embedding is List(Float32)",
        ),
        (
            json!({"query": "q", "group_by": ["a\"b"]}),
            "`group_by` must name it by 1 to 255 bytes without double quotes",
        ),
        (
            filter(json!({"column": "price", "op": ">", "value": "cheap"})),
            "filters: `value` must be a number for this column",
        ),
        (
            filter(json!({"column": "price", "op": ">", "value": "1.2.3"})),
            "filters: `value` must be a number",
        ),
        (
            filter(json!({"column": "price", "op": ">", "value": "1; DROP"})),
            "filters: `value` must be a number",
        ),
        (
            filter(json!({"column": "price", "op": ">", "value": "."})),
            "filters: `value` must be a number",
        ),
        (
            filter(json!({"column": "open", "op": "=", "value": "yes"})),
            "filters: `value` must be true or false for this column",
        ),
        (
            filter(json!({"column": "embedding", "op": "=", "value": "1"})),
            "`filters` must name a column of single values, and embedding is",
        ),
    ] {
        let script = script.clone().json(200, typed_columns());
        let (content, is_error) = call(&script, &tools, NAME, arguments.clone());
        assert!(is_error);
        let message = content["error"]["message"].as_str().unwrap();
        assert!(message.starts_with(says), "{arguments}: {message}");
    }
}

#[test]
fn it_stands_beside_a_search_by_words_alone() {
    let names = |indexes: Json, options: Json, can_embed: bool| {
        let mut all = search();
        all.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
        let tools = build(&with_indexes(indexes), all, can_embed).unwrap();
        tools.definitions().iter().any(|tool| tool.name == NAME)
    };
    assert!(names(json!([bm25()]), json!({}), false));
    assert!(names(json!([bm25(), plain()]), json!({}), true));
    assert!(!names(json!([bm25()]), json!({"aggregateTool": false}), false));
    assert!(!names(json!([provider()]), json!({}), false));
}
