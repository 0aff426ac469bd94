//! Writes paths. A table has a row for each node of a path; other formats have a row for each path.

use serde_json::{Map, Value as Json};
use varvite::pipeline::{Cell as Found, ColumnKind, Run};
use varvite::{Direction, Graph};

use crate::batch::rows_of;
use crate::error::{Result, ShowError};
use crate::label_names::EdgeLabels;
use crate::layout::{Field, Layout, NodeCursor, Source};
use crate::listing::{Listing, Selection, Shown};
use crate::output::{Cell, Column, Format, Sink};

/// One node of a path, and the edge that leads to this node.
#[derive(Clone, Copy, Debug)]
pub struct PathNode<'a> {
    /// The number of the path, from 1.
    pub path: u64,
    /// The position of the node in its path, from 0.
    pub step: usize,
    /// The node.
    pub node: u32,
    /// The label of the edge that leads to the node, and the direction in which the path follows the edge.
    /// `None` for the first node.
    pub edge: Option<(&'a str, Direction)>,
}

impl PathNode<'_> {
    /// The layout of paths with a row for each node. In all formats but tables, `direction` is a separate
    /// column.
    pub fn layout<'g>(graph: &'g Graph, format: Format) -> Layout<'g> {
        let layout =
            Layout::new(graph, &[""]).lead_with(Column::number("path")).lead_with(Column::number("step"));
        let layout = layout.lead_with(Column::text("edge"));
        let layout = match format {
            Format::Table => layout,
            _ => layout.lead_with(Column::text("direction")),
        };
        let layout = layout.lead_with_field(0, Field::Node).lead_with_field(0, Field::Label);
        let layout = layout.show_property(0, "NAME", "name");
        match format {
            Format::Table => layout.show_fields(0, &[Field::Location]).show_property(0, "CODE", "code"),
            _ => {
                let layout = layout.show_fields(0, &[Field::File, Field::Line]);
                layout.show_property(0, "CODE", "code").show_fields(0, &[Field::Method])
            }
        }
    }

    /// Writes the row of this node. In tables, the edge is an arrow. The listing must have the layout that
    /// [`PathNode::layout`] returns for this format.
    ///
    /// # Errors
    /// The errors of [`Listing::push`].
    pub fn push(self, listing: &mut Listing<'_>, format: Format) -> Result<()> {
        let edge = match (format, self.edge) {
            (Format::Table, None) => Cell::of_text(Some("")),
            (Format::Table, Some((label, Direction::Out))) => format!("-{label}->").into(),
            (Format::Table, Some((label, Direction::In))) => format!("<-{label}-").into(),
            (_, edge) => Cell::of_text(edge.map(|(label, _)| label)),
        };
        listing.push(&[Some(self.node)], |index| match index {
            0 => self.path.into(),
            1 => self.step.into(),
            2 => edge.clone(),
            _ => Cell::of_text(self.edge.map(|(_, direction)| direction.name())),
        })
    }
}

/// The columns of a plan that ends with paths.
pub(crate) fn layout_of_plan<'g>(graph: &'g Graph, format: Format) -> Layout<'g> {
    match format {
        Format::Table => PathNode::layout(graph, format),
        _ => {
            let layout = Layout::new(graph, &[""]).lead_with_field(0, Field::Node);
            let layout = layout.lead_with_field(0, Field::Label).show_property(0, "NAME", "name");
            layout.show_property(0, "CODE", "code").show_site(0, format)
        }
    }
}

/// Writes the paths of a run.
pub(crate) fn show_run(
    labels: &EdgeLabels,
    layout: Layout<'_>,
    run: &mut Run,
    side: Option<&str>,
    sink: Sink<'_>,
    selection: Selection<'_>,
) -> Result<Shown> {
    if !selection.order_by.is_empty() {
        return Err(ShowError::SortedPaths);
    }
    match selection.format {
        Format::Table => show_nodes(labels, layout, run, side, sink, selection),
        _ => show_documents(labels, layout, run, side, sink, selection),
    }
}

/// Calls `visit` for each path, with the path's number and its nodes and edges.
fn each_path(
    run: &mut Run,
    side: Option<&str>,
    limit: Option<u64>,
    mut visit: impl FnMut(u64, &[Found<'_>]) -> Result<()>,
) -> Result<()> {
    let (limit, mut number, mut is_over) = (limit.unwrap_or(u64::MAX), 0, false);
    while !is_over && number < limit {
        is_over = run.next()?.is_none();
        let Some(batch) = rows_of(run, side) else { break };
        let Some(column) = batch.columns().find(|column| column.kind() == ColumnKind::Element) else { break };
        for row in 0..batch.len() {
            if number == limit {
                break;
            }
            number += 1;
            visit(number, &column.list(row).collect::<Vec<_>>())?;
        }
    }
    Ok(())
}

/// Writes a row for each node of each path.
fn show_nodes(
    labels: &EdgeLabels,
    mut layout: Layout<'_>,
    run: &mut Run,
    side: Option<&str>,
    sink: Sink<'_>,
    selection: Selection<'_>,
) -> Result<Shown> {
    let mut listing = Listing::begin(sink, &mut layout, Selection { limit: None, ..selection })?;
    each_path(run, side, selection.limit, |path, elements| {
        let (mut edge, mut step) = (None, 0);
        let mut last = None;
        for element in elements {
            match element {
                Found::Edge(found) => {
                    let direction = if last == Some(found.target) && last != Some(found.source) {
                        Direction::In
                    } else {
                        Direction::Out
                    };
                    edge = Some((labels.name(found.label), direction));
                }
                Found::Node(node) => {
                    PathNode { path, step, node: *node, edge }.push(&mut listing, selection.format)?;
                    (edge, last, step) = (None, Some(*node), step + 1);
                }
                _ => {}
            }
        }
        Ok(())
    })?;
    listing.finish()
}

/// Writes a row for each path: its node ids and edges, and the cells of its nodes.
fn show_documents(
    labels: &EdgeLabels,
    mut layout: Layout<'_>,
    run: &mut Run,
    side: Option<&str>,
    sink: Sink<'_>,
    selection: Selection<'_>,
) -> Result<Shown> {
    if selection.has_root {
        layout.with_root()?;
    }
    let shown = layout.chosen(selection.columns)?;
    let titles: Vec<String> = layout.columns(&shown).iter().map(|column| column.name().to_owned()).collect();
    let mut cursors = layout.cursors();
    let mut of_rows = Layout::new(layout.graph(), &[]);
    for name in ["path", "nodes"] {
        of_rows = of_rows.lead_with(Column::text(name));
    }
    let mut listing =
        Listing::begin(sink, &mut of_rows, Selection { columns: &[], has_root: false, ..selection })?;
    each_path(run, side, selection.limit, |_, elements| {
        let nodes = elements.iter().filter_map(|element| match element {
            Found::Node(node) => Some(*node),
            _ => None,
        });
        let nodes: Json = nodes.map(|node| document(&titles, &shown, &mut cursors[0], node)).collect();
        let path: Json = elements.iter().map(|element| labels.json(element)).collect();
        listing.push(&[], |index| if index == 0 { (&path).into() } else { (&nodes).into() })
    })?;
    listing.finish()
}

/// The shown values of one node, as a JSON object.
fn document(titles: &[String], shown: &[Source], cursor: &mut NodeCursor<'_>, node: u32) -> Json {
    let fields = titles.iter().zip(shown);
    let fields = fields.map(|(title, source)| (title.clone(), cursor.read(node, *source).to_json()));
    Json::Object(fields.collect::<Map<_, _>>())
}
