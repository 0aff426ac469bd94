//! [`GraphmlImport`]: converts a document to a graph file.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use varvite::write::Codec;
use varvite::{IfExists, Profile, Task};
use varvite_codec::frame::Expansion;
use varvite_graph::internal::{Draft, DraftOptions, DraftSource, TreeLabel};
use varvite_store::Vfs;

use super::document::Document;
use super::key::LabelKeys;
use super::xml::Xml;
use crate::text::{TextError, TextSource, draft_options, target_options};

/// An import of a GraphML document into a graph file. By default the profile is compact, there are no
/// indexes, and all processors are used.
///
/// ```no_run
/// let report = varvite_import::graphml::GraphmlImport::new("karate.graphml").write_to("karate.varvite")?;
/// println!("{} edges, {} of them without a direction in the document", report.edges, report.undirected);
/// # Ok::<(), varvite_import::TextError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "an import begins with `write_to`"]
pub struct GraphmlImport<'a> {
    source: PathBuf,
    label_keys: LabelKeys,
    expansion: Expansion,
    options: DraftOptions<'a>,
}

/// The result of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GraphmlReport {
    /// The number of nodes of the graph.
    pub nodes: u32,
    /// The number of edges of the graph.
    pub edges: u64,
    /// Size of the new file in bytes.
    pub file_len: u64,
    /// The number of bytes that were read.
    pub source_len: u64,
    /// The number of edges without a direction in the document; in the graph they lead from their source to
    /// their target.
    pub undirected: u64,
    /// The number of values that belong to the document's graph itself. They were left out.
    pub graph_data: u64,
    /// The number of numeric, Boolean and list values whose text is empty. The graph has no values for them.
    pub empty_values: u64,
    /// The number of drawings without a caption. They were left out.
    pub drawings: u64,
    /// The number of values of nodes and edges whose key is declared for other elements by its attribute
    /// `for`. They were left out.
    pub misplaced_values: u64,
}

impl<'a> GraphmlImport<'a> {
    /// An import of the document at `source`, which may be compressed and is not opened yet.
    pub fn new(source: impl Into<PathBuf>) -> Self {
        Self {
            source: source.into(),
            label_keys: LabelKeys::default(),
            expansion: Expansion::default(),
            options: draft_options(),
        }
    }

    /// The name of the keys whose values are labels of nodes; by default `labels`, `labelV` and `label`.
    /// Values of other keys are properties.
    pub fn node_labels(mut self, key: impl Into<String>) -> Self {
        self.label_keys.of_nodes = vec![key.into()];
        self
    }

    /// The name of the keys whose value is the label of an edge; by default `label` and `labelE`. An
    /// attribute `label` takes precedence; edges without a label get `EDGE`.
    pub fn edge_labels(mut self, key: impl Into<String>) -> Self {
        self.label_keys.of_edges = vec![key.into()];
        self
    }

    target_options!('a);

    /// Makes a graph file at `target`. The same document gives the same bytes.
    ///
    /// # Errors
    /// A fault of the document, with its line; a compressed document that expands too far; too little memory;
    /// cancellation; or an error of the file system. After an error there is no new file at `target`, and an
    /// existing one is unchanged.
    pub fn write_to(&self, target: impl AsRef<Path>) -> Result<GraphmlReport, TextError> {
        let (target, path) = (target.as_ref(), &self.source);
        let io = |error| TextError::io(path, error);
        let source = TextSource::open(path, self.expansion).map_err(io)?;
        let data = fs::metadata(path).map_err(io)?;
        let known = (data.is_file() && source.is_plain()).then_some(data.len());
        let mut draft =
            Draft::new(Arc::clone(&self.options.vfs), target, self.options.task.memory_bytes(), known)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut pause = |xml: &Xml| {
            self.options.task.check()?;
            self.options.task.bytes(&name, xml.source().read_bytes(), data.len());
            Ok(())
        };
        let document = Document::new(path, Xml::over(source), &mut draft, &self.label_keys, &mut pause);
        let (xml, left_out) = document.read()?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(&xml.source().digest()).update(format!("{:?}", self.label_keys).as_bytes());
        let source = DraftSource { tool: "graphml", digest: *hasher.finalize().as_bytes() };
        let source_len = xml.source().read_bytes();
        let written = draft.write(target, source, &self.options)?;
        Ok(GraphmlReport {
            nodes: written.nodes,
            edges: written.edges,
            file_len: written.file_len,
            source_len,
            undirected: left_out.directions,
            graph_data: left_out.graph_data,
            empty_values: left_out.empty_values,
            drawings: left_out.drawings,
            misplaced_values: left_out.misplaced_values,
        })
    }
}
