//! PageRank by power iteration (Page, Brin, Motwani, Winograd, 1999): each node takes up what its in-neighbours have.
//!
//! Nodes are summed up in pieces of the same size, in-neighbours in the order of their list, and pieces in their order. So
//! the sums are the same, bit for bit, whichever thread makes them.

use std::ops::Range;
use std::sync::Mutex;

use super::buffer::Buffer;
use super::csr::ranges;
use super::error::AlgorithmError;
use super::lists::Lists;
use super::node_values::NodeValues;
use super::subgraph::Subgraph;
use crate::parallel::all_in_order;

/// Nodes of a piece.
const NODES_AT_ONCE: u32 = 1 << 10;
/// Sums that grow side by side, since each addition waits for the one before it.
const SUMS: usize = 4;

/// How ranks are found.
#[derive(Clone, Debug, PartialEq)]
pub struct PageRank {
    /// Which share of its rank a node hands on along its edges, from 0 up to but not including 1. The rest goes to all nodes
    /// alike, and so does all that nodes without out-edges have.
    pub damping: f64,
    /// Most iterations.
    pub iterations_max: u32,
    /// Ends when an iteration changes the ranks of all nodes together by no more than this. Zero: only when nothing changes.
    pub tolerance: f64,
}

impl Default for PageRank {
    /// 0.85, at most 100 iterations, until ranks change by 1e-8 together.
    fn default() -> Self {
        Self { damping: 0.85, iterations_max: 100, tolerance: 1e-8 }
    }
}

/// Ranks, and how they were found.
#[derive(Clone, Debug)]
pub struct PageRanks {
    /// The rank of each node; together 1.
    pub ranks: NodeValues<f64>,
    /// How many iterations there were.
    pub iterations: u32,
    /// By how much the last one changed the ranks of all nodes together.
    pub change: f64,
    /// Whether that was within the tolerance. If not, all iterations that were allowed did not suffice.
    pub is_settled: bool,
}

/// What one iteration found of some nodes.
#[derive(Clone, Copy, Default)]
struct Sums {
    change: f64,
    /// The ranks of nodes without out-edges.
    stuck: f64,
}

impl Subgraph {
    /// The PageRank of each node.
    ///
    /// Costs a look at each edge for each iteration; 32 bytes for each node. On all threads.
    ///
    /// # Errors
    /// [`AlgorithmError::Parameter`], of a damping or tolerance that makes no sense; [`AlgorithmError`].
    pub fn page_rank(&self, options: &PageRank) -> Result<PageRanks, AlgorithmError> {
        check(options)?;
        let (work, nodes) = (&self.limits.work, self.members.len());
        let mut ranks = Buffer::filled(work, 1.0 / nodes as f64, nodes)?;
        let shares = self.shares_of_degrees()?;
        let stuck =
            shares.iter().zip(&*ranks).filter(|(share, _)| **share == 0.0).map(|(_, rank)| rank).sum();
        self.limits.check()?;
        // What a node hands on to each of its out-neighbours: before an iteration, and behind it.
        let mut given = Buffer::made(work, nodes, |node| ranks[node] * shares[node])?;
        let mut next = Buffer::filled(work, 0.0, nodes)?;
        let lists = self.in_lists()?;
        let (mut sums, mut iterations) = (Sums { change: f64::INFINITY, stuck }, 0);
        while iterations < options.iterations_max && nodes > 0 && sums.change > options.tolerance {
            self.limits.check()?;
            let to_all = (1.0 - options.damping + options.damping * sums.stuck) / nodes as f64;
            let iteration =
                Iteration { lists, given: &given, shares: &shares, damping: options.damping, to_all };
            sums = iteration.run(self, &mut ranks, &mut next)?;
            std::mem::swap(&mut given, &mut next);
            iterations += 1;
        }
        let is_settled = nodes == 0 || sums.change <= options.tolerance;
        let ranks = self.found(ranks.into_items())?;
        Ok(PageRanks { ranks, iterations, change: sums.change, is_settled })
    }

    /// Which share of its rank each node gives to each of its out-neighbours; 0 where there are none.
    fn shares_of_degrees(&self) -> Result<Buffer<f64>, AlgorithmError> {
        let lists = self.out_lists()?;
        let mut shares = Buffer::filled(&self.limits.work, 0.0, self.members.len())?;
        let pieces = ranges(self.members.len(), NODES_AT_ONCE);
        let jobs: Vec<(Range<u32>, Mutex<&mut [f64]>)> =
            pieces.zip(shares.chunks_mut(NODES_AT_ONCE as usize).map(Mutex::new)).collect();
        all_in_order(
            &jobs,
            self.limits.threads,
            || lists.reader(&self.limits),
            |reader, (nodes, shares)| {
                let mut shares = shares.lock().expect("nobody else has it");
                for (node, share) in nodes.clone().zip(shares.iter_mut()) {
                    let degree = reader.degree(node)?;
                    *share = if degree == 0 { 0.0 } else { 1.0 / degree as f64 };
                }
                reader.tick(nodes.len())
            },
        )?;
        drop(jobs);
        Ok(shares)
    }
}

/// What an iteration reads.
struct Iteration<'a> {
    lists: Lists<'a>,
    given: &'a [f64],
    shares: &'a [f64],
    damping: f64,
    /// What each node gets whoever its neighbours are.
    to_all: f64,
}

/// What an iteration writes of some nodes: their ranks, and what they hand on.
type Piece<'a> = (Range<u32>, Mutex<(&'a mut [f64], &'a mut [f64])>);

impl Iteration<'_> {
    fn run(&self, subgraph: &Subgraph, ranks: &mut [f64], next: &mut [f64]) -> Result<Sums, AlgorithmError> {
        let at_once = NODES_AT_ONCE as usize;
        let slices = ranks.chunks_mut(at_once).zip(next.chunks_mut(at_once)).map(Mutex::new);
        let jobs: Vec<Piece<'_>> = ranges(subgraph.members.len(), NODES_AT_ONCE).zip(slices).collect();
        let limits = &subgraph.limits;
        let pieces = all_in_order(
            &jobs,
            limits.threads,
            || self.lists.reader(limits),
            |reader, (nodes, slices)| {
                let mut slices = slices.lock().expect("nobody else has it");
                let (ranks, next) = &mut *slices;
                let mut sums = Sums::default();
                for ((node, rank), next) in nodes.clone().zip(ranks.iter_mut()).zip(next.iter_mut()) {
                    let taken = self.damping * sum(reader.list(node)?, self.given) + self.to_all;
                    let share = self.shares[node as usize];
                    sums.change += (taken - *rank).abs();
                    sums.stuck += if share == 0.0 { taken } else { 0.0 };
                    (*rank, *next) = (taken, taken * share);
                }
                Ok::<_, AlgorithmError>(sums)
            },
        )?;
        let add = |all: Sums, piece: Sums| Sums {
            change: all.change + piece.change,
            stuck: all.stuck + piece.stuck,
        };
        Ok(pieces.into_iter().fold(Sums::default(), add))
    }
}

/// What some nodes give, together.
#[inline]
fn sum(nodes: &[u32], given: &[f64]) -> f64 {
    let mut sums = [0.0; SUMS];
    let (fours, rest) = nodes.as_chunks::<SUMS>();
    for four in fours {
        for (sum, node) in sums.iter_mut().zip(four) {
            *sum += given[*node as usize];
        }
    }
    for (sum, node) in sums.iter_mut().zip(rest) {
        *sum += given[*node as usize];
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

fn check(options: &PageRank) -> Result<(), AlgorithmError> {
    let PageRank { damping, tolerance, .. } = *options;
    if !(0.0..1.0).contains(&damping) {
        let expected = "from 0 up to but not including 1";
        return Err(AlgorithmError::Parameter { name: "damping", value: damping, expected });
    }
    if tolerance.is_nan() || tolerance < 0.0 {
        return Err(AlgorithmError::Parameter { name: "tolerance", value: tolerance, expected: "0 or more" });
    }
    Ok(())
}
