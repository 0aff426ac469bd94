//! Writes a draft as a graph file.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use varvite_format::EdgeLabelId;
use varvite_store::vfs::RealVfs;
use varvite_store::{StagedFile, Task, Vfs};

use super::content::{Draft, Element};
use super::encode::{Columns, PropertyColumns};
use super::estimate::{Effort, effort_within};
use super::numbering::Numbering;
use crate::budget::Reserved;
use crate::change_error::ChangeError;
use crate::cursor::value::ValueType;
use crate::error::{GraphError, Result};
use crate::name_kind::NameKind;
use crate::scan::parallel::in_order;
use crate::schema::nearest;
use crate::write::{GraphWriter, LabelSpec, LayerSpec, PreparedEdges, WriteOptions};

/// Options for writing a draft.
#[derive(Clone, Debug)]
pub struct DraftOptions<'a> {
    /// Options of the file: profile, codec, and treatment of an existing file.
    pub write: WriteOptions,
    /// The node properties that get an index.
    pub indexes: Vec<String>,
    /// The edge label whose pre-order gives the ids of nodes.
    pub tree: TreeLabel,
    /// The file system in which the new file is created.
    pub vfs: Arc<dyn Vfs>,
    /// Threads, memory, time limit, cancellation, progress.
    pub task: Task<'a>,
}

/// The edge label whose pre-order gives the ids of nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TreeLabel {
    /// The edge label of this name, if the graph has it.
    IfThere(&'static str),
    /// The edge label of this name, which must exist.
    Named(String),
    /// No edge label: ids are the numbers of nodes in the draft.
    #[default]
    No,
}

impl Default for DraftOptions<'_> {
    fn default() -> Self {
        Self {
            write: WriteOptions::default(),
            indexes: Vec::new(),
            tree: TreeLabel::No,
            vfs: Arc::new(RealVfs),
            task: Task::new(),
        }
    }
}

/// The source of a draft: its tool and its hash.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The name of the source's format, or of the program that made the graph.
    pub tool: &'static str,
    /// BLAKE3 of everything that was read.
    pub digest: [u8; 32],
}

/// Counts of the written file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// The number of nodes.
    pub nodes: u32,
    /// The number of edges.
    pub edges: u64,
    /// The size of the new file in bytes.
    pub file_len: u64,
}

/// A job of parallel work.
enum Job {
    Edges(u32),
    /// Edges that are sorted on disk, by the thread that writes the file. The job itself does nothing: it
    /// only fixes the place of these edges in the order of columns.
    StreamedEdges(u32),
    StreamedProperty(usize),
    Property(usize),
}

enum Done {
    Edges(u32, Box<PreparedEdges>),
    EdgesToStream(u32),
    PropertyToStream(usize),
    Property(Box<PropertyColumns>),
}

impl Draft {
    /// Writes the graph to `target`. Equal drafts give equal bytes under the same memory limit.
    ///
    /// # Errors
    /// A name in the options that the graph does not have; an exceeded limit of the format; too little
    /// memory; cancellation; an error of the file system. In all these cases, no new file is created.
    pub fn write(
        self,
        target: &Path,
        source: Source,
        options: &DraftOptions<'_>,
    ) -> Result<Written, ChangeError> {
        let begin = || -> Result<StagedFile, ChangeError> {
            Ok(StagedFile::create(Arc::clone(&options.vfs), target, options.write.if_exists)?)
        };
        self.write_into(begin, source, options)
    }

    /// The same as [`Draft::write`], into the empty file that `begin` returns. `begin` is called only after
    /// the options were checked against the graph.
    pub(crate) fn write_into(
        mut self,
        begin: impl FnOnce() -> Result<StagedFile, ChangeError>,
        source: Source,
        options: &DraftOptions<'_>,
    ) -> Result<Written, ChangeError> {
        self.forget_keys();
        let tree = self.tree(&options.tree)?;
        let indexes = self.check_indexes(&options.indexes)?;
        let mut room = Reserved::nothing_of(self.budget());
        let numbering = self.numbering(tree)?;
        room.take(size_of_val(&*self.codes))?;
        let codes = numbering.in_order(&self.codes);
        let effort = effort_within(&self, tree, &indexes, self.budget(), options.task.thread_count())?;
        let encoder = GraphWriter::encoder(&options.write).until(options.task.flag());
        let columns = Columns {
            draft: &self,
            numbering: &numbering,
            encoder: &encoder,
            codes: &codes,
            tree,
            indexes: &indexes,
        };
        let tree = tree.map(|tree| &*self.edge_labels.list()[tree as usize]);
        let identity = identity_of(source, tree, &effort);
        let mut writer = GraphWriter::begin(begin()?, numbering.nodes(), &identity, &options.write)?;
        let layer = LayerSpec { name: "graph", tool: source.tool, version: "0", source: source.digest };
        writer.add_layer(&layer);
        self.write_labels(&mut writer, &columns, options)?;
        let edges = self.write_columns(&mut writer, &columns, &effort, &options.task)?;
        options.task.check()?;
        Ok(Written { nodes: numbering.nodes(), edges, file_len: writer.finish()? })
    }

    /// The edge label whose pre-order gives the ids; `None` if `tree` names none.
    fn tree(&self, tree: &TreeLabel) -> Result<Option<u32>, ChangeError> {
        let known = self.edge_labels.list();
        let find = |name: &str| known.iter().position(|known| known == name).map(|label| label as u32);
        let name = match tree {
            TreeLabel::Named(name) => name,
            TreeLabel::IfThere(name) => return Ok(find(name)),
            TreeLabel::No => return Ok(None),
        };
        let nearest = || nearest(name, known.iter().map(String::as_str));
        let unknown =
            || GraphError::Unknown { kind: NameKind::EdgeLabel, name: name.clone(), nearest: nearest() };
        Ok(find(name).map(Some).ok_or_else(unknown)?)
    }

    fn numbering(&self, tree: Option<u32>) -> Result<Numbering, ChangeError> {
        match tree {
            Some(tree) => Numbering::pre_order(self.node_count(), &self.edges[tree as usize], self.budget()),
            None => Ok(Numbering::as_read(self.node_count(), self.budget())),
        }
    }

    fn check_indexes(&self, wanted: &[String]) -> Result<BTreeSet<String>, ChangeError> {
        let of_nodes = || self.properties.iter().filter(|(of, _)| *of == Element::Node);
        let mut indexes = BTreeSet::new();
        for name in wanted {
            let Some((_, values)) = of_nodes().find(|(_, values)| values.name == *name) else {
                let nearest = nearest(name, of_nodes().map(|(_, values)| &*values.name));
                return Err(
                    GraphError::Unknown { kind: NameKind::Property, name: name.clone(), nearest }.into()
                );
            };
            if values.kind.value_type != ValueType::String {
                let (name, found) = (name.clone(), values.kind.value_type.name());
                return Err(GraphError::WrongType { name, expected: "string", found }.into());
            }
            if !indexes.insert(name.clone()) {
                return Err(ChangeError::HasIndex { name: name.clone() });
            }
        }
        Ok(indexes)
    }

    fn write_labels(
        &self,
        writer: &mut GraphWriter,
        columns: &Columns<'_>,
        options: &DraftOptions<'_>,
    ) -> Result<(), ChangeError> {
        let (labels, nodes) = (self.labels.list(), columns.codes.len());
        let mut room = Reserved::nothing_of(self.budget());
        let words = labels.len().div_ceil(64).max(1);
        room.take(self.label_sets.len() * words * 8)?;
        let mut masks = vec![0u64; self.label_sets.len() * words];
        for (set, mask) in self.label_sets.list().iter().zip(masks.chunks_exact_mut(words)) {
            set.iter().for_each(|label| mask[*label as usize / 64] |= 1 << (label % 64));
        }
        writer.set_label_codes(columns.encoder.labels(columns.codes)?, masks)?;
        let members = self.members(columns.codes, &mut room)?;
        let mut bitmap = vec![0u64; nodes.div_ceil(64)];
        for (label, name) in labels.iter().enumerate() {
            options.task.check()?;
            let nodes_of = members.of_label(label);
            nodes_of.iter().for_each(|node| bitmap[*node as usize / 64] |= 1 << (node % 64));
            writer.add_label(LabelSpec {
                name,
                layer: 0,
                nodes: columns.encoder.set(&bitmap, nodes as u32)?,
                origin_count: nodes_of.len() as u32,
                origin: None,
            })?;
            nodes_of.iter().for_each(|node| bitmap[*node as usize / 64] = 0);
        }
        Ok(())
    }

    /// The nodes of each label, by id.
    fn members(&self, codes: &[u32], room: &mut Reserved) -> Result<Members, ChangeError> {
        let sets = self.label_sets.list();
        let mut lengths = vec![0u64; self.labels.list().len()];
        let labels_of = |code: &u32| sets[*code as usize].iter().map(|label| *label as usize);
        codes.iter().flat_map(labels_of).for_each(|label| lengths[label] += 1);
        let total: u64 = lengths.iter().sum();
        room.take(usize::try_from(total * 4).unwrap_or(usize::MAX))?;
        let mut starts = vec![0usize];
        starts.extend(lengths.iter().scan(0usize, |end, length| {
            *end += *length as usize;
            Some(*end)
        }));
        let (mut next, mut nodes) = (starts.clone(), vec![0u32; total as usize]);
        for (node, code) in (0..).zip(codes) {
            for label in labels_of(code) {
                nodes[next[label]] = node;
                next[label] += 1;
            }
        }
        Ok(Members { starts, nodes })
    }

    fn write_columns(
        &self,
        writer: &mut GraphWriter,
        columns: &Columns<'_>,
        effort: &Effort,
        task: &Task<'_>,
    ) -> Result<u64, ChangeError> {
        let job_of = |label| match effort.streamed.binary_search(&label) {
            Ok(_) => Job::StreamedEdges(label),
            Err(_) => Job::Edges(label),
        };
        let of_property = |number| match effort.streamed_properties.binary_search(&number) {
            Ok(_) => Job::StreamedProperty(number),
            Err(_) => Job::Property(number),
        };
        let edges = (0..self.edges.len() as u32).map(job_of);
        let properties = self.properties.iter().enumerate().filter(|(_, (of, _))| *of == Element::Node);
        let jobs: Vec<Job> = edges.chain(properties.map(|(number, _)| of_property(number))).collect();
        let (mut edges, mut done) = (0, 0);
        let work = |job: &Job| -> Result<Done, ChangeError> {
            Ok(match job {
                Job::Edges(label) => Done::Edges(*label, Box::new(columns.edges(*label)?)),
                Job::StreamedEdges(label) => Done::EdgesToStream(*label),
                Job::StreamedProperty(number) => Done::PropertyToStream(*number),
                Job::Property(number) => Done::Property(Box::new(columns.property(*number)?)),
            })
        };
        let write = |result: Done| -> Result<(), ChangeError> {
            task.check()?;
            match result {
                Done::Edges(label, found) => {
                    let name = &self.edge_labels.list()[label as usize];
                    task.step(name, done, jobs.len());
                    edges += found.count;
                    found.write(EdgeLabelId(label), (name, 0), writer)?;
                }
                Done::EdgesToStream(label) => {
                    task.step(&self.edge_labels.list()[label as usize], done, jobs.len());
                    edges += u64::from(self.edges[label as usize].len());
                    columns.stream_edges(label, writer, task)?;
                }
                Done::PropertyToStream(number) => {
                    task.step(&self.properties[number].1.name, done, jobs.len());
                    columns.stream_property(number, writer, task)?;
                }
                Done::Property(property) => {
                    task.step(&property.0.name, done, jobs.len());
                    writer.add_property(&property.0, property.1)?;
                }
            }
            done += 1;
            Ok(())
        };
        in_order(&jobs, effort.threads, work, write)?;
        Ok(edges)
    }
}

/// The nodes of all labels, concatenated in one list.
struct Members {
    starts: Vec<usize>,
    nodes: Vec<u32>,
}

impl Members {
    fn of_label(&self, label: usize) -> &[u32] {
        &self.nodes[self.starts[label]..self.starts[label + 1]]
    }
}

/// The bytes from which the new file's id is computed: the source, the importer and its version, options that
/// change the order of nodes, and the columns that get other encodings because of the memory limit.
fn identity_of(source: Source, tree: Option<&str>, effort: &Effort) -> Vec<u8> {
    let tree = tree.unwrap_or_default().as_bytes();
    let version = env!("CARGO_PKG_VERSION").as_bytes();
    let mut identity = [&source.digest[..], source.tool.as_bytes(), version, b"\0", tree].concat();
    let Effort { streamed, streamed_properties, .. } = effort;
    if !streamed.is_empty() || !streamed_properties.is_empty() {
        identity.extend(format!("\0{streamed:?} {streamed_properties:?}").bytes());
    }
    identity
}
