//! Brings the lists of a flatgraph file, which groups them by kind, into the order of ids.

use varvite::columns::ListsInput;
use varvite::error::Quantity;
use varvite_graph::edge_hash;

use super::error::ColumnError;
use super::ids::Ids;
use crate::flatgraph::{Direction, EdgeColumn, FlatgraphFile, NodeRef, Scratch};

/// The lists of one direction, in the order of ids.
pub(super) struct OrderedLists {
    pub(super) offsets: Vec<u32>,
    pub(super) neighbors: Vec<u32>,
    /// A checksum of all edges that does not depend on their order or direction.
    pub(super) sum: u64,
}

impl OrderedLists {
    pub(super) fn input(&self) -> ListsInput<'_> {
        ListsInput { offsets: &self.offsets, neighbors: &self.neighbors }
    }
}

/// Reads the columns of one label and direction into lists for `nodes` nodes.
pub(super) fn read_lists<'a>(
    file: &FlatgraphFile,
    ids: &Ids,
    columns: impl Iterator<Item = &'a EdgeColumn>,
    direction: Direction,
    nodes: u32,
    scratch: &mut Scratch,
) -> Result<OrderedLists, ColumnError> {
    let columns: Vec<&EdgeColumn> = columns.filter(|column| column.direction == direction).collect();
    let mut lengths = vec![0u32; nodes as usize];
    let mut quantities = Vec::new();
    let mut total = 0u64;
    for column in &columns {
        let mut counts = Vec::new();
        let slots = file.decode_quantities(*column, scratch, &mut counts)?;
        total += slots;
        for (seq, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let id = ids.id(column.kind, seq as u32).ok_or_else(|| dead(column, seq as u32))?;
            lengths[id as usize] = *count;
        }
        quantities.push((slots, counts));
    }
    if total > u64::from(u32::MAX) {
        let (what, limit) = (Quantity::Edges, u64::from(u32::MAX));
        return Err(varvite::change::ChangeError::TooLarge { what, found: total, limit }.into());
    }
    let offsets = offsets_of(&lengths);
    drop(lengths);
    let mut lists = OrderedLists { offsets, neighbors: vec![0; total as usize], sum: 0 };
    for (column, (slots, counts)) in columns.iter().zip(&quantities) {
        fill(file, ids, column, *slots, counts, &mut lists, scratch)?;
    }
    Ok(lists)
}

/// The offset of each list, and the end of the last, computed from their lengths.
///
/// The result is a new vector. Computing offsets in place would be slower: most lengths are zero, and if a
/// page of zeros is read before it is written, the system copies it, and interrupts all threads for each such
/// page.
pub(super) fn offsets_of(lengths: &[u32]) -> Vec<u32> {
    let mut end = 0;
    let ends = lengths.iter().map(|length| {
        end += length;
        end
    });
    std::iter::once(0).chain(ends).collect()
}

/// Writes the neighbours of one column to their positions in the sorted lists.
fn fill(
    file: &FlatgraphFile,
    ids: &Ids,
    column: &EdgeColumn,
    slots: u64,
    counts: &[u32],
    lists: &mut OrderedLists,
    scratch: &mut Scratch,
) -> Result<(), ColumnError> {
    let mut places = Places::new(ids, column.kind, counts);
    let mut dead_ref = None;
    file.visit_neighbors(column, slots, scratch, |refs| {
        for node in refs {
            let place = places.next(&lists.offsets);
            let Some((neighbor, (owner, at))) = ids.id_of(*node).zip(place) else {
                dead_ref = dead_ref.or(Some(*node));
                continue;
            };
            lists.neighbors[at] = neighbor;
            let (source, target) = match column.direction {
                Direction::Out => (owner, neighbor),
                Direction::In => (neighbor, owner),
            };
            lists.sum = lists.sum.wrapping_add(edge_hash(source, target, 0));
        }
    })?;
    match dead_ref {
        Some(node) => Err(dead_end(column, node)),
        None => Ok(()),
    }
}

/// The positions of a column's entries in the sorted lists, one after another.
pub(super) struct Places<'a> {
    ids: &'a Ids,
    kind: u32,
    counts: std::iter::Enumerate<std::slice::Iter<'a, u32>>,
    owner: u32,
    at: usize,
    left: u32,
}

impl<'a> Places<'a> {
    pub(super) fn new(ids: &'a Ids, kind: u32, counts: &'a [u32]) -> Self {
        Self { ids, kind, counts: counts.iter().enumerate(), owner: 0, at: 0, left: 0 }
    }

    /// The owner of the next entry, and the entry's position in the lists that start at `offsets`.
    #[inline]
    pub(super) fn next(&mut self, offsets: &[u32]) -> Option<(u32, usize)> {
        while self.left == 0 {
            let (seq, count) = self.counts.next()?;
            if *count > 0 {
                self.owner = self.ids.id(self.kind, seq as u32)?;
                self.at = offsets[self.owner as usize] as usize;
                self.left = *count;
            }
        }
        self.left -= 1;
        self.at += 1;
        Some((self.owner, self.at - 1))
    }
}

fn dead(column: &EdgeColumn, seq: u32) -> ColumnError {
    ColumnError::Contradiction(format!(
        "edge label {}: node {seq} of kind {} is deleted and has edges",
        column.edge_label, column.kind
    ))
}

fn dead_end(column: &EdgeColumn, node: NodeRef) -> ColumnError {
    ColumnError::Contradiction(format!(
        "edge label {}: an edge ends at node {} of kind {}, which is deleted",
        column.edge_label,
        node.seq(),
        node.kind()
    ))
}
