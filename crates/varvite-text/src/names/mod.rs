//! The names of Joern's language: labels, properties and steps, and their meanings.

mod kinds;
mod properties;
mod steps;

pub(crate) use kinds::Kinds;
pub(crate) use properties::{Default, PROPERTIES, Presence, Property, ValueKind, find_property};
pub(crate) use steps::{Filtered, JoernStep, START_STEPS, STEPS, Single, Start};

/// Converts a name in camel case to the schema's form: `methodFullName` becomes `METHOD_FULL_NAME`.
pub(crate) fn upper_case(name: &str) -> String {
    let mut upper = String::with_capacity(name.len() + 4);
    for (index, letter) in name.char_indices() {
        if letter.is_ascii_uppercase() && index > 0 {
            upper.push('_');
        }
        upper.push(letter.to_ascii_uppercase());
    }
    upper
}

/// Converts a name of the schema to camel case: `METHOD_FULL_NAME` becomes `methodFullName`.
pub(crate) fn camel_case(name: &str) -> String {
    let mut camel = String::with_capacity(name.len());
    let mut is_first_of_word = false;
    for letter in name.chars() {
        match letter {
            '_' => is_first_of_word = true,
            letter if is_first_of_word => {
                camel.push(letter);
                is_first_of_word = false;
            }
            letter => camel.push(letter.to_ascii_lowercase()),
        }
    }
    camel
}

/// The name of an operator that `Operators` of Joern has: `shiftLeft` is `<operator>.shiftLeft`. C2CPG's own
/// operators begin with `<operators>`.
pub(crate) fn operator(name: &str) -> Option<String> {
    const OF_OTHERS: [&str; 4] = [
        "assignmentExponentiation",
        "assignmentModulo",
        "assignmentShiftLeft",
        "assignmentArithmeticShiftRight",
    ];
    let rest = name.strip_prefix("assignment");
    let is_other = OF_OTHERS.contains(&name)
        || rest.is_some_and(|rest| matches!(rest, "LogicalShiftRight" | "And" | "Or" | "Xor"));
    let is_name = !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric());
    is_name.then(|| format!("<operator{}>.{name}", if is_other { "s" } else { "" }))
}

/// The name most like `wanted`, of `names`.
pub(crate) fn nearest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    varvite::error::nearest(wanted, names)
}

/// The labels of edges in code property graphs.
pub(crate) const EDGES: [&str; 24] = [
    "ALIAS_OF",
    "ARGUMENT",
    "AST",
    "BINDS",
    "CALL",
    "CAPTURE",
    "CAPTURED_BY",
    "CDG",
    "CFG",
    "CONDITION",
    "CONTAINS",
    "DOMINATE",
    "EVAL_TYPE",
    "IMPORTS",
    "INHERITS_FROM",
    "IS_CALL_FOR_IMPORT",
    "PARAMETER_LINK",
    "POST_DOMINATE",
    "REACHING_DEF",
    "RECEIVER",
    "REF",
    "SOURCE_FILE",
    "TAGGED_BY",
    "BODY",
];
