//! [`Callers`]: finds the METHODs that call others, directly or not, breadth first.

use varvite::{Adjacency, Budget, Graph, GraphError, Task};

use super::duplicates::Duplicates;
use crate::error::Result;
use crate::sites::Sites;

/// The number of METHODs between two looks at the clock.
const LOOK: usize = 1 << 8;

/// The given METHODs, and all METHODs that call them, directly or not, sorted by distance and node. The
/// second result is false if the METHOD of some call was not found, because the syntax tree is too deep. A
/// caller of a METHOD counts as a caller of its duplicates, too.
///
/// **Cost**: reads the calls of each result once; a bit for each node of the graph, and 16 bytes for each
/// result.
///
/// # Errors
/// Fails if the graph has no edges CALL, can't be read, needs more memory than `budget`, or if `task` is
/// cancelled or out of time.
pub fn callers_above(
    graph: &Graph,
    methods: &[u32],
    duplicates: &Duplicates,
    task: &Task<'_>,
    budget: &Budget,
) -> Result<(Vec<Reached>, bool)> {
    let (calls, sites) = (graph.in_("CALL")?, Sites::open(graph)?);
    Callers { graph, calls, sites, duplicates, task }.above(methods, budget)
}

/// A METHOD that calls, directly or not, a METHOD of the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The METHOD.
    pub node: u32,
    /// The least number of calls between this METHOD and one of the start; 0 for the start.
    pub distance: u32,
    /// Whether no other METHOD calls this one.
    pub is_entry: bool,
}

/// The calls of a graph.
struct Callers<'g> {
    graph: &'g Graph,
    calls: Adjacency,
    sites: Sites,
    duplicates: &'g Duplicates,
    task: &'g Task<'g>,
}

impl Callers<'_> {
    /// The METHODs of the start, and all METHODs that call them, sorted by distance and node. The second
    /// result is false if the METHOD of some call was not found, because the syntax tree is too deep.
    ///
    /// **Cost**: each METHOD and each call once; a bit for each node of the graph, and 16 bytes for each
    /// result.
    fn above(&self, start: &[u32], budget: &Budget) -> Result<(Vec<Reached>, bool)> {
        let mut seen = Seen::of(self.graph, budget)?;
        let mut level: Vec<u32> = start.iter().copied().filter(|node| seen.insert(*node)).collect();
        let (mut reached, mut cursor) = (Vec::new(), self.sites.cursor());
        for distance in 0.. {
            budget.take(level.len() * (size_of::<Reached>() + size_of::<u32>())).map_err(GraphError::from)?;
            level.sort_unstable();
            let mut next = Vec::new();
            for (index, node) in level.into_iter().enumerate() {
                if index % LOOK == 0 {
                    self.task.check().map_err(GraphError::from)?;
                }
                let mut is_entry = true;
                for call in self.calls_of(node) {
                    let Some(caller) = cursor.method(call).filter(|caller| *caller != node) else { continue };
                    is_entry = false;
                    if seen.insert(caller) {
                        next.push(caller);
                    }
                }
                reached.push(Reached { node, distance, is_entry });
            }
            if next.is_empty() {
                break;
            }
            level = next;
        }
        self.graph.check()?;
        Ok((reached, cursor.is_complete()))
    }

    fn calls_of(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let linked = self.duplicates.first_of(node);
        [Some(node), linked].into_iter().flatten().flat_map(|method| self.calls.neighbors(method))
    }
}

/// The METHODs that a search has seen, as bits of nodes.
struct Seen(Vec<u64>);

impl Seen {
    fn of(graph: &Graph, budget: &Budget) -> Result<Self> {
        let words = (graph.node_count() as usize).div_ceil(64);
        budget.take(words * size_of::<u64>()).map_err(GraphError::from)?;
        Ok(Self(vec![0; words]))
    }

    /// Adds a node. Returns whether it is new.
    fn insert(&mut self, node: u32) -> bool {
        let Some(word) = self.0.get_mut(node as usize / 64) else { return false };
        let bit = 1 << (node % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}
