//! The calls of a client. One body for all of them: the machinery around a future is generated once a body.

use wasm_bindgen::prelude::*;

use crate::client::{
    ArrowOutcome, Client, Endpoint, NewIndex, NewUpload, QueryOptions, QueryOutcome, Response,
};
use crate::error::{Code, Error, Result};
use crate::search;
use crate::sql::TableName;
use crate::tools::{DescribeOptions, ToolsOptions, describe_tables};
use crate::value::{Fields, Value, refuse};

use super::encode::encoded;
use super::fetch::{Fetch, FetchResponse};
use super::input::{Options, decode};
use super::source::{HOST_OPTIONS, JsSource, load_table};
use super::toolset::ToolsetCore;

#[wasm_bindgen(raw_module = "./result.js")]
extern "C" {
    type QueryResult;

    #[wasm_bindgen(constructor)]
    #[allow(clippy::too_many_arguments)] // One crossing a result.
    fn new(
        columns: &JsValue,
        rows: &JsValue,
        total_row_count: Option<f64>,
        truncated: bool,
        warning: Option<&str>,
        query_run_id: &str,
        result_id: Option<&str>,
        execution_time_ms: f64,
    ) -> QueryResult;
}

/// What a client can do.
#[wasm_bindgen(skip_typescript)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum CallName {
    Query,
    QueryArrow,
    SearchText,
    SearchSemantic,
    SearchHybrid,
    DescribeTables,
    ListWorkspaces,
    ListConnections,
    ListEmbeddingProviders,
    ListDatabases,
    GetDatabase,
    CreateDatabase,
    ForkDatabase,
    DeleteDatabase,
    AttachCatalog,
    DetachCatalog,
    LoadTable,
    UploadFile,
    ListIndexes,
    CreateIndex,
    DropIndex,
    WaitForJob,
    GetQueryRun,
    GetResult,
    Tools,
}

/// One call, with what it takes beside its options: the SQL, or an id.
pub struct Call {
    pub name: CallName,
    pub first: JsValue,
}

impl Call {
    /// The options that stay JavaScript's own, or are read for every call alike.
    pub fn host_options(&self) -> &'static [&'static str] {
        match self.name {
            CallName::Tools => &["signal", "timeoutMs", "deadlineMs", "embed"],
            CallName::LoadTable | CallName::UploadFile => HOST_OPTIONS,
            _ => &["signal", "timeoutMs", "deadlineMs"],
        }
    }

    /// The call, where it only has to be sent.
    fn endpoint(&self, client: &Client<Fetch>, input: &Value) -> Result<Option<Endpoint>> {
        let no_options = |call: &str| Fields::new(call, input, &[]);
        Ok(Some(match self.name {
            CallName::ListWorkspaces => {
                no_options("listWorkspaces")?;
                client.workspaces()?
            }
            CallName::ListConnections => {
                no_options("listConnections")?;
                client.connections()?
            }
            CallName::ListEmbeddingProviders => {
                no_options("listEmbeddingProviders")?;
                client.embedding_providers()?
            }
            CallName::ListDatabases => client.databases(input)?,
            CallName::CreateDatabase => client.create_database(input)?,
            CallName::ForkDatabase => client.fork_database(&self.text("id")?, input)?,
            CallName::GetQueryRun => {
                let fields = Fields::new("getQueryRun", input, &["databaseId"])?;
                client.query_run(fields.text("databaseId")?, &self.text("id")?)?
            }
            _ => return Ok(None),
        }))
    }

    fn text(&self, name: &str) -> Result<String> {
        match decode(&self.first) {
            Value::Text(text) => Ok(text),
            other => Err(refuse(name, "a string", &other)),
        }
    }

    /// Runs it over a client that has the call's signal.
    pub async fn run(self, client: &Client<Fetch>, options: Options) -> Result<JsValue> {
        match self.outcome(client, options).await? {
            Outcome::Record(record) => encoded(&record),
            Outcome::Rows(rows) => result(rows),
            Outcome::Stream(stream) => arrow(stream),
            Outcome::Other(value) => Ok(value),
        }
    }

    async fn outcome(self, client: &Client<Fetch>, options: Options) -> Result<Outcome> {
        let input = &options.input;
        if let Some(endpoint) = self.endpoint(client, input)? {
            return Ok(Outcome::Record(client.ask(endpoint).await?));
        }
        Ok(match self.name {
            CallName::Query => {
                let sql = self.text("sql")?;
                let options = QueryOptions::parse("query", input, QueryOptions::OPTIONS)?;
                Outcome::Rows(client.query(&sql, &options).await?)
            }
            CallName::QueryArrow => {
                let sql = self.text("sql")?;
                let known = QueryOptions::STREAM_OPTIONS;
                let options = QueryOptions::parse("queryArrow", input, known)?;
                Outcome::Stream(client.query_arrow(&sql, &options).await?)
            }
            CallName::GetResult => {
                let id = self.text("id")?;
                let known = QueryOptions::RESULT_OPTIONS;
                let options = QueryOptions::parse("getResult", input, known)?;
                Outcome::Rows(client.result(&id, &options).await?)
            }
            CallName::SearchText => {
                Outcome::Rows(search::search_text(client, options.input).await?)
            }
            CallName::SearchSemantic => {
                Outcome::Rows(search::search_semantic(client, options.input).await?)
            }
            CallName::SearchHybrid => {
                Outcome::Rows(search::search_hybrid(client, options.input).await?)
            }
            CallName::DescribeTables => Outcome::Record(
                describe_tables(client, &DescribeOptions::parse(input)?).await?.to_value(),
            ),
            CallName::GetDatabase => {
                Fields::new("getDatabase", input, &[])?;
                Outcome::Record(client.database(&self.text("id")?).await?)
            }
            CallName::DeleteDatabase => {
                Fields::new("deleteDatabase", input, &[])?;
                client.delete_database(&self.text("id")?).await?;
                Outcome::Other(JsValue::UNDEFINED)
            }
            CallName::AttachCatalog => {
                let (database, rest) = without_database(input)?;
                Outcome::Record(client.attach_catalog(database.as_deref(), &rest).await?)
            }
            CallName::DetachCatalog => {
                let fields = Fields::new("detachCatalog", input, &["databaseId", "connectionId"])?;
                let connection = fields.required_text("connectionId")?;
                Outcome::Record(
                    client.detach_catalog(fields.text("databaseId")?, connection).await?,
                )
            }
            CallName::LoadTable => Outcome::Record(load_table(client, &options).await?),
            CallName::UploadFile => {
                let new = NewUpload::parse(input)?;
                let source = JsSource::open(&options, client).await?;
                let source = source.ok_or_else(|| {
                    Error::argument("data", "or `url` or `rows` must be given, exactly one of them")
                })?;
                Outcome::Record(client.upload(&new, &source).await?.to_value())
            }
            CallName::ListIndexes => {
                let fields = Fields::new("listIndexes", input, &["databaseId", "table"])?;
                let table = TableName::parse("table", fields.required_text("table")?)?;
                Outcome::Record(client.index_records(fields.text("databaseId")?, &table).await?)
            }
            CallName::CreateIndex => {
                Outcome::Record(client.create_index(&NewIndex::parse(input)?).await?)
            }
            CallName::DropIndex => {
                let known = ["databaseId", "table", "indexName"];
                let fields = Fields::new("dropIndex", input, &known)?;
                let table = TableName::parse("table", fields.required_text("table")?)?;
                let name = fields.required_text("indexName")?;
                client.drop_index(fields.text("databaseId")?, &table, name).await?;
                Outcome::Other(JsValue::UNDEFINED)
            }
            CallName::WaitForJob => {
                Fields::new("waitForJob", input, &[])?;
                Outcome::Record(client.finished_job(&self.text("id")?, false).await?)
            }
            // Those that only have to be sent were.
            CallName::ListWorkspaces
            | CallName::ListConnections
            | CallName::ListEmbeddingProviders
            | CallName::ListDatabases
            | CallName::CreateDatabase
            | CallName::ForkDatabase
            | CallName::GetQueryRun => {
                return Err(Error::new(Code::Internal, "A call was not sent"));
            }
            CallName::Tools => {
                let accepted = "must be a function from an array of texts to their vectors";
                let embed = options.function("embed", accepted)?;
                let toolset =
                    ToolsetCore::build(client, ToolsOptions::parse(input)?, embed).await?;
                Outcome::Other(toolset.into())
            }
        })
    }
}

/// What a call came to: encoded in one place, since code around an await costs most.
enum Outcome {
    Record(Value),
    Rows(QueryOutcome<<FetchResponse as Response>::Rows>),
    Stream(ArrowOutcome<<FetchResponse as Response>::Stream>),
    Other(JsValue),
}

/// The database of the options, and the options without it.
fn without_database(input: &Value) -> Result<(Option<String>, Value)> {
    let Value::Object(members) = input else {
        return Ok((None, input.clone()));
    };
    let database = Fields::of_answer(input)?.owned_text("databaseId")?;
    let mut members = members.clone();
    members.retain(|(name, _)| name != "databaseId");
    Ok((database, Value::Object(members)))
}

fn result(outcome: QueryOutcome<<FetchResponse as Response>::Rows>) -> Result<JsValue> {
    let head = outcome.head;
    let result = QueryResult::new(
        &encoded(&Value::texts(&head.columns))?,
        &outcome.rows,
        head.total_row_count.map(|total| total as f64),
        head.truncated,
        head.warning.as_deref(),
        &head.query_run_id,
        head.result_id.as_deref(),
        head.execution_time_ms,
    );
    Ok(result.into())
}

fn arrow(outcome: ArrowOutcome<<FetchResponse as Response>::Stream>) -> Result<JsValue> {
    let result = encoded(&outcome.head.to_value())?;
    let _ = js_sys::Reflect::set(&result, &"stream".into(), &outcome.stream);
    Ok(result)
}
