//! Which statements run: one at a time, reading only, and of bounded depth.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;

use datafusion::common::plan_datafusion_err;
use datafusion::error::{DataFusionError, Result};
use datafusion::sql::parser::{CopyToSource, DFParser, Statement};
use datafusion::sql::sqlparser::ast::{Ident, ObjectName, Query, Visit, Visitor};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

use crate::error::EngineError;

/// Operators a statement may chain or nest, as [`depth`] counts them. [`crate::isolate`] reserves stack for it.
pub const MAX_DEPTH: usize = 2_000;

/// Relations a query may read once each reference to a CTE is replaced by the CTE, as the planner does.
pub const MAX_RELATIONS: usize = 2_000;

/// Refuses a statement whose expression tree could be too deep for the recursion of parser and planner.
///
/// The parser itself bounds nesting, but not chains such as `a OR b OR …`, which become trees just as deep.
pub fn check_depth(sql: &str) -> crate::error::Result<()> {
    // A text the tokenizer rejects is the parser's to report.
    let Ok(tokens) = Tokenizer::new(&GenericDialect {}, sql).tokenize() else {
        return Ok(());
    };
    let depth = depth(&tokens);
    if depth > MAX_DEPTH {
        return Err(EngineError::bad_request(format!(
            "the statement is too deep: it chains or nests {depth} operators, at most {MAX_DEPTH} are accepted; \
             use IN (…) or a join for long lists"
        )));
    }
    Ok(())
}

/// An upper bound of the tree's depth: the operators and keywords between commas, added up through open brackets.
fn depth(tokens: &[Token]) -> usize {
    let mut open = vec![0usize];
    let mut total = 0usize;
    let mut deepest = 0;
    for token in tokens {
        let weight = match token {
            Token::Whitespace(_) | Token::EOF | Token::SemiColon | Token::Period => 0,
            Token::Number(..) | Token::SingleQuotedString(_) => 0,
            Token::Word(word)
                if word.keyword == Keyword::NoKeyword || word.quote_style.is_some() =>
            {
                0
            }
            Token::LParen | Token::LBracket | Token::LBrace => {
                open.push(1);
                1
            }
            Token::RParen | Token::RBracket | Token::RBrace => {
                if open.len() > 1 {
                    total -= open.pop().unwrap_or(0);
                }
                0
            }
            Token::Comma => {
                if let Some(top) = open.last_mut() {
                    total -= *top;
                    *top = 0;
                }
                0
            }
            _ => {
                if let Some(top) = open.last_mut() {
                    *top += 1;
                }
                1
            }
        };
        total += weight;
        deepest = deepest.max(total);
    }
    deepest
}

/// Refuses a statement whose CTEs expand to more relations than can be planned: a chain of CTEs that each read the
/// one before twice doubles at every link.
pub fn check_expansion(statement: &Statement) -> crate::error::Result<()> {
    let mut expansion = Expansion::default();
    let flow = match statement {
        Statement::Explain(explain) => return check_expansion(&explain.statement),
        Statement::Statement(statement) => statement.visit(&mut expansion),
        Statement::CopyTo(copy) => match &copy.source {
            CopyToSource::Query(query) => query.visit(&mut expansion),
            CopyToSource::Relation(_) => return Ok(()),
        },
        Statement::CreateExternalTable(_) | Statement::Reset(_) => return Ok(()),
    };
    match flow {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(EngineError::bad_request(format!(
            "the statement is too large: with each WITH query put in place of its name it reads more than \
             {MAX_RELATIONS} relations, at most {MAX_RELATIONS} are accepted; refer to each WITH query fewer times"
        ))),
    }
}

/// Counts the relations of each query, innermost first. A table counts 1, a CTE what its own query counts.
#[derive(Default)]
struct Expansion {
    open: Vec<OpenQuery>,
}

#[derive(Default)]
struct OpenQuery {
    /// CTEs whose queries are still to come: they are visited before the body, in order.
    pending: VecDeque<String>,
    ctes: HashMap<String, usize>,
    relations: usize,
}

impl Visitor for Expansion {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        let ctes = query.with.iter().flat_map(|with| &with.cte_tables);
        let pending = ctes.map(|cte| normalized(&cte.alias.name)).collect();
        self.open.push(OpenQuery { pending, ..OpenQuery::default() });
        ControlFlow::Continue(())
    }

    fn pre_visit_relation(&mut self, relation: &ObjectName) -> ControlFlow<()> {
        let cte = match relation.0.as_slice() {
            [part] => part.as_ident().map(normalized),
            _ => None,
        };
        let bound =
            cte.and_then(|name| self.open.iter().rev().find_map(|query| query.ctes.get(&name)));
        let relations = bound.copied().unwrap_or(1);
        match self.open.last_mut() {
            Some(query) => {
                query.relations = query.relations.saturating_add(relations);
                bounded(query.relations)
            }
            None => ControlFlow::Continue(()),
        }
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        let Some(query) = self.open.pop() else {
            return ControlFlow::Continue(());
        };
        // A query of literals is one relation too.
        let relations = query.relations.max(1);
        if let Some(outer) = self.open.last_mut() {
            match outer.pending.pop_front() {
                Some(name) => {
                    outer.ctes.insert(name, relations);
                }
                None => outer.relations = outer.relations.saturating_add(relations),
            }
            return bounded(outer.relations);
        }
        ControlFlow::Continue(())
    }
}

fn bounded(relations: usize) -> ControlFlow<()> {
    if relations > MAX_RELATIONS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

fn normalized(name: &Ident) -> String {
    match name.quote_style {
        Some(_) => name.value.clone(),
        None => name.value.to_lowercase(),
    }
}

/// Parses exactly one statement.
pub fn parse(sql: &str) -> Result<Statement> {
    let mut statements = DFParser::parse_sql(sql)?;
    match (statements.len(), statements.pop_front()) {
        (1, Some(statement)) => Ok(statement),
        (0, _) => Err(plan_datafusion_err!("No SQL statements were provided in the query string")),
        _ => Err(DataFusionError::NotImplemented(
            "The context currently only supports a single SQL statement".to_owned(),
        )),
    }
}

/// Whether the statement asks for a plan.
pub fn is_explain(statement: &Statement) -> bool {
    matches!(statement, Statement::Explain(_))
}

/// Adds what does run to DataFusion's refusal of a statement.
pub fn read_only(error: DataFusionError) -> DataFusionError {
    match error {
        DataFusionError::Plan(message) => DataFusionError::Plan(format!(
            "{message}. Queries only: SELECT, WITH, VALUES, EXPLAIN, SHOW and DESCRIBE run here; \
             tables are written by loads"
        )),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth_of(sql: &str) -> usize {
        depth(&Tokenizer::new(&GenericDialect {}, sql).tokenize().unwrap())
    }

    #[test]
    fn doubling_ctes_are_refused() {
        let chain = |links: usize| {
            let links = (1..links)
                .map(|i| format!(", T{i} AS (SELECT a.x FROM t{0} a, t{0} b)", i - 1))
                .collect::<String>();
            format!("WITH t0 AS (SELECT 1 AS x){links} SELECT 1")
        };
        let check = |sql: &str| check_expansion(&parse(sql).unwrap());
        assert!(check(&chain(10)).is_ok());
        assert_eq!(check(&chain(40)).unwrap_err().status, 400);
        assert!(check(&format!("EXPLAIN {}", chain(40))).is_err());
        assert!(check(&format!("SELECT * FROM ({}) AS q", chain(40))).is_err());
        assert!(check(&format!("COPY ({}) TO 'x'", chain(40))).is_err());
        assert!(
            check("WITH RECURSIVE r AS (SELECT 1 UNION ALL SELECT * FROM r) SELECT * FROM r")
                .is_ok()
        );
    }

    #[test]
    fn lists_are_shallow_and_chains_deep() {
        let vector = vec!["-0.5"; 1536].join(", ");
        let halves =
            format!("SELECT a FROM t ORDER BY cosine_distance(e, ARRAY[{vector}]) LIMIT 5");
        assert!(depth_of(&halves) < 20, "{}", depth_of(&halves));
        let ids = (0..10_000).map(|id| format!("'{id}'")).collect::<Vec<_>>().join(", ");
        assert!(depth_of(&format!("SELECT a FROM t WHERE id IN ({ids})")) < 20);
        let chain = vec!["a = 1"; 5_000].join(" OR ");
        assert!(check_depth(&format!("SELECT a FROM t WHERE {chain}")).is_err());
        assert!(
            check_depth(&format!("SELECT {}1{}", "(".repeat(5_000), ")".repeat(5_000))).is_err()
        );
        let unions = vec!["SELECT 1"; 3_000].join(" UNION ALL ");
        assert!(check_depth(&unions).is_err());
        assert!(check_depth("SELECT '(((((").is_ok());
    }
}
