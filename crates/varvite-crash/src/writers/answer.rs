//! [`Answer`]: the whole content of a file, read through an open graph.

use std::path::Path;
use std::sync::OnceLock;

use varvite::compare::{ContentHash, Digest};
use varvite::error::StoreError;
use varvite::inspect::Identity;
use varvite::vfs::Vfs;
use varvite::{Graph, OpenOptions, Task};
use varvite_format::SegmentId;
use varvite_store::{Pinned, Store};

use crate::breach::{Breach, Outcome, demand};
use crate::writers::writer::{Content, PATH};

/// A graph and every byte of its columns, which determine the results of all cursors.
#[derive(Debug)]
pub(crate) struct Answer {
    graph: Graph,
    /// The bytes of the directory.
    directory: Vec<u8>,
    segments: Vec<Pinned>,
    digest: OnceLock<ContentHash>,
}

impl Answer {
    /// Opens the file of histories and reads it completely, with a check of each block.
    pub(crate) fn read(vfs: &dyn Vfs) -> Outcome<Self> {
        Self::read_at(vfs, Path::new(PATH))
    }

    pub(crate) fn read_at(vfs: &dyn Vfs, path: &Path) -> Outcome<Self> {
        let graph = OpenOptions::new().buffered().open_in(vfs, path);
        Self::of(graph.map_err(|error| Breach::unopenable(format!("can't be opened: {error}")))?)
    }

    /// Reads the file as [`Answer::read`] does; `None` if there is no file.
    pub(crate) fn find(vfs: &dyn Vfs) -> Outcome<Option<Self>> {
        match vfs.exists(Path::new(PATH))? {
            true => Self::read(vfs).map(Some),
            false => Ok(None),
        }
    }

    /// Reads the whole content of an open graph.
    pub(crate) fn of(graph: Graph) -> Outcome<Self> {
        let segments = read_segments(graph.store());
        let segments = segments.map_err(|error| Breach::new(format!("can't be read: {error}")))?;
        let directory = graph.store().directory().to_bytes();
        Ok(Self { directory, segments, digest: OnceLock::new(), graph })
    }

    pub(crate) fn graph(&self) -> &Graph {
        &self.graph
    }

    pub(crate) fn identity(&self) -> Identity {
        self.graph.identity()
    }

    /// Whether both answers are equal. They may differ in whether they report a recovery and, if a superblock
    /// slot is damaged, in the offsets of columns made from a log.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.identity() == other.identity()
            && (self.says_same(other) || self.has_moved(other) && self.means_same(other).unwrap_or(false))
    }

    /// Whether the columns made from a log may have other offsets: if a superblock slot is damaged, its
    /// commit is unknown, and the next commit begins at the end of the file.
    fn has_moved(&self, other: &Self) -> bool {
        let has_log = |answer: &Self| answer.graph.store().log().records() > 0;
        self.graph.is_recovered() != other.graph.is_recovered() && has_log(self) && has_log(other)
    }

    /// Whether directory and columns are equal, whatever the commit.
    pub(crate) fn says_same(&self, other: &Self) -> bool {
        self.directory == other.directory
            && self.segments.len() == other.segments.len()
            && self.segments.iter().zip(&other.segments).all(|(mine, other)| **mine == **other)
    }

    /// Whether the graphs are equal, whatever the offsets of their columns.
    pub(crate) fn means_same(&self, other: &Self) -> Outcome<bool> {
        Ok(self.digest()? == other.digest()? && self.indexed() == other.indexed())
    }

    fn digest(&self) -> Outcome<ContentHash> {
        if let Some(digest) = self.digest.get() {
            return Ok(*digest);
        }
        let digest = Digest::of(&self.graph, &Task::new().threads(1))?.root;
        Ok(*self.digest.get_or_init(|| digest))
    }

    /// The names of the properties that have an index.
    fn indexed(&self) -> Vec<&str> {
        let rows = &self.graph.store().directory().text_indexes;
        rows.iter().map(|row| self.graph.properties()[row.property.index()].name.as_str()).collect()
    }

    /// The content that writers left in the file.
    pub(crate) fn content(&self, seed: u64) -> Outcome<Content> {
        Ok(Content::of(&self.graph, seed)?)
    }

    /// Checks that the graph is valid, reading it through every cursor. Only a superblock slot that a crash
    /// has torn may be damaged.
    pub(crate) fn verify(&self) -> Outcome {
        let problems = self.graph.verify(&Task::new().threads(1))?.problems;
        let is_of_slot =
            |problem: &String| problem.contains("superblock") || problem.contains("newest commit");
        let is_excused = self.graph.is_recovered() && problems.iter().all(is_of_slot);
        demand(problems.is_empty() || is_excused, || format!("verify: {problems:?}"))?;
        Digest::of(&self.graph, &Task::new().threads(1))?;
        Ok(self.graph.check()?)
    }
}

fn read_segments(store: &Store) -> Result<Vec<Pinned>, StoreError> {
    let count = store.directory().segments.len() as u32;
    (0..count).map(|segment| store.load(SegmentId(segment))).collect()
}
