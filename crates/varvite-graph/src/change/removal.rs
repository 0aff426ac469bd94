//! Removes nodes with their edges and values, and edges with their values.
//!
//! The edges of a removed node are also in the lists of its neighbours. Each of these lists is read once, no
//! matter how many removed nodes and edges it contains. Parallel edges have the same order in the out-list of
//! their source and in the in-list of their target. This order is used to find the in-list entry of a removed
//! edge.

use std::collections::{BTreeMap, HashMap};

use varvite_format::{EdgeLabelId, Owner, PropertyId};
use varvite_store::Task;

use super::base::{BaseEdges, BaseForest, BaseLists, Reader};
use super::change_set::{ChangeSet, EdgeChanges};
use super::diff::Diff;
use super::ends::Ends;
use super::number_set::{Collected, NumberSet};
use super::operation::{Kind, Operation};
use super::patch::Patch;
use super::refusal::{ChangeResult, Checked};
use super::schema::Schema;
use super::sorter::Sorter;
use super::value_runs::ValueEdit;
use crate::change_error::ChangeError;
use crate::change_fault::ChangeFault;
use crate::error::Result;

/// The elements that a diff removes.
#[derive(Debug, Default)]
pub(super) struct Removals {
    pub(super) nodes: NumberSet,
    /// The edges that operations remove explicitly, by label.
    edges: BTreeMap<EdgeLabelId, NumberSet>,
}

impl Removals {
    /// Collects the elements that the operations of a diff remove.
    pub(super) fn of(
        diff: &Diff,
        schema: &Schema<'_>,
        changes: &ChangeSet,
        reader: Reader<'_>,
    ) -> Result<Self, ChangeError> {
        let (mut nodes, mut edges) = (Collected::default(), BTreeMap::<EdgeLabelId, Collected>::new());
        let first_new = changes.nodes();
        let new = first_new..first_new.saturating_add(diff.new_nodes() as u32);
        diff.for_each(&Kind::REMOVALS, |number, operation, _| {
            let error = |fault| ChangeError::Operation { operation: number, fault };
            match operation {
                Operation::RemoveNode { node } => {
                    if !new.contains(&node) {
                        check_node(node, changes).map_err(error)?;
                    }
                    nodes.push(node);
                }
                Operation::RemoveEdge { label, rank } => {
                    let label = schema.edge_label(label).map_err(error)?;
                    check_edge(label, rank, schema, changes, reader).map_err(|refusal| refusal.at(number))?;
                    edges.entry(label).or_default().push(rank);
                }
                _ => {}
            }
            Ok::<(), ChangeError>(())
        })?;
        let edges = edges.into_iter().map(|(label, edges)| (label, edges.finish()));
        Ok(Self { nodes: nodes.finish(), edges: edges.collect() })
    }

    fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.edges.is_empty()
    }

    /// Removes the elements from the graph.
    pub(super) fn apply(
        &self,
        changes: &mut ChangeSet,
        schema: &Schema<'_>,
        reader: Reader<'_>,
        task: &Task<'_>,
    ) -> Result<()> {
        if self.is_empty() {
            return Ok(());
        }
        changes.removed.insert(self.nodes.iter());
        let none = NumberSet::default();
        for label in (0..reader.graph.edge_labels().len()).map(EdgeLabelId::from_index) {
            task.check()?;
            let named = self.edges.get(&label).unwrap_or(&none);
            let removed = self.apply_to(label, named, changes, reader, task)?;
            if !removed.is_empty() {
                clear(&of_graph(schema, Owner::Edge(label)), &removed, changes, reader)?;
            }
        }
        clear(&of_graph(schema, Owner::Node), &self.nodes, changes, reader)
    }

    /// Removes the edges of a label that are in `named` or have a removed end. Returns the numbers of the
    /// removed edges.
    fn apply_to(
        &self,
        label: EdgeLabelId,
        named: &NumberSet,
        changes: &mut ChangeSet,
        reader: Reader<'_>,
        task: &Task<'_>,
    ) -> Result<NumberSet> {
        if self.nodes.is_empty() && named.is_empty() {
            return Ok(NumberSet::default());
        }
        let base_nodes = changes.base_nodes;
        let mut gone = Gone::default();
        named.iter().for_each(|edge| gone.edges.push(edge));
        if let Some(changed) = changes.edges.get(&label) {
            gone.appended(changed, &self.nodes)?;
        }
        let edges = reader.edge_count(label)?;
        if edges > 0 {
            match reader.edges(label)? {
                BaseEdges::Lists { out, in_ } => {
                    let lists = Lists { out: &out, in_: &in_, nodes: &self.nodes, reader };
                    lists.remove_at(&mut gone)?;
                    let sorter = Sorter::new(changes.scratch.as_ref());
                    lists.remove_named(named, edges, &mut gone, sorter, task)?;
                }
                BaseEdges::Forest(forest) => {
                    let of_base = self.nodes.iter().take_while(|node| *node < base_nodes);
                    gone.of_forest(&forest, of_base, reader)?;
                }
            }
        }
        let (mut edges, entries) = (gone.edges.finish(), gone.entries.finish());
        if let Some(changed) = changes.edges.get(&label) {
            edges.remove_all(&changed.removed);
        }
        if !edges.is_empty() {
            let changed = changes.edge_changes(label, reader)?;
            changed.removed.insert(edges.iter());
            changed.removed_in.insert(entries.iter());
        }
        Ok(edges)
    }
}

/// Checks that the node exists and was not removed before.
pub(super) fn check_node(node: u32, changes: &ChangeSet) -> ChangeResult<()> {
    let nodes = changes.nodes();
    if node >= nodes {
        return Err(ChangeFault::NoSuchNode { node, nodes });
    }
    if changes.removed.contains(node) {
        return Err(ChangeFault::RemovedNode { node });
    }
    Ok(())
}

/// Checks that the edge exists and was not removed before.
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
    if changed.is_some_and(|changed| changed.removed.contains(rank)) {
        return Err(ChangeFault::RemovedEdge { edge_label: edge_label(), rank }.into());
    }
    // An edge of a forest is identified by its target, and a root is not the target of any edge.
    if schema.is_forest(label)
        && rank < changes.base_nodes
        && let BaseEdges::Forest(forest) = reader.edges(label)?
        && forest.parent(rank).ok_or_else(|| reader.impossible("parents", rank))?.is_none()
    {
        return Err(ChangeFault::NoSuchEdge { edge_label: edge_label(), rank, edges }.into());
    }
    Ok(())
}

/// The number of a label's first appended edge.
pub(super) fn first_appended(label: EdgeLabelId, changes: &ChangeSet, reader: Reader<'_>) -> Result<u32> {
    match reader.graph.store().directory().edge_labels.get(label.index()) {
        None => Ok(0),
        Some(row) if row.out.nodes.is_none() => Ok(changes.base_nodes),
        Some(_) => reader.edge_count(label),
    }
}

impl ChangeSet {
    /// The changes of an edge label, created empty if there are none yet.
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

/// The removed edges of one label, collected in any order.
#[derive(Default)]
struct Gone {
    /// The numbers of the removed edges.
    edges: Collected,
    /// The positions of the removed edges in the in-lists of the base.
    entries: Collected,
}

impl Gone {
    /// Collects the appended edges that have an end among `nodes`.
    fn appended(&mut self, changed: &EdgeChanges, nodes: &NumberSet) -> Result<()> {
        if nodes.is_empty() {
            return Ok(());
        }
        changed.ends.for_each(|number, source, target| {
            if nodes.contains(source) || nodes.contains(target) {
                self.edges.push(changed.first + number);
            }
            Ok(())
        })
    }

    /// Collects the edges of the forest that have an end among `nodes`; each edge is identified by its
    /// target.
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

/// The lists of one label in the base, from which edges are to be removed.
struct Lists<'a> {
    out: &'a BaseLists,
    in_: &'a BaseLists,
    /// The removed nodes.
    nodes: &'a NumberSet,
    reader: Reader<'a>,
}

impl Lists<'_> {
    /// Collects the edges that have an end among the removed nodes, and the in-list entries of these edges.
    fn remove_at(&self, gone: &mut Gone) -> Result<()> {
        let [mut targets, mut sources] = [Collected::default(), Collected::default()];
        for node in self.nodes.iter() {
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
            [(self.in_, targets, &mut gone.entries), (self.out, sources, &mut gone.edges)]
        {
            let mut others = others.finish();
            others.remove_all(self.nodes);
            for node in others.iter() {
                self.each(lists, node, |position, other| {
                    if self.nodes.contains(other) {
                        positions.push(position);
                    }
                })?;
            }
        }
        Ok(())
    }

    /// Finds the in-list entries of the edges in `named`.
    fn remove_named(
        &self,
        named: &NumberSet,
        edges: u32,
        gone: &mut Gone,
        mut wanted: Sorter,
        task: &Task<'_>,
    ) -> Result<()> {
        let (mut named, mut of_source) =
            (named.iter().take_while(|rank| *rank < edges).peekable(), Vec::new());
        while let Some(first) = named.peek().copied() {
            let impossible = || self.reader.impossible("adjacency", first);
            let source = self.out.owner_at(first as usize).ok_or_else(impossible)?;
            let end = self.out.range(source).ok_or_else(impossible)?.end as u32;
            of_source.clear();
            of_source.extend(std::iter::from_fn(|| named.next_if(|rank| *rank < end)));
            if of_source.is_empty() {
                return Err(impossible());
            }
            self.pair_out(source, &of_source, &mut wanted)?;
        }
        let mut of_target: Vec<(u32, u32)> = Vec::new();
        let mut target = 0;
        wanted.sorted(task)?.for_each(task, |key, count| -> Result<()> {
            if target != (key >> 32) as u32 {
                self.find_entries(target, &of_target, &mut gone.entries)?;
                of_target.clear();
            }
            target = (key >> 32) as u32;
            of_target.push((key as u32, count.first_chunk().map_or(0, |count| u32::from_le_bytes(*count))));
            Ok(())
        })?;
        self.find_entries(target, &of_target, &mut gone.entries)
    }

    /// For each of the edges `ranks` of one source, counts the earlier parallel edges in the out-list, and
    /// pushes this count to `wanted`, keyed by target and source. The ranks must ascend.
    fn pair_out(&self, source: u32, ranks: &[u32], wanted: &mut Sorter) -> Result<()> {
        let mut before: HashMap<u32, u32> = HashMap::new();
        let (mut next, mut pushed) = (ranks.iter().peekable(), Ok(()));
        self.each(self.out, source, |position, target| {
            let count = before.entry(target).or_default();
            if pushed.is_ok() && next.next_if(|rank| **rank == position).is_some() {
                pushed = wanted.push(u64::from(target) << 32 | u64::from(source), &count.to_le_bytes());
            }
            *count += 1;
        })?;
        pushed
    }

    /// Collects the in-list entries of edges that have the same target. `wanted` has the source of each edge
    /// and its index among parallel edges, in ascending order.
    fn find_entries(&self, target: u32, wanted: &[(u32, u32)], entries: &mut Collected) -> Result<()> {
        if wanted.is_empty() {
            return Ok(());
        }
        let mut before: HashMap<u32, u32> = HashMap::new();
        let mut found = 0;
        self.each(self.in_, target, |position, source| {
            let count = before.entry(source).or_default();
            if wanted.binary_search(&(source, *count)).is_ok() {
                entries.push(position);
                found += 1;
            }
            *count += 1;
        })?;
        if found == wanted.len() { Ok(()) } else { Err(self.reader.impossible("neighbours", target)) }
    }

    /// Calls `visit` with the position and the neighbour of each entry in the list of `node`.
    fn each(&self, lists: &BaseLists, node: u32, mut visit: impl FnMut(u32, u32)) -> Result<()> {
        let impossible = || self.reader.impossible("adjacency", node);
        for position in lists.range(node).ok_or_else(impossible)? {
            visit(position as u32, lists.neighbor(position, node).ok_or_else(impossible)?);
        }
        Ok(())
    }
}

/// The graph's properties of nodes, or of the edges of a label.
fn of_graph(schema: &Schema<'_>, owner: Owner) -> Vec<PropertyId> {
    schema.properties_of(owner).filter(|id| schema.is_of_graph(*id)).collect()
}

/// Removes all values of some properties from removed nodes or edges.
pub(super) fn clear(
    properties: &[PropertyId],
    removed: &NumberSet,
    changes: &mut ChangeSet,
    reader: Reader<'_>,
) -> Result<()> {
    if removed.is_empty() {
        return Ok(());
    }
    for property in properties.iter().copied() {
        let base = reader.values(property)?;
        let is_new = !(changes.properties.contains_key(&property) || changes.runs.contains_key(&property));
        if removed.len() > changes.room_for_values() / size_of::<u64>() {
            changes.begin_on_disk(property, reader)?;
        }
        if let Some(runs) = changes.runs.get_mut(&property) {
            // Some of these owners may have no values. That is harmless: an owner without values in both base
            // and changes is later dropped from the changes.
            let mut owners = removed.iter().filter(|owner| !is_new || base.has(*owner));
            owners.try_for_each(|owner| runs.push(owner, ValueEdit::Set, []))?;
            changes.make_room()?;
            continue;
        }
        let changed = changes.properties.get(&property);
        let has =
            |owner: &u32| base.has(*owner) || changed.is_some_and(|changed| changed.of(*owner).is_some());
        let mut patch = Patch::default();
        removed.iter().filter(has).for_each(|owner| patch.push(owner, &[]));
        if !patch.is_empty() {
            changes.patch(property, &patch, Some(&base), reader)?;
        }
        changes.make_room()?;
    }
    Ok(())
}
