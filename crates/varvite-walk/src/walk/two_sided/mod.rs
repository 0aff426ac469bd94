//! [`TwoSided`]: a walk from both ends, whose results are the paths where the sides meet.
//!
//! - `level_ends`: where the branches of one side end that the other may meet.
//! - `run`: the sides, level by level in turn; [`Meeting`], a path.

mod level_ends;
mod run;

use std::ops::RangeInclusive;

use self::level_ends::LevelEnds;
pub use self::run::{Meeting, TwoSidedRun};
use super::arena::Arena;
use super::description::Walk;
use super::error::WalkError;
use super::order::Order;
use super::plan::Plan;
use super::uniqueness::{Uniqueness, Within};
use varvite_graph::{Budget, Graph};

/// A walk from some nodes and one from others, whose results are the paths where they meet.
///
/// The sides take turns, a level each, so that a path of `n` edges is found where half of them lie on each
/// side: once, and after all shorter ones. A level that is empty ends both. Each side has its own uniqueness,
/// evaluators and limits of depth; a branch that its side excludes meets nothing. Where the start side is
/// unique [`Within::Path`], whole paths are.
///
/// ```no_run
/// use varvite::walk::{Hop, TwoSided, TwoSidedArena, Uniqueness, Walk, Within};
///
/// # fn main() -> Result<(), varvite::walk::WalkError> {
/// let graph = varvite::Graph::open("zlib.varvite")?;
/// let walk = Walk::default().hop(Hop::out("CFG"));
/// let simple_paths = TwoSided::simple_paths(walk).lengths(1..=8).compile(&graph)?;
/// let (mut arena, mut path) = (TwoSidedArena::new(64 << 20), Vec::new());
/// let mut run = simple_paths.run(&mut arena, &[17], &[42])?;
/// while let Some(meeting) = run.next()? {
///     meeting.path(&mut path);
///     println!("{} edges: {path:?}", meeting.length());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TwoSided {
    start: Walk,
    end: Walk,
    meet: Meet,
    lengths: (u32, u32),
}

/// The meetings that are results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Meet {
    /// The paths with the fewest edges. If sides visit each node once, a path for each node where they meet.
    #[default]
    Shortest,
    /// All.
    Every,
}

impl TwoSided {
    /// A walk and the same walk reversed.
    pub fn mirrored(walk: Walk) -> Self {
        let end = walk.clone().reversed();
        Self::of_sides(walk, end)
    }

    /// Two walks. Both run breadth first, without regard to their own order. The walk of the end side follows
    /// edges from the end of a path towards its start.
    pub fn of_sides(start: Walk, end: Walk) -> Self {
        Self { start, end, meet: Meet::default(), lengths: (0, u32::MAX) }
    }

    /// All paths that visit no node twice, along the edges of a walk.
    pub fn simple_paths(walk: Walk) -> Self {
        Self::mirrored(walk.unique(Uniqueness::Nodes(Within::Path))).meet(Meet::Every)
    }

    /// All paths of this number of edges that visit no node twice.
    pub fn paths_with_length(walk: Walk, length: u32) -> Self {
        Self::simple_paths(walk).lengths(length..=length)
    }

    /// The meetings that are results.
    #[must_use]
    pub fn meet(self, meet: Meet) -> Self {
        Self { meet, ..self }
    }

    /// Only paths of these lengths, in edges.
    #[must_use]
    pub fn lengths(self, lengths: RangeInclusive<u32>) -> Self {
        Self { lengths: lengths.into_inner(), ..self }
    }

    /// Makes a plan of it for a graph.
    ///
    /// # Errors
    /// As for [`Walk::compile`].
    pub fn compile(&self, graph: &Graph) -> Result<TwoSidedPlan, WalkError> {
        let (least, most) = self.lengths;
        if least > most {
            return Err(WalkError::Contradiction { least, most });
        }
        let side = |walk: &Walk| Walk { order: Order::BreadthFirst, ..walk.clone() }.compile(graph);
        let (start, end) = (side(&self.start)?, side(&self.end)?);
        Ok(TwoSidedPlan { start, end, meet: self.meet, lengths: self.lengths })
    }
}

/// A walk from both ends, compiled for one graph.
#[derive(Clone, Debug)]
pub struct TwoSidedPlan {
    start: Plan,
    end: Plan,
    meet: Meet,
    lengths: (u32, u32),
}

/// Memory for walks from both ends, half of it for each side; it keeps its size from one walk to the next.
#[derive(Debug)]
pub struct TwoSidedArena {
    sides: [Arena; 2],
    ends: [LevelEnds; 2],
}

impl TwoSidedArena {
    /// An arena of at most so many bytes.
    pub fn new(memory_bytes: usize) -> Self {
        Self { sides: [Arena::new(memory_bytes / 2), Arena::new(memory_bytes / 2)], ends: Default::default() }
    }
}

impl Default for TwoSidedArena {
    /// Arenas of [`Budget::default_bytes`].
    fn default() -> Self {
        Self::new(Budget::default_bytes())
    }
}
