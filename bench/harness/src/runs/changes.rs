//! Measures the cost of changing a graph: commits that add edges or a layer, and commits of as many keys to a
//! key-value store.
//!
//! The time of a commit ends when the commit is durable. The benchmark restores the file after each commit,
//! so that every commit is the first one to the file. It reports the time of syncs separately. A row about
//! log records shows the cost of a commit in a program that holds the graph open.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use redb::{Database, Durability as RedbDurability, TableDefinition};
use varvite::change::{Diff, Durability, LogOptions};
use varvite::{Graph, Task};
use varvite::{
    columns::{LayerChange, NodeNumbers, PropertyLayer, change_layers},
    write::{GraphChange, LayerSpec},
};

use crate::Failure;
use crate::record::figures::Unit;
use crate::record::results::{CHANGE, COMPACT, LOG, REDB, Row, UNSYNCED};
use crate::record::sync_clock::SyncClock;

/// The numbers of edges that commits add.
const SIZES: [(&str, u32); 3] = [("1", 1), ("1000", 1_000), ("1000000", 1_000_000)];
/// The size of the header and the superblocks in bytes; a commit changes no other existing pages.
const PAGES: usize = 3 * 4096;
/// The properties of the layer; below, the number of METHODs that have them.
const PROPERTIES: [&str; 6] =
    ["HOT_READS", "HOT_WRITES", "HOT_CALLS", "HOT_BYTES", "HOT_LINES", "HOT_MISSES"];
const METHODS: usize = 1_000;
/// The number of keys in the store before the measured commits.
const KEYS: u64 = 1_000_000;
const EDGES: TableDefinition<'_, u64, u32> = TableDefinition::new("edges");

/// Measures all commits on a copy of the graph `file` in the folder `scratch`.
///
/// # Errors
/// Errors of the file system and of the store, and a graph without METHODs or edges in lists.
pub fn time_changes(file: &Path, scratch: &Path, samples: u32) -> Result<Vec<Row>, Failure> {
    let copy = Copy::of(file, scratch)?;
    let label = label_of(&Graph::open(file)?)?;
    let mut keys = Keys::create(&scratch.join("changes.redb"))?;
    let mut rows = Vec::new();
    let mut edges = Edges { nodes: Graph::open(file)?.node_count(), label, random: 1 };
    for (name, count) in SIZES {
        let title = format!("{name} edges, durable");
        let mut row = Row::new(format!("{CHANGE}{name}"), title, Unit::Time);
        let samples = if count > 1_000 { samples.min(3) } else { samples };
        for _ in 0..samples {
            let (ns, unsynced) = copy.commit(&edges.diff(count))?;
            row.add(COMPACT, ns);
            row.add(UNSYNCED, unsynced);
            copy.put_back()?;
            row.add(REDB, keys.commit(count)?);
        }
        copy.log(&mut edges, count, samples, &mut row)?;
        copy.put_back()?;
        rows.push(row);
    }
    rows.extend(copy.layers(samples)?);
    Ok(rows)
}

/// The edge label with the most edges among those stored as lists.
pub(crate) fn label_of(graph: &Graph) -> Result<String, Failure> {
    let directory = graph.store().directory();
    let rows = directory.edge_labels.iter().filter(|row| row.out.nodes.is_some());
    let most = rows.max_by_key(|row| row.edges);
    let most = most.ok_or_else(|| Failure("the graph has no edges in lists".into()))?;
    Ok(directory.names.get(most.name).to_owned())
}

fn ns_of<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<(f64, T), Failure> {
    let began = Instant::now();
    let done = work()?;
    Ok((began.elapsed().as_nanos() as f64, done))
}

/// Makes diffs of random edges. Most edges lead to a node whose id is near, as in control flow, and some lead
/// farther.
struct Edges {
    nodes: u32,
    label: String,
    random: u64,
}

impl Edges {
    fn diff(&mut self, count: u32) -> Diff {
        let mut diff = Diff::new();
        for _ in 0..count {
            let source = self.below(self.nodes);
            let far = if self.below(10) == 0 { 1000 } else { 8 };
            let target = (source + 1 + self.below(far)).min(self.nodes - 1);
            diff.add_edge(&self.label, source, target);
        }
        diff
    }

    fn below(&mut self, end: u32) -> u32 {
        self.random = next(self.random);
        ((self.random >> 33) % u64::from(end)) as u32
    }
}

fn next(random: u64) -> u64 {
    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407)
}

/// A copy of a graph to which commits are made, and the bytes with which the copy is restored. Dropping the
/// value removes the file.
pub(crate) struct Copy {
    path: PathBuf,
    pages: Vec<u8>,
    length: u64,
}

impl Copy {
    pub(crate) fn of(file: &Path, scratch: &Path) -> Result<Self, Failure> {
        let path = scratch.join("changes.varvite");
        let length = std::fs::copy(file, &path)?;
        let mut pages = vec![0; PAGES];
        File::open(&path)?.read_exact(&mut pages)?;
        let copy = Self { path, pages, length };
        copy.put_back()?;
        Ok(copy)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Restores the file. No reader or writer may have it open.
    fn put_back(&self) -> Result<(), Failure> {
        let mut file = OpenOptions::new().write(true).open(&self.path)?;
        file.set_len(self.length)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&self.pages)?;
        Ok(file.sync_all()?)
    }

    /// Times one commit, from opening the file to the end of the last sync. Returns this time, and the same
    /// time without the syncs.
    fn commit(&self, diff: &Diff) -> Result<(f64, f64), Failure> {
        let clock = SyncClock::default();
        let vfs = Arc::new(clock.clone());
        let (ns, _) = ns_of(|| Ok(GraphChange::begin(vfs, &self.path)?.apply_with(diff, &Task::new())?))?;
        Ok((ns, ns - clock.take() as f64))
    }

    /// Times commits to the log in a program that holds the graph open.
    fn log(&self, edges: &mut Edges, count: u32, samples: u32, row: &mut Row) -> Result<(), Failure> {
        // A million edges exceed the limit of a log record; the commit would write columns instead.
        if count > 1_000 {
            return Ok(());
        }
        let change = GraphChange::begin(Arc::new(SyncClock::default()), &self.path)?;
        let log = change.log(LogOptions::default(), &Task::new())?;
        for _ in 0..samples {
            let diff = edges.diff(count);
            let (ns, _) = ns_of(|| Ok(log.commit(&diff, Durability::Sync, &Task::new())?))?;
            row.add(LOG, ns);
        }
        Ok(())
    }

    /// Measures a layer of six properties on a thousand METHODs: the time, the bytes written, and how many of
    /// them are the content of the layer.
    fn layers(&self, samples: u32) -> Result<Vec<Row>, Failure> {
        let graph = Graph::open(&self.path)?;
        let methods: Vec<u32> = graph.nodes("METHOD")?.iter().collect();
        let step = (methods.len() / METHODS).max(1);
        drop(graph);
        let methods = methods.into_iter().step_by(step).take(METHODS);
        let mut random = 1;
        let counts = |node: u32| {
            random = next(random);
            (node, (random >> 40) as i64)
        };
        let first: Vec<(u32, i64)> = methods.map(counts).collect();
        let values: Vec<Vec<(u32, i64)>> = (0..PROPERTIES.len() as i64)
            .map(|number| first.iter().map(|(node, value)| (*node, (value >> number) + number)).collect())
            .collect();
        let properties: Vec<NodeNumbers<'_>> =
            PROPERTIES.iter().zip(&values).map(|(name, values)| NodeNumbers { name, values }).collect();
        let mut time = Row::new("change_layer", "a layer of six properties on 1,000 METHODs", Unit::Time);
        let mut written = Row::new("change_layer_written", "bytes that it writes", Unit::Size);
        let mut held = Row::new("change_layer_held", "of these, its own", Unit::Size);
        for _ in 0..samples {
            let (clock, layer) = (
                SyncClock::default(),
                LayerSpec { name: "run", tool: "bench", version: "1", source: [1; 32] },
            );
            let change =
                LayerChange { add: Some(PropertyLayer { layer, properties: &properties }), drop: &[] };
            let vfs = Arc::new(clock.clone());
            let (ns, length) = ns_of(|| Ok(change_layers(vfs, &self.path, change, &Task::new())?))?;
            time.add(COMPACT, ns);
            time.add(UNSYNCED, ns - clock.take() as f64);
            written.add(COMPACT, (length - self.length) as f64);
            held.add(COMPACT, bytes_behind(&Graph::open(&self.path)?, self.length) as f64);
            self.put_back()?;
        }
        Ok(vec![time, written, held])
    }
}

/// The total size of the segments that begin at or after the offset `at` of the file, in bytes.
fn bytes_behind(graph: &Graph, at: u64) -> u64 {
    let segments = graph.store().directory().segments.iter();
    segments.filter(|row| row.offset >= at).map(|row| row.stored_len).sum()
}

impl Drop for Copy {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// A key-value store that maps a numeric key to each edge. Dropping the value removes the store's file.
struct Keys {
    path: PathBuf,
    database: Database,
    random: u64,
}

impl Keys {
    fn create(path: &Path) -> Result<Self, Failure> {
        let _ = std::fs::remove_file(path);
        let mut keys = Self { path: path.to_owned(), database: Database::create(path)?, random: 1 };
        keys.commit(KEYS as u32)?;
        Ok(keys)
    }

    /// Makes one durable commit of `count` random keys, and returns the time in nanoseconds.
    fn commit(&mut self, count: u32) -> Result<f64, Failure> {
        let keys: Vec<u64> = (0..count).map(|_| self.key()).collect();
        let commit = || {
            let mut writing = self.database.begin_write()?;
            writing.set_durability(RedbDurability::Immediate)?;
            {
                let mut table = writing.open_table(EDGES)?;
                for (key, value) in keys.iter().zip(0..) {
                    table.insert(*key, value)?;
                }
            }
            Ok(writing.commit()?)
        };
        Ok(ns_of(commit)?.0)
    }

    fn key(&mut self) -> u64 {
        self.random = next(self.random);
        self.random
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}
