//! [`ScipImport`]: converts an index to a graph file.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use varvite::write::Codec;
use varvite::{IfExists, Profile, Task};
use varvite_codec::frame::Expansion;
use varvite_graph::Reserved;
use varvite_graph::internal::{Draft, DraftOptions, DraftSource, TreeLabel};
use varvite_store::Vfs;

use super::class::Class;
use super::counts::ScipCounts;
use super::document::{SecondPass, add_document, add_relationships};
use super::fault::{ByteOffset, ScipError, ScipFault};
use super::graph::{GraphDraft, Label, Property};
use super::message::{Document, Faulty, Information, Metadata};
use super::source_dir::SourceDir;
use super::source_text::SourceText;
use super::stream::{IndexStream, Part};
use super::symbols::Symbols;
use crate::text::{TextSource, draft_options, target_options};

/// The longest path of a document in bytes, because each definition repeats the path.
const PATH_LEN_MAX: usize = 1024;
/// By which factor an index may grow in a draft, beyond the growth that a draft expects: a definition of 24
/// bytes can repeat a path of 1,024 bytes.
const GROWTH: u64 = 8;

/// An import of a SCIP index into a graph file. By default the profile is compact, there are no indexes, and
/// all processors are used.
///
/// ```no_run
/// let import = varvite_import::scip::ScipImport::new("index.scip").sources("project");
/// let report = import.write_to("project.varvite")?;
/// println!("{} calls in {} documents", report.counts.calls, report.counts.documents);
/// # Ok::<(), varvite_import::scip::ScipError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "an import begins with `write_to`"]
pub struct ScipImport<'a> {
    source: PathBuf,
    sources: Option<PathBuf>,
    expansion: Expansion,
    options: DraftOptions<'a>,
}

/// The result of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScipReport {
    /// The number of nodes of the graph.
    pub nodes: u32,
    /// The number of edges of the graph.
    pub edges: u64,
    /// Size of the new file in bytes.
    pub file_len: u64,
    /// Size of the index in bytes, as it is stored.
    pub source_len: u64,
    /// The program that made the index, and its version.
    pub indexer: String,
    /// What was read.
    pub counts: ScipCounts,
}

impl<'a> ScipImport<'a> {
    /// An import of the index at `source`, which may be compressed and is not opened yet.
    pub fn new(source: impl Into<PathBuf>) -> Self {
        Self {
            source: source.into(),
            sources: None,
            expansion: Expansion::default(),
            options: draft_options(),
        }
    }

    /// The folder with the source files, for documents whose text is not in the index. The import finds calls
    /// in the sources; without them, no reference becomes a CALL. Files outside of the folder are not read.
    pub fn sources(mut self, folder: impl Into<PathBuf>) -> Self {
        self.sources = Some(folder.into());
        self
    }

    target_options!('a);

    /// Makes a graph file at `target`. The same index and the same sources give the same bytes.
    ///
    /// # Errors
    /// A fault of the index, with its offset; a compressed index that expands too far; a missing folder of
    /// sources; an index that changes during the import; too little memory; cancellation; or an error of the
    /// file system. After an error there is no new file at `target`, and an existing one is unchanged.
    pub fn write_to(&self, target: impl AsRef<Path>) -> Result<ScipReport, ScipError> {
        let target = target.as_ref();
        let mut graph = self.begin(target)?;
        let mut first = self.stream(&graph)?;
        let (metadata, symbols) = self.first_pass(&mut first, &mut graph)?;
        let (digest, index_bytes) = (first.source().digest(), first.plain_bytes());
        drop(first);
        let mut sources =
            self.sources.as_deref().map(|path| SourceDir::open(path, index_bytes)).transpose()?;
        let (mut second, mut counts) = (self.stream(&graph)?, ScipCounts::default());
        let pass = SecondPass {
            symbols: &symbols,
            graph: &mut graph,
            counts: &mut counts,
            task: &self.options.task,
        };
        let language = self.second_pass(&mut second, sources.as_mut(), pass)?;
        if second.source().digest() != digest {
            return Err(ScipError::Changed { path: self.source.clone() });
        }
        let source_len = second.source().read_bytes();
        drop(second);
        finish(&metadata, &language, &symbols, &mut graph, &mut counts)
            .map_err(|fault| ScipError::at(&self.source, ByteOffset(0), fault))?;
        drop(symbols);
        let source = DraftSource { tool: "scip", digest: identity(digest, sources) };
        let written = graph.into_draft().write(target, source, &self.options)?;
        Ok(ScipReport {
            nodes: written.nodes,
            edges: written.edges,
            file_len: written.file_len,
            source_len,
            indexer: [metadata.tool, metadata.version].join(" ").trim().to_owned(),
            counts,
        })
    }

    /// An empty graph.
    fn begin(&self, target: &Path) -> Result<GraphDraft, ScipError> {
        let (path, options) = (&self.source, &self.options);
        let io = |error| ScipError::io(path, error);
        let is_plain = TextSource::open(path, self.expansion).map_err(io)?.is_plain();
        let data = fs::metadata(path).map_err(io)?;
        let known = (data.is_file() && is_plain).then_some(data.len().saturating_mul(GROWTH));
        let draft = Draft::new(Arc::clone(&options.vfs), target, options.task.memory_bytes(), known)?;
        Ok(GraphDraft::over(draft))
    }

    fn stream(&self, graph: &GraphDraft) -> Result<IndexStream<'_>, ScipError> {
        let path = &self.source;
        let source = TextSource::open(path, self.expansion).map_err(|error| ScipError::io(path, error))?;
        let file_len = fs::metadata(path).map_or(0, |data| data.len());
        Ok(IndexStream::over(path, source, file_len, graph.budget()))
    }

    /// Collects the symbols of the index.
    fn first_pass(
        &self,
        stream: &mut IndexStream<'_>,
        graph: &mut GraphDraft,
    ) -> Result<(Metadata, Symbols), ScipError> {
        let mut symbols = Symbols::within(Reserved::nothing_of(graph.budget()));
        let (mut metadata, mut documents) = (None, 0u32);
        while let Some(part) = self.next_part(stream)? {
            let mut read = || -> Faulty<()> {
                match part {
                    Part::Metadata => metadata = Some(Metadata::of(stream.message()).map_err(of_message)?),
                    _ if metadata.is_none() => return Err(no_metadata()),
                    Part::Document => {
                        let mut room = Reserved::nothing_of(graph.budget());
                        let document = read_document(stream.message(), &mut room)?;
                        symbols.add_document(&document, documents, graph).map_err(of_graph)?;
                        documents = documents.saturating_add(1);
                    }
                    Part::ExternalSymbol => {
                        let information = Information::of(stream.message()).map_err(of_message)?;
                        symbols.add_information(&information, graph).map_err(of_graph)?;
                    }
                }
                Ok(())
            };
            read().map_err(|fault| stream.error(fault))?;
        }
        let metadata = metadata.ok_or_else(|| stream.error(no_metadata()))?;
        Ok((metadata, symbols))
    }

    /// Adds all documents to the graph. Returns the language of the documents; empty if they have several.
    fn second_pass(
        &self,
        stream: &mut IndexStream<'_>,
        mut sources: Option<&mut SourceDir>,
        mut pass: SecondPass<'_>,
    ) -> Result<String, ScipError> {
        let mut language: Option<String> = None;
        while let Some(part) = self.next_part(stream)? {
            let mut read = || -> Faulty<()> {
                match part {
                    Part::Metadata => {}
                    Part::Document => {
                        let found = add_part(stream.message(), sources.as_deref_mut(), &mut pass)?;
                        if language.get_or_insert_with(|| found.to_owned()) != found {
                            language = Some(String::new());
                        }
                    }
                    Part::ExternalSymbol => {
                        let information = Information::of(stream.message()).map_err(of_message)?;
                        add_relationships(&information, &mut pass).map_err(of_graph)?;
                    }
                }
                Ok(())
            };
            read().map_err(|fault| stream.error(fault))?;
        }
        Ok(language.unwrap_or_default())
    }

    /// Reads the next part, and reports the progress.
    fn next_part(&self, stream: &mut IndexStream<'_>) -> Result<Option<Part>, ScipError> {
        let task = &self.options.task;
        task.check()?;
        let name = self.source.file_name().unwrap_or_default().to_string_lossy();
        task.bytes(&name, stream.source().read_bytes(), stream.file_len);
        stream.next_part()
    }
}

/// Reads a document, and checks its path.
fn read_document<'m>(message: &'m [u8], room: &mut Reserved) -> Faulty<Document<'m>> {
    let document = Document::of(message, room)?;
    match document.path.len() {
        1..=PATH_LEN_MAX => Ok(document),
        len => Err((0, ScipFault::Path { len, limit: PATH_LEN_MAX })),
    }
}

/// Adds a document to the graph, with its source. Returns its language.
fn add_part<'m>(
    message: &'m [u8],
    sources: Option<&mut SourceDir>,
    pass: &mut SecondPass<'_>,
) -> Faulty<&'m str> {
    let mut room = Reserved::nothing_of(pass.graph.budget());
    let document = read_document(message, &mut room)?;
    let number = u32::try_from(pass.counts.documents).unwrap_or(u32::MAX);
    pass.counts.documents += 1;
    // A document that repeats a path does not read the source again, so that a short index reads few files.
    let (is_repeated, counts) = (pass.graph.has_file(document.path), &mut pass.counts.sources);
    let read = match (document.text, sources) {
        (None, Some(sources)) if !is_repeated => {
            sources.read(document.path, counts, &mut room).map_err(of_graph)?
        }
        _ => None,
    };
    counts.in_index += u64::from(document.text.is_some());
    let lines = Reserved::nothing_of(pass.graph.budget());
    let source = document.text.or(read.as_deref()).map(|text| SourceText::of(text, document.encoding, lines));
    let source = source.transpose().map_err(of_graph)?;
    add_document(&document, number, source.as_ref(), pass).map_err(of_graph)?;
    Ok(document.language)
}

/// Adds the properties that only the whole index decides.
fn finish(
    metadata: &Metadata,
    language: &str,
    symbols: &Symbols,
    graph: &mut GraphDraft,
    counts: &mut ScipCounts,
) -> Result<(), ScipFault> {
    for node in symbols.nodes() {
        let is_external = symbols.definition(node).is_none();
        counts.external_symbols += u64::from(is_external);
        if matches!(symbols.class(node), Class::Method | Class::Type) {
            graph.number(Property::IsExternal, node, u32::from(is_external))?;
        }
    }
    counts.symbols = symbols.nodes().len() as u64;
    let node = graph.node(Label::MetaData)?;
    let texts = [
        (Property::Language, language),
        (Property::Root, &metadata.root),
        (Property::Version, &metadata.version),
        (Property::Name, &metadata.tool),
    ];
    for (property, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
        graph.text(property, node, text)?;
    }
    Ok(())
}

/// BLAKE3 of the index and of all sources that were read.
fn identity(index: [u8; 32], sources: Option<SourceDir>) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&index);
    if let Some(sources) = sources {
        hasher.update(&sources.digest());
    }
    *hasher.finalize().as_bytes()
}

fn no_metadata() -> (usize, ScipFault) {
    (0, ScipFault::Message { what: "an index begins with its metadata, which is not here" })
}

fn of_message(wrong: varvite_codec::protobuf::Wrong) -> (usize, ScipFault) {
    (wrong.at, wrong.into())
}

fn of_graph(fault: impl Into<ScipFault>) -> (usize, ScipFault) {
    (0, fault.into())
}
