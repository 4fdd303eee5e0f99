//! SQL text as tokens that know their parentheses, and the SELECT that a token stands in.

use super::MOST_CALLS;
use super::lexer::{Kind, Token, tokens};

/// A text in tokens. Positions below are indexes into `tokens`.
pub(super) struct Statement<'a> {
    pub sql: &'a str,
    pub tokens: Vec<Token<'a>>,
    /// For each token the position after the parenthesis it stands in; 0 outside of all.
    levels: Vec<usize>,
}

/// One SELECT, without those nested in it.
pub(super) struct Select {
    pub level: usize,
    /// Where it starts: at the word itself.
    pub start: usize,
    pub from: Option<usize>,
    pub filter: Option<usize>,
    pub group: Option<usize>,
    /// At ORDER.
    pub order: Option<usize>,
    pub limit: Option<usize>,
    /// One past its last token.
    pub end: usize,
    /// Whether it is one side of a UNION, INTERSECT or EXCEPT: their ORDER BY is not its own.
    pub compound: bool,
}

/// A call: where its name stands, and where each argument starts and ends.
pub(super) struct Call {
    pub at: usize,
    pub arguments: Vec<(usize, usize)>,
    /// The closing parenthesis.
    pub close: usize,
}

const SET_OPERATIONS: [&str; 4] = ["union", "intersect", "except", "minus"];

impl<'a> Statement<'a> {
    pub fn read(sql: &'a str) -> Self {
        let tokens = tokens(sql);
        let mut levels = Vec::new();
        let mut open = vec![0];
        for (at, token) in tokens.iter().enumerate() {
            if matches!(token.text, ")" | "]") && open.len() > 1 {
                open.pop();
            }
            levels.push(open.last().copied().unwrap_or(0));
            if matches!(token.text, "(" | "[") {
                open.push(at + 1);
            }
        }
        Self { sql, tokens, levels }
    }

    pub fn text(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |token| token.text)
    }

    pub fn level(&self, at: usize) -> usize {
        self.levels.get(at).copied().unwrap_or(0)
    }

    /// Whether the token is this keyword or unquoted name.
    pub fn is(&self, at: usize, word: &str) -> bool {
        self.is_any(at, &[word])
    }

    pub fn is_any(&self, at: usize, words: &[&str]) -> bool {
        self.tokens.get(at).is_some_and(|token| {
            token.kind == Kind::Word
                && words.iter().any(|word| token.text.eq_ignore_ascii_case(word))
        })
    }

    /// The name that a word or a quoted name stands for.
    pub fn name(&self, at: usize) -> Option<String> {
        let token = self.tokens.get(at)?;
        match token.kind {
            Kind::Word => Some(token.text.to_ascii_lowercase()),
            Kind::Quoted => {
                let inner = token.text.get(1..token.text.len().saturating_sub(1))?;
                Some(inner.to_owned())
            }
            _ => None,
        }
    }

    /// The value of a plain string literal.
    pub fn string(&self, at: usize) -> Option<String> {
        let token = self.tokens.get(at).filter(|token| token.kind == Kind::Text)?;
        let inner = token.text.get(1..token.text.len().checked_sub(1)?)?;
        let is_plain = token.text.starts_with('\'') && token.text.ends_with('\'');
        // A quote within stands twice.
        let mut doubled = false;
        let value = inner.chars().filter(|c| {
            doubled = *c == '\'' && !doubled;
            !doubled
        });
        is_plain.then(|| value.collect())
    }

    /// The bytes from one token to another, both included.
    pub fn span(&self, from: usize, to: usize) -> (usize, usize) {
        let start = self.tokens.get(from).map_or(self.sql.len(), |token| token.start);
        let end =
            self.tokens.get(to).map_or(self.sql.len(), |token| token.start + token.text.len());
        (start, end.max(start))
    }

    /// The text from one token to another, the last one left out.
    pub fn between(&self, from: usize, to: usize) -> &'a str {
        let (start, end) = self.span(from, to.saturating_sub(1));
        self.sql.get(start..end).unwrap_or_default()
    }

    /// Every call of a function by one of these names.
    pub fn calls(&self, names: &[&str]) -> Vec<Call> {
        let mut calls = Vec::new();
        for at in 0..self.tokens.len() {
            if self.is_any(at, names) && self.text(at + 1) == "(" {
                calls.extend(self.call(at));
            }
            if calls.len() == MOST_CALLS {
                break;
            }
        }
        calls
    }

    /// The call whose name stands here; none where it is not closed.
    pub fn call(&self, at: usize) -> Option<Call> {
        let open = at + 1;
        let close = self.close(open)?;
        let mut arguments = Vec::new();
        let mut start = open + 1;
        for position in open + 1..=close {
            let ends =
                position == close || self.level(position) == open + 1 && self.text(position) == ",";
            if ends {
                if position > start {
                    arguments.push((start, position));
                }
                start = position + 1;
            }
        }
        Some(Call { at, arguments, close })
    }

    /// Where the parenthesis opened here is closed.
    pub fn close(&self, open: usize) -> Option<usize> {
        let level = self.level(open);
        (open + 1..self.tokens.len()).find(|at| self.level(*at) == level)
    }

    /// The SELECT that the token stands in.
    pub fn select(&self, at: usize) -> Option<Select> {
        let level = self.level(at);
        let ends_one =
            |position: usize| self.is_any(position, &SET_OPERATIONS) || self.text(position) == ";";
        let mut start = at;
        while !(self.level(start) == level && self.is(start, "select")) {
            let is_outside = start < level || self.level(start) == level && ends_one(start);
            if is_outside || start == 0 {
                return None;
            }
            start -= 1;
        }
        let mut select = Select {
            level,
            start,
            from: None,
            filter: None,
            group: None,
            order: None,
            limit: None,
            end: self.tokens.len(),
            compound: false,
        };
        for position in start + 1..self.tokens.len() {
            let here = self.level(position);
            // The parenthesis around it ends.
            if level > 0 && here == self.level(level - 1) {
                select.end = position;
                break;
            }
            if here != level {
                continue;
            }
            if ends_one(position) {
                select.end = position;
                break;
            }
            let clause = match self.text(position).to_ascii_lowercase().as_str() {
                "from" => &mut select.from,
                "where" => &mut select.filter,
                "group" if select.from.is_some() => &mut select.group,
                "order" => &mut select.order,
                "limit" | "fetch" => &mut select.limit,
                _ => continue,
            };
            clause.get_or_insert(position);
        }
        select.compound = (level..self.tokens.len())
            .take_while(|at| level == 0 || self.level(*at) != self.level(level - 1))
            .any(|at| self.level(at) == level && self.is_any(at, &SET_OPERATIONS));
        Some(select)
    }

    /// The positions of the answer's columns.
    pub fn list(&self, select: &Select) -> std::ops::Range<usize> {
        select.start + 1..select.from.unwrap_or(select.end)
    }

    /// The first name that an ORDER BY sorts by, alone or as the last part of a longer one, and whether it descends.
    pub fn sorted_by(&self, order: usize) -> Option<(usize, bool)> {
        let mut at = order + 2;
        while self.text(at + 1) == "." {
            at += 2;
        }
        let ends = ["", ",", ")", ";"].contains(&self.text(at + 1))
            || self.is_any(at + 1, &["asc", "desc", "limit", "nulls", "offset", "fetch"]);
        ends.then(|| (at, self.is(at + 1, "desc")))
    }
}
