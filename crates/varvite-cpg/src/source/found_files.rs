//! [`FoundFiles`]: the files of a folder to which the names of FILEs lead.
//!
//! A graph may name one file a million times, by one name or by many (`a.c`, `./a.c`). So each different name
//! is looked up once, and a file is known by its path without links: it is read once to be compared with the
//! graph, and once more when its text is written. Both readings must give the same text.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use varvite::memory::{OverBudget, Reserved};
use varvite::{Budget, GraphError, Task};

use super::error::SourceError;
use super::folder::{Absence, SourceFolder};
use super::graph_files::GraphFiles;
use super::methods::{FileMethods, Fit, MethodRange};
use super::text::{KnownText, SourceText};

/// Bytes of memory for a name, and for a file beside its path.
const NAME_BYTES: usize = 64;
const FILE_BYTES: usize = 256;
/// A file with more than this share of the memory is not read: its text and the offsets of its lines take
/// memory too.
const SHARE_OF_FILE: u64 = 4;
/// The largest text of the format is 4 GiB, and an offset needs 32 bits.
const TEXT_MAX: u64 = u32::MAX as u64;

/// The files of a folder that belong to the FILEs of a graph.
pub(super) struct FoundFiles {
    /// The number of the file to which each different name leads, by the number of the name's text.
    by_name: HashMap<Option<i64>, Result<usize, Absence>>,
    files: Vec<FoundFile>,
    reader: FileReader,
    /// Pays for the names and the files.
    _room: Reserved,
}

/// A file that was found, and the result of its first reading.
pub(super) struct FoundFile {
    path: PathBuf,
    /// The facts of the text, or the reason why there is none.
    text: Result<KnownText, Absence>,
    /// The METHODs that fit the text, and those that do not.
    fit: Fit,
    /// The first FILE that has the text, once the text was written.
    pub(super) written_for: Option<u32>,
}

/// A file that was found, and the METHODs of all names that lead to it.
#[derive(Default)]
struct NamedFile {
    path: PathBuf,
    methods: Vec<MethodRange>,
}

impl FoundFiles {
    /// Looks up the names of all FILEs, reads each file that is found once, and compares it with the METHODs
    /// of the graph.
    pub(super) fn of(
        files: &GraphFiles,
        folder: SourceFolder,
        methods: &FileMethods,
        budget: &Budget,
        task: &Task<'_>,
    ) -> Result<Self, SourceError> {
        let mut room = Reserved::nothing_of(budget);
        let reader = FileReader::of(folder, budget);
        let (by_name, named) = look_up(files, &reader.folder, methods, &mut room, task)?;
        let (mut found, count) = (Vec::with_capacity(named.len()), named.len());
        for (done, file) in (1..).zip(named) {
            task.check().map_err(GraphError::from)?;
            found.push(reader.compare(file, methods));
            task.step("comparing", done, count);
        }
        Ok(Self { by_name, files: found, reader, _room: room })
    }

    /// The file with the text of a FILE, the facts of the text, and the reader of files.
    pub(super) fn of_node(
        &mut self,
        files: &GraphFiles,
        node: u32,
    ) -> Result<(&mut FoundFile, KnownText, &FileReader), Absence> {
        let number = self.by_name.get(&files.name_code(node)).copied().unwrap_or(Err(Absence::Missing))?;
        let file = self.files.get_mut(number).ok_or(Absence::Missing)?;
        let text = file.text?;
        Ok((file, text, &self.reader))
    }

    /// Whether no FILE has a text.
    pub(super) fn is_empty(&self) -> bool {
        self.files.iter().all(|file| file.text.is_err())
    }

    /// The METHODs of all files that fit their text, and those that do not.
    pub(super) fn fit(&self) -> Fit {
        self.files.iter().fold(Fit::default(), |sum, file| sum.plus(file.fit))
    }

    /// The number of read files that have the name of another one in another folder.
    pub(super) fn same_names(&self) -> u64 {
        let mut counts: HashMap<&OsStr, u64> = HashMap::new();
        let read = self.files.iter().filter(|file| file.text.is_ok());
        read.filter_map(|file| file.path.file_name()).for_each(|name| *counts.entry(name).or_default() += 1);
        counts.into_values().filter(|count| *count > 1).sum()
    }
}

impl FoundFile {
    /// The path of the file, without symbolic links.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// The place to which each different name leads, by the number of its text; and the files, in the order of
/// the first FILE of each.
type LookedUp = (HashMap<Option<i64>, Result<usize, Absence>>, Vec<NamedFile>);

fn look_up(
    files: &GraphFiles,
    folder: &SourceFolder,
    methods: &FileMethods,
    room: &mut Reserved,
    task: &Task<'_>,
) -> Result<LookedUp, SourceError> {
    let (mut by_name, mut by_path) = (HashMap::new(), HashMap::<PathBuf, usize>::new());
    let mut named: Vec<NamedFile> = Vec::new();
    for node in files.nodes() {
        task.check().map_err(GraphError::from)?;
        let code = files.name_code(*node);
        if by_name.contains_key(&code) {
            continue;
        }
        room.take(NAME_BYTES)?;
        let name = files.name(*node);
        let place = match folder.find(&name) {
            Err(absence) => Err(absence),
            Ok(path) => {
                room.take(FILE_BYTES + path.as_os_str().len())?;
                let number = *by_path.entry(path).or_insert(named.len());
                if number == named.len() {
                    named.push(NamedFile::default());
                }
                named[number].methods.extend(methods.of_file(&name));
                Ok(number)
            }
        };
        by_name.insert(code, place);
    }
    by_path.into_iter().for_each(|(path, number)| named[number].path = path);
    Ok((by_name, named))
}

/// Reads files of the folder within the memory of the import.
pub(super) struct FileReader {
    folder: SourceFolder,
    budget: Budget,
    /// The largest number of bytes of a file.
    bytes_max: u64,
}

impl FileReader {
    fn of(folder: SourceFolder, budget: &Budget) -> Self {
        let bytes_max = (budget.limit() as u64 / SHARE_OF_FILE).min(TEXT_MAX);
        Self { folder, budget: budget.clone(), bytes_max }
    }

    /// Reads a file, and calls `action` with its text.
    pub(super) fn with_text<T>(
        &self,
        path: &Path,
        action: impl FnOnce(&SourceText<'_>) -> T,
    ) -> Result<T, Unread> {
        let mut room = Reserved::nothing_of(&self.budget);
        let bytes = self.folder.read(path, self.bytes_max, &mut room).map_err(Unread::Absent)?;
        let text = SourceText::of(&bytes, &mut room).map_err(Unread::OverBudget)?;
        Ok(action(&text))
    }

    fn compare(&self, file: NamedFile, methods: &FileMethods) -> FoundFile {
        let NamedFile { path, methods: of_file } = file;
        let compared = self.with_text(&path, |text| (text.known(), methods.fit(&of_file, text)));
        let (text, fit) = match compared {
            Ok((text, fit)) => (Ok(text), fit),
            Err(Unread::Absent(absence)) => (Err(absence), Fit::default()),
            Err(Unread::OverBudget(_)) => (Err(Absence::TooLarge), Fit::default()),
        };
        FoundFile { path, text, fit, written_for: None }
    }
}

/// The reason why a file was not read.
pub(super) enum Unread {
    Absent(Absence),
    OverBudget(OverBudget),
}
