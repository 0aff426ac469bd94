//! From a flatgraph file to a Varvite graph, one column at a time.
//!
//! The AST is read first, because it gives the order of ids; then each edge label and each property is read, put in
//! that order and encoded, on all threads; a single thread writes the results in a fixed order. Memory holds the
//! numbering, the string pool and a few columns at a time, never the graph.

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
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use varvite::in_order;
use varvite::write::{Encoder, GraphWriter, LabelSpec, LayerSpec, WriteOptions};
use varvite_format::Owner;
use varvite_store::Vfs;

pub use error::ImportError;

use self::edges::{EdgeColumns, read_edge_label};
use self::indexes::Indexes;
use self::numbering::Numbering;
use self::properties::{PropertyColumns, TextRoom, Texts, read_property};
use self::source_text::{has_source_text, read_code_and_content};
use super::{EdgeColumn, FlatgraphFile, PropertyColumn, Scratch};

/// How to import.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// What kind of file to write.
    pub write: WriteOptions,
    /// Threads that read and encode; fewer are used where [`memory_bytes`](Self::memory_bytes) is too little for all.
    pub threads: usize,
    /// Names of properties of strings that get an index.
    pub indexes: Vec<String>,
    /// Most memory that the import may take, by what the file says of its columns before any is decoded.
    pub memory_bytes: usize,
}

impl ImportOptions {
    /// No indexes, and the memory of [`varvite::Budget::default_bytes`].
    pub fn new(write: WriteOptions, threads: usize) -> Self {
        Self { write, threads, indexes: Vec::new(), memory_bytes: varvite::Budget::default_bytes() }
    }
}

/// What an import did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImportReport {
    /// Nodes of the graph.
    pub nodes: u32,
    /// Its edges.
    pub edges: u64,
    /// Size of the new file in bytes.
    pub file_len: u64,
    /// Values that refer to deleted nodes, and are null in the graph.
    pub refs_to_deleted: u64,
}

/// How far an import or an export is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step<'a> {
    /// What is being done.
    pub name: &'a str,
    /// Steps that are done.
    pub done: usize,
    /// Steps in all.
    pub total: usize,
}

/// The edge label that gives the order of ids.
pub(super) const FOREST: &str = "AST";
/// Steps before the first edge label: reading the AST, labels, strings.
const STEPS_BEFORE: usize = 3;

/// Makes a Varvite graph at `target` of the flatgraph file at `source`. The same input gives the same bytes.
///
/// A value that refers to a deleted node becomes null and is counted. It is no damage: flatgraph removes the edges of a
/// node that it deletes, but looks for no values elsewhere that refer to it.
///
/// # Errors
/// What is wrong with the source, with its column and offset, or what the file system says; then there is no new
/// file at `target`, and an old one is untouched.
pub fn import(
    vfs: Arc<dyn Vfs>,
    source: &Path,
    target: &Path,
    options: &ImportOptions,
    progress: &dyn Fn(Step<'_>),
) -> Result<ImportReport, ImportError> {
    let in_source = |error| ImportError::Source { path: source.to_owned(), error };
    let file = FlatgraphFile::open(source).map_err(in_source)?;
    let indexes = Indexes::check(&file, &options.indexes)?;
    let columns = Columns::of(&file);
    let threads = estimate::threads_within(&file, &columns, options).map_err(in_source)?;
    let total = STEPS_BEFORE + columns.edges.len() + columns.properties.len();
    let step = |name: &str, done| progress(Step { name, done, total });
    step("AST", 0);
    let numbering = Numbering::read(&file).map_err(|error| error.in_file(source, "whole graph"))?;
    let mut import = Import {
        source,
        file: &file,
        columns,
        indexes: indexes.with_label_sets(&numbering),
        numbering,
        encoder: GraphWriter::encoder(&options.write),
        texts: Texts::default(),
        refs_to_deleted: AtomicU64::new(0),
        text_bytes: TextRoom::of(&file),
    };
    let digest = file.digest().map_err(|error| ImportError::Io { path: source.to_owned(), source: error })?;
    let nodes = import.numbering.node_count();
    let indexed = import.indexes.names();
    let mut writer =
        GraphWriter::create_indexed(vfs, target, nodes, &identity_of(digest), &indexed, &options.write)?;
    step("labels", 1);
    let layers = add_layers(&mut writer, import.columns.edges.contains_key(cpg::DATAFLOW), digest);
    import.write_labels(&mut writer, layers)?;
    step("strings", 2);
    import.texts = Texts::read(&file, &mut Scratch::new()).map_err(in_source)?;
    let edges = import.write_columns(&mut writer, layers, threads, &step)?;
    let file_len = writer.finish()?;
    progress(Step { name: "done", done: total, total });
    Ok(ImportReport { nodes, edges, file_len, refs_to_deleted: import.refs_to_deleted.into_inner() })
}

/// What every step needs.
struct Import<'a> {
    source: &'a Path,
    file: &'a FlatgraphFile,
    columns: Columns<'a>,
    indexes: Indexes,
    numbering: Numbering,
    encoder: Encoder,
    texts: Texts,
    refs_to_deleted: AtomicU64,
    text_bytes: TextRoom,
}

/// The columns of the source that become one column of the graph, by its name.
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

/// Numbers of the layers.
#[derive(Clone, Copy)]
struct Layers {
    code: u32,
    dataflow: u32,
}

/// One unit of parallel work.
enum Job<'a> {
    Edges(&'a str),
    Property(&'a str),
    /// Two properties with one pool of texts.
    CodeAndContent,
}

enum Done<'a> {
    Edges(&'a str, Box<EdgeColumns>),
    Properties(Vec<PropertyColumns>),
}

impl Import<'_> {
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
            let kind = &self.numbering.kinds()[label];
            let nodes = members.of_label(label);
            nodes.iter().for_each(|node| bitmap[*node as usize / 64] |= 1 << (node % 64));
            let places = self.numbering.places(label as u32, nodes);
            let in_place = places.iter().zip(0..).all(|(place, rank)| *place == rank);
            writer.add_label(LabelSpec {
                name: &kind.label,
                layer: layers.code,
                nodes: self.encoder.set(&bitmap, codes.len() as u32)?,
                origin_count: kind.node_count,
                origin: (!in_place).then(|| self.encoder.rising(&places)).transpose()?,
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
        step: &dyn Fn(&str, usize),
    ) -> Result<u64, ImportError> {
        let jobs = self.columns.edges.keys().map(|label| Job::Edges(label));
        let jobs: Vec<Job<'_>> = jobs.chain(self.property_jobs()).collect();
        let (mut edges, mut done, mut edge_label) = (0, STEPS_BEFORE, 0);
        let write = |result| {
            match result {
                Done::Edges(name, columns) => {
                    step(name, done);
                    edges += columns.edges;
                    let layer = if name == cpg::DATAFLOW { layers.dataflow } else { layers.code };
                    columns.write(writer, name, layer, edge_label)?;
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

    /// A job for each property, or for two that share their texts.
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
    /// What errors call it.
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
        edge_label: u32,
    ) -> Result<(), ImportError> {
        if let Some(forest) = self.forest {
            writer.set_forest(forest, edge_label)?;
        }
        writer.add_edge_label(varvite::write::EdgeLabelSpec {
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

/// The nodes of each label, in one list.
struct MembersOfLabels {
    starts: Vec<u32>,
    nodes: Vec<u32>,
}

impl MembersOfLabels {
    /// `codes` has the label of each node.
    fn of(codes: &[u32], labels: usize) -> Self {
        let mut lengths = vec![0u32; labels];
        codes.iter().for_each(|label| lengths[*label as usize] += 1);
        let starts = lists::offsets_of(&lengths);
        let (mut next, mut nodes) = (starts.clone(), vec![0u32; codes.len()]);
        for (node, label) in (0..).zip(codes) {
            let place = &mut next[*label as usize];
            nodes[*place as usize] = node;
            *place += 1;
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

/// What the id of the new file follows from: its source, and who reads it in which way.
fn identity_of(source: [u8; 32]) -> Vec<u8> {
    [&source[..], b"flatgraph", env!("CARGO_PKG_VERSION").as_bytes()].concat()
}
