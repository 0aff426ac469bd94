//! Communities by label propagation (Raghavan, Albert, Kumara, 2007), in the deterministic form of LDBC
//! Graphalytics: all nodes change their labels at once, and if several labels are the most frequent, a node
//! takes the smallest of them.

use std::ops::Range;
use std::sync::Mutex;

use super::buffer::Buffer;
use super::csr::ranges;
use super::error::AlgorithmError;
use super::lists::{ListReader, Lists};
use super::node_values::NodeValues;
use super::pool::Pool;
use super::subgraph::Subgraph;
use varvite_graph::OverBudget;
use varvite_graph::internal::all_in_order;

/// The number of nodes whose labels a job computes.
const NODES_AT_ONCE: u32 = 1 << 10;

/// Communities, with information about the iterations.
#[derive(Clone, Debug)]
pub struct Communities {
    /// The label of each node, which identifies its community. The label is the id of a node, which usually
    /// belongs to the community, but may have left it in the last iterations.
    pub labels: NodeValues<u32>,
    /// The number of iterations.
    pub iterations: u32,
    /// Whether the last iteration changed nothing. In some graphs, labels alternate forever.
    pub is_settled: bool,
}

impl Subgraph {
    /// The community of each node. At first the label of each node is the node itself. In each iteration, all
    /// nodes at once take the most frequent label among their neighbours; of several equally frequent labels,
    /// they take the smallest. There are at most `iterations_max` iterations. An edge counts for both of its
    /// ends; two nodes with edges in both directions count twice for each other.
    ///
    /// Costs a read of each edge, from both ends, for each iteration. Memory: 8 bytes for each node, and 8
    /// more per node for each thread. Runs on all threads.
    ///
    /// # Errors
    /// [`AlgorithmError`].
    pub fn communities(&self, iterations_max: u32) -> Result<Communities, AlgorithmError> {
        let (work, nodes) = (&self.limits.work, self.members.len());
        let out = self.out_lists()?;
        // If every edge leads both ways, reading the in-edges too would count each neighbour twice, with the
        // same result.
        let in_ = if self.is_symmetric() { None } else { Some(self.in_lists()?) };
        let mut labels = Buffer::made(work, nodes, |node| node as u32)?;
        let mut next = Buffer::filled(work, 0, nodes)?;
        let counters = (0..self.limits.threads).map(|_| Counter::new(self));
        let counters = Pool::of(counters.collect::<Result<_, OverBudget>>()?);
        let (mut iterations, mut is_settled) = (0, nodes == 0);
        while iterations < iterations_max && !is_settled {
            self.limits.check()?;
            is_settled = self.propagate(out, in_, &labels, &mut next, &counters)? == 0;
            std::mem::swap(&mut labels, &mut next);
            iterations += 1;
        }
        let mut labels = labels.into_items();
        labels.iter_mut().for_each(|label| *label = self.members.node(*label));
        Ok(Communities { labels: self.found(labels)?, iterations, is_settled })
    }

    /// Fills `next` with the labels after one iteration, and returns the number of changed labels.
    fn propagate(
        &self,
        out: Lists<'_>,
        in_: Option<Lists<'_>>,
        labels: &[u32],
        next: &mut [u32],
        counters: &Pool<Counter>,
    ) -> Result<usize, AlgorithmError> {
        let limits = &self.limits;
        let slices = next.chunks_mut(NODES_AT_ONCE as usize).map(Mutex::new);
        let jobs: Vec<(Range<u32>, Mutex<&mut [u32]>)> =
            ranges(labels.len(), NODES_AT_ONCE).zip(slices).collect();
        let changed = all_in_order(
            &jobs,
            limits.threads,
            || (out.reader(limits), in_.map(|lists| lists.reader(limits)), counters.take()),
            |(out, in_, counter), (nodes, next)| {
                let mut next = next.lock().expect("this is the only owner");
                let mut changed = 0;
                for (node, next) in nodes.clone().zip(next.iter_mut()) {
                    let label = labels[node as usize];
                    counter.add(out, node, labels)?;
                    if let Some(in_) = in_ {
                        counter.add(in_, node, labels)?;
                    }
                    *next = counter.take_most_frequent().unwrap_or(label);
                    changed += usize::from(*next != label);
                }
                Ok::<_, AlgorithmError>(changed)
            },
        )?;
        Ok(changed.into_iter().sum())
    }
}

/// A counter of the labels of a node's neighbours.
#[derive(Debug)]
struct Counter {
    counts: Buffer<u32>,
    /// The labels whose count is not 0.
    seen: Buffer<u32>,
}

impl Counter {
    fn new(subgraph: &Subgraph) -> Result<Self, OverBudget> {
        let (work, nodes) = (&subgraph.limits.work, subgraph.members.len());
        Ok(Self { counts: Buffer::filled(work, 0, nodes)?, seen: Buffer::with_capacity(work, nodes)? })
    }

    /// Counts the labels of the neighbours of a node.
    #[inline]
    fn add(&mut self, reader: &mut ListReader<'_>, node: u32, labels: &[u32]) -> Result<(), AlgorithmError> {
        for neighbor in reader.list(node)? {
            let label = labels[*neighbor as usize];
            let count = &mut self.counts[label as usize];
            if *count == 0 {
                self.seen.push(label)?;
            }
            *count = count.saturating_add(1);
        }
        Ok(())
    }

    /// The smallest of the most frequent labels; `None` if no label was counted. Resets all counts.
    #[inline]
    fn take_most_frequent(&mut self) -> Option<u32> {
        let counts = &mut self.counts;
        let most = self.seen.iter().copied().reduce(|best, label| {
            let (of_best, of_label) = (counts[best as usize], counts[label as usize]);
            if of_label > of_best || of_label == of_best && label < best { label } else { best }
        });
        self.seen.iter().for_each(|label| counts[*label as usize] = 0);
        self.seen.clear();
        most
    }
}
