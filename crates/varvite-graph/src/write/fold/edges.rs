//! Writes the edges of one label and their properties, as a part of a fold.

use varvite_format::{AdjacencyRow, EdgeLabelId, Encoding, Fault, FormatError, Owner, PropertyId};

use super::Fold;
use super::renumbering::too_many_edges;
use crate::change_error::ChangeError;
use crate::cursor::adjacency::Direction;
use crate::cursor::columns::{adjacency_name, edge_label_name};
use crate::error::{GraphError, Result};
use crate::write::order::subtree_sizes;
use crate::write::seen::EdgesSeen;
use crate::write::{Heat, ListsInput, PreparedEdges, check_claim, pair_places};

/// The lists of one direction, in the order of new node ids.
struct Lists {
    offsets: Vec<u32>,
    neighbors: Vec<u32>,
}

impl Lists {
    fn input(&self) -> ListsInput<'_> {
        ListsInput { offsets: &self.offsets, neighbors: &self.neighbors }
    }
}

impl Fold<'_> {
    pub(super) fn edges(&self, label: EdgeLabelId) -> Result<PreparedEdges, ChangeError> {
        let graph = self.graph;
        let (info, row) =
            (&graph.edge_labels()[label.index()], &graph.store().directory().edge_labels[label.index()]);
        if info.edges > u64::from(u32::MAX) {
            return Err(too_many_edges(info.edges));
        }
        check_claim(graph, info.edges)?;
        let of_label: Vec<PropertyId> = graph
            .property_ids()
            .filter(|id| graph.store().directory().properties[id.index()].owner == Owner::Edge(label))
            .collect();
        let with_ranks = !of_label.is_empty() || self.told.is_some();
        let (out, ranks) = self.lists(label, Direction::Out, with_ranks)?;
        let (in_, _) = self.lists(label, Direction::In, false)?;
        let is_tree = graph.tree_label() == Some(info.name.as_str());
        let sizes = if is_tree { subtree_sizes(&out.offsets, &out.neighbors) } else { None };
        // A forest has no lists. Properties of edges are stored by the rank of the edge in the lists, so
        // edges with values need lists.
        let forest = sizes.filter(|_| of_label.is_empty());
        // For other labels, the writer compares the lists of both directions. For a forest it gets no lists,
        // so they are compared here.
        if forest.is_some() && EdgesSeen::of(out.input())?.leaving != EdgesSeen::of(in_.input())?.arriving {
            let first = pair_places(out.input(), in_.input()).err().map_or(0, |error| error.node());
            return Err(self.contradiction(label, first).into());
        }
        self.tell_edges(label, &out.neighbors, &ranks, forest.is_some())?;
        let (out_heat, in_heat) = (self.heat(row.out), self.heat(row.in_));
        let encode = |lists: &Lists, heat| self.encoder.adjacency(lists.input(), heat);
        let is_listed = forest.is_none();
        let mut properties = Vec::with_capacity(of_label.len());
        let mut places = None;
        if !of_label.is_empty() || row.places.is_some() {
            let paired = pair_places(out.input(), in_.input())
                .map_err(|error| self.contradiction(label, error.node()))?;
            places = Some(self.encoder.places(in_.input(), &paired)?);
        }
        for property in of_label {
            properties.push(self.property_of(property, &ranks)?);
        }
        Ok(PreparedEdges {
            count: out.neighbors.len() as u64,
            is_tree,
            out: is_listed.then(|| encode(&out, out_heat)).transpose()?,
            in_: is_listed.then(|| encode(&in_, in_heat)).transpose()?,
            places,
            forest: forest.map(|sizes| self.encoder.forest(&sizes)).transpose()?,
            properties,
        })
    }

    /// The lists of one direction. If `with_ranks` is true, also the old rank of the edge of each entry, in
    /// the order of the entries.
    fn lists(
        &self,
        label: EdgeLabelId,
        direction: Direction,
        with_ranks: bool,
    ) -> Result<(Lists, Vec<u32>), ChangeError> {
        let adjacency = self.graph.adjacency(label, direction)?;
        let of_edges = if with_ranks { self.graph.ranks(label, direction)? } else { None };
        let old_nodes = self.renumbering.old_of_new();
        let mut offsets = Vec::with_capacity(old_nodes.len() + 1);
        let (mut neighbors, mut ranks) = (Vec::with_capacity(adjacency.edge_count() as usize), Vec::new());
        for old in old_nodes {
            offsets.push(neighbors.len() as u32);
            let first = neighbors.len();
            adjacency.append(*old, &mut neighbors);
            for neighbor in &mut neighbors[first..] {
                *neighbor =
                    self.renumbering.new_id(*neighbor).ok_or_else(|| self.contradiction(label, *old))?;
            }
            if let Some(of_edges) = &of_edges {
                ranks.extend(of_edges.of(*old).map(|(_, rank)| rank));
            }
        }
        offsets.push(neighbors.len() as u32);
        // If the number of entries differs from the count in the directory, the file is damaged.
        if neighbors.len() as u64 != adjacency.edge_count() {
            let (expected, found) = (adjacency.edge_count(), neighbors.len() as u64);
            let part = adjacency_name(self.graph.store().directory(), label, direction);
            let fault = Fault::Count { what: "edges", expected, found };
            return Err(self.graph.store().damaged(FormatError::damaged(part, fault)).into());
        }
        Ok((Lists { offsets, neighbors }, ranks))
    }

    /// How often readers follow the label, as shown by the encodings that the old file chose for its lists.
    fn heat(&self, row: AdjacencyRow) -> Heat {
        let columns = &self.graph.store().directory().columns;
        let encoding = |column: Option<varvite_format::ColumnId>| {
            column.and_then(|column| columns.get(column.index())).map(|row| row.encoding)
        };
        let is_hot =
            encoding(row.nodes) == Some(Encoding::AllSet) || encoding(row.neighbors) == Some(Encoding::Plain);
        if is_hot { Heat::Hot } else { Heat::Cold }
    }

    pub(super) fn contradiction(&self, label: EdgeLabelId, node: u32) -> GraphError {
        let store = self.graph.store();
        let part = edge_label_name(store.directory(), label);
        store.damaged(FormatError::damaged(part, Fault::Impossible { owner: node })).into()
    }
}
