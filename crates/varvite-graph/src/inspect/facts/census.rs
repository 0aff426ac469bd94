//! [`Census`]: counts of the properties that nodes of each label have, and of the edges between each pair of
//! labels.
//!
//! The schema of a file lists labels, edge labels and properties, but not which labels have which properties,
//! because columns are not stored by label. So the census reads every value and every edge.

use std::collections::HashMap;

use varvite_format::{EdgeLabelId, PropertyId};
use varvite_store::Task;

use super::counts::edge_ends;
use crate::cursor::value::ValueType;
use crate::error::Result;
use crate::graph::Graph;
use crate::scan::columns::ListColumns;
use crate::scan::graph_scan::{GraphScan, Scratch, ScratchVec};
use crate::scan::node_labels::NodeLabels;
use crate::scan::parallel::in_order_within_memory;

/// The properties of each label and the ends of each edge label in a graph. The name of a label set is the
/// names of its labels, sorted and joined by `&`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Census {
    /// The name of each label set that has nodes, and the number of its nodes; sorted by name.
    pub labels: Vec<(String, u64)>,
    /// Uses of properties: one for each combination of a node property and a label set, and one for each edge
    /// property. Sorted by the name of the label set or edge label, then in the order of the schema.
    pub properties: Vec<PropertyUse>,
    /// Counts of edges between label sets, in the order of edge labels, then sorted by the names of source
    /// and target.
    pub edges: Vec<EdgeEnds>,
}

/// The use of a property by nodes of one label set, or by edges of one label.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PropertyUse {
    /// The name of the label set, or of the edge label.
    pub label: String,
    /// The number of nodes with the label set, or of edges with the label.
    pub of: u64,
    /// The property.
    pub property: PropertyId,
    /// The number of these nodes or edges that have at least one value of the property.
    pub owners: u64,
    /// The number of values of these owners together.
    pub values: u64,
    /// The number of different values; null counts as one.
    pub distinct: u64,
    /// The first owner with a value: a node, or the rank of an edge.
    pub first: u32,
    /// The first owner whose first value differs from that of [`PropertyUse::first`]; equal to
    /// [`PropertyUse::first`] if there is none.
    pub second: u32,
}

/// Edges of one label from nodes of one label set to nodes of another.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EdgeEnds {
    /// The edge label.
    pub edge_label: EdgeLabelId,
    /// The name of the label set at the source.
    pub source: String,
    /// The name of the label set at the target.
    pub target: String,
    /// The number of edges.
    pub edges: u64,
}

impl Census {
    /// Makes the census of a graph. Progress is counted in columns.
    ///
    /// Reads every value twice and every edge once, and sorts the values of each property. Takes about four
    /// bytes of memory for each node. Each thread takes eight bytes for each value of the property that it
    /// reads, or four if values are texts or have at most 32 bits. All this memory counts towards the limit
    /// of [`Graph::limit_memory`].
    ///
    /// # Errors
    /// The first damage that is found. [`GraphError::OverBudget`](crate::GraphError) or
    /// [`GraphError::Cancelled`](crate::GraphError).
    pub fn of(graph: &Graph, task: &Task<'_>) -> Result<Self> {
        let (graph_scan, threads) = (GraphScan::of(graph, task), task.thread_count());
        let labels = NodeLabels::of(&graph_scan)?;
        let counts = counts_of(&graph_scan, &labels)?;
        let mut census = Self { labels: labels_of(&graph_scan, &labels, &counts)?, ..Self::default() };
        let (edge_labels, properties) = (graph.edge_labels(), graph.properties());
        let (total, mut done) = (edge_labels.len() + properties.len(), 0);
        let mut step = |name: &str| {
            done += 1;
            task.step(name, done, total);
        };
        // A cancelled scan ends early, which looks like damage, so cancellation is checked before the result.
        let ends = |label: &EdgeLabelId| -> Result<(EdgeLabelId, Vec<EdgeEnds>)> {
            let ends = ends_of(&graph_scan, *label, &labels);
            task.check()?;
            Ok((*label, ends?))
        };
        let ids: Vec<EdgeLabelId> = graph.edge_label_ids().collect();
        in_order_within_memory(&ids, threads, ends, |(label, ends)| {
            step(&edge_labels[label.index()].name);
            census.edges.extend(ends);
            Ok(())
        })?;
        let uses = |property: &PropertyId| -> Result<(PropertyId, Vec<PropertyUse>)> {
            let uses = uses_of(&graph_scan, *property, &labels, &counts);
            task.check()?;
            Ok((*property, uses?))
        };
        let ids: Vec<PropertyId> = graph.property_ids().collect();
        in_order_within_memory(&ids, threads, uses, |(property, uses)| {
            step(&properties[property.index()].name);
            census.properties.extend(uses);
            Ok(())
        })?;
        census.properties.sort_by(|a, b| (&a.label, a.property).cmp(&(&b.label, b.property)));
        graph.check()?;
        Ok(census)
    }
}

fn labels_of(
    graph_scan: &GraphScan<'_>,
    labels: &NodeLabels<'_>,
    counts: &[u64],
) -> Result<Vec<(String, u64)>> {
    let mut found = Vec::new();
    for (set, count) in (0..).zip(counts.iter()).filter(|(_, count)| **count > 0) {
        let name = labels.text(set);
        graph_scan.keep(name.len() + size_of::<(String, u64)>())?;
        found.push((name, *count));
    }
    found.sort();
    Ok(found)
}

/// The number of nodes of each label set, removed nodes excluded.
fn counts_of<'p>(graph_scan: &'p GraphScan<'_>, labels: &NodeLabels<'_>) -> Result<ScratchVec<'p, u64>> {
    let mut counts = ScratchVec::filled(graph_scan, 0u64, labels.set_count())?;
    labels.sets().iter().for_each(|set| counts[*set as usize] += 1);
    if let Some(removed) = graph_scan.graph.removed_nodes()? {
        let sets = removed.iter().filter_map(|node| labels.sets().get(node as usize));
        sets.for_each(|set| counts[*set as usize] = counts[*set as usize].saturating_sub(1));
    }
    Ok(counts)
}

fn ends_of(
    graph_scan: &GraphScan<'_>,
    edge_label: EdgeLabelId,
    labels: &NodeLabels<'_>,
) -> Result<Vec<EdgeEnds>> {
    let mut found = Vec::new();
    edge_ends(graph_scan, edge_label, labels)?.for_each(|source, target, edges| {
        let (source, target) = (labels.text(source), labels.text(target));
        graph_scan.keep(source.len() + target.len() + size_of::<EdgeEnds>())?;
        found.push(EdgeEnds { edge_label, source, target, edges });
        Ok(())
    })?;
    found.sort_by(|a, b| (&a.source, &a.target).cmp(&(&b.source, &b.target)));
    Ok(found)
}

/// The owners of a property, divided into numbered groups.
enum Owners<'a> {
    /// Nodes, grouped by their label sets.
    Nodes { labels: &'a NodeLabels<'a>, counts: &'a [u64] },
    /// The edges of one label, as a single group.
    Edges { name: &'a str, count: u64 },
}

impl Owners<'_> {
    fn groups(&self) -> usize {
        match self {
            Self::Nodes { labels, .. } => labels.set_count(),
            Self::Edges { .. } => 1,
        }
    }

    #[inline]
    fn group(&self, owner: u32) -> u32 {
        match self {
            Self::Nodes { labels, .. } => labels.set(owner),
            Self::Edges { .. } => 0,
        }
    }

    /// The name of a group, and the number of its nodes or edges.
    fn told(&self, group: u32) -> (String, u64) {
        match self {
            Self::Nodes { labels, counts } => (labels.text(group), counts[group as usize]),
            Self::Edges { name, count } => ((*name).to_owned(), *count),
        }
    }
}

/// The groups that have a property, in the order of their first value. If there are more groups than values,
/// memory is taken only for groups that have values.
struct Groups<'p> {
    /// The index in `met` of each group, or [`NOT_MET`].
    places: Places,
    /// The groups that have a value, in the order of their first value.
    met: ScratchVec<'p, u32>,
    _scratch: Scratch<'p>,
}

enum Places {
    All(Vec<u32>),
    Few(HashMap<u32, u32>),
}

const NOT_MET: u32 = u32::MAX;

impl<'p> Groups<'p> {
    fn new(graph_scan: &'p GraphScan<'_>, groups: usize, values: u64) -> Result<Self> {
        let is_few = values < groups as u64;
        let (entries, of_entry) =
            if is_few { (values as usize, 2 * size_of::<(u32, u32)>()) } else { (groups, size_of::<u32>()) };
        let scratch = graph_scan.scratch(entries.saturating_mul(of_entry))?;
        let places = if is_few { Places::Few(HashMap::new()) } else { Places::All(vec![NOT_MET; groups]) };
        Ok(Self { places, met: ScratchVec::new(graph_scan)?, _scratch: scratch })
    }

    /// The index of a group in `met`, where the group is added if it is new.
    #[inline]
    fn place(&mut self, group: u32) -> Result<usize> {
        let next = self.met.len() as u32;
        let place = match &mut self.places {
            Places::All(places) => &mut places[group as usize],
            Places::Few(places) => places.entry(group).or_insert(NOT_MET),
        };
        if *place == NOT_MET {
            *place = next;
            self.met.push(group)?;
            return Ok(next as usize);
        }
        Ok(*place as usize)
    }
}

/// The counts of a property's owners and values in one group of owners.
#[derive(Clone, Copy, Default)]
struct Tally {
    owners: u64,
    values: u64,
    first: u32,
    first_value: i64,
    second: Option<u32>,
}

fn uses_of(
    graph_scan: &GraphScan<'_>,
    property: PropertyId,
    labels: &NodeLabels<'_>,
    counts: &[u64],
) -> Result<Vec<PropertyUse>> {
    let graph = graph_scan.graph;
    let info = &graph.properties()[property.index()];
    let edge_label = info
        .edge_label
        .as_ref()
        .and_then(|name| graph.edge_labels().iter().find(|label| label.name == *name));
    let owners = match edge_label {
        Some(label) => Owners::Edges { name: &label.name, count: label.edges },
        None => Owners::Nodes { labels, counts },
    };
    let lists = ListColumns::of_property(graph, property)?.until(graph_scan.flag());
    let mut groups = Groups::new(graph_scan, owners.groups(), lists.total)?;
    let tallies = tallies_of(graph_scan, &lists, &owners, &mut groups)?;
    let distinct = match info.value_type {
        ValueType::I64 | ValueType::U64 | ValueType::F64 => {
            distinct_of(graph_scan, &lists, &owners, (&mut groups, &tallies), |value| value)?
        }
        // Values of other types have at most 32 bits, so narrowing them does not change the number of
        // different values.
        _ => distinct_of(graph_scan, &lists, &owners, (&mut groups, &tallies), |value| value as u32)?,
    };
    let mut uses = Vec::new();
    for ((group, tally), distinct) in groups.met.iter().zip(tallies.iter()).zip(distinct.iter()) {
        let (label, of) = owners.told(*group);
        graph_scan.keep(label.len() + size_of::<PropertyUse>())?;
        uses.push(PropertyUse {
            label,
            of,
            property,
            owners: tally.owners,
            values: tally.values,
            distinct: *distinct,
            first: tally.first,
            second: tally.second.unwrap_or(tally.first),
        });
    }
    Ok(uses)
}

/// Counts owners and values, in one scan of the column.
fn tallies_of<'p>(
    graph_scan: &'p GraphScan<'_>,
    lists: &ListColumns,
    owners: &Owners<'_>,
    groups: &mut Groups<'_>,
) -> Result<ScratchVec<'p, Tally>> {
    let graph = graph_scan.graph;
    let mut tallies = ScratchVec::new(graph_scan)?;
    let mut scan = lists.scan();
    while let Some(list) = scan.next_list() {
        let place = groups.place(owners.group(list.owner))?;
        if place == tallies.len() {
            tallies.push(Tally::default())?;
        }
        let tally: &mut Tally = &mut tallies[place];
        let mut is_first = true;
        while let Some(value) = scan.next_entry() {
            if tally.values == 0 {
                (tally.first, tally.first_value) = (list.owner, value);
            }
            if is_first && value != tally.first_value {
                tally.second.get_or_insert(list.owner);
            }
            is_first = false;
            tally.values += 1;
        }
        tally.owners += 1;
    }
    scan.finish().map_err(|error| graph.store().damaged(error))?;
    Ok(tallies)
}

/// The number of different values of each group. The values are copied to one array, group by group, and
/// sorted in each group.
fn distinct_of<'p, T: Copy + Default + Ord>(
    graph_scan: &'p GraphScan<'_>,
    lists: &ListColumns,
    owners: &Owners<'_>,
    (groups, tallies): (&mut Groups<'_>, &[Tally]),
    narrow: impl Fn(i64) -> T,
) -> Result<ScratchVec<'p, u64>> {
    let graph = graph_scan.graph;
    let mut next = ScratchVec::with_capacity(graph_scan, tallies.len())?;
    let mut total = 0;
    for tally in tallies {
        next.push(total)?;
        total += tally.values as usize;
    }
    let mut values = ScratchVec::filled(graph_scan, T::default(), total)?;
    let mut scan = lists.scan();
    while let Some(list) = scan.next_list() {
        // A mapped file may change between two scans; the census leaves out entries that no longer fit.
        let mut place = next.get_mut(groups.place(owners.group(list.owner))?);
        while let Some(value) = scan.next_entry() {
            if let Some(place) = &mut place
                && let Some(slot) = values.get_mut(**place)
            {
                *slot = narrow(value);
                **place += 1;
            }
        }
    }
    scan.finish().map_err(|error| graph.store().damaged(error))?;
    let mut distinct = ScratchVec::with_capacity(graph_scan, tallies.len())?;
    let mut start = 0;
    for tally in tallies {
        let group = &mut values[start..start + tally.values as usize];
        start += tally.values as usize;
        group.sort_unstable();
        let steps = group.windows(2).filter(|pair| pair[0] != pair[1]).count() as u64;
        distinct.push(steps + u64::from(!group.is_empty()))?;
    }
    Ok(distinct)
}
