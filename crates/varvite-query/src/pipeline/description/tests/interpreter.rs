//! Compares the Python interpreter's table of the rows and fields of each step with the table of steps. The
//! interpreter makes random plans from its table.

use super::ALL;
use crate::pipeline::description::declare::{FieldDescription, Gives};
use crate::pipeline::fault::Takes;
use varvite_model::written::{Part, check};

#[test]
fn the_interpreter_knows_what_the_table_says() {
    let mut text = "DECLARED = {\n".to_owned();
    for step in ALL {
        let fields: Vec<String> = step.fields.iter().map(field).collect();
        let (name, takes, gives) = (step.name, takes(step.takes), gives(step.gives));
        let fields = fields.join(", ");
        text.push_str(&format!("    \"{name}\": Declared(\"{takes}\", \"{gives}\", {{{fields}}}),\n"));
    }
    text.push_str("}\n");
    let opening = "# <steps> from the table in crates/varvite-query/src/pipeline/description/step.rs".into();
    check("conformance/interpreter/declared.py", &[Part { opening, closing: "# </steps>", text }]);
}

fn field(field: &FieldDescription) -> String {
    let inner = field.holds.strip_prefix("Option<").and_then(|holds| holds.strip_suffix('>'));
    let may_be_left_out = inner.is_some() || field.default.is_some();
    let mark = if may_be_left_out { "?" } else { "" };
    format!("\"{}\": \"{}{mark}\"", field.name, inner.unwrap_or(field.holds).replace(' ', ""))
}

fn takes(takes: Takes) -> &'static str {
    match takes {
        Takes::Nothing => "nothing",
        Takes::Nodes => "nodes",
        Takes::Edges => "edges",
        Takes::Elements => "elements",
        Takes::Values => "values",
        Takes::Single => "single",
        Takes::Any => "any",
    }
}

fn gives(gives: Gives) -> &'static str {
    match gives {
        Gives::Same => "same",
        Gives::Nodes => "nodes",
        Gives::Edges => "edges",
        Gives::Values => "values",
        Gives::Columns => "columns",
        Gives::OfBranches => "of branches",
        Gives::OfKey => "of key",
        Gives::Named => "named",
    }
}
