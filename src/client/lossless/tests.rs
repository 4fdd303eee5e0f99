use super::walk::is_rows;
use super::*;

/// The text rewritten, its bigints, and the columns of those.
type Rewritten = (String, String, Vec<usize>);

/// Scans and rewrites a text in pieces of a size.
fn rewritten(text: &str, bigints: bool, size: usize) -> Rewritten {
    let pieces = || text.as_bytes().chunks(size);
    let mut scan = Scan::new(bigints);
    pieces().for_each(|piece| scan.feed(piece));
    let columns = scan.columns();
    let bigint_columns = columns.bigints().collect();
    let (mut out, mut listed) = (Vec::new(), Vec::new());
    let mut rewrite = Rewrite::new(columns);
    pieces().for_each(|piece| rewrite.feed(piece, &mut out, &mut listed));
    (String::from_utf8(out).unwrap(), String::from_utf8(listed).unwrap(), bigint_columns)
}

#[track_caller]
fn check(text: &str, as_text: &str, with_bigints: (&str, &str, &[usize])) {
    for size in 1..text.len() + 1 {
        let expected = (as_text.to_owned(), String::new(), vec![]);
        assert_eq!(rewritten(text, false, size), expected, "pieces of {size}");
        let (out, listed, columns) = with_bigints;
        let expected = (out.to_owned(), listed.to_owned(), columns.to_vec());
        assert_eq!(rewritten(text, true, size), expected, "bigints, pieces of {size}");
    }
}

#[test]
fn only_the_columns_that_need_it_change_whatever_the_pieces() {
    check(
        r#"{"columns":["a","rows"],"note":"\"rows\": [[9007199254740993]]","rows":[[1,"9007199254740993",[2,9007199254740993],null],[3,"\\\"",[],-0.5]],"row_count":9007199254740993}"#,
        r#"{"columns":["a","rows"],"note":"\"rows\": [[9007199254740993]]","rows":[[1,"9007199254740993",["2","9007199254740993"],null],[3,"\\\"",[],-0.5]],"row_count":9007199254740993}"#,
        (
            r#"{"columns":["a","rows"],"note":"\"rows\": [[9007199254740993]]","rows":[[1,"9007199254740993",[0,1],null],[3,"\\\"",[],-0.5]],"row_count":9007199254740993}"#,
            "2,9007199254740993,",
            &[2],
        ),
    );
}

#[test]
fn numbers_within_lists_and_structs_are_of_their_column() {
    check(
        r#"{"rows":[[{"1":[[18446744073709551615],{"b":-2}],"c":"3"},[0.1,{"x":[1e400]}]]]}"#,
        r#"{"rows":[[{"1":[["18446744073709551615"],{"b":"-2"}],"c":"3"},["0.1",{"x":["1e400"]}]]]}"#,
        (
            r#"{"rows":[[{"1":[[0],{"b":1}],"c":"3"},["0.1",{"x":["1e400"]}]]]}"#,
            "18446744073709551615,-2,",
            &[0],
        ),
    );
}

#[test]
fn a_column_that_holds_more_than_integers_is_text_even_with_bigints() {
    check(
        r#"{"rows":[[9007199254740993,9007199254740993],[1.5,null],[-0,7]]}"#,
        r#"{"rows":[["9007199254740993","9007199254740993"],["1.5",null],["-0","7"]]}"#,
        (r#"{"rows":[["9007199254740993",0],["1.5",null],["-0",1]]}"#, "9007199254740993,7,", &[1]),
    );
}

#[test]
fn white_space_and_exponents_are_kept() {
    check(
        " {\n\t\"rows\" : [ [ 1E400 , -1.50e+2 ,\t1e-400 ] ,\r\n[ 1 , 2e0 , -0.0 ] ] } ",
        " {\n\t\"rows\" : [ [ \"1E400\" , -1.50e+2 ,\t\"1e-400\" ] ,\r\n[ \"1\" , 2e0 , \"-0.0\" ] ] } ",
        (
            " {\n\t\"rows\" : [ [ \"1E400\" , -1.50e+2 ,\t\"1e-400\" ] ,\r\n[ \"1\" , 2e0 , \"-0.0\" ] ] } ",
            "",
            &[],
        ),
    );
}

#[test]
fn rows_are_found_however_their_key_is_written() {
    check(
        r#"{"ro\u0077s":[[9007199254740993]]}"#,
        r#"{"ro\u0077s":[["9007199254740993"]]}"#,
        (r#"{"ro\u0077s":[[0]]}"#, "9007199254740993,", &[0]),
    );
    for key in [
        "rows",
        r"\u0072\u006f\u0077\u0073",
        r"ro\u0077s",
        r"\u0072ows",
        r"row\u0073",
        r"r\u006Fws",
    ] {
        assert!(is_rows(key.as_bytes()), "{key}");
    }
    for key in [
        "",
        "row",
        "rowss",
        "Rows",
        r"ro\\u0077s",
        r"rows\u0073",
        r"\rows",
        r"ro\u0077",
        r"ro\u00",
        "rows\"",
    ] {
        assert!(!is_rows(key.as_bytes()), "{key}");
    }
}

#[test]
fn keys_that_only_resemble_rows_are_not_it() {
    let text = r#"{"rows":[[1]],"\u0072\u006f\u0077\u0073x":[[9007199254740993]],"rows ":[[9007199254740993]],"a":"rows","b":[[9007199254740993]],"c":{"rows":[[9007199254740993]]}}"#;
    check(text, text, (text, "", &[]));
}

#[test]
fn of_rows_that_are_there_twice_the_last_ones_count() {
    check(
        r#"{"rows":[[9007199254740993,1]],"rows":[[1,9007199254740993]]}"#,
        r#"{"rows":[[9007199254740993,"1"]],"rows":[[1,"9007199254740993"]]}"#,
        (r#"{"rows":[[9007199254740993,0]],"rows":[[1,1]]}"#, "1,9007199254740993,", &[1]),
    );
}

#[test]
fn what_is_no_json_stays_so() {
    for broken in [
        "01", "-", "1.", "1.e5", "1e", "1e+", "1-2", "--1", "1.2.3", "-01", "+1", ".5", "1E5e5",
        "00",
    ] {
        let text =
            format!(r#"{{"rows":[[9007199254740993,9007199254740993.5],[{broken},{broken}]]}}"#);
        for bigints in [false, true] {
            let (out, _, _) = rewritten(&text, bigints, 7);
            assert!(serde_json::from_str::<serde_json::Value>(&out).is_err(), "{out}");
        }
    }
    for text in ["", "]]}}", "\"rows", "<html>1</html>", "\u{feff}{", "{\"rows\":[[\"\\"] {
        assert_eq!(rewritten(text, true, 1), (text.to_owned(), String::new(), vec![]));
    }
}

#[test]
fn rows_are_counted_whatever_the_pieces() {
    for (text, rows) in [
        (r#"{"columns":[["a"]],"rows":[[1,[2,[3]]],["[x],["],[{"a":[]}]],"more":[[1],[2]]}"#, 3),
        (r#"{"rows":[[1],[2]],"rows":[[3]]}"#, 1),
        (r#"{"rows":[]}"#, 0),
        ("[[[1]]]", 0),
    ] {
        for size in 1..text.len() {
            let mut scan = Scan::new(false);
            text.as_bytes().chunks(size).for_each(|piece| scan.feed(piece));
            assert_eq!(scan.rows(), rows, "{text} in pieces of {size}");
        }
    }
}
