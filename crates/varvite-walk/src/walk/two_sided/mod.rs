//! [`TwoSided`]: a walk from both ends, in two sides. Its results are the paths that the two sides form where
//! they meet.
//!
//! - `level_ends`: the nodes at which the branches of one side end, where the other side may meet them.
//! - `run`: the two sides, which advance level by level in turn; [`Meeting`]: a path.

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

/// A walk from some nodes (the start side) and a walk from other nodes (the end side). Where a branch of one
/// side meets a branch of the other, they form a path; these paths are the results.
///
/// The sides advance in turn, one level each, so that a path of `n` edges is found when each side has walked
/// half of its edges. Each path is found once, after all shorter paths. When one side reaches an empty level,
/// both sides end. Each side has its own uniqueness, evaluators and limits of depth; a branch that the
/// evaluators of its side exclude meets no other branch. If the uniqueness of the start side is
/// [`Within::Path`], it applies to whole paths.
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

/// Which meetings are results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Meet {
    /// The paths with the fewest edges. If each side visits each node only once, there is one path for each
    /// node where the sides meet.
    #[default]
    Shortest,
    /// The paths of all meetings.
    Every,
}

impl TwoSided {
    /// Uses a walk for the start side, and the same walk reversed for the end side.
    pub fn mirrored(walk: Walk) -> Self {
        let end = walk.clone().reversed();
        Self::of_sides(walk, end)
    }

    /// Uses one walk for each side. Both run breadth first, whatever order their descriptions have. The walk
    /// of the end side follows edges from the end of a path towards its start.
    pub fn of_sides(start: Walk, end: Walk) -> Self {
        Self { start, end, meet: Meet::default(), lengths: (0, u32::MAX) }
    }

    /// Finds all paths along a walk's edges on which no node occurs twice.
    pub fn simple_paths(walk: Walk) -> Self {
        Self::mirrored(walk.unique(Uniqueness::Nodes(Within::Path))).meet(Meet::Every)
    }

    /// Finds all paths of `length` edges on which no node occurs twice.
    pub fn paths_with_length(walk: Walk, length: u32) -> Self {
        Self::simple_paths(walk).lengths(length..=length)
    }

    /// Sets which meetings are results.
    #[must_use]
    pub fn meet(self, meet: Meet) -> Self {
        Self { meet, ..self }
    }

    /// Returns only paths whose number of edges is in this range.
    #[must_use]
    pub fn lengths(self, lengths: RangeInclusive<u32>) -> Self {
        Self { lengths: lengths.into_inner(), ..self }
    }

    /// Compiles both walks for a graph.
    ///
    /// # Errors
    /// The errors of [`Walk::compile`].
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

/// Memory for walks from both ends, half of it for each side. It keeps its size from one walk to the next.
#[derive(Debug)]
pub struct TwoSidedArena {
    sides: [Arena; 2],
    ends: [LevelEnds; 2],
}

impl TwoSidedArena {
    /// Creates an arena of at most `memory_bytes` bytes.
    pub fn new(memory_bytes: usize) -> Self {
        Self { sides: [Arena::new(memory_bytes / 2), Arena::new(memory_bytes / 2)], ends: Default::default() }
    }
}

impl Default for TwoSidedArena {
    /// Creates an arena of at most [`Budget::default_bytes`] bytes.
    fn default() -> Self {
        Self::new(Budget::default_bytes())
    }
}
