//! Facts as JSON, laid out as the expected facts of the sample graphs are: line by line, so that `diff` shows what
//! differs.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde_json::Value as Json;

use super::{Facts, TraversalFacts};

impl Facts {
    /// The facts as JSON. Equal facts give equal text. Sums are strings, since they pass what a float holds exactly.
    pub fn to_json(&self) -> String {
        let triples = self.edge_triples.iter().map(|(triple, count)| (triple, count.to_string()));
        let edge_properties = self.edge_properties.iter().map(|(label, facts)| {
            (label, format!("{{\"present\": {}, \"fnv64_sum\": \"{}\"}}", facts.present, facts.fnv64_sum))
        });
        let properties = self.properties.iter().map(|(name, facts)| {
            let (nodes, values, sum) = (facts.nodes, facts.values, facts.fnv64_sum);
            (name, format!("{{\"nodes\": {nodes}, \"values\": {values}, \"fnv64_sum\": \"{sum}\"}}"))
        });
        let fields = [
            ("nodes", self.nodes.to_string()),
            ("edges", self.edges.to_string()),
            ("labels", one_line(&self.labels)),
            ("edge_triples", many_lines(triples)),
            ("edge_properties", many_lines(edge_properties)),
            ("properties", many_lines(properties)),
            ("traversals", traversals(&self.traversals)),
        ];
        let fields = fields.map(|(name, value)| format!("  {}: {value}", quoted(name)));
        format!("{{\n{}\n}}\n", fields.join(",\n"))
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
    many_lines(fields.into_iter())
}

fn one_line(counts: &BTreeMap<String, u64>) -> String {
    let fields: Vec<String> =
        counts.iter().map(|(name, count)| format!("{}: {count}", quoted(name))).collect();
    format!("{{{}}}", fields.join(", "))
}

fn many_lines(fields: impl Iterator<Item = (impl AsRef<str>, String)>) -> String {
    let fields: Vec<String> =
        fields.map(|(name, value)| format!("\n    {}: {value}", quoted(name.as_ref()))).collect();
    format!("{{{}\n  }}", fields.join(","))
}

fn or_null(value: Option<impl Display>) -> String {
    value.map_or("null".to_owned(), |value| value.to_string())
}

fn quoted(text: &str) -> String {
    Json::from(text).to_string()
}
