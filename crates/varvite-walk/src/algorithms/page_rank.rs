//! PageRank by power iteration (Page, Brin, Motwani, Winograd, 1999): each node collects the shares of its
//! in-neighbours.
//!
//! To sum over all nodes, each job sums over a piece, which is a fixed number of consecutive nodes; the sums
//! of the pieces are then added in order. The sum over a node's in-neighbours is computed in the order of the
//! node's list. So the sums are the same, bit for bit, whichever thread computes them.
//!
//! The algorithm reads the shares of nodes in random order, and in a large graph these shares exceed the
//! cache. A few nodes make up most entries of the lists, so the shares of nodes that occur in many lists are
//! stored together (Zhang et al.: Making caches work for graph analytics, 2017). This needs a copy of the
//! lists with renumbered nodes, and is done only if there is memory for the copy.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::buffer::Buffer;
use super::csr::{Csr, ranges};
use super::error::AlgorithmError;
use super::lists::Lists;
use super::node_values::NodeValues;
use super::subgraph::Subgraph;
use varvite_graph::internal::all_in_order;

/// The number of nodes in a piece.
const NODES_AT_ONCE: u32 = 1 << 10;
/// The number of independent partial sums. The processor computes them in parallel; in a single sum, each
/// addition would wait for the previous one.
const SUMS: usize = 4;

/// The lists are copied only if there are at least `NODES_OF_COPY` nodes, whose shares exceed the cache, and
/// if at least `ITERATIONS_OF_COPY` iterations are allowed, which repay the cost of the copy.
const NODES_OF_COPY: usize = 1 << 17;
const ITERATIONS_OF_COPY: u32 = 4;

/// Options of the iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct PageRank {
    /// The share of its rank that a node passes on along its edges, from 0 up to but not including 1. The
    /// rest is distributed equally to all nodes, and so is the whole rank of nodes without out-edges.
    pub damping: f64,
    /// The maximum number of iterations.
    pub iterations_max: u32,
    /// Iterating ends when the sum of the changes of all ranks is at most this value. With zero, it ends only
    /// when no rank changes.
    pub tolerance: f64,
}

impl Default for PageRank {
    /// A damping of 0.85, at most 100 iterations, and a tolerance of 1e-8.
    fn default() -> Self {
        Self { damping: 0.85, iterations_max: 100, tolerance: 1e-8 }
    }
}

/// Ranks, with information about the iterations.
#[derive(Clone, Debug)]
pub struct PageRanks {
    /// The rank of each node; the sum of all ranks is 1.
    pub ranks: NodeValues<f64>,
    /// The number of iterations.
    pub iterations: u32,
    /// The sum of the changes of all ranks in the last iteration.
    pub change: f64,
    /// Whether the last change was within the tolerance. If not, the iteration ended because it reached the
    /// maximum.
    pub is_settled: bool,
}

/// The sums that one iteration computes for some nodes.
#[derive(Clone, Copy, Default)]
struct Sums {
    change: f64,
    /// The sum of the ranks of nodes without out-edges.
    stuck: f64,
}

impl Subgraph {
    /// The PageRank of each node.
    ///
    /// Costs a read of each edge for each iteration. Memory: 32 bytes for each node; if there is memory for a
    /// copy of the lists, another 4 for each edge and 8 for each node. Runs on all threads.
    ///
    /// # Errors
    /// [`AlgorithmError::Parameter`] for a damping or tolerance out of range; [`AlgorithmError`].
    pub fn page_rank(&self, options: &PageRank) -> Result<PageRanks, AlgorithmError> {
        check(options)?;
        let (work, nodes) = (&self.limits.work, self.members.len());
        let mut ranks = Buffer::filled(work, 1.0 / nodes as f64, nodes)?;
        let shares = self.shares_of_degrees()?;
        let stuck =
            shares.iter().zip(&*ranks).filter(|(share, _)| **share == 0.0).map(|(_, rank)| rank).sum();
        self.limits.check()?;
        let lists = self.in_lists()?;
        let copy = match lists {
            Lists::Decoded(csr) if nodes >= NODES_OF_COPY && options.iterations_max >= ITERATIONS_OF_COPY => {
                self.copied(csr, &shares)?
            }
            _ => None,
        };
        let (lists, places) = match &copy {
            Some(copy) => (Lists::Decoded(&copy.lists), Some(&*copy.places)),
            None => (lists, None),
        };
        // The rank that a node passes to each of its out-neighbours: in this iteration (`given`), and in the
        // next one (`next`).
        let mut given = Buffer::made(work, nodes, |_| AtomicU64::new(0))?;
        let mut next = Buffer::made(work, nodes, |_| AtomicU64::new(0))?;
        for (node, (rank, share)) in (0..).zip(ranks.iter().zip(&*shares)) {
            put(&given, place_of(places, node), rank * share);
        }
        let (mut sums, mut iterations) = (Sums { change: f64::INFINITY, stuck }, 0);
        while iterations < options.iterations_max && nodes > 0 && sums.change > options.tolerance {
            self.limits.check()?;
            let to_all = (1.0 - options.damping + options.damping * sums.stuck) / nodes as f64;
            let damping = options.damping;
            let iteration =
                Iteration { lists, places, given: &given, next: &next, shares: &shares, damping, to_all };
            sums = iteration.run(self, &mut ranks)?;
            std::mem::swap(&mut given, &mut next);
            iterations += 1;
        }
        let is_settled = nodes == 0 || sums.change <= options.tolerance;
        let ranks = self.found(ranks.into_items())?;
        Ok(PageRanks { ranks, iterations, change: sums.change, is_settled })
    }

    /// A copy of the lists, with nodes renumbered so that those that occur in many lists come first; `None`
    /// if there is no memory for the copy.
    fn copied(&self, lists: &Csr, shares: &[f64]) -> Result<Option<Copied>, AlgorithmError> {
        let copy = || {
            let nodes = self.members.len();
            let many = (lists.entry_count() / nodes.max(1)) as f64;
            // The reciprocal of a node's share is the number of lists that contain the node.
            let is_in_many = |share: &f64| *share != 0.0 && share.recip() > many;
            let mut first = 0;
            let mut others = shares.iter().filter(|share| is_in_many(share)).count() as u32;
            let mut places = Buffer::with_capacity(&self.limits.lists, nodes)?;
            for share in shares {
                let next = if is_in_many(share) { &mut first } else { &mut others };
                places.push(*next)?;
                *next += 1;
            }
            Ok(Copied { lists: lists.renumbered(&places, &self.limits)?, places })
        };
        match copy() {
            Err(AlgorithmError::OverBudget { .. }) => Ok(None),
            copied => copied.map(Some),
        }
    }

    /// For each node, the fraction of its rank that it passes to each of its out-neighbours; 0 for nodes
    /// without out-neighbours.
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
                let mut shares = shares.lock().expect("this is the only owner");
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

/// Lists whose entries are positions of shares, and the position of each node's share.
struct Copied {
    lists: Csr,
    places: Buffer<u32>,
}

#[inline]
fn place_of(places: Option<&[u32]>, node: u32) -> u32 {
    places.map_or(node, |places| places[node as usize])
}

/// Numbers are stored as the bits of atomic integers, because every thread may write to any position.
#[inline]
fn put(numbers: &[AtomicU64], place: u32, number: f64) {
    numbers[place as usize].store(number.to_bits(), Ordering::Relaxed);
}

#[inline]
fn get(numbers: &[AtomicU64], place: u32) -> f64 {
    f64::from_bits(numbers[place as usize].load(Ordering::Relaxed))
}

/// The arrays that an iteration reads and writes.
struct Iteration<'a> {
    lists: Lists<'a>,
    /// The position of each node's share; `None` if the positions are the indexes of the nodes.
    places: Option<&'a [u32]>,
    given: &'a [AtomicU64],
    next: &'a [AtomicU64],
    shares: &'a [f64],
    damping: f64,
    /// The rank that each node gets independently of its neighbours.
    to_all: f64,
}

impl Iteration<'_> {
    fn run(&self, subgraph: &Subgraph, ranks: &mut [f64]) -> Result<Sums, AlgorithmError> {
        let slices = ranks.chunks_mut(NODES_AT_ONCE as usize).map(Mutex::new);
        let jobs: Vec<(Range<u32>, Mutex<&mut [f64]>)> =
            ranges(subgraph.members.len(), NODES_AT_ONCE).zip(slices).collect();
        let limits = &subgraph.limits;
        let pieces = all_in_order(
            &jobs,
            limits.threads,
            || self.lists.reader(limits),
            |reader, (nodes, ranks)| {
                let mut ranks = ranks.lock().expect("this is the only owner");
                let mut sums = Sums::default();
                for (node, rank) in nodes.clone().zip(ranks.iter_mut()) {
                    let taken = self.damping * sum(reader.list(node)?, self.given) + self.to_all;
                    let share = self.shares[node as usize];
                    sums.change += (taken - *rank).abs();
                    sums.stuck += if share == 0.0 { taken } else { 0.0 };
                    *rank = taken;
                    put(self.next, place_of(self.places, node), taken * share);
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

/// The sum of the shares at these positions.
#[inline]
fn sum(places: &[u32], given: &[AtomicU64]) -> f64 {
    let mut sums = [0.0; SUMS];
    let (fours, rest) = places.as_chunks::<SUMS>();
    for four in fours {
        for (sum, place) in sums.iter_mut().zip(four) {
            *sum += get(given, *place);
        }
    }
    for (sum, place) in sums.iter_mut().zip(rest) {
        *sum += get(given, *place);
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
