use super::*;

fn upload(script: &Script, source: &Parts) -> Result<Upload> {
    run(script.client(settings()).upload(&NewUpload::default(), source))
}

fn session(plan: serde_json::Value) -> serde_json::Value {
    let mut session =
        json!({"upload_id": "u_1", "finalize_token": "token", "headers": {"x-amz-acl": "private"}});
    session.as_object_mut().unwrap().extend(plan.as_object().unwrap().clone());
    session
}

fn single() -> serde_json::Value {
    session(json!({"mode": "single", "url": "https://storage/1?sig=s"}))
}

#[test]
fn a_small_file_goes_to_one_address_without_an_id() {
    let source = Parts::of(b"a\n1\n", Some(4));
    let script = Script::default().json(201, single()).text(200, "", "").json(200, json!({}));
    let done = upload(&script, &source).unwrap();
    assert_eq!((done.upload_id.as_str(), done.size_bytes), ("u_1", 4));
    assert_eq!(script.bodies(), [json!({"declared_size_bytes": 4}), json!({})]);
    let put = script.put.borrow();
    let headers = vec![("x-amz-acl".to_owned(), "private".to_owned())];
    assert_eq!(*put, [("https://storage/1?sig=s".to_owned(), headers, b"a\n1\n".to_vec())]);
    assert_eq!(header(&script.asked.borrow()[1], "x-upload-finalize-token"), Some("token"));
    assert_eq!(*source.told.borrow(), [4]);
}

#[test]
fn parts_are_sent_in_order_again_where_one_fails_and_closed_once() {
    let plan = json!({"mode": "multipart", "part_size": 2, "part_urls": ["https://s/1", "https://s/2", "https://s/3"]});
    let source = Parts::of(b"12345", Some(5));
    let script = Script::default()
        .json(201, session(plan))
        .text(200, "", "")
        .header("etag", "e1")
        .text(
            503,
            "application/xml",
            "<?xml version=\"1.0\"?><Error><Message>Slow down</Message></Error>",
        )
        .fails(Code::Network)
        .text(200, "", "")
        .header("etag", "e2")
        .text(200, "", "")
        .header("etag", "e3")
        .json(200, json!({}));
    upload(&script, &source).unwrap();
    let put: Vec<_> =
        script.put.borrow().iter().map(|(url, _, bytes)| (url.clone(), bytes.clone())).collect();
    let at = |url: &str, bytes: &[u8]| (url.to_owned(), bytes.to_vec());
    assert_eq!(
        put,
        [
            at("https://s/1", b"12"),
            at("https://s/2", b"34"),
            at("https://s/2", b"34"),
            at("https://s/2", b"34"),
            at("https://s/3", b"5")
        ]
    );
    assert_eq!(
        script.bodies()[1],
        json!({"parts": [{"part_number": 1, "e_tag": "e1"}, {"part_number": 2, "e_tag": "e2"}, {"part_number": 3, "e_tag": "e3"}]})
    );
    assert_eq!(*source.told.borrow(), [2, 4, 5]);
}

#[test]
fn the_addresses_of_a_stream_are_asked_for_part_by_part() {
    let source = Parts::of(b"123", None);
    let minted = |url: &str| json!({"parts": [{"part_number": 1, "url": url}]});
    let script = Script::default()
        .json(201, session(json!({"mode": "multipart", "part_size": 2})))
        .json(200, minted("https://s/a"))
        .text(200, "", "")
        .header("etag", "e1")
        .json(200, minted("https://s/b"))
        .text(200, "", "")
        .header("etag", "e2")
        .json(200, json!({}));
    upload(&script, &source).unwrap();
    assert_eq!(
        script.lines()[1..],
        ["POST /uploads/u_1/parts", "POST /uploads/u_1/parts", "POST /uploads/u_1/finalize"]
    );
    assert_eq!(script.bodies()[0], json!({}));
    assert_eq!(script.bodies()[2], json!({"part_numbers": [2]}));
}

#[test]
fn what_is_not_as_it_says_is_never_closed() {
    let part = |script: Script| script.text(200, "", "").header("etag", "e");
    for (source, plan, says) in [
        (Parts::of(b"", Some(0)), None, "`data` must hold at least one byte"),
        (
            Parts::of(b"", None),
            Some(session(json!({"mode": "multipart", "part_size": 2}))),
            "`data` must hold at least one byte",
        ),
        (
            Parts::of(b"123", Some(4)),
            Some(single()),
            "`data` must be as long as it says: it said 4 bytes and gave 3",
        ),
        (
            Parts::of(b"12345", Some(4)),
            Some(single()),
            "`data` must be as long as it says: it said 4 bytes and gave more",
        ),
    ] {
        let mut script = Script::default();
        if let Some(plan) = plan {
            script = part(script.json(201, plan));
        }
        let error = upload(&script, &source).unwrap_err();
        assert!(error.message.starts_with(says), "{}", error.message);
        assert!(!script.lines().iter().any(|line| line.ends_with("/finalize")));
    }
}

#[test]
fn bytes_go_over_https_or_stay_on_this_machine() {
    for (url, sent) in [
        ("https://storage/1", true),
        ("http://127.0.0.1:9/1", true),
        ("http://storage/1", false),
        ("http://localhost:80@evil.example/1", false),
        ("http://127.0.0.1\\@evil.example/1", true),
        ("ftp://storage/1", false),
        ("/1", false),
    ] {
        let source = Parts::of(b"1", Some(1));
        let plan = session(json!({"mode": "single", "url": url}));
        let script = Script::default().json(201, plan).text(200, "", "").json(200, json!({}));
        assert_eq!(upload(&script, &source).is_ok(), sent, "{url}");
        assert_eq!(script.put.borrow().len(), usize::from(sent));
    }
}

#[test]
fn a_failed_closing_is_not_repeated_and_the_whole_can_be() {
    let script = Script::default().json(201, single()).text(200, "", "").fails(Code::Network);
    let error = upload(&script, &Parts::of(b"1", Some(1))).unwrap_err();
    assert_eq!((error.code, error.retryable), (Code::Network, true));
    assert_eq!(script.lines().len(), 2);
}

#[test]
fn a_refused_part_says_which() {
    let script =
        Script::default().json(201, single()).text(403, "text/plain", "Request has expired");
    let error = upload(&script, &Parts::of(b"1", Some(1))).unwrap_err();
    assert_eq!(error.message, "Storing part 1: Request has expired");
    let plan = json!({"mode": "multipart", "part_size": 2, "part_urls": ["https://s/1"]});
    let script = Script::default().json(201, session(plan)).text(200, "", "");
    let error = upload(&script, &Parts::of(b"1", Some(1))).unwrap_err();
    assert!(error.message.starts_with("The storage gave no ETag"), "{}", error.message);
}
