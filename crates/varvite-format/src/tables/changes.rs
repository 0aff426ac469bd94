//! [`Changes`]: the changes to a graph since its columns were written. They are the last part of the
//! directory.
//!
//! The columns of a graph are its **base**, which does not change. New nodes have ids after those of the
//! base, and new edges have ranks after those of the base. If any value that an owner has of a property
//! changes, the changes hold all values that it has of this property. Removed elements are in sets.
//!
//! ```text
//! 0   4  number of nodes in the base: lower ids are in its columns
//! 4   4  column of the label codes of appended nodes; all bits set: no column
//! 8   4  column of the set of removed nodes; all bits set: no column
//! 12  4  number of rows of changed edge labels
//! 16  4  number of rows of changed properties
//! 20  4  zero
//! 24  .. rows of edge labels (56 bytes each), rows of properties (24 bytes each)
//! ```

use crate::bytes::Fields;
use crate::tables::rows::AdjacencyRow;
use crate::{ColumnId, EdgeLabelId, Fault, FormatError, Part, PropertyId, Result};

const FIXED: usize = 4 * 6;

/// The changes since the columns of a graph were written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The number of nodes in the base. Nodes with lower ids are in the columns of the base; nodes from this
    /// id on were appended.
    pub base_nodes: u32,
    /// Integers: for each appended node, the row number of its label set.
    pub codes: Option<ColumnId>,
    /// The set of removed nodes. They have no edges and no values.
    pub removed: Option<ColumnId>,
    /// Edge labels whose edges differ from those in the base, in ascending order.
    pub edges: Vec<EdgeChangeRow>,
    /// Properties whose values differ from those in the base, in ascending order.
    pub properties: Vec<PropertyChangeRow>,
}

/// The changes to one label's edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeChangeRow {
    /// The edge label.
    pub edge_label: EdgeLabelId,
    /// The number of appended edges, including those that were removed again. Their ranks follow the ranks of
    /// the base.
    pub appended: u64,
    /// The targets of appended edges, by source. In the list of a node, these targets come after those of the
    /// base.
    pub out: AdjacencyRow,
    /// Integers: for each entry of the lists in `out`, the rank of the edge minus the number of edges in the
    /// base.
    pub out_ranks: Option<ColumnId>,
    /// The sources of appended edges, by target.
    pub in_: AdjacencyRow,
    /// Integers: for each entry of the lists in `in_`, the rank of the edge minus the number of edges in the
    /// base.
    pub in_ranks: Option<ColumnId>,
    /// The set of ranks of removed edges. If the lists of the base are computed from the forest, the edges of
    /// the base have no ranks. In that case the set contains the target of each removed edge of the base; for
    /// a removed appended edge, it contains the edge's number among the appended edges plus the number of
    /// nodes in the base.
    pub removed: Option<ColumnId>,
    /// The set of removed positions in the in-lists of the base; `None` if the in-lists are computed from the
    /// forest.
    pub removed_in: Option<ColumnId>,
}

/// The changes to one property's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PropertyChangeRow {
    /// The property.
    pub property: PropertyId,
    /// The set of owners whose values are in this row's columns instead of the base.
    pub owners: ColumnId,
    /// The set of those `owners` that have a value.
    pub present: ColumnId,
    /// The start of the values of each owner in `present`, if values are lists.
    pub offsets: Option<ColumnId>,
    /// The values. Codes of new texts follow those of the base, and the code of null follows all of them.
    pub values: ColumnId,
    /// The string table of texts that the base does not have.
    pub strings: Option<ColumnId>,
}

impl Changes {
    /// The bytes of the changes.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut output = Vec::new();
        let columns = [self.codes, self.removed].map(ColumnId::to_number);
        let [codes, removed] = columns;
        let counts = [self.edges.len() as u32, self.properties.len() as u32];
        for field in [self.base_nodes, codes, removed, counts[0], counts[1], 0] {
            output.extend(field.to_le_bytes());
        }
        self.edges.iter().for_each(|row| row.write(&mut output));
        self.properties.iter().for_each(|row| row.write(&mut output));
        output
    }

    /// Reads the changes, which must take up all of `bytes`.
    ///
    /// # Errors
    /// Damage: the length of `bytes` contradicts the counts of rows.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let short = |least: usize| {
            let (least, found) = (least as u64, bytes.len() as u64);
            FormatError::damaged(Part::Table("changes"), Fault::TooFew { what: "bytes", least, found })
        };
        let mut fields = Fields::new(bytes);
        let mut next = || fields.u32().ok_or_else(|| short(FIXED));
        let (base_nodes, codes, removed) = (next()?, next()?, next()?);
        let (edges, properties, _zero) = (next()? as usize, next()? as usize, next()?);
        let expected = FIXED as u64
            + edges as u64 * EdgeChangeRow::SIZE as u64
            + properties as u64 * PropertyChangeRow::SIZE as u64;
        if expected != bytes.len() as u64 {
            let fault = Fault::Count { what: "bytes", expected, found: bytes.len() as u64 };
            return Err(FormatError::damaged(Part::Table("changes"), fault));
        }
        let read = |row: Option<EdgeChangeRow>| row.ok_or_else(|| short(bytes.len()));
        let edges = (0..edges).map(|_| read(EdgeChangeRow::read(&mut fields))).collect::<Result<_>>()?;
        let read = |row: Option<PropertyChangeRow>| row.ok_or_else(|| short(bytes.len()));
        let properties =
            (0..properties).map(|_| read(PropertyChangeRow::read(&mut fields))).collect::<Result<_>>()?;
        let (codes, removed) = (ColumnId::from_number(codes), ColumnId::from_number(removed));
        Ok(Self { base_nodes, codes, removed, edges, properties })
    }

    /// The fault of the rows, if the graph has these numbers of nodes, edge labels and properties; `None` if
    /// the rows are valid.
    pub(crate) fn fault(&self, nodes: u32, edge_labels: usize, properties: usize) -> Option<Fault> {
        let no_such = |what, number: u32, count| {
            Some(Fault::NoSuch { what, number: number.into(), count: count as u64 })
        };
        if self.base_nodes > nodes {
            let (most, found) = (nodes.into(), Some(self.base_nodes.into()));
            return Some(Fault::Number { what: "nodes of the base", at: None, least: 0, most, found });
        }
        if let Some(row) = self.edges.iter().find(|row| row.edge_label.index() >= edge_labels) {
            return no_such("edge label", row.edge_label.0, edge_labels);
        }
        if let Some(row) = self.properties.iter().find(|row| row.property.index() >= properties) {
            return no_such("property", row.property.0, properties);
        }
        let edges = self.edges.windows(2).position(|pair| pair[0].edge_label >= pair[1].edge_label);
        let properties = self.properties.windows(2).position(|pair| pair[0].property >= pair[1].property);
        let at = edges.or(properties)? as u64 + 1;
        Some(Fault::Order { what: "changes that rise by what is changed", at })
    }

    /// The changes of an edge label; `None` if its edges have not changed.
    pub fn of_edges(&self, edge_label: EdgeLabelId) -> Option<&EdgeChangeRow> {
        let found = self.edges.binary_search_by_key(&edge_label, |row| row.edge_label).ok()?;
        self.edges.get(found)
    }

    /// The changes of a property; `None` if its values have not changed.
    pub fn of_property(&self, property: PropertyId) -> Option<&PropertyChangeRow> {
        let found = self.properties.binary_search_by_key(&property, |row| row.property).ok()?;
        self.properties.get(found)
    }

    /// All columns to which these changes refer.
    pub fn columns(&self) -> impl Iterator<Item = ColumnId> + '_ {
        let own = [self.codes, self.removed].into_iter().flatten();
        let edges = self.edges.iter().flat_map(|row| row.columns().into_iter().flatten());
        let properties = self.properties.iter().flat_map(|row| {
            [Some(row.owners), Some(row.present), row.offsets, Some(row.values), row.strings]
                .into_iter()
                .flatten()
        });
        own.chain(edges).chain(properties)
    }

    /// Replaces the number of every column to which the changes refer.
    pub(crate) fn renumber(&mut self, new: impl Fn(ColumnId) -> ColumnId) {
        let own = [&mut self.codes, &mut self.removed].into_iter().flatten();
        let edges = self.edges.iter_mut().flat_map(EdgeChangeRow::columns_mut);
        let properties = self.properties.iter_mut().flat_map(PropertyChangeRow::columns_mut);
        own.chain(edges).chain(properties).for_each(|column| *column = new(*column));
    }
}

impl EdgeChangeRow {
    pub(crate) const SIZE: usize = 4 + 4 + 8 + (12 + 4) * 2 + 4 * 2;

    fn columns(&self) -> [Option<ColumnId>; 10] {
        let Self { out, in_, .. } = self;
        [
            out.nodes,
            out.offsets,
            out.neighbors,
            self.out_ranks,
            in_.nodes,
            in_.offsets,
            in_.neighbors,
            self.in_ranks,
            self.removed,
            self.removed_in,
        ]
    }

    /// All columns to which these changes refer.
    pub fn columns_mut(&mut self) -> impl Iterator<Item = &mut ColumnId> {
        let Self { out, out_ranks, in_, in_ranks, removed, removed_in, .. } = self;
        let [out, in_] = [out, in_].map(|side| [&mut side.nodes, &mut side.offsets, &mut side.neighbors]);
        let others = [out_ranks, in_ranks, removed, removed_in];
        out.into_iter().chain(in_).chain(others).flatten()
    }

    fn write(&self, output: &mut Vec<u8>) {
        output.extend(self.edge_label.0.to_le_bytes());
        output.extend([0; 4]);
        output.extend(self.appended.to_le_bytes());
        self.columns().iter().for_each(|column| output.extend(ColumnId::to_number(*column).to_le_bytes()));
    }

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let (edge_label, _zero) = (EdgeLabelId(fields.u32()?), fields.u32()?);
        let appended = fields.u64()?;
        let (out, out_ranks) = (AdjacencyRow::read(fields)?, ColumnId::from_number(fields.u32()?));
        let (in_, in_ranks) = (AdjacencyRow::read(fields)?, ColumnId::from_number(fields.u32()?));
        let removed = ColumnId::from_number(fields.u32()?);
        let removed_in = ColumnId::from_number(fields.u32()?);
        Some(Self { edge_label, appended, out, out_ranks, in_, in_ranks, removed, removed_in })
    }
}

impl PropertyChangeRow {
    pub(crate) const SIZE: usize = 4 * 6;

    /// All columns to which these changes refer.
    pub fn columns_mut(&mut self) -> impl Iterator<Item = &mut ColumnId> {
        let Self { owners, present, values, offsets, strings, .. } = self;
        [owners, present, values].into_iter().chain([offsets, strings].into_iter().flatten())
    }

    fn write(&self, output: &mut Vec<u8>) {
        let [offsets, strings] = [self.offsets, self.strings].map(ColumnId::to_number);
        for field in [self.property.0, self.owners.0, self.present.0, offsets, self.values.0, strings] {
            output.extend(field.to_le_bytes());
        }
    }

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self {
            property: PropertyId(fields.u32()?),
            owners: ColumnId(fields.u32()?),
            present: ColumnId(fields.u32()?),
            offsets: ColumnId::from_number(fields.u32()?),
            values: ColumnId(fields.u32()?),
            strings: ColumnId::from_number(fields.u32()?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Changes {
        let column = |number| Some(ColumnId(number));
        let side = |first| AdjacencyRow {
            nodes: column(first),
            offsets: column(first + 1),
            neighbors: column(first + 2),
        };
        let edge = EdgeChangeRow {
            edge_label: EdgeLabelId(3),
            appended: 1 << 40,
            out: side(10),
            out_ranks: column(13),
            in_: side(20),
            in_ranks: None,
            removed: column(30),
            removed_in: None,
        };
        let property = PropertyChangeRow {
            property: PropertyId(7),
            owners: ColumnId(40),
            present: ColumnId(41),
            offsets: None,
            values: ColumnId(42),
            strings: column(43),
        };
        let (codes, removed) = (column(1), None);
        Changes { base_nodes: 5, codes, removed, edges: vec![edge], properties: vec![property] }
    }

    #[test]
    fn changes_come_back() {
        let bytes = some().to_bytes();
        assert_eq!(Changes::from_bytes(&bytes).unwrap(), some());
        for len in 0..bytes.len() {
            assert!(Changes::from_bytes(&bytes[..len]).is_err(), "{len} bytes");
        }
    }

    #[test]
    fn every_column_is_told_and_renumbered() {
        let mut changes = some();
        let before: Vec<u32> = changes.columns().map(|column| column.0).collect();
        assert_eq!(before, [1, 10, 11, 12, 13, 20, 21, 22, 30, 40, 41, 42, 43]);
        changes.renumber(|column| ColumnId(column.0 + 100));
        let after: Vec<u32> = changes.columns().map(|column| column.0 - 100).collect();
        assert_eq!(before, after);
    }

    #[test]
    fn rows_name_what_exists_and_rise() {
        let changes = some();
        assert_eq!(changes.fault(5, 4, 8), None);
        assert!(changes.fault(4, 4, 8).is_some(), "fewer nodes than the base");
        assert!(changes.fault(5, 3, 8).is_some(), "no such edge label");
        assert!(changes.fault(5, 4, 7).is_some(), "no such property");
        let twice = Changes { properties: vec![changes.properties[0]; 2], ..some() };
        assert!(matches!(twice.fault(5, 4, 8), Some(Fault::Order { .. })));
    }
}
