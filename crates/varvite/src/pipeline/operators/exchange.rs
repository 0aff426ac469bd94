//! [`Exchange`]: steps that treat each row for itself, on all threads.
//!
//! Rows are run through the steps on the caller's thread first, a few at a time. When that tells what a row costs, that this is more
//! than to move it, and that so many are left that threads are worth their start, a [`WorkerPool`] goes on. Either way the results come in
//! the order of the rows, so that nobody can tell but by the clock. The name is that of Volcano's operator (Graefe, 1990); morsels are
//! those of (Leis et al., 2014).

use std::collections::VecDeque;
use std::ops::Range;
use std::time::{Duration, Instant};

use super::chain::{Measured, Operate, Stage, pull};
use super::context::Context;
use super::inner::Inner;
use super::morsel::{Morsel, WorkerSteps};
use super::stop::Stop;
use super::worker_pool::{Taken, WorkerPool};
use crate::pipeline::plan::Physical;
use crate::pipeline::rows::Batch;

/// The work that tells what a row costs, before threads join.
const ALONE: Duration = Duration::from_micros(100);
/// They join if so many morsels are left: starting and ending one takes some 100 us.
const MORSELS_MIN: usize = 3;
/// They join if a row takes so long: moving it takes 2 to 3 ns.
const ROW_NS_MIN: f64 = 5.0;
/// They join if the caller asks for so many rows at a time: one that takes few may want no more.
const BATCH_ROWS_MIN: usize = 256;
/// The work of a morsel: many times what it takes to wake a thread.
const MORSEL_TIME: Duration = Duration::from_micros(200);
/// Rows of the first morsel, and of the largest.
const ROWS_MIN: usize = 64;
const ROWS_MAX: usize = 16384;

/// Makes steps ready to run: once for the caller's thread, and once for each other.
pub(crate) type Build = fn(&[Physical]) -> Inner;

/// The operator around steps that treat each row for itself.
#[derive(Debug)]
pub(crate) struct Exchange {
    steps: Vec<Physical>,
    build: Build,
    /// The steps on the caller's thread, and whether they have rows that they did not give.
    own: Option<WorkerSteps>,
    has_begun: bool,
    pool: Option<WorkerPool>,
    pace: Pace,
    /// What is left of the input.
    rows: Range<usize>,
    /// Morsels of rows before those, which nobody has begun.
    ahead: VecDeque<Morsel>,
    /// Buffers for the next morsel.
    spare: Morsel,
    /// The end of the input, well or not.
    end: Option<Result<(), Stop>>,
}

/// How long rows took: on the caller's thread, then in morsels. The first ones may have waited for the disk, and then tell little of the
/// others.
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
            own: None,
            has_begun: false,
            pool: None,
            pace: Pace::default(),
            rows: 0..0,
            ahead: VecDeque::new(),
            spare: Morsel::default(),
            end: None,
        }
    }

    /// Gets the steps ready. What filters find out about texts is for all threads.
    fn prepare(&mut self, cx: &mut Context) -> Result<(), Stop> {
        if self.own.is_some() {
            return Ok(());
        }
        let mut own = WorkerSteps::new((self.build)(&self.steps));
        own.prepare(cx)?;
        self.own = Some(own);
        Ok(())
    }

    /// Makes sure that there are rows of the input; false at its end.
    fn has_rows(&mut self, before: &mut [Stage], cx: &mut Context) -> bool {
        if !self.rows.is_empty() {
            return true;
        }
        if self.end.is_none() {
            match pull(before, cx) {
                Ok(true) => self.rows = 0..before.last().map_or(0, |stage| stage.output.rows()),
                Ok(false) => self.end = Some(Ok(())),
                Err(stop) => self.end = Some(Err(stop)),
            }
        }
        self.end.is_none()
    }

    /// Rows on the caller's thread; none when it is done with what it began.
    fn go_on(&mut self, output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        let Some(own) = self.own.as_mut().filter(|_| self.has_begun) else { return Ok(false) };
        let begin = Instant::now();
        let more = own.next_into(output, cx);
        self.pace.time += begin.elapsed();
        self.has_begun = matches!(more, Ok(true));
        more
    }

    fn begin_alone(&mut self, before: &[Stage], cx: &Context) -> Result<(), Stop> {
        let mut morsel = match self.ahead.pop_front() {
            Some(morsel) => morsel,
            None => {
                let mut morsel = std::mem::take(&mut self.spare);
                // Not far beyond the moment when threads may join.
                let wanted = self.pace.piece_rows(ALONE / 2).min(cx.batch_rows);
                self.take_rows(wanted, before, &mut morsel, cx)?;
                morsel
            }
        };
        self.pace.rows += morsel.rows();
        self.has_begun = true;
        self.own.iter_mut().for_each(|own| own.begin(&mut morsel));
        self.spare = morsel;
        Ok(())
    }

    /// Takes rows of what is there of the input, at most `count`.
    fn take_rows(
        &mut self,
        count: usize,
        before: &[Stage],
        morsel: &mut Morsel,
        cx: &Context,
    ) -> Result<(), Stop> {
        let Some(stage) = before.last() else { return Ok(()) };
        let end = self.rows.end.min(self.rows.start + count);
        self.rows.start += morsel.push_range(&stage.output, self.rows.start..end, cx)?;
        Ok(())
    }

    fn start_if_it_pays(&mut self, before: &mut [Stage], cx: &mut Context) -> Result<(), Stop> {
        let is_dear = self.pace.time >= ALONE && self.pace.row_ns() >= ROW_NS_MIN;
        if is_dear && cx.batch_rows >= BATCH_ROWS_MIN {
            while self.ahead.len() < MORSELS_MIN {
                if !self.put_together(before, cx)? {
                    return Ok(());
                }
            }
            let worker = || {
                let mut worker = WorkerSteps::new((self.build)(&self.steps));
                self.own.iter().for_each(|own| worker.share(own));
                worker
            };
            self.pool = WorkerPool::start(worker, cx);
        }
        Ok(())
    }

    /// Puts a morsel together of what there is of the input; false if that is too little, or nothing.
    fn put_together(&mut self, before: &mut [Stage], cx: &mut Context) -> Result<bool, Stop> {
        let wanted = self.pace.piece_rows(MORSEL_TIME);
        let mut morsel = std::mem::take(&mut self.spare);
        while morsel.rows() < wanted && !morsel.is_full() && self.has_rows(before, cx) {
            self.take_rows(wanted - morsel.rows(), before, &mut morsel, cx)?;
        }
        let is_enough = morsel.rows() >= wanted || morsel.is_full();
        if morsel.rows() > 0 {
            self.ahead.push_back(morsel);
        }
        Ok(is_enough)
    }

    /// Gives the pool as much as it has room for.
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
}

impl Operate for Exchange {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        self.prepare(cx)?;
        loop {
            if self.go_on(output, cx)? {
                return Ok(true);
            }
            if self.pool.is_none() {
                if self.ahead.is_empty() && !self.has_rows(before, cx) {
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
                Taken::Rows => return Ok(true),
                Taken::Morsel(rows, time) => self.pace.learn(rows, time),
                Taken::Nothing => break,
            }
        }
        self.end.clone().unwrap_or(Ok(())).map(|()| false)
    }

    fn reset(&mut self) {
        *self = Self::new(std::mem::take(&mut self.steps), self.build);
    }

    fn inside(&self) -> Option<Vec<Measured>> {
        let mut sum = vec![Measured::default(); self.steps.len()];
        self.own.iter().for_each(|own| own.add_measured(&mut sum));
        self.pool.iter().for_each(|pool| pool.add_measured(&mut sum));
        Some(sum.split_off(1))
    }
}

impl Pace {
    /// A morsel took so long. What was before counts half.
    fn learn(&mut self, rows: usize, time: Duration) {
        self.rows = self.rows / 2 + rows;
        self.time = self.time / 2 + time;
    }

    /// How long a row took.
    fn row_ns(&self) -> f64 {
        self.time.as_nanos() as f64 / self.rows.max(1) as f64
    }

    /// Rows that take about so long: few as long as nobody knows.
    fn piece_rows(&self, time: Duration) -> usize {
        if self.time.is_zero() {
            return ROWS_MIN;
        }
        // At most twice as many as there were, so that the first rows do not speak for a million others.
        let rows = (time.as_nanos() as f64 / self.row_ns()) as usize;
        rows.min(2 * self.rows).clamp(1, ROWS_MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_grow_after_a_cold_start_and_stay_small_where_rows_are_slow() {
        let cold = || Pace { rows: 64, time: Duration::from_millis(640) };
        for (row_ns, expected) in [(10, ROWS_MAX), (1000, 200), (1_000_000, 1)] {
            let mut pace = cold();
            assert_eq!(pace.piece_rows(MORSEL_TIME), 1);
            for _ in 0..40 {
                let rows = pace.piece_rows(MORSEL_TIME);
                pace.learn(rows, Duration::from_nanos(row_ns * rows as u64));
            }
            let rows = pace.piece_rows(MORSEL_TIME);
            assert!(rows.abs_diff(expected) <= expected / 100, "{rows} rows of {row_ns} ns");
        }
    }
}
