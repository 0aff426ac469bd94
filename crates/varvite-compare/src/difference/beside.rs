//! [`Beside`]: the differences of two graphs that are not differences of nodes, values or edges. All
//! differences together are complete: two graphs without any difference have equal digests.

use super::compared::Difference;
use super::unreachable::{Origins, has_changes, layer_of};
use varvite_graph::{Graph, GraphError, NameKind, Result, ScratchVec};

/// A difference of two graphs that is not a difference of nodes, values or edges.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Beside {
    /// A root that both graphs have comes before another root in one graph, and after that root in the other
    /// graph. Roots are nodes without a parent in the tree: files, types, and every node of a graph without a
    /// tree label.
    RootOrder {
        /// The ids of the root in both graphs.
        nodes: [u32; 2],
    },
    /// The graphs have the same nodes in the same order along the tree, but with different ids: in one of the
    /// graphs, ids are not in pre-order of the tree.
    Numbering,
    /// Nodes of a label have different origins. An origin is a node's number in the imported file, which an
    /// export restores.
    SourceNumbers {
        /// The label of the nodes.
        label: String,
    },
    /// Both graphs declare an element with this name, but the declarations differ.
    Declaration {
        /// The kind of the element.
        kind: NameKind,
        /// The name of the element.
        name: String,
        /// For a property of edges, the label of the edges.
        edge_label: Option<String>,
        /// The part of the declaration that differs.
        what: DeclaredAs,
        /// The declaration in each graph.
        of: [String; 2],
    },
    /// Only one of the graphs has a layer with this name.
    Layer {
        /// The name of the layer.
        name: String,
        /// The graph that has the layer, 0 or 1.
        side: usize,
    },
    /// The tree labels of the graphs differ.
    TreeLabel {
        /// The tree label of each graph; `None` if it has none.
        of: [Option<String>; 2],
    },
}

/// A part of the declaration of a label, an edge label or a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeclaredAs {
    /// The layer of the element.
    Layer,
    /// The default value, which owners without a stored value have.
    Default,
    /// The number of nodes of the label in the imported file.
    SourceCount,
    /// Whether the edge label has the column of places, which leads from an in-list to the values of its
    /// edges.
    Places,
}

impl DeclaredAs {
    /// The name of this part, in one or a few words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Layer => "layer",
            Self::Default => "default",
            Self::SourceCount => "count of nodes in the file that they came from",
            Self::Places => "column from in-lists to values",
        }
    }
}

/// The text that stands for a missing default of a property, or a missing column.
const NONE: &str = "none";

impl Difference<'_> {
    /// Calls `visit` with each difference that is not a difference of nodes, values or edges, except for
    /// names that only one graph has. If [`visit`](Self::visit) finds nothing either, the digests of both
    /// graphs are equal; a graph with changes must first be compacted. Reads the origins of nodes.
    ///
    /// # Errors
    /// The first damage that is found, and the errors of `visit`.
    pub fn visit_beside(&self, mut visit: impl FnMut(&Beside) -> Result<()>) -> Result<()> {
        self.layers(&mut visit)?;
        self.declarations(&mut visit)?;
        self.source_numbers(&mut visit)?;
        self.order_of_nodes(&mut visit)
    }

    fn layers(&self, visit: &mut impl FnMut(&Beside) -> Result<()>) -> Result<()> {
        let names = |side: usize| {
            let mut names: Vec<&str> =
                self.graph(side).layers().iter().map(|layer| layer.name.as_str()).collect();
            names.sort_unstable();
            names
        };
        let both = [names(0), names(1)];
        for (side, names) in both.iter().enumerate() {
            for name in names.iter().filter(|name| both[1 - side].binary_search(name).is_err()) {
                visit(&Beside::Layer { name: (*name).to_owned(), side })?;
            }
        }
        let of = [0, 1].map(|side| self.graph(side).tree_label().map(str::to_owned));
        if of[0] == of[1] { Ok(()) } else { visit(&Beside::TreeLabel { of }) }
    }

    fn declarations(&self, visit: &mut impl FnMut(&Beside) -> Result<()>) -> Result<()> {
        let mut tell = |kind, name: &str, edge_label: Option<&str>, what, of: [String; 2]| {
            if of[0] == of[1] {
                return Ok(());
            }
            let (name, edge_label) = (name.to_owned(), edge_label.map(str::to_owned));
            visit(&Beside::Declaration { kind, name, edge_label, what, of })
        };
        let layer = |side: usize, layer: u32| layer_of(self.graph(side), layer).to_owned();
        for (name, labels) in self.labels_of_both() {
            let info = [0, 1].map(|side| &self.graph(side).labels()[labels[side].index()]);
            let layers = [0, 1].map(|side| layer(side, info[side].layer));
            tell(NameKind::Label, name, None, DeclaredAs::Layer, layers)?;
        }
        for label in &self.schema.edge_labels {
            let [Some(first), Some(second)] = label.ids else { continue };
            let ids = [first, second];
            let layers =
                [0, 1].map(|side| layer(side, self.graph(side).edge_labels()[ids[side].index()].layer));
            tell(NameKind::EdgeLabel, &label.name, None, DeclaredAs::Layer, layers)?;
            let places = [0, 1].map(|side| {
                let row = &self.graph(side).store().directory().edge_labels[ids[side].index()];
                if row.places.is_some() { "there" } else { NONE }.to_owned()
            });
            tell(NameKind::EdgeLabel, &label.name, None, DeclaredAs::Places, places)?;
        }
        for property in &self.schema.properties {
            let [Some(first), Some(second)] = property.ids else { continue };
            let ids = [first, second];
            let (name, edge_label) = (property.name.as_str(), property.edge_label.as_deref());
            let kind = if edge_label.is_some() { NameKind::EdgeProperty } else { NameKind::Property };
            let info = [0, 1].map(|side| &self.graph(side).properties()[ids[side].index()]);
            let layers = [0, 1].map(|side| layer(side, info[side].layer));
            tell(kind, name, edge_label, DeclaredAs::Layer, layers)?;
            let defaults = info.map(|info| info.default.clone().unwrap_or_else(|| NONE.to_owned()));
            tell(kind, name, edge_label, DeclaredAs::Default, defaults)?;
        }
        Ok(())
    }

    /// Labels that both graphs have, with their ids.
    fn labels_of_both(&self) -> Vec<(&str, [varvite_format::LabelId; 2])> {
        let of = |graph: &Graph, name: &str| graph.label(name).ok();
        let [first, second] = [self.graph(0), self.graph(1)];
        let labels = first.label_ids().zip(first.labels());
        let both = labels.filter_map(|(id, label)| Some((&*label.name, [id, of(second, &label.name)?])));
        both.collect()
    }

    /// Compares the origins of nodes, but only for labels whose nodes are all in both graphs. If a node is in
    /// only one graph, the origins of its label differ in any case.
    fn source_numbers(&self, visit: &mut impl FnMut(&Beside) -> Result<()>) -> Result<()> {
        for (name, labels) in self.labels_of_both() {
            let nodes = [self.graph(0).nodes_of(labels[0])?, self.graph(1).nodes_of(labels[1])?];
            let is_alone = |side: usize, node: u32| match side {
                0 => self.second_of(node).is_none(),
                _ => self.first_of(node).is_none(),
            };
            if (0..2).any(|side| nodes[side].iter().any(|node| is_alone(side, node))) {
                continue;
            }
            let origins = |side: usize| {
                let is_folded = has_changes(self.graph(side));
                Origins::of(self, side, labels[side], &nodes[side], is_folded, false)
            };
            let [first, second] = [origins(0)?, origins(1)?];
            if first.count != second.count {
                let of = [first.count.to_string(), second.count.to_string()];
                let (kind, name, what) = (NameKind::Label, name.to_owned(), DeclaredAs::SourceCount);
                visit(&Beside::Declaration { kind, name, edge_label: None, what, of })?;
            }
            // If a label has no column of origins, its origins follow from the order of its nodes, and the
            // order of nodes is compared elsewhere.
            let is_stored =
                |side: usize| Ok::<_, GraphError>(self.graph(side).origin(labels[side])?.is_some());
            if first.numbers != second.numbers && (is_stored(0)? || is_stored(1)?) {
                visit(&Beside::SourceNumbers { label: name.to_owned() })?;
            }
        }
        Ok(())
    }

    fn order_of_nodes(&self, visit: &mut impl FnMut(&Beside) -> Result<()>) -> Result<()> {
        let [first, second] = &self.walks;
        // A bit for each node of the first graph, set if the node is a root or is not below any root.
        let mut tops = ScratchVec::filled(self.passes[0], 0u64, first.len().div_ceil(64) as usize)?;
        for node in first.roots().chain(first.rootless()) {
            tops[node as usize / 64] |= 1 << (node % 64);
        }
        let is_top = |node: u32| tops[node as usize / 64] >> (node % 64) & 1 != 0;
        let mut are_in_order = true;
        for nodes in [&mut second.roots() as &mut dyn Iterator<Item = u32>, &mut second.rootless()] {
            let mut last = 0;
            for node in nodes {
                let Some(partner) = self.map.partner(1, node).filter(|partner| is_top(*partner)) else {
                    continue;
                };
                if partner < last {
                    are_in_order = false;
                    visit(&Beside::RootOrder { nodes: [first.id(partner), second.id(node)] })?;
                }
                last = last.max(partner);
            }
        }
        let are_changed = (0..2).any(|side| has_changes(self.graph(side)));
        let positions = || (0..first.len()).all(|position| self.map.partner(0, position) == Some(position));
        let ids = || (0..first.len()).all(|position| first.id(position) == second.id(position));
        if !are_changed && are_in_order && first.len() == second.len() && positions() && !ids() {
            visit(&Beside::Numbering)?;
        }
        Ok(())
    }
}
