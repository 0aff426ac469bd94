//! [`Part`]: the part of a graph that one column of its digest covers. [`Part::tree`] computes the hashes of
//! the column.

use varvite_format::{EdgeLabelId, Fault, FormatError, Ints, LabelId, PropertyId};
use varvite_store::Pinned;

use super::ContentHash;
use super::column_tree::{ColumnTree, LEAF_SHIFT, RangeHash};
use super::label_stream::LabelStream;
use super::range_stream::RangeStream;
use super::stream::{Stream, layer_name};
use varvite_graph::internal::{
    IntsScan, ListColumns, adjacency_name, edge_label_name, for_each_changed_place, for_each_text,
    label_codes, label_name, property_name,
};
use varvite_graph::{Direction, Graph, GraphScan, Result, ScratchVec};

/// The part of a graph that a column of its digest covers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    NodeLabels,
    Label(LabelId),
    EdgeLabel(EdgeLabelId),
    Edges(EdgeLabelId, Direction),
    Places(EdgeLabelId),
    Property(PropertyId),
    Layers,
}

impl Part {
    pub(super) fn all(graph: &Graph) -> Vec<Self> {
        let directory = graph.store().directory();
        let mut parts = vec![Self::NodeLabels, Self::Layers];
        parts.extend(graph.label_ids().map(Self::Label));
        for (label, row) in graph.edge_label_ids().zip(&directory.edge_labels) {
            parts.push(Self::EdgeLabel(label));
            parts.extend(Direction::BOTH.map(|direction| Self::Edges(label, direction)));
            parts.extend(row.places.map(|_| Self::Places(label)));
        }
        parts.extend(graph.property_ids().map(Self::Property));
        parts
    }

    /// The part of the column with this name.
    pub(super) fn named(graph: &Graph, name: &str) -> Option<Self> {
        Self::all(graph).into_iter().find(|part| part.name(graph) == name)
    }

    pub(super) fn name(self, graph: &Graph) -> String {
        let directory = graph.store().directory();
        match self {
            Self::NodeLabels => "node labels".to_owned(),
            Self::Label(label) => label_name(directory, label),
            Self::EdgeLabel(label) => edge_label_name(directory, label),
            Self::Edges(label, direction) => adjacency_name(directory, label, direction),
            Self::Places(label) => format!("{} places", edge_label_name(directory, label)),
            Self::Property(property) => property_name(directory, property),
            Self::Layers => "layers".to_owned(),
        }
    }

    /// Whether the owners of the part are edges, which are numbered by rank.
    pub(super) fn is_of_edges(self, graph: &Graph) -> bool {
        match self {
            Self::Property(property) => graph.properties()[property.index()].edge_label.is_some(),
            _ => false,
        }
    }

    /// The hash of the part's row in the schema.
    pub(super) fn header(self, graph: &Graph) -> ContentHash {
        let mut stream = Stream::default();
        match self {
            Self::NodeLabels | Self::Edges(..) | Self::Places(_) => {}
            Self::Label(label) => {
                let info = &graph.labels()[label.index()];
                stream.layer(graph, info.layer);
                stream.u32(info.origin_count);
            }
            Self::EdgeLabel(label) => {
                let info = &graph.edge_labels()[label.index()];
                stream.layer(graph, info.layer);
                stream.u64(info.edges);
            }
            Self::Property(property) => {
                let info = &graph.properties()[property.index()];
                stream.layer(graph, info.layer);
                stream.text(info.value_type.name().as_bytes());
                stream.text(info.cardinality.name().as_bytes());
                stream.u64(info.default.is_some().into());
                stream.text(info.default.as_deref().unwrap_or_default().as_bytes());
            }
            Self::Layers => {
                let mut names: Vec<&str> = graph.layers().iter().map(|layer| layer.name.as_str()).collect();
                names.sort_unstable();
                names.iter().for_each(|name| stream.text(name.as_bytes()));
            }
        }
        stream.finish()
    }

    /// The part's row in the schema, in words.
    pub(super) fn header_words(self, graph: &Graph) -> String {
        match self {
            Self::NodeLabels | Self::Edges(..) | Self::Places(_) => String::new(),
            Self::Label(label) => {
                let info = &graph.labels()[label.index()];
                format!("layer {}, {} nodes in its source", layer_name(graph, info.layer), info.origin_count)
            }
            Self::EdgeLabel(label) => {
                let info = &graph.edge_labels()[label.index()];
                format!("layer {}, {} edges", layer_name(graph, info.layer), info.edges)
            }
            Self::Property(property) => {
                let info = &graph.properties()[property.index()];
                let (layer, default) = (layer_name(graph, info.layer), info.default.as_deref());
                let default = default.map_or("no default".to_owned(), |text| format!("default {text:?}"));
                let (value_type, cardinality) = (info.value_type.name(), info.cardinality.name());
                format!("layer {layer}, type {value_type}, cardinality {cardinality}, {default}")
            }
            Self::Layers => {
                let mut names: Vec<&str> = graph.layers().iter().map(|layer| layer.name.as_str()).collect();
                names.sort_unstable();
                names.join(", ")
            }
        }
    }

    /// The hashes of the whole column, which is read once from front to back.
    pub(super) fn tree(self, graph_scan: &GraphScan<'_>) -> Result<ColumnTree> {
        let graph = graph_scan.graph;
        let leaves = match self {
            Self::NodeLabels => {
                let mut stream = LabelStream::new(graph_scan, LEAF_SHIFT)?;
                let mut node = 0;
                label_codes(graph, |code| {
                    node += 1;
                    stream.push(node - 1, code)
                })?;
                stream.finish()
            }
            Self::Label(label) => label_leaves(graph, label)?,
            Self::Edges(label, direction) => edge_leaves(graph_scan, label, direction)?,
            Self::Places(label) => place_leaves(graph_scan, label)?,
            Self::Property(property) => property_leaves(graph_scan, property)?,
            Self::EdgeLabel(_) | Self::Layers => Vec::new(),
        };
        graph_scan.keep(leaves.capacity() * size_of::<RangeHash>())?;
        Ok(ColumnTree::of_leaves(self.name(graph), self.header(graph), self.is_of_edges(graph), leaves))
    }
}

fn label_leaves(graph: &Graph, label: LabelId) -> Result<Vec<RangeHash>> {
    let nodes = graph.nodes_of(label)?;
    // If nodes were appended or removed, the stored numbers are no longer those of the imported file.
    let column = graph.store().directory().labels[label.index()].origin.filter(|_| nodes.change.is_none());
    let numbers = column.map(|column| Ints::open(graph.store(), column)).transpose()?;
    let numbers: Option<Ints<Pinned>> = numbers;
    let mut origins = numbers.as_ref().map(|ints| Numbers::new(graph, ints, "label origin"));
    if let Some(origins) = &origins {
        origins.check_count(nodes.len().into())?;
    }
    let (mut ranges, mut last, mut rank) = (RangeStream::new(LEAF_SHIFT), None, 0);
    for node in nodes.iter() {
        if last.is_some_and(|last| last >= node) || rank == nodes.len() {
            break;
        }
        let number = match &mut origins {
            Some(origins) => origins.next(rank.into())?,
            None => rank,
        };
        ranges.begin(node);
        ranges.stream.u32(node);
        ranges.stream.u32(number);
        (last, rank) = (Some(node), rank + 1);
    }
    if rank < nodes.len() {
        let fault = Fault::Order { what: "more rising members", at: last.map_or(0, u64::from) };
        return Err(graph.store().damaged(FormatError::damaged("label nodes", fault)).into());
    }
    Ok(ranges.finish())
}

fn edge_leaves(
    graph_scan: &GraphScan<'_>,
    label: EdgeLabelId,
    direction: Direction,
) -> Result<Vec<RangeHash>> {
    let graph = graph_scan.graph;
    let lists = ListColumns::of_edges(graph, label, direction)?.until(graph_scan.flag());
    let (mut scan, mut ranges) = (lists.scan(), RangeStream::new(LEAF_SHIFT));
    while let Some(list) = scan.next_list() {
        ranges.begin(list.owner);
        ranges.stream.u32(list.owner);
        ranges.stream.u64(list.len);
        while let Some(neighbor) = scan.next_neighbor() {
            ranges.stream.u32(neighbor);
        }
    }
    scan.finish().map_err(|error| graph.store().damaged(error))?;
    Ok(ranges.finish())
}

fn place_leaves(graph_scan: &GraphScan<'_>, label: EdgeLabelId) -> Result<Vec<RangeHash>> {
    let graph = graph_scan.graph;
    let row = &graph.store().directory().edge_labels[label.index()];
    let Some(column) = row.places else { return Ok(Vec::new()) };
    let places: Ints<Pinned> = Ints::open(graph.store(), column)?;
    if graph.has_changed_edges(label) {
        let mut ranges = RangeStream::new(LEAF_SHIFT);
        for_each_changed_place(graph_scan, label, |list, is_first, place| {
            if is_first {
                ranges.begin(list.owner);
                ranges.stream.u32(list.owner);
                ranges.stream.u64(list.len);
            }
            ranges.stream.u32(place);
        })?;
        return Ok(ranges.finish());
    }
    let mut places = Numbers::new(graph, &places, "edge places");
    places.check_count(row.edges)?;
    let lists = ListColumns::of_edges(graph, label, Direction::In)?.until(graph_scan.flag());
    let (mut scan, mut ranges, mut position) = (lists.scan(), RangeStream::new(LEAF_SHIFT), 0);
    while let Some(list) = scan.next_list() {
        ranges.begin(list.owner);
        ranges.stream.u32(list.owner);
        ranges.stream.u64(list.len);
        while scan.next_neighbor().is_some() {
            ranges.stream.u32(places.next(position)?);
            position += 1;
        }
    }
    scan.finish().map_err(|error| graph.store().damaged(error))?;
    Ok(ranges.finish())
}

fn property_leaves(graph_scan: &GraphScan<'_>, property: PropertyId) -> Result<Vec<RangeHash>> {
    let graph = graph_scan.graph;
    let is_text = graph.properties()[property.index()].value_type.is_text();
    let texts = graph.property_at(property)?.strings().map_or(0, |strings| strings.len() as usize);
    let mut hashes = ScratchVec::with_capacity(graph_scan, texts + 1)?;
    for_each_text(graph_scan, property, |text| hashes.push(*blake3::hash(text).as_bytes()))?;
    hashes.push([0; 32])?;
    let lists = ListColumns::of_property(graph, property)?.until(graph_scan.flag());
    let (mut scan, mut ranges) = (lists.scan(), RangeStream::new(LEAF_SHIFT));
    while let Some(list) = scan.next_list() {
        ranges.begin(list.owner);
        ranges.stream.u32(list.owner);
        ranges.stream.u64(list.len);
        while let Some(value) = scan.next_entry() {
            match is_text {
                true => ranges.stream.bytes(&hashes[value as usize]),
                false => ranges.stream.u64(value as u64),
            }
        }
    }
    scan.finish().map_err(|error| graph.store().damaged(error))?;
    Ok(ranges.finish())
}

/// A reader of a column whose values must be 32-bit numbers.
struct Numbers<'g> {
    graph: &'g Graph,
    part: &'static str,
    scan: IntsScan<'g>,
}

impl<'g> Numbers<'g> {
    fn new(graph: &'g Graph, ints: &'g Ints<Pinned>, part: &'static str) -> Self {
        Self { graph, part, scan: IntsScan::new(ints) }
    }

    fn check_count(&self, count: u64) -> Result<()> {
        let found = self.scan.value_count() as u64;
        match found == count {
            true => Ok(()),
            false => Err(self.fault(Fault::Count { what: "numbers", expected: count, found })),
        }
    }

    #[inline]
    fn next(&mut self, index: u64) -> Result<u32> {
        let found = self.scan.next(index);
        found.and_then(|number| u32::try_from(number).ok()).ok_or_else(|| {
            let (at, most) = (Some(index), u32::MAX.into());
            self.fault(Fault::Number { what: "number", at, least: 0, most, found })
        })
    }

    #[cold]
    fn fault(&self, fault: Fault) -> varvite_graph::GraphError {
        self.graph.store().damaged(FormatError::damaged(self.part, fault)).into()
    }
}
