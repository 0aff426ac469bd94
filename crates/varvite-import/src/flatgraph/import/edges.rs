//! The edges of one label: both directions, and their property.

use varvite::write::{
    ListsInput, PreparedAdjacency, PreparedForest, PreparedProperty, PropertySpec, pair_places,
};
use varvite::{edge_hash, subtree_sizes};
use varvite_store::PreparedColumn;

use super::error::ColumnError;
use super::numbering::Numbering;
use super::properties::{Gathered, edge_property_spec};
use super::{FOREST, Import, cpg};
use crate::flatgraph::{Direction, EdgeColumn, FlatgraphFile, Scratch, Values};

/// Everything a file gets for one edge label.
pub(super) struct EdgeColumns {
    pub(super) edges: u64,
    pub(super) out: Option<PreparedAdjacency>,
    pub(super) in_: Option<PreparedAdjacency>,
    pub(super) places: Option<PreparedColumn>,
    pub(super) forest: Option<PreparedForest>,
    pub(super) property: Option<(PropertySpec, PreparedProperty)>,
}

/// The lists of one direction, in the order of ids.
pub(super) struct Lists {
    pub(super) offsets: Vec<u32>,
    pub(super) neighbors: Vec<u32>,
    /// A sum over all edges that does not depend on their order or direction.
    pub(super) sum: u64,
}

impl Lists {
    fn input(&self) -> ListsInput<'_> {
        ListsInput { offsets: &self.offsets, neighbors: &self.neighbors }
    }
}

/// Reads, orders and encodes one edge label.
pub(super) fn read_edge_label(import: &Import<'_>, label: &str) -> Result<EdgeColumns, ColumnError> {
    let mut scratch = Scratch::new();
    let columns = || import.columns.of_edge_label(label).iter().copied();
    let nodes = import.numbering.node_count();
    let mut read =
        |direction| read_lists(import.file, &import.numbering, columns(), direction, nodes, &mut scratch);
    let out = read(Direction::Out)?;
    let sizes = if label == FOREST { subtree_sizes(&out.offsets, &out.neighbors) } else { None };
    let in_ = read(Direction::In)?;
    if out.sum != in_.sum || out.neighbors.len() != in_.neighbors.len() {
        let what = format!(
            "edge label {label} has {} edges out and {} in, which are not the same edges",
            out.neighbors.len(),
            in_.neighbors.len()
        );
        return Err(ColumnError::Contradiction(what));
    }
    // Ranks of edges, which properties are stored under, are those of lists.
    let forest = sizes.filter(|_| !columns().any(|column| column.property.is_some()));
    let encode =
        |lists: &Lists, direction| import.encoder.adjacency(lists.input(), cpg::heat(label, direction));
    let listed = forest.is_none();
    let out_columns = listed.then(|| encode(&out, Direction::Out));
    let in_columns = listed.then(|| encode(&in_, Direction::In));
    let mut places = None;
    let mut property = None;
    // Values are read from the out columns; with values in the in columns alone, a label has no property.
    let has_property = |column: &EdgeColumn| column.direction == Direction::Out && column.property.is_some();
    if columns().any(has_property) {
        let paired = pair_places(out.input(), in_.input()).map_err(|node| {
            let what =
                format!("edge label {label}: the edges that arrive at node {node} are not those that leave");
            ColumnError::Contradiction(what)
        })?;
        places = Some(import.encoder.numbers(&paired)?);
        property = read_edge_property(import, label, &out, &mut scratch)?;
    }
    Ok(EdgeColumns {
        edges: out.neighbors.len() as u64,
        out: out_columns.transpose()?,
        in_: in_columns.transpose()?,
        places,
        forest: forest.map(|sizes| import.encoder.forest(&sizes)).transpose()?,
        property,
    })
}

/// Reads the columns of one label and direction into lists of `nodes` nodes.
pub(super) fn read_lists<'a>(
    file: &FlatgraphFile,
    numbering: &Numbering,
    columns: impl Iterator<Item = &'a EdgeColumn>,
    direction: Direction,
    nodes: u32,
    scratch: &mut Scratch,
) -> Result<Lists, ColumnError> {
    let columns: Vec<&EdgeColumn> = columns.filter(|column| column.direction == direction).collect();
    let mut lengths = vec![0u32; nodes as usize];
    let mut quantities = Vec::new();
    let mut total = 0u64;
    for column in &columns {
        let mut counts = Vec::new();
        let slots = file.decode_quantities(*column, scratch, &mut counts)?;
        total += slots;
        for (seq, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let id = numbering.id(column.kind, seq as u32).ok_or_else(|| dead(column, seq as u32))?;
            lengths[id as usize] = *count;
        }
        quantities.push((slots, counts));
    }
    if total > u64::from(u32::MAX) {
        let (what, limit) = ("edges".to_owned(), u64::from(u32::MAX));
        return Err(varvite::GraphError::TooLarge { what, found: total, limit }.into());
    }
    let offsets = offsets_of(&lengths);
    drop(lengths);
    let mut lists = Lists { offsets, neighbors: vec![0; total as usize], sum: 0 };
    for (column, (slots, counts)) in columns.iter().zip(&quantities) {
        fill(file, numbering, column, *slots, counts, &mut lists, scratch)?;
    }
    Ok(lists)
}

/// Where each of some lists starts, and the end of the last.
///
/// Not in place: most lists are empty, and pages of zeros that are read before they are written are copied by the system, which
/// interrupts all threads for each.
pub(super) fn offsets_of(lengths: &[u32]) -> Vec<u32> {
    let mut end = 0;
    let ends = lengths.iter().map(|length| {
        end += length;
        end
    });
    std::iter::once(0).chain(ends).collect()
}

/// Puts the neighbours of one column where their lists are.
fn fill(
    file: &FlatgraphFile,
    numbering: &Numbering,
    column: &EdgeColumn,
    slots: u64,
    counts: &[u32],
    lists: &mut Lists,
    scratch: &mut Scratch,
) -> Result<(), ColumnError> {
    let mut places = Places::new(numbering, column.kind, counts);
    let mut dead_ref = None;
    file.visit_neighbors(column, slots, scratch, |refs| {
        for node in refs {
            let place = places.next(&lists.offsets);
            let Some((neighbor, (owner, at))) = numbering.id_of(*node).zip(place) else {
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

/// The positions of the entries of one column's lists, one after another.
pub(super) struct Places<'a> {
    numbering: &'a Numbering,
    kind: u32,
    counts: std::iter::Enumerate<std::slice::Iter<'a, u32>>,
    owner: u32,
    at: usize,
    left: u32,
}

impl<'a> Places<'a> {
    pub(super) fn new(numbering: &'a Numbering, kind: u32, counts: &'a [u32]) -> Self {
        Self { numbering, kind, counts: counts.iter().enumerate(), owner: 0, at: 0, left: 0 }
    }

    /// Whose the next entry is, and its position in the lists that start at `offsets`.
    #[inline]
    pub(super) fn next(&mut self, offsets: &[u32]) -> Option<(u32, usize)> {
        while self.left == 0 {
            let (seq, count) = self.counts.next()?;
            if *count > 0 {
                self.owner = self.numbering.id(self.kind, seq as u32)?;
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

fn dead_end(column: &EdgeColumn, node: crate::flatgraph::NodeRef) -> ColumnError {
    ColumnError::Contradiction(format!(
        "edge label {}: an edge ends at node {} of kind {}, which is deleted",
        column.edge_label,
        node.seq(),
        node.kind()
    ))
}

/// The property of the edges of one label, by rank in the out direction.
fn read_edge_property(
    import: &Import<'_>,
    label: &str,
    out: &Lists,
    scratch: &mut Scratch,
) -> Result<Option<(PropertySpec, PreparedProperty)>, ColumnError> {
    let columns = import.columns.of_edge_label(label).iter().copied();
    let columns = columns.filter(|column| column.direction == Direction::Out);
    let mut is_present = vec![0u32; out.neighbors.len()];
    let mut parts: Vec<(Vec<usize>, Values)> = Vec::new();
    for column in columns {
        let mut counts = Vec::new();
        let slots = import.file.decode_quantities(column, scratch, &mut counts)?;
        let Some(values) = import.file.decode_edge_property(column, slots, scratch)? else { continue };
        let mut places = Places::new(&import.numbering, column.kind, &counts);
        let positions: Vec<usize> =
            (0..slots).filter_map(|_| places.next(&out.offsets).map(|(_, at)| at)).collect();
        positions.iter().for_each(|at| is_present[*at] = 1);
        parts.push((positions, values));
    }
    let present = offsets_of(&is_present);
    let mut gathered = Gathered::new(present[out.neighbors.len()] as usize);
    for (positions, values) in &parts {
        let owners = positions.iter().map(|at| present[*at] as usize);
        gathered
            .put(owners, values, &import.numbering)
            .map_err(|what| ColumnError::Contradiction(format!("property of edge label {label}: {what}")))?;
    }
    if parts.is_empty() {
        return Ok(None);
    }
    let spec = edge_property_spec(
        label,
        gathered.value_type(),
        present[out.neighbors.len()] as usize == out.neighbors.len(),
    );
    let columns = gathered.encode(import, &present, &[], None)?;
    Ok(Some((spec, columns)))
}
