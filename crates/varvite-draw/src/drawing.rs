//! [`Drawing`]: the texts of the nodes and edges of a part.

use std::collections::BTreeSet;

use varvite::error::optional;
use varvite::{Graph, Property};
use varvite_cpg::{Part, PartEdge, Sites};
use varvite_show::{Beginning, LabelNames};

use crate::error::Result;

/// The most bytes of the text of a node: more than any format shows.
const TEXT_BYTES_MAX: usize = 4096;

/// A drawing of a part of a graph, before its nodes have places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// The name of the drawing.
    pub title: String,
    /// The nodes, with ascending ids.
    pub nodes: Vec<DrawnNode>,
    /// The edges.
    pub edges: Vec<DrawnEdge>,
    /// The number of nodes that the limit of the part left out.
    pub cut: usize,
}

/// A node of a drawing. The texts are those of the graph, so they may hold any character.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawnNode {
    /// The node's id in the graph.
    pub id: u32,
    /// The label of the node, such as CALL.
    pub label: String,
    /// The beginning of the node's code or name, at most 4096 bytes. A METHOD has its FULL_NAME.
    pub text: String,
    /// The name of the source file.
    pub file: Option<String>,
    /// The line in the file, counted from 1.
    pub line: Option<i64>,
}

/// An edge of a drawing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawnEdge {
    /// The position of the source in [`Drawing::nodes`].
    pub source: usize,
    /// The position of the target in [`Drawing::nodes`].
    pub target: usize,
    /// The label of the edge, such as CFG.
    pub label: String,
    /// The number of edges or calls.
    pub count: u64,
    /// The variables whose values flow along the edge.
    pub variables: Vec<String>,
}

impl Drawing {
    /// The drawing of a part, with this title. Reads the label, texts and location of each node.
    ///
    /// # Errors
    /// [`DrawError`](crate::DrawError) if the graph can't be read.
    pub fn of(graph: &Graph, part: &Part, title: &str) -> Result<Self> {
        let (labels, sites) = (LabelNames::of(graph)?, Sites::open(graph)?);
        let mut sites = sites.cursor();
        let texts = Texts::open(graph)?;
        let mut node = |id: u32| {
            let label = labels.of_node(id).to_owned();
            let (text, site) = (texts.of(id, label == "METHOD"), sites.at(id));
            DrawnNode { id, label, text, file: site.file.map(str::to_owned), line: site.line }
        };
        let nodes: Vec<DrawnNode> = part.nodes.iter().map(|id| node(*id)).collect();
        // A damaged value that was met above would be missing in the drawing.
        graph.check()?;
        let edges = part.edges.iter().filter_map(|edge| drawn_edge(part, edge)).collect();
        Ok(Self { title: title.to_owned(), nodes, edges, cut: part.cut })
    }

    /// The labels of the edges, sorted.
    pub fn edge_labels(&self) -> Vec<&str> {
        let labels: BTreeSet<&str> = self.edges.iter().map(|edge| &*edge.label).collect();
        labels.into_iter().collect()
    }
}

impl DrawnNode {
    /// The location as `file:line`; without a file, `None`.
    pub fn place(&self) -> Option<String> {
        let line = self.line.map(|line| format!(":{line}")).unwrap_or_default();
        Some(format!("{}{line}", self.file.as_ref()?))
    }
}

impl DrawnEdge {
    /// The text beside the edge: its label if `is_mixed`, its variables, and its count if there are several
    /// without variables.
    pub fn text(&self, is_mixed: bool) -> String {
        let label = is_mixed.then(|| self.label.clone());
        let variables = (!self.variables.is_empty()).then(|| self.variables.join(", "));
        let count = (self.count > 1 && variables.is_none()).then(|| self.count.to_string());
        [label, variables, count].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

fn drawn_edge(part: &Part, edge: &PartEdge) -> Option<DrawnEdge> {
    let position = |node| part.nodes.binary_search(&node).ok();
    Some(DrawnEdge {
        source: position(edge.source)?,
        target: position(edge.target)?,
        label: edge.label.clone(),
        count: edge.count,
        variables: edge.variables.clone(),
    })
}

/// The properties with the texts of nodes.
struct Texts {
    full_name: Option<Property>,
    code: Option<Property>,
    name: Option<Property>,
}

impl Texts {
    fn open(graph: &Graph) -> Result<Self> {
        let property = |name| optional(graph.property(name));
        Ok(Self { full_name: property("FULL_NAME")?, code: property("CODE")?, name: property("NAME")? })
    }

    /// The text of a node. FULL_NAME tells METHODs apart; the code of other nodes says more than their name.
    fn of(&self, node: u32, is_method: bool) -> String {
        let full_name = self.full_name.as_ref().filter(|_| is_method);
        let mut texts = [full_name, self.code.as_ref(), self.name.as_ref()].into_iter().flatten();
        texts
            .find_map(|texts| Beginning::of(texts, node, TEXT_BYTES_MAX))
            .map(|beginning| beginning.text)
            .unwrap_or_default()
    }
}
