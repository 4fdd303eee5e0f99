//! Finding tables, columns and indexes.

use serde_json::json;

use crate::data::{indexed_listings, listings_database};
use crate::service::{Service, provider_vector};

pub async fn information_schema_tables_lists_tables() {
    let database = listings_database(Service::shared().await).await;
    database.load_csv("cities", "city\nsf\n").await;
    let answer = database
        .query("SELECT table_catalog, table_schema, table_name FROM information_schema.tables ORDER BY table_name")
        .await;
    let row = |name: &str| [json!("default"), json!("public"), json!(name)];
    assert_eq!(answer.rows, [row("cities"), row("listings")]);
}

pub async fn information_schema_columns_has_seven_columns() {
    let database = listings_database(Service::shared().await).await;
    let answer = database
        .query("SELECT * FROM information_schema.columns WHERE table_name = 'listings' ORDER BY ordinal_position")
        .await;
    let names = [
        "table_catalog",
        "table_schema",
        "table_name",
        "column_name",
        "ordinal_position",
        "data_type",
        "is_nullable",
    ];
    let mut columns = answer.columns.clone();
    columns.sort();
    let mut expected = names.to_vec();
    expected.sort_unstable();
    assert_eq!(columns, expected);
    assert_eq!(answer.texts("column_name"), ["id", "content", "city", "rating", "embedding"]);
    assert_eq!(answer.texts("data_type"), ["Int64", "Utf8", "Utf8", "Float64", "List(Float32)"]);
    assert_eq!(answer.ints("ordinal_position"), [1, 2, 3, 4, 5]);
    assert_eq!(answer.texts("table_catalog"), ["default"; 5]);
    assert!(answer.texts("is_nullable").iter().all(|value| value == "YES" || value == "NO"));
}

pub async fn show_tables_works() {
    let database = listings_database(Service::shared().await).await;
    let answer = database.query("SHOW TABLES").await;
    assert!(answer.texts("table_name").contains(&"listings".to_owned()), "{:?}", answer.rows);
}

pub async fn describe_works() {
    let database = listings_database(Service::shared().await).await;
    for table in ["listings", "default.public.listings"] {
        let answer = database.query(&format!("DESCRIBE {table}")).await;
        assert_eq!(answer.texts("column_name"), ["id", "content", "city", "rating", "embedding"]);
    }
}

pub async fn introspection_needs_only_the_query_scope() {
    let service = Service::shared().await;
    let database = listings_database(service).await;
    let reply = service
        .call(
            "POST",
            "/v1/query",
            &[("x-database-id", &database.id)],
            json!({ "sql": "SELECT COUNT(column_name) AS n FROM information_schema.columns" })
                .to_string(),
        )
        .await
        .expect(200);
    assert_eq!(reply.json()["rows"], json!([[5]]));
}

pub async fn indexes_are_not_visible_in_sql() {
    let database = indexed_listings(Service::shared().await).await;
    for table in ["pg_indexes", "pg_catalog.pg_indexes", "information_schema.indexes"] {
        let message = database.refusal(&format!("SELECT * FROM {table}")).await;
        assert!(message.contains("not found"), "{table}: {message}");
    }
    let answer = database.query("SELECT table_name FROM information_schema.tables").await;
    assert_eq!(answer.texts("table_name"), ["listings"]);
}

pub async fn the_control_plane_lists_a_tables_indexes() {
    let service = Service::shared().await;
    let database = indexed_listings(service).await;
    for index in database.indexes("listings").await {
        for field in ["index_name", "index_type", "columns", "status"] {
            assert!(!index[field].is_null(), "{field} of {index}");
        }
    }
    let unknown = format!("/v1/connections/{}/tables/public/nosuch/indexes", database.connection);
    assert_eq!(service.get(&unknown).await.status, 404);
}

pub async fn nothing_in_information_schema_marks_a_generated_column() {
    let database = listings_database(Service::shared().await).await;
    database.build_index("listings", provider_vector("semantic", "content")).await;
    let answer = database
        .query(
            "SELECT column_name, data_type, is_nullable FROM information_schema.columns \
             WHERE table_name = 'listings' ORDER BY ordinal_position",
        )
        .await;
    let names = answer.texts("column_name");
    assert!(names.contains(&"content".to_owned()), "{names:?}");
    let own = names.iter().position(|name| name == "embedding").expect("the loaded vector column");
    let made =
        names.iter().position(|name| name == "content_embedding").expect("the generated column");
    assert_eq!(answer.rows[own][1..], answer.rows[made][1..], "the two read alike");
    assert_eq!(database.indexes("listings").await[0]["source_column"], "content");
}
