//! Compares the tables of `docs/cpg-steps.md` with the table of steps.

use super::steps;
use crate::steps::StepDescription;
use varvite_model::written::{Part, check};

#[test]
fn the_document_says_what_the_table_says() {
    let sections = steps().chunk_by(|a, b| a.section == b.section).map(|section| Part {
        opening: format!("<!-- steps: {} -->", section[0].section),
        closing: "<!-- /steps -->",
        text: table(section),
    });
    check("docs/cpg-steps.md", &sections.collect::<Vec<_>>());
}

fn table(section: &[StepDescription]) -> String {
    let mut text = "\n| step | in Scala | from | to | back | does |\n|---|---|---|---|---|---|\n".to_owned();
    for step in section {
        let parameters: Vec<&str> = step.parameters.iter().map(|parameter| parameter.name).collect();
        let parameters =
            if parameters.is_empty() { String::new() } else { format!("({})", parameters.join(", ")) };
        let (name, word) = (step.name, step.joern_name());
        let back = step.inverse.map_or_else(String::new, |inverse| format!("`{inverse}`"));
        text.push_str(&format!(
            "| `{name}{parameters}` | `{word}{parameters}` | {} | {} | {back} | {} |\n",
            step.from.join(", "),
            step.to.join(", "),
            step.doc
        ));
    }
    text.push('\n');
    text
}
