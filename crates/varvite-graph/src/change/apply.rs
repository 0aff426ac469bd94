//! [`GraphChange::apply`]: commits a diff.

use std::ops::Range;

use varvite_format::Directory;
use varvite_store::Task;

use super::addition::Numbers;
use super::change_set::ChangeSet;
use super::decode::decode_within;
use super::diff::Diff;
use super::element::{NewEdge, NewNode};
use super::encode::encode;
use super::new_ranks::{LEFT_OUT, NewRanks};
use super::new_rows::NewRows;
use super::resolve::resolve;
use super::schema::{Additions, SchemaNames};
use crate::change_error::ChangeError;
use crate::error::Result;
use crate::write::{Encoder, GraphChange, codec_of};

/// The result of applying a diff.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Applied {
    /// The ids of the nodes that the diff added, in the order of its operations.
    pub nodes: Range<u32>,
    /// The size of the file in bytes.
    pub file_len: u64,
    /// The number of bytes that this commit added to the file.
    pub written: u64,
    /// The generation of the commit in the file.
    pub generation: u64,
    /// The number of the diff's record in the log after the commit `generation`, from 1; 0 if the diff was
    /// written as a commit of its own.
    pub record: u64,
    pub(super) ranks: NewRanks,
}

impl Applied {
    /// The id of a node that the diff added.
    ///
    /// # Panics
    /// If the node belongs to another diff and its number is beyond the nodes of this diff
    /// ([`Applied::nodes`]).
    pub fn node(&self, node: NewNode) -> u32 {
        let count = self.nodes.len();
        assert!(
            node.index() < count,
            "new node {} does not belong to this diff, which adds {count} nodes",
            node.index()
        );
        self.nodes.start + node.0
    }

    /// The rank of an edge that the diff added. `None` if the edge was left out because the diff removes a
    /// node at one of its ends.
    ///
    /// # Panics
    /// If the edge belongs to another diff and its number is beyond the edges of this diff
    /// ([`Applied::edges`]).
    pub fn edge(&self, edge: NewEdge) -> Option<u32> {
        let count = self.ranks.len();
        assert!(
            edge.index() < count,
            "new edge {} does not belong to this diff, which adds {count} edges",
            edge.index()
        );
        self.rank(edge.index())
    }

    /// The ranks of the edges that the diff added, in the order of its operations; `None` for an edge that
    /// was left out.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = Option<u32>> + '_ {
        (0..self.ranks.len()).map(|edge| self.rank(edge))
    }

    fn rank(&self, edge: usize) -> Option<u32> {
        let rank = self.ranks.get(edge);
        (rank != LEFT_OUT).then_some(rank)
    }
}

impl GraphChange {
    /// Applies a diff completely or not at all. The cost is proportional to the diff plus all changes since
    /// the columns of the graph were written. Of the nodes, edges and values that were added or changed since
    /// then, each edge takes 8 bytes of memory, and 12 bytes while the edges of its label are sorted; each
    /// node takes 4 bytes; and each value takes 16 bytes and the bytes of its texts. A diff that has a
    /// [memory limit](Diff::with_memory) takes about that limit instead.
    ///
    /// # Errors
    /// [`ChangeError::Operation`] with the invalid operation; damage; [`ChangeError::TooLarge`];
    /// [`StoreError::Replaced`](varvite_store::StoreError::Replaced) if another program changed or replaced
    /// the file; an error of the file system. The file is then unchanged.
    pub fn apply(self, diff: &Diff) -> Result<Applied, ChangeError> {
        self.apply_with(diff, &Task::new())
    }

    /// The same as [`GraphChange::apply`], on the threads of `task`, which can also cancel the work.
    ///
    /// # Errors
    /// The errors of [`GraphChange::apply`]; [`GraphError::Cancelled`](crate::GraphError::Cancelled). The
    /// file is then unchanged.
    pub fn apply_with(self, diff: &Diff, task: &Task<'_>) -> Result<Applied, ChangeError> {
        let graph = self.graph();
        let mut changes = decode_within(graph, diff.scratch.as_ref())?;
        let resolved = resolve(graph, &SchemaNames::of(graph), &mut changes, diff, task)?;
        let Numbers { first_node, nodes, ranks } = resolved.numbers;
        let before = *graph.store().superblock();
        let nodes = first_node..first_node + nodes;
        if diff.is_empty() {
            let (file_len, generation) = (before.file_len, before.generation);
            return Ok(Applied { nodes, file_len, written: 0, generation, record: 0, ranks });
        }
        let (file_len, generation) = self.write_changes(&resolved.additions, &changes, task)?;
        let written = file_len.saturating_sub(before.file_len);
        Ok(Applied { nodes, file_len, written, generation, record: 0, ranks })
    }

    /// Commits the changes, together with the additional names and label sets. Returns the size of the file
    /// and the generation of the commit.
    pub(super) fn write_changes(
        &self,
        additions: &Additions,
        changes: &ChangeSet,
        task: &Task<'_>,
    ) -> Result<(u64, u64), ChangeError> {
        let store = self.graph().store();
        let mut directory = Directory { changes: None, ..store.directory().clone() };
        let mut writer = self.begin_commit(&mut directory, task)?;
        let generation = writer.generation();
        directory.nodes = changes.nodes();
        let encoder = Encoder::new(store.header().profile, codec_of(store.directory())).until(task.flag());
        let graph = self.graph();
        NewRows { graph, directory: &mut directory, encoder: &encoder, writer: &mut writer }
            .add(additions)?;
        if !changes.is_empty() {
            directory.changes = Some(encode(changes, &directory, &encoder, &mut writer, None, task)?);
        }
        task.check()?;
        Ok((self.commit(writer, directory)?, generation))
    }
}
