//! [`NewRows`]: rows of the directory for the labels and properties that a diff declares.

use varvite_format::{
    AdjacencyRow, ColumnId, Directory, EdgeLabelId, EdgeLabelRow, LabelId, LabelRow, LayerRow, NamesBuilder,
    Owner, PropertyRow,
};
use varvite_store::StoreWriter;

use super::base::{BaseEdges, BaseLists, Reader};
use super::schema::{Additions, PropertyKind};
use crate::change_error::ChangeError;
use crate::error::Result;
use crate::graph::Graph;
use crate::write::{Encoder, ListsInput, pair_places};

/// The name of the layer for labels and properties that diffs declare.
pub(super) const LAYER: &str = "diff";

/// Adds the declarations of a diff to a directory, as rows whose base columns are empty.
pub(super) struct NewRows<'a> {
    pub(super) graph: &'a Graph,
    pub(super) directory: &'a mut Directory,
    pub(super) encoder: &'a Encoder,
    pub(super) writer: &'a mut StoreWriter,
}

impl NewRows<'_> {
    /// Adds all declarations and label sets.
    pub(super) fn add(&mut self, additions: &Additions) -> Result<(), ChangeError> {
        let Additions { labels, edge_labels, properties, label_sets } = additions;
        if !(labels.is_empty() && edge_labels.is_empty() && properties.is_empty()) {
            let mut names = NamesBuilder::from(&self.directory.names);
            let layer = self.layer(&mut names);
            self.add_labels(labels, layer, &mut names)?;
            self.add_edge_labels(edge_labels, layer, &mut names)?;
            for (name, kind) in properties {
                self.add_property(name, kind, layer, &mut names)?;
            }
            self.directory.names = names.build();
        }
        self.add_label_sets(label_sets);
        Ok(())
    }

    /// Adds label sets; their labels have rows already.
    pub(super) fn add_label_sets(&mut self, label_sets: &[Vec<LabelId>]) {
        let words = self.directory.mask_words();
        for labels in label_sets {
            let first = self.directory.label_sets.len();
            self.directory.label_sets.resize(first + words, 0);
            let mask = &mut self.directory.label_sets[first..];
            labels.iter().for_each(|label| mask[label.index() / 64] |= 1 << (label.0 % 64));
        }
    }

    fn layer(&mut self, names: &mut NamesBuilder) -> u32 {
        let (name, tool) = (names.intern(LAYER), names.intern("varvite"));
        let mut layers = self.directory.layers.iter();
        let known = layers.position(|row| row.name == name && row.nodes.is_none());
        let layer = known.unwrap_or_else(|| {
            let version = names.intern(env!("CARGO_PKG_VERSION"));
            self.directory.layers.push(LayerRow {
                name,
                tool,
                version,
                nodes: None,
                time: 0,
                source: [0; 32],
            });
            self.directory.layers.len() - 1
        });
        layer as u32
    }

    /// Adds new labels, which no node of the base has.
    pub(super) fn add_labels(
        &mut self,
        labels: &[String],
        layer: u32,
        names: &mut NamesBuilder,
    ) -> Result<(), ChangeError> {
        let words = self.directory.mask_words();
        for label in labels {
            let nodes = self.no_owners()?;
            let name = names.intern(label);
            self.directory.labels.push(LabelRow { name, layer, nodes, origin_count: 0, origin: None });
        }
        let wider = self.directory.mask_words();
        if wider > words {
            let masks = self.directory.label_sets.chunks_exact(words);
            let widened =
                masks.flat_map(|mask| mask.iter().copied().chain(std::iter::repeat_n(0, wider - words)));
            self.directory.label_sets = widened.collect();
        }
        Ok(())
    }

    fn add_edge_labels(
        &mut self,
        labels: &[String],
        layer: u32,
        names: &mut NamesBuilder,
    ) -> Result<(), ChangeError> {
        for label in labels {
            let name = names.intern(label);
            let side = AdjacencyRow {
                nodes: Some(self.no_owners()?),
                offsets: Some(self.writer.add(self.encoder.offsets(&[0])?)?),
                neighbors: Some(self.no_numbers()?),
            };
            let row = EdgeLabelRow { name, layer, edges: 0, out: side, in_: side, places: None };
            self.directory.edge_labels.push(row);
        }
        Ok(())
    }

    fn add_property(
        &mut self,
        name: &str,
        kind: &PropertyKind,
        layer: u32,
        names: &mut NamesBuilder,
    ) -> Result<(), ChangeError> {
        let value_type = kind.value_type.expect("only known types are declared");
        let strings = value_type.is_text().then(|| self.encoder.texts(&[], &[0])).transpose()?;
        let row = PropertyRow {
            name: names.intern(name),
            layer,
            owner: kind.owner,
            value_type: value_type as u8,
            cardinality: kind.cardinality as u8,
            default_kind: 0,
            default: 0,
            present: self.no_owners()?,
            offsets: None,
            values: self.no_numbers()?,
            strings: strings.map(|strings| self.writer.add(strings)).transpose()?,
        };
        self.directory.properties.push(row);
        if let Owner::Edge(label) = kind.owner
            && self.directory.edge_labels[label.index()].places.is_none()
        {
            self.directory.edge_labels[label.index()].places = Some(self.places(label)?);
        }
        Ok(())
    }

    fn no_owners(&mut self) -> Result<ColumnId, ChangeError> {
        Ok(self.writer.add(self.encoder.members(&[], 0)?)?)
    }

    fn no_numbers(&mut self) -> Result<ColumnId, ChangeError> {
        Ok(self.writer.add(self.encoder.numbers::<u32>(&[])?)?)
    }

    /// The column with the place of each edge, by the edge's position in the in-lists. An edge label needs
    /// this column as soon as it has a property.
    fn places(&mut self, label: EdgeLabelId) -> Result<ColumnId, ChangeError> {
        if self.directory.edge_labels[label.index()].edges == 0 {
            return self.no_numbers();
        }
        let reader = Reader { graph: self.graph };
        let BaseEdges::Lists { out, in_ } = reader.edges(label)? else {
            return self.no_numbers();
        };
        let directory = self.graph.store().directory();
        let nodes = directory.nodes_of_layer(directory.edge_labels[label.index()].layer);
        let (out, in_) = (all_lists(&out, nodes, reader)?, all_lists(&in_, nodes, reader)?);
        let places = pair_places(
            ListsInput { offsets: &out.0, neighbors: &out.1 },
            ListsInput { offsets: &in_.0, neighbors: &in_.1 },
        );
        let places = places.map_err(|error| reader.impossible("neighbours", error.node()))?;
        Ok(self.writer.add(self.encoder.numbers(&places)?)?)
    }
}

/// All lists of one direction, as two vectors: first the start of each list followed by the end of the last
/// list; then the neighbours.
fn all_lists(lists: &BaseLists, nodes: u32, reader: Reader<'_>) -> Result<(Vec<u32>, Vec<u32>), ChangeError> {
    let (mut offsets, mut neighbors) = (vec![0u32], Vec::new());
    for node in 0..nodes {
        let impossible = || reader.impossible("adjacency", node);
        for position in lists.range(node).ok_or_else(impossible)? {
            neighbors.push(lists.neighbor(position, node).ok_or_else(impossible)?);
        }
        offsets.push(neighbors.len() as u32);
    }
    Ok((offsets, neighbors))
}
