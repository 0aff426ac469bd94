//! `_` as the parameter of a lambda.

use super::{check, check_syntax};

#[test]
fn an_argument_with_a_placeholder_is_a_lambda() {
    check("f(_.a)", "(call f (\\ (_1) (. _1 a)))");
    check("f(-_._2)", "(call f (\\ (_1) (Minus (. _1 _2))))");
    check("f(_.a, _.b)", "(call f (\\ (_1) (. _1 a)) (\\ (_2) (. _2 b)))");
}

#[test]
fn each_placeholder_is_a_parameter() {
    check("f(_.a == _.b)", "(call f (\\ (_1 _2) (Equal (. _1 a) (. _2 b))))");
    check("f(_ + _)", "(call f (\\ (_1 _2) (Plus _1 _2)))");
}

#[test]
fn lambdas_with_placeholders_nest() {
    check("f(_.a.g(_.b).c)", "(call f (\\ (_1) (. (call (. (. _1 a) g) (\\ (_2) (. _2 b))) c)))");
    check("f(x => _.b)", "(call f (\\ (x) (\\ (_1) (. _1 b))))");
    check("f(_.g(x => _.b))", "(call f (\\ (_1) (call (. _1 g) (\\ (x) (\\ (_2) (. _2 b))))))");
}

#[test]
fn a_placeholder_alone_belongs_to_the_expression_around_it() {
    check("a.g(f(_))", "(call (. a g) (\\ (_1) (call f _1)))");
    check("a.g(f(_, 1) == _)", "(call (. a g) (\\ (_1 _2) (Equal (call f _1 1) _2)))");
    check("a.h(a.g((_)))", "(call (. a h) (\\ (_1) (call (. a g) _1)))");
}

#[test]
fn parentheses_limit_a_placeholder() {
    check("f((_.a) + 1)", "(call f (Plus (\\ (_1) (. _1 a)) 1))");
    check("f((_.a, 1))", "(call f (tuple (\\ (_1) (. _1 a)) 1))");
}

#[test]
fn a_statement_of_a_block_limits_a_placeholder() {
    check("f { _.a }", "(call f (\\ (_1) (. _1 a)))");
    check("f { !_.a }", "(call f (\\ (_1) (Not (. _1 a))))");
    check("val f = _.a", "(val f (\\ (_1) (. _1 a)))");
    check("val f =\n    a\n+ _", "(val f (\\ (_1) (Plus a _1)))");
}

#[test]
fn a_placeholder_can_have_a_type() {
    check("f((_: Call).a)", "(call f (\\ (_1) (. _1 a)))");
}

#[test]
fn a_placeholder_outside_of_arguments_is_a_fault() {
    let message = "`_` stands for the argument of a lambda, and here is none: write `cpg` or a name";
    check_syntax("«_».name.l", message);
    check_syntax("a; «_» + 1", message);
    check_syntax("f(«_»)", message);
    check_syntax("val x = «_»", message);
    check_syntax("«_»", message);
    check_syntax("f(x => «_»)", message);
    check_syntax("f { «_» }", message);
}
