//! Shows a query as nested lists, for tests: `(call (. cpg l))`.

use crate::syntax::{Expression, ExpressionKind, Pattern, Script, Statement, Word};

/// The statements of a query, each in a line of its own.
pub(crate) fn script(script: &Script) -> String {
    statements(&script.statements, "\n")
}

fn statements(list: &[Statement], between: &str) -> String {
    list.iter().map(statement).collect::<Vec<_>>().join(between)
}

fn statement(statement: &Statement) -> String {
    match statement {
        Statement::Val { name, value } => format!("(val {} {})", name.text, expression(value)),
        Statement::Def { name, parameters, value } => {
            let parameters: String = words(parameters).iter().map(|name| format!(" {name}")).collect();
            format!("(def ({}{parameters}) {})", name.text, expression(value))
        }
        Statement::Expression(value) => expression(value),
    }
}

fn words(words: &[Word]) -> Vec<&str> {
    words.iter().map(|word| word.text.as_str()).collect()
}

pub(crate) fn expression(value: &Expression) -> String {
    match &value.kind {
        ExpressionKind::Text(text) => format!("{text:?}"),
        ExpressionKind::Integer(value) => value.to_string(),
        ExpressionKind::Float(value) => format!("{value:?}"),
        ExpressionKind::Boolean(value) => value.to_string(),
        ExpressionKind::Name(name) => name.clone(),
        ExpressionKind::Select { on, name } => format!("(. {} {})", expression(on), name.text),
        ExpressionKind::Call { function, types, arguments } => {
            let types =
                if types.is_empty() { String::new() } else { format!("[{}]", words(types).join(", ")) };
            list(&format!("call{types}"), std::iter::once(&**function).chain(arguments))
        }
        ExpressionKind::Unary { operator, operand } => list(&format!("{operator:?}"), [&**operand]),
        ExpressionKind::Binary { operator, left, right } => list(&format!("{operator:?}"), [&**left, right]),
        ExpressionKind::Tuple(parts) => list("tuple", parts),
        ExpressionKind::Lambda { parameters, body } => {
            format!("(\\ ({}) {})", patterns(parameters), expression(body))
        }
        ExpressionKind::Block(list) => format!("{{{}}}", statements(list, "; ")),
        ExpressionKind::If { condition, then, otherwise } => list("if", [&**condition, then, otherwise]),
    }
}

fn list<'a>(head: &str, parts: impl IntoIterator<Item = &'a Expression>) -> String {
    let parts: String = parts.into_iter().map(|part| format!(" {}", expression(part))).collect();
    format!("({head}{parts})")
}

fn patterns(patterns: &[Pattern]) -> String {
    patterns.iter().map(pattern).collect::<Vec<_>>().join(" ")
}

fn pattern(pattern: &Pattern) -> String {
    match pattern {
        Pattern::Name(word) => word.text.clone(),
        Pattern::Ignored(_) => "_".to_owned(),
        Pattern::Tuple(parts, _) => format!("({})", patterns(parts)),
    }
}
