//! Whatever a result holds, a tool's text holds every number of it digit for digit.

use serde_json::value::RawValue;

use super::*;

/// A xorshift generator.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len() as u64) as usize]
    }

    /// Digits, the first of them no zero.
    fn digits(&mut self, count: u64) -> String {
        let first = 1 + self.below(9);
        let rest = (1..count).map(|_| self.below(10).to_string());
        format!("{first}{}", rest.collect::<String>())
    }

    fn number(&mut self) -> String {
        let sign = self.pick(&["", "-"]);
        let (most, fraction) = (1 + self.below(40), 1 + self.below(20));
        let magnitude = match self.below(7) {
            0 => self.digits(1 + most % 12),
            1 => self.digits(most),
            2 => format!("{}.{}", self.digits(most), self.digits(fraction)),
            3 => format!("0.{}{}", "0".repeat(fraction as usize), self.digits(1 + most % 17)),
            4 => format!("{}e{}", self.digits(1), self.pick(&["5", "-7", "+400", "-400", "22"])),
            5 => self.pick(&["0", "0.00", "100.00", "9007199254740991", "9007199254740993"]).into(),
            _ => format!("{:?}", f64::from_bits(self.below(1 << 62)).clamp(1e-30, 1e30)),
        };
        format!("{sign}{magnitude}")
    }

    fn cell(&mut self, depth: u64) -> Cell {
        match self.below(if depth == 0 { 6 } else { 8 }) {
            0 => Cell::Word(self.pick(&["null", "true", "false"])),
            1 => Cell::Word(self.pick(&[
                r#""12345678901234567890""#,
                r#""a \"1\", 9007199254740993]""#,
                r#""\\""#,
                r#""日本 0.10000000000000001""#,
                r#""2026-08-12T00:00:00.123456789Z""#,
                r#""\u0031e400""#,
            ])),
            2..=5 => Cell::Number(self.number()),
            6 => Cell::List((0..self.below(4)).map(|_| self.cell(depth - 1)).collect()),
            _ => Cell::Struct((0..self.below(4)).map(|_| self.cell(depth - 1)).collect()),
        }
    }
}

enum Cell {
    Word(&'static str),
    Number(String),
    List(Vec<Cell>),
    Struct(Vec<Cell>),
}

impl Cell {
    /// Its JSON, with the numbers between quotes or not.
    fn json(&self, quoted: bool) -> String {
        let all = |cells: &[Cell], json: &dyn Fn((usize, &Cell)) -> String| {
            cells.iter().enumerate().map(json).collect::<Vec<_>>().join(",")
        };
        match self {
            Cell::Word(word) => (*word).to_owned(),
            Cell::Number(text) if quoted => format!("\"{text}\""),
            Cell::Number(text) => text.clone(),
            Cell::List(cells) => format!("[{}]", all(cells, &|(_, cell)| cell.json(quoted))),
            Cell::Struct(cells) => {
                format!(
                    "{{{}}}",
                    all(cells, &|(at, cell)| format!("\"1{at}\":{}", cell.json(quoted)))
                )
            }
        }
    }

    fn is_kept(&self) -> bool {
        match self {
            Cell::Word(_) => true,
            Cell::Number(text) => reads_back(text),
            Cell::List(cells) | Cell::Struct(cells) => cells.iter().all(Cell::is_kept),
        }
    }
}

/// Whether a 64-bit float keeps a number's digits, by the standard library.
fn reads_back(number: &str) -> bool {
    let magnitude = number.trim_start_matches('-');
    if magnitude.bytes().all(|byte| byte.is_ascii_digit()) {
        return magnitude.parse::<u128>().is_ok_and(|value| value < 1 << 53);
    }
    let float: f64 = magnitude.parse().unwrap();
    float.is_finite() && scientific(&float.to_string()) == scientific(magnitude)
}

/// The digits without the zeros around them, and how many places before the point they begin.
fn scientific(number: &str) -> (String, i32) {
    let (mantissa, exponent) = number.split_once('e').unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_start_matches('0');
    let zeros = (digits.len() - significant.len()) as i32;
    let places = whole.len() as i32 - zeros + exponent.parse::<i32>().unwrap();
    match significant.trim_end_matches('0') {
        "" => (String::new(), 0),
        digits => (digits.to_owned(), places),
    }
}

/// The cells of a tool's JSON as they stand in it.
fn cells(text: &str) -> Vec<Vec<String>> {
    #[derive(serde::Deserialize)]
    struct Answer<'a> {
        #[serde(borrow)]
        rows: Vec<std::collections::BTreeMap<String, &'a RawValue>>,
    }
    let answer: Answer = serde_json::from_str(text).unwrap();
    let texts = |row: std::collections::BTreeMap<_, &RawValue>| {
        row.into_values().map(|cell| cell.get().to_owned()).collect()
    };
    answer.rows.into_iter().map(texts).collect()
}

#[test]
fn random_results_reach_the_model_digit_for_digit_and_a_program_without_loss() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut kept, mut changed) = (0, 0);
    for _ in 0..400 {
        let (width, height) = (1 + random.below(5) as usize, 1 + random.below(8) as usize);
        // Some columns hold small integers alone, as most of the world's do.
        let rows: Vec<Vec<Cell>> = (0..height)
            .map(|row| {
                let cell = |column| match column % 3 {
                    0 => Cell::Number(row.to_string()),
                    _ => random.cell(2),
                };
                (0..width).map(cell).collect()
            })
            .collect();
        let lines = |row: &Vec<Cell>| {
            let cells: Vec<_> = row.iter().map(|cell| cell.json(false)).collect();
            format!("[{}]", cells.join(", "))
        };
        let rows_json: Vec<_> = rows.iter().map(lines).collect();
        let names: Vec<_> = (0..width).map(|column| format!("column {column}")).collect();
        let body = format!(
            r#"{{"columns":{},"rows":[{}],"truncated":false,"query_run_id":"q"}}"#,
            json!(names),
            rows_json.join(",\n")
        );
        let script = Script::default().json(200, database());
        let tools = build(&script, json!({}), false).unwrap();
        let script = script.text(200, "application/json", &body);
        let arguments = json!({"sql": "SELECT"}).into();
        let name = "hotdata_execute_sql";
        let result =
            run(tools.call(&client(&script), None::<&Fixed>, NO_LOADER, name, &arguments)).unwrap();

        let all = |json: &dyn Fn((usize, &Cell)) -> String| -> Vec<Vec<String>> {
            rows.iter().map(|row| row.iter().enumerate().map(json).collect()).collect()
        };
        assert_eq!(cells(&result.content), all(&|(_, cell)| cell.json(false)), "{body}");
        let is_kept: Vec<_> =
            (0..width).map(|column| rows.iter().all(|row| row[column].is_kept())).collect();
        assert_eq!(
            cells(&result.structured),
            all(&|(column, cell)| cell.json(!is_kept[column])),
            "{body}"
        );
        kept += is_kept.iter().filter(|is_kept| **is_kept).count();
        changed += is_kept.iter().filter(|is_kept| !**is_kept).count();
    }
    assert!(kept > 200 && changed > 200, "{kept} columns kept and {changed} changed prove little");
}
