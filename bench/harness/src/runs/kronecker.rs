//! Generates Kronecker graphs, as in the Graph500 benchmark: a few nodes have very many edges, and many nodes
//! have few or none.
//!
//! The graphs are undirected: each pair of nodes has at most one edge, and no node has an edge to itself.
//! Node numbers are permuted at random, so that they do not depend on degrees. Nodes without edges are left
//! out, as in the graphs of Graphalytics. Equal scale and seed give equal graphs.

use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use varvite::{IfExists, Profile};
use varvite::{
    columns::{EdgeLabelSpec, GraphWriter, Heat, LabelSpec, ListsInput, WriteOptions},
    write::LayerSpec,
};
use varvite_model::SplitMix64;
use varvite_store::vfs::RealVfs;

use crate::Failure;

/// The edge label in Kronecker graphs.
pub const EDGE: &str = "EDGE";
/// The node label in Kronecker graphs.
const NODE: &str = "NODE";
/// The number of edges drawn for each node.
const EDGE_FACTOR: u64 = 16;
/// The probabilities, in millionths, with which a draw chooses the first, second or third quarter of the
/// adjacency matrix at each level.
const QUARTERS: [u64; 3] = [570_000, 190_000, 190_000];

/// An undirected graph.
#[derive(Clone, Debug)]
pub struct Kronecker {
    /// The number of nodes.
    pub nodes: u32,
    /// The edges, sorted, each with its smaller end first.
    pub edges: Vec<(u32, u32)>,
}

/// A random number below `limit`, which is much smaller than 2^32.
fn below(draws: &mut SplitMix64, limit: u64) -> u64 {
    ((draws.next_u64() >> 32) * limit) >> 32
}

impl Kronecker {
    /// Generates a graph of `2^scale` nodes, and then removes those without edges.
    pub fn of(scale: u32, seed: u64) -> Self {
        let nodes = 1u32 << scale;
        let mut draws = SplitMix64::new(seed);
        let mut numbers: Vec<u32> = (0..nodes).collect();
        for last in (1..nodes as usize).rev() {
            numbers.swap(last, below(&mut draws, last as u64 + 1) as usize);
        }
        let mut edges: Vec<(u32, u32)> = (0..EDGE_FACTOR << scale)
            .map(|_| {
                let (one, other) = draw(scale, &mut draws);
                let (one, other) = (numbers[one], numbers[other]);
                (one.min(other), one.max(other))
            })
            .filter(|(one, other)| one != other)
            .collect();
        edges.sort_unstable();
        edges.dedup();
        Self::without_lone_nodes(nodes, edges)
    }

    /// Removes nodes without edges, and renumbers the others in the same order.
    fn without_lone_nodes(nodes: u32, mut edges: Vec<(u32, u32)>) -> Self {
        let mut numbers = vec![0; nodes as usize];
        for (one, other) in &edges {
            (numbers[*one as usize], numbers[*other as usize]) = (1, 1);
        }
        let mut count = 0;
        for number in &mut numbers {
            let has_edges = *number;
            *number = count;
            count += has_edges;
        }
        for (one, other) in &mut edges {
            (*one, *other) = (numbers[*one as usize], numbers[*other as usize]);
        }
        Self { nodes: count, edges }
    }

    /// Draws `count` nodes that have edges, with the seed.
    pub fn sources(&self, count: usize, seed: u64) -> Vec<u32> {
        let mut draws = SplitMix64::new(seed);
        (0..count).map(|_| self.edges[below(&mut draws, self.edges.len() as u64) as usize].0).collect()
    }

    /// Writes the graph as a graph file.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn write(&self, target: &Path) -> Result<(), Failure> {
        let profile = Profile::Direct;
        let options = WriteOptions { profile, if_exists: IfExists::Replace, ..WriteOptions::default() };
        let encoder = GraphWriter::encoder(&options);
        let identity = format!("kronecker {} {}", self.nodes, self.edges.len());
        let vfs = Arc::new(RealVfs);
        let mut writer = GraphWriter::create(vfs, target, self.nodes, identity.as_bytes(), &options)?;
        writer.add_layer(&LayerSpec {
            name: "kronecker",
            tool: "varvite-bench",
            version: "1",
            source: [0; 32],
        });
        writer.set_label_codes(encoder.labels(&vec![0u32; self.nodes as usize])?, vec![1])?;
        let mut everyone = vec![u64::MAX; self.nodes.div_ceil(64) as usize];
        if let Some(last) = everyone.last_mut().filter(|_| !self.nodes.is_multiple_of(64)) {
            *last = (1 << (self.nodes % 64)) - 1;
        }
        let nodes = encoder.set(&everyone, self.nodes)?;
        writer.add_label(LabelSpec { name: NODE, layer: 0, nodes, origin_count: 0, origin: None })?;
        let mut turned: Vec<(u32, u32)> = self.edges.iter().map(|(one, other)| (*other, *one)).collect();
        turned.sort_unstable();
        let [out, in_] = [&self.edges, &turned].map(|edges| {
            let (offsets, neighbors) = lists(self.nodes, edges);
            encoder.adjacency(ListsInput { offsets: &offsets, neighbors: &neighbors }, Heat::Hot)
        });
        writer.add_edge_label(EdgeLabelSpec {
            name: EDGE,
            layer: 0,
            edges: self.edges.len() as u64,
            out: Some(out?),
            in_: Some(in_?),
            places: None,
        })?;
        writer.finish()?;
        Ok(())
    }

    /// Writes the edges as pairs of little-endian 32-bit numbers, for other engines.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn write_edges(&self, target: &Path) -> Result<(), Failure> {
        let mut output = BufWriter::new(std::fs::File::create(target)?);
        for (one, other) in &self.edges {
            output.write_all(&one.to_le_bytes())?;
            output.write_all(&other.to_le_bytes())?;
        }
        Ok(output.flush()?)
    }
}

/// Draws the two ends of an edge: the quarter drawn at each level decides one bit of each end.
fn draw(scale: u32, draws: &mut SplitMix64) -> (usize, usize) {
    let [first, second, third] = QUARTERS;
    let (mut one, mut other) = (0, 0);
    for _ in 0..scale {
        let drawn = below(draws, 1_000_000);
        let is_lower = drawn >= first + second;
        let is_right = (first..first + second).contains(&drawn) || drawn >= first + second + third;
        one = (one << 1) | usize::from(is_lower);
        other = (other << 1) | usize::from(is_right);
    }
    (one, other)
}

/// The adjacency lists of sorted edges, as offsets and targets.
fn lists(nodes: u32, edges: &[(u32, u32)]) -> (Vec<u32>, Vec<u32>) {
    let mut offsets = vec![0u32; nodes as usize + 1];
    edges.iter().for_each(|(one, _)| offsets[*one as usize + 1] += 1);
    let mut sum = 0;
    for offset in &mut offsets {
        sum += *offset;
        *offset = sum;
    }
    (offsets, edges.iter().map(|(_, other)| *other).collect())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use varvite::Graph;

    use super::*;

    #[test]
    fn a_kronecker_graph_is_what_its_file_holds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kronecker.varvite");
        let drawn = Kronecker::of(8, 1);
        drawn.write(&path).unwrap();
        let graph = Graph::open(&path).unwrap();
        let mut edges = Vec::new();
        graph.out(EDGE).unwrap().for_each_edge(|one, other| edges.push((one, other)));
        assert_eq!(edges, drawn.edges);
        assert_eq!(graph.verify(&varvite::Task::new().threads(1)).unwrap().problems, [""; 0]);
        let degree =
            |node: u32| drawn.edges.iter().filter(|(one, other)| *one == node || *other == node).count();
        let most = (0..drawn.nodes).map(degree).max().unwrap();
        assert!(drawn.edges.len() > 1500 && most > 8 * 2 * drawn.edges.len() / 256, "{most}");
        drawn.write_edges(&folder.path().join("edges")).unwrap();
        let bytes = std::fs::read(folder.path().join("edges")).unwrap();
        assert_eq!(bytes.len(), 8 * drawn.edges.len());
        assert_eq!(bytes[..4], drawn.edges[0].0.to_le_bytes());
        assert!(drawn.sources(5, 2).iter().all(|source| degree(*source) > 0));
    }
}
