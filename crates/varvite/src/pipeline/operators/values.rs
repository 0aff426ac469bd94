//! `values`, `label`, `depth`, `columns`: from rows to numbers with a meaning.

use super::batch::Batch;
use super::chain::{Operate, Stage, pull};
use super::context::{Context, Stop};
use crate::pipeline::key::KeyPlan;
use crate::pipeline::rows::Cells;

/// The values of a property or of another key: of a list every one, and of nothing none.
#[derive(Debug)]
pub(crate) struct ValuesOperator {
    by: KeyPlan,
}

impl ValuesOperator {
    pub(crate) fn new(by: KeyPlan) -> Self {
        Self { by }
    }

    fn fill(&mut self, input: &Batch, output: &mut Batch, cx: &mut Context) -> Result<(), Stop> {
        for row in 0..input.rows() {
            let first = output.numbers.len();
            match &self.by {
                KeyPlan::Property(plan) if plan.property.offsets.is_some() => {
                    if let Some(owner) = plan.owner(input, row) {
                        output.numbers.extend(plan.property.numbers(owner));
                    }
                }
                by => output.numbers.extend(by.number(input, row)),
            }
            if cx.lanes.trail || cx.lanes.depth {
                output.extend_lanes(first, input, row, cx)?;
            }
        }
        Ok(())
    }
}

impl Operate for ValuesOperator {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        while pull(before, cx)? {
            let Some(input) = before.last().map(|stage| &stage.output) else { break };
            self.fill(input, output, cx)?;
            if !output.numbers.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn reset(&mut self) {}
}

/// `columns`.
#[derive(Debug)]
pub(crate) struct ColumnsOperator {
    columns: Vec<KeyPlan>,
}

impl ColumnsOperator {
    pub(crate) fn new(columns: Vec<KeyPlan>) -> Self {
        Self { columns }
    }
}

impl Operate for ColumnsOperator {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        if !pull(before, cx)? {
            return Ok(false);
        }
        let Some(input) = before.last().map(|stage| &stage.output) else { return Ok(false) };
        output.table.resize_with(self.columns.len(), Cells::default);
        output.edges.extend_from_slice(&input.edges);
        for (by, cells) in self.columns.iter().zip(&mut output.table) {
            for row in 0..input.rows() {
                match by {
                    KeyPlan::Edge => cells.push(Some(row as i64)),
                    KeyPlan::Property(plan) if plan.property.offsets.is_some() => {
                        let owner = plan.owner(input, row).into_iter();
                        cells.push_list(owner.flat_map(|owner| plan.property.numbers(owner)));
                    }
                    by => cells.push(by.number(input, row)),
                }
            }
        }
        Ok(true)
    }

    fn reset(&mut self) {}
}
