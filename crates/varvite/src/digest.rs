//! [`Digest`]: one hash for each column of what a graph *means*, and a root over them.
//!
//! Equal graphs have equal digests, whatever profile, encodings, order of dictionaries, order of schema rows or layout
//! their files have. Where two graphs differ, the names of the columns that differ say in what.
//!
//! A column is BLAKE3 of a stream. Numbers in it are little-endian; a text is its length as u64, then its bytes.
//!
//! | column | stream |
//! |---|---|
//! | `node labels` | for each node u32: which of the sets that follow, in the order of first use; for each set u64 labels, their names, sorted |
//! | `label L` | name of the layer; nodes of the label in the file it came from u32; for each node of the label, rising, its number there u32 |
//! | `edges L` | name of the layer; edges u64 |
//! | `edges L out`, `edges L in` | for each node with a list, rising: node u32, entries u64, neighbours u32 |
//! | `edges L places` | where the file has them, for each entry of the in-lists: place of the edge in the out-list u32 |
//! | `property P`, `property L.P` | name of the layer, type, cardinality; 0 or 1 u64 and the default; for each owner with values, rising: owner u32, values u64, values |
//! | `layers` | names, sorted |
//!
//! A value is an integer, truth value, the bits of a float or a node's id as u64, 2^32 - 1 for no node; a string or
//! bytes is BLAKE3 of its own bytes, null 32 zeros. `root` is BLAKE3 of all columns in the order of their names, each
//! with its name as a text and its hash.

use std::collections::HashMap;
use std::fmt;

use blake3::Hasher;
use serde_json::{Map, Value as Json, json};
use varvite_format::{EdgeLabelId, Fault, FormatError, Ints, LabelId, PropertyId};
use varvite_store::{Pinned, Task};

use crate::adjacency::Direction;
use crate::columns::{adjacency_name, edge_label_name, label_name, property_name};
use crate::error::Result;
use crate::graph::Graph;
use crate::ints_scan::IntsScan;
use crate::parallel::in_order;
use crate::pass::{Pass, ScratchVec};
use crate::scan::{ListColumns, for_each_text, label_codes};
use crate::value::Hex;

/// The hash of a column or of a graph. Shows as 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash(pub [u8; 32]);

impl fmt::Display for ContentHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Hex(&self.0).fmt(formatter)
    }
}

/// The hash of what one column means.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct ColumnDigest {
    /// Its name, such as `edges CFG out` or `property NAME`.
    pub name: String,
    /// Its hash.
    pub hash: ContentHash,
}

/// The hashes of what a graph means.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Digest {
    /// Hash over all columns: equal for equal graphs.
    pub root: ContentHash,
    /// Every column, sorted by name.
    pub columns: Vec<ColumnDigest>,
}

impl Digest {
    /// The digest of a graph. Reads every column once; takes 32 bytes of memory for each text of the properties that are read
    /// at a time, within what [`Graph::limit_memory`] allows. Progress counts columns.
    ///
    /// # Errors
    /// The first damage that is met. [`GraphError::OverBudget`](crate::GraphError) or
    /// [`GraphError::Cancelled`](crate::GraphError).
    pub fn of(graph: &Graph, task: &Task<'_>) -> Result<Self> {
        let (pass, parts, mut columns) = (Pass::of(graph, task), Hashed::all(graph), Vec::new());
        let digest = |part: &Hashed| {
            let digest = part.digest(&pass);
            // Who stopped in the middle has seen a part, and takes it for damage.
            task.check()?;
            digest
        };
        let take = |column: ColumnDigest| {
            columns.push(column);
            task.step(&columns[columns.len() - 1].name, columns.len(), parts.len());
            Ok(())
        };
        in_order(&parts, task.thread_count(), digest, take)?;
        graph.check()?;
        columns.sort();
        let mut root = Stream::default();
        for column in &columns {
            root.text(column.name.as_bytes());
            root.bytes(&column.hash.0);
        }
        Ok(Self { root: root.finish(), columns })
    }

    /// The same as JSON: `root`, and `columns` by name, as hexadecimal digits.
    pub fn to_json(&self) -> String {
        let columns =
            self.columns.iter().map(|column| (column.name.clone(), Json::from(column.hash.to_string())));
        let digest = json!({ "root": self.root.to_string(), "columns": columns.collect::<Map<_, _>>() });
        format!("{digest:#}\n")
    }
}

/// What becomes one hash.
#[derive(Clone, Copy, Debug)]
enum Hashed {
    NodeLabels,
    Label(LabelId),
    EdgeLabel(EdgeLabelId),
    Edges(EdgeLabelId, Direction),
    Places(EdgeLabelId),
    Property(PropertyId),
    Layers,
}

impl Hashed {
    fn all(graph: &Graph) -> Vec<Self> {
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

    fn digest(self, pass: &Pass<'_>) -> Result<ColumnDigest> {
        let graph = pass.graph;
        let directory = graph.store().directory();
        let mut stream = Stream::default();
        let name = match self {
            Self::NodeLabels => {
                stream_node_labels(pass, &mut stream)?;
                "node labels".to_owned()
            }
            Self::Label(label) => {
                stream_label(graph, label, &mut stream)?;
                label_name(directory, label)
            }
            Self::EdgeLabel(label) => {
                let info = &graph.edge_labels()[label.index()];
                stream.layer(graph, info.layer);
                stream.u64(info.edges);
                edge_label_name(directory, label)
            }
            Self::Edges(label, direction) => {
                stream_edges(pass, label, direction, &mut stream)?;
                adjacency_name(directory, label, direction)
            }
            Self::Places(label) => {
                stream_places(graph, label, &mut stream)?;
                format!("{} places", edge_label_name(directory, label))
            }
            Self::Property(property) => {
                stream_property(pass, property, &mut stream)?;
                property_name(directory, property)
            }
            Self::Layers => {
                let mut names: Vec<&str> = graph.layers().iter().map(|layer| layer.name.as_str()).collect();
                names.sort_unstable();
                names.iter().for_each(|name| stream.text(name.as_bytes()));
                "layers".to_owned()
            }
        };
        Ok(ColumnDigest { name, hash: stream.finish() })
    }
}

fn stream_node_labels(pass: &Pass<'_>, stream: &mut Stream) -> Result<()> {
    let graph = pass.graph;
    let labels = graph.label_sets()?;
    let names = |code| {
        let names = labels.of_code(code).filter_map(|label| graph.labels().get(label.index()));
        let mut names: Vec<&str> = names.map(|label| label.name.as_str()).collect();
        names.sort_unstable();
        names
    };
    let count = labels.code_count() as usize;
    let mut number_of_code = ScratchVec::filled(pass, u32::MAX, count)?;
    // Two codes may stand for the same labels.
    let _of_numbers = pass.scratch(2 * count * size_of::<(ContentHash, u32)>())?;
    let (mut numbers, mut sets) = (HashMap::new(), ScratchVec::with_capacity(pass, count)?);
    label_codes(graph, |code| {
        let number = &mut number_of_code[code as usize];
        if *number == u32::MAX {
            *number = *numbers.entry(hash_of_names(&names(code))).or_insert(sets.len() as u32);
            if *number == sets.len() as u32 {
                sets.push(code)?;
            }
        }
        stream.u32(*number);
        Ok(())
    })?;
    for code in sets.iter() {
        stream.names(&names(*code));
    }
    Ok(())
}

/// Equal for equal names.
fn hash_of_names(names: &[&str]) -> ContentHash {
    let mut stream = Stream::default();
    stream.names(names);
    stream.finish()
}

fn stream_label(graph: &Graph, label: LabelId, stream: &mut Stream) -> Result<()> {
    let (info, row) = (&graph.labels()[label.index()], &graph.store().directory().labels[label.index()]);
    stream.layer(graph, info.layer);
    stream.u32(info.origin_count);
    let nodes = graph.nodes_of(label)?.len();
    let Some(column) = row.origin else {
        (0..nodes).for_each(|rank| stream.u32(rank));
        return Ok(());
    };
    let numbers: Ints<Pinned> = Ints::open(graph.store(), column)?;
    stream_numbers(graph, &numbers, nodes.into(), "label origin", stream)
}

fn stream_edges(
    pass: &Pass<'_>,
    label: EdgeLabelId,
    direction: Direction,
    stream: &mut Stream,
) -> Result<()> {
    let graph = pass.graph;
    let lists = ListColumns::of_edges(graph, label, direction)?.until(pass.flag());
    let mut scan = lists.scan();
    while let Some(list) = scan.next_list() {
        stream.u32(list.owner);
        stream.u64(list.len);
        while let Some(neighbor) = scan.next_neighbor() {
            stream.u32(neighbor);
        }
    }
    Ok(scan.finish().map_err(|error| graph.store().damaged(error))?)
}

fn stream_places(graph: &Graph, label: EdgeLabelId, stream: &mut Stream) -> Result<()> {
    let row = &graph.store().directory().edge_labels[label.index()];
    let Some(column) = row.places else { return Ok(()) };
    let places: Ints<Pinned> = Ints::open(graph.store(), column)?;
    stream_numbers(graph, &places, row.edges, "edge places", stream)
}

/// The values of a column that must be `count` numbers of 32 bits.
fn stream_numbers(
    graph: &Graph,
    ints: &Ints<Pinned>,
    count: u64,
    part: &str,
    stream: &mut Stream,
) -> Result<()> {
    if ints.len() as u64 != count {
        let fault = Fault::Count { what: "numbers", expected: count, found: ints.len() as u64 };
        return Err(graph.store().damaged(FormatError::damaged(part, fault)).into());
    }
    let mut scan = IntsScan::new(ints);
    for index in 0..count {
        let found = scan.next(index);
        match found.and_then(|number| u32::try_from(number).ok()) {
            Some(number) => stream.u32(number),
            None => {
                let (at, most) = (Some(index), u32::MAX.into());
                let fault = Fault::Number { what: "number", at, least: 0, most, found };
                return Err(graph.store().damaged(FormatError::damaged(part, fault)).into());
            }
        }
    }
    Ok(())
}

fn stream_property(pass: &Pass<'_>, property: PropertyId, stream: &mut Stream) -> Result<()> {
    let graph = pass.graph;
    let info = &graph.properties()[property.index()];
    stream.layer(graph, info.layer);
    stream.text(info.value_type.name().as_bytes());
    stream.text(info.cardinality.name().as_bytes());
    stream.u64(info.default.is_some().into());
    stream.text(info.default.as_deref().unwrap_or_default().as_bytes());
    let texts = graph.property_at(property)?.strings().map_or(0, |strings| strings.len() as usize);
    let mut hashes = ScratchVec::with_capacity(pass, texts + 1)?;
    for_each_text(pass, property, |text| hashes.push(*blake3::hash(text).as_bytes()))?;
    hashes.push([0; 32])?;
    let lists = ListColumns::of_property(graph, property)?.until(pass.flag());
    let mut scan = lists.scan();
    while let Some(list) = scan.next_list() {
        stream.u32(list.owner);
        stream.u64(list.len);
        while let Some(value) = scan.next_entry() {
            match info.value_type.is_text() {
                true => stream.bytes(&hashes[value as usize]),
                false => stream.u64(value as u64),
            }
        }
    }
    Ok(scan.finish().map_err(|error| graph.store().damaged(error))?)
}

/// Bytes on their way into a hash, in pieces that are large enough for BLAKE3 to be fast.
#[derive(Default)]
struct Stream {
    hasher: Hasher,
    pending: Vec<u8>,
}

impl Stream {
    const PIECE: usize = 64 << 10;

    #[inline]
    fn bytes(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
        if self.pending.len() >= Self::PIECE {
            self.flush();
        }
    }

    #[inline]
    fn u32(&mut self, number: u32) {
        self.bytes(&number.to_le_bytes());
    }

    #[inline]
    fn u64(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    fn text(&mut self, text: &[u8]) {
        self.u64(text.len() as u64);
        self.bytes(text);
    }

    /// How many names, and each of them.
    fn names(&mut self, names: &[&str]) {
        self.u64(names.len() as u64);
        names.iter().for_each(|name| self.text(name.as_bytes()));
    }

    /// The name of a layer, by its index.
    fn layer(&mut self, graph: &Graph, layer: u32) {
        let name = graph.layers().get(layer as usize).map_or("", |layer| layer.name.as_str());
        self.text(name.as_bytes());
    }

    #[inline(never)]
    fn flush(&mut self) {
        self.hasher.update(&self.pending);
        self.pending.clear();
    }

    fn finish(mut self) -> ContentHash {
        self.flush();
        ContentHash(*self.hasher.finalize().as_bytes())
    }
}
