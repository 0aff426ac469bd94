//! The rows of the directory that describe the schema of a graph: layers, labels, edge labels, properties,
//! text indexes.
//!
//! Each row is a few numbers of fixed width that refer to rows of other tables; the
//! [`Directory`](crate::Directory) checks that those rows exist. `docs/format.md` has the offsets of all
//! fields.

use varvite_codec::hash;

use crate::bytes::Fields;
use crate::{ColumnId, EdgeLabelId, NONE, NameId, PropertyId};

/// A named set of nodes, edges and properties, and its origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerRow {
    /// The name of the layer, such as `code`.
    pub name: NameId,
    /// The name of the tool that made the layer.
    pub tool: NameId,
    /// The version of the tool that made the layer.
    pub version: NameId,
    /// For a layer that has nodes and edges and may be dropped: the number of nodes of the graph when the
    /// columns of the layer were written, including the layer's own nodes. `None` if the columns belong to
    /// the base.
    pub nodes: Option<u32>,
    /// The time at which the layer was made, in seconds since 1970; 0 if unknown.
    pub time: i64,
    /// The BLAKE3 hash of the source from which the layer was made; zeros if unknown.
    pub source: [u8; 32],
}

/// A node label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabelRow {
    /// The name of the label.
    pub name: NameId,
    /// The number of the layer that added the label.
    pub layer: u32,
    /// The set of nodes that have the label.
    pub nodes: ColumnId,
    /// The number of the label's nodes in the imported file, deleted ones included.
    pub origin_count: u32,
    /// Integers relative to the rank: the origin of each node, that is, its number among the nodes of the
    /// label in the imported file. `None` if every node's origin is its rank.
    pub origin: Option<ColumnId>,
}

/// The three columns of one direction of an edge label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdjacencyRow {
    /// The set of nodes that have an edge; `None` if the adjacency is computed from the subtree sizes.
    pub nodes: Option<ColumnId>,
    /// The start of the list of each node in `nodes`, and the end of the last list.
    pub offsets: Option<ColumnId>,
    /// The neighbours in all lists.
    pub neighbors: Option<ColumnId>,
}

/// An edge label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeLabelRow {
    /// The name of the label.
    pub name: NameId,
    /// The number of the layer that added the label.
    pub layer: u32,
    /// The number of edges that have the label.
    pub edges: u64,
    /// The lists of targets, by source.
    pub out: AdjacencyRow,
    /// The lists of sources, by target. Their order is independent of the out-lists.
    pub in_: AdjacencyRow,
    /// Integers: for each entry of the in-lists, the place of the edge in the out-list of its source, from 0.
    pub places: Option<ColumnId>,
}

/// The possible owners of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// Nodes own values of the property.
    Node,
    /// Edges of this label own values of the property.
    Edge(EdgeLabelId),
}

/// A property of nodes or of the edges of one label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PropertyRow {
    /// The name of the property.
    pub name: NameId,
    /// The number of the layer that added the property.
    pub layer: u32,
    /// The possible owners.
    pub owner: Owner,
    /// The number of the value type. This crate does not interpret the number.
    pub value_type: u8,
    /// The number of values for each owner: 0 for exactly one, 1 for at most one, 2 for a list.
    pub cardinality: u8,
    /// The kind of default: 0 for no default, 1 for the number in `default`, 2 for the name in `default`.
    pub default_kind: u8,
    /// The default value, in the form that `default_kind` states.
    pub default: i64,
    /// The set of nodes (or of edges, by their rank) that have a value.
    pub present: ColumnId,
    /// The start of the values of each owner, if values are lists.
    pub offsets: Option<ColumnId>,
    /// The values: integers, codes, node ids or the bits of floats.
    pub values: ColumnId,
    /// The string table of the texts for which codes stand.
    pub strings: Option<ColumnId>,
}

/// The text index of a node property. It finds the nodes whose value is a given text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextIndexRow {
    /// The property.
    pub property: PropertyId,
    /// Integers relative to the index: the start of the codes of each bucket, and the end of the last.
    pub buckets: ColumnId,
    /// Integers: the codes of all texts, bucket by bucket.
    pub codes: ColumnId,
    /// Integers relative to the index, by code: the start of the groups of each text, and the end of the
    /// last.
    pub groups: ColumnId,
    /// Integers: for each group, the label set of its nodes.
    pub sets: ColumnId,
    /// Integers relative to the index: for each group, the start of its nodes, and the end of the last group.
    pub starts: ColumnId,
    /// Integers: the nodes of all groups.
    pub nodes: ColumnId,
}

impl LayerRow {
    pub(crate) const SIZE: usize = 4 * 3 + 4 + 8 + 32;

    pub(crate) fn write(&self, output: &mut Vec<u8>) {
        [self.name, self.tool, self.version].iter().for_each(|name| output.extend(name.0.to_le_bytes()));
        output.extend(self.nodes.map_or(0, |nodes| nodes.saturating_add(1)).to_le_bytes());
        output.extend(self.time.to_le_bytes());
        output.extend(self.source);
    }

    pub(crate) fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let (name, tool, version) = (NameId(fields.u32()?), NameId(fields.u32()?), NameId(fields.u32()?));
        let nodes = fields.u32()?.checked_sub(1);
        Some(Self { name, tool, version, nodes, time: fields.i64()?, source: fields.take()? })
    }
}

impl LabelRow {
    pub(crate) const SIZE: usize = 4 * 5;

    pub(crate) fn write(&self, output: &mut Vec<u8>) {
        let origin = ColumnId::to_number(self.origin);
        for field in [self.name.0, self.layer, self.nodes.0, self.origin_count, origin] {
            output.extend(field.to_le_bytes());
        }
    }

    pub(crate) fn read(fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self {
            name: NameId(fields.u32()?),
            layer: fields.u32()?,
            nodes: ColumnId(fields.u32()?),
            origin_count: fields.u32()?,
            origin: ColumnId::from_number(fields.u32()?),
        })
    }
}

impl AdjacencyRow {
    pub(crate) fn write(&self, output: &mut Vec<u8>) {
        for column in [self.nodes, self.offsets, self.neighbors] {
            output.extend(ColumnId::to_number(column).to_le_bytes());
        }
    }

    pub(crate) fn read(fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self {
            nodes: ColumnId::from_number(fields.u32()?),
            offsets: ColumnId::from_number(fields.u32()?),
            neighbors: ColumnId::from_number(fields.u32()?),
        })
    }
}

impl EdgeLabelRow {
    pub(crate) const SIZE: usize = 4 * 2 + 8 + 12 * 2 + 4;

    pub(crate) fn write(&self, output: &mut Vec<u8>) {
        output.extend(self.name.0.to_le_bytes());
        output.extend(self.layer.to_le_bytes());
        output.extend(self.edges.to_le_bytes());
        self.out.write(output);
        self.in_.write(output);
        output.extend(ColumnId::to_number(self.places).to_le_bytes());
    }

    pub(crate) fn read(fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self {
            name: NameId(fields.u32()?),
            layer: fields.u32()?,
            edges: fields.u64()?,
            out: AdjacencyRow::read(fields)?,
            in_: AdjacencyRow::read(fields)?,
            places: ColumnId::from_number(fields.u32()?),
        })
    }
}

impl PropertyRow {
    pub(crate) const SIZE: usize = 4 * 3 + 4 + 8 + 4 * 4;

    pub(crate) fn write(&self, output: &mut Vec<u8>) {
        let owner = match self.owner {
            Owner::Node => NONE,
            Owner::Edge(label) => label.0,
        };
        [self.name.0, self.layer, owner].iter().for_each(|field| output.extend(field.to_le_bytes()));
        output.extend([self.value_type, self.cardinality, self.default_kind, 0]);
        output.extend(self.default.to_le_bytes());
        output.extend(self.present.0.to_le_bytes());
        output.extend(ColumnId::to_number(self.offsets).to_le_bytes());
        output.extend(self.values.0.to_le_bytes());
        output.extend(ColumnId::to_number(self.strings).to_le_bytes());
    }

    pub(crate) fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let (name, layer, owner) = (NameId(fields.u32()?), fields.u32()?, fields.u32()?);
        let [value_type, cardinality, default_kind, _zero]: [u8; 4] = fields.take()?;
        Some(Self {
            name,
            layer,
            owner: if owner == NONE { Owner::Node } else { Owner::Edge(EdgeLabelId(owner)) },
            value_type,
            cardinality,
            default_kind,
            default: fields.i64()?,
            present: ColumnId(fields.u32()?),
            offsets: ColumnId::from_number(fields.u32()?),
            values: ColumnId(fields.u32()?),
            strings: ColumnId::from_number(fields.u32()?),
        })
    }
}

impl TextIndexRow {
    pub(crate) const SIZE: usize = 4 * 7;

    /// The number of a text's bucket among `buckets` buckets. The hash distributes texts evenly.
    #[inline]
    pub fn bucket_of(text: &[u8], buckets: u64) -> u64 {
        ((u128::from(hash(text, 0)) * u128::from(buckets)) >> 64) as u64
    }

    /// The columns of the index.
    pub fn columns(&self) -> [ColumnId; 6] {
        [self.buckets, self.codes, self.groups, self.sets, self.starts, self.nodes]
    }

    /// The columns of the index, mutable.
    pub fn columns_mut(&mut self) -> [&mut ColumnId; 6] {
        let Self { property: _, buckets, codes, groups, sets, starts, nodes } = self;
        [buckets, codes, groups, sets, starts, nodes]
    }

    pub(crate) fn write(&self, output: &mut Vec<u8>) {
        output.extend(self.property.0.to_le_bytes());
        self.columns().iter().for_each(|column| output.extend(column.0.to_le_bytes()));
    }

    pub(crate) fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let property = PropertyId(fields.u32()?);
        let mut column = || fields.u32().map(ColumnId);
        Some(Self {
            property,
            buckets: column()?,
            codes: column()?,
            groups: column()?,
            sets: column()?,
            starts: column()?,
            nodes: column()?,
        })
    }
}
