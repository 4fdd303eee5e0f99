use super::*;

#[test]
fn indexes_are_listed_under_the_catalogs_connection() {
    let database = json!({"id": "db_1", "default_catalog": "default", "default_connection_id": "conn_1",
                          "attachments": [{"connection_id": "conn_f1", "alias": "f1"}]});
    let listing = json!({"indexes": [
        {"index_name": "i", "index_type": "vector", "columns": ["e"], "metric": "cosine", "status": "ready", "new": 1},
        {"index_name": "j", "index_type": "spatial", "columns": ["g"], "status": "resting"}]});
    let script = Script::default()
        .json(200, database.clone())
        .json(200, listing.clone())
        .json(200, listing)
        .json(200, database);
    let client = script.client(settings());
    let own = table("default.public.papers");
    let indexes = run(client.indexes(None, &own)).unwrap();
    assert_eq!(indexes[0].metric.as_deref(), Some("cosine"));
    assert_eq!(
        (indexes[1].index_type, indexes[1].status),
        (IndexType::Unknown, IndexStatus::Unknown)
    );
    run(client.indexes(None, &table("f1.public.results"))).unwrap();
    assert_eq!(
        script.lines(),
        [
            "GET /databases/db_1",
            "GET /connections/conn_1/tables/public/papers/indexes",
            "GET /connections/conn_f1/tables/public/results/indexes",
        ]
    );
    let error = run(client.indexes(None, &table("nope.public.t"))).unwrap_err();
    assert_eq!(error.code, Code::NotFound);
    // Looked up once more before that is said: it may have been attached since.
    assert_eq!(script.lines().last().unwrap(), "GET /databases/db_1");
}

const DATABASE: &str =
    r#"{"id": "db_1", "default_catalog": "default", "default_connection_id": "conn_1"}"#;

fn new_index(patch: serde_json::Value) -> Result<NewIndex> {
    let mut options =
        json!({"table": "default.public.papers", "indexType": "bm25", "columns": ["Content"]});
    options.as_object_mut().unwrap().extend(patch.as_object().unwrap().clone());
    NewIndex::parse(&options.into())
}

fn listing(status: &str) -> serde_json::Value {
    json!({"indexes": [{"index_name": "papers_content_bm25", "index_type": "bm25", "columns": ["content"], "status": status}]})
}

fn script() -> Script {
    Script::default().text(200, "application/json", DATABASE)
}

#[test]
fn h44_an_index_is_not_called_ready_before_it_is() {
    let record = listing("pending")["indexes"][0].clone();
    let script =
        script().json(201, record).json(200, listing("pending")).json(200, listing("ready"));
    let index =
        run(script.client(settings()).create_index(&new_index(json!({})).unwrap())).unwrap();
    assert_eq!(json_of(&index)["status"], "ready");
    assert_eq!(
        script.bodies(),
        [
            json!({"index_type": "bm25", "index_name": "papers_content_bm25", "columns": ["content"]})
        ]
    );
    assert_eq!(*script.slept.borrow(), [100]);
}

#[test]
fn a_build_that_fails_after_it_was_accepted_is_told_of() {
    let new = new_index(json!({})).unwrap();
    let job = script().json(202, json!({"id": "job_1", "status": "pending"})).json(
        200,
        json!({"id": "job_1", "status": "failed", "error_message": "could not detect dimension"}),
    );
    let error = run(job.client(settings()).create_index(&new)).unwrap_err();
    assert_eq!(
        (error.code, error.message.as_str()),
        (Code::EngineError, "could not detect dimension")
    );

    let gone = script()
        .json(201, listing("pending")["indexes"][0].clone())
        .json(200, json!({"indexes": []}));
    let error = run(gone.client(settings()).create_index(&new)).unwrap_err();
    assert!(error.message.ends_with("its build has failed"), "{}", error.message);
}

#[test]
fn a_build_nobody_waits_for_is_pending() {
    let new = new_index(json!({"wait": false, "indexName": "words"})).unwrap();
    let script = script().json(202, json!({"id": "job_1", "status": "pending"}));
    let index = json_of(&run(script.client(settings()).create_index(&new)).unwrap());
    assert_eq!((&index["status"], &index["jobId"]), (&json!("pending"), &json!("job_1")));
    assert_eq!(index["indexName"], "words");
}

#[test]
fn an_index_to_build_is_checked_first() {
    for (patch, says) in [
        (json!({"columns": []}), "`columns` is missing"),
        (json!({"indexType": "hash"}), "`indexType` must be one of"),
        (json!({"indexType": "vector"}), "`metric` is missing: it must be one of cosine, l2, dot"),
        (json!({"metric": "l2"}), "`metric` is for a vector index only"),
        (json!({"table": "papers"}), "`table` must be a full name"),
        (
            json!({"dimensions": 0, "indexType": "vector", "metric": "l2"}),
            "`dimensions` must be a whole",
        ),
        (json!({"nope": 1}), "`nope` is not an option of createIndex"),
    ] {
        let error = new_index(patch).unwrap_err();
        assert!(error.message.starts_with(says), "{}", error.message);
    }
}

#[test]
fn a_dropped_index_may_be_gone_already() {
    let papers = table("default.public.papers");
    let lost = script().fails(Code::Network).json(404, refusal("NOT_FOUND", "no such index"));
    run(lost.client(settings()).drop_index(None, &papers, "words")).unwrap();
    assert_eq!(
        lost.lines()[1..],
        ["DELETE /connections/conn_1/tables/public/papers/indexes/words"; 2]
    );
    // Without a lost answer before it, nothing was there to drop.
    let never = script().json(404, refusal("NOT_FOUND", "no such index"));
    let error = run(never.client(settings()).drop_index(None, &papers, "words")).unwrap_err();
    assert_eq!(error.code, Code::NotFound);
}
