//! What a lint says, as the engine does it; and the guard against writing, beside the engine's own parser.

use datafusion::sql::parser::{DFParser, Statement};
use datafusion::sql::sqlparser::ast;
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};
use hotdata_wasm::lint::{absent_functions, lint, refusal};

use super::fixture::Fixture;

fn codes(sql: &str) -> Vec<&'static str> {
    lint(sql, &[]).into_iter().map(|lint| lint.code).collect()
}

/// The text with every fix put in.
fn fixed(sql: &str) -> String {
    let mut out = sql.to_owned();
    for lint in lint(sql, &[]).into_iter().rev() {
        if let Some(fix) = lint.fix {
            out.replace_range(lint.start..lint.end, &fix);
        }
    }
    out
}

#[tokio::test]
async fn every_function_said_to_be_absent_is_absent() {
    let fixture = Fixture::papers().await;
    let mut asked = 0;
    for name in absent_functions() {
        let sql = format!("SELECT {name}(title) FROM default.public.papers");
        let (_, message) = fixture.try_query(&sql).await.unwrap_err();
        assert!(message.contains("Invalid function"), "{name}: {message}");
        assert_eq!(codes(&sql), ["unknown_function"], "{name}");
        asked += 1;
    }
    assert!(asked > 60);
}

#[tokio::test]
async fn what_is_said_to_be_written_instead_runs() {
    let fixture = Fixture::papers().await;
    for expression in [
        "now() + INTERVAL '6 days'",
        "now() - INTERVAL '6 days'",
        "date_part('day', now() - CAST('2020-01-01' AS TIMESTAMP))",
        "date_part('year', now()), date_part('dow', now()), date_part('doy', now()), date_part('epoch', now())",
        "current_date",
        "to_char(now(), '%Y-%m-%d')",
        "to_date('2026-08-12', '%Y-%m-%d')",
        "to_unixtime(now())",
        "CAST('1.5' AS DOUBLE), TRY_CAST('x' AS INT)",
        "arrow_typeof(1), 7 % 2, 7 / 2",
        "levenshtein('a', 'b')",
        "unnest(string_to_array('a,b', ','))",
        "array_length([1, 2]), regexp_match('ab', 'a'), strpos('abc', 'b'), concat('a', 'b'), length('a')",
        "CASE WHEN 1 = 1 THEN 'a' ELSE 'b' END, coalesce(NULL, 1)",
        "1 - cosine_distance(ARRAY[1.0, 0.0], ARRAY[0.0, 1.0]), l2_distance(ARRAY[1.0], ARRAY[0.5])",
    ] {
        let sql = format!("SELECT {expression}");
        fixture.query(&sql).await;
        assert_eq!(codes(&sql), Vec::<&str>::new(), "{sql}");
    }
    for aggregate in [
        "array_agg(id), string_agg(title, ', '), bool_and(id > 1)",
        "COUNT(*) FILTER (WHERE id > 3), SUM(CASE WHEN id > 3 THEN 1 ELSE 0 END)",
        "percentile_cont(0.5) WITHIN GROUP (ORDER BY id), approx_percentile_cont(id, 0.5)",
    ] {
        let sql = format!("SELECT {aggregate} FROM default.public.papers");
        fixture.query(&sql).await;
        assert_eq!(codes(&sql), Vec::<&str>::new(), "{sql}");
    }
}

#[tokio::test]
async fn a_fixed_statement_does_what_the_first_did_not() {
    let fixture = Fixture::papers().await;
    for (sql, code) in [
        ("SELECT to_date('2026-08-12', 'YYYY-MM-DD') AS d", "date_template"),
        ("SELECT date_sub(CAST('2026-08-12' AS DATE), 6) AS d", "unknown_function"),
        ("SELECT \"Title\" FROM default.public.papers LIMIT 1", "quoted_upper_case"),
        (
            "SELECT id FROM bm25_search(default.public.papers, 'content', 'graph', 3) ORDER BY score DESC",
            "search_table_name",
        ),
    ] {
        assert_eq!(codes(sql), [code]);
        assert!(fixture.try_query(sql).await.is_err(), "{sql}");
        assert!(!fixture.query(&fixed(sql)).await.is_empty(), "{}", fixed(sql));
    }
    // These two run, and do not do what they seem to.
    let silent = "SELECT to_char(CAST('2026-08-12' AS DATE), 'YYYY') AS y";
    assert_eq!(fixture.query(silent).await[0]["y"], "YYYY");
    assert_eq!(fixture.query(&fixed(silent)).await[0]["y"], "2026");
    let worst = "SELECT score FROM bm25_search('default.public.papers', 'content', 'graph', 5) ORDER BY score LIMIT 1";
    let score = |rows: &[super::fixture::Row]| rows[0]["score"].as_f64().unwrap();
    assert!(score(&fixture.query(worst).await) < score(&fixture.query(&fixed(worst)).await));
}

#[tokio::test]
async fn operators_that_are_told_of_fail_or_mean_something_else() {
    let fixture = Fixture::papers().await;
    for expression in ["title @@ 'x'", "embedding <-> ARRAY[0.5]", "title ->> 'a'"] {
        let sql = format!("SELECT {expression} FROM default.public.papers LIMIT 1");
        assert_eq!(codes(&sql), ["unknown_operator"], "{sql}");
        assert!(fixture.try_query(&sql).await.is_err(), "{sql}");
    }
    let sql = "SELECT (ARRAY[1.0] <=> ARRAY[1.0]) AS same";
    assert_eq!(codes(sql), ["unknown_operator"]);
    assert_eq!(fixture.query(sql).await[0]["same"], true);
}

/// Statements of pieces that mean something to a parser.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % most
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    fn query(&mut self, depth: usize) -> String {
        let column = self.pick(&[
            "a",
            "t.a",
            "update",
            "load",
            "replace(a, 'x', ';')",
            "COUNT(set)",
            "\"delete\"",
            "'; DROP'",
        ]);
        let from = if depth > 0 && self.below(3) == 0 {
            format!("({}) s", self.statement(depth - 1))
        } else {
            self.pick(&["t", "default.public.t", "\"into\"", "t JOIN u ON t.a = u.a"]).to_owned()
        };
        let into = if self.below(12) == 0 { " INTO t2" } else { "" };
        let rest = self.pick(&[
            "",
            " WHERE a = $$;$$",
            " WHERE a = E'\\';'",
            " ORDER BY a LIMIT 3",
            " GROUP BY a",
            " -- ; x\n",
        ]);
        format!("SELECT {column}{into} FROM {from}{rest}")
    }

    fn write(&mut self) -> String {
        self.pick(&[
            "DELETE FROM t",
            "DELETE FROM t WHERE a = 1",
            "DELETE t",
            "INSERT INTO t VALUES (1)",
            "INSERT INTO t SELECT 1",
            "UPDATE t SET a = 1",
            "UPDATE default.public.t SET a = 1 WHERE b = 2",
            "CREATE TABLE t (a INT)",
            "CREATE TABLE t AS SELECT 1",
            "DROP TABLE t",
            "TRUNCATE TABLE t",
            "ALTER TABLE t ADD COLUMN b INT",
            "COPY (SELECT 1) TO 'f'",
            "SET a = 1",
            "CREATE EXTERNAL TABLE t STORED AS CSV LOCATION 'f'",
            "MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN DELETE",
            "CREATE VIEW v AS SELECT 1",
            "PREPARE p AS SELECT 1",
            "BEGIN",
            "COMMIT",
            "CALL f()",
            "EXECUTE p",
            "REPLACE INTO t VALUES (1)",
        ])
        .to_owned()
    }

    fn statement(&mut self, depth: usize) -> String {
        match self.below(9) {
            0 => self.write(),
            1 if depth > 0 => {
                format!("WITH x AS ({}) {}", self.statement(depth - 1), self.statement(depth - 1))
            }
            2 if depth > 0 => format!("({})", self.statement(depth - 1)),
            3 if depth > 0 => {
                format!("{} UNION {}", self.query(depth - 1), self.statement(depth - 1))
            }
            4 if depth > 0 => format!(
                "{} {}",
                self.pick(&[
                    "EXPLAIN",
                    "EXPLAIN ANALYZE",
                    "EXPLAIN VERBOSE",
                    "DESCRIBE",
                    "EXPLAIN FORMAT TREE",
                    "explain/**/analyze"
                ]),
                self.statement(depth - 1)
            ),
            5 => self.pick(&["VALUES (1)", "SHOW TABLES", "DESCRIBE t", "TABLE t"]).to_owned(),
            _ => self.query(depth),
        }
    }
}

/// Whether the engine's parser reads a text as one statement that only reads; none where it does not parse.
fn reads(sql: &str) -> Option<bool> {
    let statements = DFParser::parse_sql_with_dialect(sql, &GenericDialect {}).ok()?;
    Some(statements.len() == 1 && statements.iter().all(only_reads))
}

fn only_reads(statement: &Statement) -> bool {
    match statement {
        Statement::Statement(inner) => statement_reads(inner),
        Statement::Explain(explained) => only_reads(&explained.statement),
        _ => false,
    }
}

fn statement_reads(statement: &ast::Statement) -> bool {
    match statement {
        ast::Statement::Query(query) => query_reads(query),
        // To explain the end of a transaction, as a described table of such a name is read, ends none.
        ast::Statement::Explain { statement, analyze: false, .. }
            if matches!(
                statement.as_ref(),
                ast::Statement::Commit { .. } | ast::Statement::StartTransaction { .. }
            ) =>
        {
            true
        }
        ast::Statement::Explain { statement, .. } => statement_reads(statement),
        ast::Statement::ExplainTable { .. }
        | ast::Statement::ShowTables { .. }
        | ast::Statement::ShowVariable { .. }
        | ast::Statement::ShowColumns { .. } => true,
        _ => false,
    }
}

fn query_reads(query: &ast::Query) -> bool {
    let ctes = query.with.iter().flat_map(|with| &with.cte_tables);
    set_reads(&query.body) && ctes.into_iter().all(|cte| query_reads(&cte.query))
}

fn set_reads(body: &ast::SetExpr) -> bool {
    match body {
        ast::SetExpr::Select(select) => {
            select.into.is_none()
                && select.from.iter().all(|from| match &from.relation {
                    ast::TableFactor::Derived { subquery, .. } => query_reads(subquery),
                    _ => true,
                })
        }
        ast::SetExpr::Query(query) => query_reads(query),
        ast::SetExpr::SetOperation { left, right, .. } => set_reads(left) && set_reads(right),
        ast::SetExpr::Values(_) | ast::SetExpr::Table(_) => true,
        _ => false,
    }
}

#[test]
fn h13_whatever_the_parser_reads_as_writing_is_refused_and_reads_are_let_through() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut writing, mut reading, mut wrongly_refused) = (0, 0, Vec::new());
    for _ in 0..40_000 {
        let mut sql = random.statement(3);
        if random.below(6) == 0 {
            let second = random.statement(1);
            sql = format!("{sql}; {second}");
        }
        if random.below(4) == 0 {
            let comment = random.pick(&["/* SELECT */", "-- SELECT 1\n", ";", "/* /* */ */ "]);
            sql = if comment == ";" { format!("{sql};") } else { format!("{comment}{sql}") };
        }
        match reads(&sql) {
            Some(false) => {
                writing += 1;
                assert!(refusal(&sql).is_some(), "let through: {sql}");
            }
            Some(true) => {
                reading += 1;
                if let Some(lint) = refusal(&sql) {
                    wrongly_refused.push(format!("{} {sql}", lint.code));
                }
            }
            None => {}
        }
    }
    println!("{writing} writing, {reading} reading, {} of them refused", wrongly_refused.len());
    assert!(writing > 5_000 && reading > 5_000, "{writing} {reading}");
    assert!(
        wrongly_refused.len() * 100 <= reading,
        "{}\n{}",
        wrongly_refused.len(),
        wrongly_refused.iter().take(20).cloned().collect::<Vec<_>>().join("\n")
    );
}

#[test]
fn strings_names_and_comments_end_where_the_engines_tokenizer_ends_them() {
    const PIECES: &[&str] = &[
        "'", "''", "\"", "\"\"", "`", "$$", "$a$", "E'", "e'", "\\", "--", "\n", "/*", "*/", ";",
        " ", "x", "SELECT 1", "é", "$1", "@", "#", "N'", "U&'", "X'", "b'", "r'", "q'[", "]'",
        "nq'{", "}'", "1", "//", "{{", "\u{a0}", "'''", "?", ":", "(", ")",
    ];
    let mut random = Random(77);
    let mut compared = 0;
    for _ in 0..200_000 {
        let length = 1 + random.below(9);
        let sql: String = (0..length).map(|_| random.pick(PIECES)).collect();
        let Ok(tokens) = Tokenizer::new(&GenericDialect {}, &sql).tokenize() else { continue };
        let ends = tokens.iter().filter(|token| matches!(token, Token::SemiColon)).count();
        let has_more = {
            let mut after = tokens.iter().skip_while(|token| !matches!(token, Token::SemiColon));
            after.any(|token| !matches!(token, Token::SemiColon | Token::Whitespace(_)))
        };
        let told = refusal(&sql).map(|lint| lint.code);
        let several = ends > 0 && has_more;
        // A text that no other lexer reads so is refused whatever it is.
        let unclear = told == Some("unclear_statement");
        let is_told = told == Some("several_statements");
        assert!(unclear || is_told == several, "{sql:?}: {told:?} {tokens:?}");
        assert!(!unclear || sql.contains(['#', '@', 'q', 'r', 'b', '\u{a0}']), "{sql:?}");
        compared += 1;
    }
    assert!(compared > 10_000, "{compared}");
}
