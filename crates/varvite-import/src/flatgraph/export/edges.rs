//! Encodes the edges of one label in one direction, and their property.

use varvite::cursor::{Places, Ranks};
use varvite::{Adjacency, EdgeLabelId, Graph, PropertyId};
use varvite_format::{Fault, FormatError};

use super::ExportRun;
use super::error::ExportError;
use super::properties::ValueReader;
use crate::flatgraph::{Direction, EdgeData, EncodedColumn, NodeKind, NodeRef, Values};

/// Reads and encodes one direction of an edge label, with one column for each node kind that has such edges.
pub(super) fn encode_edges(
    export: &ExportRun<'_>,
    label: EdgeLabelId,
    direction: Direction,
) -> Result<Vec<EncodedColumn>, ExportError> {
    let adjacency = export.graph.adjacency(label, in_graph(direction))?;
    let property = EdgeProperty::open(export, label, direction)?;
    let edge_label = &*export.graph.edge_labels()[label.index()].name;
    let encode = |kind: &NodeKind, lists: &KindEdges, values: Option<&Values>| {
        let (quantities, neighbors) = (&*lists.quantities, &*lists.neighbors);
        EncodedColumn::edges(&EdgeData {
            kind,
            edge_label,
            direction,
            quantities,
            neighbors,
            property: values,
        })
    };
    let (mut lists, mut columns) = (KindEdges::default(), Vec::new());
    let (mut kind_without, mut has_values) = (None, false);
    for (kind, nodes) in export.nodes.by_kind() {
        export.task.check()?;
        lists.clear();
        nodes.for_each(|node| lists.push(export, &adjacency, property.as_ref(), node));
        if lists.neighbors.is_empty() {
            kind_without = kind_without.or(Some(kind));
            continue;
        }
        let values =
            property.as_ref().map(|property| property.values(&lists.ranks, direction)).transpose()?;
        let values = values.flatten();
        has_values |= values.is_some();
        columns.push(encode(kind, &lists, values.as_ref())?);
    }
    // A column without edges keeps a label without edges, or a property without values, in the schema of the
    // file.
    let is_told = !columns.is_empty() && has_values == property.is_some();
    if let Some(kind) = kind_without.filter(|_| !is_told) {
        let values = property.as_ref().map(|property| property.reader.no_values()).transpose()?;
        columns.push(encode(kind, &KindEdges::default(), values.as_ref())?);
    }
    Ok(columns)
}

fn in_graph(direction: Direction) -> varvite::Direction {
    match direction {
        Direction::In => varvite::Direction::In,
        Direction::Out => varvite::Direction::Out,
    }
}

/// The edges at the nodes of one kind, in the order of the nodes' numbers within the kind.
#[derive(Default)]
struct KindEdges {
    quantities: Vec<u32>,
    neighbors: Vec<NodeRef>,
    /// The rank of each edge in the out direction; empty if the label has no property.
    ranks: Vec<u32>,
}

impl KindEdges {
    fn clear(&mut self) {
        self.quantities.clear();
        self.neighbors.clear();
        self.ranks.clear();
    }

    /// Adds the edges of the kind's next node; `None` if that node is deleted.
    #[inline]
    fn push(
        &mut self,
        export: &ExportRun<'_>,
        adjacency: &Adjacency,
        property: Option<&EdgeProperty<'_>>,
        node: Option<u32>,
    ) {
        let before = self.neighbors.len();
        if let Some(node) = node {
            let neighbors = adjacency.neighbors(node);
            self.neighbors.extend(neighbors.filter_map(|neighbor| export.nodes.node_ref(neighbor)));
            if let Some(property) = property {
                property.ranks.extend(&mut self.ranks, node);
            }
        }
        self.quantities.push((self.neighbors.len() - before) as u32);
    }
}

/// The property of the edges of one label, read from one direction.
struct EdgeProperty<'e> {
    reader: ValueReader<'e>,
    ranks: EdgeRanks,
}

impl<'e> EdgeProperty<'e> {
    /// Opens the property of an edge label; `None` if the label has none.
    fn open(
        export: &'e ExportRun<'e>,
        label: EdgeLabelId,
        direction: Direction,
    ) -> Result<Option<Self>, ExportError> {
        let graph = export.graph;
        let name = &graph.edge_labels()[label.index()].name;
        let Some(index) = graph.properties().iter().position(|info| info.edge_label.as_ref() == Some(name))
        else {
            return Ok(None);
        };
        let reader = ValueReader::open(export, PropertyId::from_index(index))?;
        reader.check_edge_lists()?;
        Ok(Some(Self { reader, ranks: EdgeRanks::open(graph, label, direction)? }))
    }

    fn values(&self, ranks: &[u32], direction: Direction) -> Result<Option<Values>, ExportError> {
        self.reader.edge_values(ranks, direction)
    }
}

/// Finds the ranks of edges in the out direction. Values of edge properties are stored by rank.
enum EdgeRanks {
    /// The label is unchanged since its columns were written: ranks are consecutive in the out-lists. For the
    /// in direction, `arriving` gives each edge's place in its source's out-list.
    Following { out: OutRanks, arriving: Option<(Adjacency, Places)> },
    /// Edges of the label were changed after the label's columns were written.
    Changed(Ranks),
}

impl EdgeRanks {
    fn open(graph: &Graph, label: EdgeLabelId, direction: Direction) -> Result<Self, ExportError> {
        let name = graph.edge_labels()[label.index()].name.as_str();
        let missing = || {
            let fault = Fault::Missing { what: "column of places, for its property", number: None };
            graph.store().damaged(FormatError::damaged(format!("edge label {name}"), fault))
        };
        let out = graph.adjacency(label, varvite::Direction::Out)?;
        if out.first_rank(0).is_none() && graph.forest_label() != Some(name) {
            return Ok(Self::Changed(graph.ranks(label, in_graph(direction))?.ok_or_else(missing)?));
        }
        let out = OutRanks::of(out, graph.node_count());
        if direction == Direction::Out {
            return Ok(Self::Following { out, arriving: None });
        }
        let in_ = graph.adjacency(label, varvite::Direction::In)?;
        let places = graph.places(label)?.ok_or_else(missing)?;
        Ok(Self::Following { out, arriving: Some((in_, places)) })
    }

    /// Adds the ranks of the edges of a node, in the order of its list. Stops at damage, which is noted in
    /// the cursor.
    #[inline]
    fn extend(&self, ranks: &mut Vec<u32>, node: u32) {
        let (out, arriving) = match self {
            Self::Following { out, arriving } => (out, arriving),
            Self::Changed(changed) => return ranks.extend(changed.of(node).map(|(_, rank)| rank)),
        };
        let Some((in_, places)) = arriving else {
            let first = out.first(node);
            return ranks.extend(first..first.saturating_add(out.adjacency.degree(node) as u32));
        };
        let positions = in_.first_rank(node).unwrap_or(0)..;
        ranks.extend(in_.neighbors(node).zip(positions).map_while(|(source, position)| {
            let place = places.place(position)?;
            out.first(source).checked_add(place)
        }));
    }
}

/// Finds the rank of the first out-edge of each node.
struct OutRanks {
    adjacency: Adjacency,
    /// The rank of each node's first edge, counted by this export if the graph does not store ranks, as for
    /// the forest label of a compact file.
    counted: Option<Vec<u32>>,
}

impl OutRanks {
    fn of(adjacency: Adjacency, nodes: u32) -> Self {
        let is_stored = nodes == 0 || adjacency.first_rank(0).is_some();
        let counted = (!is_stored).then(|| {
            let mut next = 0;
            let first = |node| {
                let first = next;
                next += adjacency.degree(node) as u32;
                first
            };
            (0..nodes).map(first).collect()
        });
        Self { adjacency, counted }
    }

    #[inline]
    fn first(&self, node: u32) -> u32 {
        let first = match &self.counted {
            Some(counted) => counted.get(node as usize).copied(),
            // The cast does not truncate: a label with a property has fewer than 2^32 edges.
            None => self.adjacency.first_rank(node).map(|rank| rank as u32),
        };
        first.unwrap_or(0)
    }
}
