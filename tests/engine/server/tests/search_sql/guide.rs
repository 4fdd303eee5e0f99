//! The queries that the dialect guide shows, run as they are printed.

use hotdata_wasm::tools::SQL_GUIDE;

use super::fixture::Fixture;

#[tokio::test]
async fn every_query_of_the_guide_runs_and_ranks() {
    let fixture = Fixture::papers().await;
    let mut run = 0;
    for block in SQL_GUIDE.split("```sql\n").skip(1) {
        let sql = block.split("```").next().unwrap();
        let rows = fixture.query(sql).await;
        assert!(!rows.is_empty(), "{sql}");
        let ranked: Vec<f64> = rows
            .iter()
            .map(|row| row.get("score").or(row.get("_distance")).unwrap().as_f64().unwrap())
            .collect();
        let best_first = |pair: &[f64]| match sql.contains("DESC") {
            true => pair[0] >= pair[1],
            false => pair[0] <= pair[1],
        };
        assert!(ranked.windows(2).all(best_first), "{sql}: {ranked:?}");
        run += 1;
    }
    assert_eq!(run, 2);
}

#[tokio::test]
async fn what_the_guide_says_to_write_runs() {
    let fixture = Fixture::papers().await;
    for sql in [
        "SELECT COUNT(content) FROM default.public.papers",
        "SELECT to_char(CAST('2026-08-12' AS DATE), '%Y-%m-%d')",
        "SELECT to_date('2026-08-12', '%Y-%m-%d') + INTERVAL '6 days'",
        "SELECT date_trunc('month', now()), date_part('year', current_date)",
        "SELECT DISTINCT table_catalog FROM information_schema.tables",
        "DESCRIBE default.public.papers",
        "SHOW TABLES",
        "SELECT vector_distance(content, 'how entities are linked') AS d FROM default.public.papers_semantic ORDER BY d LIMIT 3",
    ] {
        assert!(SQL_GUIDE.contains(fragment(sql)), "{}", fragment(sql));
        assert!(!fixture.query(sql).await.is_empty(), "{sql}");
    }
}

/// The words of a statement that the guide has too.
fn fragment(sql: &str) -> &str {
    [
        "SELECT COUNT(content) FROM default.public.papers",
        "'%Y-%m-%d')",
        "date_trunc",
        "information_schema.tables",
        "DESCRIBE",
        "SHOW TABLES",
        "vector_distance(content, 'how entities are linked')",
    ]
    .into_iter()
    .find(|words| sql.contains(words))
    .unwrap()
}
