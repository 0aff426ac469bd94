//! [`NodeLabels`]: the labels of all nodes, for scans of a whole graph.

use std::collections::{BTreeMap, HashMap};
use std::iter::{Enumerate, FusedIterator};

use crate::cursor::labels::Labels;
use crate::error::Result;
use crate::graph::Graph;
use crate::scan::columns::label_codes;
use crate::scan::graph_scan::{GraphScan, ScratchVec};

/// The label set of every node, decoded. Label sets whose labels have the same names count as one set,
/// whatever their codes.
#[derive(Debug)]
pub struct NodeLabels<'p> {
    graph: &'p Graph,
    labels: Labels,
    /// The number of each node's label set.
    sets: ScratchVec<'p, u32>,
    /// For each label set, a code that stands for it.
    codes: ScratchVec<'p, u32>,
}

impl<'p> NodeLabels<'p> {
    /// Decodes the label sets of all nodes. Takes four bytes of memory for each node.
    ///
    /// # Errors
    /// Damage: a code without a label set. Also fails if the budget of the scan is exceeded.
    pub fn of(graph_scan: &'p GraphScan<'_>) -> Result<Self> {
        let graph = graph_scan.graph;
        let labels = graph.label_sets()?;
        let sets = ScratchVec::with_capacity(graph_scan, graph.node_count() as usize)?;
        let codes = ScratchVec::with_capacity(graph_scan, labels.code_count() as usize)?;
        let mut this = Self { graph, labels, sets, codes };
        let set_of_code = this.number_sets(graph_scan)?;
        label_codes(graph, |code| this.sets.push(set_of_code[code as usize]))?;
        Ok(this)
    }

    /// Numbers the label sets, and returns the number for each code. Codes whose labels have the same names
    /// get the same number.
    fn number_sets(&mut self, graph_scan: &'p GraphScan<'_>) -> Result<ScratchVec<'p, u32>> {
        let count = self.labels.code_count();
        let _of_numbers = graph_scan.scratch(count as usize * 2 * size_of::<([u8; 32], u32)>())?;
        let mut numbers: HashMap<[u8; 32], u32> = HashMap::new();
        let mut set_of_code = ScratchVec::with_capacity(graph_scan, count as usize)?;
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

    /// The names of the labels that a code stands for, in sorted order.
    fn names(&self, code: u32) -> Vec<&str> {
        let labels = self.labels.of_code(code).filter_map(|label| self.graph.labels().get(label.0 as usize));
        let mut names: Vec<&str> = labels.map(|label| label.name.as_str()).collect();
        names.sort_unstable();
        names
    }

    fn text_of_code(&self, code: u32) -> String {
        self.names(code).join("&")
    }

    /// The number of nodes with each label, by name.
    pub fn counts(&self) -> BTreeMap<String, u64> {
        let mut of_sets = vec![0u64; self.codes.len()];
        self.sets.iter().for_each(|set| of_sets[*set as usize] += 1);
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for (code, count) in self.codes.iter().zip(of_sets).filter(|(_, count)| *count > 0) {
            self.names(*code).into_iter().for_each(|name| *counts.entry(name).or_default() += count);
        }
        counts.into_iter().map(|(name, count)| (name.to_owned(), count)).collect()
    }

    /// The number of label sets that differ in the names of their labels.
    pub fn set_count(&self) -> usize {
        self.codes.len()
    }

    /// The number of a node's label set.
    ///
    /// # Panics
    /// Panics if the graph has no node with this id.
    #[inline]
    pub fn set(&self, node: u32) -> u32 {
        self.sets[node as usize]
    }

    /// The numbers of the label sets of all nodes.
    pub fn sets(&self) -> &[u32] {
        &self.sets
    }

    /// The name of a label set: the names of its labels, sorted and joined by `&`.
    ///
    /// # Panics
    /// Panics if there is no label set with this number.
    pub fn text(&self, set: u32) -> String {
        self.text_of_code(self.codes[set as usize])
    }

    /// All nodes that have a label of this name, ascending.
    pub fn nodes_with(&self, label: &str) -> NodesWith<'_> {
        NodesWith { sets: self.sets.iter().enumerate(), wanted: self.sets_with(label) }
    }

    /// For each label set, whether it has a label of this name.
    pub fn sets_with(&self, label: &str) -> Vec<bool> {
        self.codes.iter().map(|code| self.names(*code).contains(&label)).collect()
    }
}

/// An iterator over the nodes of a label, ascending, which reads the label set of each node.
#[derive(Clone, Debug)]
pub struct NodesWith<'a> {
    sets: Enumerate<std::slice::Iter<'a, u32>>,
    /// For each label set, whether it has the label.
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
