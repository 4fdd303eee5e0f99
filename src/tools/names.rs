//! What the tools of a set are called.

use crate::error::{Error, Result};

use super::options::{SearchOptions, Switches};

pub(super) const EXECUTE_SQL: &str = "hotdata_execute_sql";
pub(super) const DESCRIBE_TABLES: &str = "hotdata_describe_tables";
const SEARCH_TEXT: &str = "hotdata_search_text";
const SEARCH_SEMANTIC: &str = "hotdata_search_semantic";
const AGGREGATE_MATCHES: &str = "hotdata_aggregate_matches";
const LIST_DATABASES: &str = "hotdata_list_managed_databases";
const CREATE_DATABASE: &str = "hotdata_create_managed_database";
const LOAD_TABLE: &str = "hotdata_load_managed_table";

/// What every provider takes as a tool's name.
const ACCEPTED: &str = "a letter, then letters, digits and underscores, 64 characters at most";
const MAX_NAME_BYTES: usize = 64;

/// The names of a set's tools; none where the set has no such tool. A description names a tool by what stands here, so it
/// never names one that is not there.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    pub execute_sql: Option<String>,
    pub describe_tables: Option<String>,
    pub search: Option<String>,
    pub aggregate: Option<String>,
    pub list_databases: Option<String>,
    pub create_database: Option<String>,
    pub load_table: Option<String>,
}

impl Names {
    /// `by_meaning` tells a search that ranks by meaning alone; none is a set without a search.
    pub fn of(
        with: Switches,
        suffix: Option<&str>,
        search: Option<&SearchOptions>,
        by_meaning: Option<bool>,
    ) -> Result<Self> {
        let named = |is_there: bool, base: &str| -> Result<Option<String>> {
            if !is_there {
                return Ok(None);
            }
            let name = match suffix {
                None => base.to_owned(),
                Some(suffix) => format!("{base}_{suffix}"),
            };
            check_name("toolNameSuffix", &name)?;
            Ok(Some(name))
        };
        let by_words = by_meaning == Some(false);
        let search = match search.and_then(|search| search.name.clone()) {
            Some(name) => Some(name),
            None => {
                let base = if by_words { SEARCH_TEXT } else { SEARCH_SEMANTIC };
                named(by_meaning.is_some(), base)?
            }
        };
        let names = Self {
            execute_sql: named(with.execute_sql, EXECUTE_SQL)?,
            describe_tables: named(with.describe_tables, DESCRIBE_TABLES)?,
            search,
            aggregate: named(with.aggregate && by_words, AGGREGATE_MATCHES)?,
            list_databases: named(with.management, LIST_DATABASES)?,
            create_database: named(with.management, CREATE_DATABASE)?,
            load_table: named(with.management, LOAD_TABLE)?,
        };
        names.distinct()
    }

    /// A `searchToolName` can be the name of another tool.
    fn distinct(self) -> Result<Self> {
        let others = [
            &self.execute_sql,
            &self.describe_tables,
            &self.aggregate,
            &self.list_databases,
            &self.create_database,
            &self.load_table,
        ];
        if self.search.is_some() && others.contains(&&self.search) {
            return Err(Error::argument(
                "searchToolName",
                "must be a name that no other tool of the set has",
            ));
        }
        Ok(self)
    }
}

/// A tool's name that every provider takes.
pub(super) fn check_name(argument: &str, name: &str) -> Result<()> {
    if name.starts_with(|first: char| first.is_ascii_alphabetic())
        && is_plain(name)
        && name.len() <= MAX_NAME_BYTES
    {
        return Ok(());
    }
    let name = crate::text::shown(name);
    Err(Error::argument(argument, format_args!("must make a name of {ACCEPTED}, not \"{name}\"")))
}

/// What can stand behind `_` on a tool's name.
pub(super) fn check_suffix(suffix: &str) -> Result<()> {
    if is_plain(suffix) && !suffix.is_empty() {
        return Ok(());
    }
    let suffix = crate::text::shown(suffix);
    Err(Error::argument(
        "toolNameSuffix",
        format_args!("must be letters, digits and underscores, not \"{suffix}\""),
    ))
}

fn is_plain(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Switches = Switches {
        execute_sql: true,
        read_only: true,
        describe_tables: true,
        column_stats: true,
        search_capabilities: true,
        aggregate: true,
        management: true,
    };

    #[test]
    fn a_suffix_is_on_every_name_and_a_set_names_only_what_it_has() {
        let names = Names::of(ALL, Some("sales"), None, Some(false)).unwrap();
        assert_eq!(names.search.as_deref(), Some("hotdata_search_text_sales"));
        assert_eq!(names.aggregate.as_deref(), Some("hotdata_aggregate_matches_sales"));
        assert_eq!(names.load_table.as_deref(), Some("hotdata_load_managed_table_sales"));
        let few = Switches { management: false, aggregate: false, ..ALL };
        let names = Names::of(few, None, None, Some(true)).unwrap();
        assert_eq!(names.search.as_deref(), Some("hotdata_search_semantic"));
        assert_eq!((names.aggregate, names.list_databases), (None, None));
        assert_eq!(Names::of(ALL, None, None, None).unwrap().search, None);
    }

    #[test]
    fn a_name_that_a_provider_refuses_fails() {
        for name in ["", "1a", "_a", "a-b", "a b", "é", &"a".repeat(65)] {
            let error = check_name("searchToolName", name).unwrap_err();
            assert!(error.message.starts_with("`searchToolName` must make a name of a letter"));
        }
        assert!(check_suffix("a-b").is_err() && check_suffix("").is_err());
        let error = Names::of(ALL, Some(&"x".repeat(50)), None, None).unwrap_err();
        assert!(error.message.starts_with("`toolNameSuffix` must make"), "{}", error.message);
    }
}
