//! [`Difference::to_diff`]: the diff that turns the first graph into the second.
//!
//! The nodes that a diff adds get the highest ids, and ids decide the order of roots. So the kept roots must
//! be a prefix of the second graph's roots. From the first new or misplaced root on, the diff removes all
//! roots and adds them again; their descendants are kept. Nodes whose labels changed are removed and added
//! again too, because a diff can't change labels.

use std::collections::HashSet;

use varvite_store::Task;

use super::compared::Difference;
use super::edge_plan::EdgePlan;
use super::edit::Edit;
use super::unreachable::{Unreachable, unreachable_schema};
use super::visit::{EdgeLists, InLists};
use varvite_graph::change::{Diff, ElementRef, NewEdge, NewNode, NewValue, NodeRef, PropertyOwner};
use varvite_graph::internal::Scratch;
use varvite_graph::{Property, Result, ScratchVec, Value};

/// A diff that turns one graph into another, and the differences that no diff can remove.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct TurningDiff {
    /// The diff. If the diff is applied to the first graph and the graph is then compacted, the result equals
    /// the second graph except for the differences in `unreachable`. If there are none, both graphs then have
    /// the same digest (if the second graph has changes, it must be compacted first).
    pub diff: Diff,
    /// Differences that no diff can remove.
    pub unreachable: Vec<Unreachable>,
}

impl<'p> Difference<'p> {
    /// Builds the diff that turns the first graph into the second. Reads every column of both graphs. Memory
    /// holds the diff and, for one edge label at a time, up to 32 bytes for each edge, within the limit of
    /// [`Graph::limit_memory`](varvite_graph::Graph::limit_memory) of the second graph.
    ///
    /// # Errors
    /// The errors of [`Difference::of`].
    pub fn to_diff(mut self, task: &Task<'_>) -> Result<TurningDiff> {
        self.part_misplaced();
        let mut turning = Turning {
            difference: &self,
            diff: Diff::new(),
            new_nodes: ScratchVec::new(self.passes[1])?,
            unreachable: Vec::new(),
            scratch: self.passes[1].scratch(0)?,
            to_come: 0,
        };
        turning.declare();
        turning.nodes()?;
        turning.values_of_nodes(task)?;
        for index in 0..self.schema.edge_labels.len() {
            task.step(&self.schema.edge_labels[index].name, index, self.schema.edge_labels.len());
            turning.edges(index, task)?;
        }
        let Turning { diff, mut unreachable, .. } = turning;
        unreachable.extend(unreachable_schema(&self, &diff)?);
        self.check(task)?;
        Ok(TurningDiff { diff, unreachable })
    }

    /// Separates those nodes from their partners that the diff can't keep because their ids would put them at
    /// a wrong position.
    fn part_misplaced(&mut self) {
        let [first, second] = &self.walks;
        let rootless = second.rootless();
        for nodes in [&mut second.roots() as &mut dyn Iterator<Item = u32>, &mut { rootless }] {
            let (mut last, mut are_parted) = (None, false);
            for node in nodes {
                let id = self.map.partner(1, node).map(|partner| first.id(partner));
                are_parted |= id.is_none_or(|id| last.is_some_and(|last| last >= id));
                last = id;
                if are_parted {
                    self.map.part(node);
                }
            }
        }
    }
}

/// A diff that is being built.
struct Turning<'d, 'p> {
    difference: &'d Difference<'p>,
    diff: Diff,
    /// The added nodes of the second graph, by position in ascending order.
    new_nodes: ScratchVec<'d, (u32, NewNode)>,
    unreachable: Vec<Unreachable>,
    /// The charge for the memory of the diff.
    scratch: Scratch<'d>,
    /// The number of bytes of values that were added to the diff since memory was last charged.
    to_come: usize,
}

impl<'d, 'p> Turning<'d, 'p> {
    fn declare(&mut self) {
        let schema = &self.difference.schema;
        let [first, second] = [0, 1].map(|side| self.difference.graph(side));
        let known: HashSet<&str> = first.labels().iter().map(|label| label.name.as_str()).collect();
        for label in second.labels().iter().filter(|label| !known.contains(label.name.as_str())) {
            self.diff.declare_label(&label.name);
        }
        for label in schema.edge_labels.iter().filter(|label| label.ids[0].is_none()) {
            self.diff.declare_edge_label(&label.name);
        }
        for property in schema.properties.iter().filter(|property| property.ids[0].is_none()) {
            if !property.is_declared_otherwise {
                let owner = property.edge_label.as_deref();
                let owner = owner.map_or(PropertyOwner::Nodes, PropertyOwner::Edges);
                let (value_type, cardinality) = (property.value_type, property.cardinality);
                self.diff.declare_property(&property.name, owner, value_type, cardinality);
            }
        }
    }

    /// Whether the diff can give the property at `index` the values of the second graph.
    fn is_reachable(&self, index: usize) -> bool {
        !self.difference.schema.properties[index].is_declared_otherwise
    }

    fn nodes(&mut self) -> Result<()> {
        let difference = self.difference;
        let [first, second] = &difference.walks;
        for node in (0..first.len()).filter(|node| !difference.map.has_partner(0, *node)) {
            self.diff.remove_node(first.id(node));
        }
        let labels = difference.graph(1).label_sets()?;
        for node in (0..second.len()).filter(|node| !difference.map.has_partner(1, *node)) {
            let set = difference.schema.label_set(1, labels.code(second.id(node)));
            let names = difference.schema.set_names.get(set as usize);
            let names: Vec<&str> = names.into_iter().flatten().map(String::as_str).collect();
            let new_node = self.diff.add_node(&names);
            self.new_nodes.push((node, new_node))?;
        }
        self.account()
    }

    fn values_of_nodes(&mut self, task: &Task<'_>) -> Result<()> {
        let difference = self.difference;
        let mut open: Option<(u32, Option<Property>)> = None;
        difference.visit_values(task, |change| {
            let Edit::NodeValue { property, nodes } = *change else { return Ok(()) };
            if open.as_ref().is_none_or(|(known, _)| *known != property) {
                open = Some((property, difference.open_property(property as usize)?[1].take()));
            }
            if let Some((_, values)) = open.as_ref().filter(|_| self.is_reachable(property as usize)) {
                self.set(nodes[0].into(), property as usize, values.as_ref(), nodes[1])?;
            }
            Ok(())
        })?;
        for index in 0..difference.schema.properties.len() {
            let property = &difference.schema.properties[index];
            if property.edge_label.is_some() || property.ids[1].is_none() || !self.is_reachable(index) {
                continue;
            }
            let [_, values] = difference.open_property(index)?;
            for place in 0..self.new_nodes.len() {
                let (position, new_node) = self.new_nodes[place];
                let id = difference.walks[1].id(position);
                if values.as_ref().is_some_and(|values| values.is_present(id)) {
                    self.set(new_node.into(), index, values.as_ref(), id)?;
                }
            }
            task.check()?;
        }
        Ok(())
    }

    /// Gives `owner` the values that owner `of` has in the second graph.
    fn set(&mut self, owner: ElementRef<'_>, index: usize, values: Option<&Property>, of: u32) -> Result<()> {
        // Two copies of the values are in memory before the diff stores them.
        let count = values.map_or(0, |values| values.range(of).len());
        self.make_room(count * (size_of::<Value<'_>>() + size_of::<NewValue<'_>>()))?;
        let found: Vec<Value<'_>> = values.iter().flat_map(|values| values.all(of)).collect();
        let texts = found.iter().map(|value| match value {
            Value::Str(text) => text.len(),
            Value::Bytes(bytes) => bytes.len(),
            _ => 0,
        });
        self.make_room(texts.sum())?;
        let node = |node| self.difference.walks[1].position(node).map(|position| self.node(position));
        let given = found.iter().map(|value| NewValue::of(value, node));
        let given: Vec<NewValue<'_>> = given.collect();
        self.diff.set(owner, &self.difference.schema.properties[index].name, given);
        if self.diff.len().is_multiple_of(OPERATIONS_AT_ONCE) {
            self.account()?;
        }
        Ok(())
    }

    /// The diff's reference to a node of the second graph, which is given by its position.
    fn node(&self, position: u32) -> NodeRef {
        match self.difference.map.partner(1, position) {
            Some(partner) => self.difference.walks[0].id(partner).into(),
            None => {
                let place = self.new_nodes.partition_point(|(other, _)| *other < position);
                self.new_nodes[place].1.into()
            }
        }
    }

    fn edges(&mut self, index: usize, task: &Task<'_>) -> Result<()> {
        let difference = self.difference;
        let label = &difference.schema.edge_labels[index];
        let properties = self.edge_properties(index)?;
        let plan = match (label.ids[1], difference.is_same_label(index)?) {
            (Some(_), false) => Some(EdgePlan::of(difference, index)?),
            _ => None,
        };
        task.check()?;
        let is_unchanged = plan.is_none() && label.ids[1].is_some();
        if !is_unchanged || !properties.is_empty() {
            self.keep_edges(index, plan.as_ref(), is_unchanged, &properties)?;
        }
        let Some(plan) = plan else { return Ok(()) };
        let mut lists = EdgeLists::of(difference, index)?;
        let mut read: Option<u32> = None;
        let left = plan.add_edges(difference, |source, target, place| {
            let ends = [self.node(source), self.node(target)];
            let edge = self.diff.add_edge(&label.name, ends[0], ends[1]);
            if properties.is_empty() {
                return self.account_now_and_then();
            }
            if read != Some(source) {
                lists.read(difference, None, Some(source));
                read = Some(source);
            }
            self.set_of_new_edge(edge, &properties, lists.entries[1][place as usize].1)
        })?;
        if left > 0 {
            self.unreachable.push(Unreachable::Order { edge_label: label.name.clone(), edges: left });
        }
        self.account()
    }

    /// Removes the edges between kept nodes that the diff does not keep, and gives kept edges their new
    /// values.
    fn keep_edges(
        &mut self,
        index: usize,
        plan: Option<&EdgePlan<'_>>,
        is_unchanged: bool,
        properties: &[(usize, [Option<Property>; 2])],
    ) -> Result<()> {
        let difference = self.difference;
        let label = &difference.schema.edge_labels[index];
        if label.ids[0].is_none() {
            return Ok(());
        }
        let mut lists = EdgeLists::of(difference, index)?;
        for (position, partner) in difference.pairs(0..difference.walks[0].len()) {
            lists.read(difference, Some(position), Some(partner));
            let kept = plan.map_or(0, |plan| plan.kept_of(partner));
            for (place, (target, rank)) in lists.entries[0].iter().enumerate() {
                let other = lists.pairing.second_of_first[place];
                if !is_unchanged && other >= kept {
                    // Edges to a removed node are removed together with the node.
                    if difference.second_of(*target).is_some() {
                        self.diff.remove_edge(&label.name, *rank);
                    }
                    continue;
                }
                let other_rank = lists.entries[1][other as usize].1;
                for (property, values) in properties {
                    if !difference.have_same_values(*property, values, [*rank, other_rank]) {
                        let owner = ElementRef::Edge(&label.name, *rank);
                        self.set(owner, *property, values[1].as_ref(), other_rank)?;
                    }
                }
            }
            self.account_now_and_then()?;
        }
        Ok(())
    }

    fn set_of_new_edge(
        &mut self,
        edge: NewEdge,
        properties: &[(usize, [Option<Property>; 2])],
        rank: u32,
    ) -> Result<()> {
        for (property, [_, values]) in properties {
            if values.as_ref().is_some_and(|values| values.is_present(rank)) {
                self.set(edge.into(), *property, values.as_ref(), rank)?;
            }
        }
        Ok(())
    }

    fn edge_properties(&self, index: usize) -> Result<Vec<(usize, [Option<Property>; 2])>> {
        let of_label = &self.difference.schema.edge_labels[index].properties;
        let reachable = of_label.iter().filter(|property| self.is_reachable(**property));
        reachable.map(|property| Ok((*property, self.difference.open_property(*property)?))).collect()
    }

    fn account_now_and_then(&mut self) -> Result<()> {
        if self.diff.len().is_multiple_of(OPERATIONS_AT_ONCE) { self.account() } else { Ok(()) }
    }

    /// Charges memory for values that the diff is about to store. Small amounts are collected and charged
    /// together.
    fn make_room(&mut self, bytes: usize) -> Result<()> {
        self.to_come += bytes;
        if self.to_come < BYTES_AT_ONCE {
            return Ok(());
        }
        self.difference.passes[1].check()?;
        self.scratch.resize(2 * (self.diff.heap_bytes() + std::mem::take(&mut self.to_come)))
    }

    /// Charges the memory by which the diff has grown, before it grows further.
    fn account(&mut self) -> Result<()> {
        self.difference.passes[1].check()?;
        self.scratch.resize(2 * self.diff.heap_bytes())
    }
}

/// Operations between two checks of the diff's memory.
const OPERATIONS_AT_ONCE: usize = 1 << 14;
/// Bytes of values between two checks of the diff's memory.
const BYTES_AT_ONCE: usize = 1 << 20;

impl Difference<'_> {
    /// Whether all lists of an edge label, in both directions, are equal in both graphs.
    fn is_same_label(&self, index: usize) -> Result<bool> {
        if self.schema.edge_labels[index].ids[0].is_none() {
            return Ok(false);
        }
        let (mut out, mut in_) = (EdgeLists::of(self, index)?, InLists::of(self, index)?);
        for node in 0..self.walks[1].len() {
            let partner = self.map.partner(1, node);
            out.read(self, partner, Some(node));
            in_.read(self, partner, Some(node));
            if !out.pairing.is_same() || !in_.pairing.is_same() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
