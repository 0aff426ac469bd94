//! Removing nodes with their edges and values, and edges with their values.
//!
//! The edges of a node are found from their other ends: each list that one of them is in is read once, however many of the
//! removed nodes and edges it leads to. The k-th of several parallel edges in the out-list of its source is the k-th in the
//! in-list of its target, which is how the entry of a removed edge is found there.

use std::collections::{BTreeMap, HashMap};

use varvite_format::{EdgeLabelId, Owner, PropertyId};

use super::base::{BaseEdges, BaseForest, BaseLists, Reader};
use super::change_set::{ChangeSet, EdgeChanges};
use super::diff::Diff;
use super::ends::Ends;
use super::operation::{Kind, Operation};
use super::patch::Patch;
use super::refusal::{Checked, Sound};
use super::schema::Schema;
use super::sorted::{contains, insert, rise};
use crate::change_fault::{ChangeError, ChangeFault};
use crate::error::{GraphError, Result};

/// What a diff removes.
#[derive(Debug, Default)]
pub(super) struct Removals {
    /// Nodes, rising.
    pub(super) nodes: Vec<u32>,
    /// Edges that are named, rising.
    edges: BTreeMap<EdgeLabelId, Vec<u32>>,
}

impl Removals {
    /// What the operations of a diff remove.
    pub(super) fn of(
        diff: &Diff,
        schema: &Schema<'_>,
        changes: &ChangeSet,
        reader: Reader<'_>,
    ) -> Result<Self> {
        let mut removals = Self::default();
        diff.for_each(&Kind::REMOVALS, |number, operation, _| {
            let error = |fault| ChangeError { operation: number, fault };
            match operation {
                Operation::RemoveNode { node } => {
                    check_node(node, changes).map_err(error)?;
                    removals.nodes.push(node);
                }
                Operation::RemoveEdge { label, rank } => {
                    let label = schema.edge_label(label).map_err(error)?;
                    check_edge(label, rank, schema, changes, reader).map_err(|refusal| refusal.at(number))?;
                    removals.edges.entry(label).or_default().push(rank);
                }
                _ => {}
            }
            Ok::<(), GraphError>(())
        })?;
        rise(&mut removals.nodes);
        removals.edges.values_mut().for_each(rise);
        Ok(removals)
    }

    fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.edges.is_empty()
    }

    /// Takes them out of the graph.
    pub(super) fn apply(
        &self,
        changes: &mut ChangeSet,
        schema: &Schema<'_>,
        reader: Reader<'_>,
    ) -> Result<()> {
        if self.is_empty() {
            return Ok(());
        }
        insert(&mut changes.removed, self.nodes.iter().copied());
        for label in (0..reader.graph.edge_labels().len()).map(EdgeLabelId::from_index) {
            let named = self.edges.get(&label).map_or(&[][..], Vec::as_slice);
            let removed = self.apply_to(label, named, changes, reader)?;
            if !removed.is_empty() {
                clear(&of_graph(schema, Owner::Edge(label)), &removed, changes, reader)?;
            }
        }
        clear(&of_graph(schema, Owner::Node), &self.nodes, changes, reader)
    }

    /// Removes the edges of a label that are named or have a removed end. Returns their numbers.
    fn apply_to(
        &self,
        label: EdgeLabelId,
        named: &[u32],
        changes: &mut ChangeSet,
        reader: Reader<'_>,
    ) -> Result<Vec<u32>> {
        if self.nodes.is_empty() && named.is_empty() {
            return Ok(Vec::new());
        }
        let base_nodes = changes.base_nodes;
        let mut gone = Gone::default();
        gone.edges.extend_from_slice(named);
        if let Some(changed) = changes.edges.get(&label) {
            gone.appended(changed, &self.nodes)?;
        }
        let edges = reader.edge_count(label)?;
        if edges > 0 {
            match reader.edges(label)? {
                BaseEdges::Lists { out, in_ } => {
                    let lists = Lists { out: &out, in_: &in_, nodes: &self.nodes, reader };
                    lists.remove_at(&mut gone)?;
                    lists.remove_named(named, edges, &mut gone)?;
                }
                BaseEdges::Forest(forest) => {
                    let of_base = self.nodes.iter().copied().filter(|node| *node < base_nodes);
                    gone.of_forest(&forest, of_base, reader)?;
                }
            }
        }
        rise(&mut gone.edges);
        if let Some(changed) = changes.edges.get(&label) {
            gone.edges.retain(|edge| !contains(&changed.removed, *edge));
        }
        if !gone.edges.is_empty() {
            let changed = changes.edge_changes(label, reader)?;
            insert(&mut changed.removed, gone.edges.iter().copied());
            insert(&mut changed.removed_in, gone.entries);
        }
        Ok(gone.edges)
    }
}

/// There is such a node, and it was not removed before.
pub(super) fn check_node(node: u32, changes: &ChangeSet) -> Sound<()> {
    let nodes = changes.nodes();
    if node >= nodes {
        return Err(ChangeFault::NoSuchNode { node, nodes });
    }
    if contains(&changes.removed, node) {
        return Err(ChangeFault::RemovedNode { node });
    }
    Ok(())
}

/// There is such an edge, and it was not removed before.
pub(super) fn check_edge(
    label: EdgeLabelId,
    rank: u32,
    schema: &Schema<'_>,
    changes: &ChangeSet,
    reader: Reader<'_>,
) -> Checked<()> {
    let edge_label = || schema.edge_label_name(label).to_owned();
    let changed = changes.edges.get(&label);
    let edges = match changed {
        Some(changed) => changed.end(),
        None => first_appended(label, changes, reader)?,
    };
    if rank >= edges {
        return Err(ChangeFault::NoSuchEdge { edge_label: edge_label(), rank, edges }.into());
    }
    if changed.is_some_and(|changed| contains(&changed.removed, rank)) {
        return Err(ChangeFault::RemovedEdge { edge_label: edge_label(), rank }.into());
    }
    // A root of the forest is no target of an edge.
    if schema.is_forest(label)
        && rank < changes.base_nodes
        && let BaseEdges::Forest(forest) = reader.edges(label)?
        && forest.parent(rank).ok_or_else(|| reader.impossible("parents", rank))?.is_none()
    {
        return Err(ChangeFault::NoSuchEdge { edge_label: edge_label(), rank, edges }.into());
    }
    Ok(())
}

/// The number of the first edge of a label that is not of the base.
pub(super) fn first_appended(label: EdgeLabelId, changes: &ChangeSet, reader: Reader<'_>) -> Result<u32> {
    match reader.graph.store().directory().edge_labels.get(label.index()) {
        None => Ok(0),
        Some(row) if row.out.nodes.is_none() => Ok(changes.base_nodes),
        Some(_) => reader.edge_count(label),
    }
}

impl ChangeSet {
    /// The changes of an edge label, none at first.
    pub(super) fn edge_changes(
        &mut self,
        label: EdgeLabelId,
        reader: Reader<'_>,
    ) -> Result<&mut EdgeChanges> {
        if !self.edges.contains_key(&label) {
            let first = first_appended(label, self, reader)?;
            let ends = Ends::new(self.scratch.as_ref());
            self.edges.insert(label, EdgeChanges { first, ends, ..EdgeChanges::default() });
        }
        Ok(self.edges.get_mut(&label).expect("it was put there"))
    }
}

/// The edges of one label that go, in any order.
#[derive(Default)]
struct Gone {
    /// Their numbers.
    edges: Vec<u32>,
    /// Positions in the in-lists of the base.
    entries: Vec<u32>,
}

impl Gone {
    /// Appended edges that have an end among `nodes`.
    fn appended(&mut self, changed: &EdgeChanges, nodes: &[u32]) -> Result<()> {
        if nodes.is_empty() {
            return Ok(());
        }
        changed.ends.for_each(|number, source, target| {
            if contains(nodes, source) || contains(nodes, target) {
                self.edges.push(changed.first + number);
            }
            Ok(())
        })
    }

    /// Edges of the forest that have an end among `nodes`: each is known by its target.
    fn of_forest(
        &mut self,
        forest: &BaseForest,
        nodes: impl Iterator<Item = u32>,
        reader: Reader<'_>,
    ) -> Result<()> {
        for node in nodes {
            let impossible = || reader.impossible("subtree", node);
            if forest.parent(node).ok_or_else(impossible)?.is_some() {
                self.edges.push(node);
            }
            forest.for_each_child(node, |child| self.edges.push(child)).ok_or_else(impossible)?;
        }
        Ok(())
    }
}

/// The lists of a label of the base, from which edges go.
struct Lists<'a> {
    out: &'a BaseLists,
    in_: &'a BaseLists,
    /// The removed nodes, rising.
    nodes: &'a [u32],
    reader: Reader<'a>,
}

impl Lists<'_> {
    /// Edges that have an end among the removed nodes.
    fn remove_at(&self, gone: &mut Gone) -> Result<()> {
        let [mut targets, mut sources] = [Vec::new(), Vec::new()];
        for node in self.nodes.iter().copied() {
            self.each(self.out, node, |position, target| {
                gone.edges.push(position);
                targets.push(target);
            })?;
            self.each(self.in_, node, |position, source| {
                gone.entries.push(position);
                sources.push(source);
            })?;
        }
        for (lists, others, positions) in
            [(self.in_, &mut targets, &mut gone.entries), (self.out, &mut sources, &mut gone.edges)]
        {
            rise(others);
            for node in others.iter().filter(|node| !contains(self.nodes, **node)) {
                self.each(lists, *node, |position, other| {
                    if contains(self.nodes, other) {
                        positions.push(position);
                    }
                })?;
            }
        }
        Ok(())
    }

    /// Finds the entries of edges that are named.
    fn remove_named(&self, named: &[u32], edges: u32, gone: &mut Gone) -> Result<()> {
        let named = &named[..named.partition_point(|rank| *rank < edges)];
        let mut wanted: Vec<(u32, u32, u32)> = Vec::with_capacity(named.len());
        let mut rest = named;
        while let Some(first) = rest.first() {
            let impossible = || self.reader.impossible("adjacency", *first);
            let source = self.out.owner_at(*first as usize).ok_or_else(impossible)?;
            let end = self.out.range(source).ok_or_else(impossible)?.end as u32;
            let (of_source, others) = rest.split_at(rest.partition_point(|rank| *rank < end));
            if of_source.is_empty() {
                return Err(impossible());
            }
            self.pair_out(source, of_source, &mut wanted)?;
            rest = others;
        }
        wanted.sort_unstable();
        for of_target in wanted.chunk_by(|one, other| one.0 == other.0) {
            let found = gone.entries.len();
            self.find_entries(of_target, &mut gone.entries)?;
            if gone.entries.len() - found != of_target.len() {
                return Err(self.reader.impossible("neighbours", of_target[0].0));
            }
        }
        Ok(())
    }

    /// For edges of one source, by rising rank: the target, the source, and how many parallel edges come before.
    fn pair_out(&self, source: u32, ranks: &[u32], wanted: &mut Vec<(u32, u32, u32)>) -> Result<()> {
        let mut before: HashMap<u32, u32> = HashMap::new();
        let mut next = ranks.iter().peekable();
        self.each(self.out, source, |position, target| {
            let count = before.entry(target).or_default();
            if next.next_if(|rank| **rank == position).is_some() {
                wanted.push((target, source, *count));
            }
            *count += 1;
        })
    }

    /// The entries of edges of one target, by rising source and number among parallel ones.
    fn find_entries(&self, wanted: &[(u32, u32, u32)], entries: &mut Vec<u32>) -> Result<()> {
        let target = wanted[0].0;
        let mut before: HashMap<u32, u32> = HashMap::new();
        self.each(self.in_, target, |position, source| {
            let count = before.entry(source).or_default();
            if wanted.binary_search(&(target, source, *count)).is_ok() {
                entries.push(position);
            }
            *count += 1;
        })
    }

    /// Calls `visit` with each entry of the list of `node` and its position.
    fn each(&self, lists: &BaseLists, node: u32, mut visit: impl FnMut(u32, u32)) -> Result<()> {
        let impossible = || self.reader.impossible("adjacency", node);
        for position in lists.range(node).ok_or_else(impossible)? {
            visit(position as u32, lists.neighbor(position, node).ok_or_else(impossible)?);
        }
        Ok(())
    }
}

/// The properties of the graph that nodes have, or the edges of a label.
fn of_graph(schema: &Schema<'_>, owner: Owner) -> Vec<PropertyId> {
    schema.properties_of(owner).filter(|id| schema.is_of_graph(*id)).collect()
}

/// Takes all values of some properties from removed nodes or edges, which rise.
pub(super) fn clear(
    properties: &[PropertyId],
    removed: &[u32],
    changes: &mut ChangeSet,
    reader: Reader<'_>,
) -> Result<()> {
    if removed.is_empty() {
        return Ok(());
    }
    for property in properties.iter().copied() {
        let base = reader.values(property)?;
        let changed = changes.properties.get(&property);
        let has = |owner: &&u32| {
            base.has(**owner) || changed.is_some_and(|changed| contains(&changed.owners, **owner))
        };
        let mut patch = Patch::default();
        removed.iter().filter(has).for_each(|owner| patch.push(*owner, &[]));
        if !patch.is_empty() {
            changes.patch(property, &patch, Some(&base), reader)?;
        }
    }
    Ok(())
}
