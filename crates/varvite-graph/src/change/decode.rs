//! Decoding of the changes of an open graph: from the columns named in its directory to a [`ChangeSet`].
//!
//! Decoding checks every number against its limit, because no later step reads all numbers, and a commit must
//! not copy an invalid number into the file.

use std::sync::Arc;

use varvite_format::{
    AdjacencyRow, Changes, ColumnId, EdgeChangeRow, Fault, Ints, NodeSet, Owner, PropertyChangeRow, Strings,
};
use varvite_store::{Pinned, Scratch};

use super::base::{BaseLists, Reader};
use super::by_rank::ByRank;
use super::change_set::{ChangeSet, EdgeChanges};
use super::codes::Codes;
use super::decode_values::{next_end, read_large};
use super::ends::Ends;
use super::number_set::{Collected, NumberSet};
use super::property_changes::{NULL, NewTexts, PropertyChanges};
use super::removal::first_appended;
use super::sorted_values::{LARGE, TEXTS_LARGE};
use crate::cursor::bounds::Bounds;
use crate::cursor::texts::Texts;
use crate::cursor::value::ValueType;
use crate::error::Result;
use crate::graph::Graph;

const PART: &str = "changes";
/// The number of label set codes that are read at once.
const PART_LEN: usize = 1 << 12;

/// The changes of a graph; an empty set if the graph has no section of changes.
///
/// # Errors
/// Damage of the file.
pub(super) fn decode(graph: &Graph) -> Result<ChangeSet> {
    decode_within(graph, None)
}

/// The same as [`decode`], but data that does not fit in memory goes to the temporary file of `scratch`.
///
/// # Errors
/// Damage; an error of the file system.
pub(super) fn decode_within(graph: &Graph, scratch: Option<&Arc<Scratch>>) -> Result<ChangeSet> {
    let mut changes = decode_structure(graph, scratch)?;
    let directory = graph.store().directory();
    let Some(rows) = &directory.changes else { return Ok(changes) };
    let decoding = Decoding { reader: Reader { graph }, nodes: directory.nodes, rows };
    for row in &rows.properties {
        let limit = decoding.owner_limit(row, &changes)?;
        if scratch.is_some() && decoding.is_large(row) {
            let runs = read_large(decoding.reader, row, limit, scratch)?;
            changes.runs.insert(row.property, runs);
        } else {
            let values = decoding.property(row, limit)?;
            changes.properties.insert(row.property, values);
        }
        changes.make_room()?;
    }
    Ok(changes)
}

/// The changes of nodes and edges, without the changes of values.
///
/// # Errors
/// Damage; an error of the file system.
pub(super) fn decode_structure(graph: &Graph, scratch: Option<&Arc<Scratch>>) -> Result<ChangeSet> {
    let directory = graph.store().directory();
    let base_nodes = directory.base_nodes();
    let codes = Codes::new(scratch);
    let mut changes = ChangeSet { base_nodes, codes, scratch: scratch.cloned(), ..ChangeSet::default() };
    let Some(rows) = &directory.changes else { return Ok(changes) };
    // Most callers encode the decoded changes again, together with new changes.
    graph.store().check_columns(rows.columns())?;
    let decoding = Decoding { reader: Reader { graph }, nodes: directory.nodes, rows };
    changes.codes = decoding.codes(scratch)?;
    changes.removed = decoding.number_set(rows.removed, directory.nodes)?;
    for row in &rows.edges {
        let edges = decoding.edges(row, &changes)?;
        changes.edges.insert(row.edge_label, edges);
    }
    Ok(changes)
}

/// The lists of a label's appended edges, and for each entry the rank of its edge.
struct RankedLists {
    lists: BaseLists,
    /// `None` if the rank of each entry is its position.
    ranks: Option<Ints<Pinned>>,
    appended: u32,
}

struct Decoding<'a> {
    reader: Reader<'a>,
    nodes: u32,
    rows: &'a Changes,
}

impl Decoding<'_> {
    /// The error for an invalid number.
    fn impossible(&self, owner: u32) -> crate::GraphError {
        self.reader.impossible(PART, owner)
    }

    /// Checks a count before memory is reserved for it: a file of this size can't hold more numbers.
    fn check_claim(&self, count: usize) -> Result<()> {
        crate::write::check_claim(self.reader.graph, count as u64)
    }

    fn codes(&self, scratch: Option<&Arc<Scratch>>) -> Result<Codes> {
        let appended = (self.nodes - self.rows.base_nodes) as usize;
        let mut decoded = Codes::new(scratch);
        if appended == 0 && self.rows.codes.is_none() {
            return Ok(decoded);
        }
        let codes = self.reader.graph.ints(self.rows.codes, PART, appended)?;
        let directory = self.reader.graph.store().directory();
        let sets = (directory.label_sets.len() / directory.mask_words()) as i64;
        self.check_claim(codes.len())?;
        let mut part = vec![0; appended.min(PART_LEN)];
        for first in (0..appended).step_by(PART_LEN) {
            let part = &mut part[..(appended - first).min(PART_LEN)];
            codes.read(first, 0, part).ok_or_else(|| self.impossible(0))?;
            for code in part.iter() {
                let code = Some(*code).filter(|code| (0..sets).contains(code));
                decoded.push(code.ok_or_else(|| self.impossible(0))? as u32)?;
            }
        }
        Ok(decoded)
    }

    /// All values of a column whose encoding needs no keys.
    fn numbers(&self, ints: &Ints<Pinned>) -> Result<Vec<i64>> {
        self.check_claim(ints.len())?;
        let mut numbers = vec![0; ints.len()];
        ints.read(0, 0, &mut numbers).ok_or_else(|| self.impossible(0))?;
        Ok(numbers)
    }

    /// The members of a set, in the compact form of a [`NumberSet`].
    fn number_set(&self, column: Option<ColumnId>, limit: u32) -> Result<NumberSet> {
        let Some(column) = column else { return Ok(NumberSet::default()) };
        let set: NodeSet<Pinned> = NodeSet::open(self.reader.graph.store(), column, limit)?;
        self.check_claim(set.len() as usize)?;
        let (mut members, mut count, mut last) = (Collected::default(), 0, None);
        for member in set.iter() {
            if last.replace(member).is_some_and(|last| last >= member) {
                return Err(self.impossible(0));
            }
            members.push(member);
            count += 1;
        }
        (count == set.len()).then(|| members.finish()).ok_or_else(|| self.impossible(0))
    }

    /// The members of a set, in ascending order.
    fn set(&self, column: Option<ColumnId>, limit: u32) -> Result<Vec<u32>> {
        let Some(column) = column else { return Ok(Vec::new()) };
        let set: NodeSet<Pinned> = NodeSet::open(self.reader.graph.store(), column, limit)?;
        self.check_claim(set.len() as usize)?;
        let members: Vec<u32> = set.iter().collect();
        let rise = members.is_sorted_by(|one, next| one < next) && members.len() == set.len() as usize;
        rise.then_some(members).ok_or_else(|| self.impossible(0))
    }

    fn edges(&self, row: &EdgeChangeRow, changes: &ChangeSet) -> Result<EdgeChanges> {
        let first = first_appended(row.edge_label, changes, self.reader)?;
        let room = u64::from(u32::MAX - first);
        let appended = u32::try_from(row.appended).ok().filter(|appended| u64::from(*appended) < room);
        let appended = appended.ok_or_else(|| {
            let fault = Fault::TooMany { what: "appended edges", most: room, found: row.appended };
            self.reader.graph.damaged(PART, fault)
        })?;
        let scratch = changes.scratch.as_ref();
        Ok(EdgeChanges {
            first,
            ends: self.out_lists(row.out, row.out_ranks, appended, scratch)?,
            removed: self.number_set(row.removed, first + appended)?,
            removed_in: self.number_set(row.removed_in, first)?,
            ..EdgeChanges::default()
        })
    }

    /// The source and target of each appended edge, read from the out-lists.
    fn out_lists(
        &self,
        side: AdjacencyRow,
        ranks: Option<ColumnId>,
        appended: u32,
        scratch: Option<&Arc<Scratch>>,
    ) -> Result<Ends> {
        let mut ends = Ends::new(scratch);
        if appended == 0 && side.nodes.is_none() {
            return Ok(ends);
        }
        let lists: BaseLists = self.reader.lists(side, appended.into(), self.nodes)?;
        self.check_claim(appended as usize)?;
        let ranks =
            ranks.map(|ranks| self.reader.graph.ints(Some(ranks), PART, appended as usize)).transpose()?;
        let ranked = RankedLists { lists, ranks, appended };
        let mut by_rank = ByRank::new(appended, scratch);
        self.for_each_edge(&ranked, |rank, edge| by_rank.push(rank, edge))?;
        let missing = by_rank.for_each(|source, target| ends.push(source, target))?;
        missing.map_or(Ok(ends), |rank| Err(self.impossible(rank)))
    }

    /// Calls `visit` with the rank, source and target of each appended edge, in the order of the out-lists.
    fn for_each_edge(
        &self,
        ranked: &RankedLists,
        mut visit: impl FnMut(u32, (u32, u32)) -> Result<()>,
    ) -> Result<()> {
        let RankedLists { lists, ranks, appended } = ranked;
        let mut left = *appended;
        for source in lists.owners() {
            let impossible = || self.impossible(source);
            for position in lists.range(source).ok_or_else(impossible)? {
                let rank = match ranks {
                    None => position as u32,
                    Some(ranks) => ranks.get_u32(position, 0).ok_or_else(impossible)?,
                };
                let target = lists.neighbor(position, source).ok_or_else(impossible)?;
                // If lists overlap, they have more entries in total than there are edges, which is damage.
                left = left.checked_sub(1).filter(|_| rank < *appended).ok_or_else(impossible)?;
                visit(rank, (source, target))?;
            }
        }
        Ok(())
    }

    /// The exclusive upper limit of the owners of a property.
    fn owner_limit(&self, row: &PropertyChangeRow, changes: &ChangeSet) -> Result<u32> {
        let property = self.reader.graph.store().directory().properties[row.property.index()];
        match property.owner {
            Owner::Node => Ok(self.nodes),
            Owner::Edge(label) => match changes.edges.get(&label) {
                Some(changed) => Ok(changed.end()),
                None => first_appended(label, changes, self.reader),
            },
        }
    }

    /// Whether the values of a property may not fit in memory. This is decided from their counts, before they
    /// are read.
    fn is_large(&self, row: &PropertyChangeRow) -> bool {
        let directory = self.reader.graph.store().directory();
        let count = |column: ColumnId| directory.columns.get(column.index()).map_or(0, |row| row.count);
        let bytes = |column: ColumnId| {
            let segments = directory.columns.get(column.index()).into_iter().flat_map(|row| row.segments);
            let rows = segments.flatten().filter_map(|segment| directory.segments.get(segment.index()));
            rows.map(|segment| segment.plain_len).sum::<u64>()
        };
        let most = count(row.owners).max(count(row.values)).max(row.strings.map_or(0, count));
        most >= LARGE.into() || row.strings.map_or(0, bytes) >= TEXTS_LARGE
    }

    fn property(&self, row: &PropertyChangeRow, limit: u32) -> Result<PropertyChanges> {
        let store = self.reader.graph.store();
        let property = store.directory().properties[row.property.index()];
        let owners = self.set(Some(row.owners), limit)?;
        let present = self.set(Some(row.present), limit)?;
        let ends = self.ends(row.offsets, &owners, &present)?;
        let values: Ints<Pinned> = Ints::open(store, row.values)?;
        self.reader.graph.check_count(
            PART,
            "values",
            ends.last().map_or(0, |end| *end as usize),
            values.len(),
        )?;
        let mut values = self.numbers(&values)?;
        let texts = row.strings.map(|strings| self.texts(row, strings)).transpose()?;
        let value_type = ValueType::from_number(property.value_type);
        let count = texts.as_ref().map_or(0, |texts| texts.base + texts.len());
        if let Some(value_type) = value_type {
            let bounds = Bounds::of(value_type, self.nodes, count);
            if !bounds.allow_all(&values) {
                return Err(self.impossible(0));
            }
            if value_type.is_text() {
                values.iter_mut().filter(|value| bounds.is_null(**value)).for_each(|value| *value = NULL);
            }
        }
        Ok(PropertyChanges { owners, ends, values, texts })
    }

    /// For each owner, the end of its values in the column of values.
    fn ends(&self, offsets: Option<ColumnId>, owners: &[u32], present: &[u32]) -> Result<Vec<u32>> {
        let offsets: Option<Ints<Pinned>> = offsets
            .map(|column| self.reader.graph.ints(Some(column), PART, present.len() + 1))
            .transpose()?;
        let mut ends = Vec::with_capacity(owners.len());
        let (mut rank, mut end) = (0, 0u32);
        for owner in owners {
            if present.get(rank) == Some(owner) {
                let next = next_end(offsets.as_ref(), rank, end as usize, u32::MAX as usize);
                (rank, end) = (rank + 1, next.ok_or_else(|| self.impossible(*owner))? as u32);
            }
            ends.push(end);
        }
        // Damage: this owner has values in the changes, but is not among the changed owners.
        if let Some(owner) = present.get(rank) {
            return Err(self.impossible(*owner));
        }
        Ok(ends)
    }

    fn texts(&self, row: &PropertyChangeRow, column: ColumnId) -> Result<NewTexts> {
        let store = self.reader.graph.store();
        let strings: Strings<Pinned> = Strings::open(store, column)?;
        let allowance = Texts::allowance_of(store.file_len());
        let base = self.reader.texts(row.property)?.len();
        let mut texts = NewTexts { base, ..NewTexts::default() };
        self.check_claim(strings.len() as usize)?;
        let fits = base.checked_add(strings.len()).is_some();
        let mut reader = strings.reader();
        for code in 0..strings.len() {
            let text = reader.bytes(code).filter(|_| fits).ok_or_else(|| self.impossible(code))?;
            if !allowance.take(text.len()) || texts.pool.len() + text.len() > u32::MAX as usize {
                return Err(store.damaged(allowance.error()).into());
            }
            texts.pool.extend_from_slice(text);
            texts.ends.push(texts.pool.len() as u32);
        }
        texts.has_nulls = texts.len() > 0;
        Ok(texts)
    }
}
