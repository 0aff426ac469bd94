//! [`Draft`]: a graph as vectors, which become the columns of a file. Drafts are made from graphs of the
//! reference implementation, `varvite-model`.
//!
//! Tests change a draft to write files that no graph of the model yields, such as files with rows in another
//! order. The writer refuses a draft with columns that contradict each other. The module `contradiction` in
//! the tests of `varvite` makes files with such columns.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use varvite::change::ChangeError;
use varvite::{Cardinality, Graph, OpenOptions, Profile, Result, ValueType};
use varvite::{
    columns::{
        EdgeLabelSpec, Encoder, GraphWriter, Heat, LabelSpec, ListsInput, PropertyInput, PropertySpec,
        TextsInput, ValuesInput, WriteOptions, pair_places, subtree_sizes,
    },
    write::LayerSpec,
};
use varvite_format::{EdgeLabelId, Owner};
use varvite_model::{
    AST, CaseGraph, CaseProperty, ModelGraph, NodeId, Presence, RandomGraph, RandomProperty, Value,
};
use varvite_store::Vfs;

use crate::vfs::MemoryVfs;

/// The path of drafts that are written in memory.
pub const PATH: &str = "draft.varvite";

/// The content of a graph file.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The number of nodes.
    pub nodes: u32,
    /// The code of each node's label set, which is an index of `masks`.
    pub codes: Vec<u32>,
    /// The mask of each label set, with a bit for each label.
    pub masks: Vec<u64>,
    /// The labels, by number.
    pub labels: Vec<DraftLabel>,
    /// The edge labels with their lists, by number.
    pub edges: Vec<DraftEdges>,
    /// The size of the subtree of each node; `None` if the AST is no forest.
    pub subtree: Option<Vec<u32>>,
    /// Whether lists of the AST are written although they can be computed from the forest.
    pub is_forest_listed: bool,
    /// The properties of nodes and edges.
    pub properties: Vec<DraftProperty>,
    /// The names of the properties that have an index.
    pub indexed: Vec<String>,
    /// The parent of each node; `u32::MAX` for none.
    pub parents: Vec<u32>,
    /// The source of the file, from which the file id is derived.
    pub source: String,
}

/// A label and its nodes.
#[derive(Clone, Debug)]
pub struct DraftLabel {
    /// The name of the label.
    pub name: String,
    /// The nodes that have the label, ascending.
    pub nodes: Vec<u32>,
    /// The number of nodes of this label in the source, including deleted ones.
    pub origin_count: u32,
    /// The number that each of the label's nodes has in the source; `None` if nodes kept their order.
    pub origin: Option<Vec<u32>>,
}

/// An edge label with its lists in both directions.
#[derive(Clone, Debug)]
pub struct DraftEdges {
    /// The name of the label.
    pub name: String,
    /// The targets of each node.
    pub out: DraftLists,
    /// The sources of each node.
    pub in_: DraftLists,
    /// The place of each in-edge in the out-list of its source; `None` if edges have no property.
    pub places: Option<Vec<u32>>,
}

/// A list for each node.
#[derive(Clone, Debug, Default)]
pub struct DraftLists {
    /// The start of each node's list, and the end of the last.
    pub offsets: Vec<u32>,
    /// The concatenated lists.
    pub neighbors: Vec<u32>,
}

/// A property with a list of values for each owner.
#[derive(Clone, Debug)]
pub struct DraftProperty {
    /// The name, owner and type of the property.
    pub spec: PropertySpec,
    /// The start of each owner's values, and the end of the last.
    pub offsets: Vec<u32>,
    /// The concatenated values.
    pub values: DraftValues,
}

/// The values of a property in stored form.
#[derive(Clone, Debug)]
pub enum DraftValues {
    /// Values of all types but texts and bytes.
    Numbers(Vec<i64>),
    /// Values of texts and bytes.
    Texts {
        /// The distinct texts.
        texts: Vec<Vec<u8>>,
        /// The number of the text of each value; the count of texts stands for null.
        codes: Vec<u32>,
        /// Whether texts are in the order of their bytes.
        sorted: bool,
    },
}

/// The declared names and properties of a graph.
struct Schema<'a> {
    labels: &'a [&'static str],
    edge_labels: &'a [&'static str],
    properties: Vec<PropertySpec>,
    /// The properties of edges, each with the name of its edge label.
    edge_properties: Vec<(String, PropertySpec)>,
}

impl Draft {
    /// The draft of a graph whose nodes are in canonical order, with every property that random graphs
    /// declare.
    pub fn of(graph: &ModelGraph) -> Self {
        Self::with_properties(graph, &RandomGraph::PROPERTIES)
    }

    /// The draft of a graph whose nodes are in canonical order, with these properties.
    pub fn with_properties(graph: &ModelGraph, properties: &[RandomProperty]) -> Self {
        let label = RandomGraph::EDGE_PROPERTY_LABEL;
        let edge_properties = match graph.edge_labels().contains(label) {
            true => vec![(label.to_owned(), of_edges(RandomGraph::EDGE_PROPERTY_NAME, ValueType::String))],
            false => Vec::new(),
        };
        let properties = properties.iter().map(of_random).collect();
        let schema =
            Schema { labels: &["NOBODY"], edge_labels: &[AST, "NEVER"], properties, edge_properties };
        Self::with_schema(graph, schema)
    }

    /// The draft of a graph with nodes in canonical order and all names of random graphs, as if the graph was
    /// not imported from a file.
    pub fn of_no_file(graph: &ModelGraph) -> Self {
        let label = RandomGraph::EDGE_PROPERTY_LABEL;
        let edge_property = of_edges(RandomGraph::EDGE_PROPERTY_NAME, ValueType::String);
        let schema = Schema {
            labels: &[
                "METHOD",
                "BLOCK",
                "CALL",
                "IDENTIFIER",
                "LITERAL",
                "FILE",
                "TYPE",
                "META_DATA",
                "HOT",
                "größe",
            ],
            edge_labels: &[AST, "CFG", "CALL", "REF", "ARGUMENT", "EVAL_TYPE", "CONTAINS", label],
            properties: RandomGraph::PROPERTIES.iter().map(of_random).collect(),
            edge_properties: vec![(label.to_owned(), edge_property)],
        };
        let mut draft = Self::with_schema(graph, schema);
        for label in &mut draft.labels {
            (label.origin, label.origin_count) = (None, 0);
        }
        draft
    }

    /// The draft of the graph of a conformance case, with only the names that the case uses.
    pub fn of_case(case: &CaseGraph, name: &str) -> Self {
        let properties = case.properties.iter().map(|property| of_case(&case.graph, property)).collect();
        let edge_properties = case.edge_properties.iter().map(|(label, property)| {
            (label.clone(), of_edges(&property.name, value_type(property.value_type)))
        });
        let edge_properties = edge_properties.collect();
        let schema = Schema { labels: &[], edge_labels: &[], properties, edge_properties };
        Self { source: name.to_owned(), ..Self::with_schema(&case.graph, schema) }
    }

    fn with_schema(graph: &ModelGraph, schema: Schema<'_>) -> Self {
        let nodes = graph.nodes();
        assert_eq!(nodes.len(), graph.slot_count(), "no holes");
        let mut draft = Self {
            nodes: nodes.len() as u32,
            codes: Vec::new(),
            masks: Vec::new(),
            labels: Vec::new(),
            edges: Vec::new(),
            subtree: None,
            is_forest_listed: false,
            properties: Vec::new(),
            indexed: Vec::new(),
            parents: parents(graph),
            source: "a draft".to_owned(),
        };
        draft.add_labels(graph, schema.labels);
        let names: BTreeSet<&str> =
            graph.edge_labels().into_iter().chain(schema.edge_labels.iter().copied()).collect();
        let has_property = |name: &str| schema.edge_properties.iter().any(|(label, _)| label == name);
        draft.edges = names.into_iter().map(|name| DraftEdges::of(graph, name, has_property(name))).collect();
        if let Some(edges) = draft.edges.iter().find(|edges| edges.name == AST) {
            draft.subtree = subtree_sizes(&edges.out.offsets, &edges.out.neighbors);
        }
        draft.add_properties(graph, schema);
        draft
    }

    fn add_labels(&mut self, graph: &ModelGraph, more: &[&'static str]) {
        let mut names: BTreeSet<&str> = more.iter().copied().collect();
        names.extend(graph.nodes().into_iter().flat_map(|node| graph.labels(node)).map(String::as_str));
        self.labels = (0..).zip(names).map(|(number, name)| DraftLabel::of(graph, name, number)).collect();
        let mut codes: BTreeMap<String, u32> = BTreeMap::new();
        for node in graph.nodes() {
            let next = codes.len() as u32;
            let code = *codes.entry(graph.label_text(node)).or_insert(next);
            self.codes.push(code);
            if code == next {
                let has = |label: &DraftLabel| graph.has_label(node, &label.name);
                let bits = self.labels.iter().enumerate().filter(|(_, label)| has(label));
                self.masks.push(bits.map(|(bit, _)| 1 << bit).sum());
            }
        }
    }

    fn add_properties(&mut self, graph: &ModelGraph, schema: Schema<'_>) {
        let nodes = graph.nodes();
        for spec in schema.properties {
            let values = nodes.iter().map(|node| graph.values(*node, &spec.name));
            self.properties.push(DraftProperty::of(spec.clone(), values));
        }
        for (label, spec) in schema.edge_properties {
            let number = self.edges.iter().position(|edges| edges.name == label).unwrap();
            let edges: Vec<_> = nodes.iter().flat_map(|node| graph.out_edges(*node, &label)).collect();
            let values = edges.iter().map(|edge| edge.property.map_or(&[][..], std::slice::from_ref));
            let spec = PropertySpec { owner: Owner::Edge(EdgeLabelId::from_index(number)), ..spec };
            self.properties.push(DraftProperty::of(spec, values));
        }
    }

    /// The same graph, with the rows of the schema and the texts in another order.
    pub fn turned(mut self) -> Self {
        let labels = self.labels.len();
        self.labels.reverse();
        for mask in &mut self.masks {
            *mask = mask.reverse_bits() >> (64 - labels);
        }
        let codes = self.masks.len() as u32;
        self.masks.reverse();
        self.codes.iter_mut().for_each(|code| *code = codes - 1 - *code);
        self.edges.reverse();
        self.properties.reverse();
        for property in &mut self.properties {
            if let Owner::Edge(label) = &mut property.spec.owner {
                label.0 = self.edges.len() as u32 - 1 - label.0;
            }
            if let DraftValues::Texts { texts, codes, .. } = &mut property.values {
                let count = texts.len() as u32;
                texts.reverse();
                codes.iter_mut().filter(|code| **code < count).for_each(|code| *code = count - 1 - *code);
            }
        }
        self
    }

    /// The same graph, with one sorted string table for all properties.
    pub fn with_shared_texts(mut self) -> Self {
        let mut all = BTreeSet::new();
        for property in &self.properties {
            if let DraftValues::Texts { texts, .. } = &property.values {
                all.extend(texts.iter().cloned());
            }
        }
        let is_text = |text: &Vec<u8>| std::str::from_utf8(text).is_ok();
        let all: Vec<Vec<u8>> = all.into_iter().filter(is_text).collect();
        for property in
            self.properties.iter_mut().filter(|property| property.spec.value_type == ValueType::String)
        {
            let DraftValues::Texts { texts, codes, sorted } = &mut property.values else { continue };
            for code in codes {
                let text = texts.get(*code as usize);
                let shared = text.map_or(all.len(), |text| all.binary_search(text).unwrap());
                *code = shared as u32;
            }
            (*texts, *sorted) = (all.clone(), true);
        }
        self
    }

    /// The same graph, with an index of every property that may have one.
    pub fn indexed(mut self) -> Self {
        let specs = self.properties.iter().map(|property| &property.spec);
        let specs = specs.filter(|spec| spec.owner == Owner::Node && spec.value_type == ValueType::String);
        self.indexed = specs.map(|spec| spec.name.clone()).collect();
        self
    }

    /// Writes the graph to memory and opens it.
    pub fn open(&self, profile: Profile) -> Graph {
        open_bytes(&self.bytes(profile)).unwrap()
    }

    /// The bytes of a file of this graph.
    pub fn bytes(&self, profile: Profile) -> Vec<u8> {
        self.bytes_with(&WriteOptions { profile, ..WriteOptions::default() })
    }

    /// The bytes of a file of this graph, with these options.
    pub fn bytes_with(&self, options: &WriteOptions) -> Vec<u8> {
        let vfs = MemoryVfs::new();
        self.write_with(Arc::new(vfs.clone()), Path::new(PATH), options).unwrap();
        vfs.contents(PATH).unwrap()
    }

    /// Writes a file.
    pub fn write(&self, vfs: Arc<dyn Vfs>, target: &Path, profile: Profile) -> Result<u64, ChangeError> {
        self.write_with(vfs, target, &WriteOptions { profile, ..WriteOptions::default() })
    }

    /// Writes a file, with these options.
    pub fn write_with(
        &self,
        vfs: Arc<dyn Vfs>,
        target: &Path,
        options: &WriteOptions,
    ) -> Result<u64, ChangeError> {
        let encoder = GraphWriter::encoder(options);
        let nodes = self.nodes;
        let mut writer = GraphWriter::create(vfs, target, nodes, self.source.as_bytes(), options)?;
        for name in ["code", "code/dataflow"] {
            writer.add_layer(&LayerSpec { name, tool: "draft", version: "1", source: [7; 32] });
        }
        writer.set_label_codes(encoder.labels(&self.codes)?, self.masks.clone())?;
        for label in &self.labels {
            writer.add_label(LabelSpec {
                name: &label.name,
                layer: 0,
                nodes: encoder.set(&bitmap(&label.nodes, self.nodes), self.nodes)?,
                origin_count: label.origin_count,
                origin: label
                    .origin
                    .as_ref()
                    .map(|numbers| encoder.origin(numbers, label.origin_count))
                    .transpose()?,
            })?;
        }
        for (number, edges) in self.edges.iter().enumerate() {
            self.write_edges(&mut writer, &encoder, EdgeLabelId::from_index(number), edges)?;
        }
        for property in &self.properties {
            property.write(&mut writer, &encoder, self)?;
        }
        writer.finish()
    }

    fn write_edges(
        &self,
        writer: &mut GraphWriter,
        encoder: &Encoder,
        label: EdgeLabelId,
        edges: &DraftEdges,
    ) -> Result<(), ChangeError> {
        if edges.name == AST {
            writer.set_tree_label(label);
        }
        let sizes = self.subtree.as_ref().filter(|_| edges.name == AST);
        if let Some(sizes) = sizes {
            writer.set_forest(encoder.forest(sizes)?, label)?;
        }
        let heat =
            if ["CFG", "HAS_A", "HAS_B"].contains(&edges.name.as_str()) { Heat::Hot } else { Heat::Cold };
        let is_listed = sizes.is_none() || self.is_forest_listed;
        let side = |lists: &DraftLists| is_listed.then(|| encoder.adjacency(lists.input(), heat)).transpose();
        writer.add_edge_label(EdgeLabelSpec {
            name: &edges.name,
            layer: u32::from(edges.places.is_some()),
            edges: edges.in_.neighbors.len() as u64,
            out: side(&edges.out)?,
            in_: side(&edges.in_)?,
            places: edges
                .places
                .as_ref()
                .map(|places| encoder.places(edges.in_.input(), places))
                .transpose()?,
        })
    }
}

impl DraftLabel {
    /// Makes a label with its nodes. Every second label has origins: its nodes in reverse order, after two
    /// deleted ones.
    fn of(graph: &ModelGraph, name: &str, number: u32) -> Self {
        let nodes: Vec<u32> = graph.nodes_with_label(name).iter().map(|node| node.0 as u32).collect();
        let count = nodes.len() as u32;
        let origin = (number % 2 == 1).then(|| (2..count + 2).rev().collect());
        Self { name: name.to_owned(), nodes, origin_count: count + 2 * (number % 2), origin }
    }
}

impl DraftEdges {
    fn of(graph: &ModelGraph, name: &str, has_property: bool) -> Self {
        let out = DraftLists::of(graph, |node| graph.targets(node, name));
        let in_ = DraftLists::of(graph, |node| graph.sources(node, name).to_vec());
        let places = has_property.then(|| pair_places(out.input(), in_.input()).unwrap());
        Self { name: name.to_owned(), out, in_, places }
    }
}

impl DraftLists {
    fn of(graph: &ModelGraph, neighbors: impl Fn(NodeId) -> Vec<NodeId>) -> Self {
        let mut lists = Self { offsets: vec![0], neighbors: Vec::new() };
        for node in graph.nodes() {
            lists.neighbors.extend(neighbors(node).iter().map(|neighbor| neighbor.0 as u32));
            lists.offsets.push(lists.neighbors.len() as u32);
        }
        lists
    }

    fn input(&self) -> ListsInput<'_> {
        ListsInput { offsets: &self.offsets, neighbors: &self.neighbors }
    }
}

impl DraftProperty {
    fn of<'a>(spec: PropertySpec, lists: impl Iterator<Item = &'a [Value]>) -> Self {
        let (mut offsets, mut all) = (vec![0], Vec::new());
        for list in lists {
            all.extend(list);
            offsets.push(all.len() as u32);
        }
        let values = match spec.value_type {
            ValueType::String | ValueType::Bytes => DraftValues::of_texts(&all),
            _ => DraftValues::Numbers(all.into_iter().map(number).collect()),
        };
        Self { spec, offsets, values }
    }

    fn write(&self, writer: &mut GraphWriter, encoder: &Encoder, draft: &Draft) -> Result<(), ChangeError> {
        let parents = if self.spec.owner == Owner::Node { &draft.parents[..] } else { &[] };
        let mut bytes = Vec::new();
        let mut ranges = Vec::new();
        let values = match &self.values {
            DraftValues::Numbers(numbers) if self.spec.value_type == ValueType::Bool => {
                ValuesInput::Truth(numbers)
            }
            DraftValues::Numbers(numbers) => ValuesInput::Numbers(numbers),
            DraftValues::Texts { texts, codes, sorted } => {
                for text in texts {
                    ranges.push((bytes.len() as u32, text.len() as u32));
                    bytes.extend_from_slice(text);
                }
                let (bytes, texts, sorted) = (&bytes, &ranges, *sorted);
                ValuesInput::Texts(TextsInput { bytes, texts, codes, sorted, parents })
            }
        };
        let input = PropertyInput { offsets: &self.offsets, values };
        let columns = match draft.indexed.contains(&self.spec.name) {
            true => encoder.indexed_property(input, &draft.codes)?,
            false => encoder.property(input)?,
        };
        writer.add_property(&self.spec, columns)
    }
}

impl DraftValues {
    /// Distinct texts in the order of first use.
    fn of_texts(values: &[&Value]) -> Self {
        let text_of = |value: &Value| match value {
            Value::String(text) => Some(text.clone().into_bytes()),
            Value::Bytes(bytes) => Some(bytes.clone()),
            _ => None,
        };
        let mut texts: Vec<Vec<u8>> = Vec::new();
        for text in values.iter().filter_map(|value| text_of(value)) {
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        let code = |value: &&Value| match text_of(value) {
            Some(text) => texts.iter().position(|known| *known == text).unwrap(),
            None => texts.len(),
        };
        let codes = values.iter().map(|value| code(value) as u32).collect();
        Self::Texts { texts, codes, sorted: false }
    }
}

fn of_random(property: &RandomProperty) -> PropertySpec {
    let cardinality = match (property.list, property.presence) {
        (true, _) => Cardinality::List,
        (false, Presence::All) => Cardinality::One,
        (false, _) => Cardinality::Optional,
    };
    PropertySpec {
        name: property.name.to_owned(),
        owner: Owner::Node,
        layer: 0,
        value_type: value_type(property.value_type),
        cardinality,
        default: (property.name == "NAME").then(|| "<empty>".to_owned()),
    }
}

fn of_case(graph: &ModelGraph, property: &CaseProperty) -> PropertySpec {
    let is_everywhere = graph.nodes().iter().all(|node| !graph.values(*node, &property.name).is_empty());
    let cardinality = match (property.is_list, is_everywhere) {
        (true, _) => Cardinality::List,
        (false, true) => Cardinality::One,
        (false, false) => Cardinality::Optional,
    };
    let (name, value_type) = (property.name.clone(), value_type(property.value_type));
    PropertySpec { name, owner: Owner::Node, layer: 0, value_type, cardinality, default: None }
}

/// A property of edges; the number of its edge label is set later.
fn of_edges(name: &str, value_type: ValueType) -> PropertySpec {
    PropertySpec {
        name: name.to_owned(),
        owner: Owner::Edge(EdgeLabelId(0)),
        layer: 1,
        value_type,
        cardinality: Cardinality::Optional,
        default: None,
    }
}

/// Opens a file from its bytes.
pub fn open_bytes(bytes: &[u8]) -> Result<Graph> {
    let vfs = MemoryVfs::new();
    vfs.put(PATH, bytes);
    OpenOptions::new().open_in(&vfs, PATH)
}

fn parents(graph: &ModelGraph) -> Vec<u32> {
    let parent = |node: NodeId| graph.sources(node, AST).last().map_or(u32::MAX, |parent| parent.0 as u32);
    graph.nodes().into_iter().map(parent).collect()
}

/// A bitmap of `members` with a bit for each of `nodes` nodes.
pub fn bitmap(members: &[u32], nodes: u32) -> Vec<u64> {
    let mut words = vec![0u64; nodes.div_ceil(64) as usize];
    members.iter().for_each(|member| words[*member as usize / 64] |= 1 << (member % 64));
    words
}

/// The stored form of a value.
fn number(value: &Value) -> i64 {
    match value {
        Value::Bool(value) => i64::from(*value),
        Value::I8(value) => i64::from(*value),
        Value::I16(value) => i64::from(*value),
        Value::I32(value) => i64::from(*value),
        Value::I64(value) => *value,
        Value::U8(value) => i64::from(*value),
        Value::U16(value) => i64::from(*value),
        Value::U32(value) => i64::from(*value),
        Value::U64(value) => *value as i64,
        Value::F32(value) => i64::from(value.to_bits()),
        Value::F64(value) => value.to_bits() as i64,
        Value::Ref(node) => node.map_or(i64::from(u32::MAX), |node| node.0 as i64),
        Value::String(_) | Value::Null | Value::Bytes(_) => unreachable!("texts have codes"),
    }
}

fn value_type(of_model: varvite_model::ValueType) -> ValueType {
    use varvite_model::ValueType as Model;
    match of_model {
        Model::Bool => ValueType::Bool,
        Model::I8 => ValueType::I8,
        Model::I16 => ValueType::I16,
        Model::I32 => ValueType::I32,
        Model::I64 => ValueType::I64,
        Model::U8 => ValueType::U8,
        Model::U16 => ValueType::U16,
        Model::U32 => ValueType::U32,
        Model::U64 => ValueType::U64,
        Model::F32 => ValueType::F32,
        Model::F64 => ValueType::F64,
        Model::String => ValueType::String,
        Model::Bytes => ValueType::Bytes,
        Model::Ref => ValueType::Ref,
    }
}
