//! Diffs that are too deep or too long, or need too many resources for a graph of twenty nodes.

use crate::{HostileFile, Kind};

pub(crate) fn all() -> Vec<HostileFile> {
    HostileFile::made(
        Kind::Diff,
        &[
            ("100000-open-brackets", || "[".repeat(100_000).into_bytes()),
            ("a-value-100000-deep", || value(&format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000)))),
            ("a-line-of-65-megabytes", || vec![b' '; 65 << 20]),
            ("a-million-empty-lines", || "\n".repeat(1_000_000).into_bytes()),
            ("200000-names-of-labels", || {
                let line = |number| format!("{{\"declare_label\": \"LABEL{number}\"}}\n");
                (0..200_000).map(line).collect::<String>().into_bytes()
            }),
            ("a-node-of-100000-labels", || {
                let names: Vec<String> = (0..100_000).map(|number| format!("\"L{number}\"")).collect();
                format!("{{\"add_node\": {{\"labels\": [{}]}}}}", names.join(",")).into_bytes()
            }),
            ("the-last-of-all-nodes", || line(r#"{"remove_node": 4294967295}"#)),
            ("a-node-past-32-bits", || line(r#"{"remove_node": 4294967296}"#)),
            ("a-negative-node", || line(r#"{"remove_node": -1}"#)),
            ("the-last-of-all-edges", || line(r#"{"remove_edge": {"label": "CFG", "rank": 4294967295}}"#)),
            ("every-node-twice", || {
                let lines = (0..2_000).map(|line| format!("{{\"remove_node\": {}}}\n", line / 2));
                lines.collect::<String>().into_bytes()
            }),
            ("an-edge-from-itself", || {
                line(r#"{"add_edge": {"label": "CFG", "from": "e", "to": "e", "name": "e"}}"#)
            }),
            ("a-name-twice", || line("{\"add_node\": {\"name\": \"a\"}}\n{\"add_node\": {\"name\": \"a\"}}")),
            ("a-property-100000-times", || {
                let fields = vec!["\"NAME\": \"x\""; 100_000].join(",");
                line(&format!("{{\"add_node\": {{\"labels\": [], \"properties\": {{{fields}}}}}}}"))
            }),
            ("a-text-of-30-megabytes", || value(&format!("\"{}\"", "x".repeat(30 << 20)))),
            ("a-number-of-10000-digits", || value(&"9".repeat(10_000))),
            ("two-operations-in-a-line", || line(r#"{"remove_node": 1, "remove_node": 2}"#)),
            ("a-diff-that-is-not-utf-8", || b"{\"declare_label\": \"\xff\"}".to_vec()),
            ("a-diff-of-zeros", || vec![0; 100_000]),
            ("half-of-a-line", || line(r#"{"add_edge": {"label": "CFG", "from": 0"#)),
        ],
    )
}

fn line(text: &str) -> Vec<u8> {
    format!("{text}\n").into_bytes()
}

fn value(json: &str) -> Vec<u8> {
    line(&format!(r#"{{"set": {{"node": 0, "property": "NAME", "value": {json}}}}}"#))
}
