//! [`NodeLabels`]: the labels of all nodes, for scans of a whole graph.

use std::collections::{BTreeMap, HashMap};
use std::iter::{Enumerate, FusedIterator};

use crate::cursor::labels::Labels;
use crate::error::Result;
use crate::graph::Graph;
use crate::scan::columns::label_codes;
use crate::scan::graph_scan::{GraphScan, ScratchVec};

/// The label set of every node, decoded. Two sets are equal if the names of their labels are.
#[derive(Debug)]
pub struct NodeLabels<'p> {
    graph: &'p Graph,
    labels: Labels,
    /// By node: which of the sets it has.
    sets: ScratchVec<'p, u32>,
    /// A code of each set.
    codes: ScratchVec<'p, u32>,
}

impl<'p> NodeLabels<'p> {
    /// Decodes them all: four bytes for each node.
    ///
    /// # Errors
    /// A code without a label set, or more memory than the pass may take.
    pub fn of(pass: &'p GraphScan<'_>) -> Result<Self> {
        let graph = pass.graph;
        let labels = graph.label_sets()?;
        let sets = ScratchVec::with_capacity(pass, graph.node_count() as usize)?;
        let codes = ScratchVec::with_capacity(pass, labels.code_count() as usize)?;
        let mut this = Self { graph, labels, sets, codes };
        let set_of_code = this.number_sets(pass)?;
        label_codes(graph, |code| this.sets.push(set_of_code[code as usize]))?;
        Ok(this)
    }

    /// Two codes may stand for labels of the same names.
    fn number_sets(&mut self, pass: &'p GraphScan<'_>) -> Result<ScratchVec<'p, u32>> {
        let count = self.labels.code_count();
        let _of_numbers = pass.scratch(count as usize * 2 * size_of::<([u8; 32], u32)>())?;
        let mut numbers: HashMap<[u8; 32], u32> = HashMap::new();
        let mut set_of_code = ScratchVec::with_capacity(pass, count as usize)?;
        for code in 0..count {
            let name = blake3::hash(self.text_of_code(code).as_bytes());
            let next = numbers.len() as u32;
            let set = *numbers.entry(*name.as_bytes()).or_insert(next);
            if set == next {
                self.codes.push(code)?;
            }
            set_of_code.push(set)?;
        }
        Ok(set_of_code)
    }

    /// The names of the labels that a code stands for, sorted.
    fn names(&self, code: u32) -> Vec<&str> {
        let labels = self.labels.of_code(code).filter_map(|label| self.graph.labels().get(label.0 as usize));
        let mut names: Vec<&str> = labels.map(|label| label.name.as_str()).collect();
        names.sort_unstable();
        names
    }

    fn text_of_code(&self, code: u32) -> String {
        self.names(code).join("&")
    }

    /// The number of nodes that carry each label.
    pub fn counts(&self) -> BTreeMap<String, u64> {
        let mut of_sets = vec![0u64; self.codes.len()];
        self.sets.iter().for_each(|set| of_sets[*set as usize] += 1);
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for (code, count) in self.codes.iter().zip(of_sets).filter(|(_, count)| *count > 0) {
            self.names(*code).into_iter().for_each(|name| *counts.entry(name).or_default() += count);
        }
        counts.into_iter().map(|(name, count)| (name.to_owned(), count)).collect()
    }

    /// The number of sets.
    pub fn set_count(&self) -> usize {
        self.codes.len()
    }

    /// The label set of a node.
    ///
    /// # Panics
    /// There is no such node.
    #[inline]
    pub fn set(&self, node: u32) -> u32 {
        self.sets[node as usize]
    }

    /// The sets of all nodes.
    pub fn sets(&self) -> &[u32] {
        &self.sets
    }

    /// The name of a set: its labels, sorted and joined by `&`.
    ///
    /// # Panics
    /// There is no such set.
    pub fn text(&self, set: u32) -> String {
        self.text_of_code(self.codes[set as usize])
    }

    /// All nodes that have a label of this name, rising.
    pub fn nodes_with(&self, label: &str) -> NodesWith<'_> {
        NodesWith { sets: self.sets.iter().enumerate(), wanted: self.sets_with(label) }
    }

    /// For each set, whether it has a label of this name.
    pub fn sets_with(&self, label: &str) -> Vec<bool> {
        self.codes.iter().map(|code| self.names(*code).contains(&label)).collect()
    }
}

/// The nodes of a label, rising, from a pass over the labels of all.
#[derive(Clone, Debug)]
pub struct NodesWith<'a> {
    sets: Enumerate<std::slice::Iter<'a, u32>>,
    /// For each set, whether it has the label.
    wanted: Vec<bool>,
}

impl Iterator for NodesWith<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let (node, _) = self.sets.find(|(_, set)| self.wanted[**set as usize])?;
        Some(node as u32)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.sets.len()))
    }

    #[inline]
    fn fold<A, F: FnMut(A, u32) -> A>(self, first: A, mut visit: F) -> A {
        let Self { sets, wanted } = self;
        sets.fold(first, |folded, (node, set)| match wanted[*set as usize] {
            true => visit(folded, node as u32),
            false => folded,
        })
    }
}

impl DoubleEndedIterator for NodesWith<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<u32> {
        let (node, _) = self.sets.rfind(|(_, set)| self.wanted[**set as usize])?;
        Some(node as u32)
    }
}

impl FusedIterator for NodesWith<'_> {}
