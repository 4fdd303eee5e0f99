//! Date and time functions are DataFusion's: the contract's table, row by row.

use serde_json::json;

use crate::service::Service;

pub async fn to_char_echoes_a_postgres_template() {
    let database = Service::shared().await.database().await;
    let answer =
        database.query("SELECT to_char(cast('2026-08-12' AS DATE), 'YYYY-MM-DD') AS v").await;
    assert_eq!(answer.scalar(), &json!("YYYY-MM-DD"));
}

pub async fn to_char_echoes_the_template_on_every_row() {
    let database = Service::shared().await.database().await;
    database.load_csv("t", "id,d\n1,2026-08-12\n2,2026-08-13\n3,2026-08-14\n").await;
    let answer = database.query("SELECT to_char(cast(d AS DATE), 'HH24:MI') AS v FROM t").await;
    assert_eq!(answer.texts("v"), ["HH24:MI"; 3]);
    assert!(answer.body["warning"].is_null());
}

pub async fn to_char_formats_strftime() {
    let database = Service::shared().await.database().await;
    let answer =
        database.query("SELECT to_char(cast('2026-08-12' AS DATE), '%Y-%m-%d') AS v").await;
    assert_eq!(answer.scalar(), &json!("2026-08-12"));
}

pub async fn to_date_rejects_a_postgres_template() {
    let database = Service::shared().await.database().await;
    let message = database.refusal("SELECT to_date('2026-08-12', 'YYYY-MM-DD') AS v").await;
    assert!(message.contains("YYYY-MM-DD"), "{message}");
}

pub async fn to_date_parses_strftime() {
    let database = Service::shared().await.database().await;
    let answer = database.query("SELECT to_date('2026-08-12', '%Y-%m-%d') AS v").await;
    assert_eq!(answer.scalar(), &json!("2026-08-12"));
}

pub async fn date_sub_does_not_exist() {
    let database = Service::shared().await.database().await;
    let message = database.refusal("SELECT date_sub(cast('2026-08-12' AS DATE), 6)").await;
    let words: Vec<&str> = message.split_whitespace().collect();
    let message = words.join(" ");
    assert!(message.contains("Invalid function 'date_sub'. Did you mean 'date_bin'?"), "{message}");
}

pub async fn an_interval_is_subtracted_from_a_date() {
    let database = Service::shared().await.database().await;
    let answer = database.query("SELECT cast('2026-08-12' AS DATE) - INTERVAL '6 days' AS v").await;
    assert_eq!(answer.scalar(), &json!("2026-08-06"));
}

pub async fn date_trunc_now_and_current_date_work() {
    let database = Service::shared().await.database().await;
    let answer = database
        .query(
            "SELECT date_trunc('day', cast('2026-08-12T05:06:07' AS TIMESTAMP)) AS day, \
             date_trunc('day', now()) <= now() AS before, current_date = cast(now() AS DATE) AS today",
        )
        .await;
    assert_eq!(answer.texts("day"), ["2026-08-12T00:00:00"]);
    assert_eq!(answer.rows[0][1..], [json!(true), json!(true)]);
}
