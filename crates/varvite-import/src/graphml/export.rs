//! [`GraphmlExport`]: converts a graph to a GraphML document.
//!
//! The document lists nodes in the order of their ids, and then edges, one label after another. As in
//! documents of APOC, each label is both an attribute and the value of a key, because some readers use the
//! attribute and some the key.

use std::fmt;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use thiserror::Error;
use varvite::cursor::Labels;
use varvite::error::{Cancelled, StoreError};
use varvite::{
    Direction, EdgeLabelId, ErrorCode, Graph, GraphError, Property, PropertyId, PropertyInfo, Value,
    ValueType,
};
use varvite_store::StagedStream;

use super::escaped::{self, Escaped};
use crate::export_settings::{ExportReport, ExportSettings};
use crate::text_room::{LongTexts, TextRoom};

/// An export of a graph to a GraphML document.
///
/// ```no_run
/// use varvite::Graph;
/// use varvite_import::graphml::GraphmlExport;
///
/// let graph = Graph::open("code.varvite")?;
/// GraphmlExport::new(&graph).write_to("code.graphml")?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "an export begins with `write_to`"]
pub struct GraphmlExport<'a> {
    graph: &'a Graph,
    settings: ExportSettings<'a>,
    /// The nodes to write, ascending, and the labels of edges between them; `None` for the whole graph.
    part: Option<(Vec<u32>, Vec<String>)>,
}

/// The reason why an export failed. The target has no new file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GraphmlExportError {
    /// The graph could not be read, or the target could not be written.
    #[error(transparent)]
    Graph(GraphError),
    /// A text has a character that XML can't represent.
    #[error("{owner}: {property} has the character U+{character:04X}, which XML cannot hold")]
    Character {
        /// The node or edge with the text.
        owner: String,
        /// The name of the property.
        property: String,
        /// The code point of the character.
        character: u32,
    },
    /// GraphML can't represent a value: GraphML has only signed 64-bit integers, and no nulls in lists.
    #[error("{owner}: {property} has {found}, which GraphML cannot hold")]
    Value {
        /// The node or edge with the value.
        owner: String,
        /// The name of the property.
        property: String,
        /// The value.
        found: String,
    },
    /// GraphML has no values of this type.
    #[error("{property} holds {found}, for which GraphML has no type; drop the property before the export")]
    Type {
        /// The name of the property.
        property: String,
        /// The type of the property's values.
        found: &'static str,
    },
    /// A property has a name that readers of the document take for the name of labels.
    #[error("readers of the document would take the property {property} for labels: give it another name")]
    Labels {
        /// The name of the property.
        property: String,
    },
    /// The document would be far longer than the graph, because many values share long texts, or because the
    /// texts of a hostile file share their bytes.
    #[error(
        "the texts of the document would have more than {limit} bytes, 1024 for each byte, node and edge of the \
         graph: its values share long texts"
    )]
    LongTexts {
        /// The largest number of bytes.
        limit: u64,
    },
    /// The graph has removed nodes that still have ids.
    #[error("the graph has removed nodes: run `varvite compact` first, and export the compacted graph")]
    Removed,
}

type Result<T> = std::result::Result<T, GraphmlExportError>;

impl GraphmlExportError {
    /// The number of this error, the same in every language.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Graph(error) => error.code(),
            _ => ErrorCode::Foreign,
        }
    }
}

impl From<GraphError> for GraphmlExportError {
    fn from(error: GraphError) -> Self {
        Self::Graph(error)
    }
}

impl From<StoreError> for GraphmlExportError {
    fn from(error: StoreError) -> Self {
        Self::Graph(error.into())
    }
}

impl From<LongTexts> for GraphmlExportError {
    fn from(LongTexts(limit): LongTexts) -> Self {
        Self::LongTexts { limit }
    }
}

impl From<Cancelled> for GraphmlExportError {
    fn from(_: Cancelled) -> Self {
        Self::Graph(GraphError::Cancelled)
    }
}

impl From<io::Error> for GraphmlExportError {
    /// Only writes to the target return an `io::Error`, which wraps an error of the store.
    fn from(error: io::Error) -> Self {
        match error.downcast::<StoreError>() {
            Ok(error) => error.into(),
            Err(error) => {
                Self::Graph(StoreError::io(varvite_store::Operation::Write, Path::new(""), error).into())
            }
        }
    }
}

impl<'a> GraphmlExport<'a> {
    /// An export of `graph`.
    pub fn new(graph: &'a Graph) -> Self {
        Self { graph, settings: ExportSettings::new(), part: None }
    }

    /// Writes only these nodes, and the edges between them that have one of these labels. A reference to a
    /// node that is left out remains.
    pub fn part(mut self, mut nodes: Vec<u32>, labels: Vec<String>) -> Self {
        nodes.sort_unstable();
        nodes.dedup();
        self.part = Some((nodes, labels));
        self
    }

    /// Sets the properties to leave out, and the limits of the export, which runs on the caller's thread.
    /// Progress counts a step for all nodes, and one for each edge label.
    pub fn settings(self, settings: ExportSettings<'a>) -> Self {
        Self { settings, ..self }
    }

    /// Writes a document at `target`. Equal graphs give equal bytes.
    ///
    /// Node 7 gets the id `n7`. Edges keep their order in out-lists; their order in in-lists is lost. Nulls
    /// are left out, and a reference to a node becomes the id of the node.
    ///
    /// # Errors
    /// Content that GraphML can't express, damage of the graph, an error of the file system, or cancellation.
    /// After an error there is no new file at `target`, and an existing one is unchanged.
    pub fn write_to(&self, target: impl AsRef<Path>) -> Result<ExportReport> {
        let staged = self.settings.create(target.as_ref())?;
        let written = self.write(BufWriter::new(StagedStream::from(staged)));
        // Damage is reported before other errors, since it may be their cause.
        self.graph.check()?;
        let (stream, edges) = written?;
        self.settings.task.check()?;
        let file_len = stream.len();
        stream.into_file().commit()?;
        let nodes = self.part.as_ref().map_or(self.graph.node_count(), |(nodes, _)| nodes.len() as u32);
        Ok(ExportReport { nodes, edges, file_len })
    }

    /// Writes the document. Returns the stream, and the number of edges.
    fn write(&self, mut out: BufWriter<StagedStream>) -> Result<(StagedStream, u64)> {
        let changes = self.graph.store().directory().changes.as_ref();
        if changes.is_some_and(|changes| changes.removed.is_some()) {
            return Err(GraphmlExportError::Removed);
        }
        let keys = Keys::of(self.graph, &self.settings)?;
        let texts = &mut TextRoom::of(self.graph);
        let total = self.graph.edge_labels().len() + 1;
        self.settings.task.step("nodes", 0, total);
        out.write_all(HEAD.as_bytes())?;
        keys.write(&mut out)?;
        writeln!(out, "<graph id=\"G\" edgedefault=\"directed\">")?;
        self.write_nodes(&keys, texts, &mut out)?;
        let mut edges = 0;
        for (label, done) in self.graph.edge_label_ids().zip(1..) {
            let name = &self.graph.edge_labels()[label.index()].name;
            self.settings.task.step(name, done, total);
            if self.part.as_ref().is_none_or(|(_, labels)| labels.contains(name)) {
                edges += self.write_edges((&keys, label), texts, &mut out)?;
            }
        }
        out.write_all(b"</graph>\n</graphml>\n")?;
        let stream = out.into_inner().map_err(|error| GraphmlExportError::from(error.into_error()))?;
        Ok((stream, edges))
    }

    /// The nodes to write, ascending.
    fn nodes(&self) -> impl Iterator<Item = u32> + '_ {
        let all = self.part.is_none().then(|| 0..self.graph.node_count());
        let some = self.part.iter().flat_map(|(nodes, _)| nodes.iter().copied());
        all.into_iter().flatten().chain(some)
    }

    /// Whether a node is written.
    fn has_node(&self, node: u32) -> bool {
        self.part.as_ref().is_none_or(|(nodes, _)| nodes.binary_search(&node).is_ok())
    }

    fn write_nodes(&self, keys: &Keys, texts: &mut TextRoom, out: &mut impl Write) -> Result<()> {
        let labels = self.graph.label_sets()?;
        let names: Vec<String> = (0..labels.code_count()).map(|code| self.names_of(&labels, code)).collect();
        for node in self.nodes() {
            if node.is_multiple_of(PAUSE) {
                self.settings.task.check()?;
            }
            let name = names.get(labels.code(node) as usize).map_or("", String::as_str);
            match name {
                "" => writeln!(out, "<node id=\"n{node}\">")?,
                _ => writeln!(
                    out,
                    "<node id=\"n{node}\" labels=\"{name}\"><data key=\"labels\">{name}</data>"
                )?,
            }
            for key in &keys.of_nodes {
                key.write_data(node, || format!("node {node}"), texts, out)?;
            }
            out.write_all(b"</node>\n")?;
        }
        Ok(())
    }

    /// The labels of the set with a code, in the form of APOC: `:A:B`.
    fn names_of(&self, labels: &Labels, code: u32) -> String {
        let names = labels.of_code(code).filter_map(|label| self.graph.labels().get(label.index()));
        names.map(|label| format!(":{}", Escaped(&label.name))).collect()
    }

    /// Writes the edges of a label. Returns their number.
    fn write_edges(
        &self,
        (keys, label): (&Keys, EdgeLabelId),
        texts: &mut TextRoom,
        out: &mut impl Write,
    ) -> Result<u64> {
        let mut count = 0;
        let adjacency = self.graph.adjacency(label, Direction::Out)?;
        let ranks = self.graph.ranks(label, Direction::Out)?;
        let own = &keys.of_edges[label.index()];
        let name = &self.graph.edge_labels()[label.index()].name;
        let escaped = Escaped(name);
        for source in self.nodes() {
            if source.is_multiple_of(PAUSE) {
                self.settings.task.check()?;
            }
            let mut ranks_of = ranks.as_ref().filter(|_| !own.is_empty()).map(|ranks| ranks.of(source));
            for target in adjacency.neighbors(source) {
                let rank = ranks_of.as_mut().and_then(Iterator::next).map(|(_, rank)| rank);
                if !self.has_node(target) {
                    continue;
                }
                count += 1;
                write!(out, "<edge source=\"n{source}\" target=\"n{target}\" label=\"{escaped}\">")?;
                write!(out, "<data key=\"label\">{escaped}</data>")?;
                for key in own.iter().filter(|_| rank.is_some()) {
                    let owner = || format!("edge {name} from node {source} to node {target}");
                    key.write_data(rank.unwrap_or_default(), owner, texts, out)?;
                }
                out.write_all(b"</edge>\n")?;
            }
        }
        Ok(count)
    }
}

/// Number of nodes between two checks of the cancel flag.
const PAUSE: u32 = 4096;

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" \
    xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:schemaLocation=\"http://graphml.graphdrawing.org/xmlns \
    http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd\">\n";

/// The keys of a document.
struct Keys {
    of_nodes: Vec<Key>,
    /// The keys of the edges of each label.
    of_edges: Vec<Vec<Key>>,
    /// The distinct keys of edges. Edges of several labels share a key if their properties have the same name
    /// and type.
    edge_keys: Vec<(String, PropertyInfo)>,
}

/// A property, and the key under which its values are written.
struct Key {
    id: String,
    name: String,
    is_list: bool,
    property: Property,
}

impl Keys {
    fn of(graph: &Graph, settings: &ExportSettings<'_>) -> Result<Self> {
        let (mut of_nodes, mut edge_keys) = (Vec::new(), Vec::<(String, PropertyInfo)>::new());
        let mut of_edges: Vec<Vec<Key>> = graph.edge_labels().iter().map(|_| Vec::new()).collect();
        for (id, info) in &settings.properties(graph) {
            check(info)?;
            let Some(label) = &info.edge_label else {
                of_nodes.push(Key::open(graph, *id, info, format!("n{}", of_nodes.len()))?);
                continue;
            };
            let is_alike = |known: &PropertyInfo| {
                let is_list = |info: &PropertyInfo| info.cardinality == varvite::Cardinality::List;
                known.name == info.name
                    && known.value_type == info.value_type
                    && is_list(known) == is_list(info)
            };
            let key = match edge_keys.iter().find(|(_, known)| is_alike(known)) {
                Some((key, _)) => key.clone(),
                None => {
                    edge_keys.push((format!("e{}", edge_keys.len()), info.clone()));
                    format!("e{}", edge_keys.len() - 1)
                }
            };
            of_edges[graph.edge_label(label)?.index()].push(Key::open(graph, *id, info, key)?);
        }
        Ok(Self { of_nodes, of_edges, edge_keys })
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "<key id=\"labels\" for=\"node\" attr.name=\"labels\" attr.type=\"string\"/>")?;
        writeln!(out, "<key id=\"label\" for=\"edge\" attr.name=\"label\" attr.type=\"string\"/>")?;
        for key in &self.of_nodes {
            let kind = Kind { value_type: key.property.value_type(), is_list: key.is_list };
            writeln!(
                out,
                "<key id=\"{}\" for=\"node\" attr.name=\"{}\" {kind}/>",
                key.id,
                Escaped(&key.name)
            )?;
        }
        for (id, info) in &self.edge_keys {
            let is_list = info.cardinality == varvite::Cardinality::List;
            let kind = Kind { value_type: info.value_type, is_list };
            writeln!(out, "<key id=\"{id}\" for=\"edge\" attr.name=\"{}\" {kind}/>", Escaped(&info.name))?;
        }
        Ok(())
    }
}

/// Checks that GraphML can express a property.
fn check(info: &PropertyInfo) -> Result<()> {
    let labels: &[&str] =
        if info.edge_label.is_some() { &["label", "labelE"] } else { &["labels", "labelV", "label"] };
    if labels.contains(&&*info.name) {
        return Err(GraphmlExportError::Labels { property: info.name.clone() });
    }
    if info.value_type == ValueType::Bytes {
        let (property, found) = (info.name.clone(), info.value_type.name());
        return Err(GraphmlExportError::Type { property, found });
    }
    Ok(())
}

impl Key {
    fn open(graph: &Graph, id: PropertyId, info: &PropertyInfo, key: String) -> Result<Self> {
        let is_list = info.cardinality == varvite::Cardinality::List;
        Ok(Self { id: key, name: info.name.clone(), is_list, property: graph.property_at(id)? })
    }

    /// Writes the values of a node or edge.
    fn write_data(
        &self,
        owner: u32,
        name: impl Fn() -> String,
        texts: &mut TextRoom,
        out: &mut impl Write,
    ) -> Result<()> {
        if !self.property.is_present(owner) {
            return Ok(());
        }
        if self.is_list {
            return self.write_list(owner, name, texts, out);
        }
        let Some(value) = self.property.get(owner) else { return Ok(()) };
        self.check_number(&value, &name)?;
        let id = &self.id;
        match value {
            Value::Null | Value::Ref(None) => {}
            Value::Str(text) => {
                write!(out, "<data key=\"{id}\">")?;
                self.write_text(&text, &name, texts, out)?;
                out.write_all(b"</data>")?;
            }
            Value::Ref(Some(node)) => write!(out, "<data key=\"{id}\">n{node}</data>")?,
            Value::F32(number) => {
                write!(out, "<data key=\"{id}\">{}</data>", float(f64::from(number), number))?
            }
            Value::F64(number) => write!(out, "<data key=\"{id}\">{}</data>", float(number, number))?,
            other => write!(out, "<data key=\"{id}\">{other}</data>")?,
        }
        Ok(())
    }

    /// Writes a list as JSON, one value at a time, because a single list may be nearly as large as the whole
    /// graph.
    fn write_list(
        &self,
        owner: u32,
        name: impl Fn() -> String,
        texts: &mut TextRoom,
        out: &mut impl Write,
    ) -> Result<()> {
        write!(out, "<data key=\"{}\">", self.id)?;
        let mut before = "[";
        for value in self.property.all(owner) {
            self.check_number(&value, &name)?;
            let json = json_of(&value).ok_or_else(|| self.refused("a null in its list".to_owned(), &name))?;
            out.write_all(before.as_bytes())?;
            self.write_text(&json.to_string(), &name, texts, out)?;
            before = ",";
        }
        let is_empty = before == "[";
        Ok(out.write_all(if is_empty { b"[]</data>" } else { b"]</data>" })?)
    }

    fn write_text(
        &self,
        text: &str,
        owner: &impl Fn() -> String,
        texts: &mut TextRoom,
        out: &mut impl Write,
    ) -> Result<()> {
        texts.take(text.len())?;
        match escaped::write(text, out)? {
            Ok(()) => Ok(()),
            Err(character) => Err(GraphmlExportError::Character {
                owner: owner(),
                property: self.name.clone(),
                character: character.into(),
            }),
        }
    }

    /// Checks that a number is in the range of GraphML's `long`, which is Java's.
    fn check_number(&self, value: &Value<'_>, owner: &impl Fn() -> String) -> Result<()> {
        match value {
            Value::Uint(number) if i64::try_from(*number).is_err() => {
                Err(self.refused(format!("{number}, more than a long"), owner))
            }
            _ => Ok(()),
        }
    }

    fn refused(&self, found: String, owner: &impl Fn() -> String) -> GraphmlExportError {
        GraphmlExportError::Value { owner: owner(), property: self.name.clone(), found }
    }
}

/// A floating-point number as text, in a form that Java, Python and Varvite can read.
fn float(value: f64, shown: impl fmt::Display) -> String {
    match value {
        f64::INFINITY => "Infinity".to_owned(),
        f64::NEG_INFINITY => "-Infinity".to_owned(),
        _ => shown.to_string(),
    }
}

/// A value in a list, as JSON; `None` for null.
fn json_of(value: &Value<'_>) -> Option<serde_json::Value> {
    Some(match value {
        Value::Bool(truth) => (*truth).into(),
        Value::Int(number) => (*number).into(),
        Value::Uint(number) => (*number).into(),
        Value::F32(number) => number_or_text(f64::from(*number), number),
        Value::F64(number) => number_or_text(*number, number),
        Value::Str(text) => (**text).into(),
        Value::Ref(Some(node)) => format!("n{node}").into(),
        _ => return None,
    })
}

/// The number as JSON; as a text if it is infinite or NaN, for which JSON has no numbers.
fn number_or_text(value: f64, shown: impl fmt::Display) -> serde_json::Value {
    let text = float(value, shown);
    serde_json::from_str(&text).unwrap_or(serde_json::Value::String(text))
}

/// The attributes of a key that state its type. Lists have the form of APOC; an attribute of Varvite marks
/// integer types that GraphML lacks.
struct Kind {
    value_type: ValueType,
    is_list: bool,
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.value_type {
            ValueType::Bool => "boolean",
            ValueType::I8 | ValueType::I16 | ValueType::I32 | ValueType::U8 | ValueType::U16 => "int",
            ValueType::I64 | ValueType::U32 | ValueType::U64 => "long",
            ValueType::F32 => "float",
            ValueType::F64 => "double",
            ValueType::String | ValueType::Bytes | ValueType::Ref => "string",
        };
        match self.is_list {
            true => write!(formatter, "attr.type=\"string\" attr.list=\"{name}\"")?,
            false => write!(formatter, "attr.type=\"{name}\"")?,
        }
        match self.value_type {
            ValueType::I8
            | ValueType::I16
            | ValueType::U8
            | ValueType::U16
            | ValueType::U32
            | ValueType::U64 => write!(formatter, " varvite.type=\"{}\"", self.value_type.name()),
            _ => Ok(()),
        }
    }
}
