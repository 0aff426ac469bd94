//! [`ChangeRows`]: writes every difference as a row, for programs.

use std::collections::HashSet;
use std::io;

use serde_json::Value as Json;
use varvite::compare::{Beside, DeclaredAs, Difference, EdgeAt, Edit};
use varvite::error::NameKind;
use varvite::{Graph, Property};
use varvite_cpg::SiteCursor;

use super::element::{Elements, open, values_of};
use crate::output::{Column, Format, Rows, begin_rows};

/// Writes differences as rows to standard output.
pub(super) struct ChangeRows<'d> {
    graphs: &'d [Graph; 2],
    difference: &'d Difference<'d>,
    elements: &'d [Elements; 2],
    cursors: [SiteCursor<'d>; 2],
    /// The property from which values were read last, opened in both graphs.
    open: Option<(u32, [Option<Property>; 2])>,
    rows: Rows,
    rows_beside_changes: usize,
}

/// A row of the output. Cells that have no meaning for the kind of change are null.
#[derive(Default)]
struct Row<'r> {
    change: &'static str,
    label: Option<&'r str>,
    property: Option<&'r str>,
    direction: Option<&'static str>,
    /// The nodes, or the sources of the edges, in both graphs.
    nodes: [Option<u32>; 2],
    targets: [Option<u32>; 2],
    ranks: [Option<u32>; 2],
    values: [Json; 2],
    place: (Option<String>, Option<i64>),
}

/// Begins the output of rows with these columns.
pub(super) fn begin(format: Format) -> io::Result<Rows> {
    let text = |name| Column::text(name);
    let number = |name| Column::number(name);
    let columns = vec![
        text("change"),
        text("label"),
        text("property"),
        text("direction"),
        number("first"),
        number("second"),
        number("first_target"),
        number("second_target"),
        number("first_rank"),
        number("second_rank"),
        text("before"),
        text("after"),
        text("file"),
        number("line"),
    ];
    begin_rows(format, columns)
}

impl<'d> ChangeRows<'d> {
    pub(super) fn new(
        graphs: &'d [Graph; 2],
        difference: &'d Difference<'d>,
        elements: &'d [Elements; 2],
        format: Format,
    ) -> io::Result<Self> {
        let mut rows = Self {
            graphs,
            difference,
            elements,
            cursors: [elements[0].cursor(), elements[1].cursor()],
            open: None,
            rows: begin(format)?,
            rows_beside_changes: 0,
        };
        rows.push_names()?;
        Ok(rows)
    }

    /// Whether no rows were written about differences outside nodes, values and edges.
    pub(super) fn has_changes_alone(&self) -> bool {
        self.rows_beside_changes == 0
    }

    pub(super) fn finish(self) -> io::Result<()> {
        self.rows.finish()
    }

    fn push_names(&mut self) -> io::Result<()> {
        for (side, change) in ["label_removed", "label_added"].into_iter().enumerate() {
            for label in only_labels(self.graphs, side) {
                self.push_name(Row { change, label: Some(label), ..Row::default() })?;
            }
        }
        let difference = self.difference;
        for label in difference.edge_labels() {
            if let Some(change) = only_one(label.ids, ["edge_label_removed", "edge_label_added"]) {
                self.push_name(Row { change, label: Some(&label.name), ..Row::default() })?;
            }
        }
        for property in difference.properties() {
            if let Some(change) = only_one(property.ids, ["property_removed", "property_added"]) {
                let (label, property) = (property.edge_label.as_deref(), Some(property.name.as_str()));
                self.push_name(Row { change, label, property, ..Row::default() })?;
            }
        }
        Ok(())
    }

    /// Writes a difference that is not in nodes, values or edges.
    pub(super) fn push_beside(&mut self, beside: &Beside) -> io::Result<()> {
        let of_both = |of: &[String; 2]| of.each_ref().map(|of| Json::from(of.as_str()));
        match beside {
            Beside::RootOrder { nodes } => {
                self.rows_beside_changes += 1;
                self.push_placed(Row { change: "root_order", nodes: nodes.map(Some), ..Row::default() })
            }
            Beside::Numbering => self.push_name(Row { change: "numbering", ..Row::default() }),
            Beside::SourceNumbers { label } => {
                self.push_name(Row { change: "source_numbers", label: Some(label), ..Row::default() })
            }
            Beside::Declaration { kind, name, edge_label, what, of } => {
                let change = match what {
                    DeclaredAs::Layer => "layer",
                    DeclaredAs::Default => "default",
                    DeclaredAs::SourceCount => "source_count",
                    _ => "places",
                };
                let (label, property) = match kind {
                    NameKind::Property | NameKind::EdgeProperty => {
                        (edge_label.as_deref(), Some(name.as_str()))
                    }
                    _ => (Some(name.as_str()), None),
                };
                self.push_name(Row { change, label, property, values: of_both(of), ..Row::default() })
            }
            Beside::Layer { name, side } => {
                let mut values = [Json::Null, Json::Null];
                values[*side] = name.as_str().into();
                let change = ["layer_removed", "layer_added"][*side];
                self.push_name(Row { change, values, ..Row::default() })
            }
            Beside::TreeLabel { of } => {
                let values = of.clone().map(|label| label.map_or(Json::Null, Json::from));
                self.push_name(Row { change: "tree_label", values, ..Row::default() })
            }
            _ => self.push_name(Row { change: "other", ..Row::default() }),
        }
    }

    fn push_name(&mut self, row: Row<'_>) -> io::Result<()> {
        self.rows_beside_changes += 1;
        self.put(row)
    }

    /// Writes a difference of a node, a value or an edge.
    pub(super) fn push(&mut self, change: &Edit) -> io::Result<()> {
        let difference = self.difference;
        let edge_label = |label: u32| Some(difference.edge_labels()[label as usize].name.as_str());
        let row = match *change {
            Edit::NodeRemoved(node) => {
                Row { change: "node_removed", nodes: [Some(node), None], ..Row::default() }
            }
            Edit::NodeAdded(node) => {
                Row { change: "node_added", nodes: [None, Some(node)], ..Row::default() }
            }
            Edit::NodeValue { property, nodes } => {
                let values = self.values(property, nodes);
                let property = Some(difference.properties()[property as usize].name.as_str());
                Row { change: "value", property, nodes: nodes.map(Some), values, ..Row::default() }
            }
            Edit::EdgeRemoved { edge_label: label, edge } => {
                Row { change: "edge_removed", label: edge_label(label), ..of_edges([Some(edge), None]) }
            }
            Edit::EdgeAdded { edge_label: label, edge } => {
                Row { change: "edge_added", label: edge_label(label), ..of_edges([None, Some(edge)]) }
            }
            Edit::EdgeValue { property, edges } => {
                let values = self.values(property, edges.map(|edge| edge.rank));
                let shared = &difference.properties()[property as usize];
                let (label, property) = (shared.edge_label.as_deref(), Some(shared.name.as_str()));
                Row { change: "edge_value", label, property, values, ..of_edges(edges.map(Some)) }
            }
            Edit::Order { edge_label: label, direction, nodes } => Row {
                change: "order",
                label: edge_label(label),
                direction: Some(direction.name()),
                nodes: nodes.map(Some),
                ..Row::default()
            },
        };
        self.push_placed(row)
    }

    /// Writes a row, to which the label and the location of its node are added.
    fn push_placed(&mut self, row: Row<'_>) -> io::Result<()> {
        let side = usize::from(row.nodes[0].is_none());
        let place = row.nodes[side].map(|node| {
            let site = self.cursors[side].at(node);
            (site.file.map(str::to_owned), site.line)
        });
        let place = place.unwrap_or_default();
        let label = row.nodes[side].map(|node| self.elements[side].label(node).to_owned());
        let label = row.label.map(str::to_owned).or(label);
        self.put(Row { place, label: label.as_deref(), ..row })
    }

    /// The values of a property of a node or an edge, in both graphs.
    fn values(&mut self, property: u32, owners: [u32; 2]) -> [Json; 2] {
        if self.open.as_ref().is_none_or(|(known, _)| *known != property) {
            let ids = self.difference.properties()[property as usize].ids;
            self.open = Some((property, [open(&self.graphs[0], ids[0]), open(&self.graphs[1], ids[1])]));
        }
        let values = |side: usize| {
            let property = self.open.as_ref().and_then(|(_, properties)| properties[side].as_ref());
            property.map_or(Json::Null, |property| values_of(property, owners[side]))
        };
        [values(0), values(1)]
    }

    fn put(&mut self, row: Row<'_>) -> io::Result<()> {
        let number = |number: Option<u32>| number.map_or(Json::Null, Json::from);
        let text = |text: Option<&str>| text.map_or(Json::Null, Json::from);
        let [before, after] = row.values;
        let (file, line) = row.place;
        self.rows.push(vec![
            row.change.into(),
            text(row.label),
            text(row.property),
            text(row.direction),
            number(row.nodes[0]),
            number(row.nodes[1]),
            number(row.targets[0]),
            number(row.targets[1]),
            number(row.ranks[0]),
            number(row.ranks[1]),
            before,
            after,
            text(file.as_deref()),
            line.map_or(Json::Null, Json::from),
        ])
    }
}

fn of_edges(edges: [Option<EdgeAt>; 2]) -> Row<'static> {
    Row {
        nodes: edges.map(|edge| edge.map(|edge| edge.source)),
        targets: edges.map(|edge| edge.map(|edge| edge.target)),
        ranks: edges.map(|edge| edge.map(|edge| edge.rank)),
        ..Row::default()
    }
}

/// The node labels of the graph `graphs[side]` that the other graph does not have.
pub(super) fn only_labels(graphs: &[Graph; 2], side: usize) -> impl Iterator<Item = &str> {
    let other: HashSet<&str> = graphs[1 - side].labels().iter().map(|label| label.name.as_str()).collect();
    let names = graphs[side].labels().iter().map(|label| label.name.as_str());
    names.filter(move |name| !other.contains(name))
}

/// The word for an element that only one graph has; `None` if both graphs have it, or neither.
fn only_one<I>(ids: [Option<I>; 2], words: [&'static str; 2]) -> Option<&'static str> {
    match ids {
        [Some(_), None] => Some(words[0]),
        [None, Some(_)] => Some(words[1]),
        _ => None,
    }
}
