//! Compares the methods of Java's `Pipeline` with the table of steps: one for each Rust method that the table
//! generates, with the same documentation.

use super::ALL;
use crate::pipeline::description::declare::{FieldDescription, MethodDescription, StepDescription};
use crate::pipeline::fault::Takes;
use varvite_model::written::{Part, check};

/// The width of a line, in characters.
const WIDTH: usize = 120;

#[test]
fn java_builds_what_the_table_says() {
    let mut text = String::new();
    for group in ALL.chunk_by(|a, b| a.section == b.section) {
        text.push_str(&format!("\n    // {}\n", group[0].section));
        for step in group {
            step.methods.iter().for_each(|method| text.push_str(&method_of(step, method)));
        }
    }
    text.push('\n');
    let opening =
        "    // <steps> from the table in crates/varvite-query/src/pipeline/description/step.rs".into();
    let part = Part { opening, closing: "    // </steps>", text };
    check("bindings/java/varvite/src/main/java/varvite/pipeline/Pipeline.java", &[part]);
}

/// A parameter of a Java method, and its part of the step's JSON.
struct Parameter {
    declared: String,
    /// Whether the parameter takes any number of arguments and must be the last.
    is_variadic: bool,
    written: String,
    /// The condition on which the method refuses the argument.
    refused: Option<&'static str>,
}

fn method_of(step: &StepDescription, method: &MethodDescription) -> String {
    let mut parameters = Vec::new();
    let mut json = vec![format!("Json.step(\"{}\")", step.name)];
    for (name, value) in method.sets {
        let field = step.fields.iter().find(|field| field.in_rust == *name);
        let field = field.unwrap_or_else(|| panic!("{}: no field {name}", method.name));
        if method.parameters.contains(name) {
            let parameter = parameter(step, field);
            json.push(parameter.written.clone());
            parameters.push(parameter);
        } else if *value == "true" {
            json.push(format!(".flag(\"{}\", true)", field.name));
        } else {
            let may_be_left_out = field.default.is_some() || field.holds.starts_with("Option<");
            assert!(may_be_left_out, "{}: {name} has to be a parameter or true", method.name);
        }
    }
    parameters.sort_by_key(|parameter| parameter.is_variadic);
    let declared: Vec<&str> = parameters.iter().map(|parameter| parameter.declared.as_str()).collect();
    let name = method.java.map_or_else(|| lower_camel(method.name), str::to_owned);
    let signature = format!("Pipeline {name}({})", declared.join(", "));
    let documentation = documentation(method, parameters.iter().find_map(|parameter| parameter.refused));
    let (modifiers, before) = match step.takes {
        Takes::Nothing => ("public static", "it().then("),
        _ => ("public", "then("),
    };
    let line = format!("        return {before}{});\n", json.concat());
    let body = match line.chars().count() <= WIDTH + 1 {
        true => line,
        false => format!("        return {before}{});\n", json.join("\n                ")),
    };
    format!("\n{documentation}    {modifiers} {signature} {{\n{body}    }}\n")
}

fn parameter(step: &StepDescription, field: &FieldDescription) -> Parameter {
    let (json, name) = (field.name, lower_camel(field.in_rust));
    let holds = field.holds.strip_prefix("Option<").map_or(field.holds, |inner| inner.trim_end_matches('>'));
    // The name of an invalid number in errors: the step's name if the field is `count`, otherwise the field's
    // name.
    let number = if json == "count" { step.name } else { json };
    let (kind, written) = match holds {
        "String" => ("String", format!(".text(\"{json}\", {name})")),
        "Vec<String>" if field.default.is_some() => ("String...", format!(".textsIfAny(\"{json}\", {name})")),
        "Vec<String>" => ("String...", format!(".texts(\"{json}\", {name})")),
        "Vec<u32>" => ("int...", format!(".numbers(\"{json}\", checkedIds({name}))")),
        "u64" => ("long", format!(".number(\"{json}\", checkNotNegative(\"{number}\", {name}))")),
        "Predicate" => ("Predicate", format!(".raw(\"{json}\", {name}.toJson())")),
        "Steps" => ("Pipeline", format!(".raw(\"{json}\", {name}.steps())")),
        "Vec<Steps>" => ("Pipeline...", format!(".raw(\"{json}\", branches({name}))")),
        "Key" if field.default.is_none() => ("Key", format!(".raw(\"{json}\", {name}.toJson())")),
        "Key" => ("Key", format!(".key(\"{json}\", {name})")),
        "Vec<Summary>" => ("Summary...", format!(".summaries(\"{json}\", {name})")),
        "Vec<Key>" => ("Key...", format!(".keys(\"{json}\", {name})")),
        other => panic!("{}: Java has no parameter for {other}", step.name),
    };
    let refused = match holds {
        "Vec<u32>" => Some("if an id is negative"),
        "u64" => Some("if a number is negative"),
        _ => None,
    };
    let is_variadic = kind.ends_with("...");
    Parameter { declared: format!("{kind} {name}"), is_variadic, written, refused }
}

fn documentation(method: &MethodDescription, refused: Option<&str>) -> String {
    let words = method.doc.split_whitespace().collect::<Vec<_>>().join(" ");
    // The parts with odd indexes are between backticks.
    let parts = words.split('`').enumerate();
    let words: String = parts
        .map(|(i, part)| if i % 2 == 1 { format!("{{@code {part}}}") } else { part.to_owned() })
        .collect();
    match refused {
        Some(refused) => format!(
            "    /**\n     * {words}\n     *\n     * @throws IllegalArgumentException {refused}\n     */\n"
        ),
        None => {
            let line = format!("    /** {words} */\n");
            assert!(line.chars().count() <= WIDTH + 1, "{}: say it in fewer words", method.name);
            line
        }
    }
}

/// The name in camel case: `hasLabel` for `has_label`. A trailing underscore, which avoids a Rust keyword, is
/// removed.
fn lower_camel(name: &str) -> String {
    let mut words = name.trim_end_matches('_').split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let (head, tail) = word.split_at(1);
        format!("{name}{}{tail}", head.to_uppercase())
    })
}

#[test]
fn names_become_those_of_java() {
    assert_eq!(
        ["has_label", "where_", "in", "both_edges"].map(lower_camel),
        ["hasLabel", "where", "in", "bothEdges"]
    );
}
