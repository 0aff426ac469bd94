//! The operator `compute`: computes the keys of the operator after it, by inner pipelines, which begin with a
//! row, or by functions of keys.
//!
//! The keys are stored beside the rows of a batch ([`Batch::computed`]). Only the next operator reads them,
//! from this batch, so copies of rows lack them. If no key is a list, the batch of the operator before is
//! passed on as a whole; otherwise rows are copied until their lists fill a batch.

use std::any::Any;

use super::chain::{Operate, Stage, pull};
use super::condition::Condition;
use super::context::Context;
use super::evaluate::Evaluator;
use super::inner::{self, Inner};
use super::lists::{has_room, make_room};
use super::stop::Stop;
use crate::pipeline::rows::{Batch, Cells};

/// The operator of keys that are pipelines or functions.
#[derive(Debug)]
pub(crate) struct Compute {
    keys: Vec<Computation>,
    has_lists: bool,
    has_input: bool,
    row: usize,
    held: usize,
}

/// The computation of a key in a run.
#[derive(Debug)]
pub(crate) enum Computation {
    First(Inner),
    List(Inner),
    Exists(Condition),
    Value(Box<Evaluator>),
}

impl Compute {
    pub(crate) fn new(keys: Vec<Computation>) -> Self {
        let has_lists = keys.iter().any(|key| matches!(key, Computation::List(_)));
        Self { keys, has_lists, has_input: false, row: 0, held: 0 }
    }

    /// Computes the keys of all rows of a batch, key by key.
    fn fill(&mut self, batch: &mut Batch, cx: &mut Context) -> Result<(), Stop> {
        let mut computed = std::mem::take(&mut batch.computed);
        let keys = self.keys.iter_mut().zip(&mut computed);
        let outcome = keys.into_iter().try_for_each(|(key, cells)| key.fill(batch, cells, cx));
        batch.computed = computed;
        outcome
    }

    /// Copies rows with their keys, row by row, until the batch is full.
    fn fill_rows(&mut self, input: &Batch, output: &mut Batch, cx: &mut Context) -> Result<(), Stop> {
        while self.row < input.rows() && has_room(output) {
            output.push_row(input, self.row, cx.carried);
            let beside = output.bytes();
            for (key, cells) in self.keys.iter_mut().zip(&mut output.computed) {
                key.push(input, self.row, cells, (beside, &mut self.held), cx)?;
            }
            self.row += 1;
        }
        self.has_input = self.row < input.rows();
        self.fill_values(output, cx)
    }

    /// Computes the functions of all rows of a batch.
    fn fill_values(&mut self, batch: &mut Batch, cx: &mut Context) -> Result<(), Stop> {
        let mut computed = std::mem::take(&mut batch.computed);
        let mut keys = self.keys.iter_mut().zip(&mut computed);
        let outcome = keys.try_for_each(|(key, cells)| match key {
            Computation::Value(evaluator) => evaluator.fill(batch, cells, cx),
            _ => Ok(()),
        });
        batch.computed = computed;
        outcome
    }
}

impl Computation {
    /// Computes the key of each row of a batch.
    fn fill(&mut self, batch: &Batch, cells: &mut Cells, cx: &mut Context) -> Result<(), Stop> {
        let condition = match self {
            Self::Exists(condition) => condition,
            Self::Value(evaluator) => return evaluator.fill(batch, cells, cx),
            _ => return (0..batch.rows()).try_for_each(|row| self.push(batch, row, cells, (0, &mut 0), cx)),
        };
        let mut passing: Vec<u32> = (0..batch.rows() as u32).collect();
        condition.select(batch, &mut passing, cx)?;
        let mut passing = passing.into_iter().peekable();
        let number = |row| i64::from(passing.next_if_eq(&row).is_some());
        (0..batch.rows() as u32).map(number).for_each(|number| cells.push(Some(number)));
        Ok(())
    }

    /// Computes the key of one row, unless it is a function. `beside` is the number of bytes in the batch,
    /// `held` the number of bytes that it has charged to the budget.
    fn push(
        &mut self,
        input: &Batch,
        row: usize,
        cells: &mut Cells,
        (beside, held): (usize, &mut usize),
        cx: &mut Context,
    ) -> Result<(), Stop> {
        cx.tick()?;
        match self {
            Self::Value(_) => {}
            Self::Exists(condition) => {
                let Some(element) = input.element(row) else { return Ok(()) };
                cells.push(Some(i64::from(condition.passes(element, cx)?)));
            }
            Self::First(inner) => cells.push(inner.first(input, row, cx)?),
            Self::List(inner) => {
                inner::alone(cx, cx.batch_rows, |cx| {
                    inner.begin(input, row..row + 1);
                    while let Some(rows) = inner.next(cx)? {
                        make_room(cells, beside, rows.rows(), held, cx)?;
                        cells.numbers.extend(inner::numbers(rows));
                    }
                    Ok(())
                })?;
                cells.end_list();
            }
        }
        Ok(())
    }
}

impl Operate for Compute {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        if !self.has_input {
            if !pull(before, cx)? {
                return Ok(false);
            }
            self.row = 0;
        }
        let Some(stage) = before.last_mut() else { return Ok(false) };
        if !self.has_lists {
            std::mem::swap(output, &mut stage.output);
        }
        output.computed.resize_with(self.keys.len(), Cells::default);
        match self.has_lists {
            true => self.fill_rows(&stage.output, output, cx)?,
            false => self.fill(output, cx)?,
        }
        Ok(true)
    }

    fn reset(&mut self) {
        self.has_input = false;
    }

    fn prepare(&mut self, cx: &mut Context) -> Result<(), Stop> {
        self.keys.iter_mut().try_for_each(|key| match key {
            Computation::First(inner) | Computation::List(inner) => inner.prepare(cx),
            Computation::Exists(condition) => condition.prepare(0, cx),
            Computation::Value(evaluator) => evaluator.prepare(cx),
        })
    }

    fn share(&mut self, other: &dyn Operate) {
        let Some(other) = (other as &dyn Any).downcast_ref::<Self>() else { return };
        for (key, other) in self.keys.iter_mut().zip(&other.keys) {
            match (key, other) {
                (Computation::First(inner), Computation::First(other))
                | (Computation::List(inner), Computation::List(other)) => inner.share(other),
                (Computation::Exists(condition), Computation::Exists(other)) => condition.share(other),
                (Computation::Value(evaluator), Computation::Value(other)) => evaluator.share(other),
                _ => {}
            }
        }
    }
}
