//! `side`: rows pass, and the caller gets a copy.

use super::chain::{Operate, Stage, pull};
use super::context::Context;
use super::stop::Stop;
use crate::pipeline::rows::Batch;

/// The operator of `side`, with the rows that passed since the batch before.
#[derive(Debug, Default)]
pub(crate) struct Side {
    rows: Batch,
    held: usize,
}

impl Operate for Side {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        if !pull(before, cx)? {
            return Ok(false);
        }
        if let Some(stage) = before.last_mut() {
            std::mem::swap(output, &mut stage.output);
            self.rows.make_room(output, 0..output.rows(), &mut self.held, cx.budget)?;
            self.rows.push_all(output);
            self.rows.trail.clear();
            self.rows.depth.clear();
        }
        Ok(true)
    }

    fn reset(&mut self) {}

    fn side(&self) -> Option<&Batch> {
        Some(&self.rows)
    }

    /// Buffers are kept.
    fn clear_side(&mut self) {
        self.rows.clear();
    }
}
