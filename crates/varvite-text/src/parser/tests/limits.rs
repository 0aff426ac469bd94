//! Queries that would cost too much.

use super::super::parse;
use crate::error::Reason;

/// Checks that a query exceeds a limit, and that reading and dropping it needs little stack.
#[track_caller]
fn check_too_large(query: &str, message: &str) {
    let fault = parse(query).expect_err("a limit");
    assert_eq!((fault.reason, fault.message.as_str()), (Reason::TooLarge, message));
}

const DEEP: &str = "expressions are nested more than 256 deep here";
const HIGH: &str = "more than 1000 steps or operators depend on each other: split the query";

#[test]
fn a_query_has_a_mebibyte_at_most() {
    assert!(parse(&" ".repeat(1 << 20)).is_ok());
    let message = "the query has 1048577 bytes; the limit is 1048576";
    check_too_large(&" ".repeat((1 << 20) + 1), message);
}

#[test]
fn brackets_have_a_greatest_depth() {
    for (open, close) in [("(", ")"), ("f(", ")"), ("f{", "}"), ("{x=>", "}"), ("{case x=>", "}")] {
        check_too_large(&format!("{}1{}", open.repeat(100_000), close.repeat(100_000)), DEEP);
        let fits = format!("{}1{}", open.repeat(60), close.repeat(60));
        assert!(parse(&fits).is_ok(), "{fits}");
    }
}

#[test]
fn types_and_patterns_have_a_greatest_depth() {
    check_too_large(&format!("f[{}B{}]", "A[".repeat(50_000), "]".repeat(50_000)), DEEP);
    check_too_large(&format!("f{{case {}a,b{}=>1}}", "(".repeat(50_000), ")".repeat(50_000)), DEEP);
}

#[test]
fn words_that_nest_without_brackets_have_a_greatest_depth() {
    for part in ["x => ", "- ", "! ", "if a then ", "if (a) b else "] {
        check_too_large(&part.repeat(50_000), DEEP);
    }
}

#[test]
fn chains_have_a_greatest_length() {
    for part in [".a", "()", ".a()", "(b)", "[T]", "{c}", " + 1", " || b", " m b", " ++ b.c"] {
        check_too_large(&format!("a{}", part.repeat(100_000)), HIGH);
        assert!(parse(&format!("a{}", part.repeat(300))).is_ok(), "{part}");
    }
}

#[test]
fn the_limit_counts_chains_in_brackets_together() {
    let query = (0..5).fold("a".to_owned(), |inner, _| format!("({inner}{}).x", ".b".repeat(250)));
    check_too_large(&query, HIGH);
    let query = (0..5).fold("a".to_owned(), |inner, _| format!("f({inner}){}", ".b".repeat(250)));
    check_too_large(&query, HIGH);
}

#[test]
fn wide_queries_have_no_limit() {
    assert!(parse(&format!("List({}1)", "\"a\", ".repeat(100_000))).is_ok());
    assert!(parse(&"a.b(c)\n".repeat(100_000)).is_ok());
    assert!(parse(&"/* */".repeat(100_000)).is_ok());
}

#[test]
fn the_highest_queries_fit_into_a_small_stack() {
    let nested = format!("{}1{}", "f(".repeat(250), ")".repeat(250));
    let high = format!("a{}", ".b".repeat(990));
    let read = move || [nested, high].map(|query| parse(&query).is_ok());
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(read).expect("a thread");
    assert_eq!(thread.join().expect("no overflow"), [true, true]);
}
