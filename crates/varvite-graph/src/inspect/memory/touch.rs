//! [`Touched`]: reads whole parts of a graph, to measure time and memory.

use std::hint::black_box;

use varvite_format::{EdgeLabelId, LabelId, PropertyId};

use crate::cursor::adjacency::{Adjacency, Direction, Places};
use crate::cursor::columns::{adjacency_name, edge_label_name, index_name, label_name, property_name};
use crate::cursor::labels::{LabelNodes, Labels};
use crate::cursor::property::Property;
use crate::cursor::subtree::Subtree;
use crate::cursor::texts::Texts;
use crate::error::Result;
use crate::graph::Graph;
use crate::open::index::TextIndex;

/// Parts of a graph that were read. They stay open while this value exists, and the ledger counts them as
/// pinned.
#[derive(Debug, Default)]
pub struct Touched {
    opened: Vec<Opened>,
}

/// A part of a graph that can be read separately.
#[derive(Clone, Copy, Debug)]
enum Readable {
    LabelSets,
    Tree(EdgeLabelId),
    Label(LabelId),
    Edges(EdgeLabelId, Direction),
    Places(EdgeLabelId),
    Property(PropertyId),
    Index(PropertyId),
}

/// A part that was read and is kept open.
#[derive(Debug)]
#[expect(dead_code, reason = "held, so that columns stay pinned")]
enum Opened {
    LabelSets(Labels),
    Tree(Option<Subtree>, Adjacency),
    Nodes(LabelNodes),
    Edges(Adjacency),
    Places(Option<Places>),
    Property(Property),
    Index(Option<TextIndex>),
}

impl Touched {
    /// The names of the kinds of parts.
    pub const KINDS: [&'static str; 6] = ["labels", "tree", "edges", "properties", "indexes", "all"];

    /// Reads all values of the parts that `word` selects. `word` is one of [`Touched::KINDS`], the name of a
    /// part in [`MemoryReport`], such as `property NAME`, or the first words of such a name, such as `edges
    /// CFG`. Returns the number of parts that were read.
    ///
    /// Costs the time of a scan of the columns, and the memory of the columns. Texts are decoded block by
    /// block.
    ///
    /// # Errors
    /// [`GraphError::Store`](crate::GraphError::Store): damage found when a column is opened, or more memory
    /// than the graph may hold. [`Graph::check`] reports damage that the reads find.
    ///
    /// [`MemoryReport`]: super::MemoryReport
    pub fn read(&mut self, graph: &Graph, word: &str) -> Result<usize> {
        let meant = Readable::all(graph).into_iter().filter(|part| part.is_meant(graph, word));
        let before = self.opened.len();
        for part in meant {
            self.opened.push(part.read(graph)?);
        }
        Ok(self.opened.len() - before)
    }
}

impl Readable {
    fn all(graph: &Graph) -> Vec<Self> {
        let directory = graph.store().directory();
        let mut parts = vec![Self::LabelSets];
        parts.extend(directory.tree_label.map(Self::Tree));
        parts.extend(graph.label_ids().map(Self::Label));
        for label in graph.edge_label_ids() {
            parts.extend(Direction::BOTH.map(|direction| Self::Edges(label, direction)));
            let places = directory.edge_labels[label.index()].places;
            parts.extend(places.map(|_| Self::Places(label)));
        }
        parts.extend(graph.property_ids().map(Self::Property));
        parts.extend(directory.text_indexes.iter().map(|row| Self::Index(row.property)));
        parts
    }

    fn is_meant(self, graph: &Graph, word: &str) -> bool {
        let is_name = || {
            let name = self.name(graph);
            name.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        word == "all" || word == self.kind() || is_name()
    }

    fn kind(self) -> &'static str {
        match self {
            Self::LabelSets | Self::Label(_) => "labels",
            Self::Tree(_) => "tree",
            Self::Edges(..) | Self::Places(_) => "edges",
            Self::Property(_) => "properties",
            Self::Index(_) => "indexes",
        }
    }

    /// The part's name in [`MemoryReport`](super::MemoryReport). If the report divides the columns of the
    /// part among several names, this is the name that has most of them.
    fn name(self, graph: &Graph) -> String {
        let directory = graph.store().directory();
        match self {
            Self::LabelSets => "node".to_owned(),
            Self::Tree(_) => "subtree".to_owned(),
            Self::Label(label) => label_name(directory, label),
            Self::Edges(label, direction) => adjacency_name(directory, label, direction),
            Self::Places(label) => edge_label_name(directory, label),
            Self::Property(property) => property_name(directory, property),
            Self::Index(property) => index_name(directory, property),
        }
    }

    fn read(self, graph: &Graph) -> Result<Opened> {
        Ok(match self {
            Self::LabelSets => Opened::LabelSets(read_label_sets(graph)?),
            Self::Tree(label) => read_tree(graph, label)?,
            Self::Label(label) => {
                let nodes = graph.nodes_of(label)?;
                nodes.iter().for_each(|node| {
                    black_box(node);
                });
                Opened::Nodes(nodes)
            }
            Self::Edges(label, direction) => Opened::Edges(read_edges(graph, label, direction)?),
            Self::Places(label) => Opened::Places(read_places(graph, label)?),
            Self::Property(property) => Opened::Property(read_property(graph, property)?),
            Self::Index(property) => Opened::Index(read_index(graph, property)?),
        })
    }
}

fn read_label_sets(graph: &Graph) -> Result<Labels> {
    let labels = graph.label_sets()?;
    labels.count_codes(0..graph.node_count(), &mut Vec::new());
    Ok(labels)
}

/// Reads the sizes of subtrees, if the graph has a subtree index, and all parents.
fn read_tree(graph: &Graph, label: EdgeLabelId) -> Result<Opened> {
    let subtree = graph.subtree()?;
    if let Some(subtree) = &subtree {
        (0..graph.node_count()).for_each(|node| {
            black_box(subtree.size(node));
        });
    }
    Ok(Opened::Tree(subtree, read_edges(graph, label, Direction::In)?))
}

fn read_edges(graph: &Graph, label: EdgeLabelId, direction: Direction) -> Result<Adjacency> {
    let edges = graph.adjacency(label, direction)?;
    edges.for_each_edge(|_, neighbor| {
        black_box(neighbor);
    });
    Ok(edges)
}

fn read_places(graph: &Graph, label: EdgeLabelId) -> Result<Option<Places>> {
    let places = graph.places(label)?;
    if let Some(places) = &places {
        let count = graph.store().directory().edge_labels[label.index()].edges;
        // Stop at the first damage, because one note of damage is enough.
        (0..count as usize).map_while(|position| places.place(position)).for_each(|place| {
            black_box(place);
        });
    }
    Ok(places)
}

/// Reads the values of all owners, and each text once.
fn read_property(graph: &Graph, property: PropertyId) -> Result<Property> {
    let property = graph.property_at(property)?;
    property.for_each(|_, number| {
        black_box(number);
    });
    if let Some(texts) = property.strings() {
        for_each_text(texts, |_, _| {});
    }
    Ok(property)
}

/// Looks up each text of an index, and reads its nodes.
fn read_index(graph: &Graph, property: PropertyId) -> Result<Option<TextIndex>> {
    let index = graph.text_index(&graph.properties()[property.index()].name)?;
    if let Some(index) = &index {
        let mut nodes = Vec::new();
        for_each_text(index.strings(), |code, text| {
            black_box(std::str::from_utf8(text).ok().and_then(|text| index.find(text)));
            index.append(code, |_| true, &mut nodes);
            nodes.clear();
        });
    }
    Ok(index)
}

/// Reads each text, until a text cannot be read or the texts exceed the allowance, which depends on the
/// file's length.
fn for_each_text(texts: &Texts, mut visit: impl FnMut(u32, &[u8])) {
    let (mut reader, allowance) = (texts.reader(), texts.allowance());
    for code in 0..texts.len() {
        let Some(text) = reader.bytes(code) else { return };
        if !texts.may_read(text.len(), &allowance) {
            return;
        }
        black_box(text.iter().fold(0, |all, byte| all ^ byte));
        visit(code, text);
    }
}
