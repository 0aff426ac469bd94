//! The ends of lines.

use super::{check, check_fault, check_syntax};
use crate::error::Reason;

#[test]
fn a_line_that_begins_with_a_dot_goes_on() {
    check("a\n  .b\n\n  // comment\n  .c", "(. (. a b) c)");
}

#[test]
fn a_line_that_ends_with_a_dot_or_operator_goes_on() {
    check("a.\n  b", "(. a b)");
    check("a +\n  b", "(Plus a b)");
    check("a &&\n\n  b", "(And a b)");
    check("!\na", "(Not a)");
}

#[test]
fn a_line_that_begins_with_an_operator_and_a_space_goes_on() {
    check("a\n  ++ b", "(Append a b)");
    check("a\n|| b", "(Or a b)");
    check("a\n- b", "(Minus a b)");
    check("a\n  -\n  b", "(Minus a b)");
}

#[test]
fn a_line_that_begins_with_a_sign_and_a_value_is_a_statement() {
    check("a\n-b", "a\n(Minus b)");
    check("a\n!b", "a\n(Not b)");
}

#[test]
fn an_operator_after_an_empty_line_begins_a_statement() {
    check("a\n\n- b", "a\n(Minus b)");
}

#[test]
fn no_line_ends_in_parentheses_and_square_brackets() {
    check("f(\n  a\n  + b\n  ,\n  c\n)", "(call f (Plus a b) c)");
    check("f(a\n(b))", "(call f (call a b))");
    check("f[\n  A\n]", "(call[A] f)");
}

#[test]
fn lines_end_in_braces_within_parentheses() {
    check("f({\n  val x = 1\n  x\n})", "(call f {(val x 1); x})");
    check("f { g(\n1\n)\nh }", "(call f {(call g 1); h})");
}

#[test]
fn a_bracket_in_an_indented_line_is_an_argument() {
    check("a.f\n  (b)", "(call (. a f) b)");
    check("a.f\n  [B]\n  (c)", "(call[B] (. a f) c)");
    check("def f =\n  a\n    (b)\n  (c)", "(def (f) {(call a b); c})");
    check("a\n\n  (b)", "a\nb");
}

#[test]
fn a_bracket_in_the_next_line_is_no_argument() {
    check("a\n(b)", "a\nb");
    check("f { x =>\n  val y = a\n    .b\n  (y)\n}", "(call f (\\ (x) {(val y (. a b)); y}))");
    check("f { case (x, _) =>\n  val y = a\n  (y) }", "(call f (\\ ((x _)) {(val y a); y}))");
    check("{ val y = g(\n1)\n  (y) }", "{(val y (call g 1)); y}");
    check_syntax("a\n«[»B]", "a value is expected, but here is `[`");
}

#[test]
fn a_lambda_can_begin_in_the_next_line() {
    check("a.map(x =>\n  x.b\n)", "(call (. a map) (\\ (x) (. x b)))");
    check("f(\n  x =>\n  a\n  (x))", "(call f (\\ (x) (call a x)))");
    check("a.map { x =>\n  val y = x\n  y\n}", "(call (. a map) (\\ (x) {(val y x); y}))");
}

#[test]
fn indented_lines_are_a_block() {
    check("def f =\n  val x = 1\n  x\nf", "(def (f) {(val x 1); x})\nf");
    check("def f =\n  def g =\n    1\n  g\nf", "(def (f) {(def (g) 1); g})\nf");
    check("a.map(x =>\n  val y = x\n  y\n).l", "(. (call (. a map) (\\ (x) {(val y x); y})) l)");
    check("f(x =>\n    g(x)\n    h(x), 1)", "(call f (\\ (x) {(call g x); (call h x)}) 1)");
    check("if a then\n  val x = 1\n  x\nelse\n  b", "(if a {(val x 1); x} b)");
}

#[test]
fn a_block_ends_at_a_line_with_less_indentation() {
    check("  def f =\n    a\n  f", "(def (f) a)\nf");
    check("{\n  val x =\n    a\n      .b\n  x\n}", "{(val x (. a b)); x}");
}

#[test]
fn a_dot_with_less_indentation_selects_from_the_block() {
    check("val x =\n    a + b\n  .c\nx", "(val x (. (Plus a b) c))\nx");
    check("val x =\n    a || b\n  && c", "(val x (Or a (And b c)))");
    check("val x =\n    a || b\n&& c", "(val x (And (Or a b) c))");
}

#[test]
fn a_value_with_less_indentation_is_a_fault() {
    let message = "a value is expected, but this line ends the block: write more white space before it";
    check_syntax("val x =\n  a +\n«b»", message);
    check_syntax("val x =\n  y =>\n«y»", message);
}

#[test]
fn lines_that_are_not_indented_are_no_block() {
    check("def f =\na\nf", "(def (f) a)\nf");
}

#[test]
fn comments_are_white_space() {
    check("a /* b\n /* c */ */ .d // e", "(. a d)");
    check("a/**/.b", "(. a b)");
    check("a+//\nb", "(Plus a b)");
    check_fault("a «/*» b /* c */", Reason::Unfinished, "the comment that `/*` begins has no `*/`");
}

#[test]
fn lines_can_end_with_a_carriage_return() {
    check("val x = a\r\n  .b\r\nx\r\n", "(val x (. a b))\nx");
}
