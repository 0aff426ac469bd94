//! The operators of `as` and `select`. [`Inner`](super::inner::Inner) names the row with which it begins.

use super::chain::{Operate, Stage, pull};
use super::context::Context;
use super::stop::Stop;
use crate::pipeline::rows::Batch;

/// The operator of `as`, which passes its rows on.
#[derive(Debug)]
pub(crate) struct Passing;

impl Operate for Passing {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        let more = pull(before, cx)?;
        if let Some(input) = before.last_mut().filter(|_| more) {
            std::mem::swap(output, &mut input.output);
        }
        Ok(more)
    }

    fn reset(&mut self) {}
}

/// The operator of `select`, which replaces each row by the row of a name.
#[derive(Debug)]
pub(crate) struct Select {
    /// The number of the name.
    name: usize,
}

impl Select {
    pub(crate) fn new(name: usize) -> Self {
        Self { name }
    }
}

impl Operate for Select {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        if !pull(before, cx)? {
            return Ok(false);
        }
        let Some(input) = before.last().map(|stage| &stage.output) else { return Ok(false) };
        for from in 0..input.rows() {
            let number = cx.number_of(input, from);
            let Some(row) = cx.trails.names.get(self.name, number) else { return Ok(false) };
            let first = output.rows();
            output.push(row);
            cx.extend_carried(output, first, input, from)?;
        }
        Ok(true)
    }

    fn reset(&mut self) {}
}
