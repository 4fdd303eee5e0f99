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
    name.chars().filter(|c| !c.is_control()).take(64).collect()
}

/// Text from outside as it may stand in a description: on one line, at most `most` characters.
pub fn one_line(text: &str, most: usize) -> String {
    let line: String = text.trim().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    shortened(&line, most)
}
