//! The form in which rows of a pipeline are shown. Nodes have their most useful columns, and edges their
//! ends; paths are shown node by node, values and columns unchanged.

use std::borrow::Cow;
use std::ops::Range;

use varvite::pipeline::{
    Cell as Found, Column as FoundColumn, ColumnKind, Edge, PlanColumn, PlanColumns, RowKind, Rows as Batch,
};
use varvite::{Graph, LabelNodes, Property, ValueType};

use crate::error::Result;
use crate::label_names::EdgeLabels;
use crate::layout::{Field, Layout};
use crate::output::{Cell, Column, Format};
use crate::paths;

/// The properties that name a node of a code property graph.
const NAMES: [&str; 2] = ["NAME", "FULL_NAME"];
/// The properties with the location of a node. The formats for programs show them unchanged.
const PLACES: [&str; 2] = ["FILENAME", "LINE_NUMBER"];
/// The property with a node's code. It comes last, since it is the longest.
const CODE: &str = "CODE";
/// The number of nodes of a label in which values of a property are looked for.
const SAMPLE: usize = 64;

/// The layout of nodes of one label, with their most useful properties.
pub(crate) fn layout_of_label<'g>(graph: &'g Graph, nodes: &LabelNodes, format: Format) -> Layout<'g> {
    let sample: Vec<u32> = nodes.iter().take(SAMPLE).collect();
    let layout = Layout::new(graph, &[""]).lead_with_field(0, Field::Node);
    show_node(layout.of_sample(sample), format)
}

/// Adds the properties that are shown for nodes of any label.
fn show_node(layout: Layout<'_>, format: Format) -> Layout<'_> {
    match format {
        Format::Table => layout.show_properties(0, &NAMES).show_site(0, format).show_properties(0, &[CODE]),
        _ => {
            let all: Vec<&str> = NAMES.into_iter().chain(PLACES).chain([CODE]).collect();
            layout.show_properties(0, &all).show_site(0, format)
        }
    }
}

/// The kind of a run's rows, with the data that is needed to read them.
pub(crate) enum View {
    Nodes,
    Edges(EdgeView),
    /// Values, or rows of several columns. The index is that of the column with the node that a row is about,
    /// if there is one.
    Columns(EdgeLabels, Option<usize>),
    Paths(EdgeLabels),
}

impl View {
    /// The view of a plan's rows, which may be of any kind, and the layout of their possible columns.
    pub(crate) fn of_columns<'g>(
        graph: &'g Graph,
        columns: PlanColumns<'_>,
        format: Format,
    ) -> Result<(Self, Layout<'g>)> {
        let labels = EdgeLabels::of(graph);
        match columns.row_kind() {
            RowKind::Nodes => {
                let layout = Layout::new(graph, &[""]).lead_with_field(0, Field::Node);
                return Ok((Self::Nodes, show_node(layout.show_fields(0, &[Field::Label]), format)));
            }
            RowKind::Edges => {
                let edges = EdgeView::of(graph, labels)?;
                let layout = edges.layout(graph, format);
                return Ok((Self::Edges(edges), layout));
            }
            _ => {}
        }
        if columns.clone().any(|column| column.kind() == ColumnKind::Element) {
            return Ok((Self::Paths(labels), paths::layout_of_plan(graph, format)));
        }
        let node = columns.clone().position(is_node);
        let mut layout = Layout::new(graph, if node.is_some() { &[""] } else { &[] });
        for column in columns {
            layout = layout.show_own(title(graph, column));
        }
        let layout = if node.is_some() { layout.show_site(0, format) } else { layout };
        Ok((Self::Columns(labels, node), layout))
    }

    /// The number of nodes that a row is about.
    fn nodes_of_row(&self) -> usize {
        match self {
            Self::Nodes => 1,
            Self::Edges(_) => 2,
            Self::Columns(_, node) => usize::from(node.is_some()),
            Self::Paths(_) => 0,
        }
    }

    /// The nodes that a row is about.
    pub(crate) fn nodes_of(&self, batch: &Batch<'_>, row: usize) -> impl Iterator<Item = Option<u32>> {
        (0..self.nodes_of_row()).map(move |index| self.node(batch, row, index))
    }

    /// One of the nodes that a row is about, by its index.
    pub(crate) fn node(&self, batch: &Batch<'_>, row: usize, index: usize) -> Option<u32> {
        match self {
            Self::Nodes => batch.nodes()?.get(row).copied(),
            Self::Edges(_) => {
                let edge = batch.edges()?.get(row)?;
                Some(if index == 0 { edge.source } else { edge.target })
            }
            Self::Columns(_, node) => match batch.column((*node)?)?.get(row)? {
                Found::Node(node) => Some(node),
                _ => None,
            },
            Self::Paths(_) => None,
        }
    }

    /// The same as [`View::node`], for a range of rows. `None` unless each row has the node.
    pub(crate) fn nodes<'b>(
        &self,
        batch: &Batch<'b>,
        rows: &Range<usize>,
        index: usize,
    ) -> Option<Cow<'b, [u32]>> {
        match self {
            Self::Nodes => batch.nodes()?.get(rows.clone()).map(Cow::Borrowed),
            _ => rows.clone().map(|row| self.node(batch, row, index)).collect(),
        }
    }

    /// A column of the view. `None` if its cells are not read from the batch.
    pub(crate) fn column<'b>(&self, batch: &Batch<'b>, index: usize) -> Option<FoundColumn<'b>> {
        match self {
            Self::Columns(..) => batch.column(index),
            _ => None,
        }
    }

    /// The cell of a column of the view.
    pub(crate) fn cell<'b>(&'b self, batch: &Batch<'b>, row: usize, index: usize) -> Cell<'b> {
        match self {
            Self::Edges(view) => {
                let edge = batch.edges().and_then(|edges| edges.get(row));
                edge.map_or(Cell::Null, |edge| view.cell(edge, index))
            }
            Self::Columns(labels, _) => {
                batch.column(index).map_or(Cell::Null, |column| labels.cell(&column, row))
            }
            Self::Nodes | Self::Paths(_) => Cell::Null,
        }
    }
}

/// Whether a column has the node that each row is about.
fn is_node(column: PlanColumn<'_>) -> bool {
    // If a property is also named `node`, the column is named `node_2`.
    let is_named = column.name() == "node" || column.name().starts_with("node_");
    column.kind() == ColumnKind::Node && !column.is_list() && is_named
}

fn title(graph: &Graph, column: PlanColumn<'_>) -> Column {
    let is_text = |value_type| matches!(value_type, ValueType::Bool | ValueType::String | ValueType::Bytes);
    match column.kind() {
        _ if column.is_list() => Column::text(column.name()),
        _ if is_node(column) => Column::node(graph, column.name()),
        ColumnKind::Value(value_type) if !is_text(value_type) => Column::number(column.name()),
        _ => Column::text(column.name()),
    }
}

/// Reads edges.
pub(crate) struct EdgeView {
    labels: EdgeLabels,
    /// The names of properties, each with a list that has, for each edge label, the property's column; `None`
    /// if the label does not have the property.
    properties: Vec<(String, Vec<Option<Property>>)>,
}

impl EdgeView {
    /// The number of columns before the properties: the edge label, and the ids of both ends.
    const LEADING: usize = 3;

    fn of(graph: &Graph, labels: EdgeLabels) -> Result<Self> {
        let mut properties: Vec<(String, Vec<Option<Property>>)> = Vec::new();
        for (property, info) in graph.property_ids().zip(graph.properties()) {
            let owner = info.edge_label.as_ref().and_then(|name| labels.position(name));
            let Some(label) = owner else { continue };
            let place = properties.iter().position(|(name, _)| *name == info.name).unwrap_or_else(|| {
                properties.push((info.name.clone(), vec![None; labels.len()]));
                properties.len() - 1
            });
            properties[place].1[label] = Some(graph.property_at(property)?);
        }
        Ok(Self { labels, properties })
    }

    fn layout<'g>(&self, graph: &'g Graph, format: Format) -> Layout<'g> {
        let mut layout = Layout::new(graph, &["source_", "target_"]).lead_with(Column::text("edge"));
        for end in ["source", "target"] {
            layout = layout.lead_with(Column::node(graph, end));
        }
        for (name, _) in &self.properties {
            layout = layout.show_own(Column::text(name));
        }
        match format {
            Format::Table => layout.show_end(0).show_end(1),
            _ => layout.show_site(0, format).show_site(1, format),
        }
    }

    fn cell(&self, edge: &Edge, index: usize) -> Cell<'_> {
        match index {
            0 => self.labels.name(edge.label).into(),
            1 => edge.source.into(),
            2 => edge.target.into(),
            _ => {
                let columns = self.properties.get(index - Self::LEADING).map(|(_, columns)| columns);
                let column = columns.and_then(|columns| columns.get(edge.label.index())?.as_ref());
                // An edge that was found from its target may have no rank, but only if its label has no
                // properties.
                column.map_or(Cell::Null, |column| Cell::of_owner(column, edge.rank))
            }
        }
    }
}
