//! Writes entries as the graph of an index.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use varvite::change::{ChangeError, PropertyOwner};
use varvite::error::StoreError;
use varvite::inspect::Identity;
use varvite::vfs::Vfs;
use varvite::write::{NewGraphOptions, NewGraphReport};
use varvite::{Cardinality, GraphError, IfExists, NewGraph, OpenOptions, Task, ValueType};

use super::entry::{Entry, EntryContent, FileFacts};
use super::links::Links;
use super::schema::*;
use crate::error::Result;
use crate::facts::{Function, Import};

/// The counts of an index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) failed: u64,
    pub(super) functions: u64,
    pub(super) without_content: u64,
    pub(super) imports: u64,
    pub(super) linked: u64,
    pub(super) ambiguous: u64,
    pub(super) unknown: u64,
}

/// The file of a new index.
pub(super) struct IndexFile<'a> {
    pub(super) path: &'a Path,
    /// The identity of the index that is replaced. Any other file that has the path by now is kept.
    pub(super) old: Option<Identity>,
    pub(super) vfs: Arc<dyn Vfs>,
}

/// Writes an index, which appears whole or not at all. `unreadable` is the number of folders whose files are
/// unknown.
pub(super) fn write(
    entries: &[Entry],
    unreadable: usize,
    file: &IndexFile<'_>,
    task: &Task<'_>,
) -> Result<(Counts, NewGraphReport)> {
    let links = Links::of(entries, task)?;
    let graph = file.begin(task)?;
    let mut writer = Writer { graph, entries, links, counts: Counts::default(), files: Vec::new() };
    writer.write(unreadable)?;
    let counts = writer.counts;
    Ok((counts, writer.graph.finish().map_err(meanwhile)?))
}

impl IndexFile<'_> {
    fn begin<'t>(&self, task: &Task<'t>) -> Result<NewGraph<'t>> {
        let if_exists = if self.old.is_some() { IfExists::Replace } else { IfExists::Refuse };
        let options = NewGraphOptions::new().index(NAME).index(FULL_NAME).if_exists(if_exists);
        let options = options.task(task.clone()).vfs(Arc::clone(&self.vfs));
        let graph = options.create(self.path).map_err(meanwhile)?;
        // From here on the old index is locked, and the new one gets its name only if the old one has it.
        match self.old {
            Some(old) if OpenOptions::new().open(self.path)?.identity() != old => {
                Err(replaced(self.path.to_owned()).into())
            }
            _ => Ok(graph),
        }
    }
}

/// The error of a file that was not there when the work began.
fn meanwhile(error: ChangeError) -> ChangeError {
    match error {
        ChangeError::Graph(GraphError::Store(StoreError::Exists { path })) => replaced(path),
        error => error,
    }
}

fn replaced(path: PathBuf) -> ChangeError {
    ChangeError::from(GraphError::from(StoreError::Replaced { path }))
}

struct Writer<'a, 't> {
    graph: NewGraph<'t>,
    entries: &'a [Entry],
    links: Links,
    counts: Counts,
    /// The node of each file, and of its first function; the others follow it.
    files: Vec<(u32, u32)>,
}

type Written = std::result::Result<(), ChangeError>;

impl Writer<'_, '_> {
    fn write(&mut self, unreadable: usize) -> Written {
        self.declare()?;
        let corpus = self.graph.add_node(&[CORPUS])?;
        let entries = self.entries;
        entries.iter().try_for_each(|entry| self.write_file(entry))?;
        for (number, entry) in entries.iter().enumerate() {
            if let (Some(facts), Some((file, _))) = (entry.facts(), self.files.get(number).copied()) {
                self.write_imports(entry, file, facts)?;
            }
        }
        self.write_counts(corpus, unreadable)
    }

    /// Declares the names that an index may have no value for.
    fn declare(&mut self) -> Written {
        for label in [FILE, METHOD] {
            self.graph.declare_label(label)?;
        }
        for edge_label in [DEFINES, USES, COPY_OF, LINKS] {
            self.graph.declare_edge_label(edge_label)?;
        }
        let texts = [
            NAME, FULL_NAME, SIGNATURE, FILENAME, IDENTITY, LANGUAGE, FAULT, GRAPH, LINKAGE, CONTENT, SKETCH,
        ];
        let numbers = [LINE_NUMBER, LINE_NUMBER_END, NODES, NODE, CALLS, CANDIDATES, VERSION_NAME];
        let texts = texts.map(|name| (name, ValueType::String));
        let flags = [(IS_EXTERNAL, ValueType::Bool)];
        for (name, kind) in texts.into_iter().chain(numbers.map(|name| (name, ValueType::I64))).chain(flags) {
            self.graph.declare_property(name, PropertyOwner::Nodes, kind, Cardinality::Optional)?;
        }
        Ok(())
    }

    /// Writes a file and its functions.
    fn write_file(&mut self, entry: &Entry) -> Written {
        let file = self.graph.add_node(&[FILE])?;
        self.files.push((file, file + 1));
        self.graph.set(file, NAME, entry.path.as_str())?;
        match &entry.content {
            EntryContent::Fault(fault) => {
                self.counts.failed += 1;
                self.graph.set(file, FAULT, fault.as_str())
            }
            EntryContent::Copy(first) => {
                let Some((of, _)) = self.files.get(*first).copied() else { return Ok(()) };
                self.graph.add_edge(COPY_OF, file, of).map(drop)
            }
            EntryContent::Code(facts) => {
                self.graph.set(file, IDENTITY, facts.identity.as_str())?;
                self.graph.set(file, LANGUAGE, facts.code.language.as_str())?;
                self.graph.set(file, NODES, i64::from(facts.nodes))?;
                facts
                    .code
                    .functions
                    .iter()
                    .try_for_each(|function| self.write_function(entry, file, function))
            }
        }
    }

    fn write_function(&mut self, entry: &Entry, file: u32, function: &Function) -> Written {
        let names = [&*function.name, &function.full_name, &function.signature];
        let method = self.add_method(entry, function.node, names)?;
        self.graph.set(method, FILENAME, function.source.as_str())?;
        self.graph.set(method, IS_EXTERNAL, false)?;
        self.graph.set(method, LINKAGE, if function.is_exported { EXPORTED } else { INTERNAL })?;
        for (name, line) in [(LINE_NUMBER, function.line), (LINE_NUMBER_END, function.line_end)] {
            line.map_or(Ok(()), |line| self.graph.set(method, name, line))?;
        }
        if let Some(content) = function.content {
            self.graph.set(method, CONTENT, content.to_string().as_str())?;
        }
        if let Some(sketch) = function.sketch {
            self.graph.set(method, SKETCH, sketch.to_string().as_str())?;
        }
        self.counts.functions += 1;
        self.counts.without_content += u64::from(function.content.is_none());
        self.graph.add_edge(DEFINES, file, method).map(drop)
    }

    fn write_imports(&mut self, entry: &Entry, file: u32, facts: &FileFacts) -> Written {
        let language = &facts.code.language;
        facts.code.imports.iter().try_for_each(|import| self.write_import(entry, file, language, import))
    }

    fn write_import(&mut self, entry: &Entry, file: u32, language: &str, import: &Import) -> Written {
        let names = [&*import.name, &import.full_name, &import.signature];
        let method = self.add_method(entry, import.node, names)?;
        let found = self.links.find(language, &import.full_name, &import.signature);
        self.graph.set(method, IS_EXTERNAL, true)?;
        self.graph.set(method, LINKAGE, IMPORTED)?;
        self.graph.set(method, CALLS, i64::try_from(import.calls).unwrap_or(i64::MAX))?;
        self.graph.set(method, CANDIDATES, i64::try_from(found.count).unwrap_or(i64::MAX))?;
        self.graph.add_edge(USES, file, method)?;
        self.counts.imports += 1;
        match found.count {
            0 => self.counts.unknown += 1,
            1 => self.counts.linked += 1,
            _ => self.counts.ambiguous += 1,
        }
        let Some(definition) = found.only else { return Ok(()) };
        let Some((_, first)) = self.files.get(definition.file) else { return Ok(()) };
        // The number of functions of a file is less than its number of nodes, which fits.
        self.graph.add_edge(LINKS, method, first + definition.function as u32).map(drop)
    }

    fn add_method(
        &mut self,
        entry: &Entry,
        node: u32,
        names: [&str; 3],
    ) -> std::result::Result<u32, ChangeError> {
        let method = self.graph.add_node(&[METHOD])?;
        for (property, name) in [NAME, FULL_NAME, SIGNATURE].into_iter().zip(names) {
            self.graph.set(method, property, name)?;
        }
        self.graph.set(method, GRAPH, entry.path.as_str())?;
        self.graph.set(method, NODE, i64::from(node))?;
        Ok(method)
    }

    fn write_counts(&mut self, corpus: u32, unreadable: usize) -> Written {
        let Counts { failed, functions, without_content, imports, linked, ambiguous, unknown } = self.counts;
        self.graph.set(corpus, VERSION_NAME, VERSION)?;
        let counts = [
            ("FILES", self.entries.len() as u64),
            (FAILED, failed),
            (UNREADABLE, unreadable as u64),
            ("FUNCTIONS", functions),
            (WITHOUT_CONTENT, without_content),
            ("IMPORTS", imports),
            ("LINKED", linked),
            ("AMBIGUOUS", ambiguous),
            ("UNKNOWN", unknown),
        ];
        counts.into_iter().try_for_each(|(name, count)| {
            self.graph.set(corpus, name, i64::try_from(count).unwrap_or(i64::MAX))
        })
    }
}
