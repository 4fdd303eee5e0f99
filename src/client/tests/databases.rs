use super::*;

#[test]
fn a_listing_follows_its_cursors_and_notices_a_circle() {
    let page = |id: &str, next: Option<&str>| json!({"databases": [{"id": id, "default_catalog": "default", "surprise": 1}], "has_more": next.is_some(), "next_cursor": next});
    let script = Script::default().json(200, page("a", Some("c1"))).json(200, page("b", None));
    let client = script.client(settings());
    let databases = asked(&script, client.databases(&json!({"search": "x y"}).into())).unwrap();
    let ids: Vec<_> = databases.as_array().unwrap().iter().map(|one| &one["id"]).collect();
    assert_eq!(ids, ["a", "b"]);
    assert_eq!(script.lines()[1], "GET /databases?limit=100&search=x y&cursor=c1");

    for cursors in [vec!["c", "c"], vec!["c", "d", "c"]] {
        let mut script = Script::default();
        for cursor in &cursors {
            script = script.json(200, page("a", Some(cursor)));
        }
        let client = script.client(settings());
        let error = asked(&script, client.databases(&Value::Null)).unwrap_err();
        let says = format!("there is more after page {}, and not where", cursors.len());
        assert!(error.message.ends_with(&says), "{}", error.message);
    }
}

#[test]
fn h9_an_unknown_database_says_where_ids_come_from() {
    let not_found = || Script::default().json(404, refusal("NOT_FOUND", "no such database"));
    let errors = [
        run(not_found().client(settings()).database("sales")).unwrap_err(),
        run(not_found().client(settings()).delete_database("sales")).unwrap_err(),
        run(not_found().client(settings()).query("SELECT 1", &QueryOptions::on(Some("sales"))))
            .unwrap_err(),
    ];
    for error in errors {
        assert_eq!((error.code, error.message.as_str()), (Code::NotFound, "no such database"));
        assert!(error.hint.as_deref().unwrap().contains("listDatabases()"));
    }
}

#[test]
fn a_new_database_is_checked_and_sent_as_the_api_names_it() {
    let input = json!({"name": "n", "expiresAt": "24h", "ifNotExists": true, "schemas": [{"name": "public", "tables": [{
        "name": "t", "key": ["id"], "partitionBy": [{"column": "at", "transform": "day"}],
        "sortedBy": [{"column": "at", "direction": "desc", "nulls": "last"}], "constantPerKey": ["c"]}]}]});
    let script = Script::default().json(201, json!({"id": "db_9"}));
    let client = script.client(settings());
    let made = asked(&script, client.create_database(&input.into())).unwrap();
    assert_eq!((&made["id"], &made["attachments"]), (&json!("db_9"), &json!([])));
    assert_eq!(
        script.bodies(),
        [
            json!({"name": "n", "expires_at": "24h", "if_not_exists": true, "schemas": [{"name": "public", "tables": [{
            "name": "t", "key": ["id"], "partition_by": [{"column": "at", "transform": "day"}],
            "sorted_by": [{"column": "at", "direction": "desc", "nulls": "last"}], "constant_per_key": ["c"]}]}]})
        ]
    );
    for (options, says) in [
        (json!({"ifNotExists": true}), "`name` is missing"),
        (json!({"schemas": "public"}), "`schemas` must be a list"),
        (json!({"schemas": [{"tables": []}]}), "schemas[0]: `name` is missing"),
        (
            json!({"schemas": [{"name": "s", "tables": [{"name": "t", "key": "id"}]}]}),
            "schemas[0]: tables[0]: `key` must be an array of strings",
        ),
        (
            json!({"schemas": [{"name": "s", "tables": [{"name": "t", "partitionBy": [{"column": "c", "transform": "week"}]}]}]}),
            "schemas[0]: tables[0]: partitionBy[0]: `transform` must be one of identity, year,",
        ),
    ] {
        let error = client.create_database(&options.into()).unwrap_err();
        assert!(error.message.starts_with(says), "{}", error.message);
    }
}

#[test]
fn what_was_not_acknowledged_is_not_made_twice() {
    let script = Script::default().fails(Code::Network);
    let client = script.client(settings());
    let error = asked(&script, client.create_database(&json!({"name": "n"}).into())).unwrap_err();
    assert_eq!((error.code, script.lines().len()), (Code::OutcomeUnknown, 1));
    assert!(error.hint.as_deref().unwrap().contains("listDatabases()"));

    // By name and only where there is none, it may be asked for again.
    let script = Script::default().fails(Code::Network).json(200, json!({"id": "db_9"}));
    let client = script.client(settings());
    let input = json!({"name": "n", "ifNotExists": true});
    assert_eq!(asked(&script, client.create_database(&input.into())).unwrap()["id"], "db_9");

    let script = Script::default().json(200, json!({"nothing": 1}));
    let client = script.client(settings());
    let error = asked(&script, client.fork_database("db_1", &Value::Null)).unwrap_err();
    assert_eq!(error.code, Code::OutcomeUnknown);
}

fn database(attachments: serde_json::Value) -> serde_json::Value {
    json!({"id": "db_1", "default_catalog": "default", "default_connection_id": "conn_1", "attachments": attachments})
}

#[test]
fn an_attachment_is_confirmed_by_reading_back() {
    let attached = json!([{"connection_id": "conn_f1", "alias": "f1"}]);
    let options = || Value::from(json!({"connectionId": "conn_f1", "alias": "f1"}));
    let attach = |script: &Script| run(script.client(settings()).attach_catalog(None, &options()));

    let script = Script::default().text(204, "", "").json(200, database(attached.clone()));
    assert_eq!(json_of(&attach(&script).unwrap())["attachments"][0]["alias"], "f1");
    assert_eq!(script.lines(), ["POST /databases/db_1/catalogs", "GET /databases/db_1"]);

    // Attached before, as asked: also by an attempt whose answer was lost.
    let conflict = refusal("CONFLICT", "already attached");
    let script = Script::default()
        .fails(Code::Network)
        .json(409, conflict.clone())
        .json(200, database(attached.clone()));
    attach(&script).unwrap();

    let other = json!([{"connection_id": "conn_f1", "alias": "old"}]);
    let script = Script::default().json(409, conflict).json(200, database(other));
    let error = attach(&script).unwrap_err();
    assert_eq!((error.code, error.message.as_str()), (Code::Conflict, "already attached"));
    assert!(error.hint.as_deref().unwrap().starts_with("The connection is attached as old"));

    let script = Script::default().text(204, "", "").json(200, database(json!([])));
    assert!(attach(&script).unwrap_err().message.ends_with("and it is not listed there"));
}

#[test]
fn a_detachment_is_confirmed_by_reading_back() {
    let detach = |script: &Script| run(script.client(settings()).detach_catalog(None, "conn_f1"));
    let script = Script::default().text(204, "", "").json(200, database(json!([])));
    detach(&script).unwrap();
    assert_eq!(script.lines(), ["DELETE /databases/db_1/catalogs/conn_f1", "GET /databases/db_1"]);

    let script =
        Script::default().json(404, refusal("NOT_FOUND", "x")).json(200, database(json!([])));
    detach(&script).unwrap();

    let still = json!([{"connection_id": "conn_f1", "alias": "f1"}]);
    let script = Script::default().text(204, "", "").json(200, database(still));
    assert!(detach(&script).unwrap_err().message.ends_with("and it is still listed there"));
}

#[test]
fn what_an_account_has_is_listed() {
    let script = Script::default()
        .json(200, json!({"ok": true, "workspaces": [{"public_id": "ws", "name": "W", "active": true}]}))
        .json(200, json!({"connections": [{"id": "c", "name": "C", "source_type": "postgres"}]}))
        .json(200, json!({"embedding_providers": [{"id": "p", "name": "P", "provider_type": "local", "source": "system", "has_secret": false, "config": {"x": 1}}]}));
    let client = script.client(settings());
    assert_eq!(
        asked(&script, client.workspaces()).unwrap(),
        json!([{"publicId": "ws", "name": "W", "active": true, "favorite": false, "provisionStatus": null}])
    );
    assert_eq!(
        asked(&script, client.connections()).unwrap(),
        json!([{"id": "c", "name": "C", "sourceType": "postgres"}])
    );
    assert_eq!(asked(&script, client.embedding_providers()).unwrap()[0]["providerType"], "local");
    let requests = script.asked.borrow();
    assert_eq!(header(&requests[0], "x-workspace-id"), None);
    assert_eq!(header(&requests[1], "x-workspace-id"), Some("ws_1"));
}
