//! `values`, `label`, `depth`, `columns`: from rows to numbers with a meaning.

use super::batch::Batch;
use super::chain::{Operate, Stage, pull};
use super::context::{Context, Stop};
use crate::pipeline::key::KeyPlan;
use crate::pipeline::plan::PropertyPlan;
use crate::pipeline::rows::Cells;
use crate::property::Property;

/// The values of a property or of another key: of a list every one, and of nothing none.
#[derive(Debug)]
pub(crate) struct ValuesOperator {
    by: KeyPlan,
    recent: Vec<Recent>,
}

/// A node and its value.
#[derive(Clone, Copy, Debug)]
struct Recent {
    number: i64,
    node: u32,
    has_number: bool,
}

/// Nodes whose value is remembered: calls lead to few methods again and again.
const RECENT: usize = 8192;

impl ValuesOperator {
    pub(crate) fn new(by: KeyPlan) -> Self {
        Self { by, recent: Vec::new() }
    }

    /// The values of nodes of which each has one at most: with a cursor if they rise, else the last ones are remembered.
    fn fill_numbers(property: &Property, recent: &mut Vec<Recent>, nodes: &[u32], numbers: &mut Vec<i64>) {
        if nodes.is_sorted() {
            let mut cursor = property.cursor();
            return numbers.extend(nodes.iter().filter_map(|node| cursor.number(*node)));
        }
        if recent.is_empty() {
            recent.resize(RECENT, Recent { number: 0, node: u32::MAX, has_number: false });
        }
        for node in nodes {
            let slot = &mut recent[(node.wrapping_mul(0x9e37_79b1) >> 19) as usize % RECENT];
            if slot.node != *node {
                let number = property.number(*node);
                *slot = Recent { number: number.unwrap_or(0), node: *node, has_number: number.is_some() };
            }
            if slot.has_number {
                numbers.push(slot.number);
            }
        }
    }

    fn fill(&mut self, input: &Batch, output: &mut Batch, cx: &mut Context) -> Result<(), Stop> {
        let carries = cx.lanes.trail || cx.lanes.depth;
        if let (KeyPlan::Property(PropertyPlan { edge_label: None, property, .. }), false) =
            (&self.by, carries)
            && property.offsets.is_none()
        {
            Self::fill_numbers(property, &mut self.recent, &input.nodes, &mut output.numbers);
            return Ok(());
        }
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
            if carries {
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
            cells.refers = by.refers();
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
