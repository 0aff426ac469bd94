//! Operators, and methods between two operands.

use super::{check, check_fault, check_syntax, check_unfinished};
use crate::error::Reason;

#[test]
fn operators_of_one_level_group_to_the_left() {
    check("a - b + c", "(Plus (Minus a b) c)");
    check("a ++ b -- c", "(Difference (Append a b) c)");
    check("a || b | c", "(Union (Or a b) c)");
}

#[test]
fn the_first_character_gives_the_precedence() {
    check("a || b && c == d < e + f * g", "(Or a (And b (Equal c (Less d (Plus e (Times f g))))))");
    check("a * b + c < d == e && f || g", "(Or (And (Equal (Less (Plus (Times a b) c) d) e) f) g)");
    check("a == b & c", "(Intersection (Equal a b) c)");
    check("a - b &~ c", "(Difference (Minus a b) c)");
    check("a / b % c", "(Remainder (Divide a b) c)");
    check("a >= b != c <= d > e", "(NotEqual (GreaterOrEqual a b) (Greater (LessOrEqual c d) e))");
}

#[test]
fn an_arrow_binds_as_a_sum() {
    check("a -> b + 1", "(Plus (Arrow a b) 1)");
    check("a == b -> 1", "(Equal a (Arrow b 1))");
}

#[test]
fn signs_before_a_value_bind_most() {
    check("!a && -b < +c", "(And (Not a) (Less (Minus b) c))");
    check("-a.b", "(Minus (. a b))");
    check("! !a", "(Not (Not a))");
    check("- -a", "(Minus (Minus a))");
}

#[test]
fn a_minus_before_a_number_is_a_part_of_it() {
    check("-1", "-1");
    check("-1.5.a", "(. -1.5 a)");
    check("-5.max(3)", "(call (. -5 max) 3)");
    check("a -1", "(Minus a 1)");
}

#[test]
fn a_method_between_two_operands_is_a_call_that_binds_least() {
    check("a union b", "(call (. a union) b)");
    check("a contains b || c", "(call (. a contains) (Or b c))");
    check("1 + 2 min 3 max 4", "(call (. (call (. (Plus 1 2) min) 3) max) 4)");
    check("a f (b, c)", "(call (. a f) b c)");
    check("a map { x => x }", "(call (. a map) (\\ (x) x))");
    check("a contains -1", "(call (. a contains) -1)");
}

#[test]
fn a_method_after_the_last_operand_is_a_step() {
    check("cpg.call l", "(. (. cpg call) l)");
    check("cpg.call l\nb", "(. (. cpg call) l)\nb");
    check("f(a + b size)", "(call f (. (Plus a b) size))");
}

#[test]
fn an_operator_has_two_operands() {
    check_unfinished("a +«»", "a value is expected, but the query ends");
    check_syntax("f(a &&«)»", "a value is expected, but here is `)`");
    check_syntax("«&&» a", "a value is expected, but here is `&&`");
    check_syntax("«!!»a", "a value is expected, but here is `!!`");
}

#[test]
fn unknown_operators_say_what_to_write() {
    let number = ": numbers have `+ - * / %`";
    check_fault("a «^» b", Reason::NotInPlans, &format!("queries have no operator `^`{number}"));
    check_fault("a «::» b", Reason::NotInPlans, "queries have no operator `::`: write `List(..) ++ ..`");
    check_syntax("a «===» b", "queries have no operator `===`: write `==` or `!=`");
    check_syntax("a «&&!»b", "queries have no operator `&&!`: write a space between two operators");
    check_syntax("a «?» b", "queries have no operator `?`");
}
