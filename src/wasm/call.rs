//! The calls of a client. One body for all of them: the machinery around a future is generated once a body.

use js_sys::Function;
use wasm_bindgen::prelude::*;

use crate::client::{
    Client, Database, Index, Load, NewDatabase, QueryOptions, QueryOutcome, Response, Transport,
};
use crate::error::{Error, Result};
use crate::search;
use crate::sql::TableName;
use crate::tools::{DescribeOptions, ToolsOptions, describe_tables};
use crate::value::{Fields, Value, refuse};

use super::encode::encoded;
use super::fetch::Fetch;
use super::input::{Options, decode};
use super::toolset::Toolset;

#[wasm_bindgen(raw_module = "./result.js")]
extern "C" {
    type QueryResult;

    #[wasm_bindgen(constructor)]
    fn new(head: &JsValue, rows: &JsValue) -> QueryResult;
}

/// One call, with what it takes beside its options.
pub enum Call {
    Query(JsValue),
    SearchText,
    SearchSemantic,
    SearchHybrid,
    DescribeTables,
    ListDatabases,
    GetDatabase(JsValue),
    CreateDatabase,
    DeleteDatabase(JsValue),
    LoadTable,
    ListIndexes,
    Tools,
}

impl Call {
    /// The options that stay JavaScript's own.
    pub fn host_options(&self) -> &'static [&'static str] {
        match self {
            Call::Tools => &["signal", "embed"],
            _ => &["signal"],
        }
    }

    /// Runs it over a client that has the call's signal.
    pub async fn run(self, client: &Client<Fetch>, options: Options) -> Result<JsValue> {
        let input = &options.input;
        match self {
            Call::Query(sql) => {
                let sql = text("sql", &sql)?;
                result(client.query(&sql, &QueryOptions::parse(input)?).await?)
            }
            Call::SearchText => result(search::search_text(client, options.input).await?),
            Call::SearchSemantic => result(search::search_semantic(client, options.input).await?),
            Call::SearchHybrid => result(search::search_hybrid(client, options.input).await?),
            Call::DescribeTables => {
                encoded(&describe_tables(client, &DescribeOptions::parse(input)?).await?.to_value())
            }
            Call::ListDatabases => {
                let fields = Fields::new("listDatabases", input, &["search"])?;
                let databases = client.databases(fields.text("search")?).await?;
                encoded(&Value::list(&mut databases.iter().map(Database::to_value)))
            }
            Call::GetDatabase(id) => {
                Fields::new("getDatabase", input, &[])?;
                encoded(&client.database(&text("id", &id)?).await?.to_value())
            }
            Call::CreateDatabase => {
                encoded(&client.create_database(&NewDatabase::parse(input)?).await?.to_value())
            }
            Call::DeleteDatabase(id) => {
                Fields::new("deleteDatabase", input, &[])?;
                client.delete_database(&text("id", &id)?).await?;
                Ok(JsValue::UNDEFINED)
            }
            Call::LoadTable => encoded(&client.load(&Load::parse(input)?).await?.to_value()),
            Call::ListIndexes => {
                let fields = Fields::new("listIndexes", input, &["databaseId", "table"])?;
                let table = TableName::parse("table", fields.required_text("table")?)?;
                let indexes = client.indexes(fields.text("databaseId")?, &table).await?;
                encoded(&Value::list(&mut indexes.iter().map(Index::to_value)))
            }
            Call::Tools => {
                let embed = match options.host("embed") {
                    value if value.is_undefined() || value.is_null() => None,
                    value => Some(value.dyn_into::<Function>().map_err(|_| {
                        Error::argument(
                            "embed",
                            "must be a function from an array of texts to their vectors",
                        )
                    })?),
                };
                let toolset = Toolset::build(client, ToolsOptions::parse(input)?, embed).await?;
                Ok(toolset.into())
            }
        }
    }
}

fn text(name: &str, value: &JsValue) -> Result<String> {
    match decode(value) {
        Value::Text(text) => Ok(text),
        other => Err(refuse(name, "a string", &other)),
    }
}

fn result(
    outcome: QueryOutcome<<<Fetch as Transport>::Response as Response>::Rows>,
) -> Result<JsValue> {
    Ok(QueryResult::new(&encoded(&outcome.head.to_value())?, &outcome.rows).into())
}
