//! What a failing call says.

use crate::service::Service;

pub async fn the_engines_text_is_in_the_body() {
    let database = Service::shared().await.database().await;
    let reply = database.send("SELECT to_tsvector('x')").await.expect(400);
    let body = reply.json();
    assert!(body["error"]["code"].is_string(), "{body}");
    assert!(reply.message().contains("Invalid function 'to_tsvector'"), "{body}");
}
