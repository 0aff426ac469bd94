//! [`GraphChange::apply`]: a diff becomes a commit.

use std::ops::Range;

use varvite_format::{
    AdjacencyRow, ColumnId, Directory, EdgeLabelId, EdgeLabelRow, LabelRow, LayerRow, NamesBuilder, Owner,
    PropertyRow,
};
use varvite_store::{StoreWriter, Task};

use super::addition::{LEFT_OUT, Numbers};
use super::base::{BaseEdges, BaseLists, Reader};
use super::change_set::ChangeSet;
use super::decode::decode;
use super::diff::Diff;
use super::element::{NewEdge, NewNode};
use super::encode::encode;
use super::resolve::resolve;
use super::schema::{Additions, Known, PropertyKind};
use crate::error::Result;
use crate::graph::Graph;
use crate::write::{Encoder, GraphChange, ListsInput, codec_of, pair_places};

/// What became of a diff.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Applied {
    /// The ids of the nodes that it added, in the order in which it did.
    pub nodes: Range<u32>,
    /// The size of the file in bytes.
    pub file_len: u64,
    /// How many of these are new.
    pub written: u64,
    /// Which commit of the file it is.
    pub generation: u64,
    /// Which record of the log of that commit it is, from 1; 0 if it is a commit of its own.
    pub record: u64,
    pub(super) ranks: Vec<u32>,
}

impl Applied {
    /// The id of a node that the diff added.
    ///
    /// # Panics
    /// If the node is of another diff, which adds more.
    pub fn node(&self, node: NewNode) -> u32 {
        assert!(node.index() < self.nodes.len(), "the node is of another diff");
        self.nodes.start + node.0
    }

    /// The rank of an edge that the diff added. None if it was left out, because the diff removes a node at its end.
    ///
    /// # Panics
    /// If the edge is of another diff, which adds more.
    pub fn edge(&self, edge: NewEdge) -> Option<u32> {
        let rank = self.ranks[edge.index()];
        (rank != LEFT_OUT).then_some(rank)
    }
}

impl GraphChange {
    /// Applies a diff: all of it, or nothing. Costs in proportion to the diff and to all changes since the columns of the graph
    /// were written.
    ///
    /// # Errors
    /// [`GraphError::Change`](crate::GraphError::Change) with the operation that makes no sense; damage;
    /// [`GraphError::TooLarge`](crate::GraphError::TooLarge);
    /// [`StoreError::Replaced`](varvite_store::StoreError::Replaced) if another program was at the file;
    /// [`GraphError::Cancelled`](crate::GraphError::Cancelled); what the file system says. The file is then as it was.
    pub fn apply(self, diff: &Diff, task: &Task<'_>) -> Result<Applied> {
        let graph = self.graph();
        let mut changes = decode(graph)?;
        let resolved = resolve(graph, &Known::of(graph), &mut changes, diff, task)?;
        let Numbers { first_node, nodes, ranks, labels: _ } = resolved.numbers;
        let before = *graph.store().superblock();
        let nodes = first_node..first_node + nodes;
        if diff.is_empty() {
            let (file_len, generation) = (before.file_len, before.generation);
            return Ok(Applied { nodes, file_len, written: 0, generation, record: 0, ranks });
        }
        let (file_len, generation) = self.write_changes(&resolved.additions, &changes, task)?;
        let written = file_len.saturating_sub(before.file_len);
        Ok(Applied { nodes, file_len, written, generation, record: 0, ranks })
    }

    /// Writes the graph with these names in addition, and with these changes. Returns the size of the file, and which
    /// commit it is.
    pub(super) fn write_changes(
        &self,
        additions: &Additions,
        changes: &ChangeSet,
        task: &Task<'_>,
    ) -> Result<(u64, u64)> {
        let store = self.graph().store();
        let mut directory = Directory { changes: None, ..store.directory().clone() };
        let mut writer = self.begin_commit(&mut directory, task)?;
        let generation = writer.generation();
        directory.nodes = changes.nodes();
        let encoder = Encoder::new(store.header().profile, codec_of(store.directory())).until(task.flag());
        let graph = self.graph();
        NewRows { graph, directory: &mut directory, encoder: &encoder, writer: &mut writer }
            .add(additions)?;
        if !changes.is_empty() {
            directory.changes = Some(encode(changes, &directory, &encoder, &mut writer, task)?);
        }
        task.check()?;
        Ok((self.commit(writer, directory)?, generation))
    }
}

/// The layer of what diffs declare.
const LAYER: &str = "diff";

/// Gives a directory rows of what a diff declares: they are of the base, where they have nothing.
struct NewRows<'a> {
    graph: &'a Graph,
    directory: &'a mut Directory,
    encoder: &'a Encoder,
    writer: &'a mut StoreWriter,
}

impl NewRows<'_> {
    fn add(&mut self, additions: &Additions) -> Result<()> {
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
        let words = self.directory.mask_words();
        for labels in label_sets {
            let first = self.directory.label_sets.len();
            self.directory.label_sets.resize(first + words, 0);
            let mask = &mut self.directory.label_sets[first..];
            labels.iter().for_each(|label| mask[label.index() / 64] |= 1 << (label.0 % 64));
        }
        Ok(())
    }

    fn layer(&mut self, names: &mut NamesBuilder) -> u32 {
        let (name, tool) = (names.intern(LAYER), names.intern("varvite"));
        let known = self.directory.layers.iter().position(|row| row.name == name);
        let layer = known.unwrap_or_else(|| {
            let version = names.intern(env!("CARGO_PKG_VERSION"));
            self.directory.layers.push(LayerRow { name, tool, version, time: 0, source: [0; 32] });
            self.directory.layers.len() - 1
        });
        layer as u32
    }

    fn add_labels(&mut self, labels: &[String], layer: u32, names: &mut NamesBuilder) -> Result<()> {
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

    fn add_edge_labels(&mut self, labels: &[String], layer: u32, names: &mut NamesBuilder) -> Result<()> {
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
    ) -> Result<()> {
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

    fn no_owners(&mut self) -> Result<ColumnId> {
        Ok(self.writer.add(self.encoder.members(&[], 0)?)?)
    }

    fn no_numbers(&mut self) -> Result<ColumnId> {
        Ok(self.writer.add(self.encoder.numbers::<u32>(&[])?)?)
    }

    /// The way from in-lists to ranks, which a label needs with its first property.
    fn places(&mut self, label: EdgeLabelId) -> Result<ColumnId> {
        if self.directory.edge_labels[label.index()].edges == 0 {
            return self.no_numbers();
        }
        let reader = Reader { graph: self.graph };
        let BaseEdges::Lists { out, in_ } = reader.edges(label)? else {
            return self.no_numbers();
        };
        let nodes = self.graph.store().directory().base_nodes();
        let (out, in_) = (all_lists(&out, nodes, reader)?, all_lists(&in_, nodes, reader)?);
        let places = pair_places(
            ListsInput { offsets: &out.0, neighbors: &out.1 },
            ListsInput { offsets: &in_.0, neighbors: &in_.1 },
        );
        let places = places.map_err(|node| reader.impossible("neighbours", node))?;
        Ok(self.writer.add(self.encoder.numbers(&places)?)?)
    }
}

/// All lists of one direction: where each starts, and the end of the last; and the neighbours.
fn all_lists(lists: &BaseLists, nodes: u32, reader: Reader<'_>) -> Result<(Vec<u32>, Vec<u32>)> {
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
