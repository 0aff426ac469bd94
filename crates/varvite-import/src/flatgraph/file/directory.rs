//! The content of a file: its node kinds and columns, read from the manifest and checked.
//!
//! After the check, every kind has a unique label, every column belongs to a kind and is listed once, and
//! every blob lies within the file and overlaps no other blob.

use std::collections::{HashMap, HashSet};

use super::limits::LENGTH_MAX;
use super::manifest::{EdgeEntry, Manifest, NodeEntry, PropertyEntry};
use super::{Blob, BlobRole, Direction, ElementType, FlatgraphError, Limits, Part};

/// The nodes of one label.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NodeKind {
    /// The label.
    pub label: Box<str>,
    /// The number of nodes, including deleted ones, which keep their numbers.
    pub node_count: u32,
    /// The numbers of the deleted nodes, ascending.
    pub deletions: Vec<u32>,
}

impl NodeKind {
    /// A kind with `node_count` nodes, none of them deleted.
    #[must_use]
    pub fn new(label: &str, node_count: u32) -> Self {
        Self::with_deletions(label, node_count, Vec::new())
    }

    /// A kind with `node_count` nodes; those in `deletions` are deleted.
    #[must_use]
    pub fn with_deletions(label: &str, node_count: u32, mut deletions: Vec<u32>) -> Self {
        deletions.sort_unstable();
        Self { label: label.into(), node_count, deletions }
    }
}

/// The edges of one label and direction, at the nodes of one kind.
///
/// Every edge is stored twice, at its source and at its target. For several edges between the same two nodes,
/// the k-th at the source is also the k-th at the target. The order relative to edges of other nodes may
/// differ, so that neither list can be computed from the other.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct EdgeColumn {
    /// The index of the node kind.
    pub kind: u32,
    /// The label of the column's edges.
    pub edge_label: Box<str>,
    /// Whether the nodes of the kind are the targets or the sources of the edges.
    pub direction: Direction,
    /// The number of edges of each node; `None` if no node has an edge.
    pub quantities: Option<Blob>,
    /// The nodes at the other ends of the edges, in the order of the kind's nodes.
    pub neighbors: Blob,
    /// The property of each edge. `None` if all edges have the default of the schema, or no value.
    pub property: Option<Blob>,
}

/// The values of one property, at the nodes of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PropertyColumn {
    /// The index of the node kind.
    pub kind: u32,
    /// The name of the property.
    pub name: Box<str>,
    /// The number of values of each node; `None` if no node has a value.
    pub quantities: Option<Blob>,
    /// The values, in the order of the nodes.
    pub values: Blob,
}

/// A column of edges or of a property.
#[derive(Debug, Clone, Copy)]
pub enum Column<'a> {
    /// A column of edges.
    Edges(&'a EdgeColumn),
    /// A column of a property.
    Property(&'a PropertyColumn),
}

impl<'a> From<&'a EdgeColumn> for Column<'a> {
    fn from(column: &'a EdgeColumn) -> Self {
        Self::Edges(column)
    }
}

impl<'a> From<&'a PropertyColumn> for Column<'a> {
    fn from(column: &'a PropertyColumn) -> Self {
        Self::Property(column)
    }
}

impl Column<'_> {
    /// The index of the column's node kind.
    #[must_use]
    pub fn kind(&self) -> u32 {
        match self {
            Self::Edges(column) => column.kind,
            Self::Property(column) => column.kind,
        }
    }

    pub(super) fn quantities(&self) -> Option<&Blob> {
        match self {
            Self::Edges(column) => column.quantities.as_ref(),
            Self::Property(column) => column.quantities.as_ref(),
        }
    }

    /// The blobs of the column that have one element for each value or edge.
    fn payloads(&self) -> impl Iterator<Item = (BlobRole, &Blob)> {
        let (first, second) = match self {
            Self::Edges(column) => ((BlobRole::Neighbors, &column.neighbors), column.property.as_ref()),
            Self::Property(column) => ((BlobRole::Values, &column.values), None),
        };
        std::iter::once(first).chain(second.map(|blob| (BlobRole::Values, blob)))
    }

    /// The role and length of the payload with the fewest elements.
    pub(super) fn shortest_payload(&self) -> (BlobRole, u64) {
        let slots = self.payloads().map(|(role, blob)| (role, blob.slots()));
        slots.min_by_key(|&(_, slots)| slots).expect("payloads begin with one that always exists")
    }

    fn blobs(&self) -> impl Iterator<Item = (BlobRole, &Blob)> {
        let quantities = self.quantities().map(|blob| (BlobRole::Quantities, blob));
        quantities.into_iter().chain(self.payloads())
    }
}

/// The checked content of the manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Directory {
    pub(super) kinds: Vec<NodeKind>,
    pub(super) edges: Vec<EdgeColumn>,
    pub(super) properties: Vec<PropertyColumn>,
    pub(super) string_lengths: Blob,
    pub(super) string_bytes: Blob,
}

impl Directory {
    /// Checks a manifest that begins at offset `data_end` in a file of `file_len` bytes.
    pub(super) fn check(
        manifest: &Manifest,
        data_end: u64,
        file_len: u64,
        limits: &Limits,
    ) -> Result<Self, FlatgraphError> {
        if manifest.version.get() != 0 {
            return Err(FlatgraphError::UnsupportedVersion { found: manifest.version.get() });
        }
        let kinds = check_kinds(&manifest.nodes)?;
        let columns = ColumnChecker { kinds: kind_indexes(&kinds), data_end };
        let lengths = || Part::StringLengths;
        let directory = Self {
            edges: columns.check_edges(&manifest.edges)?,
            properties: columns.check_properties(&manifest.properties)?,
            string_lengths: Blob::check_typed(
                &manifest.string_pool_length,
                data_end,
                ElementType::Int,
                lengths,
            )?,
            string_bytes: Blob::check_typed(
                &manifest.string_pool_bytes,
                data_end,
                ElementType::Byte,
                || Part::StringBytes,
            )?,
            kinds,
        };
        directory.check_overlaps()?;
        directory.check_limits(file_len, limits)?;
        Ok(directory)
    }

    /// Every column of edges, then every column of a property.
    pub(super) fn columns(&self) -> impl Iterator<Item = Column<'_>> {
        let properties = self.properties.iter().map(Column::from);
        self.edges.iter().map(Column::from).chain(properties)
    }

    /// The name of one blob of a column in errors.
    pub(super) fn part(&self, column: Column<'_>, role: BlobRole) -> Part {
        let kind =
            self.kinds.get(column.kind() as usize).map_or_else(|| "?".into(), |kind| kind.label.clone());
        match column {
            Column::Edges(EdgeColumn { edge_label, direction, .. }) => {
                Part::Edges { kind, label: edge_label.clone(), direction: *direction, role }
            }
            Column::Property(column) => Part::Property { kind, name: column.name.clone(), role },
        }
    }

    /// Checks that no blobs overlap: with shared bytes a small file could decode to any size.
    fn check_overlaps(&self) -> Result<(), FlatgraphError> {
        let of_columns = self.columns().flat_map(|column| {
            let blobs: Vec<_> = column.blobs().map(|(role, &blob)| (blob, Some((column, role)))).collect();
            blobs
        });
        let mut blobs: Vec<_> = of_columns.collect();
        blobs.extend([(self.string_lengths, None), (self.string_bytes, None)]);
        blobs.sort_by_key(|(blob, _)| (blob.start(), blob.end()));
        let name = |blob: &Blob, owner: Option<(Column<'_>, BlobRole)>| match owner {
            Some((column, role)) => self.part(column, role),
            None if *blob == self.string_lengths => Part::StringLengths,
            None => Part::StringBytes,
        };
        for pair in blobs.windows(2) {
            let ((before, owner_before), (blob, owner)) = (&pair[0], &pair[1]);
            if before.end() > blob.start() {
                let (part, other) = (name(blob, *owner), Box::new(name(before, *owner_before)));
                return Err(FlatgraphError::BlobOverlap { part, other, offset: blob.start() });
            }
        }
        Ok(())
    }

    fn check_limits(&self, file_len: u64, limits: &Limits) -> Result<(), FlatgraphError> {
        let nodes = self.kinds.iter().map(|kind| u64::from(kind.node_count)).sum();
        let of_columns: u64 = self
            .columns()
            .map(|column| column.blobs().map(|(_, blob)| u64::from(blob.plain_len())).sum::<u64>())
            .sum();
        let pool = u64::from(self.string_lengths.plain_len()) + u64::from(self.string_bytes.plain_len());
        check_limit("nodes", nodes, limits.nodes_max)?;
        check_limit("node kinds", self.kinds.len() as u64, limits.kinds_max)?;
        check_limit("cells", nodes.saturating_mul(self.columns_of_all_nodes()), limits.cells_max)?;
        limits.expansion.check(of_columns + pool, file_len).map_err(FlatgraphError::Expanded)
    }

    /// The number of columns in the graph that have an entry for every node: one for each edge label, one for
    /// each property name, and one for every 16 kinds, since label sets take a bit for each kind and node.
    fn columns_of_all_nodes(&self) -> u64 {
        let edge_labels: HashSet<&str> = self.edges.iter().map(|column| &*column.edge_label).collect();
        let properties: HashSet<&str> = self.properties.iter().map(|column| &*column.name).collect();
        (edge_labels.len() + properties.len() + self.kinds.len().div_ceil(16)) as u64
    }
}

fn check_limit(what: &'static str, found: u64, max: u64) -> Result<(), FlatgraphError> {
    if found > max { Err(FlatgraphError::Limit { what, found, max }) } else { Ok(()) }
}

pub(super) fn check_kinds(entries: &[NodeEntry]) -> Result<Vec<NodeKind>, FlatgraphError> {
    let mut labels = HashSet::with_capacity(entries.len());
    let check = |entry: &'_ NodeEntry| {
        let node_count = check_node_count(entry)?;
        let deletions = check_deletions(entry, node_count)?;
        Ok(NodeKind { label: entry.node_label.clone(), node_count, deletions })
    };
    if let Some(twice) = entries.iter().find(|entry| !labels.insert(&*entry.node_label)) {
        return Err(FlatgraphError::DuplicateKind { label: twice.node_label.clone() });
    }
    entries.iter().map(check).collect()
}

fn check_node_count(entry: &NodeEntry) -> Result<u32, FlatgraphError> {
    let found = entry.nnodes.get();
    match u32::try_from(found) {
        Ok(count) if found <= LENGTH_MAX => Ok(count),
        _ => Err(FlatgraphError::NodeCount { label: entry.node_label.clone(), found }),
    }
}

fn check_deletions(entry: &NodeEntry, node_count: u32) -> Result<Vec<u32>, FlatgraphError> {
    let error = |seq| FlatgraphError::Deletion { label: entry.node_label.clone(), seq, node_count };
    let check = |found: u64| match u32::try_from(found) {
        Ok(seq) if seq < node_count => Ok(seq),
        _ => Err(error(found)),
    };
    let seqs = entry.deletions.iter().flatten().map(|seq| check(seq.get()));
    let mut seqs: Vec<u32> = seqs.collect::<Result<_, _>>()?;
    seqs.sort_unstable();
    match seqs.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(error(pair[0].into())),
        None => Ok(seqs),
    }
}

fn kind_indexes(kinds: &[NodeKind]) -> HashMap<Box<str>, u32> {
    (0..).zip(kinds).map(|(index, kind)| (kind.label.clone(), index)).collect()
}

struct ColumnChecker {
    kinds: HashMap<Box<str>, u32>,
    data_end: u64,
}

impl ColumnChecker {
    fn check_edges(&self, entries: &[EdgeEntry]) -> Result<Vec<EdgeColumn>, FlatgraphError> {
        let mut seen = HashSet::with_capacity(entries.len());
        let check = |entry| {
            let column = self.check_edge(entry)?;
            if !seen.insert((column.kind, &entry.edge_label, column.direction)) {
                let part = edge_part(entry, column.direction, BlobRole::Neighbors);
                return Err(FlatgraphError::DuplicateColumn { part });
            }
            Ok(column)
        };
        entries.iter().map(check).collect()
    }

    fn check_edge(&self, entry: &EdgeEntry) -> Result<EdgeColumn, FlatgraphError> {
        let direction = check_direction(entry)?;
        let part = |role| move || edge_part(entry, direction, role);
        Ok(EdgeColumn {
            kind: self.check_kind(&entry.node_label, part(BlobRole::Neighbors))?,
            edge_label: entry.edge_label.clone(),
            direction,
            quantities: self.check_optional(
                entry.qty.as_ref(),
                Some(ElementType::Int),
                part(BlobRole::Quantities),
            )?,
            neighbors: Blob::check_typed(
                &entry.neighbors,
                self.data_end,
                ElementType::Ref,
                part(BlobRole::Neighbors),
            )?,
            property: self.check_optional(entry.property.as_ref(), None, part(BlobRole::Values))?,
        })
    }

    fn check_properties(&self, entries: &[PropertyEntry]) -> Result<Vec<PropertyColumn>, FlatgraphError> {
        let mut seen = HashSet::with_capacity(entries.len());
        let check = |entry| {
            let column = self.check_property(entry)?;
            if !seen.insert((column.kind, &entry.property_label)) {
                return Err(FlatgraphError::DuplicateColumn { part: property_part(entry, BlobRole::Values) });
            }
            Ok(column)
        };
        entries.iter().map(check).collect()
    }

    fn check_property(&self, entry: &PropertyEntry) -> Result<PropertyColumn, FlatgraphError> {
        let part = |role| move || property_part(entry, role);
        Ok(PropertyColumn {
            kind: self.check_kind(&entry.node_label, part(BlobRole::Values))?,
            name: entry.property_label.clone(),
            quantities: self.check_optional(
                entry.qty.as_ref(),
                Some(ElementType::Int),
                part(BlobRole::Quantities),
            )?,
            values: Blob::check(&entry.property, self.data_end, part(BlobRole::Values))?,
        })
    }

    fn check_kind(&self, label: &str, part: impl Fn() -> Part) -> Result<u32, FlatgraphError> {
        self.kinds.get(label).copied().ok_or_else(|| FlatgraphError::UnknownKindLabel { part: part() })
    }

    fn check_optional(
        &self,
        entry: Option<&super::manifest::BlobEntry>,
        expected: Option<ElementType>,
        part: impl Fn() -> Part,
    ) -> Result<Option<Blob>, FlatgraphError> {
        let check = |entry| match expected {
            Some(expected) => Blob::check_typed(entry, self.data_end, expected, &part),
            None => Blob::check(entry, self.data_end, &part),
        };
        entry.map(check).transpose()
    }
}

fn check_direction(entry: &EdgeEntry) -> Result<Direction, FlatgraphError> {
    match entry.inout.get() {
        0 => Ok(Direction::In),
        1 => Ok(Direction::Out),
        found => Err(FlatgraphError::UnknownDirection {
            kind: entry.node_label.clone(),
            edge_label: entry.edge_label.clone(),
            found,
        }),
    }
}

fn edge_part(entry: &EdgeEntry, direction: Direction, role: BlobRole) -> Part {
    Part::Edges { kind: entry.node_label.clone(), label: entry.edge_label.clone(), direction, role }
}

fn property_part(entry: &PropertyEntry, role: BlobRole) -> Part {
    Part::Property { kind: entry.node_label.clone(), name: entry.property_label.clone(), role }
}
