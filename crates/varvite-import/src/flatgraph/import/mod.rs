//! Converts a flatgraph file to a Varvite graph, one column at a time.
//!
//! The AST is read first, because it decides the order of ids. Then all threads read edge labels and
//! properties, sort them in that order and encode them; a single thread writes the results in a fixed order.
//! Memory contains the numbering, the string pool and a few columns at a time, never the whole graph.

mod cpg;
mod edges;
mod error;
mod estimate;
mod ids;
mod indexes;
mod lists;
mod numbering;
mod properties;
mod source_text;
mod utf16;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use varvite::change::ChangeError;
use varvite::columns::in_order;
use varvite::{IfExists, Profile, Task};
use varvite::{
    columns::{Encoder, GraphWriter, LabelSpec, WriteOptions},
    write::{Codec, LayerSpec},
};
use varvite_codec::frame::Expansion;
use varvite_format::{EdgeLabelId, InputError, Owner};
use varvite_store::vfs::RealVfs;
use varvite_store::{StagedFile, Vfs};

pub use error::ImportError;

use self::edges::{EdgeColumns, read_edge_label};
use self::indexes::Indexes;
use self::numbering::Numbering;
use self::properties::{PropertyColumns, TextRoom, Texts, read_property};
use self::source_text::{has_source_text, read_code_and_content};
use super::{EdgeColumn, FlatgraphError, FlatgraphFile, PropertyColumn, Scratch};

/// An import of a flatgraph file, such as Joern's `cpg.bin`, into a graph file. By default the profile is
/// compact, there are no indexes, and all processors are used.
///
/// ```no_run
/// use varvite::{Cancel, Graph, Profile, Task};
/// use varvite_import::Import;
///
/// let cancel = Cancel::default(); // Another thread may keep a clone, and set it.
/// let report = Import::new("cpg.bin")
///     .profile(Profile::Compact)
///     .index("NAME")
///     .task(Task::new().cancel(&cancel).progress(|progress| eprintln!("{progress}")))
///     .write_to("code.varvite")?;
/// assert_eq!(Graph::open("code.varvite")?.node_count(), report.nodes);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "an import begins with `write_to`"]
pub struct Import<'a> {
    source: PathBuf,
    write: WriteOptions,
    indexes: Vec<String>,
    expansion: Expansion,
    vfs: Arc<dyn Vfs>,
    task: Task<'a>,
}

impl<'a> Import<'a> {
    /// An import of the flatgraph file at `source`, which is not opened yet.
    pub fn new(source: impl Into<PathBuf>) -> Self {
        Self {
            source: source.into(),
            write: WriteOptions::default(),
            indexes: Vec::new(),
            expansion: Expansion::default(),
            vfs: Arc::new(RealVfs),
            task: Task::new(),
        }
    }

    /// The storage profile of the new file.
    pub fn profile(mut self, profile: Profile) -> Self {
        self.write.profile = profile;
        self
    }

    /// The codec for the blocks of an archive; zstd by default. Other profiles use no codec.
    pub fn codec(mut self, codec: Codec) -> Self {
        self.write.codec = codec;
        self
    }

    /// Whether an existing file is replaced or causes an error; by default, it causes an error.
    pub fn if_exists(mut self, if_exists: IfExists) -> Self {
        self.write.if_exists = if_exists;
        self
    }

    /// Adds an index of the property `property`, whose values must be texts. May be called several times.
    pub fn index(mut self, property: impl Into<String>) -> Self {
        self.indexes.push(property.into());
        self
    }

    /// The limit of the decoded length of all columns together: by default 200 bytes for each byte of the
    /// source, but at least 64 MiB.
    pub fn expansion(mut self, expansion: Expansion) -> Self {
        self.expansion = expansion;
        self
    }

    /// Writes to `vfs` instead of the operating system's file system.
    pub fn vfs(mut self, vfs: Arc<dyn Vfs>) -> Self {
        self.vfs = vfs;
        self
    }

    /// The limits of the import:
    ///
    /// - Several threads read and encode; fewer are used if there is too little memory for all of them.
    /// - The memory is estimated from the lengths of columns in the source, before any column is decoded.
    /// - The import ends soon after the cancel flag is set, and leaves no file.
    /// - Progress counts steps: one for each edge label and each property, and some before them.
    pub fn task(self, task: Task<'a>) -> Self {
        Self { task, ..self }
    }

    /// Makes a graph file at `target`. The same input gives the same bytes.
    ///
    /// A value that refers to a deleted node becomes null and is counted in the report. Such a value is not
    /// damage: when flatgraph deletes a node, it removes the node's edges, but not references to the node in
    /// properties.
    ///
    /// # Errors
    /// A fault of the source, with its column and offset; an error of the file system; or
    /// [`ImportError::Cancelled`]. After an error there is no new file at `target`, and an existing one is
    /// unchanged.
    pub fn write_to(&self, target: impl AsRef<Path>) -> Result<ImportReport, ImportError> {
        self.write(|nodes, digest| {
            let vfs = Arc::clone(&self.vfs);
            GraphWriter::create(vfs, target.as_ref(), nodes, &identity_of(digest), &self.write)
        })
    }

    /// Makes the graph file in `target`, which the caller began earlier to lock its name. The path, and
    /// whether an existing file may be replaced, were chosen then.
    ///
    /// # Errors
    /// The errors of [`Import::write_to`].
    pub fn write_into(&self, target: StagedFile) -> Result<ImportReport, ImportError> {
        self.write(|nodes, digest| GraphWriter::begin(target, nodes, &identity_of(digest), &self.write))
    }

    fn write(
        &self,
        begin: impl FnOnce(u32, [u8; 32]) -> varvite::Result<GraphWriter, ChangeError>,
    ) -> Result<ImportReport, ImportError> {
        self.write_columns(begin).map_err(|error| match error {
            // Invalid input that the writer finds, such as an invalid name, came from the source.
            ImportError::Graph(ChangeError::Input(error)) => {
                let InputError { argument, fault } = *error;
                let what = format!("{argument}: {fault}");
                ImportError::Contradiction { path: self.source.clone(), what }
            }
            error => error,
        })
    }

    fn write_columns(
        &self,
        begin: impl FnOnce(u32, [u8; 32]) -> varvite::Result<GraphWriter, ChangeError>,
    ) -> Result<ImportReport, ImportError> {
        let file = FlatgraphFile::open_expanding(&self.source, self.expansion);
        let file = file.map_err(|error| self.in_source(error))?.until(self.task.flag());
        let indexes = Indexes::check(&file, &self.indexes)?;
        let columns = Columns::of(&file);
        let threads = estimate::threads_for(&file, &columns, self).map_err(|error| self.in_source(error))?;
        let total = STEPS_BEFORE + columns.edges.len() + columns.properties.len();
        self.task.step("AST", 0, total);
        let numbering = Numbering::read(&file).map_err(|error| error.in_file(&self.source, "whole graph"))?;
        self.task.check()?;
        let mut run = ImportRun {
            source: &self.source,
            file: &file,
            columns,
            indexes: indexes.with_label_sets(&numbering),
            numbering,
            encoder: GraphWriter::encoder(&self.write).until(self.task.flag()),
            texts: Texts::default(),
            refs_to_deleted: AtomicU64::new(0),
            text_bytes: TextRoom::of(&file),
            task: &self.task,
            total,
        };
        let digest = file.digest();
        self.task.check()?;
        let digest = digest.map_err(|error| ImportError::Io { path: self.source.clone(), source: error })?;
        let mut writer = begin(run.numbering.node_count(), digest)?;
        self.task.step("labels", 1, total);
        let layers = add_layers(&mut writer, run.columns.edges.contains_key(cpg::DATAFLOW), digest);
        run.write_labels(&mut writer, layers)?;
        self.task.step("strings", 2, total);
        run.texts = Texts::read(&file, &mut Scratch::new()).map_err(|error| self.in_source(error))?;
        let edges = run.write_columns(&mut writer, layers, threads)?;
        self.task.check()?;
        let (nodes, file_len) = (run.numbering.node_count(), writer.finish()?);
        self.task.step("done", total, total);
        Ok(ImportReport { nodes, edges, file_len, refs_to_deleted: run.refs_to_deleted.into_inner() })
    }

    fn in_source(&self, error: FlatgraphError) -> ImportError {
        ImportError::in_source(&self.source, error)
    }
}

/// The result of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportReport {
    /// The number of nodes of the graph.
    pub nodes: u32,
    /// The number of edges of the graph.
    pub edges: u64,
    /// Size of the new file in bytes.
    pub file_len: u64,
    /// The number of values that refer to deleted nodes in the source and are therefore null in the graph.
    pub refs_to_deleted: u64,
}

/// The edge label that decides the order of ids.
pub(super) const TREE: &str = "AST";
/// Number of steps before the first edge label: reading the AST, labels, strings.
const STEPS_BEFORE: usize = 3;

/// The inputs that every step needs.
struct ImportRun<'a> {
    source: &'a Path,
    file: &'a FlatgraphFile,
    columns: Columns<'a>,
    indexes: Indexes,
    numbering: Numbering,
    encoder: Encoder,
    texts: Texts,
    refs_to_deleted: AtomicU64,
    text_bytes: TextRoom,
    task: &'a Task<'a>,
    /// The number of all steps.
    total: usize,
}

/// The columns of the source, grouped by the name of the column in the graph into which they are merged.
struct Columns<'a> {
    edges: BTreeMap<&'a str, Vec<&'a EdgeColumn>>,
    properties: BTreeMap<&'a str, Vec<&'a PropertyColumn>>,
}

impl<'a> Columns<'a> {
    fn of(file: &'a FlatgraphFile) -> Self {
        let mut columns = Self { edges: BTreeMap::new(), properties: BTreeMap::new() };
        for column in file.edge_columns() {
            columns.edges.entry(&column.edge_label).or_default().push(column);
        }
        for column in file.property_columns() {
            columns.properties.entry(&column.name).or_default().push(column);
        }
        columns
    }

    fn of_edge_label(&self, label: &str) -> &[&'a EdgeColumn] {
        self.edges.get(label).map_or(&[], Vec::as_slice)
    }

    fn of_property(&self, name: &str) -> &[&'a PropertyColumn] {
        self.properties.get(name).map_or(&[], Vec::as_slice)
    }
}

/// The numbers of the graph's layers.
#[derive(Clone, Copy)]
struct Layers {
    code: u32,
    dataflow: u32,
}

/// One unit of parallel work.
enum Job<'a> {
    Edges(&'a str),
    Property(&'a str),
    /// The property with the code of nodes and that with the text of files, whose texts share bytes.
    CodeAndContent,
}

enum Done<'a> {
    Edges(&'a str, Box<EdgeColumns>),
    Properties(Vec<PropertyColumns>),
}

impl ImportRun<'_> {
    fn write_labels(&self, writer: &mut GraphWriter, layers: Layers) -> Result<(), ImportError> {
        let labels = self.numbering.kinds().len();
        let codes: Vec<u32> = self.numbering.kinds_in_order().collect();
        let mut masks = vec![0u64; labels * labels.div_ceil(64).max(1)];
        for label in 0..labels {
            masks[label * labels.div_ceil(64) + label / 64] |= 1 << (label % 64);
        }
        writer.set_label_codes(self.encoder.labels(&codes)?, masks)?;
        let members = MembersOfLabels::of(&codes, labels);
        let mut bitmap = vec![0u64; codes.len().div_ceil(64)];
        for label in 0..labels {
            self.task.check()?;
            let kind = &self.numbering.kinds()[label];
            let nodes = members.of_label(label);
            nodes.iter().for_each(|node| bitmap[*node as usize / 64] |= 1 << (node % 64));
            let numbers = self.numbering.numbers_in_kind(label as u32, nodes);
            let are_ranks = numbers.iter().zip(0..).all(|(number, rank)| *number == rank);
            writer.add_label(LabelSpec {
                name: &kind.label,
                layer: layers.code,
                nodes: self.encoder.set(&bitmap, codes.len() as u32)?,
                origin_count: kind.node_count,
                origin: (!are_ranks).then(|| self.encoder.origin(&numbers, kind.node_count)).transpose()?,
            })?;
            nodes.iter().for_each(|node| bitmap[*node as usize / 64] = 0);
        }
        Ok(())
    }

    fn write_columns(
        &self,
        writer: &mut GraphWriter,
        layers: Layers,
        threads: usize,
    ) -> Result<u64, ImportError> {
        let jobs = self.columns.edges.keys().map(|label| Job::Edges(label));
        let jobs: Vec<Job<'_>> = jobs.chain(self.property_jobs()).collect();
        let (mut edges, mut done, mut edge_label) = (0, STEPS_BEFORE, 0);
        let step = |name: &str, done| self.task.step(name, done, self.total);
        let write = |result| {
            self.task.check()?;
            match result {
                Done::Edges(name, columns) => {
                    step(name, done);
                    edges += columns.edges;
                    let layer = if name == cpg::DATAFLOW { layers.dataflow } else { layers.code };
                    columns.write(writer, name, layer, EdgeLabelId(edge_label))?;
                    edge_label += 1;
                    done += 1;
                }
                Done::Properties(properties) => {
                    for property in properties {
                        step(&property.spec.name, done);
                        writer.add_property(&property.spec, property.columns)?;
                        done += 1;
                    }
                }
            }
            Ok(())
        };
        in_order(&jobs, threads, |job| self.work(job, layers), write)?;
        Ok(edges)
    }

    /// The jobs for properties: one for each property, except that the two properties that share texts are
    /// one job.
    fn property_jobs(&self) -> Vec<Job<'_>> {
        let is_cut = has_source_text(self.file);
        let names = self.columns.properties.keys().copied();
        let names = names.filter(|name| !is_cut || *name != cpg::SOURCE.content);
        let jobs = names.map(|name| match is_cut && name == cpg::SOURCE.code {
            true => Job::CodeAndContent,
            false => Job::Property(name),
        });
        jobs.collect()
    }

    fn work<'j>(&self, job: &Job<'j>, layers: Layers) -> Result<Done<'j>, ImportError> {
        let columns = match job {
            Job::Edges(label) => {
                read_edge_label(self, label).map(|columns| Done::Edges(label, Box::new(columns)))
            }
            Job::Property(name) => {
                read_property(self, name, layers.code).map(|columns| Done::Properties(vec![columns]))
            }
            Job::CodeAndContent => read_code_and_content(self, layers.code).map(Done::Properties),
        };
        columns.map_err(|error| error.in_file(self.source, &job.part()))
    }
}

impl Job<'_> {
    /// The name, in errors, of the part of the source that this job reads.
    fn part(&self) -> String {
        match self {
            Self::Edges(label) => format!("edge label {label}"),
            Self::Property(name) => format!("property {name}"),
            Self::CodeAndContent => format!("properties {} and {}", cpg::SOURCE.code, cpg::SOURCE.content),
        }
    }
}

impl EdgeColumns {
    fn write(
        self,
        writer: &mut GraphWriter,
        name: &str,
        layer: u32,
        edge_label: EdgeLabelId,
    ) -> Result<(), ImportError> {
        if name == TREE {
            writer.set_tree_label(edge_label);
        }
        if let Some(forest) = self.forest {
            writer.set_forest(forest, edge_label)?;
        }
        writer.add_edge_label(varvite::columns::EdgeLabelSpec {
            name,
            layer,
            edges: self.edges,
            out: self.out,
            in_: self.in_,
            places: self.places,
        })?;
        if let Some((mut spec, columns)) = self.property {
            spec.owner = Owner::Edge(edge_label);
            spec.layer = layer;
            writer.add_property(&spec, columns)?;
        }
        Ok(())
    }
}

/// The nodes of each label, in one vector.
struct MembersOfLabels {
    starts: Vec<u32>,
    nodes: Vec<u32>,
}

impl MembersOfLabels {
    /// Groups nodes by label; `codes` has the label of each node.
    fn of(codes: &[u32], labels: usize) -> Self {
        let mut lengths = vec![0u32; labels];
        codes.iter().for_each(|label| lengths[*label as usize] += 1);
        let starts = lists::offsets_of(&lengths);
        let (mut next, mut nodes) = (starts.clone(), vec![0u32; codes.len()]);
        for (node, label) in (0..).zip(codes) {
            let end = &mut next[*label as usize];
            nodes[*end as usize] = node;
            *end += 1;
        }
        Self { starts, nodes }
    }

    fn of_label(&self, label: usize) -> &[u32] {
        &self.nodes[self.starts[label] as usize..self.starts[label + 1] as usize]
    }
}

fn add_layers(writer: &mut GraphWriter, has_dataflow: bool, source: [u8; 32]) -> Layers {
    let layer = |name| LayerSpec { name, tool: "flatgraph", version: "0", source };
    let code = writer.add_layer(&layer("code"));
    let dataflow = match has_dataflow {
        true => writer.add_layer(&layer("code/dataflow")),
        false => code,
    };
    Layers { code, dataflow }
}

/// The bytes from which the new file's id is computed: the digest of the source, and the importer's name and
/// version.
fn identity_of(source: [u8; 32]) -> Vec<u8> {
    [&source[..], b"flatgraph", env!("CARGO_PKG_VERSION").as_bytes()].concat()
}
