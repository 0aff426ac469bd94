//! [`ShortestPaths`]: the paths with the fewest edges from some nodes to others.
//!
//! A breadth-first search from both ends at once: the smaller frontier advances one level, until the two meet
//! (Pohl, 1971). A mark on each node is its distance from the end that reached it: four bytes for every node
//! of the graph, and nothing for edges. From the nodes where the ends met, the marks of the targets' side are
//! continued to the sources, but only through nodes on a shortest path; so listing paths never enters a dead
//! end, however many paths there are.
//!
//! The order of the paths does not depend on where the ends met: at each node it is the order of the ways,
//! then that of the graph.
//!
//! - `marks`, `path_edges`, `options`: the distances of nodes, the edges of paths, and the limits of a search.
//! - `search`: the meeting of both ends.

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
    /// For every node on a shortest path, the number of remaining edges, as a distance to the targets.
    marks: Marks,
    length: Option<u32>,
    seen: u64,
    path: Vec<PathStep>,
    /// For each step of the current path, the steps that may replace it; and as the last entry, the steps
    /// that may follow the path.
    choices: Vec<Choice>,
    /// The number of paths that were listed.
    listed: u64,
    budget: Budget,
    meter: Meter,
    /// A buffer for some neighbours of one node.
    piece: Vec<u32>,
}

/// Alternative next steps, the first one last.
#[derive(Debug)]
struct Choice {
    steps: Vec<PathStep>,
    /// The number of paths that were listed before any of these steps was taken.
    listed_before: u64,
    /// The bytes of the steps that are charged to the budget.
    held: usize,
}

impl ShortestPaths {
    /// Finds the length of the shortest paths; the iterator then lists the paths, at each node in the order of
    /// `edges`.
    ///
    /// Costs a read of each edge that the search from either end reaches, and 4 bytes for each node of the
    /// graph; memory for unreached nodes is not touched.
    ///
    /// # Errors
    /// [`WalkError::Graph`] for a node that the graph does not have, and for damage that the search found;
    /// [`WalkError::OverBudget`], for which fewer edge labels are a remedy; [`WalkError::Cancelled`]. Paths are
    /// read from the graph again as they are listed: call [`Graph::check`](varvite_graph::Graph::check) after
    /// the last path.
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

    /// The number of nodes that the search reached.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// Leaves a node whose steps were all taken. If none of them led to the end, the lists of the file
    /// contradict each other, and the node is not visited again: so a damaged file costs at most one read of
    /// its edges.
    fn go_back(&mut self) {
        let (choice, step) = (self.choices.pop(), self.path.pop());
        let Some(choice) = choice else { return };
        self.budget.give_back(choice.held);
        if let Some(step) = step.filter(|_| choice.listed_before == self.listed) {
            self.marks.forget(step.node);
        }
    }

    /// The steps from a node that continue along shortest paths, the first one last.
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
    /// The nodes and edges of a path, from source to target; or the reason why no more paths are listed: the
    /// budget, or cancellation.
    type Item = Result<Vec<PathStep>, WalkError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.advance();
        if next.is_err() {
            self.choices.clear();
        }
        next.map_err(|error| *error).transpose()
    }
}
