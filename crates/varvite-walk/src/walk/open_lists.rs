//! [`OpenLists`]: the lists of neighbours that a walk is reading. It has two implementations:
//! [`PendingLists`] reads lists into the memory of the walk, and [`OpenColumns`] reads lists in place, in a
//! file of the direct profile.

use std::ops::Range;

use super::branch::NO_WAY;
use super::error::WalkResult;
use super::pending::{Level, Pending};
use super::plan::Plan;
use super::skipped_nodes::SkippedNodes;
use super::uniqueness::Uniqueness;
use varvite_graph::Budget;
use varvite_graph::internal::DirectLists;

/// The lists that a walk is reading: in a depth-first walk one for each node of the current path, otherwise
/// one list. The loop itself keeps the unread rest of the last list, as a [`Level`](Self::Level).
pub(super) trait OpenLists {
    /// The unread rest of a list.
    type Level: Copy;

    /// Whether lists still contain edges from a node to itself that the way of the list leaves out.
    const LEAVES_LOOPS: bool;

    /// The rest of the last list; empty if no list is open.
    fn level(&self) -> Self::Level;

    /// The way along which a list is read.
    fn way(level: &Self::Level) -> u16;

    /// Takes the next neighbour from a list; `None` at the end.
    fn next(&self, level: &mut Self::Level, owner: u32) -> Option<u32>;

    /// Takes neighbours from the start of a list while they are nodes that the walk counts without a visit,
    /// up to a limit. Returns the number of nodes taken.
    fn pass(&self, level: &mut Self::Level, passed: &SkippedNodes<'_>) -> u32;

    /// Records the position of the walk in the last list.
    fn park(&mut self, level: Self::Level);

    /// Whether a node may have edges along any of these ways. Returns false for most nodes without such
    /// edges, but not for all.
    fn may_lead_on(&self, node: u32, ways: (u32, u32)) -> bool;

    /// Opens the first nonempty list of a node along these ways; returns false if there is none. May take
    /// nodes from the start of the list as [`pass`](Self::pass) does, and returns their number. If it takes
    /// all nodes of the list, the list is not opened.
    fn open(&mut self, node: u32, ways: (u32, u32), passed: &SkippedNodes<'_>) -> WalkResult<(bool, u32)>;

    /// Continues after the last list, which belongs to `node` and was read to its end, with the node's next
    /// list along the remaining ways. If there is none, closes the last list and returns false.
    fn read_more(&mut self, node: u32) -> WalkResult<bool>;
}

/// Lists that are read into memory, some neighbours at a time.
#[derive(Debug)]
pub(super) struct PendingLists<'a> {
    pub(super) plan: &'a Plan,
    pub(super) pending: &'a mut Pending,
    pub(super) budget: &'a Budget,
}

impl OpenLists for PendingLists<'_> {
    type Level = Level;

    const LEAVES_LOOPS: bool = false;

    #[inline]
    fn level(&self) -> Level {
        self.pending.level()
    }

    #[inline]
    fn way(level: &Level) -> u16 {
        level.way
    }

    #[inline]
    fn next(&self, level: &mut Level, _: u32) -> Option<u32> {
        self.pending.at(level)
    }

    #[inline]
    fn pass(&self, level: &mut Level, passed: &SkippedNodes<'_>) -> u32 {
        self.pending.pass(level, passed)
    }

    #[inline]
    fn park(&mut self, level: Level) {
        self.pending.park(level);
    }

    #[inline]
    fn may_lead_on(&self, node: u32, ways: (u32, u32)) -> bool {
        self.plan.may_lead_on(node, ways.0..ways.1)
    }

    #[inline]
    fn open(&mut self, node: u32, ways: (u32, u32), _: &SkippedNodes<'_>) -> WalkResult<(bool, u32)> {
        Ok((self.pending.open(self.plan, node, ways.0..ways.1, self.budget)?, 0))
    }

    #[inline]
    fn read_more(&mut self, node: u32) -> WalkResult<bool> {
        self.pending.read_more(self.plan, node, self.budget)
    }
}

/// The maximum number of ways in a walk whose lists are read in place. It is small because the state of each
/// way is on the stack.
const WAYS_MAX: usize = 8;

/// The maximum number of neighbours that are counted without a visit at a time.
const PASSED_MAX: usize = 1 << 10;

/// The lists of all ways of a plan, if all of them can be read in place.
#[derive(Clone, Copy, Debug)]
pub(super) struct DirectWays<'a>([Option<DirectLists<'a>>; WAYS_MAX]);

impl<'a> DirectWays<'a> {
    /// The lists of a plan's ways. `None` if any way has lists of another form, or if the lists contain
    /// entries that the walk must not visit.
    pub(super) fn of(plan: &'a Plan) -> Option<Self> {
        if plan.meets_loops_twice && plan.uniqueness == Uniqueness::None {
            return None;
        }
        let mut ways = [None; WAYS_MAX];
        for (number, way) in plan.ways.iter().enumerate() {
            *ways.get_mut(number)? = Some(DirectLists::of(&way.adjacency)?);
        }
        Some(Self(ways))
    }

    #[inline(always)]
    fn lists(&self, way: u16) -> Option<&DirectLists<'a>> {
        self.0.get(way as usize)?.as_ref()
    }
}

/// The lists that a walk is reading, as positions in the columns of a file.
#[derive(Debug, Default)]
pub(super) struct OpenPositions {
    lists: Vec<OpenList>,
    held: usize,
}

#[derive(Clone, Copy, Debug)]
struct OpenList {
    /// The position of the next entry, as recorded by `park`, and the end of the list.
    next: usize,
    end: usize,
    /// The ways whose lists were not read yet.
    ways: (u32, u32),
    /// The way of the list; [`NO_WAY`] for the list of start nodes.
    way: u16,
}

/// Entries of a list that the walk has not visited yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entries<'a> {
    left: &'a [u32],
    way: u16,
}

/// Lists that are read in place.
#[derive(Debug)]
pub(super) struct OpenColumns<'a> {
    pub(super) plan: &'a Plan,
    pub(super) ways: DirectWays<'a>,
    pub(super) starts: &'a [u32],
    pub(super) open: &'a mut OpenPositions,
    pub(super) budget: &'a Budget,
}

impl OpenPositions {
    pub(super) fn clear(&mut self) {
        self.lists.clear();
    }

    #[inline(always)]
    fn push(&mut self, list: OpenList, budget: &Budget) -> WalkResult<()> {
        budget.make_room(&mut self.lists, 1, &mut self.held)?;
        self.lists.push(list);
        Ok(())
    }
}

impl OpenColumns<'_> {
    /// Opens the list of start nodes.
    pub(super) fn open_starts(&mut self) -> WalkResult<()> {
        let list = OpenList { next: 0, end: self.starts.len(), ways: (0, 0), way: NO_WAY };
        self.open.push(list, self.budget)
    }
}

impl<'a> OpenLists for OpenColumns<'a> {
    type Level = Entries<'a>;

    const LEAVES_LOOPS: bool = true;

    #[inline(always)]
    fn level(&self) -> Entries<'a> {
        let Some(OpenList { next, end, way, .. }) = self.open.lists.last().copied() else {
            return Entries { left: &[], way: NO_WAY };
        };
        let left = match self.ways.lists(way) {
            Some(lists) => lists.entries(next..end),
            None => self.starts.get(next..end).unwrap_or(&[]),
        };
        Entries { left, way }
    }

    #[inline(always)]
    fn way(level: &Entries<'a>) -> u16 {
        level.way
    }

    #[inline(always)]
    fn next(&self, level: &mut Entries<'a>, owner: u32) -> Option<u32> {
        let (node, left) = level.left.split_first()?;
        level.left = left;
        if *node < self.plan.nodes {
            return Some(*node);
        }
        self.ways.lists(level.way)?.note_damage(owner);
        level.left = &[];
        None
    }

    #[inline(always)]
    fn pass(&self, level: &mut Entries<'a>, passed: &SkippedNodes<'_>) -> u32 {
        let count = passed.count(level.left.get(..PASSED_MAX).unwrap_or(level.left));
        level.left = level.left.get(count..).unwrap_or(&[]);
        count as u32
    }

    #[inline(always)]
    fn park(&mut self, level: Entries<'a>) {
        if let Some(list) = self.open.lists.last_mut() {
            list.next = list.end - level.left.len();
        }
    }

    #[inline(always)]
    fn may_lead_on(&self, node: u32, ways: (u32, u32)) -> bool {
        let numbers = self.plan.way_numbers.get(ways.0 as usize..ways.1 as usize).unwrap_or(&[]);
        numbers.iter().any(|way| self.ways.lists(*way).is_some_and(|lists| lists.may_have(node)))
    }

    #[inline(always)]
    fn open(&mut self, node: u32, ways: (u32, u32), passed: &SkippedNodes<'_>) -> WalkResult<(bool, u32)> {
        for at in ways.0..ways.1 {
            let way = self.plan.way_numbers[at as usize];
            let Some(lists) = self.ways.lists(way) else { continue };
            let Range { start, end } = lists.range(node);
            if start < end {
                let count = passed.count(lists.entries(start..end.min(start + PASSED_MAX)));
                let (next, ways) = (start + count, (at + 1, ways.1));
                let is_left = next < end || ways.0 < ways.1;
                if is_left {
                    self.open.push(OpenList { next, end, ways, way }, self.budget)?;
                }
                return Ok((is_left, count as u32));
            }
        }
        Ok((false, 0))
    }

    #[inline(always)]
    fn read_more(&mut self, node: u32) -> WalkResult<bool> {
        let Some(OpenList { ways, .. }) = self.open.lists.pop() else { return Ok(false) };
        if ways.0 == ways.1 { Ok(false) } else { Ok(self.open(node, ways, &SkippedNodes::NOBODY)?.0) }
    }
}
