//! Weakly connected components: all threads join trees of nodes; each edge joins the trees of its two nodes.
//!
//! To join two trees, the smaller root becomes the parent of the larger root, by an atomic
//! compare-and-exchange (Sutton, Ben-Nun, Barak: Optimizing parallel graph connectivity computation via
//! subgraph sampling, IPDPS 2018). So the root of each tree is its smallest node, in whatever order the edges
//! are read.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use super::buffer::Buffer;
use super::csr::ranges;
use super::error::AlgorithmError;
use super::node_values::NodeValues;
use super::subgraph::Subgraph;
use varvite_graph::internal::all_in_order;

/// The number of nodes whose edges a job reads.
const NODES_AT_ONCE: u32 = 1 << 11;

impl Subgraph {
    /// The weakly connected component of each node, identified by the component's smallest node. Two nodes
    /// are in the same component if a path connects them, whatever the directions of its edges.
    ///
    /// Costs a read of each edge, and 4 bytes for each node. Runs on all threads.
    ///
    /// # Errors
    /// [`AlgorithmError`].
    pub fn components(&self) -> Result<NodeValues<u32>, AlgorithmError> {
        let (limits, nodes) = (&self.limits, self.members.len());
        let out = self.out_lists()?;
        let above = Buffer::made(&limits.work, nodes, |node| AtomicU32::new(node as u32))?;
        let jobs: Vec<Range<u32>> = ranges(nodes, NODES_AT_ONCE).collect();
        all_in_order(
            &jobs,
            limits.threads,
            || out.reader(limits),
            |reader, nodes| {
                for node in nodes.clone() {
                    reader.list(node)?.iter().for_each(|neighbor| join(&above, node, *neighbor));
                }
                Ok::<_, AlgorithmError>(())
            },
        )?;
        limits.check()?;
        let mut roots: Vec<u32> = above.into_items().into_iter().map(AtomicU32::into_inner).collect();
        // A parent is a smaller node, so it already points to its root.
        for node in 0..nodes {
            roots[node] = roots[roots[node] as usize];
        }
        roots.iter_mut().for_each(|root| *root = self.members.node(*root));
        self.found(roots)
    }
}

/// Joins the trees of two nodes.
#[inline]
fn join(above: &[AtomicU32], one: u32, other: u32) {
    let of = |node: u32| above[node as usize].load(Ordering::Relaxed);
    let (mut one, mut other) = (of(one), of(other));
    while one != other {
        let (high, low) = (one.max(other), one.min(other));
        let of_high = of(high);
        if of_high == low {
            return;
        }
        let is_root = of_high == high;
        if is_root
            && above[high as usize].compare_exchange(high, low, Ordering::Relaxed, Ordering::Relaxed).is_ok()
        {
            return;
        }
        (one, other) = (of(of(high)), of(low));
    }
}
