//! [`Renderer`]: renders rows of a run as CSV, JSON or lines for a table, a batch at a time.
//!
//! The output is the same as if cells were written one by one. Rendering is faster because the values of a
//! batch are read together, numbers are written directly into the buffer, and texts that were rendered before
//! are copied.

use std::borrow::Cow;
use std::ops::Range;

use varvite::cursor::TextsReader;
use varvite::pipeline::{Cell as Found, Column as FoundColumn, ColumnKind, Rows as Batch};
use varvite::{Cardinality, Property, Texts, ValueType};

use crate::label_names::LabelNames;
use crate::layout::{Field, NodeCursor, Source};
use crate::listing::TextColumns;
use crate::output::{CellFormat, KnownTexts};
use crate::view::View;

/// Renders rows, a batch at a time. Each thread has its own renderer.
pub(crate) struct Renderer<'l> {
    view: &'l View,
    columns: &'l TextColumns<'l>,
    cursors: Vec<NodeCursor<'l>>,
    /// The buffers and cached texts of each shown column, reused from batch to batch.
    kept: Vec<CachedColumn>,
}

#[derive(Default)]
struct CachedColumn {
    values: Vec<i64>,
    present: Vec<u64>,
    texts: KnownTexts,
}

/// The source of a column's cells in one batch.
enum Cells<'b> {
    /// Ids of nodes.
    Ids(&'b [u32]),
    /// Labels of nodes.
    Labels(&'b LabelNames, &'b [u32]),
    /// Values of a node property, one per row.
    OfNodes(Values<'b>),
    /// Values of a column of the batch.
    OfBatch { column: FoundColumn<'b>, values: Values<'b> },
    /// Any other cells, read one by one.
    Any,
}

/// How the numbers that a column stores are written: as numbers, or as the names or texts that they stand
/// for.
struct Values<'b> {
    kind: Kind,
    texts: Option<TextsReader<'b>>,
    /// The end of valid codes. Codes from this number on mean null, or come from damage.
    texts_end: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Int,
    Uint,
    Bool,
    Text,
    /// The name of a label or label set.
    Name,
}

impl<'l> Renderer<'l> {
    /// Makes a renderer for these columns.
    pub(crate) fn new(view: &'l View, columns: &'l TextColumns<'l>) -> Self {
        let kept = columns.shown.iter().map(|_| CachedColumn::default()).collect();
        Self { view, columns, cursors: columns.layout.cursors(), kept }
    }

    /// Whether the location of every node was found.
    pub(crate) fn is_complete(&self) -> bool {
        self.cursors.iter().all(NodeCursor::is_complete)
    }

    /// Appends rows of a batch until the buffer has `bytes_max` bytes. Returns the number of appended rows.
    pub(crate) fn render(
        &mut self,
        batch: &Batch<'_>,
        rows: Range<usize>,
        out: &mut Vec<u8>,
        bytes_max: usize,
    ) -> usize {
        let nodes: Vec<_> = (0..self.cursors.len()).map(|it| self.view.nodes(batch, &rows, it)).collect();
        let mut cells: Vec<_> = (0..self.kept.len()).map(|it| self.read(batch, &nodes, it)).collect();
        for (place, row) in rows.clone().enumerate() {
            if out.len() >= bytes_max {
                return place;
            }
            for (index, cells) in cells.iter_mut().enumerate() {
                let Some(format) = self.columns.format.cell(index) else { continue };
                format.begin(out);
                if !cells.push(format, out, &mut self.kept[index], place, row) {
                    self.push_any(format, out, index, batch, row);
                }
            }
            self.columns.format.end_row(out);
        }
        rows.len()
    }

    /// Reads the column at `index` for rows that have these nodes.
    fn read<'b>(&mut self, batch: &Batch<'b>, nodes: &'b [Option<Cow<'b, [u32]>>], index: usize) -> Cells<'b>
    where
        'l: 'b,
    {
        match self.columns.shown[index] {
            Source::Own(column) => Cells::of_batch(self.view.column(batch, column)),
            Source::Of(node, field) => match (field, nodes.get(node)) {
                (Field::Node, Some(Some(nodes))) => Cells::Ids(nodes),
                (Field::Label, Some(Some(nodes))) => {
                    let names = self.columns.layout.labels();
                    names.map_or(Cells::Any, |names| Cells::Labels(names, nodes))
                }
                _ => Cells::Any,
            },
            Source::Property(node, property) => match nodes.get(node) {
                Some(Some(nodes)) => {
                    let property = self.columns.layout.property(property);
                    Cells::of_nodes(property, nodes, &mut self.kept[index])
                }
                _ => Cells::Any,
            },
        }
    }

    /// Appends the cell of a row, which may be of any kind.
    fn push_any(
        &mut self,
        format: &CellFormat,
        out: &mut Vec<u8>,
        index: usize,
        batch: &Batch<'_>,
        row: usize,
    ) {
        match self.columns.shown[index] {
            Source::Own(column) => format.push_cell(out, &self.view.cell(batch, row, column)),
            source @ (Source::Of(node, _) | Source::Property(node, _)) => {
                match self.view.node(batch, row, node) {
                    Some(id) => format.push_cell(out, &self.cursors[node].read(id, source)),
                    None => format.push_null(out),
                }
            }
        }
    }
}

impl<'b> Cells<'b> {
    fn of_batch(column: Option<FoundColumn<'b>>) -> Self {
        let values = column.and_then(|column| Some((column, Values::of_batch(&column)?)));
        values.map_or(Self::Any, |(column, values)| Self::OfBatch { column, values })
    }

    /// Reads the values of a property for these nodes. Consecutive nodes are read as a range, which is
    /// faster.
    fn of_nodes(property: &'b Property, nodes: &[u32], kept: &mut CachedColumn) -> Self {
        let Some(values) = Values::of_property(property) else { return Self::Any };
        let ends = nodes.first().zip(nodes.last().and_then(|last| last.checked_add(1)));
        match ends.filter(|_| nodes.is_sorted_by(|a, b| *a + 1 == *b)) {
            Some((first, end)) => property.fill(*first..end, &mut kept.values, &mut kept.present),
            None => property.fill_list(nodes, &mut kept.values, &mut kept.present),
        }
        Self::OfNodes(values)
    }

    /// Appends the cell of row `row`, the one at index `place` of the rendered rows. Returns false if this
    /// cell has to be read individually.
    #[inline]
    fn push(
        &mut self,
        format: &CellFormat,
        out: &mut Vec<u8>,
        kept: &mut CachedColumn,
        place: usize,
        row: usize,
    ) -> bool {
        let (number, values) = match self {
            Self::Any => return false,
            Self::Ids(ids) => {
                let id = ids.get(place).copied();
                id.into_iter().for_each(|id| format.push_uint(out, id.into()));
                return id.is_some();
            }
            Self::Labels(names, nodes) => {
                let Some(code) = nodes.get(place).map(|node| names.code(*node)) else { return false };
                return kept.texts.push_or(out, code, |out| {
                    format.push_text(out, names.of_code(code));
                    true
                });
            }
            Self::OfBatch { column, values: Values { kind: Kind::Name, .. } } => {
                let code = column.number(row).and_then(|number| u32::try_from(number).ok());
                let Some(code) = code else { return false };
                return kept.texts.push_or(out, code, |out| match column.get(row) {
                    Some(Found::Label(name)) => {
                        format.push_text(out, name);
                        true
                    }
                    _ => false,
                });
            }
            Self::OfBatch { column, values } => (column.number(row), values),
            Self::OfNodes(values) => {
                let is_present =
                    kept.present.get(place / 64).is_some_and(|bits| bits >> (place % 64) & 1 != 0);
                (kept.values.get(place).copied().filter(|_| is_present), values)
            }
        };
        match number {
            Some(number) => values.push(format, out, number, &mut kept.texts),
            None => {
                format.push_null(out);
                true
            }
        }
    }
}

impl<'b> Values<'b> {
    /// The values of a property of nodes. `None` unless they are single numbers, truth values or texts.
    fn of_property(property: &'b Property) -> Option<Self> {
        let is_single = property.cardinality() != Cardinality::List;
        Some(Self::new(Kind::of(property.value_type()).filter(|_| is_single)?, property.strings()))
    }

    /// The same as [`Values::of_property`], for a column of a batch.
    fn of_batch(column: &FoundColumn<'b>) -> Option<Self> {
        let kind = match column.kind() {
            ColumnKind::Value(value_type) => Kind::of(value_type),
            ColumnKind::Node => Some(Kind::Uint),
            ColumnKind::Label => Some(Kind::Name),
            _ => None,
        };
        Some(Self::new(kind.filter(|_| !column.is_list())?, column.texts()))
    }

    fn new(kind: Kind, texts: Option<&'b Texts>) -> Self {
        Self { kind, texts: texts.map(Texts::reader), texts_end: texts.map_or(0, Texts::len) }
    }

    /// Appends a value. Returns false if the cell has to be read individually.
    #[inline]
    fn push(&mut self, format: &CellFormat, out: &mut Vec<u8>, number: i64, known: &mut KnownTexts) -> bool {
        match self.kind {
            Kind::Int => format.push_int(out, number),
            Kind::Uint => format.push_uint(out, number as u64),
            Kind::Bool => format.push_bool(out, number != 0),
            Kind::Text => return self.push_text(format, out, number, known),
            Kind::Name => return false,
        }
        true
    }

    #[inline]
    fn push_text(
        &mut self,
        format: &CellFormat,
        out: &mut Vec<u8>,
        number: i64,
        known: &mut KnownTexts,
    ) -> bool {
        let Some(code) = u32::try_from(number).ok().filter(|code| *code < self.texts_end) else {
            return false;
        };
        known.push_or(out, code, |out| {
            // Damage is noted later, when the cell is read individually.
            let bytes = self.texts.as_mut().and_then(|texts| texts.bytes(code));
            let text = bytes.and_then(|bytes| std::str::from_utf8(bytes).ok());
            text.map(|text| format.push_text(out, text)).is_some()
        })
    }
}

impl Kind {
    fn of(value_type: ValueType) -> Option<Self> {
        match value_type {
            ValueType::I8 | ValueType::I16 | ValueType::I32 | ValueType::I64 => Some(Self::Int),
            ValueType::U8 | ValueType::U16 | ValueType::U32 | ValueType::U64 => Some(Self::Uint),
            ValueType::Bool => Some(Self::Bool),
            ValueType::String => Some(Self::Text),
            _ => None,
        }
    }
}
