//! Tests of the grammar: a module for each part of it.

mod statements;

use super::parse;
use crate::printed;

/// Checks that a query is read as `expected` shows it.
#[track_caller]
fn check(query: &str, expected: &str) {
    match parse(query) {
        Ok(script) => assert_eq!(printed::script(&script), expected, "{query}"),
        Err(fault) => panic!("{query}: {fault:?}"),
    }
}
