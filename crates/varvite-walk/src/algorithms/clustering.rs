//! Local clustering: for each node, the share of the possible edges between its neighbours that exist.
//!
//! Each triangle is found once (Latapy: Main-memory triangle computations, 2008). Two nodes with one or more
//! edges between them are a pair. Each pair is stored only once, in the list of the node that has fewer
//! neighbours. To find triangles at a node, the nodes of its list are marked, and their own lists are
//! searched for marked nodes. No list that is searched is longer than the square root of twice the number of
//! edges.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::buffer::Buffer;
use super::csr::{Csr, ranges};
use super::error::AlgorithmError;
use super::lists::ListReader;
use super::node_values::NodeValues;
use super::pool::Pool;
use super::subgraph::Subgraph;
use varvite_graph::internal::all_in_order;
use varvite_graph::{Budget, OverBudget};

/// The number of nodes in a job: `NODES_AT_ONCE` for jobs that read lists, `ENDS_AT_ONCE` for jobs that
/// search for triangles.
const NODES_AT_ONCE: u32 = 1 << 10;
const ENDS_AT_ONCE: u32 = 1 << 7;

impl Subgraph {
    /// The local clustering coefficient of each node: the share of existing edges among all edges that could
    /// lead from one of its neighbours to another. The neighbours of a node are the other nodes that have an
    /// edge to or from it. Parallel edges count once. The coefficient of a node with fewer than two
    /// neighbours is 0. If every edge leads both ways, this is the coefficient as defined for undirected
    /// graphs.
    ///
    /// Reads each edge once, and for each edge scans a part of the list of one of its two nodes. Memory: 5
    /// bytes for each pair of nodes with edges between them, 21 for each node, and 1 more per node for each
    /// thread. Runs on all threads.
    ///
    /// # Errors
    /// [`AlgorithmError`].
    pub fn clustering(&self) -> Result<NodeValues<f64>, AlgorithmError> {
        let degrees = self.neighbor_counts()?;
        let edges = self.joined(&degrees)?;
        let nodes = self.members.len();
        let counts = Buffer::made(&self.limits.work, nodes, |_| AtomicU64::new(0))?;
        self.count_triangles(&edges, &counts)?;
        drop(edges);
        let coefficient = |(count, degree): (&AtomicU64, &u32)| {
            let pairs = f64::from(*degree) * (f64::from(*degree) - 1.0);
            if *degree < 2 { 0.0 } else { count.load(Ordering::Relaxed) as f64 / pairs }
        };
        self.found(counts.iter().zip(&*degrees).map(coefficient).collect())
    }

    /// The number of neighbours of each node.
    fn neighbor_counts(&self) -> Result<Buffer<u32>, AlgorithmError> {
        let mut counts = Buffer::filled(&self.limits.work, 0, self.members.len())?;
        let slices = counts.chunks_mut(NODES_AT_ONCE as usize).map(Mutex::new);
        let jobs: Vec<(Range<u32>, Mutex<&mut [u32]>)> =
            ranges(self.members.len(), NODES_AT_ONCE).zip(slices).collect();
        let readers = self.neighbor_readers()?;
        all_in_order(
            &jobs,
            self.limits.threads,
            || readers.take(),
            |reader, (nodes, counts)| {
                let mut counts = counts.lock().expect("this is the only owner");
                for (node, count) in nodes.clone().zip(counts.iter_mut()) {
                    *count = reader.read(node)?.len() as u32;
                }
                Ok::<_, AlgorithmError>(())
            },
        )?;
        drop(jobs);
        Ok(counts)
    }

    /// The pairs of neighbours. Each is stored at the node with fewer neighbours; if both have equally many,
    /// at the smaller node.
    fn joined(&self, degrees: &[u32]) -> Result<Joined, AlgorithmError> {
        let (work, nodes) = (&self.limits.work, self.members.len());
        let mut joined = Joined { ends: Csr::with_capacity(work, nodes)?, are_both: Buffer::new(work) };
        let readers = self.neighbor_readers()?;
        let rank = |node: u32| (degrees[node as usize], node);
        let jobs: Vec<Range<u32>> = ranges(nodes, NODES_AT_ONCE).collect();
        // Only a limited number of jobs runs at a time, because the results of these jobs are in memory twice
        // until they are added to `joined`.
        for jobs in jobs.chunks(64 * self.limits.threads) {
            let parts = all_in_order(
                jobs,
                self.limits.threads,
                || readers.take(),
                |reader, nodes| {
                    let mut part = Part::new(work);
                    for node in nodes.clone() {
                        let before = part.ends.len();
                        for neighbor in reader.read(node)? {
                            if rank(node) < rank(neighbor.node) {
                                part.ends.push(neighbor.node)?;
                                part.are_both.push(neighbor.is_both)?;
                            }
                        }
                        part.lengths.push((part.ends.len() - before) as u32)?;
                    }
                    Ok::<_, AlgorithmError>(part)
                },
            )?;
            for part in parts {
                joined.ends.add(&part.lengths, &part.ends)?;
                joined.are_both.extend_from_slice(&part.are_both)?;
            }
        }
        Ok(joined)
    }

    /// Adds to the count of each node the number of edges between its neighbours.
    fn count_triangles(&self, edges: &Joined, counts: &[AtomicU64]) -> Result<(), AlgorithmError> {
        let (work, nodes) = (&self.limits.work, self.members.len());
        let marks = (0..self.limits.threads).map(|_| Buffer::filled(work, 0u8, nodes));
        let marks = Pool::of(marks.collect::<Result<_, OverBudget>>()?);
        let add = |node: u32, count: u64| counts[node as usize].fetch_add(count, Ordering::Relaxed);
        let jobs: Vec<Range<u32>> = ranges(nodes, ENDS_AT_ONCE).collect();
        all_in_order(
            &jobs,
            self.limits.threads,
            || (marks.take(), self.limits.meter()),
            |(marks, meter), nodes| {
                for one in nodes.clone() {
                    edges.of(one).for_each(|(other, count)| marks[other as usize] = count);
                    let mut of_one = 0;
                    for (other, between) in edges.of(one) {
                        let mut of_other = 0;
                        for (third, count) in edges.of(other) {
                            let marked = marks[third as usize];
                            if marked != 0 {
                                of_one += u64::from(count);
                                of_other += u64::from(marked);
                                add(third, u64::from(between));
                            }
                        }
                        if of_other > 0 {
                            add(other, of_other);
                        }
                        meter.tick(1 + edges.ends.degree(other) as u32)?;
                    }
                    add(one, of_one);
                    edges.of(one).for_each(|(other, _)| marks[other as usize] = 0);
                    meter.tick(1)?;
                }
                Ok::<_, AlgorithmError>(())
            },
        )?;
        Ok(())
    }

    fn neighbor_readers(&self) -> Result<Pool<NeighborReader<'_>>, AlgorithmError> {
        let (out, in_) = (self.out_lists()?, if self.is_symmetric() { None } else { Some(self.in_lists()?) });
        let reader = |_| NeighborReader {
            out: out.reader(&self.limits),
            in_: in_.map(|lists| lists.reader(&self.limits)),
            found: Buffer::new(&self.limits.work),
        };
        Ok(Pool::of((0..self.limits.threads).map(reader).collect()))
    }
}

/// Pairs of neighbours, each stored at one of its two nodes.
struct Joined {
    ends: Csr,
    /// For each entry, whether edges lead both ways between the two nodes.
    are_both: Buffer<bool>,
}

impl Joined {
    /// The other nodes of the pairs that are stored at `node`, each with the number of directions in which
    /// edges lead: 1 or 2.
    #[inline]
    fn of(&self, node: u32) -> impl Iterator<Item = (u32, u8)> + '_ {
        let are_both = &self.are_both[self.ends.places(node)];
        self.ends.list(node).iter().zip(are_both).map(|(end, is_both)| (*end, 1 + u8::from(*is_both)))
    }
}

/// The pairs that are stored at the nodes of one job.
struct Part {
    lengths: Buffer<u32>,
    ends: Buffer<u32>,
    are_both: Buffer<bool>,
}

impl Part {
    fn new(budget: &Budget) -> Self {
        Self { lengths: Buffer::new(budget), ends: Buffer::new(budget), are_both: Buffer::new(budget) }
    }
}

/// A reader of the neighbours of nodes in both directions.
#[derive(Debug)]
struct NeighborReader<'a> {
    out: ListReader<'a>,
    /// The lists of in-edges; `None` if every edge leads both ways.
    in_: Option<ListReader<'a>>,
    found: Buffer<Neighbor>,
}

/// A neighbour of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Neighbor {
    node: u32,
    /// Whether edges lead both ways. Until the lists of both directions are merged: whether the edge of this
    /// entry comes from the neighbour.
    is_both: bool,
}

impl NeighborReader<'_> {
    /// The neighbours of a node, in ascending order, each once.
    fn read(&mut self, node: u32) -> Result<&[Neighbor], AlgorithmError> {
        self.found.clear();
        let is_in = self.in_.is_none();
        add(&mut self.found, node, self.out.list(node)?, is_in)?;
        if let Some(in_) = &mut self.in_ {
            add(&mut self.found, node, in_.list(node)?, true)?;
        }
        let merges = self.in_.is_some();
        let (found, ..) = self.found.parts();
        found.sort_unstable();
        found.dedup();
        if merges {
            // If two entries have the same node, the first is for an edge to the neighbour, the second for an
            // edge from the neighbour.
            let mut kept = 0;
            for place in 0..found.len() {
                let Neighbor { node, .. } = found[place];
                if kept > 0 && found[kept - 1].node == node {
                    found[kept - 1].is_both = true;
                } else {
                    found[kept] = Neighbor { node, is_both: false };
                    kept += 1;
                }
            }
            found.truncate(kept);
        }
        Ok(&self.found)
    }
}

fn add(found: &mut Buffer<Neighbor>, own: u32, list: &[u32], is_in: bool) -> Result<(), OverBudget> {
    found.make_room(list.len())?;
    let (items, ..) = found.parts();
    items.extend(
        list.iter().filter(|node| **node != own).map(|node| Neighbor { node: *node, is_both: is_in }),
    );
    Ok(())
}
