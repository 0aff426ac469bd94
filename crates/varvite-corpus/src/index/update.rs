//! [`index`]: makes the index of a corpus, or brings one up to date.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use varvite::inspect::Recovery;
use varvite::vfs::{RealVfs, Vfs};
use varvite::{Budget, GraphError, Task};

use super::entry::{Entry, EntryContent, FileFacts};
use super::read::{Known, open, read};
use super::write::{Counts, IndexFile, write};
use crate::corpus::Corpus;
use crate::error::{FileError, Result};
use crate::facts::CodeFacts;
use crate::visit::{Event, Send, Visit, VisitError};

/// Options of [`index`].
pub struct IndexOptions<'a> {
    /// The threads, memory and time of the work, and the receiver of its progress. Half of the memory is for
    /// the facts of all files.
    pub task: Task<'a>,
    /// The file system to which the index is written.
    pub vfs: Arc<dyn Vfs>,
    /// Whether the first file that fails ends the work, and a folder that can't be read is an error.
    pub is_strict: bool,
}

impl Default for IndexOptions<'_> {
    /// The default task, and the file system of the operating system.
    fn default() -> Self {
        Self { task: Task::new(), vfs: Arc::new(RealVfs), is_strict: false }
    }
}

/// The counts of a call of [`index`].
#[derive(Debug)]
#[non_exhaustive]
pub struct IndexReport {
    /// The number of files whose columns were read.
    pub read: usize,
    /// The number of files whose facts came from the index before.
    pub reused: usize,
    /// The number of files with the identity of another one, whose names count once.
    pub copies: usize,
    /// The files that could not be read, with the reason. Their names are missing.
    pub failed: Vec<(PathBuf, FileError)>,
    /// The number of functions.
    pub functions: u64,
    /// Those without a digest, which [`clones`](super::clones) does not compare: edges of the syntax tree of
    /// their graph were added or removed.
    pub without_content: u64,
    /// The number of names that files use from elsewhere.
    pub imports: u64,
    /// Those with one definition in another file, to which they are linked.
    pub linked: u64,
    /// Those with several definitions, which are not linked.
    pub ambiguous: u64,
    /// Those without a definition in the corpus.
    pub unknown: u64,
    /// The length of the index in bytes.
    pub file_len: u64,
}

/// Makes the index of a corpus at `output`, a graph. If `output` is an index already, only files whose
/// identity is not in it are read. The index appears whole or not at all, and equal corpora give equal bytes.
///
/// Columns are checked at first use, also if the corpus maps files without checks. A file whose newest commit
/// is lost is a file that fails.
///
/// **Cost**: each file is opened; for a new file, one pass over its nodes. The facts of all files are held in
/// memory: the texts of names and about 250 bytes for each function and use.
///
/// # Errors
/// [`CorpusError::NotAnIndex`](crate::CorpusError::NotAnIndex) if `output` is another graph;
/// [`StoreError::Replaced`](varvite::error::StoreError::Replaced) if another program wrote to `output`
/// meanwhile; [`CorpusError::Folder`](crate::CorpusError::Folder) with `is_strict`; an error of the old index
/// or of the new one; too little memory; cancellation. `output` is then unchanged. With `is_strict`, it is
/// unchanged too if a file failed, which the report names.
pub fn index(corpus: &Corpus, output: &Path, options: &IndexOptions<'_>) -> Result<IndexReport> {
    if options.is_strict {
        refuse_unreadable(corpus)?;
    }
    let task = &options.task;
    let budget = Budget::new(task.memory_bytes() / 2);
    let old = match options.vfs.exists(output).map_err(GraphError::from)? {
        true => Some(open(output)?),
        false => None,
    };
    let known = old.as_ref().map_or_else(|| Ok(Known::new()), |old| read(old, task, &budget))?;
    let vfs = Arc::clone(&options.vfs);
    let file = IndexFile { path: output, old: old.map(|old| old.identity()), vfs };
    let mut gathered = Gathered::new(corpus, options.is_strict, budget);
    let question = |visit: &Visit<'_>, send: Send<'_, Found>| answer(visit, &known, send);
    corpus.for_copy().visit(&task.clone().memory(task.memory_bytes() / 2), question, |file, event| {
        task.step("files", file, corpus.files().len());
        gathered.take(file, event)
    })?;
    let (entries, report) = gathered.finish()?;
    if options.is_strict && !report.failed.is_empty() {
        return Ok(report);
    }
    let (counts, written) = write(&entries, corpus.unreadable().len(), &file, task)?;
    let Counts { failed: _, functions, without_content, imports, linked, ambiguous, unknown } = counts;
    let report = IndexReport { functions, without_content, imports, linked, ambiguous, unknown, ..report };
    Ok(IndexReport { file_len: written.file_len, ..report })
}

fn refuse_unreadable(corpus: &Corpus) -> Result<()> {
    match corpus.unreadable() {
        [] => Ok(()),
        [folder, ..] => Err(folder.refusal()),
    }
}

/// The facts of a file, and whether they are new.
struct Found {
    facts: Arc<FileFacts>,
    is_new: bool,
}

fn answer(visit: &Visit<'_>, known: &Known, send: Send<'_, Found>) -> std::result::Result<(), FileError> {
    check_commit(visit)?;
    let identity = visit.graph.identity().to_string();
    if let Some(facts) = known.get(&identity) {
        send(Found { facts: Arc::clone(facts), is_new: false });
        return Ok(());
    }
    let code = CodeFacts::of(visit.graph, &visit.task)?;
    let facts = FileFacts { identity, nodes: visit.graph.node_count(), code };
    send(Found { facts: Arc::new(facts), is_new: true });
    Ok(())
}

/// Fails if the opened commit may not be the newest one.
fn check_commit(visit: &Visit<'_>) -> std::result::Result<(), FileError> {
    let store = visit.graph.store();
    match store.recovery() {
        None => Ok(()),
        // Commits append their bytes. If none follow the opened commit, the damaged superblock is older.
        Some(Recovery::Slot) if store.log().leftover_bytes() == 0 => Ok(()),
        Some(_) => {
            let opened = store.superblock().generation;
            Err(FileError::LostCommit { path: visit.path.to_owned(), opened })
        }
    }
}

/// The entries so far.
struct Gathered<'c> {
    corpus: &'c Corpus,
    is_strict: bool,
    budget: Budget,
    entries: Vec<Entry>,
    /// The facts of the file that is answered now.
    found: Option<Found>,
    /// The number of the first file of each identity.
    first: HashMap<String, usize>,
    report: IndexReport,
    over: Option<GraphError>,
}

impl<'c> Gathered<'c> {
    fn new(corpus: &'c Corpus, is_strict: bool, budget: Budget) -> Self {
        let report = IndexReport {
            read: 0,
            reused: 0,
            copies: 0,
            failed: Vec::new(),
            functions: 0,
            without_content: 0,
            imports: 0,
            linked: 0,
            ambiguous: 0,
            unknown: 0,
            file_len: 0,
        };
        let (entries, first) = (Vec::new(), HashMap::new());
        Self { corpus, is_strict, budget, entries, found: None, first, report, over: None }
    }

    fn take(&mut self, file: usize, event: Event<Found, FileError>) -> ControlFlow<()> {
        match event {
            Event::Result(found) => {
                self.found = Some(found);
                return ControlFlow::Continue(());
            }
            Event::End(end) => self.end(file, end),
        }
        let is_over = self.over.is_some() || self.is_strict && !self.report.failed.is_empty();
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn end(&mut self, file: usize, end: std::result::Result<(), VisitError<FileError>>) {
        let Some(path) = self.corpus.files().get(file).map(|file| file.path().to_owned()) else { return };
        let content = match (end, self.found.take()) {
            (Ok(()), Some(found)) => self.content(file, found),
            (Ok(()), None) => return,
            (Err(VisitError::File(error) | VisitError::Question(error)), _) => {
                let fault = error.to_string();
                self.report.failed.push((path.clone(), error));
                EntryContent::Fault(fault)
            }
        };
        self.entries.push(Entry { path: path.to_string_lossy().into_owned(), content });
    }

    fn content(&mut self, file: usize, found: Found) -> EntryContent {
        if let Some(first) = self.first.get(&found.facts.identity) {
            self.report.copies += 1;
            return EntryContent::Copy(*first);
        }
        self.first.insert(found.facts.identity.clone(), file);
        if found.is_new {
            self.report.read += 1;
            let taken = self.budget.take(found.facts.code.bytes());
            self.over = taken.err().map(GraphError::from);
        } else {
            self.report.reused += 1;
        }
        EntryContent::Code(found.facts)
    }

    fn finish(self) -> Result<(Vec<Entry>, IndexReport)> {
        match self.over {
            Some(error) => Err(error.into()),
            None => Ok((self.entries, self.report)),
        }
    }
}
