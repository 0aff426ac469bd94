//! Compares the methods of Python's `Pipeline` with the table of steps: one for each Rust method that the
//! table generates, with the same documentation.

use super::ALL;
use crate::pipeline::description::declare::{FieldDescription, MethodDescription, StepDescription};
use varvite_model::written::{Part, check, python_documentation};

/// Keywords of Python that are names of methods or parameters.
const KEYWORDS: [&str; 5] = ["and", "as", "in", "is", "or"];

#[test]
fn python_builds_what_the_table_says() {
    let mut text = String::new();
    for group in ALL.chunk_by(|a, b| a.section == b.section) {
        text.push_str(&format!("\n    # {}\n", group[0].section));
        for step in group {
            step.methods.iter().for_each(|method| text.push_str(&method_of(step, method)));
        }
    }
    text.push('\n');
    let opening =
        "    # <steps> from the table in crates/varvite-query/src/pipeline/description/step.rs".into();
    let part = Part { opening, closing: "    # </steps>", text };
    check("bindings/python/python/varvite/pipeline.py", &[part]);
}

/// A parameter of a Python method, and its part of the step's form.
struct Parameter {
    declared: String,
    /// Whether the parameter takes any number of arguments and must be the last.
    is_variadic: bool,
    written: String,
}

fn method_of(step: &StepDescription, method: &MethodDescription) -> String {
    let mut parameters = Vec::new();
    let mut form = vec![format!("\"step\": \"{}\"", step.name)];
    for (name, value) in method.sets {
        let field = step.fields.iter().find(|field| field.in_rust == *name);
        let field = field.unwrap_or_else(|| panic!("{}: no field {name}", method.name));
        if method.parameters.contains(name) {
            let parameter = parameter(step, field);
            form.push(parameter.written.clone());
            parameters.push(parameter);
        } else if *value == "true" {
            form.push(format!("\"{}\": True", field.name));
        } else {
            let may_be_left_out = field.default.is_some() || field.holds.starts_with("Option<");
            assert!(may_be_left_out, "{}: {name} has to be a parameter or true", method.name);
        }
    }
    parameters.sort_by_key(|parameter| parameter.is_variadic);
    let declared: String = parameters.iter().map(|parameter| format!(", {}", parameter.declared)).collect();
    let name = name_of(method.name);
    let documentation = python_documentation("        ", method.doc);
    let body = format!("        return self.then({{{}}})\n", form.join(", "));
    format!("\n    def {name}(self{declared}) -> Pipeline:\n{documentation}{body}")
}

fn parameter(step: &StepDescription, field: &FieldDescription) -> Parameter {
    let (json, name) = (field.name, name_of(field.in_rust));
    let holds = field.holds.strip_prefix("Option<").map_or(field.holds, |inner| inner.trim_end_matches('>'));
    let (declared, value) = match holds {
        "String" => (format!("{name}: str"), name.clone()),
        "Vec<String>" if field.default.is_some() => {
            let written = format!("**some(\"{json}\", {name})");
            return Parameter { declared: format!("*{name}: str"), is_variadic: true, written };
        }
        "Vec<String>" => (format!("*{name}: str"), format!("list({name})")),
        "Vec<u32>" => (format!("{name}: Iterable[int]"), format!("[int(number) for number in {name}]")),
        "u64" => (format!("{name}: int"), name.clone()),
        "Predicate" => (format!("{name}: PredicateLike"), format!("predicate_form({name})")),
        "Steps" => (format!("{name}: Pipeline"), format!("steps_of({name})")),
        "Vec<Steps>" => (format!("*{name}: Pipeline"), format!("[steps_of(each) for each in {name}]")),
        "Key" => (format!("{name}: KeyLike"), format!("key_form({name})")),
        "Vec<Summary>" => (format!("*{name}: Summary"), format!("[each.form for each in {name}]")),
        "Vec<Key>" => (format!("*{name}: KeyLike"), format!("[key_form(each) for each in {name}]")),
        other => panic!("{}: Python has no parameter for {other}", step.name),
    };
    let is_variadic = declared.starts_with('*');
    Parameter { declared, is_variadic, written: format!("\"{json}\": {value}") }
}

/// The name in Python: a trailing underscore only after a keyword of Python.
fn name_of(name: &str) -> String {
    let name = name.trim_end_matches('_');
    if KEYWORDS.contains(&name) { format!("{name}_") } else { name.to_owned() }
}

#[test]
fn names_become_those_of_python() {
    assert_eq!(["where_", "in_", "and", "has_label"].map(name_of), ["where", "in_", "and_", "has_label"]);
}
