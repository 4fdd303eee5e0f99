//! Pages of a listing, held together by an opaque cursor.

use crate::http::errors::ApiError;

pub struct Page<T> {
    pub items: Vec<T>,
    pub limit: usize,
    /// None on the last page.
    pub next_cursor: Option<String>,
}

/// Cuts the page after `cursor` out of `items`, which are in order. `key` tells an item's place: it is what the cursor
/// holds. When the cursor's item is gone, `after` says which item comes next.
pub fn cut<T>(
    items: Vec<T>,
    cursor: Option<&str>,
    limit: usize,
    key: impl Fn(&T) -> String,
    after: impl Fn(&T, &str) -> bool,
) -> Result<Page<T>, ApiError> {
    let start = match cursor {
        None => 0,
        Some(cursor) => {
            let last = decode(cursor)?;
            match items.iter().position(|item| key(item) == last) {
                Some(found) => found + 1,
                None => items.iter().position(|item| after(item, &last)).unwrap_or(items.len()),
            }
        }
    };
    let more = items.len() > start + limit;
    let items: Vec<T> = items.into_iter().skip(start).take(limit).collect();
    let next_cursor = match items.last() {
        Some(last) if more => Some(encode(&key(last))),
        _ => None,
    };
    Ok(Page { items, limit, next_cursor })
}

fn encode(key: &str) -> String {
    key.bytes().map(|byte| format!("{byte:02x}")).collect()
}

fn decode(cursor: &str) -> Result<String, ApiError> {
    let bytes: Option<Vec<u8>> = cursor
        .len()
        .is_multiple_of(2)
        .then(|| {
            cursor
                .as_bytes()
                .chunks(2)
                .map(|pair| {
                    std::str::from_utf8(pair).ok().and_then(|hex| u8::from_str_radix(hex, 16).ok())
                })
                .collect()
        })
        .flatten();
    bytes
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .ok_or_else(|| ApiError::bad_request("`cursor` is not one this server gave out"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(items: &[u32], limit: usize, cursor: Option<&str>) -> (Vec<u32>, Option<String>) {
        let page = cut(items.to_vec(), cursor, limit, u32::to_string, |item, last| {
            last.parse::<u32>().is_ok_and(|last| *item > last)
        });
        page.map(|page| (page.items, page.next_cursor)).unwrap_or_default()
    }

    #[test]
    fn every_item_comes_once() {
        let items = [1, 2, 3, 4, 5];
        let (first, cursor) = pages(&items, 2, None);
        let (second, cursor) = pages(&items, 2, cursor.as_deref());
        let (third, end) = pages(&items, 2, cursor.as_deref());
        assert_eq!([first, second, third].concat(), items);
        assert_eq!(end, None);
    }

    #[test]
    fn a_removed_item_does_not_break_the_walk() {
        let (_, cursor) = pages(&[1, 2, 3, 4], 2, None);
        assert_eq!(pages(&[1, 3, 4], 2, cursor.as_deref()).0, [3, 4]);
    }

    #[test]
    fn a_full_last_page_has_no_cursor() {
        assert_eq!(pages(&[1, 2], 2, None).1, None);
    }

    #[test]
    fn a_made_up_cursor_is_refused() {
        for cursor in ["zz", "1", "ff", "é"] {
            assert!(decode(cursor).is_err(), "{cursor}");
        }
    }
}
