//! The operator of `side`: passes rows on unchanged, and gives the caller a copy of them.

use super::chain::{Operate, Stage, pull};
use super::context::Context;
use super::stop::Stop;
use crate::pipeline::rows::Batch;

/// The operator of `side`. It holds copies of the rows that passed while the last batch was being made.
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

    /// Removes the rows, but keeps their buffers.
    fn clear_side(&mut self) {
        self.rows.clear();
    }
}
