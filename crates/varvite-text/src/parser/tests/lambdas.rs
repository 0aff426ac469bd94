//! Lambdas with named parameters.

use super::{check, check_syntax};

#[test]
fn a_lambda_has_names_before_its_arrow() {
    check("f(x => x.a)", "(call f (\\ (x) (. x a)))");
    check("f((x) => x)", "(call f (\\ (x) x))");
    check("f((x, y) => x)", "(call f (\\ (x y) x))");
    check("f((_, y) => y)", "(call f (\\ (_ y) y))");
    check("f(_ => 1)", "(call f (\\ (_) 1))");
    check("f(x => y => x)", "(call f (\\ (x) (\\ (y) x)))");
}

#[test]
fn the_types_of_parameters_are_dropped() {
    check("f((x: Call) => x)", "(call f (\\ (x) x))");
    check("f((x: nodes.Call, y: Map[A, B] => C) => x)", "(call f (\\ (x y) x))");
    check("f { (x: Call) => x }", "(call f (\\ (x) x))");
    check("f { x: Call => x }", "(call f (\\ (x) x))");
}

#[test]
fn a_lambda_in_braces_has_statements() {
    check("f { x => val y = x; y }", "(call f (\\ (x) {(val y x); y}))");
    check("f { x => y => x }", "(call f (\\ (x) (\\ (y) x)))");
    check("f(x => { x })", "(call f (\\ (x) x))");
    check("{ x =>\n x }", "(\\ (x) x)");
}

#[test]
fn a_lambda_that_is_a_statement_has_the_rest_of_its_block() {
    check("f { val a = 1; x => val y = x; y }", "(call f {(val a 1); (\\ (x) {(val y x); y})})");
    check("x => 1\n2", "(\\ (x) 1)\n2");
}

#[test]
fn a_case_names_the_parts_of_a_tuple() {
    check("f { case (a, b) => a }", "(call f (\\ ((a b)) a))");
    check("f { case (a, _) =>\n val x = a\n x }", "(call f (\\ ((a _)) {(val x a); x}))");
    check("f { case ((a, b), c) => a }", "(call f (\\ (((a b) c)) a))");
    check("f { case x => x }", "(call f (\\ (x) x))");
    check("f { case _ => 1 }", "(call f (\\ (_) 1))");
    check("f { case (a,\n b) => a }", "(call f (\\ ((a b)) a))");
}

#[test]
fn a_lambda_binds_less_than_all_operators() {
    check("f(x => x.a && x.b)", "(call f (\\ (x) (And (. x a) (. x b))))");
}

#[test]
fn parameters_are_names() {
    check_syntax("f(1 «=>» 2)", "`,` or `)` is expected, but here is `=>`");
    check_syntax("f((«1», x) => 2)", "a name or `_` is expected, but here is `1`");
}

#[test]
fn a_lambda_has_a_parameter() {
    check_syntax(
        "f(«()» => 1)",
        "a lambda has at least one parameter: write a name or `_` between the parentheses",
    );
}

#[test]
fn a_tuple_as_a_parameter_needs_a_case() {
    check_syntax(
        "f((«(»a, b), c) => a)",
        "a tuple as a parameter needs `case` and braces: write `{ case (a, b) => .. }`",
    );
}

#[test]
fn a_lambda_has_a_body() {
    check_syntax("f(x =>«)»", "a value is expected, but here is `)`");
    check_syntax("f { x =>«}»", "a value is expected, but here is `}`");
}

#[test]
fn statements_of_a_lambda_need_braces() {
    let message = |word: &str| {
        format!("`{word}` is within an expression: write braces around it and its value, `{{ {word} .. }}`")
    };
    check_syntax("f(x => «val» y = x; y)", &message("val"));
    check_syntax("f(«case» (a, b) => a)", &message("case"));
}
