//! What a shell needs besides translation: completion, inputs of several lines, and definitions that outlive
//! their query.

use crate::error::{Reason, Result};
use crate::names::{PROPERTIES, START_STEPS, STEPS, camel_case};
use crate::parser::parse;
use crate::syntax::{Expression, Statement};
use crate::translate::COLLECTION_METHODS;

/// The names that can follow a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The byte at which the names begin.
    pub start: usize,
    /// The names, sorted.
    pub names: Vec<String>,
}

/// The names of steps and properties with which a query can go on: after `cpg.` the starts, after another dot
/// every step. `before` is the text before the cursor. Allocates the names.
///
/// ```
/// let completion = varvite_text::complete("cpg.metho");
/// assert_eq!(completion.start, 4);
/// assert!(completion.names.iter().any(|name| name == "method"));
/// ```
pub fn complete(before: &str) -> Completion {
    let begun = before.trim_end_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
    let (start, word) = (begun.len(), &before[begun.len()..]);
    let Some(on) = begun.strip_suffix('.') else {
        let names = ["cpg"].into_iter().filter(|name| !word.is_empty() && name.starts_with(word));
        return Completion { start, names: names.map(str::to_owned).collect() };
    };
    let is_start =
        on.strip_suffix("cpg").is_some_and(|rest| !rest.ends_with(|letter: char| letter.is_alphanumeric()));
    let mut names = if is_start { starts() } else { steps() };
    names.retain(|name| name.starts_with(word));
    names.sort_unstable();
    names.dedup();
    Completion { start, names }
}

fn starts() -> Vec<String> {
    START_STEPS.iter().copied().flatten().map(|start| start.name.to_owned()).collect()
}

fn steps() -> Vec<String> {
    let own = STEPS.iter().map(|step| step.name.to_owned());
    let shared = varvite_cpg::steps().iter().map(varvite_cpg::StepDescription::joern_name);
    let properties = PROPERTIES.iter().map(|property| camel_case(property.name));
    let methods = COLLECTION_METHODS.iter().map(|name| (*name).to_owned());
    own.chain(shared).chain(properties).chain(methods).collect()
}

/// Whether an input goes on in the next line, because a bracket, a text or a comment in it is open, or its
/// last sign needs something behind it.
pub fn is_unfinished(text: &str) -> bool {
    parse(text).is_err_and(|error| error.reason == Reason::Unfinished)
}

/// The `val`s and `def`s of a query, for the queries after it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Definitions {
    /// The statements, in order.
    pub texts: Vec<String>,
    /// Whether the query ends with a definition, so that it has no answer.
    pub ends_query: bool,
}

/// The definitions of a query.
///
/// # Errors
/// As [`check`](crate::check).
pub fn definitions(query: &str) -> Result<Definitions> {
    let script = parse(query)?;
    let ends_query = !matches!(script.statements.last(), Some(Statement::Expression(_)) | None);
    let written = |value: &Expression| &query[value.span.start..value.span.end];
    let text = |statement: &Statement| match statement {
        Statement::Val { name, value } => Some(format!("val {} = {}", name.text, written(value))),
        Statement::Def { name, parameters, value } => {
            // The parser drops the types of parameters, and reads any.
            let parameters: Vec<String> =
                parameters.iter().map(|word| format!("{}: Any", word.text)).collect();
            let list =
                if parameters.is_empty() { String::new() } else { format!("({})", parameters.join(", ")) };
            Some(format!("def {}{list} = {}", name.text, written(value)))
        }
        Statement::Expression(_) => None,
    };
    Ok(Definitions { texts: script.statements.iter().filter_map(text).collect(), ends_query })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_with_an_open_bracket_or_text_goes_on() {
        for open in ["cpg.call(", "cpg.call.map { x =>", "\"\"\"a", "/* a", "cpg.call.", "f(\")\"", "1 +"] {
            assert!(is_unfinished(open), "{open}");
        }
        for closed in ["cpg.call.l", "f(\"(\")", "\"\"\"(\"\"\"", "// (", "\"a\\\"(\"", "/* ( */ cpg", ")"] {
            assert!(!is_unfinished(closed), "{closed}");
        }
    }

    #[test]
    fn starts_follow_cpg_and_steps_follow_other_dots() {
        assert_eq!(complete("cpg.fieldA").names, ["fieldAccess"]);
        assert!(complete("cpg.call.whereN").names.contains(&"whereNot".to_owned()));
        assert!(complete("x.methodFull").names.contains(&"methodFullName".to_owned()));
        assert_eq!(complete("cp").names, ["cpg"]);
        assert!(complete("1 + ").names.is_empty());
    }

    #[test]
    fn definitions_are_kept_and_answers_are_not() {
        let found = definitions("val a = cpg.call\ndef f(x: Call) = x.name; f(a.l)").unwrap();
        assert_eq!(found.texts, ["val a = cpg.call", "def f(x: Any) = x.name"]);
        assert!(!found.ends_query);
        assert!(definitions("def a = cpg.call").unwrap().ends_query);
    }
}
