//! Where in the source a node is: its METHOD, the file of that, and its line.

use serde_json::Value as Json;
use varvite::{Adjacency, Graph, LabelNodes, Property};

use crate::failure::Failure;
use crate::names::optional;
use crate::output::{Column, Format};

/// Reads the places of nodes in a code property graph; parts that the graph lacks stay empty.
pub(crate) struct Sites {
    methods: Option<LabelNodes>,
    nodes: u32,
    containers: Option<Adjacency>,
    parents: Option<Adjacency>,
    full_name: Option<Property>,
    file_name: Option<Property>,
    line: Option<Property>,
}

impl Sites {
    /// A reader for one graph.
    pub(crate) fn of(graph: &Graph) -> Result<Self, Failure> {
        Ok(Self {
            methods: optional(graph.nodes("METHOD"))?,
            nodes: graph.node_count(),
            containers: optional(graph.in_("CONTAINS"))?,
            parents: optional(graph.in_("AST"))?,
            full_name: optional(graph.property("FULL_NAME"))?,
            file_name: optional(graph.property("FILENAME"))?,
            line: optional(graph.property("LINE_NUMBER"))?,
        })
    }

    /// The METHOD that a node is or is in: the one that contains it, else the nearest above it in the syntax tree.
    pub(crate) fn method_around(&self, node: u32) -> Option<u32> {
        if self.is_method(node) { Some(node) } else { self.method_of(node) }
    }

    /// The METHOD that a node is in.
    pub(crate) fn method_of(&self, node: u32) -> Option<u32> {
        let container = self
            .containers
            .as_ref()
            .and_then(|containers| containers.neighbors(node).find(|container| self.is_method(*container)));
        container.or_else(|| {
            let parents = self.parents.as_ref()?;
            let above = std::iter::successors(parents.first(node), |above| parents.first(*above));
            // No path in a tree is longer than the tree, but a foreign graph may call a cycle AST.
            above.take(self.nodes as usize).find(|above| self.is_method(*above))
        })
    }

    fn is_method(&self, node: u32) -> bool {
        self.methods.as_ref().is_some_and(|methods| methods.contains(node))
    }

    /// What the graph calls a METHOD.
    pub(crate) fn name_of(&self, method: u32) -> Option<String> {
        self.full_name.as_ref()?.str(method).map(String::from)
    }

    /// File and line of a node, as editors and terminals can follow them.
    pub(crate) fn place_of(&self, node: u32) -> Option<String> {
        match self.cells(node, self.method_around(node), Format::Table).pop() {
            Some(Json::String(place)) => Some(place),
            _ => None,
        }
    }

    /// The columns that [`Sites::cells`] fills: for people one, which editors and terminals can follow.
    pub(crate) fn columns(format: Format) -> Vec<Column> {
        match format {
            Format::Table => vec![Column::text("location")],
            _ => vec![Column::text("file"), Column::number("line")],
        }
    }

    /// File and line of a node in a METHOD.
    pub(crate) fn cells(&self, node: u32, method: Option<u32>, format: Format) -> Vec<Json> {
        let file = self
            .file_name
            .as_ref()
            .zip(method)
            .and_then(|(names, method)| names.str(method))
            .map(String::from);
        let line = self.line.as_ref().and_then(|lines| lines.number(node));
        match format {
            Format::Table => {
                let file = file.unwrap_or_else(|| "?".into());
                vec![line.map_or(file.as_str().into(), |line| format!("{file}:{line}").into())]
            }
            _ => vec![file.into(), line.into()],
        }
    }
}
