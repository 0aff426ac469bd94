//! [`PlanColumns`]: the columns of a plan's rows, known before it runs.

use std::iter::FusedIterator;
use std::ops::Range;

use super::shape::{ColumnSpec, Meaning, Shape};
use crate::pipeline::fault::RowKind;
use varvite_graph::ValueType;

/// The columns of the rows that a plan gives, known before it runs.
///
/// The iterator reads and allocates nothing. Each batch has these columns in this order.
#[derive(Clone, Debug)]
pub struct PlanColumns<'p> {
    shape: &'p Shape,
    left: Range<usize>,
}

/// A column of the rows that a plan gives, known before it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanColumn<'p> {
    name: &'p str,
    kind: ColumnKind,
    is_list: bool,
    is_nullable: bool,
}

/// The kind of a column's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnKind {
    /// Ids of nodes.
    Node,
    /// Edges.
    Edge,
    /// Elements of paths: nodes, and the edges between them.
    Element,
    /// Names of edge labels, or of all labels of a node, joined by `&`.
    Label,
    /// Values of a type.
    Value(ValueType),
}

impl<'p> PlanColumns<'p> {
    pub(crate) fn of(shape: &'p Shape) -> Self {
        let width = match shape {
            Shape::Table(columns) => columns.len(),
            _ => 1,
        };
        Self { shape, left: 0..width }
    }

    /// The kind of a row: a node, an edge, a value, or a row of several columns. The first three have one
    /// column.
    pub fn row_kind(&self) -> RowKind {
        self.shape.kind()
    }
}

impl<'p> PlanColumn<'p> {
    fn plain(name: &'p str, kind: ColumnKind) -> Self {
        Self { name, kind, is_list: false, is_nullable: false }
    }

    fn of(spec: &'p ColumnSpec) -> Self {
        let ColumnSpec { name, meaning, is_list, may_be_null } = spec;
        let is_nullable = *may_be_null && !is_list;
        Self { name, kind: meaning.kind(), is_list: *is_list, is_nullable }
    }

    /// The column's name: that of a property or an aggregate, or `node`, `edge`, `label`, `depth`, `count`,
    /// `path` or `nodes`.
    pub fn name(&self) -> &'p str {
        self.name
    }

    /// The kind of the column's cells.
    pub fn kind(&self) -> ColumnKind {
        self.kind
    }

    /// The type of the column's values. `None` for nodes, edges and labels.
    pub fn value_type(&self) -> Option<ValueType> {
        match self.kind {
            ColumnKind::Value(value_type) => Some(value_type),
            _ => None,
        }
    }

    /// Whether a row has a list of cells, which may be empty.
    pub fn is_list(&self) -> bool {
        self.is_list
    }

    /// Whether a row may have no value. A list is never null.
    pub fn is_nullable(&self) -> bool {
        self.is_nullable
    }
}

impl Meaning {
    pub(super) fn kind(&self) -> ColumnKind {
        match self {
            Self::Node => ColumnKind::Node,
            Self::Edge => ColumnKind::Edge,
            Self::Element => ColumnKind::Element,
            Self::Name(_) => ColumnKind::Label,
            Self::Plain(value_type) => ColumnKind::Value(*value_type),
            Self::Of(property) => ColumnKind::Value(property.value_type()),
            Self::Text => ColumnKind::Value(ValueType::String),
        }
    }
}

impl<'p> Iterator for PlanColumns<'p> {
    type Item = PlanColumn<'p>;

    fn next(&mut self) -> Option<PlanColumn<'p>> {
        let index = self.left.next()?;
        match self.shape {
            Shape::Nodes => Some(PlanColumn::plain("node", ColumnKind::Node)),
            Shape::Edges => Some(PlanColumn::plain("edge", ColumnKind::Edge)),
            Shape::Values(column) => Some(PlanColumn::of(column)),
            Shape::Table(columns) => columns.get(index).map(PlanColumn::of),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}

impl ExactSizeIterator for PlanColumns<'_> {}

impl FusedIterator for PlanColumns<'_> {}
