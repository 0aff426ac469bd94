//! [`CsvImport`]: converts tables of nodes and relationships to a graph file.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use varvite::write::Codec;
use varvite::{IfExists, Profile, Task};
use varvite_codec::frame::Expansion;
use varvite_graph::internal::{Draft, DraftOptions, DraftSource, TreeLabel};
use varvite_store::Vfs;

use super::cell::CellRules;
use super::format::CsvFormat;
use super::header::{Column, IdType, Role};
use super::rows::{NodeRows, RelationshipRows, Spaces};
use super::table::{Reading, Table, TableRules};
use crate::text::{TextError, TextSource, draft_options, target_options};

/// An import of tables in the form of Neo4j's admin import into a graph file. By default the profile is
/// compact, there are no indexes, and all processors are used.
///
/// ```no_run
/// use varvite_import::neo4j_csv::{CsvGroup, CsvImport};
///
/// let report = CsvImport::new()
///     .nodes(CsvGroup::of(["people.csv"]).labels(["Person"]))
///     .relationships(CsvGroup::of(["knows-header.csv", "knows-1.csv.gz"]).labels(["KNOWS"]))
///     .skip_bad_relationships(true)
///     .write_to("people.varvite")?;
/// println!("{} nodes, {} relationships without an end", report.nodes, report.skipped_relationships);
/// # Ok::<(), varvite_import::TextError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "an import begins with `write_to`"]
pub struct CsvImport<'a> {
    nodes: Vec<CsvGroup>,
    relationships: Vec<CsvGroup>,
    format: CsvFormat,
    id_type: IdType,
    table_rules: TableRules,
    trim_strings: bool,
    ignore_empty_strings: bool,
    skip_bad_relationships: bool,
    skip_duplicate_nodes: bool,
    expansion: Expansion,
    options: DraftOptions<'a>,
}

/// Files that form one table. The header is the first line of the first file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CsvGroup {
    files: Vec<PathBuf>,
    labels: Vec<String>,
}

impl CsvGroup {
    /// A table that consists of these files.
    pub fn of<P: Into<PathBuf>>(files: impl IntoIterator<Item = P>) -> Self {
        Self { files: files.into_iter().map(Into::into).collect(), labels: Vec::new() }
    }

    /// Labels of all nodes of the table, in addition to those in the column `:LABEL`. For a table of
    /// relationships, the first label is the type of the relationships that have none in the column `:TYPE`.
    #[must_use]
    pub fn labels<S: Into<String>>(self, labels: impl IntoIterator<Item = S>) -> Self {
        Self { labels: labels.into_iter().map(Into::into).collect(), ..self }
    }
}

/// The result of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CsvReport {
    /// The number of nodes of the graph.
    pub nodes: u32,
    /// The number of edges of the graph.
    pub edges: u64,
    /// Size of the new file in bytes.
    pub file_len: u64,
    /// The number of bytes read from all files.
    pub source_len: u64,
    /// The number of relationships that were skipped because they have no type, or because their start or end
    /// node does not exist.
    pub skipped_relationships: u64,
    /// The number of nodes that were skipped because an earlier node has the same id.
    pub skipped_nodes: u64,
}

impl Default for CsvImport<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> CsvImport<'a> {
    /// An import without tables.
    pub fn new() -> Self {
        Self {
            nodes: Vec::new(),
            relationships: Vec::new(),
            format: CsvFormat::default(),
            id_type: IdType::String,
            table_rules: TableRules::default(),
            trim_strings: false,
            ignore_empty_strings: false,
            skip_bad_relationships: false,
            skip_duplicate_nodes: false,
            expansion: Expansion::default(),
            options: draft_options(),
        }
    }

    /// Adds a table of nodes. May be called several times.
    pub fn nodes(mut self, group: CsvGroup) -> Self {
        self.nodes.push(group);
        self
    }

    /// Adds a table of relationships. May be called several times.
    pub fn relationships(mut self, group: CsvGroup) -> Self {
        self.relationships.push(group);
        self
    }

    /// The characters that structure all tables.
    ///
    /// # Panics
    /// If two of the characters are equal ([`CsvFormat::is_sound`]).
    pub fn format(mut self, format: CsvFormat) -> Self {
        assert!(format.is_sound(), "delimiters and quote differ");
        self.format = format;
        self
    }

    /// The type of ids in tables whose header states none; by default ids are texts.
    pub fn id_type(mut self, id_type: IdType) -> Self {
        self.id_type = id_type;
        self
    }

    /// Skips and counts relationships without a type, or with a missing start or end node. Such relationships
    /// are errors by default.
    pub fn skip_bad_relationships(mut self, skip: bool) -> Self {
        self.skip_bad_relationships = skip;
        self
    }

    /// Skips and counts nodes with the id of an earlier node. Such nodes are errors by default.
    pub fn skip_duplicate_nodes(mut self, skip: bool) -> Self {
        self.skip_duplicate_nodes = skip;
        self
    }

    /// Ignores fields for which the header has no column. Such fields are errors by default.
    pub fn ignore_extra_columns(mut self, ignore: bool) -> Self {
        self.table_rules.ignore_extra_columns = ignore;
        self
    }

    /// Skips the first line of each further file of a group if that line equals the header.
    pub fn skip_subsequent_headers(mut self, skip: bool) -> Self {
        self.table_rules.skip_headers = skip;
        self
    }

    /// Treats quoted empty texts as missing values. Empty fields without quotes are always missing values.
    pub fn ignore_empty_strings(mut self, ignore: bool) -> Self {
        self.ignore_empty_strings = ignore;
        self
    }

    /// Removes the blanks around texts.
    pub fn trim_strings(mut self, trim: bool) -> Self {
        self.trim_strings = trim;
        self
    }

    target_options!('a);

    /// Makes a graph file at `target`. The same tables give the same bytes.
    ///
    /// # Errors
    /// A fault of a table, with file, line and column; a compressed file that expands too far; too little
    /// memory; cancellation; or an error of the file system. After an error there is no new file at `target`,
    /// and an existing one is unchanged.
    pub fn write_to(&self, target: impl AsRef<Path>) -> Result<CsvReport, TextError> {
        let target = target.as_ref();
        let mut run = CsvRun::begin(self, target)?;
        let (nodes, relationships) = run.open()?;
        let skipped_nodes = run.read_nodes(nodes)?;
        let skipped_relationships = run.read_relationships(relationships)?;
        let source = DraftSource { tool: "neo4j-csv", digest: *run.hasher.finalize().as_bytes() };
        let written = run.draft.write(target, source, &self.options)?;
        Ok(CsvReport {
            nodes: written.nodes,
            edges: written.edges,
            file_len: written.file_len,
            source_len: run.read_before,
            skipped_relationships,
            skipped_nodes,
        })
    }
}

/// Tables, each with the rules for its rows.
type Tables<R> = Vec<(Table, R)>;

/// Number of rows between two checks of the cancel flag.
const ROWS: u64 = 4096;

/// An import in progress.
struct CsvRun<'i, 'a> {
    import: &'i CsvImport<'a>,
    draft: Draft,
    spaces: Spaces,
    rules: CellRules,
    hasher: blake3::Hasher,
    /// Number of bytes read from the tables before the current one.
    read_before: u64,
    total_bytes: u64,
}

impl<'i, 'a> CsvRun<'i, 'a> {
    fn begin(import: &'i CsvImport<'a>, target: &Path) -> Result<Self, TextError> {
        let files = import.nodes.iter().chain(&import.relationships).flat_map(|group| &group.files);
        let (mut total_bytes, mut known) = (0, Some(0));
        for path in files {
            let io = |error| TextError::io(path, error);
            let data = fs::metadata(path).map_err(io)?;
            // The number of plain bytes of a pipe or a compressed file is not known.
            let is_plain = data.is_file() && TextSource::open(path, import.expansion).map_err(io)?.is_plain();
            total_bytes += data.len();
            known = known.filter(|_| is_plain).map(|known| known + data.len());
        }
        let options = &import.options;
        let draft = Draft::new(Arc::clone(&options.vfs), target, options.task.memory_bytes(), known)?;
        let rules = CellRules {
            array_delimiter: import.format.array_delimiter,
            trim_strings: import.trim_strings,
            ignore_empty_strings: import.ignore_empty_strings,
        };
        let (spaces, hasher) = (Spaces::default(), blake3::Hasher::new());
        let mut run = Self { import, draft, spaces, rules, hasher, read_before: 0, total_bytes };
        let skips = [import.skip_bad_relationships, import.skip_duplicate_nodes];
        run.say(&(import.format, import.id_type, import.table_rules, run.rules, skips));
        Ok(run)
    }

    /// Reads the headers of all tables and declares their labels and properties. As a result, faults in
    /// headers are found early, before the long part of the import.
    fn open(&mut self) -> Result<(Tables<NodeRows>, Tables<RelationshipRows>), TextError> {
        let import = self.import;
        let CsvImport { format, table_rules: rules, expansion, .. } = *import;
        let reading = Reading { format, rules, expansion };
        let open = |group: &CsvGroup, role| {
            let has_type = !group.labels.is_empty();
            Table::open(&group.files, role, has_type, reading)
        };
        let (mut tables, mut nodes, mut relationships) = (Vec::new(), Vec::new(), Vec::new());
        for group in &import.nodes {
            let Some(table) = open(group, Role::Nodes)? else { continue };
            for column in &table.header.columns {
                if let Column::Id { space, id_type, .. } = column {
                    self.spaces.add(space, *id_type, import.id_type);
                }
            }
            tables.push((group, table));
        }
        for (group, table) in tables {
            self.say(&group.labels);
            let rows = NodeRows::of(&table, &group.labels, &self.spaces, &mut self.draft)?;
            nodes.push((table, rows));
        }
        for group in &import.relationships {
            let Some(table) = open(group, Role::Relationships)? else { continue };
            self.say(&group.labels);
            let own = group.labels.first().map(String::as_str);
            let rows = RelationshipRows::of(&table, own, &self.spaces, &mut self.draft)?;
            relationships.push((table, rows));
        }
        Ok((nodes, relationships))
    }

    /// Adds options to the input from which the graph's id is computed, in addition to the bytes of the
    /// tables.
    fn say(&mut self, what: &impl fmt::Debug) {
        self.hasher.update(format!("{what:?}").as_bytes());
    }

    fn read_nodes(&mut self, tables: Vec<(Table, NodeRows)>) -> Result<u64, TextError> {
        let mut skipped = 0;
        for (mut table, mut rows) in tables {
            let mut count = 0;
            while self.read(&mut table, &mut count)? {
                if let Some(twice) = rows.add(&table, &self.spaces, self.rules, &mut self.draft)? {
                    pass_over(twice, self.import.skip_duplicate_nodes, &mut skipped)?;
                }
            }
            self.end(table);
        }
        Ok(skipped)
    }

    fn read_relationships(&mut self, tables: Vec<(Table, RelationshipRows)>) -> Result<u64, TextError> {
        let mut skipped = 0;
        for (mut table, mut rows) in tables {
            let mut count = 0;
            while self.read(&mut table, &mut count)? {
                if let Some(bad) = rows.add(&table, &self.spaces, self.rules, &mut self.draft)? {
                    pass_over(bad, self.import.skip_bad_relationships, &mut skipped)?;
                }
            }
            self.end(table);
        }
        Ok(skipped)
    }

    /// Reads a row of a table; returns false at the end of the table.
    fn read(&self, table: &mut Table, count: &mut u64) -> Result<bool, TextError> {
        let is_found = table.read()?;
        if count.is_multiple_of(ROWS) {
            let task = &self.import.options.task;
            task.check()?;
            let name = table.path().file_name().unwrap_or_default().to_string_lossy();
            task.bytes(&name, self.read_before + table.read_bytes(), self.total_bytes);
        }
        *count += 1;
        Ok(is_found)
    }

    fn end(&mut self, table: Table) {
        self.read_before += table.read_bytes();
        self.hasher.update(&table.digest());
    }
}

/// Counts an error that may be ignored; returns any other error.
fn pass_over(error: TextError, may: bool, skipped: &mut u64) -> Result<(), TextError> {
    *skipped += 1;
    if may { Ok(()) } else { Err(error) }
}
