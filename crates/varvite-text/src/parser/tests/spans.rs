//! Places of expressions and words.

use super::super::parse;
use crate::places::places;

#[test]
fn each_place_is_that_of_its_words() {
    let query = "val x = cpg.call(\"a\")\nx.where(_.b).f[T] { (y) => -y + 1 }";
    let script = parse(query).unwrap();
    let found: Vec<&str> = places(&script).iter().map(|span| &query[span.start..span.end]).collect();
    let definition = ["x", "cpg.call(\"a\")", "cpg.call", "cpg", "call", "\"a\""];
    let steps =
        ["x.where(_.b).f[T] { (y) => -y + 1 }", "x.where(_.b).f", "x.where(_.b)", "x.where", "x", "where"];
    let placeholder = ["_.b", "_", "_.b", "_", "b", "f", "T"];
    let lambda = ["{ (y) => -y + 1 }", "y", "-y + 1", "-y", "y", "1"];
    assert_eq!(found, [&definition[..], &steps, &placeholder, &lambda].concat());
}

#[test]
fn brackets_belong_to_their_expression() {
    let query = "((a)).b((c, d))";
    let script = parse(query).unwrap();
    let found: Vec<&str> = places(&script).iter().map(|span| &query[span.start..span.end]).collect();
    assert_eq!(found, [query, "((a)).b", "((a))", "b", "(c, d)", "c", "d"]);
}
