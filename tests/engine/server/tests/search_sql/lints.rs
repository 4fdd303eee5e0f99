//! What a lint says, as the engine does it.

use hotdata_wasm::lint::{absent_functions, lint};

use super::fixture::Fixture;

fn codes(sql: &str) -> Vec<&'static str> {
    lint(sql, &[]).into_iter().map(|lint| lint.code).collect()
}

/// The text with every fix put in.
fn fixed(sql: &str) -> String {
    let mut out = sql.to_owned();
    for lint in lint(sql, &[]).into_iter().rev() {
        if let Some(fix) = lint.fix {
            out.replace_range(lint.start..lint.end, &fix);
        }
    }
    out
}

#[tokio::test]
async fn every_function_said_to_be_absent_is_absent() {
    let fixture = Fixture::papers().await;
    let mut asked = 0;
    for name in absent_functions() {
        let sql = format!("SELECT {name}(title) FROM default.public.papers");
        let (_, message) = fixture.try_query(&sql).await.unwrap_err();
        assert!(message.contains("Invalid function"), "{name}: {message}");
        assert_eq!(codes(&sql), ["unknown_function"], "{name}");
        asked += 1;
    }
    assert!(asked > 60);
}

#[tokio::test]
async fn what_is_said_to_be_written_instead_runs() {
    let fixture = Fixture::papers().await;
    for expression in [
        "now() + INTERVAL '6 days'",
        "now() - INTERVAL '6 days'",
        "CAST(now() AS DATE) - CAST('2020-01-01' AS DATE)",
        "EXTRACT(YEAR FROM now()), EXTRACT(MONTH FROM now()), EXTRACT(DAY FROM now()), EXTRACT(HOUR FROM now()), date_part('dow', now())",
        "current_date",
        "to_char(now(), '%Y-%m-%d')",
        "to_date('2026-08-12', '%Y-%m-%d')",
        "to_unixtime(now())",
        "CAST('1.5' AS DOUBLE), TRY_CAST('x' AS INT)",
        "arrow_typeof(1), 7 % 2, 7 / 2",
        "levenshtein('a', 'b')",
        "unnest(string_to_array('a,b', ','))",
        "array_length([1, 2]), regexp_match('ab', 'a'), strpos('abc', 'b'), concat('a', 'b'), length('a')",
        "CASE WHEN 1 = 1 THEN 'a' ELSE 'b' END, coalesce(NULL, 1)",
        "1 - cosine_distance(ARRAY[1.0, 0.0], ARRAY[0.0, 1.0]), l2_distance(ARRAY[1.0], ARRAY[0.5])",
    ] {
        let sql = format!("SELECT {expression}");
        fixture.query(&sql).await;
        assert_eq!(codes(&sql), Vec::<&str>::new(), "{sql}");
    }
    for aggregate in [
        "array_agg(id), string_agg(title, ', '), bool_and(id > 1)",
        "COUNT(*) FILTER (WHERE id > 3), SUM(CASE WHEN id > 3 THEN 1 ELSE 0 END)",
        "percentile_cont(0.5) WITHIN GROUP (ORDER BY id), approx_percentile_cont(id, 0.5)",
    ] {
        let sql = format!("SELECT {aggregate} FROM default.public.papers");
        fixture.query(&sql).await;
        assert_eq!(codes(&sql), Vec::<&str>::new(), "{sql}");
    }
}

#[tokio::test]
async fn a_fixed_statement_does_what_the_first_did_not() {
    let fixture = Fixture::papers().await;
    for (sql, code) in [
        ("SELECT to_date('2026-08-12', 'YYYY-MM-DD') AS d", "date_template"),
        ("SELECT date_sub(CAST('2026-08-12' AS DATE), 6) AS d", "unknown_function"),
        ("SELECT \"Title\" FROM default.public.papers LIMIT 1", "quoted_upper_case"),
        (
            "SELECT id FROM bm25_search(default.public.papers, 'content', 'graph', 3) ORDER BY score DESC",
            "search_table_name",
        ),
    ] {
        assert_eq!(codes(sql), [code]);
        assert!(fixture.try_query(sql).await.is_err(), "{sql}");
        assert!(!fixture.query(&fixed(sql)).await.is_empty(), "{}", fixed(sql));
    }
    // These two run, and do not do what they seem to.
    let silent = "SELECT to_char(CAST('2026-08-12' AS DATE), 'YYYY') AS y";
    assert_eq!(fixture.query(silent).await[0]["y"], "YYYY");
    assert_eq!(fixture.query(&fixed(silent)).await[0]["y"], "2026");
    let worst = "SELECT score FROM bm25_search('default.public.papers', 'content', 'graph', 5) ORDER BY score LIMIT 1";
    let score = |rows: &[super::fixture::Row]| rows[0]["score"].as_f64().unwrap();
    assert!(score(&fixture.query(worst).await) < score(&fixture.query(&fixed(worst)).await));
}

#[tokio::test]
async fn operators_that_are_told_of_fail_or_mean_something_else() {
    let fixture = Fixture::papers().await;
    for expression in ["title @@ 'x'", "embedding <-> ARRAY[0.5]", "title ->> 'a'"] {
        let sql = format!("SELECT {expression} FROM default.public.papers LIMIT 1");
        assert_eq!(codes(&sql), ["unknown_operator"], "{sql}");
        assert!(fixture.try_query(&sql).await.is_err(), "{sql}");
    }
    let sql = "SELECT (ARRAY[1.0] <=> ARRAY[1.0]) AS same";
    assert_eq!(codes(sql), ["equality_operator"]);
    assert_eq!(fixture.query(sql).await[0]["same"], true);
}
