//! [`add_sources`]: reads the files of a graph from a folder into the layer [`LAYER`].
//!
//! Files are read twice, one after the other: first the METHODs of the graph are compared with all of them,
//! so that a folder of another version changes nothing; then each text is compressed and written before the
//! next file is read.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use varvite::columns::{NewLayer, NewTexts};
use varvite::error::optional;
use varvite::write::{GraphChange, LayerSpec};
use varvite::{Budget, Graph, GraphError, Property, PropertyInfo, Str, Task, ValueType};

use super::error::SourceError;
use super::folder::{Place, SourceFolder, is_placeholder};
use super::methods::FileMethods;
use super::report::SourceReport;
use super::text::SourceText;
use super::{CONTENT, CONTENT_LINES, LAYER};

/// Options of an import of sources.
#[derive(Clone, Copy, Debug)]
pub struct SourceOptions {
    /// The memory for the bytes and the text of one file. A file with more than a fourth of it is left out.
    pub memory_bytes: usize,
    /// Whether files are added even if they seem to be of another version than the graph.
    pub anyway: bool,
}

impl Default for SourceOptions {
    fn default() -> Self {
        Self { memory_bytes: Budget::default_bytes(), anyway: false }
    }
}

/// One file takes its bytes, its text if that differs, and the offsets of its lines.
const MEMORY_OF_FILE: u64 = 4;
/// The largest text of the format is 4 GiB, and an offset needs 32 bits.
const TEXT_MAX: u64 = u32::MAX as u64;
/// Files are of another version if more than one of so many METHODs is beyond the end of its file ..
const BEYOND_SHARE: u64 = 10;
/// .. or the lines of more than one of so many do not contain its name.
const MISPLACED_SHARE: u64 = 2;

/// Reads the file of each FILE node from `folder`, and adds the texts to the graph as layer [`LAYER`]: the
/// text as property [`CONTENT`], the offsets of its lines as [`CONTENT_LINES`]. An existing layer is
/// replaced.
///
/// **Cost**: reads each file twice. Memory for one file at a time, and a few bytes for each METHOD. Progress
/// is counted in FILEs.
///
/// # Errors
/// [`SourceError`]; the graph is then unchanged. A file that can't be used is no error, but is counted in the
/// report.
pub fn add_sources(
    change: GraphChange,
    folder: &Path,
    options: &SourceOptions,
    task: &Task<'_>,
) -> Result<SourceReport, SourceError> {
    let files = Files::of(change.graph())?;
    let older = OlderContent::of(change.graph(), &files)?;
    let root = root_of(change.graph())?;
    let unreadable = |source| SourceError::Folder { folder: folder.to_owned(), source };
    let sources = SourceFolder::open(folder, root.as_deref()).map_err(unreadable)?;
    let mut import = SourceImport {
        sources,
        methods: FileMethods::of(change.graph())?,
        bytes_max: (options.memory_bytes as u64 / MEMORY_OF_FILE).min(TEXT_MAX),
        report: SourceReport::default(),
        paths: FoundPaths::default(),
        marks: Vec::new(),
    };
    import.check(&files, folder, options, task)?;
    change.graph().check()?;
    let (version, source) = (env!("CARGO_PKG_VERSION"), [0; 32]);
    let spec = LayerSpec { name: LAYER, tool: "varvite source add", version, source };
    let mut layer = change.begin_layer(spec, task)?;
    import.write_texts(&files, &older, &mut layer, task)?;
    let SourceImport { mut report, paths, marks, .. } = import;
    report.same_names = paths.same_names();
    layer.graph().check()?;
    layer.add_lists(CONTENT_LINES, &marks)?;
    report.file_len = layer.commit(task)?;
    Ok(report)
}

/// The folder that the frontend read, if the graph knows it.
fn root_of(graph: &Graph) -> Result<Option<String>, SourceError> {
    let (nodes, roots) = (optional(graph.nodes("META_DATA"))?, optional(graph.property("ROOT"))?);
    let node = nodes.and_then(|nodes| nodes.iter().next());
    Ok(roots.zip(node).and_then(|(roots, node)| Some(roots.str(node)?.to_string())))
}

fn check_version(report: &SourceReport) -> Result<(), SourceError> {
    let SourceReport { methods, methods_beyond: beyond, named, misplaced, .. } = *report;
    if beyond * BEYOND_SHARE <= methods && misplaced * MISPLACED_SHARE <= named {
        return Ok(());
    }
    Err(SourceError::OtherVersion { methods, beyond, misplaced })
}

/// The FILEs of a graph, in ascending order.
struct Files {
    nodes: Vec<u32>,
    names: Property,
}

impl Files {
    fn of(graph: &Graph) -> Result<Self, SourceError> {
        let (nodes, names) = (optional(graph.nodes("FILE"))?, optional(graph.property("NAME"))?);
        match (nodes, names) {
            (Some(nodes), Some(names)) if !nodes.is_empty() => {
                Ok(Self { nodes: nodes.iter().collect(), names })
            }
            _ => Err(SourceError::NoFiles),
        }
    }

    fn name(&self, node: u32) -> String {
        self.names.str(node).map(|name| name.to_string()).unwrap_or_default()
    }

    fn nothing_in(&self, folder: &Path) -> SourceError {
        let names = self.nodes.iter().map(|node| self.name(*node)).filter(|name| !is_placeholder(name));
        let (mut names, folder) = (names.peekable(), folder.to_owned());
        match names.peek().cloned() {
            Some(example) => SourceError::NothingFound { folder, files: names.count() as u64, example },
            None => SourceError::NoFiles,
        }
    }
}

/// The values of CONTENT that the graph has without the layer. Joern gives every FILE the value `<empty>`,
/// and files that are not code, such as CONFIG_FILEs, their text. They stay visible where no source takes
/// their place.
struct OlderContent {
    property: Option<Property>,
    /// The nodes with a value, in ascending order.
    nodes: Vec<u32>,
}

impl OlderContent {
    /// # Errors
    /// [`SourceError::HasContent`] if FILEs have texts already.
    fn of(graph: &Graph, files: &Files) -> Result<Self, SourceError> {
        let properties = graph.properties_without(&[LAYER]);
        let is_it = |info: &PropertyInfo| {
            info.edge_label.is_none() && info.name == CONTENT && info.value_type == ValueType::String
        };
        let found = properties.iter().find(|(_, info)| is_it(info));
        let property = found.map(|(id, _)| graph.property_at(*id)).transpose()?;
        let layer = found.and_then(|(_, info)| graph.layers().get(info.layer as usize));
        let layer = layer.map(|layer| layer.name.clone()).unwrap_or_default();
        let mut nodes = Vec::new();
        property.iter().for_each(|property| property.for_each(|node, _| nodes.push(node)));
        let is_text = |content: &Property, node| content.str(node).is_some_and(|text| !is_placeholder(&text));
        let with_text = |content| files.nodes.iter().filter(|node| is_text(content, **node)).count() as u64;
        match property.as_ref().map_or(0, with_text) {
            0 => Ok(Self { property, nodes }),
            files => Err(SourceError::HasContent { files, layer }),
        }
    }

    fn text(&self, node: u32) -> Option<Str<'_>> {
        self.property.as_ref()?.str(node)
    }
}

/// An import of sources that has not been committed.
struct SourceImport {
    sources: SourceFolder,
    methods: FileMethods,
    /// The largest number of bytes of a file.
    bytes_max: u64,
    report: SourceReport,
    paths: FoundPaths,
    /// The offsets of lines of each FILE with a text.
    marks: Vec<(u32, Vec<u32>)>,
}

impl SourceImport {
    /// Reads all files, and fails if they do not belong to the graph. Nothing was written by then.
    fn check(
        &mut self,
        files: &Files,
        folder: &Path,
        options: &SourceOptions,
        task: &Task<'_>,
    ) -> Result<(), SourceError> {
        let mut report = SourceReport::default();
        self.methods.begin();
        for (done, node) in (1..).zip(&files.nodes) {
            task.check().map_err(GraphError::from)?;
            let name = files.name(*node);
            if let Place::File(path) = self.sources.find(&name)
                && let Ok(bytes) = self.sources.read(&path, self.bytes_max)
            {
                let text = SourceText::of(&bytes);
                report.count_text(&text, true, self.methods.fit(&name, &text));
            }
            task.step("comparing", done, files.nodes.len());
        }
        match report.found {
            0 => Err(files.nothing_in(folder)),
            _ if options.anyway => Ok(()),
            _ => check_version(&report),
        }
    }

    /// Writes the text of each FILE that is in the folder, and the older text of every other node.
    fn write_texts(
        &mut self,
        files: &Files,
        older: &OlderContent,
        layer: &mut NewLayer,
        task: &Task<'_>,
    ) -> Result<(), SourceError> {
        let mut texts = layer.begin_texts(CONTENT)?;
        self.methods.begin();
        let mut others = older.nodes.iter().copied().peekable();
        for (done, node) in (1..).zip(&files.nodes) {
            task.check().map_err(GraphError::from)?;
            while let Some(other) = others.next_if(|other| other < node) {
                keep(other, older, &mut texts)?;
            }
            let is_older = others.next_if_eq(node).is_some();
            if !self.write_file(*node, &files.name(*node), &mut texts)? && is_older {
                keep(*node, older, &mut texts)?;
            }
            task.step("sources", done, files.nodes.len());
        }
        for other in others {
            keep(other, older, &mut texts)?;
        }
        Ok(texts.finish()?)
    }

    /// Writes the text of a FILE; returns false if it has none.
    fn write_file(&mut self, node: u32, name: &str, texts: &mut NewTexts<'_>) -> Result<bool, SourceError> {
        let path = match self.sources.find(name) {
            Place::File(path) => path,
            place => {
                self.report.count_place(&place);
                return Ok(false);
            }
        };
        match self.sources.read(&path, self.bytes_max) {
            Ok(bytes) => {
                self.paths.add(path);
                self.write_text(node, name, &bytes, texts).map(|()| true)
            }
            Err(unread) => {
                self.report.count_unread(&unread);
                Ok(false)
            }
        }
    }

    fn write_text(
        &mut self,
        node: u32,
        name: &str,
        bytes: &[u8],
        texts: &mut NewTexts<'_>,
    ) -> Result<(), SourceError> {
        let text = SourceText::of(bytes);
        let is_new = texts.push(node, &text.text)?;
        self.marks.push((node, text.marks()));
        self.report.count_text(&text, is_new, self.methods.fit(name, &text));
        Ok(())
    }
}

/// The paths of files that were read, by the names of the files.
#[derive(Default)]
struct FoundPaths(HashMap<OsString, HashSet<PathBuf>>);

impl FoundPaths {
    fn add(&mut self, path: PathBuf) {
        let name = path.file_name().unwrap_or_default().to_owned();
        self.0.entry(name).or_default().insert(path);
    }

    /// The number of files that have the name of another file.
    fn same_names(&self) -> u64 {
        self.0.values().map(HashSet::len).filter(|count| *count > 1).sum::<usize>() as u64
    }
}

/// Writes the text that a node had before.
fn keep(node: u32, older: &OlderContent, texts: &mut NewTexts<'_>) -> Result<(), SourceError> {
    if let Some(text) = older.text(node) {
        texts.push(node, &text)?;
    }
    Ok(())
}
