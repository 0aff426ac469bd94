//! Reads the edges of one label: both directions, and their property.

use varvite::columns::{
    PreparedAdjacency, PreparedForest, PreparedPlaces, PreparedProperty, PropertySpec, pair_places,
    subtree_sizes,
};

use super::error::ColumnError;
use super::lists::{OrderedLists, Places, offsets_of, read_lists};
use super::properties::{Gathered, edge_property_spec};
use super::{ImportRun, TREE, cpg};
use crate::flatgraph::{Direction, EdgeColumn, Scratch, Values};

/// The columns of a graph file for one edge label.
pub(super) struct EdgeColumns {
    pub(super) edges: u64,
    pub(super) out: Option<PreparedAdjacency>,
    pub(super) in_: Option<PreparedAdjacency>,
    pub(super) places: Option<PreparedPlaces>,
    pub(super) forest: Option<PreparedForest>,
    pub(super) property: Option<(PropertySpec, PreparedProperty)>,
}

/// Reads, sorts and encodes one edge label.
pub(super) fn read_edge_label(import: &ImportRun<'_>, label: &str) -> Result<EdgeColumns, ColumnError> {
    let mut scratch = Scratch::new();
    let columns = || import.columns.of_edge_label(label).iter().copied();
    let nodes = import.numbering.node_count();
    let mut read = |direction| {
        read_lists(import.file, import.numbering.ids(), columns(), direction, nodes, &mut scratch)
    };
    let out = read(Direction::Out)?;
    let sizes = if label == TREE { subtree_sizes(&out.offsets, &out.neighbors) } else { None };
    let in_ = read(Direction::In)?;
    if out.sum != in_.sum || out.neighbors.len() != in_.neighbors.len() {
        let what = format!(
            "edge label {label} has {} outgoing and {} incoming edges, which do not match",
            out.neighbors.len(),
            in_.neighbors.len()
        );
        return Err(ColumnError::Contradiction(what));
    }
    // A label with a property needs lists rather than a forest, because values are stored by the rank of
    // edges in lists.
    let forest = sizes.filter(|_| !columns().any(|column| column.property.is_some()));
    let encode = |lists: &OrderedLists, direction| {
        import.encoder.adjacency(lists.input(), cpg::heat(label, direction))
    };
    let listed = forest.is_none();
    let out_columns = listed.then(|| encode(&out, Direction::Out));
    let in_columns = listed.then(|| encode(&in_, Direction::In));
    let mut places = None;
    let mut property = None;
    // Values are read from the out columns; a label whose values are only in the in columns has no property.
    let has_property = |column: &EdgeColumn| column.direction == Direction::Out && column.property.is_some();
    if columns().any(has_property) {
        let paired = pair_places(out.input(), in_.input())
            .map_err(|error| ColumnError::Contradiction(format!("edge label {label}: {error}")))?;
        places = Some(import.encoder.places(in_.input(), &paired)?);
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

/// The property of the edges of one label, in the order of their ranks in the out direction.
fn read_edge_property(
    import: &ImportRun<'_>,
    label: &str,
    out: &OrderedLists,
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
        let mut places = Places::new(import.numbering.ids(), column.kind, &counts);
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
            .put(owners, values, import.numbering.ids())
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
