//! Tools an agent calls: their definitions, their arguments, what they answer.

mod aggregate;
mod databases;
mod definition;
mod describe;
mod description;
mod execute_sql;
mod find_table;
mod hints;
mod load;
mod names;
mod options;
pub mod schema;
mod scope;
mod search_tool;
mod searchable;
mod table_text;

pub use definition::{Annotations, Definition, MAX_DESCRIPTION_CHARS};
pub use describe::{DescribeOptions, describe_tables};
pub use description::{
    ColumnDescription, ColumnSummary, Description, TableDescription, TableOverview, TableSummary,
};
pub use load::Loader;
pub use options::ToolsOptions;
pub use table_text::ResultFormat;

use crate::client::{Client, Transport};
use crate::error::{Code, Error, Result};
use crate::lint::KnownIndex;
use crate::search::Embedder;
use crate::text::{join, shown};
use crate::value::Value;

use hints::Facts;
use names::Names;
use options::Switches;
use scope::Scope;
use search_tool::SearchTool;
use table_text::{Caps, ToolText};

/// How to write SQL for the engine, in Markdown: for a system prompt, or a resource that a model can read. The package
/// carries it outside the wasm.
pub const SQL_GUIDE: &str = include_str!("sql_guide.md");

/// A set of tools over one database, resolved once.
#[derive(Debug)]
pub struct Toolset {
    tools: Vec<Tool>,
    definitions: Vec<Definition>,
    notes: Vec<String>,
    names: Names,
    database_id: String,
    search: Option<SearchTool>,
    with: Switches,
    caps: Caps,
    facts: Facts,
    /// The indexes that were read when the set was built.
    known: Vec<KnownIndex>,
    allow_private_hosts: bool,
}

/// What a tool's name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tool {
    ExecuteSql,
    DescribeTables,
    Search,
    Aggregate,
    ListDatabases,
    CreateDatabase,
    LoadTable,
}

impl Tool {
    fn is_of_workspace(&self) -> bool {
        matches!(self, Tool::ListDatabases | Tool::CreateDatabase | Tool::LoadTable)
    }
}

/// What a call hands back. A failed tool is a result too: the model reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolResult {
    /// For the model, with every digit the engine sent: rows in the format that was asked for, all else as compact JSON.
    pub content: String,
    /// For a program: the same as JSON, rows as records, whose every number a JavaScript number keeps.
    pub structured: String,
    /// Whether the tool failed.
    pub is_error: bool,
}

impl Toolset {
    /// Resolves the database, and the search where one is asked for: whatever cannot work fails here.
    pub async fn build<T: Transport>(
        client: &Client<T>,
        options: ToolsOptions,
        can_embed: bool,
    ) -> Result<Self> {
        let database_id = client.database_id(options.database_id.as_deref())?.to_owned();
        let database = client.database(&database_id).await?;
        let ToolsOptions { label, catalog, with, suffix, searchable, allow_private_hosts, .. } =
            options;
        let (mut notes, mut known) = (Vec::new(), Vec::new());
        let scope =
            Scope::resolve(client, &database, &database_id, label, catalog, &mut notes).await?;
        let search = match options.search {
            None => None,
            Some(wanted) => {
                let (tool, said, indexes) =
                    SearchTool::resolve(client, &database_id, wanted, can_embed).await?;
                notes.extend(said);
                known.extend(indexes);
                Some(tool)
            }
        };
        let searchable =
            searchable::confirmed(client, &database_id, searchable, &mut notes, &mut known).await?;
        let names = Names::of(
            with,
            suffix.as_deref(),
            search.as_ref().map(SearchTool::options),
            search.as_ref().map(SearchTool::is_by_meaning),
        )?;
        let (mut tools, mut definitions) = (Vec::new(), Vec::new());
        let mut offer = |tool: Tool, definition: Option<Definition>| {
            if let Some(definition) = definition {
                tools.push(tool);
                definitions.push(definition);
            }
        };
        offer(
            Tool::ExecuteSql,
            execute_sql::definition(&names, &scope, with.read_only, search.as_ref(), &searchable),
        );
        offer(Tool::DescribeTables, describe::definition(&names, &scope, with));
        offer(Tool::Search, search.as_ref().and_then(|search| search.definition(&names, &scope)));
        offer(Tool::Aggregate, aggregate::definition(&names, &scope, search.as_ref()));
        offer(Tool::ListDatabases, databases::list_definition(&names));
        offer(Tool::CreateDatabase, databases::create_definition(&names));
        offer(Tool::LoadTable, load::definition(&names));
        let facts = Facts::new(names.describe_tables.clone());
        let caps =
            Caps { rows: options.max_rows, format: options.result_format, ..Caps::default() };
        Ok(Self {
            tools,
            definitions,
            notes,
            names,
            database_id,
            search,
            with,
            caps,
            facts,
            known,
            allow_private_hosts,
        })
    }

    /// The tools, in the order they are best shown.
    pub fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    /// What was resolved and why, one sentence each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Runs one call. Fails only where the caller aborted; every other failure is a result with `is_error`.
    /// `embedder` is needed where the toolset was built with one at hand, `loader` by the tool that loads a table.
    pub async fn call<T: Transport, E: Embedder, L: Loader>(
        &self,
        client: &Client<T>,
        embedder: Option<&E>,
        loader: Option<&L>,
        name: &str,
        arguments: &Value,
    ) -> Result<ToolResult> {
        let database = &self.database_id;
        let at = self.definitions.iter().position(|definition| definition.name == name);
        let schema = at.and_then(|at| self.definitions.get(at)).map(|tool| &tool.input_schema);
        let arguments = &match schema.map(|schema| schema.check(name, arguments)) {
            Some(Err(error)) => return Ok(failed(&error)),
            Some(Ok(checked)) => checked,
            None => Value::Null,
        };
        let tool = at.and_then(|at| self.tools.get(at));
        let told = match (tool, &self.search) {
            (Some(Tool::ExecuteSql), _) => {
                let reads = self.with.read_only;
                execute_sql::call(
                    client,
                    database,
                    &self.names,
                    reads,
                    &self.known,
                    arguments,
                    self.caps,
                )
                .await
            }
            (Some(Tool::DescribeTables), _) => {
                describe::call(client, database, &self.names, self.with, arguments).await
            }
            (Some(Tool::Search), Some(search)) => {
                search.call(client, database, arguments, embedder, self.caps).await
            }
            (Some(Tool::Aggregate), Some(search)) => {
                aggregate::call(client, database, search, arguments, self.caps).await
            }
            (Some(tool @ (Tool::ListDatabases | Tool::CreateDatabase)), _) => {
                self.ask(client, *tool, arguments).await
            }
            (Some(Tool::LoadTable), _) => {
                let private = self.allow_private_hosts;
                load::call(client, database, &self.names, private, loader, arguments).await
            }
            _ => Err(self.unknown(name)),
        };
        match told {
            Ok(text) => Ok(ToolResult {
                content: text.content,
                structured: text.structured,
                is_error: false,
            }),
            Err(error) if error.code == Code::Aborted => Err(error),
            // What helps to mend SQL says nothing of the workspace, and nothing of arguments that were never sent.
            Err(error)
                if tool.is_some_and(Tool::is_of_workspace) && !error.retryable
                    || error.code == Code::InvalidArgument && error.status.is_none()
                    || tool == Some(&Tool::DescribeTables) && error.hint.is_some() =>
            {
                Ok(failed(&error))
            }
            Err(error) => {
                let of_search = self.search.as_ref().map(|search| &search.options().table);
                let sql = hints::statement_of(arguments, of_search);
                match hints::with_hint(client, database, Some(&sql), error, &self.facts).await {
                    error if error.code == Code::Aborted => Err(error),
                    error => Ok(failed(&error)),
                }
            }
        }
    }

    /// Runs a tool that only has to ask the workspace.
    async fn ask<T: Transport>(
        &self,
        client: &Client<T>,
        tool: Tool,
        arguments: &Value,
    ) -> Result<ToolText> {
        let lists = tool == Tool::ListDatabases;
        let endpoint = if lists {
            databases::list_endpoint(client, arguments)?
        } else {
            databases::create_endpoint(client, arguments)?
        };
        let answer = client.ask(endpoint).await;
        let answer = answer.map_err(|error| databases::not_created(error, &self.names))?;
        if lists {
            Ok(databases::list_text(&answer, &self.database_id, self.caps))
        } else {
            databases::created_text(&answer, arguments)
        }
    }

    fn unknown(&self, name: &str) -> Error {
        let names = join(&mut self.definitions.iter().map(|tool| tool.name.clone()), ", ");
        let shown = shown(name);
        Error::new(Code::NotFound, format!("There is no tool \"{shown}\"; there are {}", names))
    }
}

/// A failure as the model reads it.
fn failed(error: &Error) -> ToolResult {
    let told = Value::object([
        ("code", error.code.as_str().into()),
        ("message", (&error.message).into()),
        ("hint", error.hint.as_ref().into()),
    ]);
    let content = Value::object([("error", told)]).to_json();
    ToolResult { structured: content.clone(), content, is_error: true }
}

#[cfg(test)]
mod tests;
