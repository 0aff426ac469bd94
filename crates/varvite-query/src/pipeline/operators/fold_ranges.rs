//! [`FoldRanges`]: runs a scan, steps that treat each row independently, and a fold on all threads.
//!
//! The nodes are divided into ranges of ids. A thread takes a range, scans it, runs the steps for the found
//! nodes, and adds the rows to its own partial result. No row moves from one thread to another. Partial
//! results are merged at the end, so only folds whose merged result is exact are run this way. The caller's
//! thread begins alone; other threads join if the remaining work is worth starting them. (Leis et al., 2014)
//! call such ranges morsels: one thread processes a range from the scan to the aggregate.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use varvite_store::threads::start_in;

use super::chain::{Measured, Operate, Stage};
use super::context::{Context, Settings};
use super::exchange::Build;
use super::fold::Fold;
use super::inner::Inner;
use super::scan::Scan;
use super::selection::{NODES_AT_ONCE, Selection};
use super::stop::Stop;
use super::stored::Stored;
use super::trails::Trails;
use crate::pipeline::error::{PipelineError, StepAt};
use crate::pipeline::plan::{Operator, Physical};
use crate::pipeline::rows::Batch;
use varvite_graph::internal::threads_pay;

/// The time for which the caller's thread works alone, to measure whether other threads would make the run
/// faster.
const ALONE: Duration = Duration::from_micros(100);
/// The number of nodes in the first and in the largest range.
const RANGE_MIN: u32 = 1 << 10;
const RANGE_MAX: u32 = 1 << 16;
/// The minimum number of ranges per thread. With fewer, larger ranges, threads would wait longer for the last
/// thread to finish.
const RANGES_OF_THREAD: u32 = 8;

/// A function that makes the scan for a step.
pub(crate) type BuildScan = fn(&Physical) -> Option<Scan>;

/// The functions that make the operators. Each thread makes operators of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Makers {
    pub(crate) scan: BuildScan,
    pub(crate) steps: Build,
}

/// The operator that combines a scan, steps and a fold.
#[derive(Debug)]
pub(crate) struct FoldRanges {
    /// The steps: a scan, independent steps, and a fold.
    steps: Vec<Physical>,
    makers: Makers,
    /// The result, once there is one.
    answer: Option<Fold>,
    measured: Vec<Measured>,
}

/// The operators of a thread.
struct Folder {
    scan: Scan,
    scan_at: StepAt,
    scanned: Measured,
    rows: Batch,
    /// The steps between scan and fold. `None` if there are none.
    steps: Option<Inner>,
    results: Batch,
    fold: Fold,
    /// The column whose stored values can be folded without making rows, and the number of values that were
    /// folded this way so far.
    stored: Option<Stored>,
    stored_values: u64,
    /// The selected nodes of a range, as bits.
    selection: Selection,
}

/// The ranges that threads take, and the start of the next one.
struct Ranges {
    next: AtomicU32,
    end: u32,
    len: u32,
    /// Whether a thread failed. If so, the other threads end soon.
    is_closed: Arc<AtomicBool>,
}

impl FoldRanges {
    pub(crate) fn new(steps: Vec<Physical>, makers: Makers) -> Self {
        let measured = vec![Measured::default(); steps.len()];
        Self { steps, makers, answer: None, measured }
    }

    /// Folds all nodes, on all threads if that is faster, and returns the result.
    fn fold(&mut self, cx: &mut Context) -> Result<Fold, Stop> {
        let held = cx.budget.held();
        let mut own = self.folder()?;
        own.prepare(cx)?;
        match self.fold_with(&mut own, cx) {
            // Each thread holds a partial result. If these together exceed the budget, the single result of
            // one thread may still fit.
            Err(stop) if cx.threads > 1 && is_over_budget(&stop) => {
                drop(own);
                cx.budget.give_back(cx.budget.held().saturating_sub(held));
                let mut alone = self.folder()?;
                alone.prepare(cx)?;
                alone.fold_range(0..cx.nodes, cx)?;
                self.end(alone, cx)
            }
            Err(stop) => Err(stop),
            Ok(()) => self.end(own, cx),
        }
    }

    /// Completes the result of the last folder, into which those of all other threads were merged.
    fn end(&mut self, mut last: Folder, cx: &mut Context) -> Result<Fold, Stop> {
        self.measure(&last);
        last.fold.finish(cx)?;
        Ok(last.fold)
    }

    /// Folds all ranges, first on this thread alone, then with other threads. Leaves the merged result in
    /// `own`.
    fn fold_with(&mut self, own: &mut Folder, cx: &mut Context) -> Result<(), Stop> {
        let (begin, mut next, mut len) = (Instant::now(), 0, RANGE_MIN);
        if !own.scan.has_ranges() || cx.threads == 1 {
            return own.fold_range(0..cx.nodes, cx);
        }
        while !cx.eager_threads && next < cx.nodes && begin.elapsed() < ALONE {
            let end = cx.nodes.min(next.saturating_add(len));
            own.fold_range(next..end, cx)?;
            (next, len) = (end, (2 * len).min(RANGE_MAX));
        }
        if !cx.eager_threads && !threads_pay(begin.elapsed(), next as usize, (cx.nodes - next) as usize) {
            return own.fold_range(next..cx.nodes, cx);
        }
        let most = (cx.nodes - next) / (cx.threads as u32).saturating_mul(RANGES_OF_THREAD).max(1);
        let len = most.clamp(RANGE_MIN, RANGE_MAX).next_multiple_of(64);
        let (next, is_closed) = (AtomicU32::new(next), Arc::default());
        let ranges = Ranges { next, end: cx.nodes, len, is_closed };
        for other in self.fold_together(own, &ranges, cx)? {
            self.measure(&other);
            cx.values_read += other.scanned.values_read;
            own.fold.merge(other.fold, cx)?;
        }
        Ok(())
    }

    /// Folds ranges on this thread and others until none is left. Returns the folders of the other threads.
    fn fold_together(
        &self,
        own: &mut Folder,
        ranges: &Ranges,
        cx: &mut Context,
    ) -> Result<Vec<Folder>, Stop> {
        let others: Vec<Folder> = (1..cx.threads)
            .map(|_| {
                let mut other = self.folder()?;
                other.share(own);
                Ok(other)
            })
            .collect::<Result<_, Stop>>()?;
        std::thread::scope(|scope| {
            let start = |mut folder: Folder| {
                let settings = cx.of_thread(ranges.is_closed.clone());
                start_in(scope, move || folder.fold_on_thread(ranges, &settings).map(|()| folder))
            };
            let threads: Vec<_> = others.into_iter().map_while(start).collect();
            let outcome = ranges.fold_all(own, cx);
            let joined = threads.into_iter().map(|thread| match thread.join() {
                Ok(outcome) => outcome,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            let joined: Vec<Result<Folder, Stop>> = joined.collect();
            first_failure(outcome, joined)
        })
    }

    fn folder(&self) -> Result<Folder, Stop> {
        let parts = (self.steps.first(), self.steps.last());
        let (Some(first), Some(last)) = parts else { return Err(Stop::Cancelled) };
        let (Some(scan), Some(fold)) = ((self.makers.scan)(first), Fold::of(&last.operator)) else {
            return Err(Stop::Cancelled);
        };
        let between = &self.steps[1..self.steps.len() - 1];
        let steps = between.first().map(|step| {
            let input =
                Physical { operator: Operator::InnerInput, shape: first.shape.clone(), ..step.clone() };
            let steps: Vec<_> = std::iter::once(input).chain(between.iter().cloned()).collect();
            (self.makers.steps)(&steps)
        });
        Ok(Folder {
            scan,
            scan_at: first.at.clone(),
            scanned: Measured::default(),
            rows: Batch::default(),
            steps,
            results: Batch::default(),
            fold,
            stored: Stored::of(&self.steps),
            stored_values: 0,
            selection: Selection::default(),
        })
    }

    /// Adds a thread's measurements of each step.
    fn measure(&mut self, folder: &Folder) {
        let Some((scanned, between)) = self.measured.split_first_mut() else { return };
        scanned.add(&folder.scanned);
        if let Some(steps) = &folder.steps {
            let mut of_steps = vec![Measured::default(); steps.len()];
            steps.add_measured(&mut of_steps);
            between.iter_mut().zip(&of_steps[1..]).for_each(|(sum, step)| sum.add(step));
            between[0].rows += folder.stored_values;
        }
    }
}

impl Operate for FoldRanges {
    fn next(&mut self, _: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        let begin = Instant::now();
        let mut answer = match self.answer.take() {
            Some(answer) => answer,
            None => cx.in_whole_batches(|cx| self.fold(cx))?,
        };
        let more = answer.give(output, cx);
        self.answer = Some(answer);
        if let Some(folded) = self.measured.last_mut() {
            folded.time += begin.elapsed();
            folded.rows += output.rows() as u64;
            folded.batches += u64::from(matches!(more, Ok(true)));
        }
        more
    }

    fn reset(&mut self) {
        self.answer = None;
    }

    fn inside(&self) -> Option<Vec<Measured>> {
        Some(self.measured.clone())
    }
}

impl Folder {
    /// Prepares the scan and the steps. All threads will share the results of text tests.
    fn prepare(&mut self, cx: &mut Context) -> Result<(), Stop> {
        let limit = cx.budget.limit();
        self.scan.prepare(cx).map_err(|stop| stop.inside(&self.scan_at, limit))?;
        self.steps.iter_mut().try_for_each(|steps| steps.prepare(cx))
    }

    /// Makes this folder share the results of text tests with another folder.
    fn share(&mut self, other: &Self) {
        self.scan.share_texts(&other.scan);
        if let (Some(steps), Some(others)) = (&mut self.steps, &other.steps) {
            steps.share(others);
        }
    }

    /// Folds ranges on a separate thread until none is left.
    fn fold_on_thread(&mut self, ranges: &Ranges, settings: &Settings) -> Result<(), Stop> {
        let mut trails = Trails::default();
        let mut cx = settings.context(&mut trails);
        let outcome = ranges.fold_all(self, &mut cx);
        self.scanned.values_read = cx.values_read;
        outcome
    }

    /// Scans and folds a range of nodes.
    fn fold_range(&mut self, range: Range<u32>, cx: &mut Context) -> Result<(), Stop> {
        if self.fold_stored(&range, cx)? || self.fold_selected(&range, cx)? {
            return Ok(());
        }
        self.scan.begin(range);
        while self.scan_rows(cx)? {
            let Some(steps) = &mut self.steps else {
                self.fold.add(&self.rows, cx)?;
                continue;
            };
            steps.begin_with(&mut self.rows);
            while steps.next_into(&mut self.results, cx)? {
                self.fold.add(&self.results, cx)?;
            }
        }
        Ok(())
    }

    /// Folds all nodes of a range directly from the stored column. If that is not possible, adds nothing and
    /// returns false.
    fn fold_stored(&mut self, range: &Range<u32>, cx: &mut Context) -> Result<bool, Stop> {
        let Some(stored) = self.stored.as_ref().filter(|_| self.scan.gives_all()) else { return Ok(false) };
        for nodes in parts(range, RANGE_MAX) {
            cx.cancel.check()?;
            if !self.fold.add_stored(stored, nodes.clone(), cx)? {
                return Ok(false);
            }
            if cx.is_profiled {
                self.scanned.rows += nodes.len() as u64;
                self.stored_values += stored.count(nodes);
            }
        }
        Ok(true)
    }

    /// Folds the nodes of a range that pass the scan, without turning these nodes into rows. If that is not
    /// possible, adds nothing and returns false.
    fn fold_selected(&mut self, range: &Range<u32>, cx: &mut Context) -> Result<bool, Stop> {
        let takes_selections = |stored: &&Stored| stored.takes_selections() && self.scan.selects();
        let Some(stored) = self.stored.as_ref().filter(takes_selections) else { return Ok(false) };
        for nodes in parts(range, NODES_AT_ONCE) {
            cx.tick_by(nodes.len())?;
            self.scan.select(nodes, &mut self.selection);
            let count = self.selection.count();
            if count > 0 {
                self.scanned.rows += count as u64;
                self.stored_values += self.fold.add_selected(stored, &mut self.selection, cx)?;
            }
        }
        Ok(true)
    }

    /// Puts the next rows of the scan into `rows`. Returns false at the end of the range.
    fn scan_rows(&mut self, cx: &mut Context) -> Result<bool, Stop> {
        let begin = cx.is_profiled.then(Instant::now);
        self.rows.clear();
        let more = self.scan.next(&mut [], &mut self.rows, cx);
        let more = more.map_err(|stop| stop.inside(&self.scan_at, cx.budget.limit()))?;
        if let Some(begin) = begin {
            self.scanned.time += begin.elapsed();
            self.scanned.rows += self.rows.rows() as u64;
            self.scanned.batches += u64::from(more);
        }
        Ok(more)
    }
}

/// Divides a range of nodes at multiples of `len`, so that no bitmap word or block of values is split between
/// two parts.
fn parts(range: &Range<u32>, len: u32) -> impl Iterator<Item = Range<u32>> {
    let (mut start, end) = (range.start, range.end);
    std::iter::from_fn(move || {
        let part = start..end.min((start / len + 1).saturating_mul(len));
        start = part.end;
        (!part.is_empty()).then_some(part)
    })
}

impl Ranges {
    /// Takes and folds ranges, one after another, until none is left. A failure makes the other threads end
    /// too.
    fn fold_all(&self, folder: &mut Folder, cx: &mut Context) -> Result<(), Stop> {
        let outcome = self.fold_each(folder, cx);
        self.is_closed.fetch_or(outcome.is_err(), Ordering::Relaxed);
        outcome
    }

    fn fold_each(&self, folder: &mut Folder, cx: &mut Context) -> Result<(), Stop> {
        while !self.is_closed.load(Ordering::Relaxed) {
            cx.cancel.check()?;
            let start = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| {
                (next < self.end).then(|| self.end.min(next.saturating_add(self.len)))
            });
            let Ok(start) = start else { return Ok(()) };
            folder.fold_range(start..self.end.min(start.saturating_add(self.len)), cx)?;
        }
        Ok(())
    }
}

/// The folders of the other threads, or the error of one thread. An error in one thread cancels the other
/// threads. So cancellation is returned only if no thread has a different error.
fn first_failure(own: Result<(), Stop>, others: Vec<Result<Folder, Stop>>) -> Result<Vec<Folder>, Stop> {
    let (mut folders, mut failure) = (Vec::new(), own.err());
    for other in others {
        match other {
            Ok(folder) => folders.push(folder),
            Err(stop) if failure.as_ref().is_none_or(is_cancelled) => failure = Some(stop),
            Err(_) => {}
        }
    }
    failure.map_or(Ok(folders), Err)
}

fn is_cancelled(stop: &Stop) -> bool {
    match stop {
        Stop::Cancelled => true,
        Stop::Inside(error) => matches!(**error, PipelineError::Cancelled { .. }),
        _ => false,
    }
}

fn is_over_budget(stop: &Stop) -> bool {
    match stop {
        Stop::OverBudget { .. } => true,
        Stop::Inside(error) => matches!(**error, PipelineError::OverBudget { .. }),
        _ => false,
    }
}
