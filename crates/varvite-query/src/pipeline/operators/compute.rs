//! The operator `compute`: computes the keys of the operator after it, by inner pipelines, which begin with a
//! row, or by functions of keys.
//!
//! The keys are stored beside the rows of a batch ([`Batch::computed`]). Only the next operator reads them,
//! from this batch, so copies of rows lack them. If no key is a list, the batch of the operator before is
//! passed on as a whole; otherwise rows are copied until their lists fill a batch.

use std::any::Any;
use std::ops::Range;

use super::chain::{Operate, Stage, pull};
use super::condition::Condition;
use super::context::Context;
use super::each_row::EachRow;
use super::evaluate::Evaluator;
use super::inner::{self, Inner};
use super::lists::{has_room, make_room};
use super::runs::together;
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
    First(Box<EachRow>),
    /// All results of an inner pipeline, and whether it may run for many rows at once.
    List(Inner, bool),
    Exists(Condition),
    Value(Box<Evaluator>),
}

impl Compute {
    pub(crate) fn new(keys: Vec<Computation>) -> Self {
        let has_lists = keys.iter().any(|key| matches!(key, Computation::List(..)));
        Self { keys, has_lists, has_input: false, row: 0, held: 0 }
    }

    /// Computes the keys of all rows of a batch, key by key. A key may read those before it.
    fn fill(&mut self, batch: &mut Batch, cx: &mut Context) -> Result<(), Stop> {
        for (index, key) in self.keys.iter_mut().enumerate() {
            let mut cells = std::mem::take(&mut batch.computed[index]);
            let outcome = key.fill(batch, &mut cells, cx);
            batch.computed[index] = cells;
            outcome?;
        }
        Ok(())
    }

    /// Copies rows with their lists, some rows at a time, until the batch is full. Then computes the other
    /// keys of these rows.
    fn fill_rows(&mut self, input: &Batch, output: &mut Batch, cx: &mut Context) -> Result<(), Stop> {
        while self.row < input.rows() && has_room(output) {
            let rows = self.row..input.rows().min(self.row + ROWS_OF_LISTS);
            rows.clone().for_each(|row| output.push_row(input, row, cx.carried));
            let beside = output.bytes();
            for (key, cells) in self.keys.iter_mut().zip(&mut output.computed) {
                key.push_lists(input, rows.clone(), cells, (beside, &mut self.held), cx)?;
            }
            self.row = rows.end;
        }
        self.has_input = self.row < input.rows();
        self.fill(output, cx)
    }
}

/// The number of rows whose lists are computed at once. The lists of a batch may exceed its size by as many.
const ROWS_OF_LISTS: usize = 32;

impl Computation {
    /// Computes the key of each row of a batch, unless it is a list.
    fn fill(&mut self, batch: &Batch, cells: &mut Cells, cx: &mut Context) -> Result<(), Stop> {
        match self {
            Self::List(..) => Ok(()),
            Self::Value(evaluator) => evaluator.fill(batch, cells, cx),
            Self::First(inner) => {
                let (rows, mut values) = (all_rows(batch), Vec::with_capacity(batch.rows()));
                inner.compute(batch, &rows, &mut values, cx)?;
                values.into_iter().for_each(|value| cells.push(value));
                Ok(())
            }
            Self::Exists(condition) => {
                let mut passing = all_rows(batch);
                condition.select(batch, &mut passing, cx)?;
                let mut passing = passing.into_iter().peekable();
                let number = |row| i64::from(passing.next_if_eq(&row).is_some());
                (0..batch.rows() as u32).map(number).for_each(|number| cells.push(Some(number)));
                Ok(())
            }
        }
    }

    /// Computes the lists of some rows. `beside` is the number of bytes in the batch, `held` the number of
    /// bytes that it has charged to the budget.
    fn push_lists(
        &mut self,
        input: &Batch,
        rows: Range<usize>,
        cells: &mut Cells,
        (beside, held): (usize, &mut usize),
        cx: &mut Context,
    ) -> Result<(), Stop> {
        let Self::List(inner, runs_together) = self else { return Ok(()) };
        if *runs_together {
            return lists_together(inner, input, rows, cells, (beside, held), cx);
        }
        for row in rows {
            cx.tick()?;
            inner::alone(cx, input, row, cx.batch_rows, |cx| {
                inner.begin(input, row..row + 1);
                while let Some(results) = inner.next(cx)? {
                    make_room(cells, beside, results.rows(), held, cx)?;
                    cells.numbers.extend(inner::numbers(results));
                }
                Ok(())
            })?;
            cells.end_list();
        }
        Ok(())
    }
}

/// Appends the lists of some rows, which a pipeline computes in one run.
fn lists_together(
    inner: &mut Inner,
    input: &Batch,
    rows: Range<usize>,
    cells: &mut Cells,
    (beside, held): (usize, &mut usize),
    cx: &mut Context,
) -> Result<(), Stop> {
    let rows: Vec<u32> = rows.map(|row| row as u32).collect();
    let (mut around, mut ended) = (Vec::new(), 0);
    inner.begin_numbered(input, &rows, &mut around, cx);
    together(cx, &mut around, |cx| {
        while let Some(results) = inner.next(cx)? {
            cx.tick_by(results.rows())?;
            make_room(cells, beside, results.rows(), held, cx)?;
            for (number, result) in results.depth.iter().zip(inner::numbers(results)) {
                (ended..*number).for_each(|_| cells.end_list());
                ended = *number;
                cells.numbers.push(result);
            }
        }
        (ended..rows.len() as u32).for_each(|_| cells.end_list());
        Ok(())
    })
}

/// The indexes of all rows of a batch.
fn all_rows(batch: &Batch) -> Vec<u32> {
    (0..batch.rows() as u32).collect()
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
            Computation::First(inner) => inner.prepare(cx),
            Computation::List(inner, _) => inner.prepare(cx),
            Computation::Exists(condition) => condition.prepare(0, cx),
            Computation::Value(evaluator) => evaluator.prepare(cx),
        })
    }

    fn share(&mut self, other: &dyn Operate) {
        let Some(other) = (other as &dyn Any).downcast_ref::<Self>() else { return };
        for (key, other) in self.keys.iter_mut().zip(&other.keys) {
            match (key, other) {
                (Computation::First(inner), Computation::First(other)) => inner.share(other),
                (Computation::List(inner, _), Computation::List(other, _)) => inner.share(other),
                (Computation::Exists(condition), Computation::Exists(other)) => condition.share(other),
                (Computation::Value(evaluator), Computation::Value(other)) => evaluator.share(other),
                _ => {}
            }
        }
    }
}
