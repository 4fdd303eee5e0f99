//! Figures over every match, against a count by hand over the rows that were put in.

use hotdata_wasm::sql::{Column, Figure, Filter, Function, MatchFigures, TableName};
use serde_json::json;

use super::fixture::{Fixture, Row, value};

const ROWS: i64 = 3_000;

/// Two of three rows speak of a garden: 2,000 matches, twice what the engine ranks when it is told nothing.
fn lines() -> Vec<serde_json::Value> {
    (0..ROWS)
        .map(|n| {
            let content = match n % 6 {
                0 | 1 => json!(format!("a quiet garden, number {n}")),
                2 | 3 => json!(format!("garden {n}")),
                4 => json!(null),
                _ => json!(format!("quiet street {n}")),
            };
            // Every seventh price and every fifth city is not known.
            let price = if n % 7 == 0 { json!(null) } else { json!(n % 100) };
            let city = if n % 5 == 0 { json!(null) } else { json!(format!("city {}", n % 4)) };
            json!({"id": n, "content": content, "price": price, "city": city, "n": n % 3, "a0": n % 2,
                   "open": n % 2 == 0, "since": format!("2026-01-{:02}", n % 28 + 1)})
        })
        .collect()
}

async fn indexed() -> Fixture {
    let fixture = Fixture::rows(&lines()).await;
    fixture.index_words("content").await;
    fixture
}

fn column(name: &str) -> Column {
    Column::parse("column", name).unwrap()
}

fn figures(query: &str, asked: &[(&str, Option<&str>)]) -> MatchFigures {
    let table = TableName::parse("table", "default.public.t").unwrap();
    let mut search = MatchFigures::new(&table, &column("content"), query).unwrap();
    for (name, of) in asked {
        let function = Function::ALL.iter().find(|function| function.name == *name).unwrap();
        search.figures.push(Figure { function, column: of.map(column) });
    }
    search
}

fn filter(json: serde_json::Value) -> Filter {
    Filter::parse("filter", &value(json)).unwrap().unwrap()
}

/// The rows that hold one of the words, counted without the engine.
fn by_hand(words: &[&str]) -> Vec<Row> {
    let holds = |line: &serde_json::Value| {
        let text = line["content"].as_str().unwrap_or_default();
        words.iter().any(|word| text.split([' ', ',']).any(|one| one == *word))
    };
    lines().into_iter().filter(holds).map(|line| line.as_object().unwrap().clone()).collect()
}

fn prices(rows: &[Row]) -> Vec<i64> {
    rows.iter().filter_map(|row| row["price"].as_i64()).collect()
}

const EVERY: [(&str, Option<&str>); 8] = [
    ("count", None),
    ("count", Some("price")),
    ("count_distinct", Some("city")),
    ("sum", Some("price")),
    ("avg", Some("price")),
    ("min", Some("since")),
    ("max", Some("price")),
    ("median", Some("price")),
];

fn close(found: &serde_json::Value, expected: f64) {
    let found = found.as_f64().unwrap();
    assert!((found - expected).abs() < 1e-9 * expected.abs().max(1.0), "{found} for {expected}");
}

fn median(values: &mut [i64]) -> f64 {
    values.sort_unstable();
    let middle = values.len() / 2;
    if values.len() % 2 == 1 {
        return values[middle] as f64;
    }
    (values[middle - 1] + values[middle]) as f64 / 2.0
}

#[tokio::test]
async fn every_match_counts_where_the_naive_query_stops_at_a_thousand() {
    let fixture = indexed().await;
    let matches = by_hand(&["garden"]);
    assert_eq!(matches.len(), 2_000);
    let rows = fixture.query(&figures("garden", &EVERY).sql(2_500)).await;
    let [row] = rows.as_slice() else { panic!("{rows:?}") };
    let mut known = prices(&matches);
    assert_eq!(row["n"], 2_000);
    assert_eq!(row["a0"], 2_000);
    assert_eq!(row["a1"], known.len());
    assert_eq!(row["a2"], 4);
    assert_eq!(row["a3"], known.iter().sum::<i64>());
    close(&row["a4"], known.iter().sum::<i64>() as f64 / known.len() as f64);
    assert_eq!(row["a5"], "2026-01-01");
    assert_eq!(row["a6"], 99);
    close(&row["a7"], median(&mut known));

    // The middle of two whole numbers may be none.
    let mut search = figures("garden", &[("median", Some("price"))]);
    search.filters.push(filter(json!({"id": {"$in": [1, 2]}})));
    assert_eq!(fixture.query(&search.sql(2_500)).await[0]["a0"], 1.5);

    // What a model writes: no fourth argument, or a guess. Nothing in the answer tells.
    for (source, counted) in [("'garden'", 1_000), ("'garden', 100", 100)] {
        let naive = format!(
            "SELECT COUNT(id) AS n FROM bm25_search('default.public.t', 'content', {source})"
        );
        assert_eq!(fixture.query(&naive).await[0]["n"], counted);
    }
}

#[tokio::test]
async fn a_row_with_any_of_the_words_matches() {
    let fixture = indexed().await;
    let all = by_hand(&["quiet", "garden"]).len();
    assert_eq!(all, 2_500);
    assert_eq!(fixture.query(&figures("quiet garden", &EVERY[..1]).sql(2_500)).await[0]["n"], all);
}

#[tokio::test]
async fn filters_are_applied_to_every_match_and_compare_by_type() {
    let fixture = indexed().await;
    let matches = by_hand(&["garden"]);
    let count = |holds: &dyn Fn(&Row) -> bool| matches.iter().filter(|row| holds(row)).count();
    let price = |row: &Row| row["price"].as_i64();
    for (given, expected) in [
        // As text "9" would be above "50".
        (json!({"price": {"$gte": 50}}), count(&|row| price(row).is_some_and(|price| price >= 50))),
        (json!({"price": {"$gt": 49.5}}), count(&|row| price(row).is_some_and(|price| price > 49))),
        (json!({"price": null}), count(&|row| row["price"].is_null())),
        // What the tool writes for `!=`: a NULL is no other value.
        (
            json!({"city": {"$nin": ["city 1", null]}}),
            count(&|row| row["city"].as_str().is_some_and(|city| city != "city 1")),
        ),
        (json!({"open": true}), count(&|row| row["open"] == true)),
        (
            json!({"since": {"$lt": "2026-01-10"}}),
            count(&|row| row["since"].as_str().unwrap() < "2026-01-10"),
        ),
        (json!({"city": "nowhere"}), 0),
    ] {
        let mut search = figures("garden", &EVERY[..1]);
        search.filters.push(filter(given.clone()));
        let rows = fixture.query(&search.sql(2_500)).await;
        assert_eq!(rows[0]["n"], expected, "{given}");
    }
    // Two filters have to hold together, each of them whole.
    let mut search = figures("garden", &EVERY[..1]);
    search.filters.push(filter(json!({"$or": [{"city": "city 1"}, {"city": "city 2"}]})));
    search.filters.push(filter(json!({"n": 0})));
    let both =
        count(&|row| matches!(row["city"].as_str(), Some("city 1" | "city 2")) && row["n"] == 0);
    assert!(both > 0);
    assert_eq!(fixture.query(&search.sql(2_500)).await[0]["n"], both);
}

#[tokio::test]
async fn groups_are_counted_over_every_match_whatever_their_columns_are_called() {
    let fixture = indexed().await;
    let matches = by_hand(&["garden"]);
    // `n` and `a0` are also names within the statement.
    for by in ["city", "n", "a0"] {
        let mut search = figures("garden", &[("count", None), ("avg", Some("price"))]);
        search.group_by.push(column(by));
        let rows = fixture.query(&search.sql(2_500)).await;
        let mut groups: Vec<(Option<String>, usize, f64)> = Vec::new();
        for row in &matches {
            let key = (!row[by].is_null()).then(|| row[by].to_string());
            if !groups.iter().any(|group| group.0 == key) {
                let of: Vec<Row> =
                    matches.iter().filter(|one| one[by] == row[by]).cloned().collect();
                let known = prices(&of);
                let mean = known.iter().sum::<i64>() as f64 / known.len() as f64;
                groups.push((key, of.len(), mean));
            }
        }
        groups.sort_by_key(|group| std::cmp::Reverse(group.1));
        assert_eq!(rows.len(), groups.len(), "{by}");
        for row in &rows {
            assert_eq!((&row["cohort"], &row["found"]), (&json!(2_000), &json!(groups.len())));
            // The group of those without a value is one of them.
            let key = row.get("g0").filter(|value| !value.is_null()).map(|value| value.to_string());
            let group = groups.iter().find(|group| group.0 == key).unwrap();
            assert_eq!(row["a0"], group.1, "{by} {key:?}");
            close(&row["a1"], group.2);
        }
        let counts: Vec<_> = rows.iter().map(|row| row["a0"].as_u64().unwrap()).collect();
        assert!(counts.is_sorted_by(|a, b| a >= b), "{counts:?}");
    }
    // Beyond the limit the numbers still tell of all.
    let mut search = figures("garden", &[("count", None)]);
    search.group_by.push(column("price"));
    search.group_by.push(column("city"));
    search.most_groups = 3;
    let rows = fixture.query(&search.sql(2_500)).await;
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[0]["cohort"], 2_000);
    assert!(rows[0]["found"].as_u64().unwrap() > 100);
}

#[tokio::test]
async fn no_match_is_no_group_and_a_count_of_none() {
    let fixture = indexed().await;
    let rows = fixture
        .query(&figures("nothing", &[("count", None), ("avg", Some("price"))]).sql(2_500))
        .await;
    assert_eq!(rows[0]["n"], 0);
    assert_eq!(rows[0].get("a1"), None);
    let mut search = figures("nothing", &[("count", None)]);
    search.group_by.push(column("city"));
    assert!(fixture.query(&search.sql(2_500)).await.is_empty());
}
