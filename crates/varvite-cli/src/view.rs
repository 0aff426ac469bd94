//! What the rows of a pipeline are shown as: nodes with what tells most about them, edges with their ends, paths node by
//! node, values and columns as they are.

use varvite::pipeline::{Cell as Found, Column as FoundColumn, Edge, Rows as Batch, Run};
use varvite::{Graph, LabelNodes, Property, ValueType};

use crate::batch::{is_node, is_path, rows_of};
use crate::failure::{Failure, Outcome};
use crate::label_names::EdgeLabels;
use crate::layout::{Field, Layout};
use crate::listing::{Listing, Selection};
use crate::output::{Cell, Column, Format, all_of};
use crate::paths;

/// What names a node of a code property graph.
const NAMES: [&str; 2] = ["NAME", "FULL_NAME"];
/// Where a node is, as properties: for programs, which read them as the graph has them.
const PLACES: [&str; 2] = ["FILENAME", "LINE_NUMBER"];
/// The longest comes last.
const CODE: &str = "CODE";
/// Nodes of a label that are asked whether they have a property.
const SAMPLE: usize = 64;

/// Nodes of one label, with those properties that tell something about them.
pub(crate) fn layout_of_label<'g>(graph: &'g Graph, nodes: &LabelNodes, format: Format) -> Layout<'g> {
    let sample: Vec<u32> = nodes.iter().take(SAMPLE).collect();
    let layout = Layout::new(graph, &[""]).lead_with_field(0, Field::Node);
    show_node(layout.of_sample(sample), format)
}

/// What is shown of nodes of any label.
fn show_node(layout: Layout<'_>, format: Format) -> Layout<'_> {
    match format {
        Format::Table => layout.show_properties(0, &NAMES).show_site(0, format).show_properties(0, &[CODE]),
        _ => {
            let all: Vec<&str> = NAMES.into_iter().chain(PLACES).chain([CODE]).collect();
            layout.show_properties(0, &all).show_site(0, format)
        }
    }
}

/// What the rows of a run are.
pub(crate) enum View {
    Nodes,
    Edges(EdgeView),
    /// Values and rows of columns; one of the columns may say which node a row is about.
    Columns(EdgeLabels, Option<usize>),
    Paths(EdgeLabels),
}

impl View {
    /// Whatever rows of a run are, and the columns that they can have.
    pub(crate) fn of_rows<'g>(
        graph: &'g Graph,
        rows: &Batch<'_>,
        format: Format,
    ) -> Result<(Self, Layout<'g>), Failure> {
        let labels = EdgeLabels::of(graph);
        if rows.nodes().is_some() {
            let layout = Layout::new(graph, &[""]).lead_with_field(0, Field::Node);
            return Ok((Self::Nodes, show_node(layout.lead_with_field(0, Field::Label), format)));
        }
        if rows.edges().is_some() {
            let edges = EdgeView::of(graph, labels)?;
            let layout = edges.layout(graph, format);
            return Ok((Self::Edges(edges), layout));
        }
        if rows.columns().any(|column| is_path(&column)) {
            return Ok((Self::Paths(labels), paths::layout_of_plan(graph, format)));
        }
        let node = rows.columns().position(|column| is_node(&column));
        let mut layout = Layout::new(graph, if node.is_some() { &[""] } else { &[] });
        for column in rows.columns() {
            layout = layout.show_own(title(graph, &column));
        }
        let layout = if node.is_some() { layout.show_site(0, format) } else { layout };
        Ok((Self::Columns(labels, node), layout))
    }

    /// Writes rows of a run to standard output, as they come: its results, or what passes the step `side` of a name.
    pub(crate) fn show(
        &self,
        mut layout: Layout<'_>,
        run: &mut Run,
        side: Option<&str>,
        selection: Selection<'_>,
    ) -> Outcome {
        if let Self::Paths(labels) = self {
            return paths::show_run(labels, layout, run, side, selection);
        }
        let mut listing = Listing::begin(&mut layout, selection)?;
        let mut is_over = false;
        while !is_over && !listing.is_full() {
            is_over = run.next()?.is_none();
            let Some(batch) = rows_of(run, side) else { break };
            for row in 0..batch.len() {
                self.push(&mut listing, &batch, row)?;
            }
        }
        listing.finish()
    }

    fn push(&self, listing: &mut Listing<'_>, batch: &Batch<'_>, row: usize) -> Outcome {
        match self {
            Self::Nodes => {
                let node = batch.nodes().and_then(|nodes| nodes.get(row)).copied();
                listing.push(&[node], |_| Cell::Null)
            }
            Self::Edges(view) => {
                let Some(edge) = batch.edges().and_then(|edges| edges.get(row)) else { return Ok(()) };
                listing.push(&[Some(edge.source), Some(edge.target)], |index| view.cell(edge, index))
            }
            Self::Columns(labels, node) => {
                let node_of = |index| match batch.column(index)?.get(row) {
                    Some(Found::Node(node)) => Some(node),
                    _ => None,
                };
                let nodes = [node.and_then(node_of)];
                let nodes: &[Option<u32>] = if node.is_some() { &nodes } else { &[] };
                listing.push(nodes, |index| {
                    batch.column(index).map_or(Cell::Null, |column| labels.cell(&column, row))
                })
            }
            Self::Paths(_) => Ok(()),
        }
    }
}

fn title(graph: &Graph, column: &FoundColumn<'_>) -> Column {
    let is_text = |value_type| matches!(value_type, ValueType::Bool | ValueType::String | ValueType::Bytes);
    match column.value_type() {
        _ if column.is_list() => Column::text(column.name()),
        Some(value_type) if !is_text(value_type) => Column::number(column.name()),
        None if is_node(column) => Column::node(graph, column.name()),
        _ => Column::text(column.name()),
    }
}

/// Reads edges.
pub(crate) struct EdgeView {
    labels: EdgeLabels,
    /// Names of properties, each with the columns of it by edge label.
    properties: Vec<(String, Vec<Option<Property>>)>,
}

impl EdgeView {
    /// Columns before those of properties: the edge label, and the ids of both ends.
    const LEADING: usize = 3;

    fn of(graph: &Graph, labels: EdgeLabels) -> Result<Self, Failure> {
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
                // An edge that was found from its target may not know its rank; then its label has no properties.
                column.map_or(Cell::Null, |column| all_of(column, edge.rank))
            }
        }
    }
}
