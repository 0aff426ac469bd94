//! [`FoldRanges`]: a scan, steps that treat each row for itself, and one answer of all rows, on all threads.
//!
//! The nodes are cut into ranges of ids. A thread takes a range, scans it, runs the steps for the nodes
//! found, and adds the rows to its own partial result; no row goes from one thread to another. Partial
//! results are merged at the end. Only folds whose parts merge exactly are run so. The caller's thread begins
//! alone: others join once the rest of the work pays for them. Morsels of a range from the scan to the
//! aggregate are those of (Leis et al., 2014).

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

/// The work to measure whether other threads pay.
const ALONE: Duration = Duration::from_micros(100);
/// Nodes of the first range, and of the largest.
const RANGE_MIN: u32 = 1 << 10;
const RANGE_MAX: u32 = 1 << 16;
/// Ranges that each thread has at least, so that none waits long for the last.
const RANGES_OF_THREAD: u32 = 8;

/// Makes a scan ready to run.
pub(crate) type BuildScan = fn(&Physical) -> Option<Scan>;

/// The plan of the parts; each thread makes its own from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Makers {
    pub(crate) scan: BuildScan,
    pub(crate) steps: Build,
}

/// The operator of a scan, steps and a fold together.
#[derive(Debug)]
pub(crate) struct FoldRanges {
    /// A scan, steps that treat each row for itself, and a fold.
    steps: Vec<Physical>,
    makers: Makers,
    /// The answer, once there is one.
    answer: Option<Fold>,
    measured: Vec<Measured>,
}

/// The operators of a thread.
struct Folder {
    scan: Scan,
    scan_at: StepAt,
    scanned: Measured,
    rows: Batch,
    /// None: rows are folded as the scan gives them.
    steps: Option<Inner>,
    results: Batch,
    fold: Fold,
    /// The column that is folded in place of the rows, and how many of its values were.
    stored: Option<Stored>,
    stored_values: u64,
    /// The nodes whose values are folded, if not all are.
    selection: Selection,
}

/// The ranges that threads take.
struct Ranges {
    next: AtomicU32,
    end: u32,
    len: u32,
    /// Some thread failed: the others end soon.
    is_closed: Arc<AtomicBool>,
}

impl FoldRanges {
    pub(crate) fn new(steps: Vec<Physical>, makers: Makers) -> Self {
        let measured = vec![Measured::default(); steps.len()];
        Self { steps, makers, answer: None, measured }
    }

    /// The answer, from all threads.
    fn fold(&mut self, cx: &mut Context) -> Result<Fold, Stop> {
        let held = cx.budget.held();
        let mut own = self.folder()?;
        own.prepare(cx)?;
        match self.fold_with(&mut own, cx) {
            // Threads hold an answer each, and one alone may have room for its own.
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

    /// The answer of the last thread, which is that of all.
    fn end(&mut self, mut last: Folder, cx: &mut Context) -> Result<Fold, Stop> {
        self.measure(&last);
        last.fold.finish(cx)?;
        Ok(last.fold)
    }

    /// Folds all ranges, on this thread alone and then with others; the answer is in `own`.
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

    /// Folds ranges until there are none, on this thread and others, which are given back with their answers.
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

    /// Adds the measurements of a thread for each step.
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
    /// Gets everything ready. All threads share the answers of filters about texts.
    fn prepare(&mut self, cx: &mut Context) -> Result<(), Stop> {
        let limit = cx.budget.limit();
        self.scan.prepare(cx).map_err(|stop| stop.inside(&self.scan_at, limit))?;
        self.steps.iter_mut().try_for_each(|steps| steps.prepare(cx))
    }

    /// Shares the results of another one about texts.
    fn share(&mut self, other: &Self) {
        self.scan.share_texts(&other.scan);
        if let (Some(steps), Some(others)) = (&mut self.steps, &other.steps) {
            steps.share(others);
        }
    }

    /// Folds ranges until there are none, on a thread of its own.
    fn fold_on_thread(&mut self, ranges: &Ranges, settings: &Settings) -> Result<(), Stop> {
        let mut trails = Trails::default();
        let mut cx = settings.context(&mut trails);
        let outcome = ranges.fold_all(self, &mut cx);
        self.scanned.values_read = cx.values_read;
        outcome
    }

    /// Adds the rows of a range of nodes.
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

    /// Adds all nodes of a range by the column as it is stored; false, with nothing added, where that can't
    /// be done.
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

    /// Adds the nodes of a range that pass, without making rows of them; false, with nothing added, where
    /// that can't be done.
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

    /// The next rows of the scan; false at the end of the range.
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

/// A range of nodes, cut where ids are multiples of `len`: so that words of bits are whole, and blocks of
/// values as well.
fn parts(range: &Range<u32>, len: u32) -> impl Iterator<Item = Range<u32>> {
    let (mut start, end) = (range.start, range.end);
    std::iter::from_fn(move || {
        let part = start..end.min((start / len + 1).saturating_mul(len));
        start = part.end;
        (!part.is_empty()).then_some(part)
    })
}

impl Ranges {
    /// Folds the ranges that no thread has taken, one after another. A failure ends the other threads too.
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

/// The merged result of all threads, or the error of one. Cancellation is returned only if no thread has
/// another error, since an error cancels the other threads.
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
