//! [`LabelStream`]: hashes the label sets of nodes, by ranges of nodes.
//!
//! Two codes in a file may stand for the same label set, and different files have different codes. So each
//! range numbers the label sets of its nodes anew, in the order of their first use, and ends with a hash of
//! the labels of each set.

use std::collections::HashMap;

use super::ContentHash;
use super::column_tree::RangeHash;
use super::range_stream::RangeStream;
use super::stream::Stream;
use varvite_graph::internal::Scratch;
use varvite_graph::{Graph, GraphScan, Labels, Result, ScratchVec};

pub(super) struct LabelStream<'p> {
    graph: &'p Graph,
    labels: Labels,
    ranges: RangeStream,
    /// For each code, the index of its label set; `u32::MAX` before the code's first use.
    set_of_code: ScratchVec<'p, u32>,
    sets: HashMap<ContentHash, u32>,
    hashes: ScratchVec<'p, ContentHash>,
    /// For each set, its number in the current range, or `u32::MAX` if the range has not used the set yet.
    number_of_set: ScratchVec<'p, u32>,
    /// The label sets that the current range uses.
    used: ScratchVec<'p, u32>,
    _of_sets: Scratch<'p>,
}

impl<'p> LabelStream<'p> {
    pub(super) fn new(graph_scan: &'p GraphScan<'_>, shift: u32) -> Result<Self> {
        let labels = graph_scan.graph.label_sets()?;
        let codes = labels.code_count() as usize;
        Ok(Self {
            graph: graph_scan.graph,
            labels,
            ranges: RangeStream::new(shift),
            set_of_code: ScratchVec::filled(graph_scan, u32::MAX, codes)?,
            sets: HashMap::new(),
            hashes: ScratchVec::with_capacity(graph_scan, codes)?,
            number_of_set: ScratchVec::with_capacity(graph_scan, codes)?,
            used: ScratchVec::with_capacity(graph_scan, codes)?,
            _of_sets: graph_scan.scratch(2 * codes * size_of::<(ContentHash, u32)>())?,
        })
    }

    pub(super) fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Adds the next node, with the label set of `code`, which must be a code of the file.
    pub(super) fn push(&mut self, node: u32, code: u32) -> Result<()> {
        if self.ranges.ends_before(node) {
            self.end_range();
        }
        self.ranges.begin(node);
        let set = self.set_of(code)?;
        if self.number_of_set[set] == u32::MAX {
            self.number_of_set[set] = self.used.len() as u32;
            self.used.push(set as u32)?;
        }
        self.ranges.stream.u32(self.number_of_set[set]);
        Ok(())
    }

    pub(super) fn finish(mut self) -> Vec<RangeHash> {
        self.end_range();
        self.ranges.finish()
    }

    fn end_range(&mut self) {
        for set in self.used.iter() {
            self.ranges.stream.hash(&self.hashes[*set as usize]);
        }
        while let Some(set) = self.used.pop() {
            self.number_of_set[set as usize] = u32::MAX;
        }
    }

    #[inline]
    fn set_of(&mut self, code: u32) -> Result<usize> {
        match self.set_of_code[code as usize] {
            u32::MAX => self.find_set(code),
            set => Ok(set as usize),
        }
    }

    #[cold]
    fn find_set(&mut self, code: u32) -> Result<usize> {
        let mut stream = Stream::default();
        stream.names(&names_of(self.graph, &self.labels, code));
        let hash = stream.finish();
        let next = self.hashes.len() as u32;
        let set = *self.sets.entry(hash).or_insert(next);
        if set == next {
            self.hashes.push(hash)?;
            self.number_of_set.push(u32::MAX)?;
        }
        self.set_of_code[code as usize] = set;
        Ok(set as usize)
    }
}

/// The names of the labels in a code's label set, sorted.
pub(super) fn names_of<'g>(graph: &'g Graph, labels: &Labels, code: u32) -> Vec<&'g str> {
    let names = labels.of_code(code).filter_map(|label| graph.labels().get(label.index()));
    let mut names: Vec<&str> = names.map(|label| label.name.as_str()).collect();
    names.sort_unstable();
    names
}
