//! The operator of `repeat`: a walk with an explicit stack, from one start after another.
//!
//! Each node is tested in this order: whether it was visited before, whether it is at depth `times`, whether
//! it fails `whilst`, whether it passes `until`, and whether it is emitted. Then the body gives its
//! successors. A depth-first walk takes nodes from a stack. A breadth-first walk proceeds level by level; a
//! body that treats each node independently gets the nodes of a level in batches. The semantics are those of
//! flatgraph's `repeat`.

use super::chain::{Operate, Stage, may_pull, pull};
use super::condition::Condition;
use super::context::Context;
use super::inner::Inner;
use super::key_table::KeyTable;
use super::stop::Stop;
use crate::pipeline::description::WalkOrder;
use crate::pipeline::plan::{DirectedLabel, RepeatPlan};
use crate::pipeline::rows::{Batch, Element};
use varvite_graph::internal::ListRest;

/// The operator of `repeat`.
#[derive(Debug)]
pub(crate) struct RepeatOperator {
    rules: Rules,
    body: Successors,
    order: WalkOrder,
    keeps_depth: bool,
    /// The depth of the row at which the walk began, if its results keep this depth.
    start_depth: Option<u32>,
    has_input: bool,
    row: usize,
    /// In a depth-first walk, the stack. In a breadth-first walk, the current level; its nodes from `taken`
    /// on are left.
    pending: Vec<Visit>,
    taken: usize,
    /// In a breadth-first walk, the next level.
    following: Vec<Visit>,
    held: usize,
}

/// A node to visit, with its depth and trail.
#[derive(Clone, Copy, Debug)]
struct Visit {
    node: u32,
    depth: u32,
    trail: u32,
}

/// The conditions of a `repeat`, in the form that a run evaluates.
#[derive(Debug)]
pub(crate) struct RepeatConditions {
    pub(crate) until: Option<Condition>,
    pub(crate) whilst: Option<Condition>,
    pub(crate) emit: Emit,
}

/// The visited nodes that are results.
#[derive(Debug)]
pub(crate) enum Emit {
    Nothing,
    All,
    AllButFirst,
    Where(Box<Condition>),
}

/// The tests that decide what happens with a node.
#[derive(Debug)]
struct Rules {
    times: Option<u32>,
    until: Option<Condition>,
    whilst: Option<Condition>,
    emit: Emit,
    visited: Option<KeyTable>,
    dedup: bool,
    is_prepared: bool,
}

/// Paths with fewer nodes than this are never reported as endless, because in a small graph a caller may want
/// the first turns of a cycle.
const DEPTH_MIN: u32 = 100_000;

/// About this many successors are read before they are stored, because a list of neighbours may have as many
/// entries as the graph has nodes.
const PIECE: usize = 1 << 12;

/// The outcome of the tests for a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// The node was visited before.
    Drop,
    /// The node is a result, and the walk stops at it.
    Stop,
    /// The walk continues from the node. `comes_out` is true if the node is a result.
    Go { comes_out: bool },
}

impl RepeatOperator {
    pub(crate) fn new(plan: &RepeatPlan, body: Successors, conditions: RepeatConditions) -> Self {
        let RepeatConditions { until, whilst, emit } = conditions;
        let RepeatPlan { times, dedup, order, keeps_depth, .. } = plan;
        let (times, dedup) = (*times, *dedup);
        let rules = Rules { times, until, whilst, emit, visited: None, dedup, is_prepared: false };
        Self {
            rules,
            body,
            order: *order,
            keeps_depth: *keeps_depth,
            start_depth: None,
            has_input: false,
            row: 0,
            pending: Vec::new(),
            taken: 0,
            following: Vec::new(),
            held: 0,
        }
    }

    fn is_walking(&self) -> bool {
        self.taken < self.pending.len() || !self.following.is_empty()
    }

    /// Begins a walk at the next row of the input.
    fn begin(&mut self, input: &Batch, cx: &Context) {
        self.pending.clear();
        self.taken = 0;
        if let Some(visited) = &mut self.rules.visited {
            visited.clear();
        }
        let trail = if cx.carried.trail { input.trail.get(self.row).copied() } else { None };
        if self.keeps_depth {
            self.start_depth = Some(input.depth.get(self.row).copied().unwrap_or(0));
        }
        let start = input.nodes.get(self.row);
        self.pending.extend(start.map(|node| Visit { node: *node, depth: 0, trail: trail.unwrap_or(0) }));
        self.row += 1;
    }

    /// Continues the depth-first walk until the output is full or the stack is empty.
    fn walk_deep(&mut self, output: &mut Batch, cx: &mut Context) -> Result<(), Stop> {
        while let Some(visit) = self.pending.pop() {
            cx.tick()?;
            let verdict = self.rules.judge(visit, cx)?;
            if !matches!(verdict, Verdict::Drop | Verdict::Go { comes_out: false }) {
                visit.give(self.start_depth, output, cx);
            }
            if matches!(verdict, Verdict::Go { .. }) {
                self.rules.check_depth(visit, cx)?;
                self.body.begin(cx);
                let first = self.pending.len();
                let visited = self.rules.visited.as_ref();
                let (visits, held) = (&mut self.pending, &mut self.held);
                let mut ahead = Ahead { visits, held, depth: visit.depth + 1, visited };
                self.body.add(visit, &mut ahead, cx)?;
                self.body.finish(&mut ahead, cx)?;
                reverse(&mut self.pending[first..], cx)?;
            }
            if output.nodes.len() >= cx.batch_rows {
                break;
            }
        }
        Ok(())
    }

    /// Continues the breadth-first walk until the output is full or no node is left.
    fn walk_wide(&mut self, output: &mut Batch, cx: &mut Context) -> Result<(), Stop> {
        while output.nodes.len() < cx.batch_rows {
            if self.taken == self.pending.len() {
                if self.following.is_empty() {
                    break;
                }
                std::mem::swap(&mut self.pending, &mut self.following);
                self.following.clear();
                self.taken = 0;
            }
            self.take_some(output, cx)?;
        }
        Ok(())
    }

    /// Visits nodes of one level: as many as the body accepts at once.
    fn take_some(&mut self, output: &mut Batch, cx: &mut Context) -> Result<(), Stop> {
        let end = self.pending.len().min(self.taken + self.body.at_once(cx));
        let depth = self.pending.get(self.taken).map_or(0, |visit| visit.depth);
        self.body.begin(cx);
        for index in self.taken..end {
            cx.tick()?;
            let visit = self.pending[index];
            let verdict = self.rules.judge(visit, cx)?;
            if !matches!(verdict, Verdict::Drop | Verdict::Go { comes_out: false }) {
                visit.give(self.start_depth, output, cx);
            }
            if matches!(verdict, Verdict::Go { .. }) {
                self.rules.check_depth(visit, cx)?;
                let (body, mut ahead) = self.ahead(depth + 1);
                body.add(visit, &mut ahead, cx)?;
            }
        }
        self.taken = end;
        let (body, mut ahead) = self.ahead(depth + 1);
        body.finish(&mut ahead, cx)
    }

    /// The body, and the next level as the list to which the body adds successors.
    fn ahead(&mut self, depth: u32) -> (&mut Successors, Ahead<'_>) {
        let (visits, held, visited) = (&mut self.following, &mut self.held, self.rules.visited.as_ref());
        (&mut self.body, Ahead { visits, held, depth, visited })
    }
}

impl Operate for RepeatOperator {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        self.rules.prepare(cx)?;
        while output.nodes.len() < cx.batch_rows {
            if self.is_walking() {
                match self.order {
                    WalkOrder::Depth => self.walk_deep(output, cx)?,
                    WalkOrder::Breadth => self.walk_wide(output, cx)?,
                }
                continue;
            }
            if !self.has_input {
                if !may_pull(output, cx) || !pull(before, cx)? {
                    break;
                }
                (self.has_input, self.row) = (true, 0);
            }
            let Some(input) = before.last().map(|stage| &stage.output) else { break };
            if self.row < input.nodes.len() {
                self.begin(input, cx);
            } else {
                self.has_input = false;
            }
        }
        Ok(!output.nodes.is_empty())
    }

    fn reset(&mut self) {
        self.pending.clear();
        self.following.clear();
        (self.has_input, self.row, self.taken) = (false, 0, 0);
    }
}

impl Visit {
    fn give(self, start_depth: Option<u32>, output: &mut Batch, cx: &Context) {
        output.nodes.push(self.node);
        if cx.carried.trail {
            output.trail.push(self.trail);
        }
        if cx.carried.depth {
            output.depth.push(start_depth.unwrap_or(self.depth));
        }
    }
}

impl Rules {
    fn prepare(&mut self, cx: &mut Context) -> Result<(), Stop> {
        if std::mem::replace(&mut self.is_prepared, true) {
            return Ok(());
        }
        let emitted = match &mut self.emit {
            Emit::Where(condition) => Some(&mut **condition),
            _ => None,
        };
        let mut conditions = self.until.iter_mut().chain(&mut self.whilst).chain(emitted);
        conditions.try_for_each(|condition| condition.prepare(0, cx))?;
        self.visited = self.dedup.then(|| KeyTable::nodes(cx.nodes));
        Ok(())
    }

    fn judge(&mut self, visit: Visit, cx: &mut Context) -> Result<Verdict, Stop> {
        if let Some(visited) = &mut self.visited
            && !visited.insert(i64::from(visit.node), cx.budget)?
        {
            return Ok(Verdict::Drop);
        }
        let element = Element::Node(visit.node);
        if self.times == Some(visit.depth) {
            return Ok(Verdict::Stop);
        }
        if let Some(whilst) = &mut self.whilst
            && !whilst.passes(element, cx)?
        {
            return Ok(Verdict::Stop);
        }
        if let Some(until) = &mut self.until
            && visit.depth > 0
            && until.passes(element, cx)?
        {
            return Ok(Verdict::Stop);
        }
        let comes_out = match &mut self.emit {
            Emit::Nothing => false,
            Emit::All => true,
            Emit::AllButFirst => visit.depth > 0,
            Emit::Where(condition) => condition.passes(element, cx)?,
        };
        Ok(Verdict::Go { comes_out })
    }

    /// Fails if the path is longer than the graph has nodes: it visits some node twice, and the walk would
    /// follow that cycle forever.
    fn check_depth(&self, visit: Visit, cx: &Context) -> Result<(), Stop> {
        let may_end = self.dedup || self.times.is_some() || visit.depth < cx.nodes.max(DEPTH_MIN);
        if may_end { Ok(()) } else { Err(Stop::Endless { depth: visit.depth }) }
    }
}

/// The body of a `repeat`, which gives the successors of nodes.
#[derive(Debug)]
pub(crate) enum Successors {
    Hop {
        ways: Vec<DirectedLabel>,
        found: Vec<u32>,
        /// The trail of each successor's predecessor. Empty in plans without trails.
        trails: Vec<u32>,
    },
    Steps {
        inner: Box<Inner>,
        /// Whether each step treats each row independently of other rows.
        is_rowwise: bool,
        given: Box<Batch>,
    },
}

impl Successors {
    /// Makes a body that is a hop.
    pub(crate) fn of_hop(ways: Vec<DirectedLabel>) -> Self {
        Self::Hop { ways, found: Vec::new(), trails: Vec::new() }
    }

    /// Makes a body of steps. `is_rowwise` is true if each step treats each row independently.
    pub(crate) fn of_steps(steps: Inner, is_rowwise: bool) -> Self {
        Self::Steps { inner: Box::new(steps), is_rowwise, given: Box::default() }
    }

    /// The number of nodes that the body accepts at once.
    fn at_once(&self, cx: &Context) -> usize {
        match self {
            Self::Steps { is_rowwise: false, .. } => 1,
            _ => cx.batch_rows,
        }
    }

    /// Removes all nodes that were given to the body.
    fn begin(&mut self, _cx: &Context) {
        match self {
            Self::Hop { found, trails, .. } => {
                found.clear();
                trails.clear();
            }
            Self::Steps { given, .. } => given.clear(),
        }
    }

    /// Gives a node to the body. Some of its successors may be stored immediately; [`Successors::finish`]
    /// stores the others.
    #[inline]
    fn add(&mut self, visit: Visit, ahead: &mut Ahead<'_>, cx: &mut Context) -> Result<(), Stop> {
        match self {
            Self::Hop { ways, found, trails } => {
                for way in ways.iter() {
                    let mut rest = ListRest::default();
                    while way.adjacency.append_rest(visit.node, &mut rest, PIECE, found) {
                        ahead.take(visit.trail, found, trails, cx)?;
                    }
                }
                if cx.carried.trail {
                    trails.resize(found.len(), visit.trail);
                }
                if found.len() >= PIECE {
                    ahead.take(visit.trail, found, trails, cx)?;
                }
            }
            Self::Steps { given, .. } => visit.give(None, given, cx),
        }
        Ok(())
    }

    /// Stores the remaining successors of all given nodes.
    #[inline]
    fn finish(&mut self, ahead: &mut Ahead<'_>, cx: &mut Context) -> Result<(), Stop> {
        match self {
            Self::Hop { found, trails, .. } => ahead.take(0, found, trails, cx),
            Self::Steps { given, .. } if given.nodes.is_empty() => Ok(()),
            Self::Steps { inner, given, .. } => {
                inner.begin(given, 0..given.nodes.len());
                while let Some(results) = inner.next(cx)? {
                    ahead.take_rows(results, cx)?;
                }
                Ok(())
            }
        }
    }
}

/// The list to which successors are added. Visited nodes are left out, since the walk would drop them anyway.
struct Ahead<'a> {
    visits: &'a mut Vec<Visit>,
    /// The number of bytes charged to the budget for the visits.
    held: &'a mut usize,
    depth: u32,
    visited: Option<&'a KeyTable>,
}

impl Ahead<'_> {
    /// Stores the successors in `found`, and empties `found` and `trails`. `trails` has the trails of their
    /// predecessors; successors after the end of `trails` have a predecessor with the trail `trail`.
    #[inline]
    fn take(
        &mut self,
        trail: u32,
        found: &mut Vec<u32>,
        trails: &mut Vec<u32>,
        cx: &mut Context,
    ) -> Result<(), Stop> {
        if found.is_empty() {
            return Ok(());
        }
        cx.tick_by(found.len())?;
        cx.budget.make_room(self.visits, found.len(), self.held)?;
        let has_trails = cx.carried.trail;
        for (index, node) in found.iter().enumerate() {
            if self.is_new(*node) {
                let trail = match has_trails {
                    true => {
                        let before = trails.get(index).copied().unwrap_or(trail);
                        cx.trails.push(Element::Node(*node), before, cx.budget)?
                    }
                    false => 0,
                };
                self.visits.push(Visit { node: *node, depth: self.depth, trail });
            }
        }
        found.clear();
        trails.clear();
        Ok(())
    }

    /// Stores the successors in `rows`, which have trails of their own.
    fn take_rows(&mut self, rows: &Batch, cx: &mut Context) -> Result<(), Stop> {
        cx.tick_by(rows.nodes.len())?;
        cx.budget.make_room(self.visits, rows.nodes.len(), self.held)?;
        for (row, node) in rows.nodes.iter().enumerate() {
            if self.is_new(*node) {
                let trail = rows.trail.get(row).copied().unwrap_or(0);
                self.visits.push(Visit { node: *node, depth: self.depth, trail });
            }
        }
        Ok(())
    }

    #[inline]
    fn is_new(&self, node: u32) -> bool {
        self.visited.is_none_or(|visited| !visited.contains(i64::from(node)))
    }
}

/// Reverses the order of visits. There may be millions, so the cancel flag is checked.
#[inline]
fn reverse(visits: &mut [Visit], cx: &mut Context) -> Result<(), Stop> {
    if visits.len() <= PIECE {
        visits.reverse();
        return Ok(());
    }
    let (left, right) = visits.split_at_mut(visits.len() / 2);
    for (left, right) in left.chunks_mut(PIECE).zip(right.rchunks_mut(PIECE)) {
        cx.tick_by(left.len())?;
        left.iter_mut().zip(right.iter_mut().rev()).for_each(|(a, b)| std::mem::swap(a, b));
    }
    Ok(())
}
