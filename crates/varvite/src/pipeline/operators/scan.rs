//! Where nodes come from: all of them, the nodes of labels, a column searched for values, given ids.
//!
//! A column is searched in windows of node ids that grow, so that a consumer of few rows waits for few, and large windows
//! are shared among threads. Within a window the values are read front to back, and by the column's own means where
//! these can pass over what can't match.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use varvite_format::SetRanks;

use super::batch::Batch;
use super::chain::{Operate, Stage};
use super::context::{Cancel, Context, Stop};
use crate::labels::LabelNodes;
use crate::parallel::in_order;
use crate::pipeline::filter::Filter;
use crate::pipeline::plan::{Driver, Lookup, PropertyPlan, ScanPlan};
use crate::pipeline::test::Test;
use crate::property::Property;

/// Nodes of the first window, and of the largest.
const WINDOW_MIN: u32 = 1 << 16;
const WINDOW_MAX: u32 = 1 << 22;
/// Nodes of a thread's part of a window.
const PART: u32 = 1 << 18;

/// The operator of [`ScanPlan`].
#[derive(Debug)]
pub(crate) struct Scan {
    plan: ScanPlan,
    is_prepared: bool,
    /// The first node that was not looked at.
    next: u32,
    window: u32,
    /// What the driver found and nobody took yet, the next one last taken at `taken`.
    found: Vec<u32>,
    taken: usize,
    held: usize,
    rows: Vec<u32>,
    candidates: Batch,
}

impl Scan {
    pub(crate) fn new(plan: ScanPlan) -> Self {
        Self {
            plan,
            is_prepared: false,
            next: 0,
            window: WINDOW_MIN,
            found: Vec::new(),
            taken: 0,
            held: 0,
            rows: Vec::new(),
            candidates: Batch::default(),
        }
    }

    fn prepare(&mut self, cx: &mut Context) -> Result<(), Stop> {
        let expected = match &mut self.plan.driver {
            Driver::All => cx.nodes as usize,
            Driver::Labels(labels) => labels.iter().map(|nodes| nodes.len() as usize).sum(),
            Driver::Index(lookup) => lookup.count(),
            Driver::Column(filter) => match &mut **filter {
                Filter::Value(plan, test) => {
                    test.prepare(usize::MAX, cx)?;
                    plan.property.value_count() / 8
                }
                _ => cx.nodes as usize,
            },
        };
        self.plan.filters.iter_mut().try_for_each(|filter| filter.prepare(expected, cx))?;
        self.is_prepared = true;
        Ok(())
    }

    /// Puts the next ids of the driver into `candidates`, at most a batch; false at the end.
    fn gather(&mut self, cx: &mut Context) -> Result<bool, Stop> {
        let nodes = &mut self.candidates.nodes;
        nodes.clear();
        match &self.plan.driver {
            Driver::All => {
                let end = cx.nodes.min(self.next.saturating_add(cx.batch_rows as u32));
                nodes.extend(self.next..end);
                self.next = end;
            }
            Driver::Labels(labels) => gather_labels(labels, &mut self.next, nodes, cx),
            Driver::Column(filter) => {
                while self.taken == self.found.len() {
                    if self.next >= cx.nodes {
                        return Ok(false);
                    }
                    let end = cx.nodes.min(self.next.saturating_add(self.window));
                    self.found.clear();
                    self.taken = 0;
                    search(filter, self.next..end, &mut self.found, cx)?;
                    cx.budget.hold(&mut self.held, 4 * self.found.capacity())?;
                    self.next = end;
                    self.window = (2 * self.window).min(WINDOW_MAX);
                }
                take_found(&self.found, &mut self.taken, nodes, cx);
            }
            Driver::Index(lookup) => {
                if self.next == 0 {
                    lookup.append(&mut self.found);
                    cx.budget.hold(&mut self.held, 4 * self.found.capacity())?;
                    self.next = cx.nodes;
                }
                take_found(&self.found, &mut self.taken, nodes, cx);
            }
        }
        Ok(!self.candidates.nodes.is_empty())
    }
}

impl Operate for Scan {
    fn next(&mut self, _: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        if !self.is_prepared {
            self.prepare(cx)?;
        }
        if cx.forgets_trails {
            cx.trails.clear();
        }
        while self.gather(cx)? {
            cx.cancel.check()?;
            if self.plan.filters.is_empty() {
                std::mem::swap(&mut output.nodes, &mut self.candidates.nodes);
            } else {
                self.rows.clear();
                self.rows.extend(0..self.candidates.nodes.len() as u32);
                for filter in &mut self.plan.filters {
                    filter.select(&self.candidates, &mut self.rows, cx)?;
                }
                let nodes = &self.candidates.nodes;
                output.nodes.extend(self.rows.iter().filter_map(|row| nodes.get(*row as usize)));
            }
            if !output.nodes.is_empty() {
                begin_lanes(output, cx)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn reset(&mut self) {
        (self.next, self.window, self.taken) = (0, WINDOW_MIN, 0);
        self.found.clear();
    }
}

/// Appends the next batch of what was found.
fn take_found(found: &[u32], taken: &mut usize, nodes: &mut Vec<u32>, cx: &Context) {
    let end = found.len().min(*taken + cx.batch_rows);
    nodes.extend_from_slice(&found[*taken..end]);
    *taken = end;
}

impl Lookup {
    /// How many nodes have the texts.
    pub(crate) fn count(&self) -> usize {
        self.codes.iter().map(|code| self.index.count(*code)).sum()
    }

    /// Appends the nodes that have one of the texts, rising and each once.
    fn append(&self, output: &mut Vec<u32>) {
        let wanted = |label_set: u32| match &self.wanted {
            Some(wanted) => wanted.get(label_set as usize) == Some(&true),
            None => true,
        };
        for code in &self.codes {
            self.index.append(*code, wanted, output);
        }
        if self.codes.len() > 1 {
            output.sort_unstable();
            output.dedup();
        }
    }
}

/// Gives rows at the start of a pipeline what is beside them.
pub(crate) fn begin_lanes(output: &mut Batch, cx: &mut Context) -> Result<(), Stop> {
    let nothing = Batch::default();
    output.extend_lanes(0, &nothing, 0, cx)
}

/// The next nodes of some labels, rising and each once; `next` is where to go on.
fn gather_labels(labels: &[LabelNodes], next: &mut u32, nodes: &mut Vec<u32>, cx: &Context) {
    if let [label] = labels {
        label.set.append_from(*next, cx.batch_rows, nodes);
        *next = nodes.last().map_or(cx.nodes, |last| last + 1);
        return;
    }
    // A word for 64 ids: sets are merged by their bits.
    while nodes.is_empty() && *next < cx.nodes {
        let start = *next;
        let end = cx.nodes.min(start.saturating_add(cx.batch_rows as u32));
        let mut words = [0u64; 16];
        let end = end.min(start + 64 * words.len() as u32);
        for label in labels {
            for node in label.set.iter_from(start).take_while(|node| *node < end) {
                words[(node - start) as usize / 64] |= 1 << ((node - start) % 64);
            }
        }
        for (index, word) in (0..).zip(words) {
            let mut word = word;
            while word != 0 {
                nodes.push(start + 64 * index + word.trailing_zeros());
                word &= word - 1;
            }
        }
        *next = end;
    }
}

/// Appends the nodes of a window with a value that passes, rising and each once.
fn search(filter: &Filter, window: Range<u32>, found: &mut Vec<u32>, cx: &mut Context) -> Result<(), Stop> {
    let Filter::Value(PropertyPlan { property, .. }, test) = filter else { return Ok(()) };
    let parts: Vec<Range<u32>> = match window.len() as u32 > PART && cx.threads > 1 {
        true => {
            window.clone().step_by(PART as usize).map(|start| start..window.end.min(start + PART)).collect()
        }
        false => {
            let starts = window.clone().step_by(PART as usize);
            for part in starts.map(|start| start..window.end.min(start + PART)) {
                cx.values_read += search_part(property, test, part, found, &cx.cancel)? as u64;
            }
            return Ok(());
        }
    };
    let (cancel, values_read) = (&cx.cancel, &mut cx.values_read);
    in_order(
        &parts,
        cx.threads,
        |part| {
            let mut found = Vec::new();
            let read = search_part(property, test, part.clone(), &mut found, cancel)?;
            Ok((found, read))
        },
        |(part, read)| {
            found.extend(part);
            *values_read += read as u64;
            Ok(())
        },
    )
}

/// The same for a part of a window; how many values were read.
fn search_part(
    property: &Property,
    test: &Test,
    window: Range<u32>,
    found: &mut Vec<u32>,
    cancel: &Cancel,
) -> Result<usize, Stop> {
    cancel.check()?;
    let set = &property.present;
    let (Some(first), Some(end)) = (set.rank(window.start), set.rank(window.end)) else { return Ok(0) };
    let (mut owners, mut is_damaged) = (SetRanks::new(set), false);
    let visit = |rank: usize| match owners.member(rank) {
        Some(owner) => {
            found.push(owner);
            ControlFlow::Continue(())
        }
        None => {
            is_damaged = true;
            ControlFlow::Break(())
        }
    };
    let read = match &property.offsets {
        None => search_values(property, test, first..end, visit),
        Some(_) => search_lists(property, test, first..end, visit),
    };
    if read.is_none() || is_damaged {
        property.damage.note("property", window.start);
    }
    Ok(read.unwrap_or(0))
}

/// Visits the positions of values that pass, rising; gives how many values were read. None where bytes are missing.
fn search_values(
    property: &Property,
    test: &Test,
    range: Range<usize>,
    mut visit: impl FnMut(usize) -> ControlFlow<()>,
) -> Option<usize> {
    let (values, count) = (&property.values, range.len());
    match test {
        Test::Never => Some(0),
        Test::Equal(number) => values.find_equal(*number, range, &mut visit).map(|()| count),
        Test::Range(keys) if keys.stored().is_some() => {
            let (low, high) = keys.stored()?;
            values.find_range(low..=high, range, &mut visit)
        }
        _ => {
            let mut block = [0i64; BLOCK];
            let mut start = range.start;
            while start < range.end {
                let run = (range.end - start).min(BLOCK - start % BLOCK);
                values.read(start, 0, &mut block[..run])?;
                for (offset, number) in block[..run].iter().enumerate() {
                    if test.passes_prepared(*number) && visit(start + offset).is_break() {
                        return None;
                    }
                }
                start += run;
            }
            Some(count)
        }
    }
}

/// Values that are read at a time.
const BLOCK: usize = 1024;

/// Visits the ranks of lists with a value that passes; gives how many values were read.
fn search_lists(
    property: &Property,
    test: &Test,
    ranks: Range<usize>,
    mut visit: impl FnMut(usize) -> ControlFlow<()>,
) -> Option<usize> {
    let mut read = 0;
    let offsets = property.offsets.as_ref()?;
    for rank in ranks {
        let (start, end) = offsets.pair(rank)?;
        for position in start..end {
            let number = property.values.get(usize::try_from(position).ok()?, 0)?;
            read += 1;
            if test.passes_prepared(number) {
                if visit(rank).is_break() {
                    return None;
                }
                break;
            }
        }
    }
    Some(read)
}

/// The operator of given ids.
#[derive(Debug)]
pub(crate) struct IdsOperator {
    ids: Arc<[u32]>,
    next: usize,
}

impl IdsOperator {
    pub(crate) fn new(ids: Arc<[u32]>) -> Self {
        Self { ids, next: 0 }
    }
}

impl Operate for IdsOperator {
    fn next(&mut self, _: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        if cx.forgets_trails {
            cx.trails.clear();
        }
        let end = self.ids.len().min(self.next + cx.batch_rows);
        output.nodes.extend_from_slice(&self.ids[self.next..end]);
        self.next = end;
        begin_lanes(output, cx)?;
        Ok(!output.nodes.is_empty())
    }

    fn reset(&mut self) {
        self.next = 0;
    }
}
