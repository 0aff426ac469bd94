//! The directory: the schema of the graph and the tables of columns and segments, read when a file is opened.
//!
//! ```text
//! 0   8  magic VVDIRECT
//! 8   4  number of nodes
//! 12  4  column of label codes
//! 16  4  column of subtree sizes; all bits set: no column
//! 20  4  tree label: the edge label in whose pre-order nodes are numbered; all bits set: no label
//! 24  40 numbers of rows of the ten tables, u32 each
//! 64  4  column of parent distances; all bits set: no column
//! 68  4  length of the changes in bytes; 0: no changes
//! 72  .. tables in this order: names (8 bytes each), layers, labels, edge labels, properties, text indexes, label
//!        sets (u64 words), columns, segments, name pool (bytes)
//! ..  .. the changes
//! ```
//!
//! Rows have a fixed width, so that they can be read in place. The lengths of tables follow from the row
//! counts; their sum must be the directory's length.

use std::mem::size_of_val;

use crate::bytes::{Fields, u64_at};
use crate::tables::changes::Changes;
use crate::tables::names::Names;
use crate::tables::rows::{EdgeLabelRow, LabelRow, LayerRow, Owner, PropertyRow, TextIndexRow};
use crate::{ColumnId, ColumnRow, EdgeLabelId, Fault, FormatError, Part, Result, SegmentRow};

pub(crate) const MAGIC: [u8; 8] = *b"VVDIRECT";
pub(crate) const TABLES: usize = 10;
pub(crate) const FIXED: usize = 8 + 4 * 4 + 4 * TABLES + 4 + 4;

/// The tables of a file, read before the first column.
#[derive(Clone, Debug, Default)]
pub struct Directory {
    /// The number of nodes of the graph, including appended and removed ones; all ids are below this number.
    pub nodes: u32,
    /// Integers: for each node, the row number of its label set in `label_sets`.
    pub codes: Option<ColumnId>,
    /// Integers: for each node, the number of its descendants along the tree label.
    pub subtree: Option<ColumnId>,
    /// Integers: for each node, its id minus the id of its parent along the tree label; 0 for a root.
    pub parents: Option<ColumnId>,
    /// The edge label in whose pre-order nodes are numbered. Its edges are a forest if there are subtree
    /// sizes.
    pub tree_label: Option<EdgeLabelId>,
    /// All names to which rows refer.
    pub names: Names,
    /// The layers, with the tool and source of each.
    pub layers: Vec<LayerRow>,
    /// Node labels.
    pub labels: Vec<LabelRow>,
    /// Edge labels.
    pub edge_labels: Vec<EdgeLabelRow>,
    /// Properties of nodes and edges.
    pub properties: Vec<PropertyRow>,
    /// Text indexes of properties, in ascending order of the property number.
    pub text_indexes: Vec<TextIndexRow>,
    /// The masks of the label sets; each has one bit for each label, in whole words of 64 bits.
    pub label_sets: Vec<u64>,
    /// The columns; children come before their parents.
    pub columns: Vec<ColumnRow>,
    /// The segments, in file order.
    pub segments: Vec<SegmentRow>,
    /// The changes since the columns were written; `None` if there are none.
    pub changes: Option<Changes>,
}

impl Directory {
    /// The number of words of a mask in `label_sets`.
    pub fn mask_words(&self) -> usize {
        self.labels.len().div_ceil(64).max(1)
    }

    /// The number of nodes in the columns of the base: all nodes, unless some were appended.
    pub fn base_nodes(&self) -> u32 {
        self.changes.as_ref().map_or(self.nodes, |changes| changes.base_nodes)
    }

    /// The number of nodes for which the columns of a layer were written. All node ids in these columns are
    /// below this number.
    pub fn nodes_of_layer(&self, layer: u32) -> u32 {
        let own = self.layers.get(layer as usize).and_then(|row| row.nodes);
        own.unwrap_or_else(|| self.base_nodes())
    }

    /// The number of bytes that the tables take in memory.
    pub fn heap_bytes(&self) -> usize {
        let schema =
            size_of_val(&*self.layers) + size_of_val(&*self.labels) + size_of_val(&*self.edge_labels);
        let named =
            size_of_val(&*self.properties) + size_of_val(&*self.text_indexes) + self.names.heap_bytes();
        let stored =
            size_of_val(&*self.columns) + size_of_val(&*self.segments) + size_of_val(&*self.label_sets);
        let changed = self
            .changes
            .as_ref()
            .map_or(0, |changes| size_of_val(&*changes.edges) + size_of_val(&*changes.properties));
        schema + named + stored + changed
    }

    /// The bytes of the directory.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (name_rows, pool) = self.names.write();
        let changes = self.changes.as_ref().map(Changes::to_bytes).unwrap_or_default();
        let counts = [
            self.names.len(),
            self.layers.len(),
            self.labels.len(),
            self.edge_labels.len(),
            self.properties.len(),
            self.text_indexes.len(),
            self.label_sets.len(),
            self.columns.len(),
            self.segments.len(),
            pool.len(),
        ];
        let mut output = Vec::new();
        output.extend(MAGIC);
        output.extend(self.nodes.to_le_bytes());
        output.extend(ColumnId::to_number(self.codes).to_le_bytes());
        output.extend(ColumnId::to_number(self.subtree).to_le_bytes());
        output.extend(EdgeLabelId::to_number(self.tree_label).to_le_bytes());
        counts.iter().for_each(|count| output.extend((*count as u32).to_le_bytes()));
        output.extend(ColumnId::to_number(self.parents).to_le_bytes());
        output.extend((changes.len() as u32).to_le_bytes());
        output.extend(name_rows);
        self.layers.iter().for_each(|row| row.write(&mut output));
        self.labels.iter().for_each(|row| row.write(&mut output));
        self.edge_labels.iter().for_each(|row| row.write(&mut output));
        self.properties.iter().for_each(|row| row.write(&mut output));
        self.text_indexes.iter().for_each(|row| row.write(&mut output));
        self.label_sets.iter().for_each(|word| output.extend(word.to_le_bytes()));
        self.columns.iter().for_each(|row| row.write(&mut output));
        self.segments.iter().for_each(|row| row.write(&mut output));
        output.extend(pool);
        output.extend(changes);
        output
    }

    /// Reads a directory. Its segments must lie in the range `start..end` of the file and not overlap.
    ///
    /// # Errors
    /// Damage, with the table and the row.
    pub fn from_bytes(bytes: &[u8], start: u64, end: u64) -> Result<Self> {
        let short = || {
            FormatError::damaged(
                Part::Directory,
                Fault::TooFew { what: "bytes", least: FIXED as u64, found: bytes.len() as u64 },
            )
        };
        let mut fields = Fields::new(bytes);
        if fields.take::<8>() != Some(MAGIC) {
            return Err(FormatError::damaged(Part::Directory, Fault::Magic));
        }
        let mut next = || fields.u32().ok_or_else(short);
        let (nodes, codes, subtree, tree_label) = (next()?, next()?, next()?, next()?);
        let mut counts = [0u32; TABLES];
        for count in &mut counts {
            *count = next()?;
        }
        let (parents, changes_len) = (next()?, next()? as usize);
        let tables_len = bytes.len().checked_sub(changes_len).ok_or_else(short)?;
        let (tables, changes) = bytes.split_at(tables_len);
        let tables = Tables::cut(tables, &counts)?;
        let changes = (!changes.is_empty()).then(|| Changes::from_bytes(changes)).transpose()?;
        let directory = Self {
            nodes,
            codes: ColumnId::from_number(codes),
            subtree: ColumnId::from_number(subtree),
            parents: ColumnId::from_number(parents),
            tree_label: EdgeLabelId::from_number(tree_label),
            names: Names::read(tables.0[0], counts[0], tables.0[9])?,
            layers: tables.rows(1, "layer", LayerRow::read)?,
            labels: tables.rows(2, "label", LabelRow::read)?,
            edge_labels: tables.rows(3, "edge label", EdgeLabelRow::read)?,
            properties: tables.rows(4, "property", PropertyRow::read)?,
            text_indexes: tables.rows(5, "text index", TextIndexRow::read)?,
            label_sets: (0..counts[6] as usize).filter_map(|word| u64_at(tables.0[6], word * 8)).collect(),
            columns: read_columns(tables.0[7], counts[8])?,
            segments: read_segments(tables.0[8], start, end)?,
            changes,
        };
        directory.check()?;
        Ok(directory)
    }

    /// Checks that every number of a row refers to an existing row.
    fn check(&self) -> Result<()> {
        let no_such = |what, number: u32, count: usize| {
            let fault = Fault::NoSuch { what, number: number.into(), count: count as u64 };
            Err(FormatError::damaged(Part::Directory, fault))
        };
        let name_ids = self.layers.iter().flat_map(|row| [row.name, row.tool, row.version]);
        let name_ids = name_ids.chain(self.labels.iter().map(|row| row.name));
        let name_ids = name_ids.chain(self.edge_labels.iter().map(|row| row.name));
        let mut name_ids = name_ids.chain(self.properties.iter().map(|row| row.name));
        if let Some(name) = name_ids.find(|name| name.index() >= self.names.len()) {
            return no_such("name", name.0, self.names.len());
        }
        let layers = self.labels.iter().map(|row| row.layer);
        let layers = layers.chain(self.edge_labels.iter().map(|row| row.layer));
        let mut layers = layers.chain(self.properties.iter().map(|row| row.layer));
        if let Some(layer) = layers.find(|layer| *layer as usize >= self.layers.len()) {
            return no_such("layer", layer, self.layers.len());
        }
        let mut of_layers = (0..).zip(&self.layers).filter_map(|(number, row)| Some((number, row.nodes?)));
        if let Some((number, nodes)) = of_layers.find(|(_, nodes)| *nodes > self.nodes) {
            let (most, found) = (self.nodes.into(), Some(nodes.into()));
            let fault = Fault::Number { what: "number of nodes", at: None, least: 0, most, found };
            return Err(FormatError::damaged(Part::Row("layer", number), fault));
        }
        if let Some(column) = self.roots().find(|column| column.index() >= self.columns.len()) {
            return no_such("column", column.0, self.columns.len());
        }
        let owners = self.properties.iter().filter_map(|row| match row.owner {
            Owner::Edge(label) => Some(label),
            Owner::Node => None,
        });
        let mut edge_labels = owners.chain(self.tree_label);
        if let Some(label) = edge_labels.find(|label| label.index() >= self.edge_labels.len()) {
            return no_such("edge label", label.0, self.edge_labels.len());
        }
        let mut indexed = self.text_indexes.iter().map(|row| row.property);
        if let Some(property) = indexed.find(|property| property.index() >= self.properties.len()) {
            return no_such("property", property.0, self.properties.len());
        }
        let of_property = |(number, row)| Some((Part::Row("property", number), self.property_fault(row)?));
        let mut faults = (0..).zip(&self.properties).filter_map(of_property);
        let fault = faults.next().or_else(|| Some((Part::Table("text indexes"), self.index_fault()?)));
        let fault = fault.or_else(|| Some((Part::Table("label sets"), self.label_set_fault()?)));
        let fault = fault.or_else(|| Some((Part::Table("changes"), self.change_fault()?)));
        fault.map_or(Ok(()), |(part, fault)| Err(FormatError::damaged(part, fault)))
    }

    /// The fault of a property's cardinality or default; `None` if they are valid.
    fn property_fault(&self, row: &PropertyRow) -> Option<Fault> {
        let names = 0..self.names.len() as i64;
        if row.cardinality > 2 {
            Some(Fault::Unknown { what: "cardinality", found: row.cardinality.into() })
        } else if row.default_kind > 2 {
            Some(Fault::Unknown { what: "kind of default", found: row.default_kind.into() })
        } else if row.default_kind == 2 && !names.contains(&row.default) {
            Some(Fault::Unknown { what: "name as its default", found: row.default })
        } else {
            None
        }
    }

    /// Checks that text indexes are in ascending order of their properties.
    fn index_fault(&self) -> Option<Fault> {
        let unordered = |pair: &[TextIndexRow]| pair[0].property >= pair[1].property;
        let at = self.text_indexes.windows(2).position(unordered)? as u64 + 1;
        Some(Fault::Order { what: "indexes that rise by their property", at })
    }

    /// Checks that changes concern existing elements.
    fn change_fault(&self) -> Option<Fault> {
        self.changes.as_ref()?.fault(self.nodes, self.edge_labels.len(), self.properties.len())
    }

    /// Checks that label sets are complete masks and contain only existing labels.
    fn label_set_fault(&self) -> Option<Fault> {
        let (words, found) = (self.mask_words(), self.label_sets.len() as u64);
        if !self.label_sets.len().is_multiple_of(words) {
            return Some(Fault::Multiple { of: words as u64, found });
        }
        let mut masks = self.label_sets.chunks_exact(words);
        let number = masks.find_map(|mask| self.label_beyond(mask))?;
        Some(Fault::NoSuch { what: "label", number, count: self.labels.len() as u64 })
    }

    /// The number of the first nonexistent label in a mask; `None` if all labels in the mask exist.
    fn label_beyond(&self, mask: &[u64]) -> Option<u64> {
        let before = 64 * (self.mask_words() - 1);
        let in_last = self.labels.len() - before;
        let unknown = mask.last()? & u64::MAX.checked_shl(in_last as u32).unwrap_or(0);
        (unknown != 0).then(|| before as u64 + u64::from(unknown.trailing_zeros()))
    }

    /// All columns to which rows of other tables refer.
    pub fn roots(&self) -> impl Iterator<Item = ColumnId> + '_ {
        let graph = [self.codes, self.subtree, self.parents].into_iter().flatten();
        let labels = self.labels.iter().flat_map(|row| [Some(row.nodes), row.origin]).flatten();
        let edges = self.edge_labels.iter().flat_map(|row| {
            [row.out, row.in_]
                .into_iter()
                .flat_map(|side| [side.nodes, side.offsets, side.neighbors])
                .chain([row.places])
                .flatten()
        });
        let properties = self
            .properties
            .iter()
            .flat_map(|row| [Some(row.present), row.offsets, Some(row.values), row.strings])
            .flatten();
        let indexes = self.text_indexes.iter().flat_map(TextIndexRow::columns);
        let changes = self.changes.iter().flat_map(Changes::columns);
        graph.chain(labels).chain(edges).chain(properties).chain(indexes).chain(changes)
    }
}

impl Directory {
    /// Replaces the number of every column to which rows of other tables refer.
    pub fn renumber(&mut self, new: impl Fn(ColumnId) -> ColumnId) {
        let change = |column: &mut ColumnId| *column = new(*column);
        let change_any = |column: &mut Option<ColumnId>| *column = column.map(&new);
        [&mut self.codes, &mut self.subtree, &mut self.parents].into_iter().for_each(change_any);
        for row in &mut self.labels {
            change(&mut row.nodes);
            change_any(&mut row.origin);
        }
        for row in &mut self.edge_labels {
            for side in [&mut row.out, &mut row.in_] {
                [&mut side.nodes, &mut side.offsets, &mut side.neighbors].into_iter().for_each(change_any);
            }
            change_any(&mut row.places);
        }
        for row in &mut self.properties {
            [&mut row.present, &mut row.values].into_iter().for_each(change);
            [&mut row.offsets, &mut row.strings].into_iter().for_each(change_any);
        }
        self.text_indexes.iter_mut().flat_map(TextIndexRow::columns_mut).for_each(change);
        self.changes.iter_mut().for_each(|changes| changes.renumber(&new));
    }
}

/// The bytes of each table.
pub(crate) struct Tables<'a>([&'a [u8]; TABLES]);

impl<'a> Tables<'a> {
    pub(crate) const SIZES: [usize; TABLES] = [
        8,
        LayerRow::SIZE,
        LabelRow::SIZE,
        EdgeLabelRow::SIZE,
        PropertyRow::SIZE,
        TextIndexRow::SIZE,
        8,
        ColumnRow::SIZE,
        SegmentRow::SIZE,
        1,
    ];

    fn cut(bytes: &'a [u8], counts: &[u32; TABLES]) -> Result<Self> {
        let ends = Self::ends(counts);
        if ends[TABLES - 1] != bytes.len() {
            let (expected, found) = (ends[TABLES - 1] as u64, bytes.len() as u64);
            return Err(FormatError::damaged(
                Part::Directory,
                Fault::Count { what: "bytes", expected, found },
            ));
        }
        let mut start = FIXED;
        Ok(Self(ends.map(|end| &bytes[std::mem::replace(&mut start, end)..end])))
    }

    /// The end offset of each table in a directory with these counts of rows.
    pub(crate) fn ends(counts: &[u32; TABLES]) -> [usize; TABLES] {
        // Ten 32-bit counts of rows of at most 56 bytes: the sum is far from overflowing 64 bits.
        let mut end = FIXED;
        std::array::from_fn(|table| {
            end += counts[table] as usize * Self::SIZES[table];
            end
        })
    }

    /// Reads the rows of a table. The number of rows follows from the length of the table.
    fn rows<T>(
        &self,
        table: usize,
        what: &'static str,
        read: fn(&mut Fields<'_>) -> Option<T>,
    ) -> Result<Vec<T>> {
        let chunks = self.0[table].chunks_exact(Self::SIZES[table]);
        let mut rows = Vec::with_capacity(chunks.len());
        for (number, bytes) in chunks.enumerate() {
            rows.push(read(&mut Fields::new(bytes)).ok_or_else(|| {
                let (least, found) = (Self::SIZES[table] as u64, bytes.len() as u64);
                let fault = Fault::TooFew { what: "bytes", least, found };
                FormatError::damaged(Part::Row(what, number as u32), fault)
            })?);
        }
        Ok(rows)
    }
}

fn read_columns(table: &[u8], segments: u32) -> Result<Vec<ColumnRow>> {
    let (chunks, _) = table.as_chunks();
    let mut rows = Vec::with_capacity(chunks.len());
    for (number, bytes) in (0..).zip(chunks) {
        rows.push(ColumnRow::read(bytes, number, segments)?);
    }
    Ok(rows)
}

fn read_segments(table: &[u8], start: u64, end: u64) -> Result<Vec<SegmentRow>> {
    let (chunks, _) = table.as_chunks();
    let (mut rows, mut after) = (Vec::with_capacity(chunks.len()), start);
    for (number, bytes) in (0..).zip(chunks) {
        let (row, row_end) = SegmentRow::read(bytes, number, after, end)?;
        after = row_end;
        rows.push(row);
    }
    Ok(rows)
}
