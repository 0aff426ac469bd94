//! [`LayerColumns`]: the columns of a layer, made from the changes to edge labels and properties that the
//! base does not have.
//!
//! An import of the same edges and values would write the same columns, because the rank of an edge is its
//! position in the out-lists, whatever the order in which the diff adds the edges.

use varvite_format::{AdjacencyRow, ColumnId, Keys, Purpose};
use varvite_store::{StoreWriter, Task};

use super::super::change_set::EdgeChanges;
use super::super::encode::encode_values;
use super::super::property_changes::{PropertyChanges, ValueColumns};
use super::super::sorted_ends::SortedLists;
use crate::change_error::ChangeError;
use crate::cursor::adjacency::Direction;
use crate::cursor::value::ValueType;
use crate::error::Result;
use crate::write::Encoder;

/// Writes the columns of a layer, for a graph of `nodes` nodes.
pub(super) struct LayerColumns<'a> {
    pub(super) encoder: &'a Encoder,
    pub(super) writer: &'a mut StoreWriter,
    pub(super) nodes: u32,
}

/// The columns of an edge label.
pub(super) struct LayerEdges {
    pub(super) out: AdjacencyRow,
    pub(super) in_: AdjacencyRow,
    pub(super) places: Option<ColumnId>,
    /// The rank of each edge, in the order in which the edges were added.
    pub(super) ranks: Vec<u32>,
}

impl LayerColumns<'_> {
    /// Writes the edges of a label. If the edges have properties, also writes the column of
    /// [places](Self::places).
    pub(super) fn edges(
        &mut self,
        changed: &EdgeChanges,
        with_places: bool,
        task: &Task<'_>,
    ) -> Result<LayerEdges, ChangeError> {
        let sorted = |direction| SortedLists::of(&changed.ends, direction, None, None, task);
        let (out, in_) = (sorted(Direction::Out)?, sorted(Direction::In)?);
        let mut ranks = vec![0; out.edges.len()];
        out.edges.iter().zip(0..).for_each(|(edge, rank)| ranks[*edge as usize] = rank);
        let places = with_places.then(|| self.places(&out, &in_)).transpose()?;
        Ok(LayerEdges { out: self.lists(&out)?, in_: self.lists(&in_)?, places, ranks })
    }

    fn lists(&mut self, lists: &SortedLists) -> Result<AdjacencyRow, ChangeError> {
        let keys = Keys::Lists { nodes: &lists.owners, offsets: &lists.starts };
        let neighbors = self.encoder.ints(&lists.neighbors, keys, Purpose::HotIds)?;
        Ok(AdjacencyRow {
            nodes: Some(self.set(&lists.owners, self.nodes)?),
            offsets: Some(self.writer.add(self.encoder.offsets(&lists.starts)?)?),
            neighbors: Some(self.writer.add(neighbors)?),
        })
    }

    /// Writes, for each entry of the in-lists, the place of its edge in the out-list of its source.
    fn places(&mut self, out: &SortedLists, in_: &SortedLists) -> Result<ColumnId, ChangeError> {
        let mut places = vec![0; out.edges.len()];
        for list in out.starts.windows(2) {
            let edges = &out.edges[list[0] as usize..list[1] as usize];
            edges.iter().zip(0u32..).for_each(|(edge, place)| places[*edge as usize] = place);
        }
        let places: Vec<u32> = in_.edges.iter().map(|edge| places[*edge as usize]).collect();
        Ok(self.writer.add(self.encoder.numbers(&places)?)?)
    }

    fn set(&mut self, members: &[u32], limit: u32) -> Result<ColumnId, ChangeError> {
        Ok(self.writer.add(self.encoder.members(members, limit)?)?)
    }

    /// Writes the values of a property of nodes.
    pub(super) fn values_of_nodes(
        &mut self,
        changed: &PropertyChanges,
        value_type: ValueType,
    ) -> Result<ValueColumns, ChangeError> {
        let lists: Vec<(u32, &[i64])> = changed.lists().collect();
        self.values(&lists, self.nodes, changed, value_type)
    }

    /// Writes the values of a property of edges. `ranks` has the ranks of the edges, in the order in which
    /// the edges were added.
    pub(super) fn values_of_edges(
        &mut self,
        changed: &PropertyChanges,
        value_type: ValueType,
        ranks: &[u32],
    ) -> Result<ValueColumns, ChangeError> {
        let ranked = changed.lists().map(|(edge, values)| (ranks[edge as usize], values));
        let mut lists: Vec<(u32, &[i64])> = ranked.collect();
        lists.sort_unstable_by_key(|(rank, _)| *rank);
        self.values(&lists, ranks.len() as u32, changed, value_type)
    }

    fn values(
        &mut self,
        lists: &[(u32, &[i64])],
        limit: u32,
        changed: &PropertyChanges,
        value_type: ValueType,
    ) -> Result<ValueColumns, ChangeError> {
        let filled = lists.iter().filter(|(_, values)| !values.is_empty());
        let owners: Vec<u32> = filled.clone().map(|(owner, _)| *owner).collect();
        let mut starts = vec![0u32];
        let (mut values, mut end) = (Vec::with_capacity(changed.values.len()), 0);
        for (_, of_owner) in filled {
            values.extend_from_slice(of_owner);
            end += of_owner.len() as u32;
            starts.push(end);
        }
        let offsets = (owners.len() != values.len()).then(|| self.encoder.offsets(&starts)).transpose()?;
        let is_truth = value_type == ValueType::Bool;
        let (values, strings) = encode_values(&values, changed.texts.as_ref(), is_truth, self.encoder)?;
        Ok(ValueColumns {
            present: self.set(&owners, limit)?,
            offsets: offsets.map(|offsets| self.writer.add(offsets)).transpose()?,
            values: self.writer.add(values)?,
            strings: strings.map(|strings| self.writer.add(strings)).transpose()?,
        })
    }
}
