//! The answer as one JSON value, with the changed files and all counts.

use serde_json::{Value as Json, json};
use varvite::Graph;
use varvite_cpg::impact::{FileImpact, FileState};
use varvite_cpg::{SiteCursor, Sites};

use super::report::{Report, Row};
use crate::failure::Outcome;
use crate::output::{Format, write_document};

/// Writes the document.
pub(super) fn write(graph: &Graph, report: &Report) -> Outcome {
    let sites = Sites::open(graph)?;
    let mut cursor = sites.cursor();
    let methods: Vec<Json> = report.rows.iter().map(|row| method(report, row, &mut cursor)).collect();
    let counts = &report.counts;
    let document = json!({
        "files": report.impact.files.iter().map(file).collect::<Vec<_>>(),
        "lines": counts.lines,
        "lines_outside": counts.outside,
        "touched": counts.touched,
        "depth": report.depth,
        "callers": counts.callers,
        "callers_beyond": counts.beyond,
        "entries": counts.entries,
        "tests": counts.tests,
        "methods": methods,
        "methods_not_shown": report.cut,
    });
    Ok(write_document(&format!("{document:#}"), Format::Json)?)
}

fn file(file: &FileImpact) -> Json {
    let (state, names) = match &file.state {
        FileState::Known(name) => ("known", vec![name.clone()]),
        FileState::Unknown => ("unknown", Vec::new()),
        FileState::Ambiguous(names) => ("ambiguous", names.clone()),
        FileState::OtherSide => ("other_side", Vec::new()),
        FileState::Binary => ("binary", Vec::new()),
    };
    json!({
        "path": file.path, "state": state, "names": names, "lines": file.lines, "lines_outside": file.outside,
    })
}

fn method(report: &Report, row: &Row, sites: &mut SiteCursor<'_>) -> Json {
    let site = sites.at(row.node);
    let mut method = json!({
        "node": row.node, "method": site.method_name, "file": site.file, "line": site.line,
        "distance": row.distance, "lines": row.lines, "entry": row.is_entry, "test": row.is_test,
    });
    let ran =
        report.ran.measures(false).map(|measure| (measure.name.clone(), Json::from(measure.of(row.node))));
    let ran: serde_json::Map<String, Json> = ran.collect();
    if !ran.is_empty() {
        method["ran"] = ran.into();
    }
    method
}
