//! Generates the steps of Python's pipelines: a method for each step of the table, composed of the engine's
//! steps in the form of plans.

use serde_json::{Map, Value};
use varvite_model::written::{Part, check, python_documentation};

use super::{appended, steps};
use crate::steps::{ArgumentType, StepDescription};
use crate::{ARITHMETIC, ARRAY_ACCESSES, ASSIGNMENTS, FIELD_ACCESSES};

/// The width of a line, in characters.
const WIDTH: usize = 120;
/// Values that stand for the arguments in a composition.
const NUMBER: i64 = 1_000_000_007;
const TEXTS: [&str; 1] = ["\0texts"];
/// The lists of names in Python.
const OPERATORS: [(&str, &[&str]); 4] = [
    ("ASSIGNMENTS", &ASSIGNMENTS),
    ("ARITHMETIC", &ARITHMETIC),
    ("ARRAY_ACCESSES", &ARRAY_ACCESSES),
    ("FIELD_ACCESSES", &FIELD_ACCESSES),
];

#[test]
fn python_does_what_the_table_says() {
    let mut text = String::new();
    for section in steps().chunk_by(|a, b| a.section == b.section) {
        text.push_str(&format!("\n    # {}\n", section[0].section));
        section.iter().for_each(|step| text.push_str(&method_of(step)));
    }
    text.push('\n');
    let opening = "    # <steps> from the table in crates/varvite-cpg/src/steps/table.rs".into();
    let methods = Part { opening, closing: "    # </steps>", text };
    let opening = "# <operators> from crates/varvite-cpg/src/operators.rs".into();
    let names = Part { opening, closing: "# </operators>", text: operators() };
    check("bindings/python/python/varvite/code_steps.py", &[names, methods]);
}

fn operators() -> String {
    let list = |(name, names): &(&str, &[&str])| {
        let names: String = names.iter().map(|name| format!("    \"{name}\",\n")).collect();
        format!("\n{name} = [\n{names}]\n")
    };
    OPERATORS.iter().map(list).collect::<String>() + "\n"
}

fn method_of(step: &StepDescription) -> String {
    let parameter = |parameter: &crate::steps::StepParameter| match parameter.holds {
        ArgumentType::Number | ArgumentType::Times => format!(", {}: int", parameter.name),
        ArgumentType::Texts => format!(", *{}: str", parameter.name),
    };
    let declared: String = step.parameters.iter().map(parameter).collect();
    let plan: Value = serde_json::from_str(&appended(step, NUMBER, &TEXTS).to_json()).expect("is JSON");
    let composition = plan["steps"].as_array().expect("a plan has steps");
    let argument = step.parameters.first().map_or("", |parameter| parameter.name);
    let body = Literals { argument }.call("return self._append", composition, 8);
    let documentation = python_documentation("        ", step.doc);
    format!("\n    def {}(self{declared}) -> Pipeline:\n{documentation}        {body}\n", step.name)
}

/// Writes JSON as expressions of Python.
struct Literals<'s> {
    /// The name of the step's only parameter.
    argument: &'s str,
}

impl Literals<'_> {
    /// A call of a function with some arguments, which begins in column `indent`.
    fn call(&self, function: &str, arguments: &[Value], indent: usize) -> String {
        let items = arguments.iter().map(|argument| (String::new(), argument)).collect();
        self.listed((&format!("{function}("), ")"), items, indent, indent)
    }

    /// A value that begins in column `column` of a line with this indent.
    fn of(&self, value: &Value, indent: usize, column: usize) -> String {
        match value {
            Value::Bool(true) => "True".to_owned(),
            Value::Bool(false) => "False".to_owned(),
            Value::Number(number) if number.as_i64() == Some(NUMBER) => self.argument.to_owned(),
            Value::Array(items) => match self.names(items) {
                Some(name) => name,
                None => {
                    let items = items.iter().map(|item| (String::new(), item)).collect();
                    self.listed(("[", "]"), items, indent, column)
                }
            },
            Value::Object(fields) => self.listed(("{", "}"), in_order(fields), indent, column),
            other => other.to_string(),
        }
    }

    /// The expression for a list of names: an argument, or a list of operators.
    fn names(&self, items: &[Value]) -> Option<String> {
        let is = |names: &[&str]| items.iter().map(Value::as_str).eq(names.iter().map(|name| Some(*name)));
        let known = OPERATORS.iter().find(|(_, names)| is(names)).map(|(name, _)| (*name).to_owned());
        known.or_else(|| is(&TEXTS).then(|| format!("list({})", self.argument)))
    }

    /// Items between two marks: on one line, or else each on a line of its own.
    fn listed(
        &self,
        (open, close): (&str, &str),
        items: Vec<(String, &Value)>,
        indent: usize,
        column: usize,
    ) -> String {
        let item = |indent: usize, column| {
            move |(key, value): &(String, &Value)| {
                format!("{key}{}", self.of(value, indent, column + key.len()))
            }
        };
        // Column 0, because the length of the whole line is checked below.
        let flat: Vec<String> = items.iter().map(item(0, 0)).collect();
        let line = format!("{open}{}{close}", flat.join(", "));
        if column + line.len() < WIDTH && !line.contains('\n') {
            return line;
        }
        let lines = items.iter().map(item(indent + 4, indent + 4));
        let lines: String = lines.map(|item| format!("{}{item},\n", " ".repeat(indent + 4))).collect();
        format!("{open}\n{lines}{}{close}", " ".repeat(indent))
    }
}

/// The fields of an object, with the name of the step first.
fn in_order(fields: &Map<String, Value>) -> Vec<(String, &Value)> {
    let mut fields: Vec<_> = fields.iter().collect();
    fields.sort_by_key(|(name, _)| (*name != "step", *name));
    fields.into_iter().map(|(name, value)| (format!("\"{name}\": "), value)).collect()
}
