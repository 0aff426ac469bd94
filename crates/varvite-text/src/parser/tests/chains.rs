//! Values and the steps after them.

use super::{check, check_syntax, check_unfinished};

#[test]
fn steps_follow_a_name() {
    check("cpg.call.l", "(. (. cpg call) l)");
}

#[test]
fn arguments_make_a_call() {
    check("cpg.call(\"a\", 2).l", "(. (call (. cpg call) \"a\" 2) l)");
    check("cpg.l()", "(call (. cpg l))");
    check("f(1)", "(call f 1)");
}

#[test]
fn a_second_list_of_arguments_is_a_call_of_a_call() {
    check("a.repeat(b)(c)", "(call (call (. a repeat) b) c)");
}

#[test]
fn a_comma_can_follow_the_last_argument() {
    check("f(1, 2,\n)", "(call f 1 2)");
    check("(1, 2,)", "(tuple 1 2)");
}

#[test]
fn braces_are_an_argument() {
    check("a.f { b }", "(call (. a f) b)");
    check("a.f(1) { b }", "(call (call (. a f) 1) b)");
    check("a.f\n{ b }", "(call (. a f) b)");
}

#[test]
fn braces_after_an_empty_line_are_no_argument() {
    check("a\n\n{ b }", "a\nb");
}

#[test]
fn types_precede_the_arguments() {
    check("a.collectAll[Call].l", "(. (call[Call] (. a collectAll)) l)");
    check("a.f[Call, nodes.Method](1)", "(call[Call, nodes.Method] (. a f) 1)");
    check("a.f[Map[String, Int => _]] { 1 }", "(call[Map[String, Int => _]] (. a f) 1)");
    check("a.asInstanceOf[Call].b", "(. (call[Call] (. a asInstanceOf)) b)");
}

#[test]
fn parentheses_group_and_make_tuples() {
    check("(a).b", "(. a b)");
    check("((a, 1), b)._1", "(. (tuple (tuple a 1) b) _1)");
}

#[test]
fn names_can_be_in_backquotes() {
    check("a.`type`.b", "(. (. a type) b)");
}

#[test]
fn a_type_after_an_expression_is_dropped() {
    check("(a.b: Iterator[Call]).c", "(. (. a b) c)");
}

#[test]
fn a_step_needs_a_name() {
    check_unfinished("cpg.«»", "the name of a step is expected, but the query ends");
    check_syntax("cpg.«.»l", "the name of a step is expected, but here is `.`");
    check_syntax("a.call.«\"x\"»", "the name of a step is expected, but here is `\"x\"`");
    check_syntax("a.«val»", "`val` is a reserved word: write it in backquotes to name a step");
}

#[test]
fn reserved_words_name_the_step_that_is_meant() {
    check_syntax("a.«return»", "`return` is a reserved word: write `ret`");
    check_syntax("a.«type»", "`type` is a reserved word: write `typ`");
    check_syntax("a.«import»", "`import` is a reserved word: write `imports`");
}

#[test]
fn arguments_have_commas_between() {
    check_syntax("f(1 «2»)", "`,` or `)` is expected, but here is `2`");
    check_syntax("f(«,» 2)", "a value is expected, but here is `,`");
    check_syntax("f[A «B»]", "`,` or `]` is expected, but here is `B`");
}

#[test]
fn a_part_of_a_tuple_is_no_value() {
    check_syntax("a.map(«_1»)", "`_1` is a part of a tuple: write a tuple and `.` before it, as in `x._1`");
}

#[test]
fn brackets_are_closed_by_their_like() {
    check_unfinished("f«(»a.b", "`(` is never closed: write `)`");
    check_syntax("cpg.call«)»", "`)` closes nothing: no `(` is open here");
    check_syntax("f(a[b«)»", "`)` cannot close the `[` at byte 4: write `]` before it");
    check_syntax("f(a{b«]»", "`]` cannot close the `{` at byte 4: write `}` before it");
}

#[test]
fn parentheses_have_a_value() {
    check_syntax("a ++ «()»", "`()` has no value: write a value between");
    check_syntax("f {«}»", "a value is expected, but here is `}`");
}
