//! `hotdata_execute_sql`: one statement, its rows.

use crate::client::{Client, QueryOptions, Transport};
use crate::error::Result;
use crate::lint::date_templates;
use crate::search::Route;
use crate::value::{Fields, Value};

use super::definition::{Annotations, Definition, object_schema, string_schema};
use super::names::Names;
use super::search_tool::SearchTool;
use super::table_text::{self, Caps, ToolText};

pub(super) fn definition(names: &Names, search: Option<&SearchTool>) -> Option<Definition> {
    let name = names.execute_sql.clone()?;
    let mut description = String::from(
        "Run one SQL query (PostgreSQL-like, Apache DataFusion functions) and get its rows. Read-only. \
         Call hotdata_describe_tables first for table and column names; write tables as catalog.schema.table. \
         Stored names are lower case. Count with COUNT(<column>). \
         Dates: to_char and to_date take strftime patterns ('%Y-%m-%d', never 'YYYY-MM-DD'); subtract with \
         INTERVAL '6 days'. There is no to_tsvector; LIKE and ILIKE match substrings and cannot rank.",
    );
    if let Some(search) = search {
        let path = search.table().path();
        match search.route() {
            Route::Text { column } | Route::Hybrid { text: column, .. } => description.push_str(&format!(
                " To rank or aggregate by words inside a query: SELECT ... FROM bm25_search('{path}', '{}', 'words', 100) \
                 ORDER BY score DESC. The fourth argument is how many rows it ranks; without it, 1,000.",
                column.name()
            )),
            Route::SemanticText { column } => description.push_str(&format!(
                " To rank or aggregate by meaning inside a query: SELECT ... FROM vector_search('{path}', '{}', 'words', 100) \
                 ORDER BY _distance ASC. The fourth argument is how many rows it ranks; lower is nearer.",
                column.name()
            )),
            Route::SemanticVector { .. } => description
                .push_str(&format!(" To rank by meaning, call {}: SQL cannot.", names.search.as_deref().unwrap_or_default())),
        }
    }
    let sql = string_schema(
        "One SELECT (or WITH, SHOW, DESCRIBE, EXPLAIN) statement, without a second one after it.",
    );
    Some(Definition {
        name,
        title: "Run SQL",
        description,
        input_schema: object_schema([("sql", sql)], &["sql"]),
        annotations: Annotations::READS,
    })
}

pub(super) async fn call<T: Transport>(
    client: &Client<T>,
    database: &str,
    name: &str,
    arguments: &Value,
    caps: Caps,
) -> Result<ToolText> {
    let fields = Fields::from_a_model(name, arguments, &["sql"])?;
    let sql = fields.required_text("sql")?;
    let table = client.query_raw(sql, &QueryOptions::on(Some(database))).await?;
    Ok(table_text::rows(&table, caps, date_templates(sql)))
}
