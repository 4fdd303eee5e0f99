//! `class Hotdata`.

use js_sys::{Function, Object, Promise, Reflect};
use wasm_bindgen::prelude::*;

use crate::client::{Client, Settings};
use crate::error::{Error, Result};

use super::call::Call;
use super::error::to_js;
use super::fetch::{Fetch, Key, checked_key};
use super::guard::signal_of;
use super::input::Options;
use super::promise;

/// The service, for one workspace. Any number of calls may run at once; `free()` is never needed.
#[wasm_bindgen]
pub struct Hotdata {
    client: Client<Fetch>,
}

#[wasm_bindgen]
impl Hotdata {
    /// Makes a client; nothing is sent until the first call.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "HotdataOptions")] options: &JsValue,
    ) -> Result<Hotdata, JsValue> {
        Self::made(options).map_err(to_js)
    }

    /// Makes a client from `HOTDATA_API_KEY`, `HOTDATA_WORKSPACE`, `HOTDATA_API_URL` and `HOTDATA_DATABASE`, of `env`
    /// or else of `process.env`.
    #[wasm_bindgen(js_name = fromEnv)]
    pub fn from_env(
        #[wasm_bindgen(unchecked_optional_param_type = "Record<string, string | undefined>")]
        env: &JsValue,
    ) -> Result<Hotdata, JsValue> {
        Self::of_env(env).map_err(to_js)
    }

    /// Runs one SQL statement.
    #[wasm_bindgen(unchecked_return_type = "Promise<QueryResult>")]
    pub fn query(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] sql: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "QueryOptions & { integers?: 'string' }")]
        options: &JsValue,
    ) -> Promise {
        self.start(options, Call::Query(sql))
    }

    /// Ranks the rows of a table by words (see `bm25SearchSql`) and runs the query.
    #[wasm_bindgen(js_name = searchText, unchecked_return_type = "Promise<QueryResult>")]
    pub fn search_text(
        &self,
        #[wasm_bindgen(unchecked_param_type = "TextSearchOptions & CallOptions")] options: &JsValue,
    ) -> Promise {
        self.start(options, Call::SearchText)
    }

    /// Ranks the rows of a table by meaning and runs the query: with `query`, over a provider-backed index; with
    /// `vector`, over a plain one.
    #[wasm_bindgen(js_name = searchSemantic, unchecked_return_type = "Promise<QueryResult>")]
    pub fn search_semantic(
        &self,
        #[wasm_bindgen(
            unchecked_param_type = "(TextSearchOptions | VectorSearchOptions) & CallOptions"
        )]
        options: &JsValue,
    ) -> Promise {
        self.start(options, Call::SearchSemantic)
    }

    /// Fuses rankings by words and by meaning in one query (see `hybridSearchSql`) and runs it.
    #[wasm_bindgen(js_name = searchHybrid, unchecked_return_type = "Promise<QueryResult>")]
    pub fn search_hybrid(
        &self,
        #[wasm_bindgen(unchecked_param_type = "HybridSearchOptions & CallOptions")]
        options: &JsValue,
    ) -> Promise {
        self.start(options, Call::SearchHybrid)
    }

    /// The tables of the database with their columns; of one table also its counts and what it can be searched by.
    #[wasm_bindgen(
        js_name = describeTables,
        unchecked_return_type = "Promise<TableOverview | TableDescription>"
    )]
    pub fn describe_tables(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "DescribeOptions & CallOptions")]
        options: &JsValue,
    ) -> Promise {
        self.start(options, Call::DescribeTables)
    }

    /// Every database of the workspace, newest first.
    #[wasm_bindgen(js_name = listDatabases, unchecked_return_type = "Promise<Database[]>")]
    pub fn list_databases(
        &self,
        #[wasm_bindgen(
            unchecked_optional_param_type = "{ search?: string; signal?: AbortSignal }"
        )]
        options: &JsValue,
    ) -> Promise {
        self.start(options, Call::ListDatabases)
    }

    /// One database by its id, with its connection and attachments.
    #[wasm_bindgen(js_name = getDatabase, unchecked_return_type = "Promise<Database>")]
    pub fn get_database(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] id: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "{ signal?: AbortSignal }")]
        options: &JsValue,
    ) -> Promise {
        self.start(options, Call::GetDatabase(id))
    }

    /// Creates a database.
    #[wasm_bindgen(js_name = createDatabase, unchecked_return_type = "Promise<Database>")]
    pub fn create_database(
        &self,
        #[wasm_bindgen(
            unchecked_optional_param_type = "CreateDatabaseOptions & { signal?: AbortSignal }"
        )]
        options: &JsValue,
    ) -> Promise {
        self.start(options, Call::CreateDatabase)
    }

    /// Deletes a database with everything in it.
    #[wasm_bindgen(js_name = deleteDatabase, unchecked_return_type = "Promise<void>")]
    pub fn delete_database(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] id: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "{ signal?: AbortSignal }")]
        options: &JsValue,
    ) -> Promise {
        self.start(options, Call::DeleteDatabase(id))
    }

    /// Loads rows into a table, which is created where it is not there.
    #[wasm_bindgen(js_name = loadTable, unchecked_return_type = "Promise<LoadReceipt>")]
    pub fn load_table(
        &self,
        #[wasm_bindgen(unchecked_param_type = "LoadOptions & CallOptions")] options: &JsValue,
    ) -> Promise {
        self.start(options, Call::LoadTable)
    }

    /// The indexes of a table, those being built included.
    #[wasm_bindgen(js_name = listIndexes, unchecked_return_type = "Promise<IndexInfo[]>")]
    pub fn list_indexes(
        &self,
        #[wasm_bindgen(unchecked_param_type = "{ table: string } & CallOptions")] options: &JsValue,
    ) -> Promise {
        self.start(options, Call::ListIndexes)
    }

    /// Builds the tools of an agent, resolved once: what cannot work fails here.
    #[wasm_bindgen(unchecked_return_type = "Promise<Toolset>")]
    pub fn tools(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "ToolsOptions")] options: &JsValue,
    ) -> Promise {
        self.start(options, Call::Tools)
    }
}

impl Hotdata {
    fn made(options: &JsValue) -> Result<Self> {
        let options = Options::read(options, &["apiKey", "fetch"]);
        let settings = Settings::parse(&options.input)?;
        let key = options.host("apiKey");
        let key = if let Some(text) = key.as_string() {
            checked_key(&text)?;
            Key::Text(text.into())
        } else if let Ok(function) = key.clone().dyn_into::<Function>() {
            Key::Function(function)
        } else if key.is_undefined() || key.is_null() {
            return Err(Error::argument(
                "apiKey",
                "is missing: it must be an API key, or a function that gives one",
            ));
        } else {
            return Err(Error::argument(
                "apiKey",
                "must be a string, or a function that gives one",
            ));
        };
        let fetch = match options.host("fetch") {
            value if value.is_undefined() || value.is_null() => None,
            value => Some(
                value
                    .dyn_into()
                    .map_err(|_| Error::argument("fetch", "must be a function like fetch"))?,
            ),
        };
        let (timeout_ms, deadline_ms) = (settings.timeout_ms, settings.deadline_ms);
        let transport = Fetch { key, fetch, timeout_ms, deadline_ms, ends_at: 0.0, signal: None };
        Ok(Self { client: Client::new(settings, transport) })
    }

    fn of_env(env: &JsValue) -> Result<Self> {
        let get =
            |of: &JsValue, name: &str| Reflect::get(of, &name.into()).unwrap_or(JsValue::UNDEFINED);
        let env = if env.is_undefined() || env.is_null() {
            let process = get(&js_sys::global(), "process");
            if process.is_undefined() { JsValue::UNDEFINED } else { get(&process, "env") }
        } else {
            env.clone()
        };
        if !env.is_object() {
            return Err(Error::argument(
                "env",
                "must be an object of strings; this runtime has no process.env of its own",
            ));
        }
        let options = Object::new();
        for (variable, option) in [
            ("HOTDATA_API_KEY", "apiKey"),
            ("HOTDATA_WORKSPACE", "workspaceId"),
            ("HOTDATA_API_URL", "baseUrl"),
            ("HOTDATA_DATABASE", "databaseId"),
        ] {
            match get(&env, variable).as_string() {
                Some(value) if !value.is_empty() => {
                    let _ = Reflect::set(&options, &option.into(), &value.into());
                }
                _ if option == "apiKey" => {
                    return Err(Error::argument(
                        variable,
                        "is missing: the environment holds no API key",
                    ));
                }
                _ => {}
            }
        }
        Self::made(&options).map_err(|error| error.within("From the environment"))
    }

    /// Starts a call with the signal of its options.
    fn start(&self, options: &JsValue, call: Call) -> Promise {
        let client = self.client.clone();
        let options = Options::read(options, call.host_options());
        promise(async move {
            let signal = signal_of(options.host("signal"))?;
            let transport = client.transport().for_call(signal);
            call.run(&client.over(transport), options).await
        })
    }
}
