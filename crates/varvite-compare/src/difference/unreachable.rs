//! [`Unreachable`]: a difference of two graphs that no diff can remove.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;

use varvite_format::LabelId;

use super::compared::Difference;
use varvite_graph::change::Diff;
use varvite_graph::{Graph, LabelNodes, NameKind, Result};

/// A difference that remains between the two graphs after the diff was applied to the first one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unreachable {
    /// The first graph's schema has an element with this name, but the second graph's does not. A diff can't
    /// remove elements of a schema.
    OnlyFirst {
        /// The kind of the element.
        kind: NameKind,
        /// The name of the element.
        name: String,
    },
    /// The second graph has a layer with this name, but the first does not. A diff creates no layer except
    /// `diff`.
    OnlySecond {
        /// The name of the layer.
        layer: String,
    },
    /// An element of the schema differs between the two graphs.
    Schema {
        /// The kind of the element.
        kind: NameKind,
        /// The name of the element.
        name: String,
        /// The part of the declaration that differs, such as `type`.
        what: &'static str,
        /// The declaration in the first graph with the diff applied.
        first: String,
        /// The declaration in the second graph.
        second: String,
    },
    /// The tree labels of the graphs differ.
    TreeLabel {
        /// The tree label of the first graph; `None` if it has none.
        first: Option<String>,
        /// The tree label of the second graph; `None` if it has none.
        second: Option<String>,
    },
    /// The ids of the second graph are not in pre-order of its tree, while the ids of the first graph will
    /// be, because compacting puts them in pre-order.
    Numbering,
    /// Nodes of a label have different origins (numbers in the imported file). A diff can't change origins.
    Origin {
        /// The label of the nodes.
        label: String,
    },
    /// One of the graphs has the column of places, which leads from in-lists to ranks, and the other does
    /// not.
    Places {
        /// The label of the edges.
        edge_label: String,
    },
    /// There is no order of appending edges that gives both the out-lists and the in-lists of this label.
    Order {
        /// The label of the edges.
        edge_label: String,
        /// An upper bound on the number of edges whose positions in their in-lists differ.
        edges: u64,
    },
}

impl fmt::Display for Unreachable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OnlyFirst { kind, name } => {
                write!(formatter, "{kind} {name} is only in the first graph; a diff cannot remove a {kind}")
            }
            Self::OnlySecond { layer } => {
                write!(
                    formatter,
                    "layer {layer} is only in the second graph; a diff can add only the \
                                   layer \"diff\""
                )
            }
            Self::Schema { kind, name, what, first, second } => {
                write!(
                    formatter,
                    "{what} of {kind} {name} is {first}, and {second} in the second graph; \
                                   a diff cannot change it"
                )
            }
            Self::TreeLabel { first, second } => {
                let name = |label: &Option<String>| label.clone().unwrap_or_else(|| "none".to_owned());
                let (first, second) = (name(first), name(second));
                write!(
                    formatter,
                    "the tree label is {first}, and {second} in the second graph; a diff \
                                   cannot change it"
                )
            }
            Self::Numbering => formatter.write_str(
                "the ids of the second graph are not in pre-order of its tree; `varvite compact` numbers \
                 the first graph in pre-order",
            ),
            Self::Origin { label } => write!(
                formatter,
                "nodes of label {label} have different numbers in the imported file of the second graph"
            ),
            Self::Places { edge_label } => write!(
                formatter,
                "only one of the graphs has the column from in-lists of {edge_label} to edge values"
            ),
            Self::Order { edge_label, edges } => write!(
                formatter,
                "{edges} edges {edge_label} need an order of in-lists that appending edges cannot produce"
            ),
        }
    }
}

/// Collects the differences of the schemas that a diff can't remove.
pub(super) fn unreachable_schema(difference: &Difference<'_>, diff: &Diff) -> Result<Vec<Unreachable>> {
    let mut found = Found {
        difference,
        is_folded: has_changes(difference.graph(0)) || !diff.is_empty(),
        all: Vec::new(),
    };
    found.layers();
    found.labels()?;
    found.edge_labels();
    found.properties();
    found.numbering();
    Ok(found.all)
}

pub(super) fn has_changes(graph: &Graph) -> bool {
    graph.store().directory().changes.is_some()
}

struct Found<'d> {
    difference: &'d Difference<'d>,
    /// Whether compacting the first graph, after the diff was applied, writes the graph anew.
    is_folded: bool,
    all: Vec<Unreachable>,
}

/// The layer to which the labels and properties that diffs declare belong.
const DIFF_LAYER: &str = "diff";

impl<'d> Found<'d> {
    fn graphs(&self) -> [&'d Graph; 2] {
        [self.difference.graph(0), self.difference.graph(1)]
    }

    fn only_first(&mut self, kind: NameKind, name: &str) {
        self.all.push(Unreachable::OnlyFirst { kind, name: name.to_owned() });
    }

    /// Records a declaration that differs between the schemas.
    fn compare(&mut self, kind: NameKind, name: &str, what: &'static str, of: [String; 2]) {
        let [first, second] = of;
        if first != second {
            self.all.push(Unreachable::Schema { kind, name: name.to_owned(), what, first, second });
        }
    }

    fn layers(&mut self) {
        let names = |graph: &Graph| graph.layers().iter().map(|layer| layer.name.clone()).collect::<Vec<_>>();
        let [mut first, mut second] = self.graphs().map(names);
        if self.declares_something() && !first.iter().any(|name| name == DIFF_LAYER) {
            first.push(DIFF_LAYER.to_owned());
        }
        first.sort_unstable();
        second.sort_unstable();
        for layer in first.iter().filter(|layer| !second.contains(layer)) {
            self.only_first(NameKind::Layer, layer);
        }
        for layer in second.into_iter().filter(|layer| !first.contains(layer)) {
            self.all.push(Unreachable::OnlySecond { layer });
        }
    }

    fn declares_something(&self) -> bool {
        let schema = &self.difference.schema;
        let [first, second] = self.graphs();
        let known: BTreeSet<&str> = first.labels().iter().map(|label| label.name.as_str()).collect();
        second.labels().iter().any(|label| !known.contains(label.name.as_str()))
            || schema.edge_labels.iter().any(|label| label.ids[0].is_none())
            || schema.properties.iter().any(|property| property.ids[0].is_none())
    }

    fn labels(&mut self) -> Result<()> {
        let [first, second] = self.graphs();
        let names = |graph: &'d Graph| graph.labels().iter().map(|label| label.name.as_str());
        let of_second: HashSet<&str> = names(second).collect();
        for name in names(first).filter(|name| !of_second.contains(name)) {
            self.only_first(NameKind::Label, name);
        }
        let of_first: HashMap<&str, usize> = names(first).zip(0..).collect();
        for (id, label) in second.label_ids().zip(second.labels()) {
            let known = of_first.get(label.name.as_str()).copied();
            let layer = known.map_or(DIFF_LAYER, |known| layer_of(first, first.labels()[known].layer));
            let layers = [layer.to_owned(), layer_of(second, label.layer).to_owned()];
            self.compare(NameKind::Label, &label.name, "layer", layers);
            self.origin(known.map(LabelId::from_index), id, &label.name)?;
        }
        Ok(())
    }

    /// Compares the origins of a label's nodes, and the number of its nodes in the imported file.
    fn origin(&mut self, first: Option<LabelId>, second: LabelId, name: &str) -> Result<()> {
        let difference = self.difference;
        let members = difference.graph(1).nodes_of(second)?;
        let after = Origins::of(difference, 1, second, &members, has_changes(difference.graph(1)), false)?;
        let before = match first {
            None => Origins { count: 0, numbers: None },
            Some(first) => {
                let own = difference.graph(0).nodes_of(first)?;
                let is_gone = |id: u32| difference.second_of(id).is_none();
                let is_new = |id: u32| difference.first_of(id).is_none();
                let is_changed = own.iter().any(is_gone) || members.iter().any(is_new);
                let mut before = Origins::of(difference, 0, first, &own, self.is_folded, is_changed)?;
                if is_changed && before.count > 0 {
                    before.count = before.count.max(members.len());
                }
                before
            }
        };
        let counts = [before.count.to_string(), after.count.to_string()];
        self.compare(NameKind::Label, name, "count of nodes in the file that they came from", counts);
        if before.numbers != after.numbers {
            self.all.push(Unreachable::Origin { label: name.to_owned() });
        }
        Ok(())
    }

    fn edge_labels(&mut self) {
        let difference = self.difference;
        let [first, second] = [difference.graph(0), difference.graph(1)];
        for label in &difference.schema.edge_labels {
            let Some(of_second) = label.ids[1] else {
                self.only_first(NameKind::EdgeLabel, &label.name);
                continue;
            };
            let layer = |graph: &Graph, id: varvite_format::EdgeLabelId| {
                layer_of(graph, graph.edge_labels()[id.index()].layer).to_owned()
            };
            let before = label.ids[0].map_or(DIFF_LAYER.to_owned(), |id| layer(first, id));
            let layers = [before, layer(second, of_second)];
            self.compare(NameKind::EdgeLabel, &label.name, "layer", layers);
            let places = |graph: &Graph, id: varvite_format::EdgeLabelId| {
                graph.store().directory().edge_labels[id.index()].places.is_some()
            };
            let has_places = label.ids[0].is_some_and(|id| places(first, id)) || !label.properties.is_empty();
            if has_places != places(second, of_second) {
                self.all.push(Unreachable::Places { edge_label: label.name.clone() });
            }
        }
    }

    fn properties(&mut self) {
        let difference = self.difference;
        for property in &difference.schema.properties {
            let (kind, name) = match &property.edge_label {
                None => (NameKind::Property, property.name.clone()),
                Some(label) => (NameKind::EdgeProperty, format!("{label}.{}", property.name)),
            };
            let info =
                |side: usize| property.ids[side].map(|id| &difference.graph(side).properties()[id.index()]);
            match (info(0), info(1)) {
                (Some(first), Some(second)) => {
                    let layers = [
                        layer_of(difference.graph(0), first.layer).to_owned(),
                        layer_of(difference.graph(1), second.layer).to_owned(),
                    ];
                    self.compare(kind, &name, "layer", layers);
                    let default = |default: &Option<String>| default.clone().unwrap_or("none".to_owned());
                    let defaults = [default(&first.default), default(&second.default)];
                    self.compare(kind, &name, "default", defaults);
                }
                (None, Some(second)) => {
                    let layers =
                        [DIFF_LAYER.to_owned(), layer_of(difference.graph(1), second.layer).to_owned()];
                    self.compare(kind, &name, "layer", layers);
                    let defaults = ["none".to_owned(), second.default.clone().unwrap_or("none".to_owned())];
                    self.compare(kind, &name, "default", defaults);
                }
                _ => self.only_first(kind, &name),
            }
        }
    }

    fn numbering(&mut self) {
        let [first, second] = self.graphs().map(|graph| graph.tree_label().map(str::to_owned));
        if first != second {
            self.all.push(Unreachable::TreeLabel { first, second });
        }
        let is_in_order = |side: usize| self.difference.walks[side].is_in_order();
        let second_stays = !has_changes(self.difference.graph(1));
        if second_stays && !is_in_order(1) || !self.is_folded && !is_in_order(0) {
            self.all.push(Unreachable::Numbering);
        }
    }
}

pub(super) fn layer_of(graph: &Graph, layer: u32) -> &str {
    graph.layers().get(layer as usize).map_or("", |layer| layer.name.as_str())
}

/// The origins that the nodes of a label have after compaction.
pub(super) struct Origins {
    pub(super) count: u32,
    /// The origins, in the order of the second graph's nodes. `None` if each origin is the rank of its node
    /// in that order.
    pub(super) numbers: Option<Vec<u32>>,
}

impl Origins {
    pub(super) fn of(
        difference: &Difference<'_>,
        side: usize,
        label: LabelId,
        members: &LabelNodes,
        is_folded: bool,
        is_changed: bool,
    ) -> Result<Self> {
        let graph = difference.graph(side);
        let count = match graph.labels()[label.index()].origin_count {
            count if count > 0 && is_folded => count.max(members.len()),
            count => count,
        };
        let origin = graph.origin(label)?;
        if is_changed || members.change.is_some() || count == 0 && is_folded {
            return Ok(Self { count, numbers: None });
        }
        let mut numbered = Vec::new();
        for (rank, node) in (0u32..).zip(members.iter()) {
            let in_second = if side == 0 { difference.second_of(node) } else { Some(node) };
            let position = in_second.and_then(|node| difference.walks[1].position(node));
            let number = origin.as_ref().map_or(Some(rank), |origin| origin.number(rank));
            numbered.push((position.unwrap_or(u32::MAX), number.unwrap_or(rank)));
        }
        numbered.sort_unstable();
        let numbers: Vec<u32> = numbered.into_iter().map(|(_, number)| number).collect();
        let are_ranks = numbers.iter().copied().eq(0..numbers.len() as u32);
        Ok(Self { count, numbers: (!are_ranks).then_some(numbers) })
    }
}
