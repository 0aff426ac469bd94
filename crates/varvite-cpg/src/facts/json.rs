//! Facts as JSON, in the same layout as the files of expected facts about the sample graphs: one fact per
//! line, so that `diff` shows differences clearly.

use std::collections::BTreeMap;
use std::fmt::Display;

use super::{Facts, TraversalFacts};

impl Facts {
    /// The facts as JSON. Equal facts give equal text. Sums are written as strings, since they may be too
    /// large for a double to represent them exactly.
    pub fn to_json(&self) -> String {
        self.counts.to_json_with(&[("traversals", traversals(&self.traversals))])
    }
}

fn traversals(facts: &TraversalFacts) -> String {
    let by_label = facts.ast_descendants_by_label.as_ref();
    let names = facts.top_call_names.iter().map(|(name, count)| format!("[{}, {count}]", quoted(name)));
    let names: Vec<String> = names.collect();
    let fields = [
        ("ast_descendants_per_method_sum", or_null(facts.ast_descendants_per_method_sum)),
        ("ast_descendants_by_label", or_null(by_label.map(one_line))),
        ("cfg_reachable_per_method_sum", or_null(facts.cfg_reachable_per_method_sum)),
        ("callee_full_name_chars", facts.callee_full_name_chars.to_string()),
        ("identifier_ast_up_to_method_hops", or_null(facts.identifier_ast_up_to_method_hops)),
        ("top_call_names", format!("[{}]", names.join(", "))),
    ];
    let lines = fields.map(|(name, value)| format!("\n    {}: {value}", quoted(name)));
    format!("{{{}\n  }}", lines.join(","))
}

fn one_line(counts: &BTreeMap<String, u64>) -> String {
    let fields: Vec<String> =
        counts.iter().map(|(name, count)| format!("{}: {count}", quoted(name))).collect();
    format!("{{{}}}", fields.join(", "))
}

fn or_null(value: Option<impl Display>) -> String {
    value.map_or("null".to_owned(), |value| value.to_string())
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
