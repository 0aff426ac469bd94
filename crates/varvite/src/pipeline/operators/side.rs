//! `side`: rows pass, and the caller gets a copy.

use super::batch::Batch;
use super::chain::{Operate, Stage, pull};
use super::context::{Context, Stop};
use crate::budget::Budget;

/// Rows that the caller gets on the side.
#[derive(Debug, Default)]
pub(crate) struct Side {
    rows: Batch,
    held: usize,
}

impl Side {
    pub(crate) fn rows(&self) -> &Batch {
        &self.rows
    }

    /// Forgets them; buffers are kept.
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
    }

    fn add(&mut self, rows: &Batch, budget: &Budget) -> Result<(), Stop> {
        self.rows.make_room(rows, 0..rows.rows(), &mut self.held, budget)?;
        self.rows.push_all(rows);
        self.rows.trail.clear();
        self.rows.depth.clear();
        Ok(())
    }
}

/// The operator of `side`.
#[derive(Debug)]
pub(crate) struct SideOperator {
    index: usize,
}

impl SideOperator {
    pub(crate) fn new(index: usize) -> Self {
        Self { index }
    }
}

impl Operate for SideOperator {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        if !pull(before, cx)? {
            return Ok(false);
        }
        if let (Some(stage), Some(side)) = (before.last_mut(), cx.sides.get_mut(self.index)) {
            std::mem::swap(output, &mut stage.output);
            side.add(output, &cx.budget)?;
        }
        Ok(true)
    }

    fn reset(&mut self) {}
}
