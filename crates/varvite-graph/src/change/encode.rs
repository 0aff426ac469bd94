//! Encodes a [`ChangeSet`] as columns of a file, and as the directory rows that name these columns.
//!
//! Equal change sets give equal columns, unless columns are reused from memory ([`KeptColumns`]). Texts that
//! are no longer used by any value are left out; the other texts are numbered in the order of their first
//! use.

use varvite_format::{
    AdjacencyRow, Changes, ColumnId, Directory, EdgeChangeRow, EdgeLabelId, Keys, Owner, PropertyChangeRow,
    PropertyId, Purpose,
};
use varvite_store::{PreparedColumn, StoreWriter, Task};

use super::change_set::{ChangeSet, EdgeChanges};
use super::kept_columns::{KeptColumns, share};
use super::large_lists::{LARGE, write_large_lists};
use super::large_values::{write_large_owners, write_large_values};
use super::number_set::NumberSet;
use super::property_changes::{NewTexts, PropertyChanges, ValueColumns, used_texts};
use super::sorted_ends::SortedLists;
use super::sorted_values::SortedValues;
use crate::change_error::ChangeError;
use crate::cursor::adjacency::Direction;
use crate::cursor::value::ValueType;
use crate::error::Result;
use crate::write::Encoder;

/// Writes the columns of `changes` to a graph with this directory, and returns the rows that name them.
/// Columns that are `kept` in memory are shared instead of encoded again.
pub(super) fn encode(
    changes: &ChangeSet,
    directory: &Directory,
    encoder: &Encoder,
    writer: &mut StoreWriter,
    kept: Option<&KeptColumns<'_>>,
    task: &Task<'_>,
) -> Result<Changes, ChangeError> {
    let mut encoding = Encoding { changes, directory, encoder, writer, kept, task };
    let codes = (!changes.codes.is_empty()).then(|| encoding.codes()).transpose()?;
    let removed = encoding.removed()?;
    encoding.writer.close_piece()?;
    let changed_properties = changes.changed_properties();
    let total = changes.edges.len() + changed_properties.len();
    let mut edges = Vec::with_capacity(changes.edges.len());
    for (done, (label, changed)) in (1..).zip(&changes.edges) {
        task.check()?;
        edges.push(encoding.edges(*label, changed)?);
        encoding.writer.close_piece()?;
        task.step(directory.names.get(directory.edge_labels[label.index()].name), done, total);
    }
    let mut properties = Vec::with_capacity(changed_properties.len());
    for (done, property) in (edges.len() + 1..).zip(changed_properties) {
        task.check()?;
        let kept = encoding.kept_property(property)?;
        let (sorted, changed) = (changes.sorted.get(&property), changes.properties.get(&property));
        properties.push(match (kept, sorted, changed) {
            (Some(row), _, _) => row,
            (None, Some(sorted), _) if sorted.is_large() => encoding.large_property(property, sorted)?,
            (None, Some(sorted), _) => encoding.property(property, &sorted.load()?)?,
            (None, None, Some(changed)) if changed.is_large() => {
                encoding.large_property(property, &SortedValues::of(changed)?)?
            }
            (None, None, Some(changed)) => encoding.property(property, changed)?,
            (None, None, None) => continue,
        });
        encoding.writer.close_piece()?;
        task.step(directory.names.get(directory.properties[property.index()].name), done, total);
    }
    Ok(Changes { base_nodes: changes.base_nodes, codes, removed, edges, properties })
}

struct Encoding<'a> {
    changes: &'a ChangeSet,
    directory: &'a Directory,
    encoder: &'a Encoder,
    writer: &'a mut StoreWriter,
    kept: Option<&'a KeptColumns<'a>>,
    task: &'a Task<'a>,
}

impl Encoding<'_> {
    fn codes(&mut self) -> Result<ColumnId, ChangeError> {
        if let Some((kept, column)) = self.kept.and_then(|kept| Some((kept, kept.codes(self.changes)?))) {
            return Ok(self.writer.share(kept.store, column)?);
        }
        self.changes.codes.write(self.encoder, self.writer)
    }

    /// Writes the set of removed nodes; returns `None` if no node was removed.
    fn removed(&mut self) -> Result<Option<ColumnId>, ChangeError> {
        if let Some((kept, column)) = self.kept.and_then(|kept| Some((kept, kept.removed(self.changes)?))) {
            return Ok(Some(self.writer.share(kept.store, column)?));
        }
        self.set_of_any(&self.changes.removed, self.changes.nodes())
    }

    /// The columns in memory that have the changes of a property, if these changes are the same as when the
    /// columns were written.
    fn kept_property(&mut self, property: PropertyId) -> Result<Option<PropertyChangeRow>, ChangeError> {
        let Some(kept) = self.kept else { return Ok(None) };
        let owner = self.directory.properties[property.index()].owner;
        let row = kept.property(property, owner, self.changes, self.owner_limit(property));
        let Some(mut row) = row else { return Ok(None) };
        share(row.columns_mut(), kept.store, self.writer)?;
        Ok(Some(row))
    }

    fn set(&mut self, members: &[u32], limit: u32) -> Result<ColumnId, ChangeError> {
        Ok(self.writer.add(self.encoder.members(members, limit)?)?)
    }

    /// Writes a set; returns `None` for an empty set.
    fn set_of_any(&mut self, members: &NumberSet, limit: u32) -> Result<Option<ColumnId>, ChangeError> {
        if members.is_empty() {
            return Ok(None);
        }
        Ok(Some(match members.as_list() {
            Some(list) => self.set(list, limit)?,
            None => self.writer.add(self.encoder.bitmap(&members.to_bitmap(limit), limit)?)?,
        }))
    }

    fn edges(
        &mut self,
        edge_label: EdgeLabelId,
        changed: &EdgeChanges,
    ) -> Result<EdgeChangeRow, ChangeError> {
        if let Some(kept) = self.kept
            && let Some(mut row) = kept.edges(edge_label, changed, self.changes)
        {
            share(row.columns_mut(), kept.store, self.writer)?;
            return Ok(row);
        }
        let (out, out_ranks) = self.lists(changed, Direction::Out)?;
        let (in_, in_ranks) = self.lists(changed, Direction::In)?;
        Ok(EdgeChangeRow {
            edge_label,
            appended: changed.ends.len().into(),
            out,
            out_ranks,
            in_,
            in_ranks,
            removed: self.set_of_any(&changed.removed, changed.end())?,
            removed_in: self.set_of_any(&changed.removed_in, changed.first)?,
        })
    }

    /// Writes the lists of one direction, and the ranks of their entries. Within a list, edges are in the
    /// order in which they were added.
    fn lists(
        &mut self,
        changed: &EdgeChanges,
        direction: Direction,
    ) -> Result<(AdjacencyRow, Option<ColumnId>), ChangeError> {
        let ends = &changed.ends;
        let (scratch, nodes) = (self.changes.scratch.as_ref(), self.changes.nodes());
        if ends.len() >= LARGE {
            return write_large_lists(ends, direction, nodes, scratch, self.encoder, self.writer, self.task);
        }
        let sorted = changed.sorted.entries(direction, ends.len());
        let lists = SortedLists::of(ends, direction, sorted, scratch, self.task)?;
        let SortedLists { owners, starts, neighbors, edges } = &lists;
        let keys = Keys::Lists { nodes: owners, offsets: starts };
        let neighbors = self.writer.add(self.encoder.ints(neighbors, keys, Purpose::HotIds)?)?;
        let is_ranked = edges.iter().zip(0..).all(|(edge, position)| *edge == position);
        let ranks = (!is_ranked).then(|| self.encoder.ints(edges, Keys::None, Purpose::Numbers));
        let ranks = ranks.transpose()?.map(|ranks| self.writer.add(ranks)).transpose()?;
        let row = AdjacencyRow {
            nodes: Some(self.set(owners, nodes)?),
            offsets: Some(self.writer.add(self.encoder.offsets(starts)?)?),
            neighbors: Some(neighbors),
        };
        Ok((row, ranks))
    }

    fn property(
        &mut self,
        property: PropertyId,
        changed: &PropertyChanges,
    ) -> Result<PropertyChangeRow, ChangeError> {
        let limit = self.owner_limit(property);
        let present: Vec<u32> =
            changed.lists().filter(|(_, values)| !values.is_empty()).map(|(owner, _)| owner).collect();
        let has_lists = present.len() != changed.values.len();
        let mut starts = vec![0u32];
        let filled = changed.lists().filter(|(_, values)| !values.is_empty());
        starts.extend(filled.scan(0, |end, (_, values)| {
            *end += values.len() as u32;
            Some(*end)
        }));
        let value_type = self.directory.properties[property.index()].value_type;
        let is_truth = value_type == ValueType::Bool as u8;
        let (values, strings) =
            encode_values(&changed.values, changed.texts.as_ref(), is_truth, self.encoder)?;
        let values = self.writer.add(values)?;
        let strings = strings.map(|strings| self.writer.add(strings)).transpose()?;
        Ok(PropertyChangeRow {
            property,
            owners: self.set(&changed.owners, limit)?,
            present: self.set(&present, limit)?,
            offsets: has_lists
                .then(|| self.encoder.offsets(&starts))
                .transpose()?
                .map(|offsets| self.writer.add(offsets))
                .transpose()?,
            values,
            strings,
        })
    }

    fn large_property(
        &mut self,
        property: PropertyId,
        sorted: &SortedValues,
    ) -> Result<PropertyChangeRow, ChangeError> {
        let (limit, scratch) = (self.owner_limit(property), self.changes.scratch.as_ref());
        let owners = write_large_owners(sorted, limit, self.encoder, self.writer)?;
        let columns = write_large_values(sorted, limit, scratch, self.encoder, self.writer, self.task)?;
        let ValueColumns { present, offsets, values, strings } = columns;
        Ok(PropertyChangeRow { property, owners, present, offsets, values, strings })
    }

    /// The exclusive upper limit of the owners of a property.
    fn owner_limit(&self, property: PropertyId) -> u32 {
        match self.directory.properties[property.index()].owner {
            Owner::Node => self.changes.nodes(),
            Owner::Edge(label) => match self.changes.edges.get(&label) {
                Some(changed) => changed.end(),
                None => self.directory.edge_labels[label.index()].edges as u32,
            },
        }
    }
}

/// Encodes values, and the texts among them that the base does not have.
pub(super) fn encode_values(
    values: &[i64],
    texts: Option<&NewTexts>,
    is_truth: bool,
    encoder: &Encoder,
) -> Result<(PreparedColumn, Option<PreparedColumn>), ChangeError> {
    let Some(texts) = texts else {
        let purpose = if is_truth { Purpose::Truth } else { Purpose::Numbers };
        return Ok((encoder.ints(values, Keys::None, purpose)?, None));
    };
    let (codes, used) = used_texts(values, texts);
    let starts: Vec<u32> = std::iter::once(0).chain(used.ends.iter().copied()).collect();
    let codes = encoder.ints(&codes, Keys::None, Purpose::Numbers)?;
    Ok((codes, Some(encoder.texts(&used.pool, &starts)?)))
}
