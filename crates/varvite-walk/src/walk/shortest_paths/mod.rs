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
//! - `path_way`, `options`, `error`: the edges of paths, the limits, and the reasons for no answer.
//! - `limits`, `marks`, `search`: the limits of a search, the distances of nodes, and the meeting of both
//!   ends.

mod error;
mod limits;
mod marks;
mod options;
mod path_way;
mod search;

use std::collections::HashSet;

pub use self::error::PathError;
use self::limits::Limits;
use self::marks::Marks;
pub use self::options::PathOptions;
pub use self::path_way::PathWay;
use self::path_way::Towards;
use self::search::Search;
use super::path_step::PathStep;
use varvite_graph::internal::ListRest;
use varvite_graph::{Graph, GraphError};

/// The shortest paths from some nodes to others, one after another. Several edges of one label between the
/// same nodes count as one path.
///
/// # Example
/// ```no_run
/// use varvite::walk::{PathOptions, PathWay, ShortestPaths};
/// use varvite::{Direction, Graph};
///
/// # fn main() -> Result<(), varvite::walk::PathError> {
/// let graph = Graph::open("zlib.varvite")?;
/// let ways = vec![PathWay::along(&graph, "CFG", Direction::Out)?];
/// let mut paths = ShortestPaths::find(&graph, ways, &[17], &[42], &PathOptions::default())?;
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
    ways: Vec<PathWay>,
    /// For every node on a shortest path, the number of remaining edges, in the form of [`Marks`].
    marks: Marks,
    length: Option<u32>,
    seen: u64,
    path: Vec<PathStep>,
    /// For each step of the current path, the steps that may replace it; and as the last entry, the steps
    /// that may follow the path.
    choices: Vec<Choice>,
    /// The number of paths that were listed.
    listed: u64,
    limits: Limits,
    found: Vec<u32>,
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
    /// Finds the length of the shortest paths; the iterator then lists the paths.
    ///
    /// Costs a read of each edge that the search from either end reaches, and 4 bytes for each node of the
    /// graph; memory for unreached nodes is not touched.
    ///
    /// # Errors
    /// [`PathError`], also for damage that the search found. Paths are read from the graph again as they are
    /// listed: call [`Graph::check`] after the last path.
    pub fn find(
        graph: &Graph,
        ways: Vec<PathWay>,
        sources: &[u32],
        targets: &[u32],
        options: &PathOptions,
    ) -> Result<Self, PathError> {
        let nodes = graph.node_count();
        if let Some(node) = sources.iter().chain(targets).find(|node| **node >= nodes) {
            return Err(GraphError::NoSuchNode { node: u64::from(*node), nodes }.into());
        }
        let mut search = Search::new(&ways, nodes, options)?;
        let length = search.meet(sources, targets)?;
        graph.check()?;
        let Search { marks, seen, limits, found, .. } = search;
        let (path, choices) = (Vec::new(), Vec::new());
        let mut paths = Self { ways, marks, length, seen, path, choices, listed: 0, limits, found };
        let mut known = HashSet::new();
        let is_start = |node: &&u32| length.is_some_and(|left| paths.marks.is_left(**node, left));
        let starts = sources.iter().filter(is_start).filter(|node| known.insert(**node));
        let mut starts: Vec<PathStep> = starts.map(|node| PathStep { node: *node, edge: None }).collect();
        starts.reverse();
        paths.choices.push(Choice { steps: starts, listed_before: 0, held: 0 });
        Ok(paths)
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
        self.limits.budget.give_back(choice.held);
        if let Some(step) = step.filter(|_| choice.listed_before == self.listed) {
            self.marks.forget(step.node);
        }
    }

    /// The steps from a node that continue along shortest paths, the first one last.
    fn successors(&mut self, node: u32, left: u32) -> Result<Choice, PathError> {
        let Self { ways, marks, limits, found, .. } = self;
        let mut choice = Choice { steps: Vec::new(), listed_before: self.listed, held: 0 };
        let (mut known, mut known_held) = (HashSet::new(), 0);
        for way in &*ways {
            let edge = Some(way.edge());
            let (mut rest, mut more) = (ListRest::default(), true);
            while more {
                more = way.find(node, Towards::Targets, &mut rest, found);
                limits.tick(1 + found.len())?;
                found.retain(|node| marks.is_left(*node, left));
                limits.make_room(&mut known, found.len(), &mut known_held)?;
                limits.budget.make_room(&mut choice.steps, found.len(), &mut choice.held)?;
                let steps = found.iter().map(|node| PathStep { node: *node, edge });
                choice.steps.extend(steps.filter(|step| known.insert(*step)));
            }
        }
        limits.budget.give_back(known_held);
        choice.steps.reverse();
        Ok(choice)
    }

    /// The next path; `None` at the end.
    fn advance(&mut self) -> Result<Option<Vec<PathStep>>, PathError> {
        let Some(length) = self.length else { return Ok(None) };
        loop {
            self.limits.tick(1)?;
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
    type Item = Result<Vec<PathStep>, PathError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.advance();
        if next.is_err() {
            self.choices.clear();
        }
        next.transpose()
    }
}
