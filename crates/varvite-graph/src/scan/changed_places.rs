//! [`for_each_changed_place`]: the places of edges in the out-lists of their sources, for an edge label with
//! changes.

use varvite_format::{EdgeLabelId, Ints};
use varvite_store::Pinned;

use crate::cursor::adjacency::{Adjacency, ChangeColumns, ChangedLists, Direction, EntryAt};
use crate::error::Result;
use crate::scan::columns::{List, ListColumns};
use crate::scan::graph_scan::{GraphScan, ScratchVec};

/// Calls `visit` for each entry of the in-lists of an edge label with changes. The arguments are the owner
/// and the length of the list, whether the entry is the first of the list, and the current place of its edge
/// in the out-list of the edge's source.
///
/// Takes four bytes of memory for each appended edge.
///
/// # Errors
/// The first damage that is found.
pub fn for_each_changed_place(
    graph_scan: &GraphScan<'_>,
    label: EdgeLabelId,
    mut visit: impl FnMut(List, bool, u32),
) -> Result<()> {
    let graph = graph_scan.graph;
    let Some(column) = graph.store().directory().edge_labels[label.index()].places else { return Ok(()) };
    let places: Ints<Pinned> = Ints::open(graph.store(), column)?;
    let out = graph.adjacency(label, Direction::Out)?;
    let Some(changes) = out.changes().map(ChangedLists::columns) else { return Ok(()) };
    let appended = appended_places(graph_scan, label, changes)?;
    let lists = ListColumns::of_edges(graph, label, Direction::In)?.until(graph_scan.flag());
    let mut scan = lists.scan();
    while let Some(list) = scan.next_list() {
        let mut is_first = true;
        while let Some(source) = scan.next_neighbor() {
            let at = scan.scanned_entry().map(|entry| entry.at);
            let place = at.and_then(|at| place_of(&out, changes, &places, &appended, source, at));
            visit(list, std::mem::replace(&mut is_first, false), place.unwrap_or(u32::MAX));
        }
    }
    Ok(scan.finish().map_err(|error| graph.store().damaged(error))?)
}

fn place_of(
    out: &Adjacency,
    changes: &ChangeColumns,
    places: &Ints<Pinned>,
    appended: &[u32],
    source: u32,
    at: EntryAt,
) -> Option<u32> {
    match at {
        EntryAt::Appended(rank) => appended.get((rank - changes.first) as usize).copied(),
        EntryAt::Base(position) => {
            let place = places.get_u32(position, 0)?;
            let first = out.base_first_rank(source)?;
            let removed = changes.holes_between(first, first + place as usize);
            place.checked_sub(removed as u32)
        }
    }
}

/// The place of each appended edge in the out-list of its source, indexed by its rank minus the rank of the
/// first appended edge.
fn appended_places<'p>(
    graph_scan: &'p GraphScan<'_>,
    label: EdgeLabelId,
    changes: &ChangeColumns,
) -> Result<ScratchVec<'p, u32>> {
    let count = changes.appended.as_ref().map_or(0, |lists| lists.entry_count());
    let mut places = ScratchVec::filled(graph_scan, u32::MAX, count)?;
    let lists = ListColumns::of_edges(graph_scan.graph, label, Direction::Out)?.until(graph_scan.flag());
    let mut scan = lists.scan();
    while scan.next_list().is_some() {
        let mut place = 0;
        while scan.next_neighbor().is_some() {
            if let Some(EntryAt::Appended(rank)) = scan.scanned_entry().map(|entry| entry.at)
                && let Some(of_edge) = places.get_mut((rank - changes.first) as usize)
            {
                *of_edge = place;
            }
            place += 1;
        }
    }
    scan.finish().map_err(|error| graph_scan.graph.store().damaged(error))?;
    Ok(places)
}
