//! Checks edges: out-lists and in-lists hold the same edges, and the columns of the forest describe one
//! forest.

use varvite_format::{ColumnId, EdgeLabelId, FormatError, Ints};
use varvite_store::Pinned;

use super::Problems;
use crate::cursor::adjacency::{Direction, EntryAt};
use crate::cursor::columns::edge_label_name;
use crate::cursor::ints_scan::IntsScan;
use crate::error::Result;
use crate::graph::Graph;
use crate::scan::columns::ListColumns;
use crate::scan::columns::ScannedEntry;
use crate::scan::graph_scan::{GraphScan, ScratchVec};
use crate::verify::edge_hash::edge_hash;

/// Checks that the lists of both directions are valid, that out-lists and in-lists hold the same edges, and
/// that each entry of an in-list has the place of its edge in the out-list of its source.
pub(super) fn check_edges(
    graph_scan: &GraphScan<'_>,
    label: EdgeLabelId,
    problems: &mut Problems,
) -> Result<()> {
    let graph = graph_scan.graph;
    let directory = graph.store().directory();
    let name = edge_label_name(directory, label);
    let open = |direction| Ok(ListColumns::of_edges(graph, label, direction)?.until(graph_scan.flag()));
    let out = problems.undamaged(&name, open(Direction::Out))?;
    let in_ = problems.undamaged(&name, open(Direction::In))?;
    let places = directory.edge_labels[label.index()].places;
    let places = places.map(|column| Ints::open(graph.store(), column).map_err(Into::into)).transpose();
    let places: Option<Option<Ints<Pinned>>> = problems.undamaged(&name, places)?;
    let (Some(out), Some(in_), Some(places)) = (out, in_, places) else { return Ok(()) };
    let with_places = places.is_some();
    let sides = [
        Side { lists: &out, direction: Direction::Out, places: None, with_places },
        Side { lists: &in_, direction: Direction::In, places: places.as_ref(), with_places },
    ];
    let edges = directory.edge_labels[label.index()].edges;
    if let Some(places) = places.as_ref().filter(|places| places.len() as u64 != edges) {
        problems.add(format!("{name} places"), format!("{edges} values"), places.len());
    }
    let sums = sides.each_ref().map(|side| {
        let mut sum = 0u64;
        let scanned = side.for_each(|_, number| sum = sum.wrapping_add(number));
        scanned.map_err(|error| problems.0.push(error.to_string())).map(|()| sum)
    });
    if let [Ok(left), Ok(arrived)] = sums
        && left != arrived
    {
        let target = first_difference(&sides);
        problems.add(
            format!("{name} in"),
            "the edges of the out-lists",
            format!(
                "different edges at node \
            {target}"
            ),
        );
    }
    Ok(())
}

/// One direction of an edge label.
struct Side<'a> {
    lists: &'a ListColumns,
    direction: Direction,
    /// The column of places (each edge's number in its source's out-list); `None` in the out direction.
    places: Option<&'a Ints<Pinned>>,
    with_places: bool,
}

impl Side<'_> {
    /// Calls `visit` with the target of each edge and the hash of the edge, which is equal in both
    /// directions.
    fn for_each(&self, mut visit: impl FnMut(u32, u64)) -> std::result::Result<(), FormatError> {
        let mut scan = self.lists.scan();
        let mut places = self.places.map(IntsScan::new);
        while let Some(list) = scan.next_list() {
            let mut next_place = 0;
            while let Some(neighbor) = scan.next_neighbor() {
                let (source, target) = match self.direction {
                    Direction::Out => (list.owner, neighbor),
                    Direction::In => (neighbor, list.owner),
                };
                let place = match (scan.scanned_entry(), &mut places) {
                    (Some(entry), _) => self.number_of(entry),
                    (None, Some(places)) => places.next(0).unwrap_or(-1),
                    (None, None) if self.with_places => next_place,
                    (None, None) => 0,
                };
                next_place += 1;
                visit(target, edge_hash(source, target, place));
            }
        }
        scan.finish()
    }
}

impl Side<'_> {
    /// The number that stands for the place of an edge in its hash, if the edge label has changes: for an
    /// edge of the base its place in the base, for an appended edge a negative number made from its rank.
    fn number_of(&self, entry: ScannedEntry) -> i64 {
        match (entry.at, self.places) {
            (EntryAt::Appended(rank), _) => -2 - rank as i64,
            (EntryAt::Base(position), Some(places)) => places.get(position, 0).unwrap_or(-1),
            (EntryAt::Base(position), None) if self.with_places => (position - entry.list_start) as i64,
            (EntryAt::Base(_), None) => 0,
        }
    }
}

/// The first node whose incoming edges in the out-lists differ from those in the in-lists. One scan finds the
/// first range of 65,536 nodes that contains such a node, and a second scan finds the node in this range. So
/// the memory needed does not depend on the number of nodes.
fn first_difference(sides: &[Side<'_>; 2]) -> u32 {
    const PART_BITS: u32 = 16;
    let first = |place: &dyn Fn(u32) -> Option<u32>| {
        let mut differences = vec![0u64; 1 << PART_BITS];
        let [out, in_] = sides;
        let mut add = |target: u32, number: u64| {
            if let Some(place) = place(target) {
                let difference = &mut differences[place as usize];
                *difference = difference.wrapping_add(number);
            }
        };
        let scanned =
            out.for_each(&mut add).and_then(|()| in_.for_each(|it, number| add(it, number.wrapping_neg())));
        scanned.ok().and_then(|()| differences.iter().position(|difference| *difference != 0)).unwrap_or(0)
            as u32
    };
    let part = first(&|target| Some(target >> PART_BITS));
    let in_part = |target: u32| (target >> PART_BITS == part).then_some(target & ((1 << PART_BITS) - 1));
    (part << PART_BITS) + first(&in_part)
}

/// Checks that subtree sizes and parent distances describe the same forest and, if the label has lists, that
/// this forest equals that of the lists.
pub(super) fn check_forest(graph_scan: &GraphScan<'_>, problems: &mut Problems) -> Result<()> {
    let graph = graph_scan.graph;
    const SIZES: &str = "subtree sizes";
    const DISTANCES: &str = "parent distances";
    let directory = graph.store().directory();
    let (column, label) = match (directory.subtree, directory.tree_label) {
        (None, _) if directory.parents.is_none() => return Ok(()),
        (Some(column), Some(label)) => (column, label),
        _ => {
            problems.add(
                SIZES,
                "subtree sizes together with the edge label of the tree",
                "one without the other",
            );
            return Ok(());
        }
    };
    let Some(sizes) = open_for_nodes(graph, column, SIZES, problems)? else { return Ok(()) };
    if let Some(column) = directory.parents
        && let Some(distances) = open_for_nodes(graph, column, DISTANCES, problems)?
        && let Some(node) = first_other_parent(graph_scan, &sizes, &distances)?
    {
        problems.add(DISTANCES, "parents as in subtree sizes", format!("another at node {node}"));
    }
    // If the label has no lists, sizes and distances are the only description of its edges.
    if directory.edge_labels[label.index()].out.nodes.is_none() {
        return Ok(());
    }
    let lists = ListColumns::of_base_edges(graph, label, Direction::Out);
    let lists = problems.undamaged(SIZES, lists.map(|lists| lists.until(graph_scan.flag())))?;
    if let Some(lists) = lists
        && let Some(node) = first_other_family(&sizes, &lists)
    {
        problems.add(SIZES, format!("children as in {}", lists.name), format!("others at node {node}"));
    }
    Ok(())
}

/// Opens a column that must have a value for each node of the base; `None` after a problem was reported.
fn open_for_nodes(
    graph: &Graph,
    column: ColumnId,
    name: &str,
    problems: &mut Problems,
) -> Result<Option<Ints<Pinned>>> {
    let opened = Ints::open(graph.store(), column).map_err(Into::into);
    let ints: Option<Ints<Pinned>> = problems.undamaged(name, opened)?;
    let nodes = graph.store().directory().base_nodes();
    let is_whole = |ints: &Ints<Pinned>| ints.len() == nodes as usize;
    if let Some(ints) = ints.as_ref().filter(|ints| !is_whole(ints)) {
        problems.add(name, format!("{nodes} values"), ints.len());
    }
    Ok(ints.filter(is_whole))
}

/// The first node at which `distances` and `sizes` contradict each other: its parent according to `distances`
/// is not the innermost node whose subtree, according to `sizes`, contains it.
fn first_other_parent(
    graph_scan: &GraphScan<'_>,
    sizes: &Ints<Pinned>,
    distances: &Ints<Pinned>,
) -> Result<Option<u32>> {
    let (mut sizes, mut distances) = (IntsScan::new(sizes), IntsScan::new(distances));
    let mut around: ScratchVec<'_, (u32, i64)> = ScratchVec::new(graph_scan)?;
    for node in 0..sizes.value_count() as u32 {
        while around.last().is_some_and(|(_, last)| *last < i64::from(node)) {
            around.pop();
        }
        let distance = around.last().map_or(0, |(parent, _)| i64::from(node - parent));
        if distances.next(0) != Some(distance) {
            return Ok(Some(node));
        }
        let size = sizes.next(0).unwrap_or(0);
        if size > 0 {
            around.push((node, i64::from(node).saturating_add(size)))?;
        }
    }
    Ok(None)
}

/// The first node whose children in `lists` do not have adjacent subtrees that fill the subtree of the node.
fn first_other_family(sizes: &Ints<Pinned>, lists: &ListColumns) -> Option<u32> {
    let end_of = |node: u32| node.checked_add(1)?.checked_add(sizes.get_u32(node as usize, 0)?);
    let mut scan = lists.scan();
    let mut list = scan.next_list();
    for node in 0..sizes.len() as u32 {
        let mut next = node + 1;
        if list.is_some_and(|list| list.owner == node) {
            while let Some(child) = scan.next_neighbor() {
                match end_of(child).filter(|_| child == next) {
                    Some(end) => next = end,
                    None => return Some(node),
                }
            }
            list = scan.next_list();
        }
        if end_of(node) != Some(next) {
            return Some(node);
        }
    }
    None
}
