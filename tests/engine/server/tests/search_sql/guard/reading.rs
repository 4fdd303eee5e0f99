//! The refusals against the engine's own parser.

use datafusion::sql::parser::{DFParser, Statement};
use datafusion::sql::sqlparser::ast::{Query, SetExpr, Statement as Sql, Visit, Visitor};
use hotdata_wasm::lint::{is_read_only, refusal};
use std::ops::ControlFlow;

use super::random::Random;

/// Finds a write within a query.
struct Writes;

impl Visitor for Writes {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        body(&query.body)
    }

    fn pre_visit_statement(&mut self, statement: &Sql) -> ControlFlow<()> {
        let reads = matches!(
            statement,
            Sql::Query(_)
                | Sql::Explain { .. }
                | Sql::ExplainTable { .. }
                | Sql::ShowTables { .. }
                | Sql::ShowColumns { .. }
                | Sql::ShowCreate { .. }
                | Sql::ShowFunctions { .. }
                | Sql::ShowVariable { .. }
                | Sql::ShowVariables { .. }
                | Sql::ShowStatus { .. }
                | Sql::ShowDatabases { .. }
                | Sql::ShowSchemas { .. }
                | Sql::ShowViews { .. }
                | Sql::ShowCollation { .. }
                | Sql::ShowCatalogs { .. }
                | Sql::ShowCharset(_)
                | Sql::ShowProcessList { .. }
                | Sql::ShowObjects(_)
        );
        if reads { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

fn body(set: &SetExpr) -> ControlFlow<()> {
    match set {
        SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) | SetExpr::Merge(_) => {
            ControlFlow::Break(())
        }
        SetExpr::Select(select) if select.into.is_some() => ControlFlow::Break(()),
        SetExpr::SetOperation { left, right, .. } => {
            body(left)?;
            body(right)
        }
        _ => ControlFlow::Continue(()),
    }
}

#[derive(Debug, PartialEq)]
enum Read {
    Query,
    Writing,
    Several,
    Nothing,
}

fn writes(statement: &Statement) -> bool {
    match statement {
        Statement::Statement(statement) => statement.visit(&mut Writes).is_break(),
        Statement::Explain(explain) => writes(&explain.statement),
        _ => true,
    }
}

fn engine(sql: &str) -> Read {
    match DFParser::parse_sql(sql) {
        Err(_) => Read::Nothing,
        Ok(statements) if statements.is_empty() => Read::Nothing,
        Ok(statements) if statements.len() > 1 => Read::Several,
        Ok(statements) if statements.iter().any(writes) => Read::Writing,
        Ok(_) => Read::Query,
    }
}

const WRITING: &[&str] = &[
    "/*x*/DELETE FROM t",
    "WITH x AS (SELECT 1\n) DELETE FROM t",
    "WITH x (SELECT 1) FROM y DELETE FROM t",
    "WITH x AS (SELECT 1), y AS (SELECT 2) INSERT INTO t SELECT * FROM x",
    "SELECT * INTO t2 FROM t",
    "SELECT 1 INTO t2",
    "SELECT 1.INTO t2",
    "SELECT a, INTO t2 FROM t",
    "SELECT 1 UNION SELECT 2 INTO t2",
    "SELECT * FROM (SELECT * INTO t2 FROM t)",
    "COPY (SELECT 1) TO '/x'",
    "SET a = 1",
    "RESET a",
    "EXPLAIN ANALYZE INSERT INTO t VALUES (1)",
    "EXPLAIN (ANALYZE) DELETE FROM t",
    "EXPLAIN VERBOSE ANALYZE TABLE t COMPUTE STATISTICS",
    "EXPLAIN FORMAT tree DELETE FROM t",
    "DESCRIBE DELETE FROM t",
    "DESC UPDATE t SET a = 1",
    "(DELETE FROM t)",
    "((DELETE FROM t))",
    "SELECT * FROM (DELETE FROM t) AS q",
    "SELECT * FROM (UPDATE t SET a = 1) AS q",
    "SELECT a FROM t WHERE a IN (DELETE FROM t)",
    "SELECT EXISTS (INSERT INTO t VALUES (1))",
    "WITH x AS (DELETE FROM t) SELECT * FROM x",
    "WITH x AS (MERGE INTO t USING s ON a = b WHEN MATCHED THEN DELETE) SELECT 1",
    "-- c\nCREATE TABLE t AS SELECT 1",
    "/* a /* b */ c */ DROP TABLE t",
    "/*! DELETE FROM t */",
    "SELECT 1 /*!50110 INTO t2 */",
    "SELECT * FROM (/*! DELETE FROM t */)",
    "INSERT INTO t VALUES ($$;$$)",
    "TRUNCATE t",
    "BEGIN",
    "COMMIT",
    "EXPLAIN COMMIT",
    "GRANT SELECT ON t TO u",
    "PREPARE p AS SELECT 1",
    "EXECUTE p",
    "USE x",
    "ALTER TABLE t ADD COLUMN a INT",
    "CALL f()",
    "LOAD 'x'",
    "INSTALL x",
    "ATTACH 'x' AS y",
    "COMMENT ON TABLE t IS 'x'",
    "VACUUM",
    "REPLACE INTO t VALUES (1)",
    "KILL 5",
    "UPDATE t SET a = 1",
    "MERGE INTO t USING s ON a = b WHEN MATCHED THEN DELETE",
    "PRAGMA x",
    "CREATE EXTERNAL TABLE t STORED AS CSV LOCATION '/x'",
];

const SEVERAL: &[&str] = &[
    "SELECT '--'\n; DELETE FROM t",
    "SELECT 1; SELECT 2",
    ";SELECT 1;;SELECT 2",
    "SELECT E'\\''; DELETE FROM t --'",
    "SELECT $$a$$; SELECT $x$;$x$",
    "SELECT \"a;\" FROM t; SELECT 2",
    "SELECT /* ; */ 1; /* x */ SELECT 2",
    "SELECT q'[']'; DROP TABLE t",
    "SELECT r'\\'; DROP TABLE t",
];

const READING: &[&str] = &[
    "SELECT 1",
    "SELECT 1;",
    "SELECT 1 ; -- DELETE FROM t",
    "SELECT replace(a, 'b', 'c') FROM t",
    "SELECT t.load, t.call, t.set, t.import, t.replace, t.update, t.delete, t.comment, t.into FROM t",
    "SELECT load, call, set, import, replace, update, delete, comment FROM t",
    "SELECT delete, update AS insert FROM t ORDER BY merge",
    "SELECT count(delete), max(t.update), sum(insert) FROM t WHERE (delete) = (update)",
    "SELECT 1 AS into",
    "SELECT a FROM t WHERE a IN ('DELETE FROM t', 'x; y')",
    "SELECT 'it''s; DELETE', E'\\'; DELETE', $$; DELETE$$, $a$; DROP$a$",
    "SELECT \"delete from\" FROM t",
    "SHOW TABLES",
    "SHOW COLUMNS FROM t",
    "DESCRIBE t",
    "DESC default.public.t",
    "EXPLAIN SELECT 1",
    "EXPLAIN ANALYZE VERBOSE SELECT 1",
    "EXPLAIN FORMAT tree SELECT 1",
    "EXPLAIN (ANALYZE, FORMAT tree) SELECT 1",
    "EXPLAIN (SELECT 1)",
    "VALUES (1), (2)",
    "FROM t",
    "(SELECT 1) UNION (SELECT 2)",
    "WITH a AS (SELECT 1), b AS (SELECT 2) SELECT * FROM a, b",
    "WITH RECURSIVE delete AS (SELECT 1 AS n), update (n) AS (SELECT 2) SELECT * FROM delete",
    "WITH t (delete, update) AS (SELECT 1, 2) SELECT delete FROM t",
    "SELECT CASE WHEN a THEN 'x' END FROM t",
    "SELECT * FROM t FOR UPDATE",
    "SELECT a::TIMESTAMP WITH TIME ZONE, delete FROM t",
    "SELECT date_trunc('day', start) FROM t",
];

#[test]
fn h13_known_statements_are_told_apart() {
    for sql in WRITING {
        assert_eq!(engine(sql), Read::Writing, "{sql}");
        let refused = refusal(sql).unwrap_or_else(|| panic!("{sql}"));
        assert_eq!(refused.code, "write_statement", "{sql}");
        assert!(!is_read_only(sql));
    }
    for sql in SEVERAL {
        assert_eq!(engine(sql), Read::Several, "{sql}");
        assert_eq!(refusal(sql).map(|lint| lint.code), Some("stacked_statements"), "{sql}");
        assert!(!is_read_only(sql));
    }
    for sql in READING {
        assert_eq!(engine(sql), Read::Query, "{sql}");
        assert!(refusal(sql).is_none(), "{sql}: {:?}", refusal(sql));
        assert!(is_read_only(sql), "{sql}");
    }
    for sql in ["", ";", "-- SELECT 1"] {
        assert!(refusal(sql).is_none() && !is_read_only(sql), "{sql}");
    }
    for sql in ["'select'", "\"select\" 1", "hello"] {
        assert_eq!(refusal(sql).map(|lint| lint.code), Some("not_a_query"), "{sql}");
    }
}

/// Statements put together of others, with comments and quotes between.
fn combined(random: &mut Random) -> String {
    let all = [WRITING, SEVERAL, READING];
    let pick = |random: &mut Random| {
        let of = random.below(3);
        random.one(all[of]).trim_end_matches(';').to_owned()
    };
    let one = pick(random);
    match random.below(12) {
        0 => format!("/* {} */ {one}", pick(random).replace("*/", "").replace("/*", "")),
        1 => format!("-- {}\n{one}", pick(random).replace('\n', " ")),
        2 => format!("SELECT * FROM ({one}) AS q"),
        3 => format!("WITH q AS ({one}) {}", pick(random)),
        4 => format!("SELECT '{}' AS a", one.replace('\'', "''")),
        5 => format!("SELECT $q${one}$q$"),
        6 => format!("EXPLAIN {one}"),
        7 => format!("{one} UNION ALL {}", pick(random)),
        8 => format!("SELECT a FROM t WHERE EXISTS ({one})"),
        9 => format!("{one};{}", random.one(&["", " ", ";", "--x", "/*x*/", " SELECT 1"])),
        10 => format!("/*!{one}*/"),
        _ => format!("SELECT ({one}), delete FROM t"),
    }
}

/// Loose pieces, of which the engine can read some.
const PIECES: &[&str] = &[
    "SELECT",
    "FROM",
    "t",
    "delete",
    "DELETE",
    "update",
    "UPDATE",
    "SET a = 1",
    "insert into",
    "INTO",
    "(",
    ")",
    ",",
    ";",
    "1",
    "'x'",
    "a",
    "b",
    ".",
    "AS",
    "WITH x AS (",
    "VALUES (1)",
    "EXPLAIN",
    "ANALYZE",
    "DESCRIBE",
    "SHOW",
    "UNION",
    "merge",
    "load",
    "call",
    "commit",
    "--",
    "\n",
    "/*",
    "*/",
    "/*!",
    "$$",
    "E'\\''",
    "IN (",
    "EXISTS (",
    "*",
    "WHERE",
    "a =",
    "ORDER BY a",
    "LIMIT 1",
    "TABLE t",
    "FOR UPDATE",
    "truncate",
    "replace(a, 'b', 'c')",
    "1.",
    "q'['",
    "]'",
    "FORMAT",
    "VERBOSE",
    "table",
    "RECURSIVE",
];

#[test]
fn nothing_that_the_engine_reads_as_writing_passes() {
    let mut random = Random::new(0x2545_f491_4f6c_dd1d);
    let (mut refused, mut falsely) = (0, Vec::new());
    // Statements as people write them, and loose pieces that happen to be one.
    let mut reads = [0, 0];
    let mut refused_reads = [0, 0];
    for turn in 0..300_000 {
        let sql = match turn % 4 {
            0 => combined(&mut random),
            1 => {
                let start = random.one(&[
                    "SELECT ",
                    "WITH x AS (SELECT 1) ",
                    "EXPLAIN ",
                    "SELECT a FROM t WHERE ",
                    "(",
                ]);
                format!("{start}{}", random.text(PIECES, 6, &[" "]))
            }
            _ => random.text(PIECES, 8, &[" ", " ", ""]),
        };
        let told = refusal(&sql);
        match engine(&sql) {
            Read::Writing | Read::Several => {
                assert!(told.is_some() && !is_read_only(&sql), "{sql:?}");
                refused += 1;
            }
            Read::Query => {
                let kind = usize::from(turn % 4 != 0);
                reads[kind] += 1;
                if told.is_some() {
                    refused_reads[kind] += 1;
                    falsely.push(sql);
                }
            }
            Read::Nothing => {}
        }
    }
    let some = &falsely[..falsely.len().min(12)];
    println!("{refused} refused; reads {reads:?}, of them refused {refused_reads:?}: {some:?}");
    assert!(refused > 10_000 && reads[0] > 5_000 && reads[1] > 5_000, "{refused} {reads:?}");
    assert!(refused_reads[0] * 1_000 <= reads[0] * 2, "{refused_reads:?} of {reads:?}: {some:?}");
    assert!(refused_reads[1] * 100 <= reads[1] * 8, "{refused_reads:?} of {reads:?}: {some:?}");
}
