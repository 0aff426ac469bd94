//! [`Exchange`]: runs steps on all threads. The steps must treat each row independently.
//!
//! First, the steps process rows on the caller's thread, a few at a time. If the work on a row turns out to
//! take longer than moving the row to another thread, and if enough rows are left to be worth starting
//! threads, a [`WorkerPool`] continues. In both cases, results come in the order of the input rows. The
//! operator is named after the exchange operator of Volcano (Graefe, 1990). For morsels, see (Leis et al.,
//! 2014).
//!
//! If the steps follow a scan, the exchange includes the scan: threads take ranges of nodes and scan them. If
//! the nodes come from an index, they are instead found first and then distributed to threads.

use std::collections::VecDeque;
use std::ops::Range;
use std::time::{Duration, Instant};

use super::chain::{Measured, Operate, Stage, pull};
use super::context::Context;
use super::inner::Inner;
use super::morsel::{Morsel, WorkerSteps};
use super::scan::begin_lanes;
use super::stop::Stop;
use super::worker_pool::{NextWork, WorkerPool};
use crate::pipeline::plan::{Operator, Physical};
use crate::pipeline::rows::Batch;

/// The time for which the caller's thread works alone, to measure the cost of a row.
const ALONE: Duration = Duration::from_micros(50);
/// Threads start only if the rest of the nodes, at the speed so far, takes at least this time: waking a kept
/// thread costs less than starting one, which takes about 100 us.
const PAYS_FROM: Duration = Duration::from_micros(250);
/// Threads start only if at least this number of morsels remains.
const MORSELS_MIN: usize = 2;
/// Threads start only if a row takes at least this time: moving a row takes 2 to 3 ns.
const ROW_NS_MIN: f64 = 5.0;
/// Threads start only if a batch has at least this number of rows, since a caller that requests few rows may
/// stop soon. But if the caller's thread found no row during the time `ALONE`, threads start anyway.
const BATCH_ROWS_MIN: usize = 256;
/// The intended duration of a morsel: many times the cost of giving it to a thread.
const MORSEL_TIME: Duration = Duration::from_micros(100);
/// The number of rows in the first and in the largest morsel of rows, and the number of nodes in the largest
/// morsel of nodes.
const ROWS_MIN: usize = 64;
const ROWS_MAX: usize = 1 << 14;
const NODES_MAX: usize = 1 << 17;
/// The number of nodes in the largest morsel on the caller's thread, before threads start.
const NODES_MAX_ALONE: usize = 1 << 20;
/// A morsel has at most `GROWTH` times as many rows, or `GROWTH_OF_NODES` times as many nodes, as were
/// measured before, since the first ones may not be typical. The factor for nodes is larger, because a scan
/// skips most nodes, and many small morsels would cost time.
const GROWTH: usize = 2;
const GROWTH_OF_NODES: usize = 16;

/// A function that makes the operators of steps. It is called once for the caller's thread, and once for each
/// other thread.
pub(crate) type Build = fn(&[Physical]) -> Inner;

/// The operator that runs independent steps on several threads.
#[derive(Debug)]
pub(crate) struct Exchange {
    /// The steps. The first step gives the rows of a morsel, or finds them in the morsel's range of nodes.
    steps: Vec<Physical>,
    build: Build,
    /// The scan that feeds the other steps, if the steps begin with a scan whose nodes come from an index.
    scan: Option<Inner>,
    /// The steps on the caller's thread, and whether they have begun a morsel but not finished it.
    own: Option<WorkerSteps>,
    has_begun: bool,
    pool: Option<WorkerPool>,
    pace: Pace,
    input: Input,
    /// Morsels that were made from the input, but that no thread has begun. Their rows come before the rest
    /// of the input.
    ahead: VecDeque<Morsel>,
    /// Reused buffers for the next morsel.
    spare: Morsel,
    /// The time that the caller's thread has worked since it last found a row.
    in_vain: Duration,
}

/// The rest of the input.
#[derive(Debug)]
enum Input {
    /// The remaining rows of the last input batch and, if the input has ended, its outcome.
    Rows(Range<usize>, Option<Result<(), Stop>>),
    Nodes(Range<u32>),
}

/// The measured speed: a number of rows or nodes, and the time that they took. Newer measurements weigh more,
/// because the first rows may have waited for the disk.
#[derive(Debug, Default)]
struct Pace {
    rows: usize,
    time: Duration,
}

impl Exchange {
    pub(crate) fn new(steps: Vec<Physical>, build: Build) -> Self {
        Self {
            steps,
            build,
            scan: None,
            own: None,
            has_begun: false,
            pool: None,
            pace: Pace::default(),
            input: Input::Rows(0..0, None),
            ahead: VecDeque::new(),
            spare: Morsel::default(),
            in_vain: Duration::ZERO,
        }
    }

    /// Prepares the steps. All threads will share the results of text tests.
    fn prepare(&mut self, cx: &mut Context) -> Result<(), Stop> {
        if self.own.is_some() {
            return Ok(());
        }
        let mut own = WorkerSteps::new((self.build)(&self.steps));
        if self.begins_with_scan() {
            let mut scan = (self.build)(&self.steps[..1]);
            scan.prepare(cx)?;
            if scan.has_ranges() {
                own.share_first(&scan);
                self.input = Input::Nodes(0..cx.nodes);
            } else {
                own = WorkerSteps::new((self.build)(&self.steps_after_scan()));
                self.scan = Some(scan);
            }
        }
        own.prepare(cx)?;
        self.own = Some(own);
        Ok(())
    }

    fn begins_with_scan(&self) -> bool {
        self.steps.first().is_some_and(|first| matches!(first.operator, Operator::Scan(_)))
    }

    /// The steps without the scan: in its place is an operator that takes the found rows.
    fn steps_after_scan(&self) -> Vec<Physical> {
        let mut steps = self.steps.clone();
        steps.iter_mut().take(1).for_each(|scan| scan.operator = Operator::InnerInput);
        steps
    }

    /// Pulls more input if none is left. Returns false at the end of the input.
    fn has_input(&mut self, before: &mut [Stage], cx: &mut Context) -> bool {
        match &mut self.input {
            Input::Nodes(nodes) => nodes.start < nodes.end,
            Input::Rows(rows, end) => {
                if rows.start == rows.end && end.is_none() {
                    match pull(before, cx) {
                        Ok(true) => *rows = 0..before.last().map_or(0, |stage| stage.output.rows()),
                        Ok(false) => *end = Some(Ok(())),
                        Err(stop) => *end = Some(Err(stop)),
                    }
                }
                rows.start < rows.end
            }
        }
    }

    /// Continues the steps on the caller's thread. Returns false when their morsel is finished.
    fn go_on(&mut self, output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        let Some(own) = self.own.as_mut().filter(|_| self.has_begun) else { return Ok(false) };
        let begin = Instant::now();
        let more = own.next_into(output, cx);
        let time = begin.elapsed();
        self.pace.time += time;
        self.has_begun = matches!(more, Ok(true));
        self.in_vain = if self.has_begun { Duration::ZERO } else { self.in_vain + time };
        more
    }

    fn begin_alone(&mut self, before: &[Stage], cx: &Context) -> Result<(), Stop> {
        let mut morsel = match self.ahead.pop_front() {
            Some(morsel) => morsel,
            None => {
                let mut morsel = std::mem::take(&mut self.spare);
                // A morsel should end soon after the time at which threads may start.
                let (growth, most) = match &self.input {
                    Input::Nodes(nodes) => (GROWTH_OF_NODES, NODES_MAX_ALONE.max(nodes.len() / 4)),
                    Input::Rows(..) => (GROWTH, ROWS_MAX.min(cx.batch_rows)),
                };
                let wanted = self.pace.piece_rows(ALONE / 2, growth, most);
                self.take(wanted, before, &mut morsel, cx)?;
                morsel
            }
        };
        self.pace.rows += morsel.rows();
        self.has_begun = true;
        self.own.iter_mut().for_each(|own| own.begin(&mut morsel));
        self.spare = morsel;
        Ok(())
    }

    /// Moves at most `count` rows or nodes of the available input to `morsel`.
    fn take(
        &mut self,
        count: usize,
        before: &[Stage],
        morsel: &mut Morsel,
        cx: &Context,
    ) -> Result<(), Stop> {
        match &mut self.input {
            Input::Nodes(nodes) => {
                let end = nodes.end.min(nodes.start.saturating_add(count as u32));
                morsel.set_nodes(nodes.start..end);
                nodes.start = end;
            }
            Input::Rows(rows, _) => {
                let Some(stage) = before.last() else { return Ok(()) };
                let end = rows.end.min(rows.start + count);
                rows.start += morsel.push_range(&stage.output, rows.start..end, cx)?;
            }
        }
        Ok(())
    }

    fn start_if_it_pays(&mut self, before: &mut [Stage], cx: &mut Context) -> Result<(), Stop> {
        if !cx.eager_threads && !self.would_pay(cx) {
            return Ok(());
        }
        while self.ahead.len() < MORSELS_MIN && self.put_together(before, cx)? {}
        if self.ahead.is_empty() || (!cx.eager_threads && self.ahead.len() < MORSELS_MIN) {
            return Ok(());
        }
        let steps = match self.begins_with_scan() && !self.input.is_nodes() {
            true => self.steps_after_scan(),
            false => self.steps.clone(),
        };
        let worker = || {
            let mut worker = WorkerSteps::new((self.build)(&steps));
            self.own.iter().for_each(|own| worker.share(own));
            worker
        };
        self.pool = WorkerPool::start(worker, cx);
        Ok(())
    }

    /// Whether the work on the caller's thread so far shows that starting threads would make the run faster.
    fn would_pay(&self, cx: &Context) -> bool {
        if self.pace.time < ALONE || (cx.batch_rows < BATCH_ROWS_MIN && self.in_vain < ALONE) {
            return false;
        }
        match &self.input {
            Input::Nodes(nodes) => self.pace.time_of(nodes.len()) >= PAYS_FROM,
            Input::Rows(..) => self.pace.row_ns() >= ROW_NS_MIN,
        }
    }

    /// Makes a morsel of rows or nodes of the input. Returns false if the input is empty, or too small for a
    /// full morsel.
    fn put_together(&mut self, before: &mut [Stage], cx: &mut Context) -> Result<bool, Stop> {
        let wanted = self.pace.piece_rows(MORSEL_TIME, GROWTH, self.input.piece_max());
        let mut morsel = std::mem::take(&mut self.spare);
        while morsel.rows() < wanted && !morsel.is_full() && self.has_input(before, cx) {
            self.take(wanted - morsel.rows(), before, &mut morsel, cx)?;
        }
        let is_enough = morsel.rows() >= wanted || morsel.is_full();
        if morsel.rows() > 0 {
            self.ahead.push_back(morsel);
        }
        Ok(is_enough)
    }

    /// Gives morsels to the pool while the pool has room.
    fn feed(&mut self, before: &mut [Stage], cx: &mut Context) -> Result<(), Stop> {
        while self.pool.as_ref().is_some_and(WorkerPool::has_room) {
            if self.ahead.is_empty() {
                self.put_together(before, cx)?;
            }
            let (Some(pool), Some(mut morsel)) = (&mut self.pool, self.ahead.pop_front()) else { break };
            pool.give(&mut morsel);
            self.spare = morsel;
        }
        Ok(())
    }

    /// Puts the next results of the steps into `output`. The steps' input comes from `before`, or from ranges
    /// of nodes. Returns false at the end.
    fn next_rows(
        &mut self,
        before: &mut [Stage],
        output: &mut Batch,
        cx: &mut Context,
    ) -> Result<bool, Stop> {
        loop {
            if self.go_on(output, cx)? {
                return Ok(true);
            }
            if self.pool.is_none() {
                if self.ahead.is_empty() && !self.has_input(before, cx) {
                    break;
                }
                self.start_if_it_pays(before, cx)?;
            }
            if self.pool.is_none() {
                self.begin_alone(before, cx)?;
                continue;
            }
            self.feed(before, cx)?;
            let (Some(pool), Some(own)) = (&mut self.pool, &mut self.own) else { break };
            match pool.next(own, output, cx)? {
                NextWork::Rows => return Ok(true),
                NextWork::Morsel(work) => {
                    cx.values_read += work.values_read;
                    self.pace.learn(work.rows, work.time);
                }
                NextWork::Nothing => break,
            }
        }
        match &self.input {
            Input::Rows(_, Some(end)) => end.clone().map(|()| false),
            _ => Ok(false),
        }
    }
}

impl Operate for Exchange {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        self.prepare(cx)?;
        let is_scan = self.steps.len() == 1;
        if is_scan && cx.forgets_trails {
            cx.trails.clear();
        }
        let mut scan = self.scan.take();
        let before = scan.as_mut().map_or(before, Inner::stages_mut);
        let more = self.next_rows(before, output, cx);
        self.scan = scan;
        let more = more?;
        if is_scan && more {
            // Threads do not return trails, so each row begins a new trail here.
            begin_lanes(output, cx)?;
        }
        Ok(more)
    }

    fn reset(&mut self) {
        *self = Self::new(std::mem::take(&mut self.steps), self.build);
    }

    fn inside(&self) -> Option<Vec<Measured>> {
        let mut sum = vec![Measured::default(); self.steps.len()];
        self.own.iter().for_each(|own| own.add_measured(&mut sum));
        self.pool.iter().for_each(|pool| pool.add_measured(&mut sum));
        if let Some(scan) = &self.scan {
            sum[0] = Measured::default();
            scan.add_measured(&mut sum);
            let found = sum[0].time;
            sum.iter_mut().skip(1).for_each(|step| step.time += found);
        }
        Some(sum.split_off(usize::from(!self.begins_with_scan())))
    }
}

impl Input {
    fn is_nodes(&self) -> bool {
        matches!(self, Self::Nodes(_))
    }

    /// The maximum number of rows or nodes of a morsel.
    fn piece_max(&self) -> usize {
        if self.is_nodes() { NODES_MAX } else { ROWS_MAX }
    }
}

impl Pace {
    /// Records the time that a morsel took. Halves all earlier measurements, so that newer ones weigh more.
    fn learn(&mut self, rows: usize, time: Duration) {
        self.rows = self.rows / 2 + rows;
        self.time = self.time / 2 + time;
    }

    /// The average time of a row in nanoseconds.
    fn row_ns(&self) -> f64 {
        self.time.as_nanos() as f64 / self.rows.max(1) as f64
    }

    /// The time that a number of rows takes at this speed.
    fn time_of(&self, rows: usize) -> Duration {
        Duration::from_nanos((self.row_ns() * rows as f64) as u64)
    }

    /// The number of rows that take about `time`. If nothing was measured yet, a small number.
    fn piece_rows(&self, time: Duration, growth: usize, most: usize) -> usize {
        if self.time.is_zero() {
            return ROWS_MIN;
        }
        let rows = (time.as_nanos() as f64 / self.row_ns()) as usize;
        rows.min(growth * self.rows).clamp(1, most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_grow_after_a_cold_start_and_stay_small_where_rows_are_slow() {
        let cold = || Pace { rows: 64, time: Duration::from_millis(640) };
        for (row_ns, expected) in [(5, ROWS_MAX), (1000, 100), (1_000_000, 1)] {
            let mut pace = cold();
            assert_eq!(pace.piece_rows(MORSEL_TIME, GROWTH, ROWS_MAX), 1);
            for _ in 0..40 {
                let rows = pace.piece_rows(MORSEL_TIME, GROWTH, ROWS_MAX);
                pace.learn(rows, Duration::from_nanos(row_ns * rows as u64));
            }
            let rows = pace.piece_rows(MORSEL_TIME, GROWTH, ROWS_MAX);
            assert!(rows.abs_diff(expected) <= expected / 100, "{rows} rows of {row_ns} ns");
        }
    }
}
