//! [`add_sources`]: reads the files of a graph from a folder into the layer [`LAYER`].
//!
//! Files are read twice, one after the other: first the METHODs of the graph are compared with all of them,
//! so that a folder of another version changes nothing; then each text is compressed and written before the
//! next file is read. A text that is not the one that was compared ends the import.

use std::path::Path;

use varvite::columns::{NewLayer, NewTexts};
use varvite::error::optional;
use varvite::memory::Reserved;
use varvite::write::{GraphChange, LayerSpec};
use varvite::{Budget, Graph, GraphError, Task};

use super::content::OlderContent;
use super::error::SourceError;
use super::folder::SourceFolder;
use super::found_files::{FileReader, FoundFiles, Unread};
use super::graph_files::GraphFiles;
use super::methods::FileMethods;
use super::report::SourceReport;
use super::text::{KnownText, SourceText};
use super::{CONTENT, CONTENT_LINES, LAYER};

/// Options of an import of sources.
#[derive(Clone, Copy, Debug)]
pub struct SourceOptions {
    /// The memory of the import. A file with more than a fourth of it is left out.
    pub memory_bytes: usize,
    /// Whether files are added even if they seem to be of another version than the graph.
    pub anyway: bool,
}

impl Default for SourceOptions {
    fn default() -> Self {
        Self { memory_bytes: Budget::default_bytes(), anyway: false }
    }
}

/// Files are of another version if more than one of so many METHODs is beyond the end of its file ..
const BEYOND_SHARE: u64 = 10;
/// .. or the lines of more than one of so many do not contain its name.
const MISPLACED_SHARE: u64 = 2;
/// Bytes of memory for an offset of a line: in its list, in the column, and while the column is encoded.
const OFFSET_BYTES: usize = 16;
/// Bytes of memory for a FILE with a text: its list of offsets and the number of its text.
const LISTED_BYTES: usize = 32;

/// Reads the file of each FILE node from `folder`, and adds the texts to the graph as layer [`LAYER`]: the
/// text as property [`CONTENT`], the offsets of its lines as [`CONTENT_LINES`]. An existing layer is
/// replaced.
///
/// **Cost**: reads each file of the folder that the graph names twice, however often the graph names it.
/// Memory for one file at a time, some hundred bytes for each FILE, a few for each METHOD and for every 64th
/// line. Progress is counted in files, then in FILEs.
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
    let budget = Budget::new(options.memory_bytes);
    let files = GraphFiles::of(change.graph(), &budget)?;
    let older = OlderContent::of(change.graph(), files.nodes(), &budget)?;
    let found = find(change.graph(), &files, folder, &budget, task)?;
    if found.is_empty() {
        return Err(files.nothing_in(folder));
    }
    let report = SourceReport::of(found.fit());
    if !options.anyway {
        check_version(&report)?;
    }
    change.graph().check()?;
    let (version, source) = (env!("CARGO_PKG_VERSION"), [0; 32]);
    let spec = LayerSpec { name: LAYER, tool: "varvite source add", version, source };
    let mut layer = change.begin_layer(spec, task)?;
    let room = Reserved::nothing_of(&budget);
    let mut import = SourceImport { found, older, report, offsets: Vec::new(), room };
    import.write_texts(&files, &mut layer, task)?;
    let SourceImport { mut report, found, offsets, room, .. } = import;
    report.same_names = found.same_names();
    layer.graph().check()?;
    layer.add_lists(CONTENT_LINES, &offsets)?;
    drop((offsets, room));
    report.file_len = layer.commit(task)?;
    Ok(report)
}

/// Finds the files of the graph in the folder.
fn find(
    graph: &Graph,
    files: &GraphFiles,
    folder: &Path,
    budget: &Budget,
    task: &Task<'_>,
) -> Result<FoundFiles, SourceError> {
    let unreadable = |source| SourceError::Folder { folder: folder.to_owned(), source };
    let sources = SourceFolder::open(folder, root_of(graph)?.as_deref()).map_err(unreadable)?;
    FoundFiles::of(files, sources, &FileMethods::of(graph, budget)?, budget, task)
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

/// An import of sources that has not been committed.
struct SourceImport {
    found: FoundFiles,
    older: OlderContent,
    report: SourceReport,
    /// The offsets of lines of each FILE with a text. A FILE with the text of an earlier one has the first
    /// offset alone.
    offsets: Vec<(u32, Vec<u32>)>,
    /// Pays for the offsets.
    room: Reserved,
}

impl SourceImport {
    /// Writes the text of each FILE that is in the folder, and the older text of every other node.
    fn write_texts(
        &mut self,
        files: &GraphFiles,
        layer: &mut NewLayer,
        task: &Task<'_>,
    ) -> Result<(), SourceError> {
        let mut texts = layer.begin_texts(CONTENT)?;
        let others = std::mem::take(&mut self.older.nodes);
        let mut others = others.into_iter().peekable();
        for (done, node) in (1..).zip(files.nodes()) {
            task.check().map_err(GraphError::from)?;
            while let Some(other) = others.next_if(|other| other < node) {
                self.older.keep(other, &mut texts)?;
            }
            let is_older = others.next_if_eq(node).is_some();
            if !self.write_file(files, *node, &mut texts)? && is_older {
                self.older.keep(*node, &mut texts)?;
            }
            task.step("sources", done, files.nodes().len());
        }
        for other in others {
            self.older.keep(other, &mut texts)?;
        }
        Ok(texts.finish()?)
    }

    /// Writes the text of a FILE; returns false if it has none.
    fn write_file(
        &mut self,
        files: &GraphFiles,
        node: u32,
        texts: &mut NewTexts<'_>,
    ) -> Result<bool, SourceError> {
        let (file, known, reader) = match self.found.of_node(files, node) {
            Ok(found) => found,
            Err(absence) => {
                self.report.count_absence(absence);
                return Ok(false);
            }
        };
        let written = match file.written_for {
            Some(earlier) => texts.repeat(node, earlier).map(|()| Written::again())?,
            None => write_text(node, file.path(), known, reader, texts)?,
        };
        file.written_for.get_or_insert(node);
        self.report.count_text(known.traits, written.new_bytes);
        self.room.take(LISTED_BYTES + written.offsets.len() * OFFSET_BYTES)?;
        self.room.make_room(&mut self.offsets, 1)?;
        self.offsets.push((node, written.offsets));
        Ok(true)
    }
}

/// A text that was written for a FILE.
struct Written {
    /// The number of bytes of a text that no earlier FILE has.
    new_bytes: Option<u64>,
    /// The offsets of some lines.
    offsets: Vec<u32>,
}

impl Written {
    /// The text of an earlier FILE.
    fn again() -> Self {
        Self { new_bytes: None, offsets: vec![0] }
    }
}

/// Writes the text of a file for the first FILE that has it.
///
/// # Errors
/// [`SourceError::Changed`] if the text is not the one that was compared with the graph.
fn write_text(
    node: u32,
    path: &Path,
    known: KnownText,
    reader: &FileReader,
    texts: &mut NewTexts<'_>,
) -> Result<Written, SourceError> {
    let changed = || SourceError::Changed { file: path.to_owned() };
    let write = |text: &SourceText<'_>| match text.known() == known {
        true if texts.push(node, &text.text)? => {
            Ok(Written { new_bytes: Some(text.text.len() as u64), offsets: text.marks() })
        }
        true => Ok(Written::again()),
        false => Err(changed()),
    };
    match reader.with_text(path, write) {
        Ok(written) => written,
        Err(Unread::Absent(_)) => Err(changed()),
        Err(Unread::OverBudget(error)) => Err(error.into()),
    }
}
