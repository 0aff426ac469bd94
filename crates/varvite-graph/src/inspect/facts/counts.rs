//! Counts over whole columns: nodes by label, edges by the labels at their ends, values and the sum of their
//! hashes.

use std::collections::{BTreeMap, HashMap};

use varvite_format::{EdgeLabelId, PropertyId};

use super::PropertyFacts;
use super::text::{float_text, fnv64};
use crate::cursor::adjacency::Direction;
use crate::cursor::bounds::NULL_REF;
use crate::cursor::property::Property;
use crate::cursor::value::{Hex, Value, ValueType};
use crate::error::Result;
use crate::scan::columns::{ListColumns, for_each_text};
use crate::scan::graph_scan::{GraphScan, Scratch, ScratchVec};
use crate::scan::node_labels::NodeLabels;

/// The number of edges of one label between each pair of label sets, under the names that
/// [`Facts`](super::Facts) uses.
pub(super) fn edge_triples(
    graph_scan: &GraphScan<'_>,
    edge_label: EdgeLabelId,
    labels: &NodeLabels<'_>,
) -> Result<BTreeMap<String, u64>> {
    let label = &graph_scan.graph.edge_labels()[edge_label.index()].name;
    let mut triples = BTreeMap::new();
    edge_ends(graph_scan, edge_label, labels)?.for_each(|source, target, count| {
        let triple = format!("{label} {} {}", labels.text(source), labels.text(target));
        graph_scan.keep(triple.len() + size_of::<(String, u64)>())?;
        triples.insert(triple, count);
        Ok(())
    })?;
    Ok(triples)
}

/// The number of edges of one label between each pair of label sets.
pub(super) fn edge_ends<'p>(
    graph_scan: &'p GraphScan<'_>,
    edge_label: EdgeLabelId,
    labels: &NodeLabels<'_>,
) -> Result<Pairs<'p>> {
    let graph = graph_scan.graph;
    let lists = ListColumns::of_edges(graph, edge_label, Direction::Out)?.until(graph_scan.flag());
    let mut pairs = Pairs::new(graph_scan, labels.set_count(), lists.total)?;
    let mut scan = lists.scan();
    while let Some(list) = scan.next_list() {
        let source = labels.set(list.owner);
        while let Some(target) = scan.next_neighbor() {
            pairs.add(source, labels.set(target))?;
        }
    }
    scan.finish().map_err(|error| graph.store().damaged(error))?;
    Ok(pairs)
}

/// The number of edges between each pair of label sets: in a matrix, or in a map if the number of pairs is
/// large compared with the number of edges.
pub(super) enum Pairs<'p> {
    Matrix { counts: ScratchVec<'p, u64>, sets: usize },
    Map { counts: HashMap<(u32, u32), u64>, scratch: Scratch<'p> },
}

impl<'p> Pairs<'p> {
    const MATRIX_MAX: usize = 1 << 20;
    /// The number of pairs up to which a matrix is used, however few edges there are.
    const FEW: usize = 1 << 10;
    /// Bytes of memory for each entry of the map, its unused capacity included.
    const OF_ENTRY: usize = 2 * size_of::<((u32, u32), u64)>();

    fn new(graph_scan: &'p GraphScan<'_>, sets: usize, edges: u64) -> Result<Self> {
        let few = usize::try_from(edges).unwrap_or(usize::MAX).clamp(Self::FEW, Self::MATRIX_MAX);
        Ok(match sets.checked_mul(sets).filter(|pairs| *pairs <= few) {
            Some(pairs) => Self::Matrix { counts: ScratchVec::filled(graph_scan, 0, pairs)?, sets },
            None => Self::Map { counts: HashMap::new(), scratch: graph_scan.scratch(0)? },
        })
    }

    #[inline]
    fn add(&mut self, source: u32, target: u32) -> Result<()> {
        match self {
            Self::Matrix { counts, sets } => counts[source as usize * *sets + target as usize] += 1,
            Self::Map { counts, scratch } => {
                if counts.len() == counts.capacity() {
                    scratch.resize((counts.len().max(8) * 2) * Self::OF_ENTRY)?;
                }
                *counts.entry((source, target)).or_default() += 1;
            }
        }
        Ok(())
    }

    /// Calls `visit` with each pair that has edges, and the number of its edges.
    pub(super) fn for_each(&self, mut visit: impl FnMut(u32, u32, u64) -> Result<()>) -> Result<()> {
        match self {
            Self::Matrix { counts, sets } => {
                let found = counts.iter().enumerate().filter(|(_, count)| **count > 0);
                found.into_iter().try_for_each(|(index, count)| {
                    visit((index / sets) as u32, (index % sets) as u32, *count)
                })
            }
            Self::Map { counts, .. } => {
                counts.iter().try_for_each(|((source, target), count)| visit(*source, *target, *count))
            }
        }
    }
}

/// The number of a property's owners, the number of its values, and the sum of the values' hashes.
pub(super) fn property_facts(
    graph_scan: &GraphScan<'_>,
    id: PropertyId,
    labels: &NodeLabels<'_>,
) -> Result<PropertyFacts> {
    let graph = graph_scan.graph;
    let lists = ListColumns::of_property(graph, id)?.until(graph_scan.flag());
    let mut hashes = Hashes::of(graph_scan, id, lists.total, labels)?;
    let mut facts = PropertyFacts::default();
    let mut scan = lists.scan();
    while scan.next_list().is_some() {
        facts.nodes += 1;
        while let Some(value) = scan.next_entry() {
            facts.values += 1;
            facts.fnv64_sum = facts.fnv64_sum.wrapping_add(hashes.of_value(value));
        }
    }
    scan.finish().map_err(|error| graph.store().damaged(error))?;
    Ok(facts)
}

/// Hashes of a property's values, each computed from the value's form as text.
enum Hashes<'a> {
    /// The hashes of texts by code; the last is the hash of null.
    Texts(ScratchVec<'a, u64>),
    /// The label sets of all nodes, and for each label set the hash of a reference to a node with this label
    /// set.
    Refs(&'a NodeLabels<'a>, Vec<u64>),
    /// A cache of hashes, indexed by the low bits of a number, because most properties hold few different
    /// numbers.
    Numbers { last: Vec<(i64, u64)>, property: Box<Property> },
}

impl<'a> Hashes<'a> {
    /// The largest number of entries of the cache: a power of two.
    const NUMBERS: usize = 1 << 14;

    fn of(
        graph_scan: &'a GraphScan<'_>,
        id: PropertyId,
        values: u64,
        labels: &'a NodeLabels<'_>,
    ) -> Result<Self> {
        let property = graph_scan.graph.property_at(id)?;
        Ok(match property.value_type() {
            ValueType::String | ValueType::Bytes => Self::Texts(text_hashes(graph_scan, id, &property)?),
            ValueType::Ref => {
                let hash = |set| fnv64(format!("ref:{}", labels.text(set)));
                Self::Refs(labels, (0..labels.set_count() as u32).map(hash).collect())
            }
            _ => {
                let count = Self::NUMBERS.min((values as usize).next_power_of_two().max(2));
                // An empty entry holds the complement of its index. It never matches, because a number's low
                // bits equal the index.
                let last = (0..count as i64).map(|index| (!index, 0)).collect();
                Self::Numbers { last, property: Box::new(property) }
            }
        })
    }

    #[inline]
    fn of_value(&mut self, value: i64) -> u64 {
        match self {
            Self::Texts(hashes) => hashes[value as usize],
            Self::Refs(..) if value == NULL_REF => fnv64("null"),
            Self::Refs(labels, hashes) => hashes[labels.set(value as u32) as usize],
            Self::Numbers { last, property } => {
                let place = value as usize % last.len();
                let entry = &mut last[place];
                if entry.0 != value {
                    *entry = (value, fnv64(text_of(property.value_of(value, 0))));
                }
                entry.1
            }
        }
    }
}

fn text_hashes<'p>(
    graph_scan: &'p GraphScan<'_>,
    id: PropertyId,
    property: &Property,
) -> Result<ScratchVec<'p, u64>> {
    let is_string = property.value_type() == ValueType::String;
    let texts = property.strings().map_or(0, |strings| strings.len() as usize);
    let mut hashes = ScratchVec::with_capacity(graph_scan, texts + 1)?;
    for_each_text(graph_scan, id, |text| {
        hashes.push(if is_string { fnv64(text) } else { fnv64(Hex(text).to_string()) })
    })?;
    hashes.push(fnv64("null"))?;
    Ok(hashes)
}

fn text_of(value: Value<'_>) -> String {
    match value {
        Value::F32(number) => float_text(number),
        Value::F64(number) => float_text(number),
        other => other.to_string(),
    }
}
