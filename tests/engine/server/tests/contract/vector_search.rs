//! Searches by meaning: distances over vectors, and the forms that take text.

use serde_json::json;

use crate::data::{NEAR_SQL, listings, listings_database, nearest};
use crate::service::{Database, Service, plain_vector, provider_vector};

/// 60 texts with a provider-backed index; their order by distance is not their order by id.
async fn notes(service: &Service) -> Database<'_> {
    let database = service.database().await;
    let mut csv = String::from("id,content\n");
    for row in listings(60) {
        csv.push_str(&format!("{},{}\n", row.id, row.content));
    }
    database.load_csv("notes", &csv).await;
    database.build_index("notes", provider_vector("notes_content_vector", "content")).await;
    database
}

const SEARCH: &str = "vector_search('default.public.notes', 'content', 'quiet garden', 20)";
const NO_INDEX: &str = "no vector index with embedding configuration found for column";

/// Ids by `vector_distance`, which looks at every row.
async fn by_distance(database: &Database<'_>) -> Vec<i64> {
    database
        .query("SELECT id FROM public.notes ORDER BY vector_distance(content, 'quiet garden') ASC, id ASC")
        .await
        .ints("id")
}

pub async fn both_text_forms_work_on_a_provider_backed_index() {
    let database = notes(Service::shared().await).await;
    let table = database
        .query(
            "SELECT id, content, _distance FROM vector_search('default.public.notes', 'content', 'quiet garden', 5)",
        )
        .await;
    let scalar = database
        .query(
            "SELECT id, vector_distance(content, 'quiet garden') AS d FROM public.notes ORDER BY d ASC LIMIT 5",
        )
        .await;
    assert_eq!((table.rows.len(), scalar.rows.len()), (5, 5));
    let mut distances = table.floats("_distance");
    distances.sort_by(f64::total_cmp);
    for (a, b) in distances.iter().zip(scalar.floats("d")) {
        assert!((a - b).abs() < 1e-6, "{distances:?} against {:?}", scalar.floats("d"));
    }
}

pub async fn both_text_forms_require_such_an_index() {
    let service = Service::shared().await;
    let database = listings_database(service).await;
    let search = "SELECT id FROM vector_search('default.public.listings', 'content', 'quiet', 5)";
    let scalar =
        "SELECT id, vector_distance(content, 'quiet') AS d FROM public.listings ORDER BY d LIMIT 5";
    for sql in [search, scalar] {
        let message = database.refusal(sql).await;
        assert!(message.contains(&format!("{NO_INDEX} 'content'")), "{sql}: {message}");
    }
    database.build_index("listings", plain_vector("plain", "embedding", "cosine")).await;
    let sql = "SELECT id FROM vector_search('default.public.listings', 'embedding', 'quiet', 5)";
    let message = database.refusal(sql).await;
    assert!(
        message.contains(&format!("{NO_INDEX} 'embedding'")),
        "a plain index does not serve text: {message}"
    );
}

pub async fn explicit_vectors_need_no_index() {
    let database = listings_database(Service::shared().await).await;
    let sql = format!(
        "SELECT id, cosine_distance(embedding, {NEAR_SQL}) AS d FROM default.public.listings ORDER BY d ASC LIMIT 5"
    );
    assert_eq!(database.query(&sql).await.ints("id"), nearest(&listings(120))[..5]);
}

pub async fn vector_search_composes_with_aggregates() {
    let database = notes(Service::shared().await).await;
    let answer = database.query(&format!("SELECT COUNT(id) AS n FROM {SEARCH}")).await;
    assert_eq!(answer.scalar(), &json!(20));
    let nested = database
        .query(&format!(
            "WITH found AS (SELECT id FROM {SEARCH}) SELECT COUNT(n.id) AS n FROM notes n JOIN found f ON f.id = n.id WHERE n.id < 30"
        ))
        .await;
    let expected = by_distance(&database).await[..20].iter().filter(|id| **id < 30).count();
    assert_eq!(nested.scalar(), &json!(expected));
}

pub async fn the_distance_column_is_called_distance_with_an_underscore_and_lower_is_nearer() {
    let database = notes(Service::shared().await).await;
    let answer = database.query(&format!("SELECT * FROM {SEARCH} ORDER BY _distance ASC")).await;
    assert_eq!(answer.columns.last().map(String::as_str), Some("_distance"));
    let distances = answer.floats("_distance");
    assert!(distances.first() < distances.last());
    let words = |content: &str| content.contains("garden") || content.contains("quiet");
    assert!(words(&answer.texts("content")[0]), "the nearest text shares words with the query");
}

pub async fn vector_search_rows_come_in_row_order() {
    let database = notes(Service::shared().await).await;
    let answer = database.query(&format!("SELECT id, _distance FROM {SEARCH}")).await;
    assert!(answer.ints("id").is_sorted());
    let distances = answer.floats("_distance");
    assert!(!distances.is_sorted(), "{distances:?}");
}

pub async fn a_trailing_limit_takes_the_wrong_rows() {
    let database = notes(Service::shared().await).await;
    let near = by_distance(&database).await;
    let mut first_by_id = near[..20].to_vec();
    first_by_id.sort_unstable();
    let limited = database.query(&format!("SELECT id FROM {SEARCH} LIMIT 3")).await.ints("id");
    assert_eq!(limited, first_by_id[..3], "the three lowest ids of the twenty");
    assert_ne!(limited, near[..3]);
}

pub async fn the_sort_and_the_fourth_argument_select_the_nearest() {
    let database = notes(Service::shared().await).await;
    let near = by_distance(&database).await;
    let sorted = database
        .query(&format!("SELECT id FROM {SEARCH} ORDER BY _distance ASC, id ASC LIMIT 3"))
        .await;
    assert_eq!(sorted.ints("id"), near[..3]);
    let bounded = database
        .query("SELECT id FROM vector_search('default.public.notes', 'content', 'quiet garden', 3)")
        .await;
    let mut expected = near[..3].to_vec();
    expected.sort_unstable();
    assert_eq!(bounded.ints("id"), expected);
}

pub async fn explain_fails_on_vector_search() {
    let database = notes(Service::shared().await).await;
    let message =
        database.refusal(&format!("EXPLAIN SELECT id FROM {SEARCH} ORDER BY _distance")).await;
    let expected = "vector_search() is a RuntimeDB rewrite-only stub and must not execute directly. \
                    The SQL rewrite step did not replace it with vector_search_vector()";
    assert!(message.contains(expected), "{message}");
    assert_eq!(database.query(&format!("SELECT id FROM {SEARCH}")).await.rows.len(), 20);
}

pub async fn vector_distance_plans_as_a_full_scan() {
    let database = notes(Service::shared().await).await;
    let plan = database
        .plan("SELECT id, vector_distance(content, 'quiet garden') AS d FROM public.notes ORDER BY d ASC LIMIT 5")
        .await;
    assert!(plan.contains("SortExec: TopK(fetch=5)"), "{plan}");
    assert!(plan.contains("DataSourceExec") && !plan.contains("USearchExec"), "{plan}");
}

pub async fn cosine_distance_runs_from_0_to_2() {
    let database = listings_database(Service::shared().await).await;
    let answer = database
        .query(
            "SELECT cosine_distance(make_array(1.0, 0.0), ARRAY[2.0, 0.0]) AS same, \
             cosine_distance(make_array(1.0, 0.0), ARRAY[0.0, 3.0]) AS across, \
             cosine_distance(make_array(1.0, 0.0), ARRAY[-1.0, 0.0]) AS opposite",
        )
        .await;
    assert_eq!(answer.rows, [[json!(0.0), json!(1.0), json!(2.0)]]);
    let sql = format!("SELECT cosine_distance(embedding, {NEAR_SQL}) AS d FROM listings");
    let all = database.query(&sql).await.floats("d");
    assert!(all.iter().all(|d| (0.0..=2.0).contains(d)));
}

pub async fn a_system_provider_needs_no_registration() {
    let service = Service::shared().await;
    let listed = service.get("/v1/embedding-providers").await.expect(200).json();
    let providers = listed["embedding_providers"].as_array().expect("providers");
    let system: Vec<_> = providers.iter().filter(|one| one["source"] == "system").collect();
    assert_eq!(system.len(), 1, "{listed}");
    assert_eq!(system[0]["id"], crate::data::PROVIDER);
    notes(service).await;
}

pub async fn a_provider_backed_index_materialises_an_embedding_column() {
    let database = notes(Service::shared().await).await;
    let answer = database
        .query(
            "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'notes' ORDER BY ordinal_position",
        )
        .await;
    assert_eq!(answer.texts("column_name"), ["id", "content", "content_embedding"]);
    assert_eq!(answer.texts("data_type")[2], "List(Float32)");
    let filled = database.query("SELECT COUNT(content_embedding) AS n FROM notes").await;
    assert_eq!(filled.scalar(), &json!(60));
}
