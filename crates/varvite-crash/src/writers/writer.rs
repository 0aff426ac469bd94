//! [`Writer`]: all kinds of writers of a graph file, through the functions that programs call.
//!
//! A writer gets a number and writes it to the file, so that a reader can tell later which writers have
//! changed the file ([`Content`]). The numbers are read through the same cursors as other values; the
//! expected numbers are computed here.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use varvite::change::{ChangeError, CompactOptions, CompactWhen, Durability, compact_online};
use varvite::error::StoreError;
use varvite::vfs::Vfs;
use varvite::{Graph, IfExists, Profile, Task};
use varvite::{
    columns::{LayerChange, NodeNumbers, PropertyLayer, WriteOptions, change_layers},
    write::{GraphChange, IndexChange, LayerSpec, change_indexes, compact, drop_layers},
};
use varvite_cpg::source::{self, SourceError, SourceOptions};
use varvite_import::{Import, ImportError};
use varvite_model::{RandomGraph, RandomProperty, SplitMix64};
use varvite_testing::draft::Draft;

use crate::writers::marked::{MARK, diff, sites};
use crate::writers::session::{Listener, Session, Told};

/// The path of the file that writers change in memory.
pub(crate) const PATH: &str = "graphs/code.varvite";
/// The layers that writers add and remove, and their properties. The first layer has only properties; the
/// second also has nodes and edges.
const LAYERS: [(&str, &str); 2] = [("run", "HOT"), ("heap", "LIVE")];
/// The properties for which writers add indexes.
const INDEXED: [&str; 3] = ["NAME", "CODE", "FULL_NAME"];
/// The path of a flatgraph file, relative to the folder of this crate.
const SOURCE: &str = "../varvite-memtrace/tests/data/trace/shapes.cpg.bin";
/// The properties that every graph has. Each graph also has some of the other properties.
const PROPERTIES_ALWAYS: [&str; 4] = ["ORDER", "NAME", "CODE", "FULL_NAME"];

/// A kind of writer of a graph file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writer {
    /// Imports a generated graph, which replaces the old file.
    Import,
    /// Imports a new graph to a path that must be free.
    FirstImport,
    /// Imports a flatgraph file. The new graph replaces the old file.
    ImportFile,
    /// Adds a layer, which replaces the layer of the same name.
    Layer(usize),
    DropLayer(usize),
    /// Adds the files of [`SOURCE`]'s program, in a layer that replaces the layer of sources.
    Sources,
    DropSources,
    Index(usize),
    DropIndex(usize),
    /// Applies a diff.
    Apply,
    /// Commits several small diffs to a log.
    Log(Session),
    Compact,
    /// Compacts the file while other writers may commit.
    CompactOnline,
}

/// The content that writers left in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Content {
    /// The seed from which the imported graph was generated.
    pub(crate) graph: u64,
    /// The numbers of the diffs.
    pub(crate) marks: BTreeSet<i64>,
    /// The number in each layer.
    pub(crate) layers: BTreeMap<&'static str, i64>,
    pub(crate) indexes: BTreeSet<&'static str>,
    /// Whether there is a layer of sources.
    pub(crate) sources: bool,
}

impl Writer {
    /// Runs the writer as number `number` of the history `seed`.
    pub(crate) fn write(
        self,
        vfs: Arc<dyn Vfs>,
        path: &Path,
        seed: u64,
        number: u32,
    ) -> varvite::Result<(), ChangeError> {
        self.write_on(vfs, path, seed, number, 0, &mut |_| ())
    }

    /// Runs the writer as [`Writer::write`] does, if its first `first` states were reached before. Reports
    /// each further state.
    pub(crate) fn write_on(
        self,
        vfs: Arc<dyn Vfs>,
        path: &Path,
        seed: u64,
        number: u32,
        first: usize,
        told: &mut Listener<'_>,
    ) -> varvite::Result<(), ChangeError> {
        if let Self::Log(session) = self {
            return session.run(vfs, path, seed, number, first, told);
        }
        self.write_at_once(vfs, path, seed, number)?;
        told(Told::Done(Durability::Sync));
        Ok(())
    }

    /// Runs a writer that makes one commit.
    fn write_at_once(
        self,
        vfs: Arc<dyn Vfs>,
        path: &Path,
        seed: u64,
        number: u32,
    ) -> varvite::Result<(), ChangeError> {
        let task = Task::new().threads(1);
        let index = |index: usize| [INDEXED[index].to_owned()];
        match self {
            Self::Import => import(vfs, path, graph_seed(seed, number), IfExists::Replace),
            Self::FirstImport => import(vfs, path, graph_seed(seed, number), IfExists::Refuse),
            Self::ImportFile => import_file(vfs, path),
            Self::Layer(layer) => write_layer(vfs, path, layer, number.into(), &task),
            Self::DropLayer(layer) => drop_layers(vfs, path, &[LAYERS[layer].0], &task).map(drop),
            Self::Sources => add_files(GraphChange::begin(vfs, path)?, &task),
            Self::DropSources => drop_layers(vfs, path, &[source::LAYER], &task).map(drop),
            Self::Index(name) => {
                change_indexes(vfs, path, IndexChange { add: &index(name), drop: &[] }, &task).map(drop)
            }
            Self::DropIndex(name) => {
                change_indexes(vfs, path, IndexChange { add: &[], drop: &index(name) }, &task).map(drop)
            }
            Self::Apply => {
                let change = GraphChange::begin(vfs, path)?;
                let diff = diff(change.graph(), seed, number)?;
                change.apply_with(&diff, &task).map(drop)
            }
            Self::Log(session) => session.run(vfs, path, seed, number, 0, &mut |_| ()),
            Self::Compact => compact(vfs, path, &task).map(drop),
            Self::CompactOnline => {
                // Do not wait for the lock: its holder continues only after this writer has ended.
                let options =
                    CompactOptions::default().when(CompactWhen::OverBytes(0)).lock_wait(Duration::ZERO);
                compact_online(vfs, path, &options, &task).map(drop)
            }
        }
    }

    /// The content of a file with the content `before` after this writer; `None` if the graph refuses the
    /// change.
    pub(crate) fn after(self, before: Option<&Content>, seed: u64, number: u32) -> Option<Content> {
        let imported = || Content { graph: graph_seed(seed, number), ..Content::default() };
        let Some(before) = before else {
            return matches!(self, Self::Import | Self::FirstImport | Self::ImportFile).then(imported);
        };
        let mut after = before.clone();
        let is_possible = match self {
            Self::FirstImport => false,
            Self::Import | Self::ImportFile => {
                after = imported();
                true
            }
            Self::Layer(layer) => {
                after.layers.insert(LAYERS[layer].0, number.into());
                true
            }
            Self::DropLayer(layer) => after.layers.remove(LAYERS[layer].0).is_some(),
            Self::Sources => {
                after.sources = true;
                true
            }
            Self::DropSources => std::mem::take(&mut after.sources),
            Self::Index(name) => after.indexes.insert(INDEXED[name]),
            Self::DropIndex(name) => after.indexes.remove(INDEXED[name]),
            Self::Apply => after.marks.insert(number.into()),
            Self::Log(session) => {
                after.marks.extend(session.marks(number));
                true
            }
            Self::Compact | Self::CompactOnline => true,
        };
        is_possible.then_some(after)
    }

    /// Whether the writer makes a new file instead of appending to the old one.
    pub(crate) fn is_anew(self) -> bool {
        matches!(
            self,
            Self::Import | Self::FirstImport | Self::ImportFile | Self::Compact | Self::CompactOnline
        )
    }
}

impl Content {
    /// Reads the content from a graph.
    pub(crate) fn of(graph: &Graph, seed: u64) -> varvite::Result<Self> {
        let mut content = Self { graph: seed, ..Self::default() };
        for property in graph.properties() {
            let layer = LAYERS.iter().find(|(_, name)| *name == property.name);
            if property.name != MARK && layer.is_none() {
                continue;
            }
            let values = graph.property(&property.name)?;
            for owner in values.owners() {
                let number = values.number(owner).unwrap_or(i64::MIN);
                match layer {
                    None => _ = content.marks.insert(number),
                    // The first owner of a layer's property has the number of the layer.
                    Some((layer, _)) => _ = content.layers.entry(layer).or_insert(number),
                }
            }
        }
        content.sources = graph.layers().iter().any(|layer| layer.name == source::LAYER);
        let rows = &graph.store().directory().text_indexes;
        let names = rows.iter().map(|row| graph.properties()[row.property.index()].name.as_str());
        content.indexes = names.filter_map(|name| INDEXED.into_iter().find(|known| *known == name)).collect();
        Ok(content)
    }
}

fn graph_seed(seed: u64, number: u32) -> u64 {
    seed * 64 + u64::from(number)
}

/// Writes a small random graph, with some of all known properties.
fn import(
    vfs: Arc<dyn Vfs>,
    path: &Path,
    seed: u64,
    if_exists: IfExists,
) -> varvite::Result<(), ChangeError> {
    let mut random = SplitMix64::new(seed);
    let (nodes, edges) = (3 + random.below(28), random.below(60));
    let several_labels = random.chance(30);
    let graph = RandomGraph { nodes, edges, several_labels, ..RandomGraph::new(seed) };
    let mut some =
        |property: &RandomProperty| PROPERTIES_ALWAYS.contains(&property.name) || random.chance(10);
    let properties: Vec<RandomProperty> =
        RandomGraph::PROPERTIES.into_iter().filter(|property| some(property)).collect();
    let draft = Draft::with_properties(&graph.build().in_canonical_order(), &properties);
    let profile = Profile::ALL[seed as usize % Profile::ALL.len()];
    let options = WriteOptions { profile, if_exists, ..WriteOptions::default() };
    draft.write_with(vfs, path, &options).map(drop)
}

fn import_file(vfs: Arc<dyn Vfs>, path: &Path) -> varvite::Result<(), ChangeError> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(SOURCE);
    let import = Import::new(source).vfs(vfs).if_exists(IfExists::Replace).task(Task::new().threads(1));
    import.write_to(path).map(drop).map_err(|error| match error {
        ImportError::Graph(error) => error,
        ImportError::Source { path, .. } | ImportError::Io { path, .. } => {
            StoreError::NotAFile { path }.into()
        }
        _ => StoreError::Cancelled.into(),
    })
}

/// Adds the sources of the program in [`SOURCE`].
fn add_files(change: GraphChange, task: &Task<'_>) -> varvite::Result<(), ChangeError> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(SOURCE);
    let folder = file.parent().unwrap_or(&file);
    match source::add_sources(change, folder, &SourceOptions::default(), task) {
        Ok(_) => Ok(()),
        Err(SourceError::Graph(error)) => Err(error),
        Err(_) => Err(StoreError::NotAFile { path: folder.to_owned() }.into()),
    }
}

fn write_layer(
    vfs: Arc<dyn Vfs>,
    path: &Path,
    layer: usize,
    number: i64,
    task: &Task<'_>,
) -> varvite::Result<(), ChangeError> {
    let (name, property) = LAYERS[layer];
    let is_of_nodes = layer > 0;
    let layer = LayerSpec { name, tool: "crash", version: "1", source: [1; 32] };
    if is_of_nodes {
        return GraphChange::begin(vfs, path)?.add_layer(&layer, &sites(property, number), task).map(drop);
    }
    let values = [(0, number), (1, number + 1000), (2, -number)];
    let properties = [NodeNumbers { name: property, values: &values }];
    let add = Some(PropertyLayer { layer, properties: &properties });
    change_layers(vfs, path, LayerChange { add, drop: &[] }, task).map(drop)
}
