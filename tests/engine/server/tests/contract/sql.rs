//! SQL: what runs, the projection rule, declared tables, reserved words.

use serde_json::json;

use crate::data::{affected_listings, affected_service, listings, listings_database};
use crate::service::{Database, Service, bm25};

const ROW_COUNT: &str = "must either specify a row count or at least one column";

async fn listings_and_hosts(service: &Service) -> Database<'_> {
    let database = listings_database(service).await;
    database.load_csv("cities", "city,state\nsf,CA\nreno,NV\n").await;
    database
}

pub async fn joins_run() {
    let database = listings_and_hosts(Service::shared().await).await;
    let inner = database
        .query(
            "SELECT l.id, c.state FROM listings l JOIN cities c ON l.city = c.city ORDER BY l.id LIMIT 2",
        )
        .await;
    assert_eq!(inner.rows, [[json!(0), json!("CA")], [json!(2), json!("CA")]]);
    let left = database
        .query(
            "SELECT c.city, COUNT(l.id) AS n FROM cities c LEFT JOIN listings l ON l.city = c.city \
             GROUP BY c.city ORDER BY c.city",
        )
        .await;
    assert_eq!(left.rows, [[json!("reno"), json!(0)], [json!("sf"), json!(60)]]);
}

pub async fn ctes_and_subqueries_run() {
    let database = listings_database(Service::shared().await).await;
    let answer = database
        .query(
            "WITH best AS (SELECT id, rating FROM listings WHERE rating > (SELECT AVG(rating) FROM listings)) \
             SELECT COUNT(id) AS n, MIN(rating) AS low FROM best WHERE id IN (SELECT id FROM listings WHERE id < 50)",
        )
        .await;
    let rows = listings(120);
    let mean = rows.iter().map(|row| row.rating).sum::<f64>() / 120.0;
    let best: Vec<f64> =
        rows.iter().filter(|row| row.rating > mean && row.id < 50).map(|row| row.rating).collect();
    assert_eq!(answer.ints("n"), [best.len() as i64]);
    assert_eq!(answer.floats("low"), [best.iter().copied().fold(f64::MAX, f64::min)]);
}

pub async fn group_by_runs() {
    let database = listings_database(Service::shared().await).await;
    let answer = database
        .query("SELECT city, COUNT(id) AS n, MAX(id) AS last FROM listings GROUP BY city HAVING COUNT(id) > 1 ORDER BY city")
        .await;
    let expected =
        [[json!("oakland"), json!(60), json!(119)], [json!("sf"), json!(60), json!(118)]];
    assert_eq!(answer.rows, expected);
}

pub async fn window_functions_run() {
    let database = listings_database(Service::shared().await).await;
    let answer = database
        .query(
            "SELECT id, ROW_NUMBER() OVER (PARTITION BY city ORDER BY id) AS n, LAG(id) OVER (ORDER BY id) AS before \
             FROM listings ORDER BY id LIMIT 3",
        )
        .await;
    assert_eq!(answer.ints("n"), [1, 1, 2]);
    assert_eq!(answer.column("before"), [json!(null), json!(0), json!(1)]);
}

pub async fn order_by_and_limit_run() {
    let database = listings_database(Service::shared().await).await;
    let answer = database
        .query("SELECT id FROM listings ORDER BY rating DESC, id ASC LIMIT 3 OFFSET 1")
        .await;
    let mut rows = listings(120);
    rows.sort_by(|a, b| b.rating.total_cmp(&a.rating).then(a.id.cmp(&b.id)));
    let expected: Vec<i64> = rows[1..4].iter().map(|row| row.id).collect();
    assert_eq!(answer.ints("id"), expected);
}

pub async fn ordinary_scalar_functions_run() {
    let database = Service::shared().await.database().await;
    let answer = database
        .query(
            "SELECT upper('quiet') AS u, length('garden') AS n, round(2.567, 2) AS r, coalesce(NULL, 'x') AS c, \
             substr('garden', 1, 4) AS s, abs(-3) AS a, concat('a', 'b') AS ab, CASE WHEN 1 < 2 THEN 'y' END AS w",
        )
        .await;
    let row = [
        json!("QUIET"),
        json!(6),
        json!(2.57),
        json!("x"),
        json!("gard"),
        json!(3),
        json!("ab"),
        json!("y"),
    ];
    assert_eq!(answer.rows, [row]);
}

pub async fn like_and_ilike_are_substring_tests() {
    let database = Service::shared().await.database().await;
    database.load_csv("t", "id,content\n1,Quiet garden\n2,a quiet street\n3,gardens\n").await;
    let like = database.query("SELECT id FROM t WHERE content LIKE '%quiet%' ORDER BY id").await;
    assert_eq!(like.ints("id"), [2]);
    let ilike = database.query("SELECT id FROM t WHERE content ILIKE '%QUIET%' ORDER BY id").await;
    assert_eq!(ilike.ints("id"), [1, 2]);
    let inside = database.query("SELECT id FROM t WHERE content LIKE '%arden%' ORDER BY id").await;
    assert_eq!(inside.ints("id"), [1, 3]);
}

pub async fn like_cannot_rank() {
    let database = Service::shared().await.database().await;
    database.load_csv("t", "id,content\n1,quiet\n2,quiet quiet quiet\n3,quiet\n").await;
    database.build_index("t", bm25("t_content", "content")).await;
    let answer = database.query("SELECT * FROM t WHERE content LIKE '%quiet%'").await;
    assert_eq!(answer.columns, ["id", "content"], "a filter adds no ranking column");
    let message =
        database.refusal("SELECT id FROM t WHERE content LIKE '%quiet%' ORDER BY score DESC").await;
    assert!(message.contains("No field named score"), "{message}");
}

pub async fn bare_and_schema_qualified_names_resolve() {
    let database = listings_database(Service::shared().await).await;
    for name in [
        "listings",
        "public.listings",
        "default.public.listings",
        "\"default\".\"public\".\"listings\"",
    ] {
        let answer = database.query(&format!("SELECT COUNT(id) AS n FROM {name}")).await;
        assert_eq!(answer.scalar(), &json!(120), "{name}");
    }
}

pub async fn count_star_succeeds_on_ordinary_tables() {
    let service = Service::shared().await;
    let database = listings_database(service).await;
    assert_eq!(database.query("SELECT COUNT(*) AS n FROM listings").await.scalar(), &json!(120));
    let papers = service.papers().await;
    assert_eq!(papers.query("SELECT COUNT(*) AS n FROM papers").await.scalar(), &json!(314));
}

pub async fn count_star_fails_on_an_affected_table() {
    let service = affected_service().await;
    let database = affected_listings(&service).await;
    let message = database.refusal("SELECT COUNT(*) FROM default.public.listings").await;
    assert!(message.contains(ROW_COUNT), "{message}");
}

pub async fn a_constant_projection_fails_on_an_affected_table() {
    let service = affected_service().await;
    let database = affected_listings(&service).await;
    let message = database.refusal("SELECT 1 AS k FROM listings LIMIT 1").await;
    assert!(message.contains(ROW_COUNT), "{message}");
}

pub async fn naming_a_column_always_works() {
    let service = affected_service().await;
    let database = affected_listings(&service).await;
    let answer = database.query("SELECT COUNT(id) AS n FROM listings").await;
    assert_eq!(answer.scalar(), &json!(3));
    let answer = database.query("SELECT 1 AS k, id FROM listings ORDER BY id LIMIT 1").await;
    assert_eq!(answer.rows, [[json!(1), json!(1)]]);
}

pub async fn count_star_beside_a_column_count_works_on_an_affected_table() {
    let service = affected_service().await;
    let database = affected_listings(&service).await;
    for count in ["COUNT(\"id\")", "COUNT(id)"] {
        let sql =
            format!("SELECT COUNT(*) AS row_count, {count} AS n0 FROM default.public.listings");
        assert_eq!(database.query(&sql).await.rows, [[json!(3), json!(3)]], "{count}");
    }
}

const WORDS: [&str; 12] = [
    "order", "group", "table", "end", "start", "select", "from", "where", "case", "values", "all",
    "id",
];

pub async fn only_all_fails_to_parse_as_a_bare_column_name() {
    let database = Service::shared().await.database().await;
    database.load_csv("t", "id\n1\n").await;
    for word in &WORDS[..11] {
        let message = database.refusal(&format!("SELECT COUNT({word}) FROM t")).await;
        if *word == "all" {
            assert!(message.contains("ParserError"), "{word}: {message}");
        } else {
            assert!(message.contains("No field named"), "{word}: {message}");
        }
    }
}

pub async fn quoting_a_column_name_always_parses() {
    let database = Service::shared().await.database().await;
    let header = WORDS.join(",");
    let row = ["7"; 12].join(",");
    database.load_csv("t", &format!("{header}\n{row}\n")).await;
    for word in WORDS {
        let answer = database.query(&format!("SELECT COUNT(\"{word}\") AS n FROM t")).await;
        assert_eq!(answer.scalar(), &json!(1), "{word}");
    }
}

pub async fn quoting_a_name_as_stored_is_safe() {
    let database = Service::shared().await.database().await;
    database.load_csv("t", "raceId,list price,ALL\n1,2,3\n").await;
    let names = database
        .query("SELECT column_name FROM information_schema.columns WHERE table_name = 't' ORDER BY ordinal_position")
        .await
        .texts("column_name");
    assert_eq!(names.len(), 3);
    for name in names {
        let answer = database.query(&format!("SELECT COUNT(\"{name}\") AS n FROM t")).await;
        assert_eq!(answer.scalar(), &json!(1), "{name}");
    }
}

pub async fn a_declared_table_without_data_rejects_every_query() {
    let database = Service::shared().await.database().await;
    database.declare("customer", &["id"]).await;
    let expected = "Managed table 'default.public.customer' is declared but has no data; POST a load before querying";
    for sql in [
        "SELECT * FROM customer",
        "SELECT COUNT(*) FROM public.customer",
        "SELECT 1 AS k FROM default.public.customer LIMIT 1",
        "SELECT COUNT(id) FROM customer",
    ] {
        let message = database.refusal(sql).await;
        assert!(message.contains(expected), "{sql}: {message}");
    }
}

pub async fn a_declared_table_without_data_reports_no_columns() {
    let database = Service::shared().await.database().await;
    database.declare("customer", &["id"]).await;
    let sql = "SELECT column_name FROM information_schema.columns WHERE table_name = 'customer'";
    assert!(database.query(sql).await.rows.is_empty());
    database.load_csv("customer", "id,name\n1,Ada\n").await;
    assert_eq!(database.query(sql).await.texts("column_name"), ["id", "name"]);
}

pub async fn the_two_failures_of_a_failing_count_read_differently() {
    let service = affected_service().await;
    let database = affected_listings(&service).await;
    database.declare("customer", &[]).await;
    let rejected = database.refusal("SELECT COUNT(*) FROM listings").await;
    let empty = database.refusal("SELECT COUNT(*) FROM customer").await;
    assert!(rejected.contains(ROW_COUNT) && !empty.contains(ROW_COUNT));
    assert!(empty.contains("is declared but has no data") && !rejected.contains("declared"));
}

pub async fn postgres_full_text_functions_do_not_exist() {
    let database = listings_database(Service::shared().await).await;
    for (sql, name) in [
        ("SELECT to_tsvector('english', content) FROM listings", "to_tsvector"),
        ("SELECT plainto_tsquery('quiet')", "plainto_tsquery"),
        (
            "SELECT id FROM listings WHERE to_tsvector(content) @@ plainto_tsquery('quiet')",
            "to_tsvector",
        ),
    ] {
        let message = database.refusal(sql).await;
        assert!(message.contains(&format!("Invalid function '{name}'.")), "{message}");
        assert!(message.contains("Did you mean '"), "{message}");
    }
}

pub async fn relevance_ranking_is_available_inside_sql() {
    let papers = Service::shared().await.papers().await;
    let answer = papers
        .query(
            "SELECT id, score FROM bm25_search('default.public.papers', 'content', 'knowledge graph', 3) \
             ORDER BY score DESC",
        )
        .await;
    let scores = answer.floats("score");
    assert_eq!(scores.len(), 3);
    assert!(scores[0] >= scores[1] && scores[1] >= scores[2] && scores[2] > 0.0, "{scores:?}");
}
