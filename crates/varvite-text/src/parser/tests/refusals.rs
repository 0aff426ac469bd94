//! Parts of Scala that queries do not have.

use super::check_fault;
use crate::error::Reason;

#[test]
fn matches_are_refused() {
    let advice = "write `collectAll[Call]`, `isCall` or a condition";
    check_fault("a «match» { case 1 => 2 }", Reason::Match, &format!("queries have no `match`: {advice}"));
    check_fault("a.«match» { case 1 => 2 }", Reason::Match, &format!("queries have no `match`: {advice}"));
}

#[test]
fn patterns_other_than_names_and_tuples_are_refused() {
    let message =
        "after `case`, queries have names, `_` and tuples of these: write `collectAll[Call]` or a condition";
    for query in [
        "f { case x«:» Call => x }",
        "f { case «Some»(x) => x }",
        "f { case «1» => 2 }",
        "f { case (a, «None») => a }",
        "f { case (a, b«:» B) => a }",
        "f { case (a, b) «if» a => b }",
        "f { case x «@» y => b }",
        "f { case «()» => b }",
    ] {
        check_fault(query, Reason::Match, message);
    }
}

#[test]
fn several_cases_are_refused() {
    let message =
        "queries have one `case` in braces: write `collectAll[Call]`, `isCall` or `if .. then .. else`";
    check_fault("f {\n case a => 1\n «case» b => 2 }", Reason::Match, message);
}

#[test]
fn declarations_are_refused() {
    let check = |query, message| check_fault(query, Reason::Declaration, message);
    check("«import» io.joern._", "queries have no `import`: leave this line out, all steps are known");
    check("«class» A(x: Int)", "queries have no `class`: write `val` or `def`");
    check("a; «object» A { }", "queries have no `object`: write `val` or `def`");
    check("«type» A = B", "queries have no `type`: write `val` or `def`");
    check("«private» val x = 1", "queries have no `private`: leave the word out");
    check("«inline» def x = 1", "queries have no `inline`: leave the word out");
    check("«extension» (x: A) def y = 1", "queries have no `extension`: write `val` or `def`");
    check("«implicit» val x: A = 1", "queries have no `implicit`: write the value as an argument");
    check("«given» A = 1", "queries have no `given`: write the value as an argument");
    check("f(«using» a)", "queries have no `using`: write the value as an argument");
    check("def f(«using» a: A) = a", "queries have no `using`: write the value as an argument");
    check("def f«[»A](x: A) = x", "a `def` has no types as parameters: write the type of each value");
    check("«@»main def f = 1", "queries have no annotations: leave `@` and its word out");
}

#[test]
fn loops_are_refused() {
    let collections = "write `flatMap`, `filter` or `map`";
    check_fault("«for» (x <- a) yield x", Reason::Loop, &format!("queries have no `for`: {collections}"));
    check_fault("«while» (a) { b }", Reason::Loop, "queries have no `while`: write `repeat(..)(..)`");
    check_fault("f(«for» x <- a do b)", Reason::Loop, &format!("queries have no `for`: {collections}"));
}

#[test]
fn assignments_are_refused() {
    let message = "no name can get another value: write `val` and a new name, or `==` to compare";
    check_fault("«var» x = 1", Reason::Variable, "queries have no `var`: write `val`");
    check_fault("x «=» 1", Reason::Variable, message);
    check_fault("x «+=» 1", Reason::Variable, message);
    check_fault("a.filter { x => x.y «=» 1 }", Reason::Variable, message);
    check_fault("a.filter(x => x.y «=» 1)", Reason::Variable, message);
    check_fault("a.filter(_.y «=» 1)", Reason::Variable, message);
}

#[test]
fn named_arguments_are_refused() {
    let message = "arguments have no names: write the value without `x =`, or `x ==` to compare";
    check_fault("f(«x =» 1)", Reason::Variable, message);
    check_fault("f(1, «x =» 1)", Reason::Variable, message);
}

#[test]
fn exceptions_are_refused() {
    let check = |query, message| check_fault(query, Reason::Exception, message);
    check("«throw» a", "queries have no `throw`: write a condition, or `headOption`");
    check("f(«try» a)", "queries have no `try`: write a condition, or `headOption`");
    check("def f = { «return» 1 }", "queries have no `return`: the last expression of a block is its value");
}

#[test]
fn objects_of_the_jvm_are_refused() {
    let message =
        "queries have no `new`: write a value of the graph, a text, a number, `List(..)` or `Set(..)`";
    check_fault("«new» File(\"x\")", Reason::JvmCall, message);
    check_fault("f(«new» A)", Reason::JvmCall, message);
    check_fault("f(«this»)", Reason::UnknownName, "queries have no `this`: write `cpg` or a name");
    check_fault("a == «null»", Reason::NotInPlans, "queries have no `null`: an absent value is `None`");
}

#[test]
fn lists_as_several_arguments_are_refused() {
    let message = "a list cannot be passed as several arguments: write each argument, or one pattern `a|b|c`";
    check_fault("f(a«*»)", Reason::NotInPlans, message);
    check_fault("f(a: «_»*)", Reason::NotInPlans, message);
}

#[test]
fn files_are_not_written() {
    let message = "queries have no operator `#>`: it writes a file; redirect the output of the command";
    check_fault("a.l «#>» \"x\"", Reason::Effect, message);
    let message = message.replace("#>", "|>");
    check_fault("a.l «|>» \"x\"", Reason::Effect, &message);
}

#[test]
fn xml_is_refused() {
    check_fault(
        "f(«<»a/>)",
        Reason::Syntax,
        "queries have no XML, and no operator begins with `<` here: write a value",
    );
}

#[test]
fn a_lambda_after_a_colon_is_refused() {
    check_fault(
        "a.map: «x» =>\n  x.b",
        Reason::Syntax,
        "a lambda after `:` is no argument: write `(x => ..)` or `{ x => .. }`",
    );
}
