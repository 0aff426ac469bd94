//! [`Info`]: the schema, counts and encodings of a file, from the directory alone.
//!
//! No column of the base is opened, so a description takes no longer for a large graph than for a small one.
//! In a graph with changes, the columns of the changes are read.

use std::collections::HashMap;

use serde_json::{Value as Json, json};
use varvite_format::{
    ColumnId, Directory, Encoding, FORMAT_VERSION, LabelId, LabelRow, Profile, PropertyId, PropertyRow,
    SegmentId, TextIndexRow,
};
use varvite_store::MemoryState;

use crate::cursor::columns::{NamedColumn, named_columns};
use crate::cursor::value::Hex;
use crate::graph::Graph;
use crate::schema::{EdgeLabel, Layer, PropertyInfo};

/// The schema, counts and encodings of a graph.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Info {
    /// Version of the file format.
    pub format_version: u32,
    /// The storage profile that the encodings were chosen for.
    pub profile: Profile,
    /// Size of the file in bytes, up to the end of its last commit.
    pub file_bytes: u64,
    /// The log: small commits that follow the columns in the file.
    pub log: LogInfo,
    /// The number of nodes, removed nodes excluded.
    pub nodes: u32,
    /// The number of edges of all labels together.
    pub edges: u64,
    /// Node labels, including labels without nodes.
    pub labels: Vec<LabelInfo>,
    /// Edge labels.
    pub edge_labels: Vec<EdgeLabel>,
    /// Properties of nodes and edges, each with the number of owners that have a value.
    pub properties: Vec<(PropertyInfo, u64)>,
    /// Text indexes of properties.
    pub indexes: Vec<IndexInfo>,
    /// Layers.
    pub layers: Vec<Layer>,
    /// The tree label: the edge label whose pre-order gives the node ids.
    pub tree_label: Option<String>,
    /// The tree label, if its edges are a forest that the subtree index describes.
    pub forest_label: Option<String>,
    /// Every column. A column that several parts of the graph share is listed once for each part.
    pub columns: Vec<ColumnInfo>,
    /// Bytes that the graph holds in memory now, by state.
    pub memory: Vec<(MemoryState, u64)>,
}

/// The size of a file's log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogInfo {
    /// The number of small commits since the columns were written.
    pub records: u64,
    /// Bytes that these commits take in the file.
    pub bytes: u64,
    /// Bytes after the last commit: the remains of an unfinished commit. They are ignored.
    pub leftover_bytes: u64,
}

/// A node label and the number of its nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LabelInfo {
    /// Name of the label.
    pub name: String,
    /// Index of the layer that added the label.
    pub layer: u32,
    /// The number of nodes that have the label.
    pub nodes: u64,
}

/// An index of a property of nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IndexInfo {
    /// The name of the property.
    pub property: String,
    /// The number of texts in the index.
    pub texts: u64,
    /// The number of entries: nodes in the index, each counted once for every text that it has.
    pub nodes: u64,
    /// Bytes of the index in the file.
    pub bytes: u64,
}

/// The storage of a column.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ColumnInfo {
    /// Name of the column, such as `edges CFG out neighbours` or `property NAME values`.
    pub name: String,
    /// The encoding of the column, with the encodings of nested columns in parentheses: `packed relative`,
    /// `dictionary(packed, packed)`.
    pub encoding: String,
    /// The codec of the column's blocks: `none`, `lz4` or `zstd`. If nested columns use different codecs,
    /// their names are joined by `+`.
    pub codec: String,
    /// The number of values, members or texts in the column.
    pub count: u64,
    /// Bytes in the file, nested columns and block tables included. Segments that are shared with an earlier
    /// column are counted only for that column.
    pub bytes: u64,
    /// Name of an earlier entry for the same stored column, whose bytes are in the file only once; `None` if
    /// there is no such entry.
    pub shared_with: Option<String>,
    /// Name of an earlier column that shares some segments with this column; `None` if there is no such
    /// column.
    pub parts_shared_with: Option<String>,
}

impl ColumnInfo {
    /// Bits in the file for each value; 0 for a column without values.
    pub fn bits_per_value(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.bytes as f64 * 8.0 / self.count as f64 }
    }
}

impl LogInfo {
    fn of(graph: &Graph) -> Self {
        let log = graph.store().log();
        Self { records: log.records(), bytes: log.bytes(), leftover_bytes: log.leftover_bytes() }
    }
}

impl Info {
    /// Describes a graph. Takes time in proportion to the number of columns and the number of changes.
    pub fn of(graph: &Graph) -> Self {
        let directory = graph.store().directory();
        let count = |column: ColumnId| directory.columns.get(column.index()).map_or(0, |row| row.count);
        // In a graph with changes, the nodes of each label are counted; if that fails because of damage, the
        // count of the base is used.
        let is_changed = directory.changes.is_some();
        let nodes_of = |(number, row): (usize, &LabelRow)| {
            let now = is_changed.then(|| graph.nodes_of(LabelId::from_index(number)).ok()).flatten();
            now.map_or(count(row.nodes), |nodes| nodes.len().into())
        };
        let counts = directory.labels.iter().enumerate().map(nodes_of);
        let labels = graph.labels().iter().zip(counts).map(|(label, nodes)| LabelInfo {
            name: label.name.clone(),
            layer: label.layer,
            nodes,
        });
        let owners_of = |(number, row): (usize, &PropertyRow)| {
            let now = is_changed.then(|| graph.property_at(PropertyId::from_index(number)).ok()).flatten();
            now.map_or(count(row.present), |property| property.len().into())
        };
        let owners = directory.properties.iter().enumerate().map(owners_of);
        let properties = graph.properties().iter().cloned().zip(owners);
        Self {
            format_version: FORMAT_VERSION,
            profile: graph.store().header().profile,
            file_bytes: graph.store().log().end(),
            log: LogInfo::of(graph),
            nodes: graph.live_node_count(),
            edges: graph.edge_count(),
            labels: labels.collect(),
            edge_labels: graph.edge_labels().to_vec(),
            properties: properties.collect(),
            indexes: indexes(graph),
            layers: graph.layers().to_vec(),
            tree_label: graph.tree_label().map(str::to_owned),
            forest_label: graph.forest_label().map(str::to_owned),
            columns: describe_columns(directory),
            memory: MemoryState::ALL.map(|state| (state, graph.ledger().total(state))).to_vec(),
        }
    }

    /// The description as JSON, on several lines; sizes are in bytes.
    pub fn to_json(&self) -> String {
        let layer = |index: u32| self.layers.get(index as usize).map(|layer| layer.name.as_str());
        let labels = self
            .labels
            .iter()
            .map(|label| json!({ "name": label.name, "layer": layer(label.layer), "nodes": label.nodes }));
        let edge_labels = self
            .edge_labels
            .iter()
            .map(|label| json!({ "name": label.name, "layer": layer(label.layer), "edges": label.edges }));
        let properties = self.properties.iter().map(|(property, owners)| {
            json!({
                "name": property.name,
                "edge_label": property.edge_label,
                "layer": layer(property.layer),
                "type": property.value_type.name(),
                "cardinality": property.cardinality.name(),
                "default": property.default,
                "owners": owners,
            })
        });
        let memory = self.memory.iter().map(|(state, bytes)| (state_name(*state).to_owned(), json!(bytes)));
        let info = json!({
            "format_version": self.format_version,
            "profile": self.profile.name(),
            "file_bytes": self.file_bytes,
            "log": {
                "records": self.log.records,
                "bytes": self.log.bytes,
                "leftover_bytes": self.log.leftover_bytes,
            },
            "nodes": self.nodes,
            "edges": self.edges,
            "labels": labels.collect::<Vec<_>>(),
            "edge_labels": edge_labels.collect::<Vec<_>>(),
            "properties": properties.collect::<Vec<_>>(),
            "indexes": self.indexes.iter().map(index_json).collect::<Vec<_>>(),
            "layers": self.layers.iter().map(layer_json).collect::<Vec<_>>(),
            "tree_label": self.tree_label,
            "forest_label": self.forest_label,
            "columns": self.columns.iter().map(column_json).collect::<Vec<_>>(),
            "memory": memory.collect::<serde_json::Map<_, _>>(),
        });
        format!("{info:#}\n")
    }
}

fn indexes(graph: &Graph) -> Vec<IndexInfo> {
    let directory = graph.store().directory();
    let count = |column: ColumnId| directory.columns.get(column.index()).map_or(0, |row| row.count);
    let rows = directory.text_indexes.iter().zip(graph.indexed_properties());
    let describe = |(row, property): (&TextIndexRow, &PropertyInfo)| IndexInfo {
        property: property.name.clone(),
        texts: count(row.codes),
        nodes: count(row.nodes),
        bytes: row.columns().into_iter().map(|column| Parts::of(directory, column).bytes).sum(),
    };
    rows.map(describe).collect()
}

fn index_json(index: &IndexInfo) -> Json {
    json!({ "property": index.property, "texts": index.texts, "nodes": index.nodes, "bytes": index.bytes })
}

fn layer_json(layer: &Layer) -> Json {
    json!({
        "name": layer.name,
        "tool": layer.tool,
        "version": layer.version,
        "time": layer.time,
        "source": Hex(&layer.source).to_string(),
    })
}

fn column_json(column: &ColumnInfo) -> Json {
    json!({
        "name": column.name,
        "encoding": column.encoding,
        "codec": column.codec,
        "count": column.count,
        "bytes": column.bytes,
        "bits_per_value": (column.bits_per_value() * 1000.0).round() / 1000.0,
        "shared_with": column.shared_with,
        "parts_shared_with": column.parts_shared_with,
    })
}

/// The name of a memory state, as users see it.
fn state_name(state: MemoryState) -> &'static str {
    match state {
        MemoryState::Mapped => "mapped",
        MemoryState::Decoded => "decoded",
        MemoryState::Pinned => "pinned",
        MemoryState::Scratch => "scratch",
        MemoryState::Tables => "tables",
    }
}

fn describe_columns(directory: &Directory) -> Vec<ColumnInfo> {
    let mut first_names: HashMap<ColumnId, String> = HashMap::new();
    let mut first_owners: HashMap<SegmentId, String> = HashMap::new();
    let describe = |NamedColumn { name, id }: NamedColumn| {
        let parts = Parts::of(directory, id);
        let shared_with = first_names.get(&id).filter(|_| parts.bytes > 0).cloned();
        let is_counted = |segment: &&SegmentId| shared_with.is_none() && first_owners.contains_key(segment);
        let shared: Vec<SegmentId> = parts.segments.iter().filter(is_counted).copied().collect();
        let parts_shared_with = shared.first().and_then(|segment| first_owners.get(segment)).cloned();
        first_names.entry(id).or_insert_with(|| name.clone());
        for segment in &parts.segments {
            first_owners.entry(*segment).or_insert_with(|| name.clone());
        }
        ColumnInfo {
            name,
            encoding: encoding_name(directory, id, DEPTH_MAX),
            codec: parts.codecs.join("+"),
            count: directory.columns.get(id.index()).map_or(0, |row| row.count),
            bytes: parts.bytes - shared.iter().map(|segment| stored_bytes(directory, *segment)).sum::<u64>(),
            shared_with,
            parts_shared_with,
        }
    };
    named_columns(directory).into_iter().map(describe).collect()
}

/// Bytes that a segment and its block table take in the file.
pub(crate) fn stored_bytes(directory: &Directory, segment: SegmentId) -> u64 {
    directory.segments.get(segment.index()).map_or(0, |row| row.stored_len + row.table_len())
}

/// The largest depth of nested columns. The limit also ends the recursion if a damaged directory nests
/// columns deeper.
const DEPTH_MAX: u32 = 4;

/// The name of a column's encoding, with the encodings of its nested columns in parentheses.
fn encoding_name(directory: &Directory, column: ColumnId, depth: u32) -> String {
    let Some(row) = directory.columns.get(column.index()) else { return String::new() };
    let mut name = row.encoding.name().to_owned();
    if row.encoding == Encoding::Plain {
        name += &(u32::from(row.width) * 8).to_string();
    }
    let flags = [(row.relative, " relative"), (row.sorted, " sorted"), (row.sloped, " sloped")];
    flags.iter().filter(|(is_set, _)| *is_set).for_each(|(_, flag)| name += flag);
    let parts = row.children.iter().flatten().filter(|_| depth > 0);
    let parts: Vec<String> = parts.map(|part| encoding_name(directory, *part, depth - 1)).collect();
    if parts.is_empty() { name } else { format!("{name}({})", parts.join(", ")) }
}

/// The segments of a column and of all columns nested in it, with their bytes in the file.
#[derive(Default)]
pub(crate) struct Parts {
    pub(crate) segments: Vec<SegmentId>,
    pub(crate) bytes: u64,
    codecs: Vec<&'static str>,
}

impl Parts {
    pub(crate) fn of(directory: &Directory, column: ColumnId) -> Self {
        let mut parts = Self::default();
        parts.add(directory, column, DEPTH_MAX);
        if parts.codecs.is_empty() {
            parts.codecs.push("none");
        }
        parts
    }

    fn add(&mut self, directory: &Directory, column: ColumnId, depth: u32) {
        let Some(row) = directory.columns.get(column.index()) else { return };
        for child in row.children.iter().flatten().filter(|_| depth > 0) {
            self.add(directory, *child, depth - 1);
        }
        for id in row.segments.iter().flatten() {
            let Some(segment) = directory.segments.get(id.index()) else { continue };
            if self.segments.contains(id) {
                continue;
            }
            self.segments.push(*id);
            self.bytes += stored_bytes(directory, *id);
            let codec = segment.codec.name();
            if !self.codecs.contains(&codec) {
                self.codecs.push(codec);
            }
        }
    }
}
