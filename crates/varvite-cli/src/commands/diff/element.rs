//! Describes nodes and values of a graph in words.

use serde_json::Value as Json;
use varvite::error::optional;
use varvite::{Graph, Property, PropertyId};
use varvite_cpg::{SiteCursor, Sites};
use varvite_show::LabelNames;

use crate::failure::Failure;
use crate::output::{Cell, shortened};

/// The columns that are needed to describe the nodes of a graph.
pub(super) struct Elements {
    labels: LabelNames,
    sites: Sites,
    name: Option<Property>,
    code: Option<Property>,
}

impl Elements {
    pub(super) fn of(graph: &Graph) -> Result<Self, Failure> {
        Ok(Self {
            labels: LabelNames::of(graph)?,
            sites: Sites::open(graph)?,
            name: optional(graph.property("NAME"))?,
            code: optional(graph.property("CODE"))?,
        })
    }

    pub(super) fn label(&self, node: u32) -> &str {
        self.labels.of_node(node)
    }

    /// The name of a node, or its code if it has no name.
    pub(super) fn name(&self, node: u32) -> Option<String> {
        let name = self.name.as_ref().and_then(|names| names.str(node)).filter(|name| !name.is_empty());
        let code = || self.code.as_ref().and_then(|codes| codes.str(node));
        name.or_else(code).map(String::from)
    }

    /// The name of the file that contains a node, and the node's line.
    pub(super) fn place(&self, node: u32) -> (Option<String>, Option<i64>) {
        let mut cursor = self.cursor();
        let site = cursor.at(node);
        (site.file.map(str::to_owned), site.line)
    }

    pub(super) fn cursor(&self) -> SiteCursor<'_> {
        self.sites.cursor()
    }

    /// The node in words, such as `METHOD main (main.c:12, node 17)`.
    pub(super) fn words(&self, node: u32) -> String {
        let mut words = self.label(node).to_owned();
        if let Some(name) = self.name(node) {
            let first_line = name.lines().next().unwrap_or_default();
            words = format!("{words} {}", shortened(first_line));
        }
        match self.place(node) {
            (Some(file), Some(line)) => format!("{words} ({file}:{line}, node {node})"),
            (Some(file), None) => format!("{words} ({file}, node {node})"),
            (None, Some(line)) => format!("{words} (line {line}, node {node})"),
            (None, None) => format!("{words} (node {node})"),
        }
    }
}

/// Opens a property; `None` if the graph does not have it.
pub(super) fn open(graph: &Graph, property: Option<PropertyId>) -> Option<Property> {
    // The comparison already reported a property that can't be opened.
    property.and_then(|id| graph.property_at(id).ok())
}

/// The values of a property of a node or an edge, as JSON: null if there is no value, otherwise the value or
/// the list.
pub(super) fn values_of(property: &Property, owner: u32) -> Json {
    let mut values: Vec<Json> = property.all(owner).map(|value| Cell::of(Some(value)).to_json()).collect();
    match values.len() {
        0 => Json::Null,
        1 if property.cardinality() != varvite::Cardinality::List => values.remove(0),
        _ => Json::Array(values),
    }
}
