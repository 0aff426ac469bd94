//! Matches backtraces that differ by calls which one of two builds lacks: a compiler may inline a function,
//! or turn a call at the end of a function into a jump.
//!
//! The trees of calls of both profiles are walked together, from the outermost calls inwards. A call is left
//! out if, under the same parent, the other tree does not have this call, but has a call of a function that
//! this call calls. The callees then take the position of the call.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::diff_paths::Paths;
use super::tree::NONE;
use crate::measure::Counts;

/// Maximum number of consecutive calls that may be left out.
const LEFT_OUT_MAX: usize = 8;

/// A backtrace that, compared by functions, only one of the two profiles has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lone {
    /// The path without lines, and the path shown to users.
    pub(super) path: u32,
    pub(super) shown: u32,
    pub(super) counts: [Counts; 2],
}

/// Matches backtraces that are equal except for calls that one of the two backtraces lacks. Returns the
/// matches, and the backtraces without a match.
///
/// **Cost**: linear in the number of backtraces and their calls.
pub(super) fn put_together(paths: &Paths, lone: Vec<Lone>) -> (Vec<Lone>, Vec<Lone>) {
    let sides = [Side::of(paths, &lone, 0), Side::of(paths, &lone, 1)];
    let (mut together, mut is_taken) = (Vec::new(), vec![false; lone.len()]);
    let mut waiting = vec![[vec![NONE], vec![NONE]]];
    while let Some([before, after]) = waiting.pop() {
        let mut levels = [sides[0].level(before), sides[1].level(after)];
        align(&sides, &mut levels, &mut waiting);
        if levels.iter().any(|level| level.own.is_empty()) {
            continue;
        }
        let rows = levels.iter().flat_map(|level| &level.own).map(|row| *row as usize);
        let mut sum: Option<Lone> = None;
        for row in rows {
            is_taken[row] = true;
            sum = Some(sum.map_or(lone[row], |sum| sum.with(&lone[row])));
        }
        together.extend(sum);
    }
    let left = lone.into_iter().zip(is_taken).filter(|(_, is_taken)| !is_taken).map(|(lone, _)| lone);
    (together, left.collect())
}

/// Matches the callees of two calls, and adds pairs of equal calls to `waiting`. Leaves out calls until no
/// more can be left out.
fn align(sides: &[Side<'_>; 2], levels: &mut [Level; 2], waiting: &mut Vec<[Vec<u32>; 2]>) {
    for _ in 0..=LEFT_OUT_MAX {
        let [before, after] = levels;
        let common: Vec<u32> =
            before.below.keys().filter(|it| after.below.contains_key(it)).copied().collect();
        for frame in common {
            let pair = [before.below.remove(&frame), after.below.remove(&frame)];
            waiting.push(pair.map(Option::unwrap_or_default));
        }
        let chosen = [before.to_leave_out(&sides[0], after), after.to_leave_out(&sides[1], before)];
        if chosen.iter().all(Vec::is_empty) {
            return;
        }
        for (frame, (level, side)) in chosen.iter().zip(levels.iter_mut().zip(sides)) {
            frame.iter().for_each(|frame| level.leave_out(side, *frame));
        }
    }
}

/// The tree of the backtraces that only one profile has.
struct Side<'p> {
    paths: &'p Paths,
    children: HashMap<u32, Vec<u32>>,
    /// The row of each path that has counts of its own.
    rows: HashMap<u32, u32>,
}

/// A call in the tree, merged with those descendants that were left out.
struct Level {
    /// The rows with the own counts of these calls.
    own: Vec<u32>,
    /// The callees, by their frame.
    below: BTreeMap<u32, Vec<u32>>,
}

impl<'p> Side<'p> {
    fn of(paths: &'p Paths, lone: &[Lone], side: usize) -> Self {
        let (mut children, mut rows) = (HashMap::<u32, Vec<u32>>::new(), HashMap::new());
        let mut is_known = HashSet::new();
        for (row, lone) in (0..).zip(lone).filter(|(_, lone)| lone.counts[side] != Counts::default()) {
            rows.insert(lone.path, row);
            let mut at = lone.path;
            while at != NONE && is_known.insert(at) {
                let above = paths.above(at);
                children.entry(above).or_default().push(at);
                at = above;
            }
        }
        Self { paths, children, rows }
    }

    fn level(&self, nodes: Vec<u32>) -> Level {
        let mut level = Level { own: Vec::new(), below: BTreeMap::new() };
        nodes.into_iter().for_each(|node| level.add(self, node));
        level
    }

    fn children(&self, node: u32) -> &[u32] {
        self.children.get(&node).map_or(&[], Vec::as_slice)
    }
}

impl Level {
    fn add(&mut self, side: &Side<'_>, node: u32) {
        self.own.extend(side.rows.get(&node));
        for child in side.children(node) {
            self.below.entry(side.paths.frame_number(*child)).or_default().push(*child);
        }
    }

    /// The frames of callees to leave out: the other tree lacks the callee, but has, in its place, the
    /// callee's own counts or one of the functions that it calls.
    fn to_leave_out(&self, side: &Side<'_>, other: &Self) -> Vec<u32> {
        let lacks_own = self.own.is_empty() && !other.own.is_empty();
        let is_left_out = |node: &u32| {
            let has_own = lacks_own && side.rows.contains_key(node);
            let below = || side.children(*node).iter().map(|child| side.paths.frame_number(*child));
            has_own || below().any(|frame| other.below.contains_key(&frame))
        };
        let chosen = self.below.iter().filter(|(_, nodes)| nodes.iter().any(is_left_out));
        chosen.map(|(frame, _)| *frame).collect()
    }

    fn leave_out(&mut self, side: &Side<'_>, frame: u32) {
        let nodes = self.below.remove(&frame).unwrap_or_default();
        nodes.into_iter().for_each(|node| self.add(side, node));
    }
}

impl Lone {
    /// The sums of both rows, shown with the path of the later profile.
    fn with(self, other: &Self) -> Self {
        let [mut before, mut after] = self.counts;
        before += other.counts[0];
        after += other.counts[1];
        let is_later = other.counts[1] != Counts::default();
        Self { shown: if is_later { other.shown } else { self.shown }, counts: [before, after], ..self }
    }
}
