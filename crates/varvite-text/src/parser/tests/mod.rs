//! Tests of the grammar: a module for each part of it.

mod chains;
mod lambdas;
mod limits;
mod lines;
mod numbers;
mod operators;
mod placeholders;
mod refusals;
mod spans;
mod statements;
mod texts;
mod words;

use super::parse;
use crate::error::{Reason, TextError};
use crate::printed;

/// Checks that a query is read as `expected` shows it.
#[track_caller]
fn check(query: &str, expected: &str) {
    match parse(query) {
        Ok(script) => assert_eq!(printed::script(&script), expected, "{query}"),
        Err(fault) => panic!("{}", fault.pointed(query)),
    }
}

/// Checks the fault of a query, which is between `«` and `»`.
#[track_caller]
fn check_fault(marked: &str, reason: Reason, message: &str) {
    let fault = fault_at_marks(marked);
    assert_eq!((fault.reason, fault.message.as_str()), (reason, message), "{marked}");
}

/// As [`check_fault`], with the reason for a word in the wrong place.
#[track_caller]
fn check_syntax(marked: &str, message: &str) {
    check_fault(marked, Reason::Syntax, message);
}

/// As [`check_fault`], with the reason for a query that ends too early.
#[track_caller]
fn check_unfinished(marked: &str, message: &str) {
    check_fault(marked, Reason::Unfinished, message);
}

#[track_caller]
fn fault_at_marks(marked: &str) -> TextError {
    let (before, rest) = marked.split_once('«').expect("a mark before the fault");
    let (fault, after) = rest.split_once('»').expect("a mark after the fault");
    let query = [before, fault, after].concat();
    let error = parse(&query).expect_err(&query);
    let marks = (before.len(), before.len() + fault.len());
    assert_eq!((error.span.start, error.span.end), marks, "{}", error.pointed(&query));
    error
}
