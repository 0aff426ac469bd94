//! [`ShortestPaths`]: the paths with the fewest edges from some nodes to others.
//!
//! Two breadth-first searches, from the sources and from the targets: the one with the smaller frontier
//! advances by a level, until the two meet (Pohl, 1971). Each node has a mark with its distance from the
//! sources or to the targets; marks take four bytes for every node of the graph, and edges take no memory.
//! After the meeting, the nodes on shortest paths between the sources and the meeting nodes are also marked
//! with their distance to the targets. So the listing of paths follows only nodes on shortest paths, and
//! never enters a dead end.
//!
//! The order of the paths does not depend on where the searches met: at each node, paths follow the ways in
//! order, and the edges along each way in the order of the graph.
//!
//! - `marks`, `path_edges`, `options`: the distances of nodes, the edges of paths, and limits.
//! - `search`: the two searches, until they meet.

mod marks;
mod options;
mod path_edges;
mod search;

use self::marks::{Marks, Towards};
pub use self::options::PathOptions;
pub use self::path_edges::PathEdges;
use self::search::Search;
use super::error::{WalkError, WalkResult};
use super::meter::Meter;
use super::path_step::PathStep;
use varvite_graph::Budget;

/// The shortest paths from some nodes to others, one after another. Several edges of one label between the
/// same nodes count as one path.
///
/// # Example
/// ```no_run
/// use varvite::walk::{Hop, PathEdges, PathOptions, ShortestPaths};
///
/// # fn main() -> Result<(), varvite::walk::WalkError> {
/// let graph = varvite::Graph::open("zlib.varvite")?;
/// let edges = PathEdges::compile(&graph, [Hop::out("CFG")])?;
/// let mut paths = ShortestPaths::find(&edges, &[17], &[42], &PathOptions::default())?;
/// if let Some(path) = paths.next() {
///     let path = path?;
///     println!("{} edges: {path:?}", path.len() - 1);
/// }
/// graph.check()?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct ShortestPaths {
    edges: PathEdges,
    /// The marks after the searches: every node on a shortest path is marked with its distance to the
    /// targets.
    marks: Marks,
    length: Option<u32>,
    seen: u64,
    path: Vec<PathStep>,
    /// For each step of the current path, the alternative steps that are still to be tried; and, in the last
    /// entry, the steps that may extend the path.
    choices: Vec<Choice>,
    /// The number of paths that were listed so far.
    listed: u64,
    budget: Budget,
    meter: Meter,
    /// A buffer for neighbours of one node, which are read some at a time.
    piece: Vec<u32>,
}

/// Alternative next steps, in reverse order: the last one is taken first.
#[derive(Debug)]
struct Choice {
    steps: Vec<PathStep>,
    /// The number of paths that were listed before any of these steps was taken.
    listed_before: u64,
    /// The number of bytes that are charged to the budget for the steps.
    held: usize,
}

impl ShortestPaths {
    /// Finds the length of the shortest paths. The iterator then lists the paths; at each node, it follows
    /// the edges in the order of `edges`.
    ///
    /// Costs a read of each edge that the search from either end reaches. Memory: 4 bytes for each node of
    /// the graph, but the process touches only the memory of reached nodes.
    ///
    /// # Errors
    /// [`WalkError::Graph`] for a node that the graph does not have, and for damage that the search found;
    /// [`WalkError::OverBudget`], which may be avoided with fewer edge labels; [`WalkError::Cancelled`]. The
    /// iterator reads the edges from the graph again, and does not report damage: call
    /// [`Graph::check`](varvite_graph::Graph::check) after the last path.
    pub fn find(
        edges: &PathEdges,
        sources: &[u32],
        targets: &[u32],
        options: &PathOptions,
    ) -> Result<Self, WalkError> {
        Self::search(edges, sources, targets, options).map_err(|error| *error)
    }

    fn search(
        edges: &PathEdges,
        sources: &[u32],
        targets: &[u32],
        options: &PathOptions,
    ) -> WalkResult<Self> {
        let nodes = edges.check_nodes(sources.iter().chain(targets))?;
        let mut search = Search::new(edges, nodes, options)?;
        let length = search.meet(sources, targets)?;
        edges.check_damage()?;
        let Search { mut marks, seen, budget, meter, piece, .. } = search;
        let mut starts = Vec::new();
        if let Some(left) = length {
            let steps = sources.iter().map(|node| PathStep { node: *node, edge: None });
            starts.extend(steps.filter(|step| marks.take(step.node, left)));
            marks.put_back(&starts, left);
            starts.reverse();
        }
        let choices = vec![Choice { steps: starts, listed_before: 0, held: 0 }];
        let (edges, path) = (edges.clone(), Vec::new());
        Ok(Self { edges, marks, length, seen, path, choices, listed: 0, budget, meter, piece })
    }

    /// The number of edges of a shortest path; `None` if there is no path.
    pub fn length(&self) -> Option<u32> {
        self.length
    }

    /// The number of nodes that the two searches reached.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// Goes back from a node after all its steps were taken. If no step led to a target, the lists of the
    /// file contradict each other; the node is then not visited again, so that the edges of a node without a
    /// path are read only once.
    fn go_back(&mut self) {
        let (choice, step) = (self.choices.pop(), self.path.pop());
        let Some(choice) = choice else { return };
        self.budget.give_back(choice.held);
        if let Some(step) = step.filter(|_| choice.listed_before == self.listed) {
            self.marks.forget(step.node);
        }
    }

    /// The steps from a node that continue along shortest paths, in reverse order. After each step, `left`
    /// edges remain.
    fn successors(&mut self, node: u32, left: u32) -> WalkResult<Choice> {
        let Self { edges, marks, budget, meter, piece, .. } = self;
        let mut choice = Choice { steps: Vec::new(), listed_before: self.listed, held: 0 };
        let Choice { steps, held, .. } = &mut choice;
        let edges = edges.towards(Towards::Targets);
        for (_, way) in edges.ways_from(node) {
            let (edge, begin) = (Some((way.edge_label, way.direction)), steps.len());
            edges.try_each_piece(way, node, piece, meter, |found| {
                found.iter().filter(|node| marks.take(**node, left)).try_for_each(|node| {
                    budget.make_room(steps, 1, held)?;
                    steps.push(PathStep { node: *node, edge });
                    Ok(())
                })
            })?;
            marks.put_back(&steps[begin..], left);
        }
        steps.reverse();
        Ok(choice)
    }

    /// The next path; `None` at the end.
    fn advance(&mut self) -> WalkResult<Option<Vec<PathStep>>> {
        let Some(length) = self.length else { return Ok(None) };
        loop {
            self.meter.tick(1)?;
            let Some(choice) = self.choices.last_mut() else { return Ok(None) };
            let Some(step) = choice.steps.pop() else {
                self.go_back();
                continue;
            };
            self.path.push(step);
            let left = length - (self.path.len() as u32 - 1);
            if left == 0 {
                let path = self.path.clone();
                self.path.pop();
                self.listed += 1;
                return Ok(Some(path));
            }
            let choice = self.successors(step.node, left - 1)?;
            self.choices.push(choice);
        }
    }
}

impl Iterator for ShortestPaths {
    /// The nodes and edges of a path, from source to target; or an error, after which no more paths are
    /// listed: exceeded budget, or cancellation.
    type Item = Result<Vec<PathStep>, WalkError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.advance();
        if next.is_err() {
            self.choices.clear();
        }
        next.map_err(|error| *error).transpose()
    }
}
