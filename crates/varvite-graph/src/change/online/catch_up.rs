//! [`CatchUp`]: brings a new file up to date. The file was written from one state of a graph; the commits
//! since that state are applied to it as diffs.
//!
//! Both states have the same columns of the base, so they differ only in their changes: appended nodes and
//! edges, removed nodes and edges, and owners of changed values. The cost is proportional to all changes
//! since the columns were written.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use varvite_format::{EdgeLabelId, PropertyId};
use varvite_store::{Scratch, Task};

use super::super::change_set::{ChangeSet, EdgeChanges};
use super::super::decode::decode_structure;
use super::super::diff::{Diff, PropertyOwner};
use super::super::element::{ElementRef, NewEdge, NewNode, NodeRef};
use super::super::new_rows::LAYER;
use super::super::new_value::NewValue;
use super::numbers::Numbers;
use crate::change_error::ChangeError;
use crate::cursor::property::Property;
use crate::cursor::value::Value;
use crate::error::Result;
use crate::graph::Graph;
use crate::write::GraphChange;

/// The state of a graph whose commits a new file already has.
pub(super) struct CatchUp {
    /// The graph at the last commit that the new file has.
    state: Graph,
    /// The changes of nodes and edges in `state`, without the changes of values.
    structure: ChangeSet,
    numbers: Numbers,
    scratch: Arc<Scratch>,
}

impl CatchUp {
    /// Starts catching up: the file has everything that `state` has, under the numbers in `numbers`.
    pub(super) fn new(state: Graph, numbers: Numbers, scratch: &Arc<Scratch>) -> Result<Self, ChangeError> {
        let structure = decode_structure(&state, Some(scratch))?;
        Ok(Self { state, structure, numbers, scratch: Arc::clone(scratch) })
    }

    /// The newest commit of the graph; `None` if the new file already has it. The commit is read from the
    /// file from which the state was read: another file under the same name may have a longer history, and
    /// other ids for the same nodes.
    ///
    /// # Errors
    /// [`StoreError::Replaced`](varvite_store::StoreError::Replaced) if the name refers to another file by
    /// now; damage; an error of the file system.
    pub(super) fn newest(&self) -> Result<Option<Graph>> {
        self.state.store().reopen()?.map(Graph::of_store).transpose()
    }

    pub(super) fn into_nodes(self) -> Option<Vec<u32>> {
        self.numbers.into_nodes()
    }

    /// Whether `now` is a later state of the same file and differs from this state only in its changes. If
    /// reading the last directory fails once, an earlier state is opened; going back to that state would
    /// remove commits from the new file.
    pub(super) fn can_reach(&self, now: &Graph) -> bool {
        let (before, now) = (&self.state, now);
        let place = |graph: &Graph| (graph.store().superblock().generation, graph.store().log().records());
        let is_later = place(before) < place(now);
        let is_same_base = before.store().directory().base_nodes() == now.store().directory().base_nodes()
            && before.tree_label() == now.tree_label();
        let layer_of = |layer: u32| now.layers().get(layer as usize).map(|layer| layer.name.as_str());
        let indexed = |graph: &Graph| {
            let rows = graph.store().directory().text_indexes.iter();
            rows.map(|row| row.property).collect::<BTreeSet<PropertyId>>()
        };
        is_later
            && is_same_base
            && indexed(before) == indexed(now)
            && is_grown(&layers(before), &layers(now), |(name, nodes, ..)| *name == LAYER && nodes.is_none())
            && is_grown(&labels(before), &labels(now), |(_, layer)| layer_of(*layer) == Some(LAYER))
            && is_grown(&edge_labels(before), &edge_labels(now), |(_, layer)| layer_of(*layer) == Some(LAYER))
            && is_grown(&properties(before), &properties(now), |(.., layer)| layer_of(*layer) == Some(LAYER))
    }

    /// Commits the changes between this state and `now` to the new file, through `file`. Writes nothing if
    /// there are no changes.
    pub(super) fn reach(
        &mut self,
        now: Graph,
        file: GraphChange,
        mut diff: Diff,
        task: &Task<'_>,
    ) -> Result<(), ChangeError> {
        let structure = decode_structure(&now, Some(&self.scratch))?;
        let mut step = Step {
            state: &self.state,
            before: &self.structure,
            now: &now,
            after: &structure,
            numbers: &self.numbers,
            new_nodes: Vec::new(),
            new_edges: BTreeMap::new(),
        };
        step.declare(&mut diff);
        step.nodes(&mut diff)?;
        task.check()?;
        step.edges(&mut diff, task)?;
        step.values(&mut diff, task)?;
        now.check()?;
        self.state.check()?;
        let Step { new_nodes, new_edges, .. } = step;
        let applied = file.apply_with(&diff, task)?;
        let first = self.state.node_count();
        let gone = structure.removed.iter().take_while(|node| *node < first);
        for node in gone.filter(|node| !self.structure.removed.contains(*node)) {
            self.numbers.forget_node(first, node);
        }
        for (node, new_node) in (first..).zip(new_nodes) {
            self.numbers.push_node(node, new_node.map(|new_node| applied.node(new_node)));
        }
        for (label, (first, new_edges)) in new_edges {
            let name = &now.edge_labels()[label.index()].name;
            for (rank, new_edge) in (first..).zip(new_edges) {
                self.numbers.push_edge(name, rank, new_edge.and_then(|new_edge| applied.edge(new_edge)));
            }
        }
        (self.state, self.structure) = (now, structure);
        Ok(())
    }
}

/// A state of the graph and a later state.
struct Step<'a> {
    state: &'a Graph,
    before: &'a ChangeSet,
    now: &'a Graph,
    after: &'a ChangeSet,
    numbers: &'a Numbers,
    /// For each node that was appended between the two states, the node that the diff adds; `None` if the
    /// appended node was removed again.
    new_nodes: Vec<Option<NewNode>>,
    /// For each edge label, the rank of the first appended edge; and for each appended edge, the edge that
    /// the diff adds, or `None` if the appended edge was removed again.
    new_edges: BTreeMap<EdgeLabelId, (u32, Vec<Option<NewEdge>>)>,
}

impl Step<'_> {
    fn declare(&self, diff: &mut Diff) {
        for label in &self.now.labels()[self.state.labels().len()..] {
            diff.declare_label(&label.name);
        }
        for label in &self.now.edge_labels()[self.state.edge_labels().len()..] {
            diff.declare_edge_label(&label.name);
        }
        for property in &self.now.properties()[self.state.properties().len()..] {
            let owner = property.edge_label.as_deref();
            let owner = owner.map_or(PropertyOwner::Nodes, PropertyOwner::Edges);
            diff.declare_property(&property.name, owner, property.value_type, property.cardinality);
        }
    }

    fn nodes(&mut self, diff: &mut Diff) -> Result<(), ChangeError> {
        let (first, end) = (self.state.node_count(), self.now.node_count());
        let gone = self.after.removed.iter().filter(|node| *node < first);
        for node in gone.filter(|node| !self.before.removed.contains(*node)) {
            if let Some(node) = self.numbers.node(node) {
                diff.remove_node(node);
            }
        }
        let labels = self.now.label_sets()?;
        for node in first..end {
            self.new_nodes.push((!self.after.removed.contains(node)).then(|| {
                let names = labels.of(node).map(|label| self.now.labels()[label.index()].name.as_str());
                diff.add_node(&names.collect::<Vec<&str>>())
            }));
        }
        Ok(())
    }

    /// The diff's reference to a node; `None` if the node was removed.
    fn node(&self, node: u32) -> Option<NodeRef> {
        if self.after.removed.contains(node) {
            return None;
        }
        match node.checked_sub(self.state.node_count()) {
            None => self.numbers.node(node).map(NodeRef::Node),
            Some(came) => self.new_nodes.get(came as usize).copied().flatten().map(NodeRef::New),
        }
    }

    fn edges(&mut self, diff: &mut Diff, task: &Task<'_>) -> Result<(), ChangeError> {
        for (label, after) in &self.after.edges {
            task.check()?;
            let name = &self.now.edge_labels()[label.index()].name;
            let first = self.before.edges.get(label).map_or(after.first, EdgeChanges::end);
            let before = self.before.edges.get(label).map(|before| &before.removed);
            let gone = after.removed.iter().take_while(|rank| *rank < first);
            let gone: Vec<u32> =
                gone.filter(|rank| before.is_none_or(|before| !before.contains(*rank))).collect();
            for rank in self.numbers.edges(name, &gone)?.into_iter().flatten() {
                diff.remove_edge(name, rank);
            }
            let mut came = Vec::new();
            after.ends.for_each(|number, source, target| {
                let rank = after.first + number;
                if rank >= first {
                    let is_gone = after.removed.contains(rank);
                    let ends = self.node(source).zip(self.node(target)).filter(|_| !is_gone);
                    came.push(ends.map(|(source, target)| diff.add_edge(name, source, target)));
                }
                Ok(())
            })?;
            self.new_edges.insert(*label, (first, came));
        }
        Ok(())
    }

    fn values(&self, diff: &mut Diff, task: &Task<'_>) -> Result<(), ChangeError> {
        for (id, info) in self.now.property_ids().zip(self.now.properties()) {
            task.check()?;
            let (before, after) = (self.changed_owners(self.state, id)?, self.changed_owners(self.now, id)?);
            let owners: BTreeSet<u32> = before.into_iter().chain(after).collect();
            if owners.is_empty() {
                continue;
            }
            let is_known = id.index() < self.state.properties().len();
            let was = is_known.then(|| self.state.property_at(id)).transpose()?;
            let is = self.now.property_at(id)?;
            let differs = |owner: &u32| {
                let was = was.as_ref().filter(|was| *owner < was.owner_limit());
                !was.map_or(!is.is_present(*owner), |was| is_same(was, &is, *owner))
            };
            let owners: Vec<u32> = owners.into_iter().filter(differs).collect();
            match &info.edge_label {
                None => {
                    for owner in owners {
                        if let Some(node) = self.node(owner) {
                            self.set(diff, node.into(), &info.name, &is, owner);
                        }
                    }
                }
                Some(label) => self.values_of_edges(diff, label, &info.name, &is, &owners)?,
            }
        }
        Ok(())
    }

    fn values_of_edges(
        &self,
        diff: &mut Diff,
        label: &str,
        property: &str,
        values: &Property,
        owners: &[u32],
    ) -> Result<(), ChangeError> {
        let id = self.now.edge_label(label)?;
        let none = (u32::MAX, Vec::new());
        let (first, came) = self.new_edges.get(&id).unwrap_or(&none);
        let removed = self.after.edges.get(&id).map(|after| &after.removed);
        let stays = |rank: &&u32| removed.is_none_or(|removed| !removed.contains(**rank));
        let (old, new) = owners.split_at(owners.partition_point(|rank| rank < first));
        let old: Vec<u32> = old.iter().filter(stays).copied().collect();
        for (rank, number) in old.iter().zip(self.numbers.edges(label, &old)?) {
            if let Some(number) = number {
                self.set(diff, ElementRef::Edge(label, number), property, values, *rank);
            }
        }
        for rank in new {
            if let Some(edge) = came.get((rank - first) as usize).copied().flatten() {
                self.set(diff, edge.into(), property, values, *rank);
            }
        }
        Ok(())
    }

    /// The owners whose values of this property are in the changes of a graph, not in its base.
    fn changed_owners(&self, graph: &Graph, property: PropertyId) -> Result<Vec<u32>, ChangeError> {
        let changes = graph.store().directory().changes.as_ref();
        let Some(row) = changes.and_then(|changes| changes.of_property(property)) else {
            return Ok(Vec::new());
        };
        let limit = graph.property_at(property)?.owner_limit();
        Ok(graph.set(row.owners, limit)?.iter().collect())
    }

    /// Adds an operation that gives `owner` the values that the element `of` has in the later state.
    fn set(&self, diff: &mut Diff, owner: ElementRef<'_>, property: &str, values: &Property, of: u32) {
        let found: Vec<Value<'_>> = values.all(of).collect();
        diff.set(owner, property, found.iter().map(|value| NewValue::of(value, |node| self.node(node))));
    }
}

/// Whether an owner has the same values in both states. NaN counts as different from itself, which only costs
/// a superfluous operation.
fn is_same(before: &Property, now: &Property, owner: u32) -> bool {
    before.all(owner).eq(now.all(owner))
}

/// Whether `now` starts with all items of `before`, and diffs can declare all further items.
fn is_grown<T: PartialEq>(before: &[T], now: &[T], is_declared: impl Fn(&T) -> bool) -> bool {
    now.starts_with(before) && now[before.len()..].iter().all(is_declared)
}

type LayerKey<'g> = (&'g str, Option<u32>, &'g str, &'g str, [u8; 32]);

fn layers(graph: &Graph) -> Vec<LayerKey<'_>> {
    let rows = graph.store().directory().layers.iter().map(|row| row.nodes);
    let layers = graph.layers().iter().zip(rows);
    layers
        .map(|(it, nodes)| (it.name.as_str(), nodes, it.tool.as_str(), it.version.as_str(), it.source))
        .collect()
}

fn labels(graph: &Graph) -> Vec<(&str, u32)> {
    graph.labels().iter().map(|label| (label.name.as_str(), label.layer)).collect()
}

fn edge_labels(graph: &Graph) -> Vec<(&str, u32)> {
    graph.edge_labels().iter().map(|label| (label.name.as_str(), label.layer)).collect()
}

fn properties(graph: &Graph) -> Vec<(Option<&str>, &str, u32)> {
    let properties = graph.properties().iter();
    properties.map(|it| (it.edge_label.as_deref(), it.name.as_str(), it.layer)).collect()
}
