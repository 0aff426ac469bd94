//! Statements and definitions.

use super::{check, check_syntax, check_unfinished};

#[test]
fn a_query_can_be_empty() {
    check("", "");
    check(" ;\n; // no statement", "");
}

#[test]
fn statements_end_at_lines_and_semicolons() {
    check("a\nb; c;\n\nd", "a\nb\nc\nd");
    check_syntax("a.b «\"c\"»", "a line end or `;` is expected, but here is `\"c\"`");
}

#[test]
fn a_val_names_a_value() {
    check("val x = a.b", "(val x (. a b))");
    check("lazy val x: Iterator[Call] = a", "(val x a)");
    check("val x =\n  a\nx", "(val x a)\nx");
}

#[test]
fn a_val_of_a_tuple_names_its_parts() {
    check("val (a, b) = t", "(val _1 t)\n(val a (. _1 _1))\n(val b (. _1 _2))");
}

#[test]
fn a_def_has_parameters() {
    check("def f = a", "(def (f) a)");
    check("def f() = a", "(def (f) a)");
    check("def f(x: Call, y: Map[A, B => C]): Int = x", "(def (f x y) x)");
    check("def f(x: Call): Int = { val y = x; y }", "(def (f x) {(val y x); y})");
}

#[test]
fn a_block_has_the_value_of_its_last_statement() {
    check("{ val x = 1; x }", "{(val x 1); x}");
    check("{ x }", "x");
    check_syntax("{ val «x» = 1 }", "the block ends with a definition: write its value after it");
}

#[test]
fn a_conditional_has_two_values() {
    check("if (a) b else c", "(if a b c)");
    check("if a == 1 then b else c", "(if (Equal a 1) b c)");
    check("if (a) -1 else 1", "(if a -1 1)");
    check("if (a) && b then 1 else 2", "(if (And a b) 1 2)");
    check("if (a)\n  b\nelse\n  c", "(if a b c)");
    check("if (a) b; else c", "(if a b c)");
    check("if a then b\nelse if c then d\nelse e", "(if a b (if c d e))");
    check("if (a) if b then c else d else e", "(if a (if b c d) e)");
    check("if (a) { b } else { c }", "(if a b c)");
}

#[test]
fn a_conditional_needs_all_its_parts() {
    check_unfinished("«if» (a) b", "`if` has no `else`: write the value for the other case");
    check_syntax("if «a» b else c", "a condition in parentheses is expected, but here is `a`");
    check_syntax("a + «if» (b) c else d", "queries have no `if`: write parentheses around `if`");
}

#[test]
fn definitions_need_their_parts() {
    check_syntax("val «=» a", "a name is expected, but here is `=`");
    check_syntax("val x «a»", "`=` is expected, but here is `a`");
    check_unfinished("val x =«»", "a value is expected, but the query ends");
    check_syntax("def f(x«)» = a", "`:` and the type of the parameter is expected, but here is `)`");
}

#[test]
fn words_of_other_statements_are_in_the_wrong_place() {
    check_syntax("a; «else» b", "a statement is expected, but here is `else`");
    check_syntax("«then»", "a statement is expected, but here is `then`");
    check_syntax("«with» a", "`with` is in the wrong place");
}
