//! The operators of `limit` and `skip`.
//!
//! In a run for many rows, they count the rows of each number separately.

use super::chain::{Operate, Stage, pull};
use super::context::Context;
use super::stop::Stop;
use crate::pipeline::rows::Batch;

/// The operator of `limit`. It takes no more rows from its input than it gives, unless rows have numbers.
#[derive(Debug)]
pub(super) struct Limit {
    count: u64,
    left: u64,
    place: Place,
}

impl Limit {
    pub(super) fn new(count: u64) -> Self {
        Self { count, left: count, place: Place::default() }
    }
}

impl Operate for Limit {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        if cx.has_numbers {
            let count = self.count;
            return self.place.keep(before, output, |place| place < count, cx);
        }
        if self.left == 0 {
            return Ok(false);
        }
        let batch_rows = cx.batch_rows;
        cx.batch_rows = batch_rows.min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let more = pull(before, cx);
        cx.batch_rows = batch_rows;
        if !more? {
            return Ok(false);
        }
        let Some(input) = before.last().map(|stage| &stage.output) else { return Ok(false) };
        let taken = (input.rows() as u64).min(self.left);
        (0..taken as usize).for_each(|row| output.push_row(input, row, cx.carried));
        self.left -= taken;
        Ok(taken > 0)
    }

    fn reset(&mut self) {
        (self.left, self.place) = (self.count, Place::default());
    }
}

/// The operator of `skip`.
#[derive(Debug)]
pub(super) struct Skip {
    count: u64,
    left: u64,
    place: Place,
}

impl Skip {
    pub(super) fn new(count: u64) -> Self {
        Self { count, left: count, place: Place::default() }
    }
}

impl Operate for Skip {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        if cx.has_numbers {
            let count = self.count;
            return self.place.keep(before, output, |place| place >= count, cx);
        }
        while pull(before, cx)? {
            let Some(input) = before.last().map(|stage| &stage.output) else { break };
            let rows = input.rows();
            let skipped = self.left.min(rows as u64);
            self.left -= skipped;
            if (skipped as usize) < rows {
                (skipped as usize..rows).for_each(|row| output.push_row(input, row, cx.carried));
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn reset(&mut self) {
        (self.left, self.place) = (self.count, Place::default());
    }
}

/// A row's number, and its place among the rows of this number.
#[derive(Debug, Default)]
struct Place {
    number: Option<u32>,
    place: u64,
}

impl Place {
    /// Passes on the next rows whose places `keeps` accepts.
    fn keep(
        &mut self,
        before: &mut [Stage],
        output: &mut Batch,
        keeps: impl Fn(u64) -> bool,
        cx: &mut Context,
    ) -> Result<bool, Stop> {
        while pull(before, cx)? {
            let Some(input) = before.last().map(|stage| &stage.output) else { break };
            for (row, number) in input.depth.iter().enumerate() {
                if self.number != Some(*number) {
                    *self = Self { number: Some(*number), place: 0 };
                }
                if keeps(self.place) {
                    output.push_row(input, row, cx.carried);
                }
                self.place += 1;
            }
            if output.rows() > 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
