//! Valid files that questions need in addition to the hostile file: plans, a diff, a table, a trace.

use std::fs;
use std::path::Path;

use crate::{Failure, Outcome, cannot};

const PLANS: [(&str, &str); 12] = [
    ("count", r#"{"step": "nodes", "labels": ["METHOD"]}, {"step": "count"}"#),
    ("group", r#"{"step": "nodes"}, {"step": "group_count", "by": {"property": "NAME"}}"#),
    (
        "summarize",
        r#"{"step": "nodes"}, {"step": "summarize", "by": {"property": "NAME"}, "columns": ["count", {"max": "ORDER"}, {"mean": "ORDER"}]}"#,
    ),
    (
        "order",
        r#"{"step": "nodes"}, {"step": "out"}, {"step": "dedup"}, {"step": "order", "by": {"property": "NAME"}}, {"step": "limit", "count": 5}"#,
    ),
    (
        "order-texts",
        r#"{"step": "nodes"}, {"step": "order", "by": {"property": "FULL_NAME"}}, {"step": "count"}"#,
    ),
    ("edges", r#"{"step": "edges"}, {"step": "target"}, {"step": "dedup"}, {"step": "count"}"#),
    ("in-edges", r#"{"step": "nodes"}, {"step": "in_edges"}, {"step": "limit", "count": 1000}"#),
    (
        "repeat",
        r#"{"step": "ids", "ids": [0]}, {"step": "repeat", "body": [{"step": "both"}], "dedup": true, "emit": "all"}, {"step": "count"}"#,
    ),
    (
        "paths",
        r#"{"step": "ids", "ids": [0]}, {"step": "repeat", "body": [{"step": "out"}], "times": 400, "emit": "all"}, {"step": "path"}, {"step": "count"}"#,
    ),
    (
        "below",
        r#"{"step": "nodes", "labels": ["METHOD"]}, {"step": "limit", "count": 20}, {"step": "descendants"}, {"step": "has_label", "labels": ["CALL"]}, {"step": "limit", "count": 100000}, {"step": "count"}"#,
    ),
    (
        "above",
        r#"{"step": "nodes"}, {"step": "nearest_ancestor", "labels": ["METHOD"]}, {"step": "dedup"}, {"step": "count"}"#,
    ),
    (
        "texts",
        r#"{"step": "nodes", "labels": ["METHOD"]}, {"step": "has", "property": "NAME", "is": {"regex": ".*n"}}, {"step": "values", "property": "NAME"}, {"step": "dedup"}"#,
    ),
];

/// A diff that can be applied to any graph with at least one node, because it declares the names that it
/// uses.
const DIFF: &str = r#"{"declare_label": "ADDED"}
{"declare_edge_label": "ADDED_EDGE"}
{"declare_property": {"name": "ADDED_TEXT", "type": "string", "cardinality": "list"}}
{"add_node": {"name": "new", "labels": ["ADDED"], "properties": {"ADDED_TEXT": ["a", "b"]}}}
{"add_edge": {"label": "ADDED_EDGE", "from": 0, "to": "new"}}
{"append": {"node": 0, "property": "ADDED_TEXT", "value": "c"}}
"#;

/// A table of nodes.
const NODES: &str = ":ID,name,:LABEL\n1,one,A\n2,two,B\n";

/// Valid files that `varvite-hostile` writes, and their names in the folder of valid files.
const OTHERS: [(&str, &str); 4] = [
    ("a-sound-trace.vtrace", "run.vtrace"),
    ("a-sound-binary.elf", "program"),
    ("a-sound-profile.heaptrack", "run.heaptrack"),
    ("sound-collapsed-stacks.profile", "run.profile"),
];

/// Writes all valid files into `folder`; `files` is the folder of the hostile files.
pub(super) fn write(folder: &Path, files: &Path) -> Outcome {
    for (name, steps) in PLANS {
        let plan = format!("{{\"version\": 1, \"steps\": [{steps}]}}");
        let path = folder.join(format!("{name}.json"));
        fs::write(&path, plan).map_err(|error| cannot("write", &path, &error))?;
    }
    for (name, text) in [("diff.jsonl", DIFF), ("nodes.csv", NODES)] {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|error| cannot("write", &path, &error))?;
    }
    for (from, to) in OTHERS {
        fs::copy(files.join(from), folder.join(to))
            .map_err(|error| Failure(format!("cannot copy {from}: {error}")))?;
    }
    Ok(())
}
