//! How the report was made: the program, the file, the graph's content, the options.

use varvite::compare::Digest;
use varvite::error::optional;
use varvite::inspect::Info;
use varvite_show::sized;

use crate::error::Result;
use crate::html::Page;
use crate::report::Facts;

/// Properties of META_DATA, which a frontend writes.
const META_DATA: [(&str, &str); 3] =
    [("LANGUAGE", "language"), ("VERSION", "version of the schema"), ("ROOT", "folder of the source")];

pub(super) fn write(facts: &Facts<'_>, page: &mut Page) -> Result<()> {
    let (graph, made) = (facts.code.graph, &facts.report.made);
    let info = Info::of(graph);
    let digest = Digest::of(graph, &graph.task_beside(facts.report.task.clone()))?;
    let mut rows = vec![
        ("made by", format!("varvite {}", made.version)),
        ("graph", format!("{}, {}", made.file, sized(made.file_bytes))),
        ("storage", format!("{} profile, format version {}", info.profile.name(), info.format_version)),
        ("digest of the graph's content", digest.root.to_string()),
    ];
    if !made.file_date.is_empty() {
        rows.push(("date of the file", made.file_date.clone()));
    }
    let node = optional(graph.nodes("META_DATA"))?.and_then(|nodes| nodes.iter().next());
    for (property, name) in META_DATA {
        let texts = optional(graph.texts(property))?;
        let text = node.zip(texts.as_ref()).and_then(|(node, texts)| texts.str(node));
        rows.extend(text.map(|text| (name, text.to_string())));
    }
    if let Some(before) = &facts.report.before {
        rows.push(("compared with", before.file.clone()));
    }
    if !made.options.is_empty() {
        rows.push(("options", made.options.clone()));
    }
    page.facts(&rows);
    page.note(
        "Equal graphs, whatever their files look like, have equal digests: `varvite digest` computes the \
         same. This page loads nothing from a network, and works without scripts, apart from the search in \
         flame graphs.",
    );
    Ok(())
}
