//! [`Difference::visit`]: calls a visitor with each difference of two graphs.
//!
//! Differences of nodes come first, then those of values by property, then those of edges by label, each
//! group in the order of nodes. Ranges of nodes are compared on all threads, and the visitor is called with
//! the differences in order.

use std::ops::Range;

use varvite_store::Task;

use super::compared::Difference;
use super::counts::{ChangeCounts, Counting};
use super::edit::{EdgeAt, Edit};
use super::pairing::{Pairing, UNPAIRED};
use varvite_graph::internal::NULL_REF;
use varvite_graph::{
    Adjacency, Direction, Graph, Property, Ranks, Result, ScratchVec, ValueType, in_order_within_memory,
};

/// The minimum number of nodes in a range, which is compared as one job, and the maximum number of ranges.
/// The number of ranges is limited because each job opens its columns again.
const NODES_MIN: u32 = 1 << 16;
const RANGES_MAX: u32 = 32;

/// A job of a thread, on a range of nodes of the first graph, or of added nodes of the second graph.
enum Job {
    Removed(Range<u32>),
    Added(Range<u32>),
    /// The values of a node property, by its index.
    Values(usize, Range<u32>),
    /// The edges of an edge label, by its index: out-lists, and values of edges.
    Edges(usize, Range<u32>),
    /// The in-lists of an edge label, by its index.
    InOrder(usize, Range<u32>),
    NewEdges(usize, Range<u32>),
}

type Found<'p> = ScratchVec<'p, Edit>;

impl<'p> Difference<'p> {
    /// Calls `visit` with each difference of the graphs, and returns the number of differences of each kind.
    /// Takes only one bit of memory for each node. Reads every column of both graphs, on all threads of the
    /// task.
    ///
    /// # Errors
    /// The errors of [`Difference::of`], and the errors of `visit`.
    pub fn visit(&self, task: &Task<'_>, mut visit: impl FnMut(&Edit) -> Result<()>) -> Result<ChangeCounts> {
        let mut counting = Counting::of(self)?;
        self.visit_jobs(&self.jobs(), task, |change| {
            counting.add(change);
            visit(change)
        })?;
        self.check(task)?;
        Ok(counting.counts)
    }

    /// The same as [`Self::visit`], but only for values of nodes, and without counting.
    pub(super) fn visit_values(&self, task: &Task<'_>, visit: impl FnMut(&Edit) -> Result<()>) -> Result<()> {
        let mut jobs = self.jobs();
        jobs.retain(|job| matches!(job, Job::Values(..)));
        self.visit_jobs(&jobs, task, visit)
    }

    fn visit_jobs(
        &self,
        jobs: &[Job],
        task: &Task<'_>,
        mut visit: impl FnMut(&Edit) -> Result<()>,
    ) -> Result<()> {
        let work = |job: &Job| {
            let found = self.work(job);
            // A cancelled scan ends early, which looks like damage, so cancellation is reported first.
            task.check()?;
            found
        };
        let mut done = 0;
        let take = |found: Found<'p>| {
            done += 1;
            task.step("comparing", done, jobs.len());
            found.iter().try_for_each(&mut visit)
        };
        in_order_within_memory(jobs, task.thread_count(), work, take)
    }

    fn jobs(&self) -> Vec<Job> {
        let ranges = |side: usize| {
            let len = self.walks[side].len();
            let step = len.div_ceil(RANGES_MAX).max(NODES_MIN);
            (0..len).step_by(step as usize).map(move |start| start..len.min(start.saturating_add(step)))
        };
        let mut jobs: Vec<Job> = ranges(0).map(Job::Removed).chain(ranges(1).map(Job::Added)).collect();
        for (index, property) in self.schema.properties.iter().enumerate() {
            if property.edge_label.is_none() {
                jobs.extend(ranges(0).map(|range| Job::Values(index, range)));
            }
        }
        for (index, label) in self.schema.edge_labels.iter().enumerate() {
            jobs.extend(ranges(0).filter(|_| label.ids[0].is_some()).map(|range| Job::Edges(index, range)));
            jobs.extend(
                ranges(1).filter(|_| label.ids[1].is_some()).map(|range| Job::NewEdges(index, range)),
            );
            let both = label.ids.iter().all(Option::is_some);
            jobs.extend(ranges(0).filter(|_| both).map(|range| Job::InOrder(index, range)));
        }
        jobs
    }

    fn work(&self, job: &Job) -> Result<Found<'p>> {
        let mut found = ScratchVec::new(self.passes[0])?;
        match job {
            Job::Removed(range) => {
                for position in range.clone().filter(|position| !self.map.has_partner(0, *position)) {
                    found.push(Edit::NodeRemoved(self.walks[0].id(position)))?;
                }
            }
            Job::Added(range) => {
                for position in range.clone().filter(|position| !self.map.has_partner(1, *position)) {
                    found.push(Edit::NodeAdded(self.walks[1].id(position)))?;
                }
            }
            Job::Values(index, range) => self.compare_values(*index, range.clone(), &mut found)?,
            Job::Edges(index, range) => self.compare_edges(*index, range.clone(), &mut found)?,
            Job::InOrder(index, range) => self.compare_in_order(*index, range.clone(), &mut found)?,
            Job::NewEdges(index, range) => self.find_new_edges(*index, range.clone(), &mut found)?,
        }
        Ok(found)
    }

    fn compare_values(&self, index: usize, range: Range<u32>, found: &mut Found<'_>) -> Result<()> {
        let properties = self.open_property(index)?;
        let is_single =
            properties.iter().all(|property| property.as_ref().is_none_or(|property| !property.is_list()));
        let mut cursors = properties.each_ref().map(|property| property.as_ref().map(Property::cursor));
        for (position, partner) in self.pairs(range) {
            let nodes = [self.walks[0].id(position), self.walks[1].id(partner)];
            let are_same = match is_single {
                true => {
                    let [first, second] = &mut cursors;
                    let first = first.as_mut().and_then(|cursor| cursor.number(nodes[0]));
                    let second = second.as_mut().and_then(|cursor| cursor.number(nodes[1]));
                    match (first, second) {
                        (Some(first), Some(second)) => self.are_same(index, [first, second]),
                        (first, second) => first.is_none() && second.is_none(),
                    }
                }
                false => self.have_same_values(index, &properties, nodes),
            };
            if !are_same {
                found.push(Edit::NodeValue { property: index as u32, nodes })?;
            }
        }
        Ok(())
    }

    /// The pairs of nodes whose first node is in a range of positions.
    pub(super) fn pairs(&self, range: Range<u32>) -> impl Iterator<Item = (u32, u32)> {
        range.filter_map(|position| Some((position, self.map.partner(0, position)?)))
    }

    /// Opens a property in each graph that has it.
    pub(super) fn open_property(&self, index: usize) -> Result<[Option<Property>; 2]> {
        let [first, second] = self.schema.properties[index].ids;
        Ok([
            first.map(|id| self.graph(0).property_at(id)).transpose()?,
            second.map(|id| self.graph(1).property_at(id)).transpose()?,
        ])
    }

    /// Whether two owners have the same values of the property at `index`.
    pub(super) fn have_same_values(
        &self,
        index: usize,
        properties: &[Option<Property>; 2],
        owners: [u32; 2],
    ) -> bool {
        let [first, second] = properties;
        let mut second = second.iter().flat_map(|property| property.numbers(owners[1]));
        let mut first = first.iter().flat_map(|property| property.numbers(owners[0]));
        first.all(|first| second.next().is_some_and(|second| self.are_same(index, [first, second])))
            && second.next().is_none()
    }

    /// Whether two stored numbers of a property represent the same value.
    #[inline]
    fn are_same(&self, index: usize, numbers: [i64; 2]) -> bool {
        let shared = &self.schema.properties[index];
        if shared.value_type != ValueType::Ref {
            return shared.common(0, numbers[0]) == shared.common(1, numbers[1]);
        }
        match [0, 1].map(|side| self.referred(side, numbers[side])) {
            [None, None] => true,
            [Some(first), Some(second)] => self.map.partner(0, first) == Some(second),
            _ => false,
        }
    }

    /// The position of the node to which a reference leads. `None` for null and for a removed node.
    pub(super) fn referred(&self, side: usize, number: i64) -> Option<u32> {
        let id = u32::try_from(number).ok().filter(|_| number != NULL_REF)?;
        self.walks[side].position(id)
    }

    fn compare_edges(&self, index: usize, range: Range<u32>, found: &mut Found<'_>) -> Result<()> {
        let shared = &self.schema.edge_labels[index];
        let mut lists = EdgeLists::of(self, index)?;
        let properties =
            shared.properties.iter().map(|property| Ok((*property, self.open_property(*property)?)));
        let properties: Vec<(usize, [Option<Property>; 2])> = properties.collect::<Result<_>>()?;
        let edge_label = index as u32;
        for position in range {
            let partner = self.map.partner(0, position);
            lists.read(self, Some(position), partner);
            let nodes = lists.nodes;
            let at = |side: usize, entry: (u32, u32)| EdgeAt {
                source: nodes[side],
                target: entry.0,
                rank: entry.1,
            };
            for (place, other) in lists.pairing.second_of_first.iter().enumerate() {
                let first = at(0, lists.entries[0][place]);
                if *other == UNPAIRED {
                    found.push(Edit::EdgeRemoved { edge_label, edge: first })?;
                    continue;
                }
                let second = at(1, lists.entries[1][*other as usize]);
                for (property, values) in &properties {
                    if !self.have_same_values(*property, values, [first.rank, second.rank]) {
                        let property = *property as u32;
                        found.push(Edit::EdgeValue { property, edges: [first, second] })?;
                    }
                }
            }
            for (place, other) in lists.pairing.first_of_second.iter().enumerate() {
                if *other == UNPAIRED {
                    let edge = at(1, lists.entries[1][place]);
                    found.push(Edit::EdgeAdded { edge_label, edge })?;
                }
            }
            if !lists.pairing.is_in_order() {
                found.push(Edit::Order { edge_label, direction: Direction::Out, nodes })?;
            }
        }
        Ok(())
    }

    fn compare_in_order(&self, index: usize, range: Range<u32>, found: &mut Found<'_>) -> Result<()> {
        let mut lists = InLists::of(self, index)?;
        for (position, partner) in self.pairs(range) {
            lists.read(self, Some(position), Some(partner));
            if !lists.pairing.is_in_order() {
                let nodes = [self.walks[0].id(position), self.walks[1].id(partner)];
                found.push(Edit::Order { edge_label: index as u32, direction: Direction::In, nodes })?;
            }
        }
        Ok(())
    }

    /// Finds the edges from new nodes. For a label that the first graph does not have, finds all edges.
    fn find_new_edges(&self, index: usize, range: Range<u32>, found: &mut Found<'_>) -> Result<()> {
        let shared = &self.schema.edge_labels[index];
        let is_new = shared.ids[0].is_none();
        let mut lists = EdgeLists::of(self, index)?;
        for position in range.filter(|position| is_new || !self.map.has_partner(1, *position)) {
            lists.read(self, None, Some(position));
            for (target, rank) in &lists.entries[1] {
                let edge = EdgeAt { source: lists.nodes[1], target: *target, rank: *rank };
                found.push(Edit::EdgeAdded { edge_label: index as u32, edge })?;
            }
        }
        Ok(())
    }
}

/// The out-lists of two nodes, and the pairs of their edges.
pub(super) struct EdgeLists {
    ranks: [Option<Ranks>; 2],
    /// The ids of the two nodes.
    pub(super) nodes: [u32; 2],
    /// The target and the rank of each edge.
    pub(super) entries: [Vec<(u32, u32)>; 2],
    mapped: Vec<Option<u32>>,
    targets: Vec<u32>,
    pub(super) pairing: Pairing,
}

impl EdgeLists {
    pub(super) fn of(difference: &Difference<'_>, index: usize) -> Result<Self> {
        let [first, second] = difference.schema.edge_labels[index].ids;
        let ranks = |graph: &Graph, label: Option<_>| {
            label.map_or(Ok(None), |label| graph.ranks(label, Direction::Out))
        };
        Ok(Self {
            ranks: [ranks(difference.graph(0), first)?, ranks(difference.graph(1), second)?],
            nodes: [0; 2],
            entries: Default::default(),
            mapped: Vec::new(),
            targets: Vec::new(),
            pairing: Pairing::default(),
        })
    }

    /// Reads the lists of two nodes, given by their positions. If a position is `None`, its list is empty.
    pub(super) fn read(&mut self, difference: &Difference<'_>, first: Option<u32>, second: Option<u32>) {
        for (side, position) in [first, second].into_iter().enumerate() {
            self.entries[side].clear();
            let Some(position) = position else { continue };
            self.nodes[side] = difference.walks[side].id(position);
            self.entries[side].extend(self.ranks[side].iter().flat_map(|ranks| ranks.of(self.nodes[side])));
        }
        let partner = |target: u32| difference.map.partner(0, difference.walks[0].position(target)?);
        self.mapped.clear();
        self.mapped.extend(self.entries[0].iter().map(|(target, _)| partner(*target)));
        self.targets.clear();
        let position = |target: u32| difference.walks[1].position(target).unwrap_or(u32::MAX);
        self.targets.extend(self.entries[1].iter().map(|(target, _)| position(*target)));
        self.pairing.of(&self.mapped, &self.targets);
    }

    /// The positions of the targets in the second list.
    pub(super) fn targets(&self) -> &[u32] {
        &self.targets
    }
}

/// The in-lists of two nodes, and the pairs of their entries.
pub(super) struct InLists {
    adjacency: [Option<Adjacency>; 2],
    mapped: Vec<Option<u32>>,
    sources: Vec<u32>,
    pub(super) pairing: Pairing,
}

impl InLists {
    pub(super) fn of(difference: &Difference<'_>, index: usize) -> Result<Self> {
        let [first, second] = difference.schema.edge_labels[index].ids;
        let lists = |graph: &Graph, label: Option<_>| {
            label.map(|label| graph.adjacency(label, Direction::In)).transpose()
        };
        let adjacency = [lists(difference.graph(0), first)?, lists(difference.graph(1), second)?];
        Ok(Self { adjacency, mapped: Vec::new(), sources: Vec::new(), pairing: Pairing::default() })
    }

    /// Reads the lists of two nodes, given by their positions. If a position is `None`, its list is empty.
    pub(super) fn read(&mut self, difference: &Difference<'_>, first: Option<u32>, second: Option<u32>) {
        let list = |side: usize, position: Option<u32>| {
            let lists = self.adjacency[side].iter();
            let ids = position.map(|position| difference.walks[side].id(position)).into_iter();
            ids.flat_map(move |id| lists.clone().flat_map(move |lists| lists.neighbors(id)))
        };
        let partner = |source: u32| difference.map.partner(0, difference.walks[0].position(source)?);
        self.mapped.clear();
        self.mapped.extend(list(0, first).map(partner));
        let position = |source: u32| difference.walks[1].position(source).unwrap_or(u32::MAX);
        self.sources.clear();
        self.sources.extend(list(1, second).map(position));
        self.pairing.of(&self.mapped, &self.sources);
    }

    /// The positions of the sources in the second list.
    pub(super) fn sources(&self) -> &[u32] {
        &self.sources
    }
}
