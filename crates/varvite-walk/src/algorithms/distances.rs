//! Distances by breadth-first search, level by level on all threads.
//!
//! If a large share of the unread edges start at the nodes of a level, the search changes direction (Beamer,
//! Asanović, Patterson: Direction-optimizing breadth-first search, SC 2012): for each unreached node, it
//! looks for a reached in-neighbour. Usually the first in-neighbour is already reached. The search changes
//! direction only if the lists of in-edges are decoded.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use super::buffer::Buffer;
use super::csr::Csr;
use super::error::AlgorithmError;
use super::lists::Lists;
use super::node_values::NodeValues;
use super::subgraph::Subgraph;
use varvite_graph::Reserved;
use varvite_graph::internal::all_in_order;

/// The distance of nodes to which no path leads.
pub const UNREACHED: u32 = u32::MAX;

/// The search changes direction at a level if more than `1 / EDGES_OF_LEVEL` of the unread edges start at the
/// nodes of the level.
const EDGES_OF_LEVEL: usize = 15;
/// The search keeps the changed direction while each level is larger than the one before, or has more than `1
/// / NODES_OF_LEVEL` of all nodes.
const NODES_OF_LEVEL: usize = 18;
/// The number of nodes of a level that a job expands.
const EXPANDED_AT_ONCE: usize = 128;
/// The number of bitmap words (of 64 nodes each) that a job checks when the search looks for reached
/// in-neighbours.
const WORDS_AT_ONCE: usize = 16;

impl Subgraph {
    /// For each node, the number of edges on the shortest path from any source: 0 for the sources,
    /// [`UNREACHED`] for nodes to which no path leads.
    ///
    /// Costs at most a read of each reached edge, and 13 bytes for each node. Runs on all threads. For the
    /// surroundings of a few nodes in a large graph, a breadth-first [`Walk`](crate::walk::Walk) reads less.
    ///
    /// # Errors
    /// [`AlgorithmError::NotSelected`] for a source; [`AlgorithmError`].
    pub fn distances(&self, sources: &[u32]) -> Result<NodeValues<u32>, AlgorithmError> {
        let sources = self.members.indexes(sources)?;
        let out = self.out_lists()?;
        let nodes = self.members.len();
        let search = Search {
            subgraph: self,
            out,
            back: out.decoded().and(self.known_in_lists()),
            distances: Buffer::made(&self.limits.work, nodes, |_| AtomicU32::new(UNREACHED))?,
            _levels: self.limits.work.reserve(2 * size_of::<u32>() * nodes)?,
        };
        search.run(sources)?;
        self.found(search.distances.into_items().into_iter().map(AtomicU32::into_inner).collect())
    }
}

/// The state of a search.
struct Search<'a> {
    subgraph: &'a Subgraph,
    out: Lists<'a>,
    /// The lists of in-edges, if they are decoded.
    back: Option<&'a Csr>,
    distances: Buffer<AtomicU32>,
    /// The memory for the nodes of two levels. The levels have no node in common, but a vector that grows may
    /// take up to twice the memory of its nodes.
    _levels: Reserved,
}

/// The nodes of a level, in the parts that the threads found; and the number of edges from these nodes, or 0
/// if that number is not known.
#[derive(Default)]
struct Level {
    parts: Vec<Vec<u32>>,
    edges: usize,
}

impl Level {
    fn len(&self) -> usize {
        self.parts.iter().map(Vec::len).sum()
    }
}

impl<'a> Search<'a> {
    fn run(&self, mut sources: Vec<u32>) -> Result<(), AlgorithmError> {
        sources.retain(|source| self.reach(*source, 0));
        let degree = |source: &u32| self.out.decoded().map_or(0, |csr| csr.degree(*source));
        let edges = sources.iter().map(degree).sum();
        let mut level = Level { parts: vec![sources], edges };
        let mut edges_left = self.out.decoded().map_or(0, Csr::entry_count);
        let mut distance = 0;
        while level.len() > 0 {
            self.subgraph.limits.check()?;
            level = match self.back {
                Some(back) if level.edges > edges_left / EDGES_OF_LEVEL => {
                    self.look_up(back, &level, &mut distance)?
                }
                _ => {
                    edges_left = edges_left.saturating_sub(level.edges);
                    distance += 1;
                    self.expand(&level, distance)?
                }
            };
        }
        Ok(())
    }

    /// Marks a node as reached, unless a thread did so before. Returns whether this call reached it.
    #[inline]
    fn reach(&self, node: u32, distance: u32) -> bool {
        let of_node = &self.distances[node as usize];
        of_node.load(Ordering::Relaxed) == UNREACHED
            && of_node.compare_exchange(UNREACHED, distance, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Finds the next level, along the edges from the nodes of this level.
    fn expand(&self, level: &Level, distance: u32) -> Result<Level, AlgorithmError> {
        let jobs: Vec<&[u32]> = level.parts.iter().flat_map(|part| part.chunks(EXPANDED_AT_ONCE)).collect();
        let limits = &self.subgraph.limits;
        let found = all_in_order(
            &jobs,
            limits.threads,
            || self.out.reader(limits),
            |reader, nodes| {
                let (mut found, mut edges) = (Vec::new(), 0);
                for node in *nodes {
                    found.extend(reader.list(*node)?.iter().filter(|next| self.reach(**next, distance)));
                }
                if let Some(csr) = self.out.decoded() {
                    edges = found.iter().map(|node| csr.degree(*node)).sum();
                }
                Ok::<_, AlgorithmError>((found, edges))
            },
        )?;
        let edges = found.iter().map(|(_, edges)| edges).sum();
        let parts = found.into_iter().map(|(part, _)| part).filter(|part| !part.is_empty()).collect();
        Ok(Level { parts, edges })
    }

    /// Finds the next levels along the in-edges of unreached nodes, while levels are large. Returns the last
    /// of these levels.
    fn look_up(&self, back: &Csr, level: &Level, distance: &mut u32) -> Result<Level, AlgorithmError> {
        let (limits, nodes) = (&self.subgraph.limits, self.distances.len());
        let mut front = Buffer::filled(&limits.work, 0u64, nodes.div_ceil(64))?;
        let mut next = Buffer::filled(&limits.work, 0u64, nodes.div_ceil(64))?;
        for node in level.parts.iter().flatten() {
            front[*node as usize / 64] |= 1 << (node % 64);
        }
        let mut count = level.len();
        loop {
            limits.check()?;
            *distance += 1;
            let found = self.look_up_level(back, &front, &mut next, *distance)?;
            std::mem::swap(&mut front, &mut next);
            let goes_on = found > 0 && (found >= count || found > nodes / NODES_OF_LEVEL);
            count = found;
            if !goes_on {
                break;
            }
        }
        let mut part = Vec::with_capacity(count);
        for (place, word) in (0..).zip(&*front) {
            let mut left = *word;
            while left != 0 {
                part.push(place * 64 + left.trailing_zeros());
                left &= left - 1;
            }
        }
        // A count of zero edges makes the search find the next level along out-edges.
        Ok(Level { parts: vec![part], edges: 0 })
    }

    /// Fills `next` with the level after `front`, and returns the number of its nodes.
    fn look_up_level(
        &self,
        back: &Csr,
        front: &[u64],
        next: &mut [u64],
        distance: u32,
    ) -> Result<usize, AlgorithmError> {
        let limits = &self.subgraph.limits;
        let jobs: Vec<(usize, Mutex<&mut [u64]>)> =
            next.chunks_mut(WORDS_AT_ONCE).map(Mutex::new).enumerate().collect();
        let is_in_front = |node: &u32| front[*node as usize / 64] >> (node % 64) & 1 != 0;
        let counts = all_in_order(
            &jobs,
            limits.threads,
            || limits.meter(),
            |meter, (number, words)| {
                let mut words = words.lock().expect("this is the only owner");
                let (first, mut count) = (number * WORDS_AT_ONCE * 64, 0);
                for (place, word) in words.iter_mut().enumerate() {
                    *word = 0;
                    let begin = first + place * 64;
                    let of_word = &self.distances[begin..self.distances.len().min(begin + 64)];
                    let mut looked_at = 64;
                    for (bit, of_node) in of_word.iter().enumerate() {
                        if of_node.load(Ordering::Relaxed) != UNREACHED {
                            continue;
                        }
                        let list = back.list((begin + bit) as u32);
                        let found = list.iter().position(is_in_front);
                        looked_at += found.unwrap_or(list.len());
                        if found.is_some() {
                            of_node.store(distance, Ordering::Relaxed);
                            *word |= 1 << bit;
                        }
                    }
                    count += word.count_ones() as usize;
                    meter.tick(u32::try_from(looked_at).unwrap_or(u32::MAX))?;
                }
                Ok::<_, AlgorithmError>(count)
            },
        )?;
        Ok(counts.into_iter().sum())
    }
}
