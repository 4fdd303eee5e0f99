//! The table of claims: every statement of `engine-contract.md` about the engine, in the document's order, with the
//! test that reproduces it. A listed test that does not exist does not compile; a test that is not listed is dead
//! code, which does not compile either.

use std::pin::Pin;

use crate::{
    databases, dates, discovery, errors, fusion, identifiers, indexes, rewrite, scope, sql,
    text_search, vector_search,
};

pub type Run = fn() -> Pin<Box<dyn Future<Output = ()> + Send>>;

pub struct Claim {
    pub section: &'static str,
    /// The contract's own words, shortened with `…`.
    pub words: &'static str,
    pub test: &'static str,
    pub run: Run,
}

macro_rules! claims {
    ($($section:literal { $($words:literal => $module:ident :: $test:ident,)+ })+) => {
        pub const CLAIMS: &[Claim] = &[$($(Claim {
            section: $section,
            words: $words,
            test: concat!(stringify!($module), "::", stringify!($test)),
            run: || Box::pin($module::$test()),
        },)+)+];
    };
}

claims! {
    "SQL" {
        "the following are confirmed working: joins" => sql::joins_run,
        "CTEs, subqueries" => sql::ctes_and_subqueries_run,
        "GROUP BY" => sql::group_by_runs,
        "window functions" => sql::window_functions_run,
        "ORDER BY/LIMIT" => sql::order_by_and_limit_run,
        "ordinary scalar functions" => sql::ordinary_scalar_functions_run,
        "LIKE and ILIKE" => sql::like_and_ilike_are_substring_tests,
        "schema-qualified as well as bare table names" => sql::bare_and_schema_qualified_names_resolve,
        "SELECT COUNT(*) FROM t succeeds on most tables" => sql::count_star_succeeds_on_ordinary_tables,
        "Some tables reject a projection that names none of their own columns" => sql::count_star_fails_on_an_affected_table,
        "as does SELECT 1 AS k FROM listings LIMIT 1, which is not an aggregate at all" => sql::a_constant_projection_fails_on_an_affected_table,
        "Naming a column always works" => sql::naming_a_column_always_works,
        "SELECT COUNT(*) AS row_count, COUNT(\"id\") AS n0 FROM default.public.listings succeeds" => sql::count_star_beside_a_column_count_works_on_an_affected_table,
        "only all fails to parse unquoted; the rest reach name resolution" => sql::only_all_fails_to_parse_as_a_bare_column_name,
        "Quoting the name parses in every case" => sql::quoting_a_column_name_always_parses,
        "Quoting is safe for a name read back from information_schema" => sql::quoting_a_name_as_stored_is_safe,
        "A declared managed table with no data rejects every query" => sql::a_declared_table_without_data_rejects_every_query,
        "reports zero rows in information_schema.columns" => sql::a_declared_table_without_data_reports_no_columns,
        "the two produce different messages for what looks like the same failing query" => sql::the_two_failures_of_a_failing_count_read_differently,
        "'YYYY-MM-DD' — the pattern itself, no error" => dates::to_char_echoes_a_postgres_template,
        "to_char emits it verbatim for every row" => dates::to_char_echoes_the_template_on_every_row,
        "to_char(cast('2026-08-12' AS DATE), '%Y-%m-%d') '2026-08-12'" => dates::to_char_formats_strftime,
        "to_date('2026-08-12', 'YYYY-MM-DD') error" => dates::to_date_rejects_a_postgres_template,
        "to_date('2026-08-12', '%Y-%m-%d') 2026-08-12" => dates::to_date_parses_strftime,
        "error: Invalid function 'date_sub'. Did you mean 'date_bin'?" => dates::date_sub_does_not_exist,
        "cast('2026-08-12' AS DATE) - INTERVAL '6 days' 2026-08-06" => dates::an_interval_is_subtracted_from_a_date,
        "date_trunc('day', …), now(), current_date work as expected" => dates::date_trunc_now_and_current_date_work,
        "Identifiers are lowercased when stored" => identifiers::a_mixed_case_column_is_stored_lowercase,
        "r.driverId and r.\"raceid\" both resolve" => identifiers::bare_mixed_case_and_quoted_lowercase_resolve,
        "r.\"driverId\" fails with a bare RuntimeError: Bad Request carrying no body at all" => identifiers::quoting_to_impose_case_fails_with_an_empty_body,
        "quoting to preserve case fails" => identifiers::quoting_to_impose_case_fails_without_the_option_too,
        "There is no full-text matching in SQL. No to_tsvector, no plainto_tsquery" => sql::postgres_full_text_functions_do_not_exist,
        "LIKE/ILIKE work as substring tests but cannot rank" => sql::like_cannot_rank,
        "ranking by relevance inside SQL is available, via bm25_search" => sql::relevance_ranking_is_available_inside_sql,
        "A database scope is required" => scope::a_query_without_a_database_is_refused,
        "set the X-Database-Id header or the database_id body field" => scope::the_scope_may_come_in_the_body,
        "An instant database's tables answer to default" => scope::an_instant_database_answers_to_default,
        "an attached source's tables answer to the attachment alias, not to default" => scope::an_attached_source_answers_to_its_alias,
        "information_schema.tables lists catalog f1 across all seven of its schemas" => scope::information_schema_lists_every_schema_of_an_attached_source_under_its_alias,
        "reports default_catalog='default' for both kinds, and default_schema='main' for both when the actual schema is public" => scope::the_database_record_does_not_name_the_catalog,
        "information_schema.tables.table_catalog is the only authoritative source" => scope::table_catalog_is_the_authoritative_source,
    }
    "Full-text search" {
        "Returns the table's columns plus a trailing score (Float32)" => text_search::it_returns_the_tables_columns_and_a_float32_score,
        "it joins, groups, and nests in subqueries and CTEs" => text_search::it_composes_with_joins_groups_subqueries_and_ctes,
        "A cohort defined by relevance can therefore be aggregated inside one query" => text_search::a_cohort_is_found_and_aggregated_in_one_query,
        "The vector side composes the same way when the index is provider-backed" => vector_search::vector_search_composes_with_aggregates,
        "Results are not sorted. Rows come back in rowid order" => text_search::results_come_in_row_order_not_by_score,
        "The fourth argument is the real bound" => text_search::the_fourth_argument_bounds_the_search_to_the_best_matches,
        "A bare LIMIT n pushes down and drives it" => text_search::a_bare_limit_is_pushed_down_and_bounds_the_search,
        "the sort blocks limit pushdown and the scan falls back to the engine's much larger default" => text_search::a_sort_blocks_the_limit_and_the_default_bound_applies,
        "explicit-k and trailing-LIMIT returned identical top-3" => text_search::an_explicit_bound_and_a_trailing_limit_return_the_same_top_three,
        "Omitting the limit caps the result at 1,000, silently" => text_search::without_the_fourth_argument_a_thousand_rows_come_back_unannounced,
        "BM25 is top-k" => text_search::the_thousand_kept_are_the_best,
        "Below that ceiling the two agree" => text_search::below_a_thousand_matches_both_forms_agree,
        "no way to ask for a whole match pool without already knowing its size" => text_search::a_bound_of_the_pools_size_returns_the_whole_pool,
        "The index is a hard prerequisite. No brute-force fallback" => text_search::a_column_without_an_index_is_an_error,
        "the explicit-vector scalar UDFs (cosine_distance(col, ARRAY[...])) still work without an index" => vector_search::explicit_vectors_need_no_index,
        "Scores are comparable within one result set, not across queries" => text_search::scores_compare_within_one_result_only,
        "Cosine distance is 0–2" => vector_search::cosine_distance_runs_from_0_to_2,
    }
    "Index types and how each is reached" {
        "RuntimeDB has three" => indexes::there_are_three_index_types,
        "There is no callable function for it" => indexes::a_sorted_index_is_transparent,
        "The workspace carries a system provider" => vector_search::a_system_provider_needs_no_registration,
        "Building one materialises a new column" => vector_search::a_provider_backed_index_materialises_an_embedding_column,
        "Both text-taking forms work against a provider-backed index" => vector_search::both_text_forms_work_on_a_provider_backed_index,
        "both hard-require one" => vector_search::both_text_forms_require_such_an_index,
        "vector_distance planned as a SortExec: TopK full scan" => vector_search::vector_distance_plans_as_a_full_scan,
        "vector_search results are unsorted" => vector_search::vector_search_rows_come_in_row_order,
        "a trailing LIMIT takes the wrong rows" => vector_search::a_trailing_limit_takes_the_wrong_rows,
        "ORDER BY _distance ASC is mandatory and the fourth argument is the only safe bound" => vector_search::the_sort_and_the_fourth_argument_select_the_nearest,
        "The appended column is _distance (leading underscore), and lower is nearer" => vector_search::the_distance_column_is_called_distance_with_an_underscore_and_lower_is_nearer,
        "EXPLAIN cannot be used on a vector_search query" => vector_search::explain_fails_on_vector_search,
        "Creating a BM25 index on a table that already has a provider-backed vector index is refused" => indexes::other_indexes_are_refused_beside_a_provider_backed_one,
        "A provider-backed index excludes every other index on its table" => indexes::a_provider_backed_index_is_refused_beside_any_other,
        "Drop the existing indexes before creating an embedding-backed vector index" => indexes::dropping_the_other_index_makes_room,
        "A plain vector index and a BM25 index do coexist" => indexes::a_plain_vector_index_and_bm25_coexist,
        "Text and meaning are mutually exclusive per column in every configuration the engine permits" => indexes::text_and_meaning_never_share_a_column,
    }
    "Rank fusion needs no engine primitive" {
        "CTEs, ROW_NUMBER() OVER (ORDER BY ...), FULL OUTER JOIN and a join back to the base table all work" => fusion::the_pieces_of_a_fusion_all_work,
        "reciprocal rank fusion is expressible as one query" => fusion::the_fused_query_runs_as_written,
        "COALESCE(1.0 / (60 + near_ranked.rrf_rank), 0)" => fusion::fused_scores_are_the_reciprocal_rank_sum,
        "EXPLAIN shows USearchExec for that form" => fusion::the_vector_half_in_its_own_cte_is_an_index_lookup,
        "a full DataSourceExec scan over [id, embedding] for the equivalent that ranks every row with ROW_NUMBER() first" => fusion::ranking_every_row_first_is_a_full_scan,
        "Both return the same rows in the same order" => fusion::both_forms_return_the_same_rows_in_the_same_order,
        "ORDER BY base.id resolves when id is not in the projection" => fusion::order_by_base_id_resolves_outside_the_projection,
        "The join back to the base table is what lets a fused hit carry ordinary columns" => fusion::the_join_back_carries_ordinary_columns,
        "ORDER BY <name> prefers a select-list alias over a same-named base-table column" => fusion::a_bare_sort_name_prefers_the_select_list_alias,
        "six rows appeared in both pathways and all six outranked every row found by only one" => fusion::rows_found_by_both_outrank_rows_found_by_one,
        "A row found by one pathway alone scores exactly 1 / (60 + rank), so single-pathway rows tie in pairs" => fusion::a_row_of_one_pathway_scores_its_reciprocal_rank_and_ties_in_pairs,
    }
    "The vector index is also reached without naming it" {
        "Without an index the physical plan is a full scan" => rewrite::without_an_index_the_plan_is_a_full_scan_under_top_k,
        "With one, the same query text plans as: USearchExec: table=default::public::clean_docs::embedding, k=3, filtered=false" => rewrite::the_same_text_changes_plan_when_the_index_is_built,
        "ORDER BY d ASC LIMIT k yes the shape the vector store emits" => rewrite::the_plain_shape_is_an_index_lookup,
        "Three-part reference, quoted (\"default\".\"public\".\"t\") or unquoted yes" => rewrite::a_quoted_three_part_reference_is_an_index_lookup,
        "Two-part schema.table reference reported no" => rewrite::a_shorter_reference_forfeits_the_index_and_returns_the_same_rows,
        "Same query plus WHERE col = <literal> yes, filtered=true" => rewrite::an_equality_filter_is_pushed_into_the_lookup,
        "Projecting the embedding column no" => rewrite::projecting_the_vector_column_declines_the_lookup,
        "Distance function that is not the index's metric no" => rewrite::another_metrics_function_declines_the_lookup,
        "No LIMIT no" => rewrite::without_a_limit_there_is_no_lookup,
        "The fallbacks are silent — a correct answer, computed by full scan, with no warning" => rewrite::falling_back_is_silent,
        "only a full catalog.schema.table matches the key the index was registered under" => rewrite::an_index_on_another_table_does_not_serve,
        "It runs as an async job and a failure only appears on the job record, not on the create call" => indexes::a_build_failure_shows_only_on_the_job,
        "the submit reports success for builds that later fail" => indexes::a_successful_build_is_a_job_too,
        "Each listed entry carries index_name, index_type, columns, metric, source_column and status" => indexes::a_listed_index_carries_the_six_fields,
        "IndexStatus has exactly two members, ready and pending, so a listed index is not necessarily a built one" => indexes::an_index_is_pending_until_it_is_built,
        "metric is echoed in the same lowercase form it was requested in" => indexes::the_metric_is_echoed_in_lowercase,
        "dimensions does not apply to a plain vector index" => indexes::dimensions_do_not_apply_to_a_plain_index,
        "an index must be built after the first write" => indexes::an_index_needs_data_first,
        "index creation fails with could not detect dimension for 'embedding' after a mixed upsert" => indexes::a_mixed_upsert_makes_builds_fail_now_and_then,
        "0 failures in 6 non-mixed shapes" => indexes::loads_that_are_not_mixed_never_make_a_build_fail,
        "List(Float32) is indexable" => indexes::a_list_of_float32_is_indexable,
        "There is no cross-modality routing in the engine" => indexes::nothing_routes_between_text_and_vectors,
    }
    "Schema and index discovery" {
        "Working in SQL: information_schema.tables" => discovery::information_schema_tables_lists_tables,
        "with table_catalog, table_schema, table_name, column_name, ordinal_position, data_type, is_nullable" => discovery::information_schema_columns_has_seven_columns,
        "SHOW TABLES" => discovery::show_tables_works,
        "DESCRIBE <table>" => discovery::describe_works,
        "needs no permission beyond the query scope" => discovery::introspection_needs_only_the_query_scope,
        "Indexes are not visible in SQL — no pg_indexes, no information_schema.indexes" => discovery::indexes_are_not_visible_in_sql,
        "They are only reachable through the control plane" => discovery::the_control_plane_lists_a_tables_indexes,
        "the index reports source_column = content" => indexes::a_provider_backed_index_reports_its_source_column,
        "nothing in information_schema marks the generated column as generated" => discovery::nothing_in_information_schema_marks_a_generated_column,
    }
    "Databases and workspaces" {
        "One client can query many databases" => databases::one_client_queries_many_databases,
        "Cross-database references inside a single query fail by default" => databases::a_cross_database_reference_is_not_found,
        "attach instant database A into instant database B refused" => databases::attaching_an_instant_database_is_refused,
        "load a result_id from A's query into a table in A accepted, 1 row landed" => databases::a_result_loads_into_its_own_database,
        "load that same result_id into B refused" => databases::a_result_does_not_load_into_another_database,
        "attach a Postgres connection into an instant database accepted" => databases::a_registered_source_is_attached,
        "through that alias 859 rows, from inside the instant database's scope" => databases::an_attached_sources_rows_are_read_from_inside_the_scope,
        "wrap that same endpoint pair" => databases::detaching_ends_it,
        "ResultsApi.get_result requires an x_database_id" => databases::a_result_is_read_only_within_its_database,
        "Database names are not unique" => databases::names_are_not_unique,
        "Ids are the only safe handle" => databases::only_an_id_addresses_a_database,
    }
    "Error reporting" {
        "The engine's actual message survives only in the underlying ApiException's body" => errors::the_engines_text_is_in_the_body,
    }
}

/// Statements the engine answers in a way of its own, or that say how the service was observed: what was read into
/// them, and why no test can decide them.
pub const READINGS: &[(&str, &str)] = &[
    (
        "What distinguishes an affected table is unidentified",
        "Tables are affected when the option `strict_projection` names them, so that both kinds can be tested; nothing is inferred about the service.",
    ),
    (
        "Did you mean 'to_char'?",
        "DataFusion picks the suggestion by edit distance among its functions; the set differs from the service's, so tests require a suggestion, not its name.",
    ),
    (
        "fails with a bare RuntimeError: Bad Request carrying no body at all",
        "Reproduced with the option `empty_body_for_quoted_case`; without it the engine explains the mistake, which serves a developer better.",
    ),
    (
        "default_schema='main' for both when the actual schema is public",
        "So for a database that declared no schema. One that declares exactly one adopts it, as the clients' own documentation of `default_schema` says since hotdata 0.11.",
    ),
    (
        "the planner substitutes the sorted parquet when a pushed-down filter matches the index's leading sort column",
        "A speed-up of the service that changes no answer. Tables are held in memory here and scanned: the index is built, listed and dropped, and the same statement answers the same rows with and without it, which is tested.",
    ),
    (
        "at 7.5k rows the cost was not measurable (40 ms vs 38 ms median)",
        "A timing of the service. What bounds the search is tested by which rows come back.",
    ),
    (
        "Observed BM25 range on real data: roughly 8–11",
        "A property of that corpus, not of the function.",
    ),
    (
        "sys_emb_openai (text-embedding-3-small, cosine)",
        "The engine carries `sys_emb_local`, which needs no network and measures shared words; the id differs so that nobody takes its distances for the service's.",
    ),
    (
        "vector_search is the one to compose: it is rewritten to an index lookup",
        "Its plan cannot be shown, by the contract's own account; the engine scans exactly either way, so only answers are compared.",
    ),
    (
        "DataSourceExec: file_groups={...parquet}, projection=[id, content, ...]",
        "Tables live in memory here; the scan prints as `DataSourceExec` with other details.",
    ),
    (
        "Two-part schema.table reference reported no",
        "Taken as no. The service's own behaviour was not observed by the contract.",
    ),
    (
        "It is intermittent, not deterministic",
        "Off unless the option `flaky_dimension` is set; then every second build after a mixed upsert fails.",
    ),
    (
        "The l2 and dot renderings have not been observed.",
        "The engine echoes all three as requested.",
    ),
    (
        "attach a Postgres connection",
        "A registered connection is a folder of Parquet and CSV files here; the endpoint, the alias and the scope are the same.",
    ),
];

/// Statements about the Python helpers or about models: they say nothing the engine could reproduce.
pub const CLIENT_SIDE: &[(&str, &str)] = &[
    (
        "hotdata_langchain/schema.py builds on information_schema.columns",
        "Which SQL a helper writes; the conformance run executes it.",
    ),
    (
        "HotdataVectorStore.max_marginal_relevance_search needs the stored vectors",
        "A helper's choice; that projecting vectors declines the lookup is tested.",
    ),
    (
        "HotdataVectorStore hardcodes the three-part form, and search.py rejects anything else",
        "Argument checks of a helper.",
    ),
    (
        "create_index polls the job to a terminal state and raises with its error_message",
        "A helper's loop; the job's states are tested.",
    ),
    (
        "status comes back as an IndexStatus enum, metric as a plain string",
        "How the Python models type two strings of the wire; the strings are tested.",
    ),
    (
        "Hybrid retrieval costs the client-side embedding dependency",
        "Follows from the coexistence rule, which is tested.",
    ),
    ("Passing k explicitly is free, so we do", "A helper's habit."),
    (
        "Never compare or average across the two",
        "Advice; that fusion works on ranks is the query's text, which is run.",
    ),
    ("hotdata_describe_tables makes that call per described table", "A tool's behaviour."),
    (
        "hl.attach_catalog/hl.detach_catalog wrap that same endpoint pair",
        "The endpoints are tested; the wrappers run in the conformance tests.",
    ),
    (
        "resolve_managed_database tries the id first and then scans list_databases()",
        "A resolver of the framework.",
    ),
    (
        "from_env() picks a workspace silently when HOTDATA_WORKSPACE is unset",
        "Environment handling of the framework; runs in the conformance tests.",
    ),
    (
        "The framework raises RuntimeError(e.reason), which is the bare HTTP reason",
        "An exception type; the body that carries the message is tested.",
    ),
    ("hl.engine_error_message(exc) walks that chain", "A helper; runs in the conformance tests."),
    ("It matches text in SQL", "What a language model does without guidance."),
    ("It guesses column names", "What a language model does without guidance."),
];
