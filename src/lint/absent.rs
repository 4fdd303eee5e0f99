//! Functions and operators of PostgreSQL and others that the engine has not. That it has not is proved on the engine.

use super::statement::{Call, Statement};
use super::{Found, Lint, MOST_CALLS};

const SEARCH: &str = "FROM bm25_search('catalog.schema.table', 'column', 'words', 20) ORDER BY score DESC to rank by words, or \
                      ILIKE to test for a part of the text";
const INTERVAL: &str = "d + INTERVAL '6 days'";
const BACK: &str = "d - INTERVAL '6 days'";
const DIFFERENCE: &str = "CAST(a AS DATE) - CAST(b AS DATE) for days";
const JSON: &str = "the columns themselves: the engine does not read JSON text";
const AGGREGATE: &str = "array_agg(x)";
const NOW: &str = "now() or current_date";
const CONDITION: &str = "COUNT(*) FILTER (WHERE …) or SUM(CASE WHEN … THEN 1 ELSE 0 END)";

/// What is absent, names with a space between them, and what to write.
const FUNCTIONS: &[(&str, &str)] = &[
    (
        "to_tsvector to_tsquery plainto_tsquery websearch_to_tsquery phraseto_tsquery ts_rank ts_rank_cd ts_headline match_against",
        SEARCH,
    ),
    ("similarity word_similarity", "FROM bm25_search(…) to rank by words, or levenshtein(a, b)"),
    ("date_add dateadd add_months make_interval", INTERVAL),
    ("date_sub", BACK),
    ("datediff date_diff timestampdiff months_between age", DIFFERENCE),
    ("year", "EXTRACT(YEAR FROM d)"),
    ("month", "EXTRACT(MONTH FROM d)"),
    ("day", "EXTRACT(DAY FROM d)"),
    ("hour", "EXTRACT(HOUR FROM d)"),
    ("weekday dayofweek", "date_part('dow', d)"),
    ("getdate sysdate curdate clock_timestamp statement_timestamp", NOW),
    ("strftime", "to_char(d, '%Y-%m-%d')"),
    ("str_to_date", "to_date(s, '%Y-%m-%d')"),
    ("unix_timestamp", "to_unixtime(d)"),
    ("make_timestamp", "to_timestamp(s)"),
    ("to_number", "CAST(x AS DOUBLE)"),
    ("safe_cast", "TRY_CAST(x AS type)"),
    (
        "jsonb_extract_path_text json_extract_path_text json_extract json_value jsonb_build_object json_build_object row_to_json to_json to_jsonb jsonb_array_elements json_array_elements jsonb_array_length",
        JSON,
    ),
    ("json_agg jsonb_agg json_object_agg", AGGREGATE),
    ("group_concat listagg", "string_agg(x, ', ')"),
    ("count_if countif", CONDITION),
    ("every", "bool_and(x)"),
    ("percentile_disc", "percentile_cont(0.5) WITHIN GROUP (ORDER BY x)"),
    ("approx_percentile", "approx_percentile_cont(x, 0.5)"),
    ("mode", "GROUP BY x ORDER BY COUNT(x) DESC LIMIT 1"),
    ("regexp_matches", "regexp_match(x, 'pattern')"),
    ("regexp_split_to_array", "string_to_array(x, ',')"),
    ("regexp_split_to_table string_to_table", "unnest(string_to_array(x, ','))"),
    ("array_upper", "array_length(x)"),
    ("format", "concat(a, b)"),
    ("len", "length(x)"),
    ("charindex locate", "strpos(x, 'part')"),
    ("iif", "CASE WHEN … THEN … ELSE … END"),
    ("isnull", "x IS NULL, or coalesce(x, y)"),
    ("mod", "a % b"),
    ("div", "a / b"),
    ("pg_typeof", "arrow_typeof(x)"),
    ("cosine_similarity", "1 - cosine_distance(a, b)"),
    ("euclidean_distance", "l2_distance(a, b), which is squared"),
];

/// The names of the functions that are told of.
pub fn absent_functions() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().flat_map(|(names, _)| names.split(' '))
}

/// What to write instead of a function that is told of.
pub(crate) fn instead_of(name: &str) -> Option<&'static str> {
    let is_it = |names: &str| names.split(' ').any(|known| name.eq_ignore_ascii_case(known));
    FUNCTIONS.iter().find(|(names, _)| is_it(names)).map(|(_, instead)| *instead)
}

pub(super) fn find(statement: &Statement, found: &mut Found) {
    let before = found.len();
    for at in 0..statement.tokens.len() {
        if found.len() - before >= MOST_CALLS {
            return;
        }
        let called = statement.text(at + 1) == "(" && !statement.text(at.wrapping_sub(1)).eq(".");
        let known = FUNCTIONS.iter().find_map(|(names, instead)| {
            let mut names = names.split(' ').filter(|_| called);
            names.find(|name| statement.is(at, name)).map(|name| (name, instead))
        });
        // `DATE d (…)`-like types and table aliases with column lists are no calls.
        if let Some((name, instead)) = known
            && !statement
                .is_any(at.wrapping_sub(1), &["as", "interval", "with", "recursive", "table"])
        {
            let lint = Lint::at(
                statement.span(at, at),
                "unknown_function",
                format!("There is no {name} here; write {instead}."),
            );
            found.push(match moved_date(statement, at) {
                None => lint,
                Some((close, fix)) => {
                    let (start, end) = statement.span(at, close);
                    Lint { start, end, ..lint }.fixed(fix)
                }
            });
        }
    }
    for (at, token) in statement.tokens.iter().enumerate() {
        let next = |ahead: usize| {
            let next = statement.tokens.get(at + ahead);
            next.filter(|next| next.start == token.start + ahead).map_or("", |next| next.text)
        };
        let (last, message) = match (token.text, next(1), next(2)) {
            ("@@", ..) => (at, format!("The operator @@ does not work here; write {SEARCH}.")),
            ("<", "=", ">") => (
                at + 2,
                "The operator <=> tests for equality here, and is no distance; write cosine_distance(a, b).".to_owned(),
            ),
            ("<", "->", _) => {
                (at + 1, "The operator <-> does not work here; write l2_distance(a, b).".to_owned())
            }
            ("->", ..) if statement.text(at + 1) == ">" => {
                (at + 1, format!("The operator ->> does not work here; write {JSON}."))
            }
            _ => continue,
        };
        // The one that runs is told of beside the rows as well.
        let code = if token.text == "<" && next(1) == "=" {
            "equality_operator"
        } else {
            "unknown_operator"
        };
        found.push(Lint::at(statement.span(at, last), code, message));
    }
}

/// `date_sub(d, 6)` as what it means: where it ends, and the sum.
fn moved_date(statement: &Statement, at: usize) -> Option<(usize, String)> {
    let sign = match statement.text(at).to_ascii_lowercase().as_str() {
        "date_add" => '+',
        "date_sub" => '-',
        _ => return None,
    };
    let Call { arguments, close, .. } = statement.call(at)?;
    let [(date, date_end), (days, days_end)] = arguments.as_slice() else { return None };
    let number = statement.text(*days);
    if days_end - days != 1 || !number.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let date = statement.between(*date, *date_end);
    Some((close, format!("({date} {sign} INTERVAL '{number} days')")))
}
