//! The operator of `out`, `in` and `both`, which go from nodes to their neighbours.

use super::chain::{Operate, Stage, may_pull, pull};
use super::context::Context;
use super::stop::Stop;
use crate::pipeline::plan::DirectedLabel;
use crate::pipeline::rows::Batch;
use varvite_graph::internal::ListRest;

/// The operator of a hop along some ways. For each node, it follows one way after another.
#[derive(Debug)]
pub(crate) struct Hop {
    ways: Vec<DirectedLabel>,
    at: HopProgress,
}

/// The position in the input of an operator that gives many rows for each input row: the row, the way, and
/// the rest of the list.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HopProgress {
    pub(crate) row: usize,
    pub(crate) way: usize,
    pub(crate) rest: ListRest,
    /// Whether the input has rows that are not processed yet.
    pub(crate) has_input: bool,
}

/// An operator that gives many rows for each input row.
pub(super) trait FillRows {
    fn progress(&mut self) -> &mut HopProgress;

    /// The number of rows in a batch of the operator's results.
    fn filled(output: &Batch) -> usize;

    /// Appends rows for the input's rows until the input ends or the output is full.
    fn fill(&mut self, input: &Batch, output: &mut Batch, cx: &mut Context) -> Result<(), Stop>;

    /// Fills a batch, from as many batches of input as it takes. Returns false if there are no more rows.
    fn fill_next(
        &mut self,
        before: &mut [Stage],
        output: &mut Batch,
        cx: &mut Context,
    ) -> Result<bool, Stop> {
        while Self::filled(output) < cx.batch_rows {
            if !self.progress().has_input {
                if !may_pull(output, cx) || !pull(before, cx)? {
                    break;
                }
                *self.progress() = HopProgress { has_input: true, ..HopProgress::default() };
            }
            let Some(input) = before.last().map(|stage| &stage.output) else { break };
            self.fill(input, output, cx)?;
        }
        Ok(Self::filled(output) > 0)
    }
}

impl Hop {
    pub(crate) fn new(ways: Vec<DirectedLabel>) -> Self {
        Self { ways, at: HopProgress::default() }
    }
}

impl Operate for Hop {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        self.fill_next(before, output, cx)
    }

    fn reset(&mut self) {
        self.at = HopProgress::default();
    }
}

impl FillRows for Hop {
    fn progress(&mut self) -> &mut HopProgress {
        &mut self.at
    }

    fn filled(output: &Batch) -> usize {
        output.nodes.len()
    }

    fn fill(&mut self, input: &Batch, output: &mut Batch, cx: &mut Context) -> Result<(), Stop> {
        let carries = cx.carried.trail || cx.carried.depth;
        loop {
            if let ([way], false, false) = (&self.ways[..], carries, self.at.rest.is_begun()) {
                let rest = &input.nodes[self.at.row.min(input.nodes.len())..];
                self.at.row += way.adjacency.append_many(rest, cx.batch_rows, &mut output.nodes);
            }
            let Some(node) = input.nodes.get(self.at.row) else { break };
            while let Some(way) = self.ways.get(self.at.way) {
                let first = output.nodes.len();
                let Some(room) = cx.batch_rows.checked_sub(first).filter(|room| *room > 0) else {
                    return Ok(());
                };
                let more = way.adjacency.append_rest(*node, &mut self.at.rest, room, &mut output.nodes);
                if carries {
                    cx.extend_carried(output, first, input, self.at.row)?;
                }
                if more {
                    return Ok(());
                }
                self.at.way += 1;
                self.at.rest = ListRest::default();
            }
            self.at.way = 0;
            self.at.row += 1;
            cx.tick_by(self.ways.len().max(1))?;
        }
        self.at.has_input = false;
        Ok(())
    }
}
