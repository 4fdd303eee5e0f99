//! The command's flags, and what the engine and the server take from them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use hotdata_local_engine::engine::EngineOptions;

use crate::embedding_http::HttpEmbeddings;
use crate::state::WORKSPACE_ID;

/// The port served when neither `--port` nor `PORT` names one.
pub const DEFAULT_PORT: u16 = 8788;

const MIB: usize = 1024 * 1024;

/// How the HTTP side behaves. `Default` is the service's behaviour with bounds fit for one machine.
#[derive(Debug, Clone)]
pub struct ServerOptions {
    /// The only API key accepted; none: any bearer token is.
    pub key: Option<String>,
    /// Rows a query answers inline before it is truncated; none: bytes alone decide.
    pub inline_rows: Option<usize>,
    /// Bytes of JSON rows (or of Arrow data) a query answers inline before it is truncated.
    pub inline_bytes: usize,
    /// Bytes of JSON rows a result is handed out in before `RESULT_TOO_LARGE`.
    pub json_result_bytes: usize,
    /// A query that runs longer answers 202, asked for or not; none: only when asked for.
    pub async_after: Option<Duration>,
    /// How long a truncated query's result stays `processing`.
    pub result_delay: Duration,
    /// Queries that run at once before the next is shed with 429.
    pub max_queries: usize,
    /// Results kept; the oldest go first.
    pub max_results: usize,
    /// Bytes of Arrow data kept in results; the oldest go first, the newest always stays.
    pub max_result_bytes: usize,
    /// Bytes of staged uploads kept; the oldest go first.
    pub max_upload_bytes: usize,
    /// Browser origins allowed besides loopback ones, as `scheme://host[:port]`.
    pub origins: Vec<String>,
    /// Workspaces that are listed as inactive and answer nothing.
    pub inactive_workspaces: Vec<String>,
    /// Fail on request: the header `x-local-fault` and the endpoint `/local/faults` are heard.
    pub faults: bool,
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self {
            key: None,
            inline_rows: None,
            inline_bytes: 8 * MIB,
            json_result_bytes: 64 * MIB,
            async_after: None,
            result_delay: Duration::ZERO,
            max_queries: 64,
            max_results: 1000,
            max_result_bytes: 512 * MIB,
            max_upload_bytes: 1024 * MIB,
            origins: Vec::new(),
            inactive_workspaces: Vec::new(),
            faults: false,
        }
    }
}

/// Hotdata's engine on one machine, for tests and offline work. It listens on 127.0.0.1 only.
#[derive(Debug, Clone, Parser)]
#[command(name = "hotdata-local-engine", version)]
pub struct Cli {
    /// Port to serve; 0 picks a free one [default: the PORT variable, else 8788]
    #[arg(long)]
    pub port: Option<u16>,
    /// Accept only this API key; without it any bearer token is accepted
    #[arg(long)]
    pub key: Option<String>,
    /// Keep databases in this folder between runs
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Load the sample papers into the database `papers`
    #[arg(long)]
    pub seed: bool,
    /// Also load table papers_scale with N generated rows of the sample's shape, indexed alike (implies --seed)
    #[arg(long, value_name = "N")]
    pub scale: Option<usize>,
    /// Register a connection whose tables are the folder's Parquet and CSV files (repeatable)
    #[arg(long, value_name = "ALIAS=DIR", value_parser = alias_and_folder)]
    pub attach: Vec<(String, PathBuf)>,
    /// Truncate query answers after N rows
    #[arg(long, value_name = "N")]
    pub inline_rows: Option<usize>,
    /// Truncate query answers after N bytes of rows
    #[arg(long, value_name = "N", default_value_t = 8 * MIB)]
    pub inline_bytes: usize,
    /// Refuse a result as JSON when its rows exceed N bytes
    #[arg(long, value_name = "N", default_value_t = 64 * MIB)]
    pub json_result_bytes: usize,
    /// Answer 202 to any query that runs longer
    #[arg(long, value_name = "MS")]
    pub async_after_ms: Option<u64>,
    /// Keep the result of a truncated query `processing` this long
    #[arg(long, value_name = "MS", default_value_t = 0)]
    pub result_delay_ms: u64,
    /// Shed queries with 429 when N are running
    #[arg(long, value_name = "N", default_value_t = 64)]
    pub max_queries: usize,
    /// Add an embedding provider: an OpenAI-compatible server on this machine (repeatable)
    #[arg(long, value_name = "ID=URL,MODEL", value_parser = embedding_service)]
    pub embedding_service: Vec<(String, String, String)>,
    /// Answer a quoted mixed-case column that does not exist with 400 and an empty body
    #[arg(long)]
    pub empty_body_for_quoted_case: bool,
    /// Fail one of two index builds after a mixed upsert
    #[arg(long)]
    pub flaky_dimension: bool,
    /// Reject projections naming none of a table's columns, as some of the service's tables do (repeatable)
    #[arg(long, value_name = "CATALOG.SCHEMA.TABLE")]
    pub strict_projection: Vec<String>,
    /// Search what can be read of a text the query parser rejects, in place of its syntax error
    #[arg(long)]
    pub lenient_search_text: bool,
    /// Allow this browser origin besides loopback ones (repeatable)
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    pub origin: Vec<String>,
    /// Serve another workspace, with databases of its own, beside ws_local (repeatable)
    #[arg(long, value_name = "ID", value_parser = workspace)]
    pub workspace: Vec<String>,
    /// List another workspace as inactive (repeatable)
    #[arg(long, value_name = "ID", value_parser = workspace)]
    pub inactive_workspace: Vec<String>,
    /// Fail on request, for tests of clients: with the request header `x-local-fault: NAME[;param=value…]`, or with
    /// rules posted to /local/faults. tests/engine/README.md lists the faults
    #[arg(long)]
    pub faults: bool,
}

impl Cli {
    /// `--port`, else the `PORT` variable, else [`DEFAULT_PORT`].
    pub fn port(&self) -> Result<u16, String> {
        if let Some(port) = self.port {
            return Ok(port);
        }
        match std::env::var("PORT") {
            Ok(text) if !text.is_empty() => text.parse().map_err(|_| {
                format!("the PORT variable must be a number from 0 to 65535, not {text:?}")
            }),
            _ => Ok(DEFAULT_PORT),
        }
    }

    pub fn engine_options(&self) -> Result<EngineOptions, String> {
        let embedding_client = if self.embedding_service.is_empty() {
            None
        } else {
            Some(Arc::new(HttpEmbeddings::new()?) as Arc<_>)
        };
        Ok(EngineOptions {
            data_dir: self.data.clone(),
            attach: self.attach.clone(),
            empty_body_for_quoted_case: self.empty_body_for_quoted_case,
            flaky_dimension: self.flaky_dimension,
            strict_projection: self
                .strict_projection
                .iter()
                .map(|name| name.to_lowercase())
                .collect(),
            lenient_search_text: self.lenient_search_text,
            embedding_services: self.embedding_service.clone(),
            embedding_client,
        })
    }

    /// What the engine of another workspace starts with: the same, in a folder of its own.
    pub fn engine_options_of(&self, workspace: &str) -> Result<EngineOptions, String> {
        let mut options = self.engine_options()?;
        options.data_dir = options.data_dir.map(|folder| folder.join("workspaces").join(workspace));
        Ok(options)
    }

    pub fn server_options(&self) -> Result<ServerOptions, String> {
        if self.max_queries == 0 {
            return Err("--max-queries must be at least 1".into());
        }
        let mut ids: Vec<&String> = self.workspace.iter().chain(&self.inactive_workspace).collect();
        ids.sort_unstable();
        if let Some(pair) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(format!("workspace {} is named twice", pair[0]));
        }
        Ok(ServerOptions {
            key: self.key.clone(),
            inline_rows: self.inline_rows,
            inline_bytes: self.inline_bytes,
            json_result_bytes: self.json_result_bytes,
            async_after: self.async_after_ms.map(Duration::from_millis),
            result_delay: Duration::from_millis(self.result_delay_ms),
            max_queries: self.max_queries,
            origins: self.origin.clone(),
            inactive_workspaces: self.inactive_workspace.clone(),
            faults: self.faults,
            ..ServerOptions::default()
        })
    }
}

fn alias_and_folder(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((alias, folder)) if !alias.is_empty() && !folder.is_empty() => {
            Ok((alias.to_owned(), folder.into()))
        }
        _ => Err("expected ALIAS=DIR".into()),
    }
}

fn embedding_service(text: &str) -> Result<(String, String, String), String> {
    let parts = text
        .split_once('=')
        .and_then(|(id, rest)| rest.rsplit_once(',').map(|(url, model)| (id, url, model)));
    match parts {
        Some((id, url, model)) if !id.is_empty() && !model.is_empty() => {
            crate::embedding_http::endpoint(url)?;
            Ok((id.to_owned(), url.to_owned(), model.to_owned()))
        }
        _ => Err("expected ID=URL,MODEL".into()),
    }
}

fn workspace(text: &str) -> Result<String, String> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if text.is_empty() || text == WORKSPACE_ID || !text.bytes().all(fits) {
        return Err(format!("expected letters, digits, `_` and `-`, and not {WORKSPACE_ID}"));
    }
    Ok(text.to_owned())
}

fn origin(text: &str) -> Result<String, String> {
    let host = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    match host {
        Some(host)
            if !host.is_empty()
                && !host.contains(['/', '?', '#'])
                && axum::http::HeaderValue::from_str(text).is_ok() =>
        {
            Ok(text.to_owned())
        }
        _ => Err("expected an origin such as https://example.test, without a path".into()),
    }
}
