//! The whole decoded content of a file, read with as little code as a reader needs.

use varvite_import::flatgraph::{
    Direction, FlatgraphError, FlatgraphFile, NodeKind, NodeRef, Scratch, StringPool, Values,
};

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Content {
    pub(super) kinds: Vec<NodeKind>,
    pub(super) edges: Vec<Edges>,
    pub(super) properties: Vec<Property>,
    pub(super) strings: StringPool,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Edges {
    pub(super) kind: u32,
    pub(super) label: String,
    pub(super) direction: Direction,
    pub(super) quantities: Vec<u32>,
    pub(super) neighbors: Vec<NodeRef>,
    pub(super) property: Option<Values>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Property {
    pub(super) kind: u32,
    pub(super) name: String,
    pub(super) quantities: Vec<u32>,
    pub(super) values: Values,
}

impl Content {
    pub(super) fn decode(file: &FlatgraphFile) -> Result<Self, FlatgraphError> {
        Self::decode_with(file, &mut Scratch::new())
    }

    pub(super) fn decode_with(file: &FlatgraphFile, scratch: &mut Scratch) -> Result<Self, FlatgraphError> {
        let mut content = Self {
            kinds: file.kinds().to_vec(),
            edges: Vec::new(),
            properties: Vec::new(),
            strings: file.decode_string_pool(scratch)?,
        };
        for column in file.edge_columns() {
            let (mut quantities, mut neighbors) = (Vec::new(), Vec::new());
            let slots = file.decode_quantities(column, scratch, &mut quantities)?;
            file.decode_neighbors(column, slots, scratch, &mut neighbors)?;
            content.edges.push(Edges {
                kind: column.kind,
                label: column.edge_label.to_string(),
                direction: column.direction,
                quantities,
                neighbors,
                property: file.decode_edge_property(column, slots, scratch)?,
            });
        }
        for column in file.property_columns() {
            let mut quantities = Vec::new();
            let slots = file.decode_quantities(column, scratch, &mut quantities)?;
            content.properties.push(Property {
                kind: column.kind,
                name: column.name.to_string(),
                quantities,
                values: file.decode_property(column, slots, scratch)?,
            });
        }
        Ok(content)
    }

    pub(super) fn label(&self, kind: u32) -> &str {
        &self.kinds[kind as usize].label
    }
}

/// The slots of each node, as ranges.
pub(super) fn slots_by_node(quantities: &[u32]) -> impl Iterator<Item = (u32, std::ops::Range<usize>)> {
    let mut end = 0;
    (0..).zip(quantities).map(move |(seq, &quantity)| {
        let start = end;
        end += quantity as usize;
        (seq, start..end)
    })
}
