//! Text put together and cut.

/// The items with `with` between them. Takes the iterator behind a pointer: compiled once, not once a caller.
pub fn join(items: &mut dyn Iterator<Item = String>, with: &str) -> String {
    let mut out = String::new();
    for (at, item) in items.enumerate() {
        if at > 0 {
            out.push_str(with);
        }
        out.push_str(&item);
    }
    out
}

/// The same for texts at hand.
pub fn joined(parts: &[String], with: &str) -> String {
    join(&mut parts.iter().cloned(), with)
}

/// Words as an error lists them.
pub fn listed(words: &[&str]) -> String {
    join(&mut words.iter().map(|word| (*word).to_owned()), ", ")
}

/// At most `most` characters, with an ellipsis where some were cut.
pub fn shortened(text: &str, most: usize) -> String {
    match start(text, most) {
        None => text.to_owned(),
        Some(start) => format!("{start}…"),
    }
}

/// The first `most` characters of a text that has more.
pub fn start(text: &str, most: usize) -> Option<&str> {
    // `get`, not an index: a slice that panics brings 5 KB of code to say where.
    text.char_indices().nth(most).and_then(|(end, _)| text.get(..end))
}

/// A name from outside as it may stand in a message: short and on one line.
pub fn shown(name: &str) -> String {
    name.chars().filter(|c| !is_unseen(*c)).take(64).collect()
}

/// What follows the first `part` of a text. Compared place by place: the standard search is much code.
pub fn after<'a>(text: &'a str, part: &str) -> Option<&'a str> {
    text.char_indices().find_map(|(at, _)| text.get(at..)?.strip_prefix(part))
}

/// Adds a sentence to those before it, unless it is among them.
pub fn add_sentence(text: &mut String, sentence: &str) {
    if sentence.is_empty() || after(text, sentence).is_some() {
        return;
    }
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(sentence);
}

/// A text without some of its characters.
pub fn without(text: &str, left_out: char) -> String {
    let mut out = String::new();
    for character in text.chars() {
        if character != left_out {
            out.push(character);
        }
    }
    out
}

/// What breaks a line or turns its direction without being seen.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// Text from outside as it may stand in a description: on one line, at most `most` characters.
pub fn one_line(text: &str, most: usize) -> String {
    let line: String = text.trim().chars().map(|c| if is_unseen(c) { ' ' } else { c }).collect();
    shortened(&line, most)
}

/// How far a name is from one that is none of them; nothing where they are not alike.
pub fn distance(wanted: &str, name: &str) -> Option<usize> {
    // The names of a database are not as long; to compare such would take as long as both together, squared.
    if wanted.len().max(name.len()) > 255 {
        return None;
    }
    let (short, long) = if wanted.len() < name.len() { (wanted, name) } else { (name, wanted) };
    // `price` for `list_price` is nearer than its letters tell.
    let is_part = short.len() > 2 && (long.starts_with(short) || long.ends_with(short));
    let distance = edits(wanted.as_bytes(), name.as_bytes());
    let most = (wanted.len() / 3).max(if wanted.len() > 3 { 2 } else { 1 });
    (is_part || distance <= most).then_some(distance)
}

/// How many bytes to put in, leave out or change make one text of the other.
fn edits(from: &[u8], to: &[u8]) -> usize {
    let mut row: Vec<usize> = (1..=to.len()).collect();
    for (at, one) in from.iter().enumerate() {
        let (mut diagonal, mut left) = (at, at + 1);
        for (cell, other) in row.iter_mut().zip(to) {
            let changed = diagonal + usize::from(one != other);
            diagonal = *cell;
            left = changed.min(left + 1).min(*cell + 1);
            *cell = left;
        }
    }
    row.last().copied().unwrap_or(from.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        for (from, to, count) in [
            ("", "", 0),
            ("a", "", 1),
            ("", "ab", 2),
            ("kitten", "sitting", 3),
            ("flaw", "lawn", 2),
            ("ab", "ab", 0),
        ] {
            assert_eq!(edits(from.as_bytes(), to.as_bytes()), count, "{from} {to}");
        }
    }

    #[test]
    fn like_names_are_near_and_a_stranger_is_not() {
        for (wanted, name, expected) in [
            ("contents", "content", Some(1)),
            ("price", "list_price", Some(5)),
            ("creatd_at", "created_at", Some(1)),
            ("content_embeddings", "content", Some(11)),
            ("titel", "title", Some(2)),
            ("citys", "cities", Some(2)),
            ("neighbourhood", "created_at", None),
            ("", "id", None),
        ] {
            assert_eq!(distance(wanted, name), expected, "{wanted} {name}");
        }
    }
}
