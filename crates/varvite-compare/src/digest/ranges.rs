//! Hashes and content of a few owners, computed with cursors, which read only these owners.
//!
//! The hashes are computed in the same way as in [`Part::tree`](super::part::Part), but possibly for shorter
//! ranges. Cursors record the damage that they find.

use std::ops::Range;

use varvite_format::{EdgeLabelId, Fault, FormatError, LabelId, PropertyId};

use super::column_tree::RangeHash;
use super::label_stream::{LabelStream, names_of};
use super::part::Part;
use super::range_stream::RangeStream;
use varvite_graph::internal::for_each_changed_place;
use varvite_graph::{Direction, Graph, GraphError, GraphScan, Property, Result, ScratchVec, Value};

/// The number of owners between two checks for cancellation.
const CANCEL_OWNERS: u32 = 1 << 10;

/// Hashes of the ranges of 2^`shift` owners that are within `owners`.
pub(super) fn hashes_within(
    graph_scan: &GraphScan<'_>,
    part: Part,
    owners: Range<u64>,
    shift: u32,
) -> Result<Vec<RangeHash>> {
    let Some(owners) = owners_of(graph_scan.graph, part, owners) else { return Ok(Vec::new()) };
    match part {
        Part::NodeLabels => label_set_hashes(graph_scan, owners, shift),
        Part::EdgeLabel(_) | Part::Layers => Ok(Vec::new()),
        Part::Label(label) => label_hashes(graph_scan, label, owners, shift),
        Part::Edges(label, direction) => edge_hashes(graph_scan, label, direction, owners, shift),
        Part::Places(label) => place_hashes(graph_scan, label, owners, shift),
        Part::Property(property) => property_hashes(graph_scan, property, owners, shift),
    }
}

/// The part of `owners` up to the last owner that the graph has. `None` if it is empty.
fn owners_of(graph: &Graph, part: Part, owners: Range<u64>) -> Option<Range<u32>> {
    let count = match part {
        Part::Property(property) => match &graph.properties().get(property.index())?.edge_label {
            Some(label) => graph.edge_labels()[graph.edge_label(label).ok()?.index()].edges,
            None => graph.node_count().into(),
        },
        _ => graph.node_count().into(),
    };
    let end = u32::try_from(owners.end.min(count)).ok()?;
    let start = u32::try_from(owners.start).ok()?;
    (start < end).then_some(start..end)
}

fn label_set_hashes(graph_scan: &GraphScan<'_>, nodes: Range<u32>, shift: u32) -> Result<Vec<RangeHash>> {
    let mut stream = LabelStream::new(graph_scan, shift)?;
    for node in nodes {
        let Some(code) = stream.labels().known_code(node) else { break };
        stream.push(node, code)?;
    }
    Ok(stream.finish())
}

fn label_hashes(
    graph_scan: &GraphScan<'_>,
    label: LabelId,
    nodes: Range<u32>,
    shift: u32,
) -> Result<Vec<RangeHash>> {
    let (of_label, origin) = (graph_scan.graph.nodes_of(label)?, graph_scan.graph.origin(label)?);
    let mut ranges = RangeStream::new(shift);
    let first = of_label.count_in(0..nodes.start);
    for (rank, node) in (first..).zip(of_label.iter_from(nodes.start).take_while(|node| *node < nodes.end)) {
        ranges.begin(node);
        ranges.stream.u32(node);
        ranges
            .stream
            .u32(origin.as_ref().map_or(Some(rank), |origin| origin.number(rank)).unwrap_or(u32::MAX));
    }
    Ok(ranges.finish())
}

fn edge_hashes(
    graph_scan: &GraphScan<'_>,
    label: EdgeLabelId,
    direction: Direction,
    nodes: Range<u32>,
    shift: u32,
) -> Result<Vec<RangeHash>> {
    let adjacency = graph_scan.graph.adjacency(label, direction)?;
    let (mut ranges, mut work) =
        (RangeStream::new(shift), Work::of_edges(graph_scan, adjacency.edge_count()));
    for node in nodes {
        let len = adjacency.degree(node) as u64;
        work.take(node, len)?;
        if len > 0 {
            ranges.begin(node);
            ranges.stream.u32(node);
            ranges.stream.u64(len);
            adjacency.neighbors(node).for_each(|neighbor| ranges.stream.u32(neighbor));
        }
    }
    Ok(ranges.finish())
}

fn place_hashes(
    graph_scan: &GraphScan<'_>,
    label: EdgeLabelId,
    nodes: Range<u32>,
    shift: u32,
) -> Result<Vec<RangeHash>> {
    let mut ranges = RangeStream::new(shift);
    let mut write = |node: u32, places: &mut dyn ExactSizeIterator<Item = u32>| {
        if places.len() > 0 {
            ranges.begin(node);
            ranges.stream.u32(node);
            ranges.stream.u64(places.len() as u64);
            places.for_each(|place| ranges.stream.u32(place));
        }
    };
    for_each_places(graph_scan, label, nodes, &mut write)?;
    Ok(ranges.finish())
}

/// Calls `visit` with each node and the places of its in-edges.
fn for_each_places(
    graph_scan: &GraphScan<'_>,
    label: EdgeLabelId,
    nodes: Range<u32>,
    visit: &mut dyn FnMut(u32, &mut dyn ExactSizeIterator<Item = u32>),
) -> Result<()> {
    let Some(places) = graph_scan.graph.places(label)? else { return Ok(()) };
    if graph_scan.graph.has_changed_edges(label) {
        return for_each_changed_list(graph_scan, label, nodes, visit);
    }
    let adjacency = graph_scan.graph.adjacency(label, Direction::In)?;
    let mut work = Work::of_edges(graph_scan, adjacency.edge_count());
    for node in nodes {
        let (len, first) = (adjacency.degree(node), adjacency.first_rank(node).unwrap_or(0));
        work.take(node, len as u64)?;
        visit(node, &mut (first..first + len).map(|position| places.place(position).unwrap_or(u32::MAX)));
    }
    Ok(())
}

/// The same as [`for_each_places`], for a label with changes; reads all in-lists of the label.
fn for_each_changed_list(
    graph_scan: &GraphScan<'_>,
    label: EdgeLabelId,
    nodes: Range<u32>,
    visit: &mut dyn FnMut(u32, &mut dyn ExactSizeIterator<Item = u32>),
) -> Result<()> {
    let mut of_list = Vec::new();
    for_each_changed_place(graph_scan, label, |list, _, place| {
        if nodes.contains(&list.owner) {
            of_list.push(place);
            if of_list.len() as u64 == list.len {
                visit(list.owner, &mut of_list.drain(..));
            }
        }
    })
}

fn property_hashes(
    graph_scan: &GraphScan<'_>,
    property: PropertyId,
    owners: Range<u32>,
    shift: u32,
) -> Result<Vec<RangeHash>> {
    let property = graph_scan.graph.property_at(property)?;
    let (mut ranges, mut work) =
        (RangeStream::new(shift), Work::of_edges(graph_scan, property.value_count() as u64));
    for owner in property.owners_from(owners.start).take_while(|owner| *owner < owners.end) {
        let len = property.range(owner).len() as u64;
        work.take(owner, len)?;
        if len > 0 {
            ranges.begin(owner);
            ranges.stream.u32(owner);
            ranges.stream.u64(len);
            for number in property.numbers(owner) {
                match property.value_type().is_text() {
                    true => ranges.stream.bytes(&text_hash(graph_scan, &property, number)?),
                    false => ranges.stream.u64(number as u64),
                }
            }
        }
    }
    Ok(ranges.finish())
}

/// The hash of a text; zeros for null.
fn text_hash(graph_scan: &GraphScan<'_>, property: &Property, code: i64) -> Result<[u8; 32]> {
    if property.bounds.is_null(code) {
        return Ok([0; 32]);
    }
    let text = property.strings().zip(u32::try_from(code).ok()).and_then(|(texts, code)| texts.get(code));
    let text = text.as_deref().unwrap_or_default();
    graph_scan.add_text(text)?;
    Ok(*blake3::hash(text).as_bytes())
}

/// Checks for cancellation, and that all lists together have no more entries than the column: if they have
/// more, lists overlap, and the file is damaged.
struct Work<'p> {
    graph_scan: &'p GraphScan<'p>,
    left: u64,
    owners: u32,
    total: u64,
}

impl<'p> Work<'p> {
    fn of_edges(graph_scan: &'p GraphScan<'_>, total: u64) -> Self {
        Self { graph_scan, left: total, owners: 0, total }
    }

    #[inline]
    fn take(&mut self, owner: u32, entries: u64) -> Result<()> {
        self.owners = self.owners.wrapping_add(1);
        if self.owners.is_multiple_of(CANCEL_OWNERS) {
            self.graph_scan.check()?;
        }
        self.left = self.left.checked_sub(entries).ok_or_else(|| self.overlap(owner))?;
        Ok(())
    }

    #[cold]
    fn overlap(&self, node: u32) -> GraphError {
        let fault = Fault::Nesting { node, edges: self.total };
        self.graph_scan.graph.store().damaged(FormatError::damaged("lists", fault)).into()
    }
}

/// The content of one owner in a column, for comparison: a number for each entry. Equal entries have equal
/// numbers.
pub(super) fn entry_keys<'p>(
    graph_scan: &'p GraphScan<'_>,
    part: Part,
    owner: u32,
) -> Result<ScratchVec<'p, u64>> {
    let (graph, mut keys) = (graph_scan.graph, ScratchVec::new(graph_scan)?);
    let Some(nodes) = owners_of(graph, part, owner.into()..u64::from(owner) + 1) else { return Ok(keys) };
    match part {
        Part::EdgeLabel(_) | Part::Layers => {}
        Part::NodeLabels => {
            let labels = graph.label_sets()?;
            for name in
                labels.known_code(owner).map(|code| names_of(graph, &labels, code)).into_iter().flatten()
            {
                keys.push(key_of_text(name.as_bytes()))?;
            }
        }
        Part::Label(label) => {
            let of_label = graph.nodes_of(label)?;
            if of_label.contains(owner) {
                keys.push(number_in_source(graph, label, of_label.count_in(0..owner))?.into())?;
            }
        }
        Part::Edges(label, direction) => {
            for neighbor in graph.adjacency(label, direction)?.neighbors(owner) {
                keys.push(neighbor.into())?;
            }
        }
        Part::Places(label) => {
            let mut result = Ok(());
            let mut visit = |_, mut places: &mut dyn ExactSizeIterator<Item = u32>| {
                result = (&mut places).try_for_each(|place| keys.push(place.into()));
            };
            for_each_places(graph_scan, label, nodes, &mut visit)?;
            result?;
        }
        Part::Property(property) => {
            let property = graph.property_at(property)?;
            for number in property.numbers(owner) {
                keys.push(match property.value_type().is_text() {
                    true => u64::from_le_bytes(
                        *text_hash(graph_scan, &property, number)?.first_chunk().unwrap_or(&[0; 8]),
                    ),
                    false => number as u64,
                })?;
            }
        }
    }
    Ok(keys)
}

fn key_of_text(text: &[u8]) -> u64 {
    u64::from_le_bytes(*blake3::hash(text).as_bytes().first_chunk().unwrap_or(&[0; 8]))
}

fn number_in_source(graph: &Graph, label: LabelId, rank: u32) -> Result<u32> {
    Ok(graph.origin(label)?.map_or(Some(rank), |origin| origin.number(rank)).unwrap_or(u32::MAX))
}

/// An entry of an owner in readable form: a text in quotes, `#12` for a node. `position` and `key` identify
/// the entry.
pub(super) fn entry_words(
    graph: &Graph,
    part: Part,
    owner: u32,
    position: usize,
    key: u64,
) -> Result<String> {
    Ok(match part {
        Part::EdgeLabel(_) | Part::Layers => String::new(),
        Part::NodeLabels => {
            let labels = graph.label_sets()?;
            let names = labels.known_code(owner).map(|code| names_of(graph, &labels, code));
            names.and_then(|names| names.get(position).copied()).unwrap_or_default().to_owned()
        }
        Part::Edges(..) => format!("#{key}"),
        Part::Label(_) | Part::Places(_) => key.to_string(),
        Part::Property(property) => {
            let property = graph.property_at(property)?;
            property.all(owner).nth(position).map_or_else(String::new, |value| words_of(&value))
        }
    })
}

/// The node that is the owner, or the source of the edge that is the owner.
pub(super) fn node_of(graph: &Graph, part: Part, owner: u32) -> Result<Option<u32>> {
    let edge_label = match part {
        Part::Property(property) => graph.properties()[property.index()].edge_label.as_ref(),
        _ => None,
    };
    // The owner may come from another graph and not exist in this one.
    let Some(label) = edge_label else { return Ok((owner < graph.node_count()).then_some(owner)) };
    let (adjacency, mut rank) = (graph.out(label)?, 0);
    Ok(adjacency.sources().find(|source| {
        rank += adjacency.degree(*source) as u64;
        rank > owner.into()
    }))
}

/// The maximum number of bytes of a text that are shown.
const TEXT_BYTES_MAX: usize = 4096;

/// A value in readable form; texts are in quotes.
pub(crate) fn words_of(value: &Value<'_>) -> String {
    match value {
        Value::Str(text) => {
            let end = (0..=TEXT_BYTES_MAX.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
            let end = end.unwrap_or(0);
            let dots = if end < text.len() { "…" } else { "" };
            format!("{:?}{dots}", &text[..end])
        }
        Value::Bytes(bytes) => {
            varvite_graph::internal::Hex(&bytes[..bytes.len().min(TEXT_BYTES_MAX)]).to_string()
        }
        value => value.to_string(),
    }
}
