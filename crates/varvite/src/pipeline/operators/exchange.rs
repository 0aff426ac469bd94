//! [`Exchange`]: steps that treat each row for itself, on all threads.
//!
//! Rows are run through the steps on the caller's thread first, a few at a time. When that has taken longer than threads take to
//! start, and a row costs more than to move it, a [`Crew`] goes on. Either way the results come in the order of the rows, so that
//! nobody can tell but by the clock. The name is that of Volcano's operator (Graefe, 1990); the pieces are morsels (Leis et al., 2014).

use std::ops::Range;
use std::time::{Duration, Instant};

use super::batch::Batch;
use super::chain::{Inner, Measured, Operate, Stage, pull, stages};
use super::context::{Context, Stop};
use super::crew::{Crew, Taken};
use crate::pipeline::plan::{Operator, Physical};

/// The work after which threads join: starting two takes some 50 us.
const ALONE: Duration = Duration::from_micros(200);
/// They join if a row takes so long: moving it takes 2 to 3 ns.
const ROW_NS_MIN: f64 = 5.0;
/// They join if the caller asks for so many rows at a time: one that takes few may want no more.
const BATCH_ROWS_MIN: usize = 256;
/// The work of a piece: many times what it takes to wake a thread.
const PIECE_NS: f64 = 200e3;
/// Rows of the first piece, and of the largest.
const ROWS_MIN: usize = 64;
const ROWS_MAX: usize = 16384;

/// The operator around steps that treat each row for itself.
#[derive(Debug)]
pub(crate) struct Exchange {
    steps: Vec<Physical>,
    /// The steps on the caller's thread, and whether they have rows that they did not give.
    own: Option<Inner>,
    has_begun: bool,
    crew: Option<Crew>,
    pace: Pace,
    /// What is left of the input.
    rows: Range<usize>,
    /// The piece that is put together.
    piece: Batch,
    /// The end of the input, well or not.
    end: Option<Result<(), Stop>>,
}

/// How long rows took: on the caller's thread, then in pieces. The first ones may have waited for the disk, and then tell little of the
/// others.
#[derive(Debug, Default)]
struct Pace {
    rows: usize,
    time: Duration,
}

impl Exchange {
    pub(crate) fn new(steps: Vec<Physical>) -> Self {
        Self {
            steps,
            own: None,
            has_begun: false,
            crew: None,
            pace: Pace::default(),
            rows: 0..0,
            piece: Batch::default(),
            end: None,
        }
    }

    /// Gets the steps ready. What filters find out about texts is for all threads.
    fn prepare(&mut self, cx: &mut Context) -> Result<(), Stop> {
        if self.own.is_some() {
            return Ok(());
        }
        for step in &mut self.steps {
            if let Operator::Filter(filter) = &mut step.operator {
                filter.prepare(0, cx).map_err(|stop| stop.inside(&step.at, cx))?;
            }
        }
        self.own = Some(Inner::new(&self.steps));
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

    /// Takes some rows of the input.
    fn take_rows(&mut self, count: usize) -> Range<usize> {
        let rows = self.rows.start..self.rows.end.min(self.rows.start + count);
        self.rows.start = rows.end;
        rows
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

    fn begin_alone(&mut self, before: &[Stage], cx: &Context) {
        let count = self.pace.piece_rows().min(cx.batch_rows);
        let rows = self.take_rows(count);
        self.pace.rows += rows.len();
        if let (Some(own), Some(stage)) = (&mut self.own, before.last()) {
            own.begin(&stage.output, rows);
            self.has_begun = true;
        }
    }

    fn start_if_it_pays(&mut self, cx: &Context) {
        let is_dear = self.pace.time >= ALONE && self.pace.row_ns() >= ROW_NS_MIN;
        if is_dear && cx.batch_rows >= BATCH_ROWS_MIN {
            self.crew = Crew::start(&self.steps, cx);
        }
    }

    /// Gives the crew as much as it has room for.
    fn feed(&mut self, before: &mut [Stage], cx: &mut Context) {
        let wanted = self.pace.piece_rows();
        while self.crew.as_ref().is_some_and(Crew::has_room) {
            while self.piece.rows() < wanted && self.has_rows(before, cx) {
                let rows = self.take_rows(wanted - self.piece.rows());
                if let Some(stage) = before.last() {
                    self.piece.push_range(&stage.output, rows);
                }
            }
            if self.piece.rows() == 0 {
                return;
            }
            if let Some(crew) = &mut self.crew {
                crew.give(&mut self.piece);
            }
        }
    }
}

impl Operate for Exchange {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        self.prepare(cx)?;
        loop {
            if self.go_on(output, cx)? {
                return Ok(true);
            }
            if self.crew.is_none() {
                if !self.has_rows(before, cx) {
                    break;
                }
                self.start_if_it_pays(cx);
            }
            if self.crew.is_none() {
                self.begin_alone(before, cx);
                continue;
            }
            self.feed(before, cx);
            match self.crew.as_mut().map_or(Ok(Taken::Nothing), |crew| crew.take(output))? {
                Taken::Rows => return Ok(true),
                Taken::Piece(rows, time) => self.pace.learn(rows, time),
                Taken::Nothing => break,
            }
        }
        self.end.clone().unwrap_or(Ok(())).map(|()| false)
    }

    fn reset(&mut self) {
        *self = Self::new(std::mem::take(&mut self.steps));
    }

    fn inside(&self) -> Option<Vec<Measured>> {
        let mut sum = vec![Measured::default(); self.steps.len()];
        self.own.iter().for_each(|own| own.add_measured(&mut sum));
        self.crew.iter().for_each(|crew| crew.add_measured(&mut sum));
        Some(sum.split_off(1))
    }
}

impl Pace {
    /// A piece took so long. What was before counts half.
    fn learn(&mut self, rows: usize, time: Duration) {
        self.rows = self.rows / 2 + rows;
        self.time = self.time / 2 + time;
    }

    /// How long a row took.
    fn row_ns(&self) -> f64 {
        self.time.as_nanos() as f64 / self.rows.max(1) as f64
    }

    /// Rows of the next piece: few as long as nobody knows.
    fn piece_rows(&self) -> usize {
        if self.time.is_zero() {
            return ROWS_MIN;
        }
        // At most twice as many as there were, so that the first rows do not speak for a million others.
        let rows = (PIECE_NS / self.row_ns()) as usize;
        rows.min(2 * self.rows).clamp(1, ROWS_MAX)
    }
}

/// The stages of a run: steps that treat each row for itself are together in one [`Exchange`].
pub(crate) fn stages_on_threads(steps: &[Physical]) -> Vec<Stage> {
    let Some((source, mut left)) = steps.split_first() else { return Vec::new() };
    let mut staged = stages(std::slice::from_ref(source));
    let mut shape = &source.shape;
    while let Some(first) = left.first() {
        let count = left.iter().take_while(|step| step.is_independent()).count();
        let (together, rest) = left.split_at(count.max(1));
        if count == 0 {
            staged.extend(stages(together));
        } else {
            let given = Physical { operator: Operator::Given, shape: shape.clone(), ..first.clone() };
            let steps: Vec<_> = std::iter::once(given).chain(together.iter().cloned()).collect();
            staged.push(Stage::new(together[count - 1].at.clone(), Box::new(Exchange::new(steps))));
        }
        shape = &together[together.len() - 1].shape;
        left = rest;
    }
    staged
}

impl Physical {
    /// Whether the operator gives for each row what it would give for that row alone.
    fn is_independent(&self) -> bool {
        use Operator::{Choose, Coalesce, Columns, Repeat, Union, Values};
        self.is_rowwise()
            || matches!(
                self.operator,
                Union(_) | Coalesce(_) | Choose(_) | Repeat(_) | Values(_) | Columns(_)
            )
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
            assert_eq!(pace.piece_rows(), 1);
            for _ in 0..40 {
                let rows = pace.piece_rows();
                pace.learn(rows, Duration::from_nanos(row_ns * rows as u64));
            }
            let rows = pace.piece_rows();
            assert!(rows.abs_diff(expected) <= expected / 100, "{rows} rows of {row_ns} ns");
        }
    }
}
