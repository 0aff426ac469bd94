//! Operators along the syntax tree that use the subtree index: `descendants`, `ancestors`,
//! `nearest_ancestor`, and counts of descendants.

use std::ops::Range;
use std::sync::Arc;

use super::chain::{Operate, Stage, may_pull, pull};
use super::condition::Condition;
use super::context::Context;
use super::sort::sort;
use super::stop::Stop;
use crate::pipeline::plan::{Below, Counted, TreePlan};
use crate::pipeline::rows::{Batch, Cells, Element};
use varvite_graph::internal::all_in_order;
use varvite_graph::{LabelNodes, Labels};
use varvite_store::Cancel;

/// The operator of `descendants`, which gives a range of ids for each row.
#[derive(Debug)]
pub(crate) struct Descendants {
    tree: TreePlan,
    has_input: bool,
    row: usize,
    /// The remaining descendants of the current row.
    left: Option<Below>,
}

impl Descendants {
    pub(crate) fn new(tree: TreePlan) -> Self {
        Self { tree, has_input: false, row: 0, left: None }
    }

    fn fill(&mut self, input: &Batch, output: &mut Batch, cx: &mut Context) -> Result<(), Stop> {
        while let Some(node) = input.nodes.get(self.row) {
            let left = self.left.get_or_insert_with(|| self.tree.below(*node));
            let first = output.nodes.len();
            left.take(&self.tree, cx.batch_rows.saturating_sub(first), &mut output.nodes);
            let is_done = left.len() == 0;
            if cx.carried.trail || cx.carried.depth {
                cx.extend_carried(output, first, input, self.row)?;
            }
            if !is_done {
                return Ok(());
            }
            (self.row, self.left) = (self.row + 1, None);
            cx.tick()?;
        }
        self.has_input = false;
        Ok(())
    }
}

impl Operate for Descendants {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        while output.nodes.len() < cx.batch_rows {
            if !self.has_input {
                if !may_pull(output, cx) || !pull(before, cx)? {
                    break;
                }
                (self.has_input, self.row, self.left) = (true, 0, None);
            }
            let Some(input) = before.last().map(|stage| &stage.output) else { break };
            self.fill(input, output, cx)?;
        }
        Ok(!output.nodes.is_empty())
    }

    fn reset(&mut self) {
        (self.has_input, self.row, self.left) = (false, 0, None);
    }
}

/// The operator of `ancestors`, which gives the ancestors of each row, the nearest first.
#[derive(Debug)]
pub(crate) struct Ancestors {
    tree: TreePlan,
    has_input: bool,
    row: usize,
    /// The next ancestor to give for a row that has begun.
    next: Option<u32>,
    is_begun: bool,
}

impl Ancestors {
    pub(crate) fn new(tree: TreePlan) -> Self {
        Self { tree, has_input: false, row: 0, next: None, is_begun: false }
    }

    fn fill(&mut self, input: &Batch, output: &mut Batch, cx: &mut Context) -> Result<(), Stop> {
        while let Some(node) = input.nodes.get(self.row) {
            if !std::mem::replace(&mut self.is_begun, true) {
                self.next = if self.tree.with_self { Some(*node) } else { self.tree.parents.first(*node) };
            }
            let first = output.nodes.len();
            while let Some(above) = self.next.filter(|_| output.nodes.len() < cx.batch_rows) {
                output.nodes.push(above);
                // A parent must have a smaller id, so the walk ends even in a damaged file.
                self.next = self.tree.parents.first(above).filter(|next| *next < above);
            }
            if cx.carried.trail || cx.carried.depth {
                cx.extend_carried(output, first, input, self.row)?;
            }
            if self.next.is_some() {
                return Ok(());
            }
            (self.row, self.is_begun) = (self.row + 1, false);
            cx.tick()?;
        }
        self.has_input = false;
        Ok(())
    }
}

impl Operate for Ancestors {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        while output.nodes.len() < cx.batch_rows {
            if !self.has_input {
                if !may_pull(output, cx) || !pull(before, cx)? {
                    break;
                }
                (self.has_input, self.row, self.is_begun) = (true, 0, false);
            }
            let Some(input) = before.last().map(|stage| &stage.output) else { break };
            self.fill(input, output, cx)?;
        }
        Ok(!output.nodes.is_empty())
    }

    fn reset(&mut self) {
        (self.has_input, self.row, self.is_begun) = (false, 0, false);
    }
}

/// The operator of `nearest_ancestor`, and of a search for the first ancestor with a label, which may be the
/// node itself. If the input nodes are in ascending order, it passes once through the nodes of the label, in
/// step with the input. Otherwise, it walks from parent to parent.
#[derive(Debug)]
pub(crate) struct NearestAncestor {
    tree: TreePlan,
    labels: Arc<[LabelNodes]>,
    condition: Option<Condition>,
    enclosing: Enclosing,
    is_prepared: bool,
}

impl NearestAncestor {
    pub(crate) fn new(tree: TreePlan, labels: Arc<[LabelNodes]>, condition: Option<Condition>) -> Self {
        Self { tree, labels, condition, enclosing: Enclosing::default(), is_prepared: false }
    }

    fn nearest(&mut self, node: u32, cx: &mut Context) -> Result<Option<u32>, Stop> {
        if let ([label], None) = (&self.labels[..], &self.condition) {
            return self.enclosing.nearest(node, label, &self.tree, cx);
        }
        if self.tree.with_self && self.passes(node, cx)? {
            return Ok(Some(node));
        }
        let mut above = self.tree.parents.first(node);
        while let Some(candidate) = above {
            cx.tick()?;
            if self.passes(candidate, cx)? {
                return Ok(Some(candidate));
            }
            above = self.tree.parents.first(candidate).filter(|next| *next < candidate);
        }
        Ok(None)
    }

    fn passes(&mut self, candidate: u32, cx: &mut Context) -> Result<bool, Stop> {
        let has_label = self.labels.is_empty() || self.labels.iter().any(|label| label.contains(candidate));
        match &mut self.condition {
            Some(condition) if has_label => condition.passes(Element::Node(candidate), cx),
            _ => Ok(has_label),
        }
    }
}

impl Operate for NearestAncestor {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        if !std::mem::replace(&mut self.is_prepared, true)
            && let Some(condition) = &mut self.condition
        {
            condition.prepare(0, cx)?;
        }
        while pull(before, cx)? {
            let Some(input) = before.last().map(|stage| &stage.output) else { break };
            for (row, node) in input.nodes.iter().enumerate() {
                cx.tick()?;
                cx.number = cx.number_of(input, row);
                if let Some(nearest) = self.nearest(*node, cx)? {
                    output.nodes.push(nearest);
                    if cx.carried.trail || cx.carried.depth {
                        cx.extend_carried(output, output.nodes.len() - 1, input, row)?;
                    }
                }
            }
            if !output.nodes.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn reset(&mut self) {}
}

/// The nodes of a label that are ancestors of a position. The position moves forward through the ids. Such an
/// ancestor is like an opening bracket whose closing bracket comes after the position.
#[derive(Debug, Default)]
struct Enclosing {
    /// Nodes of the label before the position, each with the end of its subtree. The subtree of a node
    /// contains the subtrees of all nodes after it in this list.
    open: Vec<(u32, u32)>,
    /// The position: the last searched node.
    place: u32,
    ahead: Ahead,
    is_valid: bool,
    held: usize,
}

/// If the ids of two successive calls are further apart than this, the second call does not move the position
/// through the ids between them, but walks from parent to parent.
const GAP: u32 = 512;

impl Enclosing {
    /// The nearest ancestor of a node that has the label; the node itself if it has the label and the plan
    /// includes it.
    #[inline]
    fn nearest(
        &mut self,
        node: u32,
        label: &LabelNodes,
        tree: &TreePlan,
        cx: &mut Context,
    ) -> Result<Option<u32>, Stop> {
        if tree.is_appended(node) {
            return itself_or_above(node, label, tree, cx);
        }
        let is_near = node >= self.place && node - self.place <= GAP;
        let was_valid = std::mem::replace(&mut self.is_valid, is_near);
        if !is_near {
            self.place = node;
            return itself_or_above(node, label, tree, cx);
        }
        if !was_valid {
            self.open_at(self.place, label, tree, cx)?;
        }
        // A node in its own subtree is the last of the opened nodes.
        let end = node.saturating_add(u32::from(tree.with_self));
        while let Some(member) = self.ahead.next_below(end, label) {
            self.close_before(member + 1);
            cx.budget.make_room(&mut self.open, 1, &mut self.held)?;
            self.open.push((member, tree.end(member)));
        }
        self.place = node;
        self.close_before(node + 1);
        Ok(self.open.last().map(|(member, _)| *member))
    }

    /// Drops nodes whose subtree ends before an id.
    #[inline]
    fn close_before(&mut self, id: u32) {
        while self.open.last().is_some_and(|(_, end)| *end < id) {
            self.open.pop();
        }
    }

    /// Begins at a position, and opens the ancestors of the position that have the label.
    fn open_at(
        &mut self,
        place: u32,
        label: &LabelNodes,
        tree: &TreePlan,
        cx: &mut Context,
    ) -> Result<(), Stop> {
        self.open.clear();
        let mut below = place;
        while let Some(member) = walk_up(below, label, tree, cx)? {
            cx.budget.make_room(&mut self.open, 1, &mut self.held)?;
            self.open.push((member, tree.end(member)));
            below = member;
        }
        self.open.reverse();
        self.ahead.begin(place);
        Ok(())
    }
}

/// The nodes of a label from the position on. The next ones are read in advance.
#[derive(Debug, Default)]
struct Ahead {
    read: Vec<u32>,
    /// The number of read nodes that are behind the position.
    taken: usize,
    /// The id from which on nodes are still to be read. `None` at the end of the label.
    from: Option<u32>,
}

/// The number of nodes of a label that are read at once. The first costs a search in the set of the label,
/// each further one a nanosecond or two.
const READ_AHEAD: usize = 16;

impl Ahead {
    fn begin(&mut self, place: u32) {
        self.read.clear();
        (self.taken, self.from) = (0, Some(place));
    }

    /// Takes the next node of the label if its id is below `end`.
    #[inline]
    fn next_below(&mut self, end: u32, label: &LabelNodes) -> Option<u32> {
        if self.taken == self.read.len() {
            self.read_from(self.from?, label);
        }
        let next = *self.read.get(self.taken).filter(|next| **next < end)?;
        self.taken += 1;
        Some(next)
    }

    fn read_from(&mut self, start: u32, label: &LabelNodes) {
        self.read.clear();
        self.taken = 0;
        label.append_from(start, READ_AHEAD, &mut self.read);
        let is_full = self.read.len() == READ_AHEAD;
        self.from = self.read.last().filter(|_| is_full).and_then(|last| last.checked_add(1));
    }
}

/// The number of parents read between two checks of the cancel flag.
const UP: usize = 1 << 10;

/// The node itself if it has the label and the plan includes it; otherwise its nearest ancestor that has the
/// label.
#[inline]
fn itself_or_above(
    node: u32,
    label: &LabelNodes,
    tree: &TreePlan,
    cx: &mut Context,
) -> Result<Option<u32>, Stop> {
    match tree.with_self && label.contains(node) {
        true => Ok(Some(node)),
        false => walk_up(node, label, tree, cx),
    }
}

/// The nearest ancestor of a node that has the label.
#[inline]
fn walk_up(node: u32, label: &LabelNodes, tree: &TreePlan, cx: &mut Context) -> Result<Option<u32>, Stop> {
    let (mut below, mut steps) = (node, 1);
    // A parent must have a smaller id, so the walk ends even in a damaged file.
    while let Some(above) = tree.parents.first(below).filter(|above| *above < below) {
        if label.contains(above) {
            return cx.tick_by(steps).map(|()| Some(above));
        }
        below = above;
        steps += 1;
        if steps == UP {
            cx.tick_by(UP)?;
            steps = 0;
        }
    }
    cx.tick_by(steps).map(|()| None)
}

/// The operator that counts the descendants of all rows, without reading each descendant for each row.
///
/// The number of subtrees whose id ranges cover an id changes only at ids where a range begins or ends.
/// Between two such ids the number is constant, so the labels between them are counted once and the counts
/// are multiplied by this number.
#[derive(Debug)]
pub(crate) struct CountDescendants {
    tree: TreePlan,
    counted: Counted,
    is_given: bool,
    starts: Vec<u32>,
    ends: Vec<u32>,
    /// For each appended node, the number of rows whose subtree contains the node, minus the same number for
    /// the preceding appended node.
    covers: Vec<i64>,
    held: usize,
}

impl CountDescendants {
    pub(crate) fn new(tree: TreePlan, counted: Counted) -> Self {
        Self {
            tree,
            counted,
            is_given: false,
            starts: Vec::new(),
            ends: Vec::new(),
            covers: Vec::new(),
            held: 0,
        }
    }

    /// Adds rows. Returns the number of their descendants, or 0 if each label is counted separately.
    fn take(&mut self, nodes: &[u32], cx: &mut Context) -> Result<u64, Stop> {
        let Self { tree, counted, starts, ends, covers, held, .. } = self;
        let mut count = 0;
        match counted {
            Counted::All => count = nodes.iter().map(|node| tree.below(*node).len()).sum(),
            Counted::OfLabel(label) => {
                for node in nodes {
                    let below = tree.below(*node);
                    count += u64::from(label.count_in(below.ids));
                    for appended in tree.appended(below.appended) {
                        cx.tick()?;
                        count += u64::from(label.contains(*appended));
                    }
                }
            }
            Counted::ByLabel(_) => {
                cx.budget.make_room(starts, nodes.len(), held)?;
                cx.budget.make_room(ends, nodes.len(), held)?;
                if let (true, Some(grown)) = (covers.is_empty(), &tree.grown) {
                    cx.budget.make_room(covers, grown.node_count() + 1, held)?;
                    covers.resize(grown.node_count() + 1, 0);
                }
                for Below { ids, appended } in nodes.iter().map(|node| tree.below(*node)) {
                    if !ids.is_empty() {
                        starts.push(ids.start);
                        ends.push(ids.end);
                    }
                    if !appended.is_empty() {
                        covers[appended.start as usize] += 1;
                        covers[appended.end as usize] -= 1;
                    }
                }
            }
        }
        Ok(count)
    }

    /// The number of nodes with each label set in all ranges together, indexed by the code of the label set.
    fn by_code(&mut self, labels: &Labels, cx: &mut Context) -> Result<Vec<u64>, Stop> {
        sort(&mut self.starts, Ord::cmp, cx)?;
        sort(&mut self.ends, Ord::cmp, cx)?;
        let end = self.ends.last().copied().unwrap_or(0);
        let starts = (0..end).step_by(IDS_OF_JOB as usize);
        let jobs: Vec<_> = starts.map(|start| start..end.min(start.saturating_add(IDS_OF_JOB))).collect();
        let count = |(): &mut (), ids: &Range<u32>| self.count_in(ids.clone(), labels, cx.cancel);
        let mut counts = vec![0; labels.code_count() as usize];
        for found in all_in_order(&jobs, cx.threads, || (), count)? {
            counts.iter_mut().zip(found).for_each(|(count, found)| *count += found);
        }
        self.add_appended(labels, &mut counts, cx)?;
        Ok(counts)
    }

    fn add_appended(&self, labels: &Labels, counts: &mut [u64], cx: &mut Context) -> Result<(), Stop> {
        let mut cover = 0;
        for (index, more) in (0..).zip(&self.covers) {
            cx.tick()?;
            cover += *more;
            let nodes = if cover > 0 { self.tree.appended(index..index + 1) } else { &[] };
            for code in nodes.iter().filter_map(|node| labels.known_code(*node)) {
                counts[code as usize] += cover as u64;
            }
        }
        Ok(())
    }

    /// The same as [`CountDescendants::by_code`], for the ids of one range.
    fn count_in(&self, ids: Range<u32>, labels: &Labels, cancel: &Cancel) -> Result<Vec<u64>, Stop> {
        let (mut histogram, mut turns) = (Histogram::new(labels), 0);
        let passed = |places: &[u32], place| places.partition_point(|other| *other <= place);
        let (mut start, mut end) = (passed(&self.starts, ids.start), passed(&self.ends, ids.start));
        let mut place = ids.start;
        while place < ids.end {
            turns += 1;
            if turns % TURNS == 0 {
                cancel.check()?;
            }
            let next = |places: &[u32], at| places.get(at).copied().unwrap_or(u32::MAX);
            let next_place = next(&self.starts, start).min(next(&self.ends, end)).min(ids.end);
            if start > end {
                histogram.add(place..next_place, (start - end) as u64, cancel)?;
            }
            place = next_place;
            start += usize::from(next(&self.starts, start) == place);
            end += usize::from(next(&self.ends, end) == place);
        }
        Ok(histogram.finish())
    }
}

impl Operate for CountDescendants {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        if std::mem::replace(&mut self.is_given, true) {
            return Ok(false);
        }
        let mut count = 0;
        while pull(before, cx)? {
            let Some(input) = before.last().map(|stage| &stage.output) else { break };
            count += self.take(&input.nodes, cx)?;
        }
        let Counted::ByLabel(labels) = &self.counted else {
            output.numbers.push(count as i64);
            return Ok(true);
        };
        let labels = labels.clone();
        let counts = self.by_code(&labels, cx)?;
        output.table.resize_with(2, Cells::default);
        for (code, count) in (0..).zip(&counts).filter(|(_, count)| **count > 0) {
            output.table[0].push(Some(code));
            output.table[1].push(Some(*count as i64));
        }
        Ok(counts.iter().any(|count| *count > 0))
    }

    fn reset(&mut self) {
        self.is_given = false;
        self.starts.clear();
        self.ends.clear();
        self.covers.clear();
    }
}

/// Counts label sets by code.
struct Histogram<'a> {
    labels: &'a Labels,
    counts: Vec<u64>,
    /// Counts of codes for ids that few ranges cover. There is a separate table for each number of covering
    /// ranges; at the end, the counts in a table are multiplied by this number.
    by_cover: Vec<[[u32; 256]; TABLES]>,
    /// The number of ids counted in the tables so far; and, in `offset`, the difference between a code and
    /// its index in a table.
    pending: u64,
    offset: usize,
}

/// The number of tables that are used in turn, so that increments do not wait for each other if neighbouring
/// codes are equal.
const TABLES: usize = 4;
/// The maximum number of ranges that may cover an id if it is to be counted in tables.
const COVER_MAX: usize = 4;
/// The number of codes decoded at a time.
const DECODED: usize = 256;
/// The number of counted ids after which the tables are emptied, so that no count exceeds 32 bits.
const PENDING_MAX: u64 = 1 << 31;
/// The number of ids counted between two checks of the cancel flag.
const IDS_AT_ONCE: u32 = 1 << 16;
/// The number of ids that a thread counts at a time.
const IDS_OF_JOB: u32 = 1 << 19;
/// The number of starts and ends of ranges that are processed between two checks of the cancel flag.
const TURNS: usize = 1 << 12;

impl<'a> Histogram<'a> {
    fn new(labels: &'a Labels) -> Self {
        let counts = vec![0; labels.code_count() as usize];
        Self { labels, counts, by_cover: vec![[[0; 256]; TABLES]; COVER_MAX], pending: 0, offset: 0 }
    }

    /// Counts the ids of a range, each `cover` times.
    fn add(&mut self, range: Range<u32>, cover: u64, cancel: &Cancel) -> Result<(), Stop> {
        let mut start = range.start;
        while start < range.end {
            let end = range.end.min(start.saturating_add(IDS_AT_ONCE));
            if end - start == IDS_AT_ONCE {
                cancel.check()?;
            }
            self.add_part(start..end, cover);
            start = end;
        }
        Ok(())
    }

    fn add_part(&mut self, range: Range<u32>, cover: u64) {
        let tables = usize::try_from(cover - 1).ok().and_then(|index| self.by_cover.get_mut(index));
        let (Some(tables), Some((codes, offset))) = (tables, self.labels.bytes(range.clone())) else {
            return self.add_decoded(range, cover);
        };
        self.offset = offset as usize;
        let (chunks, rest) = codes.as_chunks::<TABLES>();
        for chunk in chunks {
            for (table, code) in tables.iter_mut().zip(chunk) {
                table[usize::from(*code)] += 1;
            }
        }
        rest.iter().for_each(|code| tables[0][usize::from(*code)] += 1);
        self.pending += codes.len() as u64;
        if self.pending > PENDING_MAX {
            self.flush();
        }
    }

    /// The same as [`Histogram::add_part`], for codes that are not stored as bytes, and for ids that many
    /// ranges cover.
    fn add_decoded(&mut self, range: Range<u32>, cover: u64) {
        let mut codes = [0; DECODED];
        for start in range.clone().step_by(DECODED) {
            let codes = &mut codes[..DECODED.min((range.end - start) as usize)];
            if self.labels.read(start, codes).is_none() {
                return self.labels.note_damage();
            }
            for code in codes {
                // The cast turns a negative code into one that is too large.
                match self.counts.get_mut(*code as usize) {
                    Some(count) => *count += cover,
                    None => self.labels.note_damage(),
                }
            }
        }
    }

    fn flush(&mut self) {
        for (cover, tables) in (1..).zip(&mut self.by_cover) {
            for table in tables {
                for (count, found) in self.counts.iter_mut().skip(self.offset).zip(table.iter_mut()) {
                    *count += cover * u64::from(std::mem::take(found));
                }
                // Any counts that remain belong to codes for which there is no label set.
                if table.iter_mut().fold(0, |sum, found| sum + u64::from(std::mem::take(found))) > 0 {
                    self.labels.note_damage();
                }
            }
        }
        self.pending = 0;
    }

    fn finish(mut self) -> Vec<u64> {
        self.flush();
        self.counts
    }
}
