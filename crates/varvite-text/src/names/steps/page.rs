//! Compares the tables of `docs/joern-text.md` with those of steps and starts.

use super::{Filtered, JoernStep, START_STEPS, STEPS, Single, Start};
use crate::names::Kinds;
use varvite_model::written::{Part, check};

#[test]
fn the_page_says_what_the_tables_say() {
    let part = Part { opening: "<!-- joern -->".to_owned(), closing: "<!-- /joern -->", text: text() };
    check("docs/joern-text.md", &[part]);
}

fn text() -> String {
    format!("\n{}\n{}\n{}\n{}", starts(), own(), shared(), kinds())
}

fn starts() -> String {
    let starts = START_STEPS.iter().copied().flatten();
    let name = |start: &Start| match start.filtered {
        Some(property) => format!("`{}` ({property})", start.name),
        None => format!("`{}`", start.name),
    };
    let names: Vec<String> = starts.map(name).collect();
    wrapped(&format!("Starts, with the property with which a text is compared: {}.", names.join(", ")))
}

fn own() -> String {
    let mut text = "| step | from | to | does |\n|---|---|---|---|\n".to_owned();
    for step in STEPS {
        let JoernStep { name, doc, from, to, single, filtered, .. } = step;
        let by = match filtered {
            Filtered::By(property) => format!("; a text is compared with {property}"),
            Filtered::No => String::new(),
        };
        let single = match single {
            Single::Many => "",
            Single::One => " (one)",
            Single::Optional => " (one or none)",
        };
        let doc = doc.trim().trim_end_matches('.');
        text.push_str(&format!("| `{name}` | {} | {}{single} | {doc}{by}. |\n", words(*from), words(*to)));
    }
    text
}

fn shared() -> String {
    let is_own = |name: &str| STEPS.iter().any(|step| step.name == name);
    let shared = varvite_cpg::steps().iter().filter(|step| step.parameters.is_empty());
    let mut names: Vec<String> = shared.map(varvite_cpg::StepDescription::joern_name).collect();
    names.retain(|name| !is_own(name) && !name.starts_with("is"));
    names.sort_unstable();
    names.dedup();
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    wrapped(&format!(
        "Steps of [cpg-steps.md](cpg-steps.md), which have Joern's meaning: {}.",
        names.join(", ")
    ))
}

fn kinds() -> String {
    "Kinds: `isCall`, `isIdentifier` .. keep nodes of a label; `isExpression`, `isCfgNode`, `isAstNode`, `isDeclaration`\n\
     of a base type; `isIf`, `isFor`, `isWhile` .. CONTROL_STRUCTUREs of a type; `isPublic`, `isStatic`, `isVirtual` ..\n\
     by their MODIFIERs; `isStatic`, `isDynamic`, `isInline` CALLs by their dispatch. After a single node they are true\n\
     or false. `_cfgOut`, `_astIn` and the like follow the edges of a label.\n"
        .to_owned()
}

fn words(kinds: Kinds) -> String {
    match kinds {
        Kinds::ANY => "any".to_owned(),
        Kinds::EXPRESSION => "expression".to_owned(),
        Kinds::CFG_NODE => "CFG node".to_owned(),
        Kinds::AST_NODE => "AST node".to_owned(),
        kinds => kinds.labels().join(", "),
    }
}

/// The words of a text in lines of at most 120 columns.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        if lines.last().is_some_and(|line| line.len() + word.len() >= 120) {
            lines.push(String::new());
        }
        let line = lines.last_mut().unwrap();
        line.extend((!line.is_empty()).then_some(' '));
        line.push_str(word);
    }
    lines.join("\n") + "\n"
}
