use super::known::Serves;
use super::*;

fn codes(sql: &str) -> Vec<&'static str> {
    lint(sql, &[]).into_iter().map(|lint| lint.code).collect()
}

/// The text with every fix put in.
fn fixed(sql: &str, indexes: &[KnownIndex]) -> String {
    let mut out = sql.to_owned();
    for lint in lint(sql, indexes).into_iter().rev() {
        if let Some(fix) = lint.fix {
            out.replace_range(lint.start..lint.end, &fix);
        }
    }
    out
}

#[test]
fn each_mistake_is_told_once_by_its_code() {
    for (code, sql) in [
        ("date_template", "SELECT to_char(d, 'YYYY') FROM default.public.t"),
        ("unknown_function", "SELECT to_tsvector(body) FROM default.public.t"),
        ("unknown_function", "SELECT DATE_SUB(d, 6) FROM default.public.t"),
        ("unknown_operator", "SELECT id FROM default.public.t WHERE body @@ 'x'"),
        ("equality_operator", "SELECT id FROM default.public.t ORDER BY e <=> ARRAY[0.1]"),
        ("quoted_upper_case", "SELECT r.\"driverId\" FROM f1.public.results r"),
        ("quoted_upper_case", "SELECT id FROM f1.public.\"Results\""),
        (
            "unbounded_text_search",
            "SELECT COUNT(id) FROM bm25_search('default.public.t', 'c', 'q')",
        ),
        ("unsorted_search", "SELECT id, score FROM bm25_search('default.public.t', 'c', 'q', 5)"),
        (
            "unsorted_search",
            "SELECT id, score FROM bm25_search('default.public.t', 'c', 'q', 5) LIMIT 5",
        ),
        (
            "unsorted_search",
            "SELECT id FROM vector_search('default.public.t', 'c', 'q', 5) s JOIN default.public.u u ON u.id = s.id",
        ),
        (
            "limit_before_sort",
            "SELECT id FROM vector_search('default.public.t', 'c', 'q', 20) LIMIT 3",
        ),
        (
            "limit_before_sort",
            "SELECT * FROM (SELECT id, _distance FROM vector_search('default.public.t', 'c', 'q', 20) LIMIT 3) s \
             ORDER BY _distance",
        ),
        (
            "worst_first",
            "SELECT id FROM bm25_search('default.public.t', 'c', 'q', 5) ORDER BY score",
        ),
        (
            "worst_first",
            "SELECT id FROM vector_search('default.public.t', 'c', 'q', 5) v ORDER BY v._distance DESC LIMIT 3",
        ),
        (
            "search_table_name",
            "SELECT id FROM bm25_search('public.t', 'c', 'q', 5) ORDER BY score DESC",
        ),
        (
            "search_table_name",
            "SELECT id FROM bm25_search(default.public.t, 'c', 'q', 5) ORDER BY score DESC",
        ),
        (
            "explain_vector_search",
            "EXPLAIN SELECT id FROM vector_search('default.public.t', 'c', 'q', 5) ORDER BY _distance",
        ),
        (
            "short_table_name",
            "SELECT id FROM public.t ORDER BY cosine_distance(e, ARRAY[0.1]) LIMIT 5",
        ),
        (
            "short_table_name",
            "SELECT id, l2_distance(t.e, ARRAY[0.1]) AS d FROM t WHERE id > 1 ORDER BY d ASC LIMIT 5",
        ),
        (
            "distance_without_limit",
            "SELECT id FROM default.public.t ORDER BY cosine_distance(e, ARRAY[0.1])",
        ),
        (
            "vector_projected",
            "SELECT id, e FROM default.public.t ORDER BY cosine_distance(e, ARRAY[0.1]) LIMIT 5",
        ),
        (
            "vector_projected",
            "SELECT *, cosine_distance(e, ARRAY[0.1]) d FROM default.public.t ORDER BY d LIMIT 5",
        ),
        (
            "scores_compared",
            "SELECT a.id, a.score + b._distance FROM bm25_search('default.public.t', 'c', 'q', 5) a \
             JOIN vector_search('default.public.u', 'c', 'q', 5) b ON a.id = b.id ORDER BY a.score DESC",
        ),
        (
            "scores_compared",
            "SELECT id, score FROM bm25_search('default.public.t', 'c', 'q', 5) UNION ALL \
             SELECT id, score FROM bm25_search('default.public.u', 'c', 'q', 5) ORDER BY score DESC LIMIT 5",
        ),
        (
            "filter_after_bound",
            "SELECT id FROM bm25_search('default.public.t', 'c', 'q', 5) WHERE id > 9 ORDER BY score DESC",
        ),
        (
            "similarity_order",
            "SELECT id, 1 - cosine_distance(e, ARRAY[0.1]) AS s FROM default.public.t ORDER BY s DESC LIMIT 5",
        ),
        ("write_statement", "DROP TABLE default.public.t"),
        ("stacked_statements", "SELECT 1; SELECT 2"),
    ] {
        assert_eq!(codes(sql), [code], "{sql}");
    }
}

#[test]
fn what_is_right_is_not_told_of() {
    for sql in [
        "SELECT id, score FROM bm25_search('default.public.t', 'c', 'q', 5) ORDER BY score DESC",
        "SELECT id FROM vector_search('default.public.t', 'c', 'q', 5) ORDER BY _distance ASC LIMIT 3",
        "SELECT s.id FROM vector_search('default.public.t', 'c', 'q', 5) s ORDER BY s._distance, s.id",
        "SELECT COUNT(id), AVG(n) FROM bm25_search('default.public.t', 'c', 'q', 5000)",
        "SELECT city, COUNT(id) n FROM bm25_search('default.public.t', 'c', 'q', 5000) GROUP BY city ORDER BY n DESC LIMIT 3",
        "SELECT id FROM default.public.t WHERE id IN (SELECT id FROM bm25_search('default.public.t', 'c', 'q', 50))",
        "WITH m AS (SELECT id, score FROM bm25_search('default.public.t', 'c', 'q', 50)) SELECT id FROM m ORDER BY score DESC",
        "SELECT id, ROW_NUMBER() OVER (ORDER BY score DESC) AS r FROM bm25_search('default.public.t', 'c', 'q', 50)",
        "SELECT DISTINCT author FROM bm25_search('default.public.t', 'c', 'q', 50)",
        "SELECT id FROM bm25_search('default.public.t', 'c', 'q', 50) ORDER BY published DESC LIMIT 3",
        "SELECT id, cosine_distance(e, ARRAY[0.1]) AS d FROM default.public.t ORDER BY d ASC LIMIT 5",
        "SELECT id FROM \"default\".\"public\".\"t\" ORDER BY cosine_distance(e, ARRAY[0.1]) LIMIT 5",
        "SELECT id FROM public.t ORDER BY cosine_distance(e, ARRAY[0.1]) DESC LIMIT 5",
        "WITH t AS (SELECT id, e FROM default.public.t) SELECT id FROM t ORDER BY cosine_distance(e, ARRAY[0.1]) LIMIT 5",
        "SELECT AVG(cosine_distance(e, ARRAY[0.1])) FROM public.t",
        "SELECT COUNT(id) AS \"Total\" FROM default.public.t ORDER BY \"Total\" DESC",
        "SELECT id \"Id\" FROM default.public.t",
        "SELECT \"all\" FROM default.public.t",
        "SELECT t.year, day FROM default.public.t AS t WHERE year > 2000",
        "SELECT score FROM bm25_search('default.public.t', 'c', 'q', 5000) WHERE score > 2 ORDER BY score DESC",
        "SELECT 'SELECT \"A\" FROM bm25_search(''t'')' -- to_tsvector(x) @@ y",
        "SELECT a - b, a < -b, a <= b FROM default.public.t",
    ] {
        assert_eq!(codes(sql), Vec::<&str>::new(), "{sql}");
    }
}

#[test]
fn a_fix_is_what_the_message_says() {
    for (sql, right) in [
        ("SELECT to_char(d, 'YYYY-MM')", "SELECT to_char(d, '%Y-%m')"),
        ("SELECT date_sub(now(), 6)", "SELECT (now() - INTERVAL '6 days')"),
        (
            "SELECT r.\"driverId\" FROM f1.public.\"Races\" r",
            "SELECT r.\"driverid\" FROM f1.public.\"races\" r",
        ),
        (
            "SELECT id FROM bm25_search(\"default\".public.t, 'c', 'q', 5) ORDER BY score ASC, id",
            "SELECT id FROM bm25_search('default.public.t', 'c', 'q', 5) ORDER BY score DESC, id",
        ),
    ] {
        assert_eq!(fixed(sql, &[]), right);
    }
}

#[test]
fn known_indexes_tell_what_serves_a_search() {
    let index = |column: &str, serves| KnownIndex {
        table: Some("default.public.t".into()),
        column: column.into(),
        serves,
    };
    let known = [
        index("body", Serves::Words),
        index("e", Serves::Distance("cosine_distance")),
        index("note", Serves::Meaning),
    ];
    for (sql, says) in [
        (
            "SELECT id FROM bm25_search('default.public.t', 'note', 'q', 5) ORDER BY score DESC",
            "bm25_search cannot search note; it is searched by meaning: vector_search('default.public.t', 'note', 'a question', 20).",
        ),
        (
            "SELECT id FROM vector_search('default.public.t', 'e', 'q', 5) ORDER BY _distance",
            "vector_search cannot search e; it is ranked with a vector: ORDER BY cosine_distance(e, ARRAY[…]) LIMIT 20.",
        ),
        (
            "SELECT id FROM bm25_search('default.public.t', 'title', 'q', 5) ORDER BY score DESC",
            "bm25_search cannot search title; no index that is known serves it.",
        ),
        (
            "SELECT id FROM default.public.t ORDER BY l2_distance(e, ARRAY[0.1]) LIMIT 5",
            "The index of e serves cosine_distance; l2_distance reads the whole table.",
        ),
    ] {
        let found = lint(sql, &known);
        assert_eq!(found.len(), 1, "{sql}: {found:?}");
        assert_eq!(found[0].message, says);
    }
    for sql in [
        "SELECT id FROM bm25_search('default.public.t', 'body', 'q', 5) ORDER BY score DESC",
        "SELECT id FROM vector_search('default.public.t', 'note', 'q', 5) ORDER BY _distance",
        "SELECT id FROM bm25_search('default.public.other', 'x', 'q', 5) ORDER BY score DESC",
        "SELECT id FROM default.public.t ORDER BY cosine_distance(e, ARRAY[0.1]) LIMIT 5",
    ] {
        assert_eq!(lint(sql, &known), [], "{sql}");
    }
    let sql = "SELECT id FROM default.public.t ORDER BY l2_distance(e, ARRAY[0.1]) LIMIT 5";
    assert!(fixed(sql, &known).contains("ORDER BY cosine_distance(e,"));
}

#[test]
fn a_thousand_rows_are_told_of_after_a_search_without_a_bound() {
    let unbounded = "SELECT id FROM bm25_search('default.public.t', 'c', 'q') ORDER BY score DESC";
    assert!(stopped_at_a_thousand(unbounded, 1_000).unwrap().starts_with("Exactly 1,000 rows"));
    assert_eq!(stopped_at_a_thousand(unbounded, 999), None);
    assert_eq!(stopped_at_a_thousand("SELECT 1", 1_000), None);
    let counted = "SELECT COUNT(id) FROM bm25_search('default.public.t', 'c', 'q', 100)";
    assert!(
        counted_to_the_bound(counted, &["100".into()]).unwrap().contains("more rows may match")
    );
    assert_eq!(counted_to_the_bound(counted, &["99".into()]), None);
    assert_eq!(counted_to_the_bound("SELECT COUNT(id) FROM t", &["100".into()]), None);
}

#[test]
fn warnings_are_few_and_none_is_said_twice() {
    let many = "SELECT ".to_owned()
        + &"to_char(d, 'YYYY'), ".repeat(40)
        + "year(d), month(d), day(d), hour(d), age(d), len(d)";
    let told = warnings(&many, &[], false);
    assert_eq!(told.len(), 5);
    assert!(warnings("DELETE FROM t", &[], false).is_empty());
}

/// Pieces that the rules look for, put together at random.
#[test]
fn any_text_is_looked_at_without_a_panic_and_every_place_lies_within_it() {
    let pieces = [
        "SELECT",
        "FROM",
        "WHERE",
        "ORDER BY",
        "LIMIT 3",
        "GROUP BY",
        "UNION ALL",
        "WITH a AS",
        "(",
        ")",
        "[",
        "]",
        ",",
        ".",
        ";",
        "*",
        "bm25_search",
        "vector_search",
        "cosine_distance",
        "to_char",
        "date_sub",
        "score",
        "_distance",
        "DESC",
        "COUNT",
        "OVER",
        "EXPLAIN",
        "INTO",
        "DELETE",
        "'default.public.t'",
        "'YYYY'",
        "\"Ä\"",
        "\"A\"",
        "é",
        "日",
        "$$",
        "E'\\",
        "'",
        "\"",
        "--",
        "\n",
        "/*",
        "*/",
        "1",
        "id",
        "e",
        "@",
        "<",
        "=",
        ">",
        "-",
    ];
    let mut state = 11u64;
    for _ in 0..60_000 {
        let mut sql = String::new();
        for _ in 0..14 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            sql.push_str(pieces[(state >> 33) as usize % pieces.len()]);
            if state >> 63 == 1 {
                sql.push(' ');
            }
        }
        for lint in lint(&sql, &[]) {
            assert!(
                lint.start <= lint.end && sql.get(lint.start..lint.end).is_some(),
                "{sql}: {lint:?}"
            );
            assert!(!lint.message.is_empty());
        }
    }
}
