//! Where in a result's JSON text its cells' numbers stand.

/// What a [`Walk`] meets.
pub enum Event<'a> {
    /// A number within a row, whole.
    Number { text: &'a [u8], column: usize },
    /// Everything else, as it came.
    Text(&'a [u8]),
    /// Rows begin. Of a member that is there twice the last one counts, as for every reader of JSON.
    Rows,
}

/// Where in `{…, "rows": [[cell, …], …], …}` the text stands.
#[derive(Debug, Default)]
pub struct Walk {
    depth: usize,
    column: usize,
    rows: u64,
    in_rows: bool,
    in_string: bool,
    escaped: bool,
    /// The last string of the outermost object, while it may be a key.
    key: Vec<u8>,
    /// The beginning of a number that a piece broke off.
    number: Vec<u8>,
}

/// As long as `rows` can be written, and one more to tell it from anything longer.
const KEY: usize = r"\u0072\u006f\u0077\u0073".len() + 1;

/// Whether a key, as it is written between its quotes, says `rows`.
pub(super) fn is_rows(key: &[u8]) -> bool {
    let hex = |digit: &u8| char::from(*digit).to_digit(16);
    let mut rest = key;
    for letter in b"rows" {
        let code = u32::from(*letter);
        rest = match rest {
            [first, rest @ ..] if first == letter => rest,
            [b'\\', b'u', b'0', b'0', high, low, rest @ ..]
                if hex(high) == Some(code / 16) && hex(low) == Some(code % 16) =>
            {
                rest
            }
            _ => return false,
        };
    }
    rest.is_empty()
}

impl Walk {
    /// How many rows have begun.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Passes over the next piece of the text.
    pub fn feed(&mut self, piece: &[u8], sink: &mut dyn FnMut(Event)) {
        let mut at = 0;
        let mut passed = 0;
        while at < piece.len() {
            if self.in_string {
                at = self.string(piece, at);
                continue;
            }
            let byte = piece[at];
            let starts_number = byte == b'-' || byte.is_ascii_digit();
            if !self.number.is_empty() || (starts_number && self.in_rows && self.depth >= 3) {
                let end = piece[at..]
                    .iter()
                    .position(|b| !matches!(b, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'))
                    .map_or(piece.len(), |length| at + length);
                sink(Event::Text(&piece[passed..at]));
                passed = end;
                if end == piece.len() {
                    self.number.extend_from_slice(&piece[at..end]);
                } else if self.number.is_empty() {
                    sink(Event::Number { text: &piece[at..end], column: self.column });
                } else {
                    self.number.extend_from_slice(&piece[at..end]);
                    sink(Event::Number { text: &self.number, column: self.column });
                    self.number.clear();
                }
                at = end;
                continue;
            }
            if self.step(byte) {
                sink(Event::Rows);
            }
            at += 1;
        }
        sink(Event::Text(&piece[passed..]));
    }

    /// Takes in a byte outside of strings and numbers, and says whether rows begin after it.
    fn step(&mut self, byte: u8) -> bool {
        match byte {
            b'"' => {
                self.in_string = true;
                if self.depth == 1 {
                    self.key.clear();
                }
            }
            b'[' | b'{' => {
                self.depth += 1;
                if self.depth == 3 {
                    self.column = 0;
                    self.rows += u64::from(self.in_rows);
                }
            }
            b']' | b'}' => self.depth = self.depth.saturating_sub(1),
            b',' if self.depth == 3 => self.column += 1,
            b':' if self.depth == 1 => {
                self.in_rows = is_rows(&self.key);
                if self.in_rows {
                    self.rows = 0;
                }
                return self.in_rows;
            }
            _ => {}
        }
        false
    }

    /// Passes over a string, or what of it the piece holds.
    fn string(&mut self, piece: &[u8], from: usize) -> usize {
        let mut at = from;
        while at < piece.len() {
            let byte = piece[at];
            at += 1;
            if self.escaped {
                self.escaped = false;
            } else if byte == b'\\' {
                self.escaped = true;
            } else if byte == b'"' {
                self.in_string = false;
                break;
            }
            if self.depth == 1 && self.key.len() < KEY {
                self.key.push(byte);
            }
        }
        at
    }
}
