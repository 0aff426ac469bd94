//! `varvite_graph`: an open graph, and numbers that describe the whole graph.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use varvite::cursor::Labels;
use varvite::{Graph, OpenOptions};
use varvite_cpg::Sites;
use varvite_format::{ColumnId, EdgeLabelId, SegmentId, SharedBlocks, Source};
use varvite_store::Pinned;
use varvite_store::vfs::{BytesVfs, RealVfs, Vfs};

use crate::argument::Argument;
use crate::failure::Failure;
use crate::handle::{Counted, Handle, Kind, Named};
use crate::names::Names;
use crate::pointer::{KeptBytes, Options, Out, OutStructs, PathText, SizedFirst, c_struct};
use crate::shared_budget::BudgetObject;
use crate::status::Status;

/// The object behind a graph handle.
pub(crate) struct GraphObject(pub(crate) Arc<OpenGraph>);

impl Kind for GraphObject {
    const NAME: &'static str = "graph";
    const FOUND: &'static str = "it is one of a graph";
    const C: &'static str = "varvite_graph";
    const GRAPH: Option<fn(&Self) -> &varvite::Graph> = Some(|it| &it.0.graph);
}

/// The state that all handles into one graph share.
pub(crate) struct OpenGraph {
    pub(crate) graph: Graph,
    /// The names of the schema with a zero after each, kept until the graph is closed.
    pub(crate) names: Names,
    labels: OnceLock<Labels>,
    /// The columns with source locations of nodes, kept until a caller trims the graph.
    sites: Mutex<Option<Arc<Sites>>>,
    /// The decoded blocks of segments that are read block by block, by segment number.
    blocks: Mutex<HashMap<u32, SharedBlocks<Pinned>>>,
}

impl OpenGraph {
    fn open(vfs: &dyn Vfs, path: &Path, options: OpenOptions) -> Result<Self, Failure> {
        let graph = options.open_in(vfs, path)?;
        let (names, labels) = (Names::of(&graph), OnceLock::new());
        Ok(Self { names, graph, labels, sites: Mutex::default(), blocks: Mutex::default() })
    }

    /// The blocks of a segment, cached; `None` if the segment is read as a whole.
    pub(crate) fn blocks(&self, segment: u32) -> Result<Option<SharedBlocks<Pinned>>, Failure> {
        let mut known = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(blocks) = known.get(&segment) {
            return Ok(Some(Arc::clone(blocks)));
        }
        let found = self.graph.store().blocks(SegmentId(segment))?;
        known.extend(found.iter().map(|blocks| (segment, Arc::clone(blocks))));
        Ok(found)
    }

    /// The label sets of all nodes, opened once.
    pub(crate) fn labels(&self) -> Result<&Labels, Failure> {
        if let Some(labels) = self.labels.get() {
            return Ok(labels);
        }
        let labels = self.graph.label_sets()?;
        Ok(self.labels.get_or_init(|| labels))
    }

    /// The columns with source locations of nodes. Opening them costs as much as reading a hundred locations,
    /// so they stay open for later calls.
    pub(crate) fn sites(&self) -> Result<Arc<Sites>, Failure> {
        let mut known = self.sites.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sites) = &*known {
            return Ok(Arc::clone(sites));
        }
        let sites = Arc::new(Sites::open(&self.graph)?);
        Ok(Arc::clone(known.insert(sites)))
    }

    /// Frees all unused memory of the graph, and the columns with source locations.
    pub(crate) fn trim(&self) {
        *self.sites.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.graph.release();
    }
}

impl Named<GraphObject> {
    /// The graph, for a call that runs too long to hold the handle's lock.
    pub(crate) fn graph(&self) -> Result<Arc<OpenGraph>, Failure> {
        self.read(|object| Ok(Arc::clone(&object.0)))
    }
}

c_struct! {
    /// Options for opening a graph.
    OpenSettings = "varvite_open_options" {
        size: u32,
        mode: u32,
        decoded_bytes_max: u64,
        mapped_bytes_max: u64,
        memory_bytes_max: u64,
        process_bytes_max: u64,
        budget: Counted<BudgetObject>,
    }
}

impl Default for OpenSettings {
    fn default() -> Self {
        Self {
            size: size_of::<Self>() as u32,
            mode: MAPPED,
            decoded_bytes_max: 0,
            mapped_bytes_max: 0,
            memory_bytes_max: 0,
            process_bytes_max: 0,
            budget: Counted::NULL,
        }
    }
}

impl SizedFirst for OpenSettings {}

/// Numbers of the open modes in the header.
pub(crate) const MAPPED: u32 = 0;
pub(crate) const BUFFERED: u32 = 1;

impl OpenSettings {
    fn options(&self) -> Result<OpenOptions, Failure> {
        let mut options = match self.mode {
            MAPPED => OpenOptions::new(),
            BUFFERED => OpenOptions::new().buffered(),
            other => {
                let expected = "VARVITE_MAPPED or VARVITE_BUFFERED";
                return Err(Failure::Value { argument: "options.mode", expected, found: other.into() });
            }
        };
        if self.decoded_bytes_max > 0 {
            options = options.decoded_max(self.decoded_bytes_max);
        }
        if self.mapped_bytes_max > 0 {
            options = options.mapped_max(self.mapped_bytes_max);
        }
        if self.memory_bytes_max > 0 {
            options = options.memory_max(self.memory_bytes_max);
        }
        if self.process_bytes_max > 0 {
            options = options.process_max(self.process_bytes_max);
        }
        let budget = self.budget.check("options.budget")?;
        if !budget.is_null() {
            options = budget.read(|object| Ok(options.budget(&object.0)))?;
        }
        Ok(options)
    }
}

c_struct! {
    /// Counts, flags and column numbers that describe a whole graph.
    GraphInfo = "varvite_graph_info" {
        edge_count: u64,
        file_length: u64,
        generation: u64,
        directory_hash: u64,
        file_id: [u8; 16],
        node_count: u32,
        label_count: u32,
        edge_label_count: u32,
        property_count: u32,
        layer_count: u32,
        column_count: u32,
        segment_count: u32,
        label_set_count: u32,
        label_set_words: u32,
        profile: u32,
        tree_edge_label: u32,
        codes_column: u32,
        subtree_column: u32,
        parents_column: u32,
        is_mapped: u32,
        is_recovered: u32,
    }
}

exports! {
    /// Opens the graph file at a path. Reads only its header and directory, whatever its size.
    fn varvite_graph_open(
        path: PathText<'_>,
        options: Options<'_, OpenSettings>,
        graph: Out<'_, Counted<GraphObject>>,
    ) {
        let open = OpenGraph::open(&RealVfs, path, options.options()?)?;
        graph.write(Counted::new(GraphObject(Arc::new(open))));
        Ok(Status::Ok)
    }

    /// Opens a graph whose file the caller has in memory.
    fn varvite_graph_open_bytes(
        bytes: KeptBytes,
        length: u64,
        path: PathText<'_>,
        options: Options<'_, OpenSettings>,
        graph: Out<'_, Counted<GraphObject>>,
    ) {
        let options = options.options()?.buffered();
        let open = OpenGraph::open(&BytesVfs::new(bytes.bytes(length)?), path, options)?;
        graph.write(Counted::new(GraphObject(Arc::new(open))));
        Ok(Status::Ok)
    }

    /// Counts, flags and column numbers that describe a whole graph.
    fn varvite_graph_describe(graph: Handle<GraphObject>, info: OutStructs<'_, GraphInfo>, info_size: u64) {
        info.room(info_size, 1)?.write(describe(&graph.graph()?.graph));
        Ok(Status::Ok)
    }

    /// Fails if any read of this graph has met damage.
    fn varvite_graph_check(graph: Handle<GraphObject>) {
        graph.graph()?.graph.check()?;
        Ok(Status::Ok)
    }
}

fn describe(graph: &Graph) -> GraphInfo {
    let store = graph.store();
    let directory = store.directory();
    let words = directory.mask_words();
    GraphInfo {
        edge_count: graph.edge_count(),
        file_length: store.log().end(),
        generation: store.superblock().generation,
        directory_hash: graph.identity().directory_hash,
        file_id: store.header().file_id,
        node_count: graph.node_count(),
        label_count: directory.labels.len() as u32,
        edge_label_count: directory.edge_labels.len() as u32,
        property_count: directory.properties.len() as u32,
        layer_count: directory.layers.len() as u32,
        column_count: directory.columns.len() as u32,
        segment_count: directory.segments.len() as u32,
        label_set_count: (graph.label_masks().len() / words) as u32,
        label_set_words: words as u32,
        profile: store.header().profile.to_number(),
        tree_edge_label: EdgeLabelId::to_number(directory.tree_label),
        codes_column: ColumnId::to_number(directory.codes),
        subtree_column: ColumnId::to_number(directory.subtree),
        parents_column: ColumnId::to_number(directory.parents),
        is_mapped: store.is_mapped().into(),
        is_recovered: store.is_recovered().into(),
    }
}
