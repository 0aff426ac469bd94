//! Writes facts as JSON, in the layout of the files that hold the expected facts of the sample graphs: one
//! fact per line, so that `diff` shows the differences.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::Facts;

impl Facts {
    /// The facts as JSON. Equal facts give equal text. Sums are strings, because they may exceed the integers
    /// that a float can hold exactly.
    pub fn to_json(&self) -> String {
        self.to_json_with(&[])
    }

    /// The same as [`Facts::to_json`], followed by the fields in `more`, each given by its name and its value
    /// as JSON.
    pub fn to_json_with(&self, more: &[(&str, String)]) -> String {
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
        ];
        let fields = fields.iter().chain(more).map(|(name, value)| format!("  {}: {value}", quoted(name)));
        format!("{{\n{}\n}}\n", fields.collect::<Vec<_>>().join(",\n"))
    }
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

fn quoted(text: &str) -> String {
    Json::from(text).to_string()
}
