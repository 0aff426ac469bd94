//! [`EachRow`]: an inner pipeline that computes one number for each row of a batch, such as the number of its
//! results. If its operators allow it, the pipeline runs for all rows of the batch at once.

use super::context::Context;
use super::inner::{self, Inner};
use super::runs::{number_of_many, rows_at_once, together};
use super::stop::Stop;
use super::tally::Tally;
use super::walk::RepeatWalk;
use crate::pipeline::error::StepAt;
use crate::pipeline::plan::{Counted, Operator, Physical, Walk};
use crate::pipeline::rows::Batch;

/// A pipeline that computes a number, and the way to find the number.
#[derive(Debug)]
pub(crate) struct EachRow {
    inner: Inner,
    way: Way,
    results: Batch,
    /// The numbers that the rows of a run have in the run around it.
    around: Vec<u32>,
    /// Whether the pipeline begins with `select`, so that its result depends on the named row alone.
    is_of_named: bool,
    /// Buffers for the first row of each named row, and their numbers.
    firsts: Vec<u32>,
    found: Vec<Option<i64>>,
}

/// The way to find the number of a row.
#[derive(Debug)]
enum Way {
    /// As the first result of a run for this row alone.
    Alone,
    /// By a run for all rows, as the first result of the row.
    First,
    /// By a run for all rows, as the count of the row's results.
    Count,
    /// By a run for all rows, as an aggregate of the row's results, for this step of the plan.
    Tally(Tally, StepAt),
    /// From the tree, as the count of the row's descendants.
    Below(RepeatWalk),
}

impl EachRow {
    /// Makes the pipeline of `steps`. `make` makes a pipeline that runs.
    pub(crate) fn new(steps: &[Physical], make: fn(&[Physical]) -> Inner) -> Self {
        let of_all = |steps| Physical::run_together(steps);
        let (steps, way) = match steps {
            [before @ .., Physical { operator: Operator::Count, .. }] if of_all(before) => {
                (before, Way::Count)
            }
            [before @ .., last] if of_all(before) && tally(last).is_some() => {
                (before, tally(last).map_or(Way::Alone, |tally| Way::Tally(tally, last.at.clone())))
            }
            [_, Physical { operator: Operator::CountDescendants { tree, counted }, .. }] => {
                let walk = match counted {
                    Counted::All => Some(Walk::Descendants(tree.clone(), None)),
                    Counted::OfLabel(label) => Some(Walk::Descendants(tree.clone(), Some(label.clone()))),
                    Counted::ByLabel(_) => None,
                };
                (steps, walk.map_or(Way::Alone, |walk| Way::Below(RepeatWalk::new(&walk))))
            }
            _ if of_all(steps) && Physical::are_narrow(steps) => (steps, Way::First),
            _ => (steps, Way::Alone),
        };
        let is_of_named = matches!(steps, [_, Physical { operator: Operator::Select(_), .. }, ..]);
        let (results, around) = (Batch::default(), Vec::new());
        let (firsts, found) = (Vec::new(), Vec::new());
        Self { inner: make(steps), way, results, around, is_of_named, firsts, found }
    }

    pub(super) fn prepare(&mut self, cx: &mut Context) -> Result<(), Stop> {
        self.inner.prepare(cx)
    }

    pub(super) fn share(&mut self, other: &Self) {
        self.inner.share(&other.inner);
    }

    /// Appends the number of each row to `values`. `rows` has the indexes of rows of `input`.
    pub(super) fn compute(
        &mut self,
        input: &Batch,
        rows: &[u32],
        values: &mut Vec<Option<i64>>,
        cx: &mut Context,
    ) -> Result<(), Stop> {
        if self.is_of_named {
            return self.of_named(input, rows, values, cx);
        }
        self.of_rows(input, rows, values, cx)
    }

    /// The same as [`EachRow::compute`], if the result depends on the named row alone. Rows with equal
    /// numbers come from the same named row and follow each other, so the pipeline runs for the first of
    /// them.
    fn of_named(
        &mut self,
        input: &Batch,
        rows: &[u32],
        values: &mut Vec<Option<i64>>,
        cx: &mut Context,
    ) -> Result<(), Stop> {
        let (mut firsts, mut found) = (std::mem::take(&mut self.firsts), std::mem::take(&mut self.found));
        let number = |row: &u32, cx: &Context| cx.number_of(input, *row as usize);
        firsts.clear();
        found.clear();
        firsts.extend(rows.chunk_by(|a, b| number(a, cx) == number(b, cx)).map(|same| same[0]));
        self.of_rows(input, &firsts, &mut found, cx)?;
        let same = rows.chunk_by(|a, b| number(a, cx) == number(b, cx));
        for (same, value) in same.zip(&found) {
            values.resize(values.len() + same.len(), *value);
        }
        (self.firsts, self.found) = (firsts, found);
        cx.tick_by(rows.len())
    }

    fn of_rows(
        &mut self,
        input: &Batch,
        rows: &[u32],
        values: &mut Vec<Option<i64>>,
        cx: &mut Context,
    ) -> Result<(), Stop> {
        match &self.way {
            Way::Alone => self.one_by_one(input, rows, values, cx),
            Way::Below(_) => self.below(input, rows, values, cx),
            _ => self.in_runs(input, rows, values, cx),
        }
    }

    /// Runs the pipeline for many rows at once. If only first results are needed and one row has too many
    /// results to find all of them, the pipeline runs alone for each row after this one.
    fn in_runs(
        &mut self,
        input: &Batch,
        rows: &[u32],
        values: &mut Vec<Option<i64>>,
        cx: &mut Context,
    ) -> Result<(), Stop> {
        let first = values.len();
        values.resize(first + rows.len(), self.of_nothing()?);
        let mut done = 0;
        for rows in rows.chunks(rows_at_once(cx)) {
            let found = self.of_all(input, rows, &mut values[first + done..], cx)?;
            done += found;
            if found < rows.len() {
                break;
            }
        }
        values.truncate(first + done);
        self.one_by_one(input, &rows[done..], values, cx)
    }

    fn one_by_one(
        &mut self,
        input: &Batch,
        rows: &[u32],
        values: &mut Vec<Option<i64>>,
        cx: &mut Context,
    ) -> Result<(), Stop> {
        for row in rows {
            values.push(self.inner.first(input, *row as usize, cx)?);
        }
        Ok(())
    }

    fn below(
        &mut self,
        input: &Batch,
        rows: &[u32],
        values: &mut Vec<Option<i64>>,
        cx: &mut Context,
    ) -> Result<(), Stop> {
        let Self { inner, way: Way::Below(walk), .. } = self else { return Ok(()) };
        for row in rows {
            cx.tick()?;
            let counted = input.nodes.get(*row as usize).and_then(|node| walk.count(*node));
            values.push(match counted {
                Some(count) => Some(count as i64),
                None => inner.first(input, *row as usize, cx)?,
            });
        }
        Ok(())
    }

    /// The number of a row without results.
    fn of_nothing(&mut self) -> Result<Option<i64>, Stop> {
        match &mut self.way {
            Way::Count => Ok(Some(0)),
            Way::Tally(tally, _) => {
                tally.reset();
                tally.result()
            }
            _ => Ok(None),
        }
    }

    /// Sets the values of all rows that have results, or only of the first rows. Returns the number of rows
    /// whose values are known.
    fn of_all(
        &mut self,
        input: &Batch,
        rows: &[u32],
        values: &mut [Option<i64>],
        cx: &mut Context,
    ) -> Result<usize, Stop> {
        let (mut around, mut last) = (std::mem::take(&mut self.around), None);
        self.inner.begin_numbered(input, rows, &mut around, cx);
        let outcome = together(cx, &mut around, |cx| {
            cx.in_whole_batches(|cx| {
                while self.inner.next_into(&mut self.results, cx)? {
                    cx.tick_by(self.results.rows())?;
                    self.take(values, &mut last, cx)?;
                    if let (Way::First, Some(row)) = (&self.way, number_of_many(&self.results)) {
                        return Ok(row + 1);
                    }
                }
                self.end(values, last, cx)?;
                Ok(rows.len())
            })
        });
        self.around = around;
        outcome
    }

    /// Takes a batch of results. `last` is the number of the row of the last result.
    fn take(&mut self, values: &mut [Option<i64>], last: &mut Option<u32>, cx: &Context) -> Result<(), Stop> {
        let numbers = &self.results.depth;
        match &mut self.way {
            Way::Count => numbers.iter().for_each(|number| {
                values[*number as usize].iter_mut().for_each(|count| *count += 1);
            }),
            Way::Tally(..) => return self.tally(values, last, cx),
            _ => {
                let found = numbers.iter().zip(inner::numbers(&self.results));
                found.for_each(|(number, found)| _ = values[*number as usize].get_or_insert(found));
            }
        }
        Ok(())
    }

    /// Adds the results of each row, which follow each other.
    fn tally(
        &mut self,
        values: &mut [Option<i64>],
        last: &mut Option<u32>,
        cx: &Context,
    ) -> Result<(), Stop> {
        let mut first = 0;
        while let Some(number) = self.results.depth.get(first).copied() {
            if *last != Some(number) {
                self.end(values, last.replace(number), cx)?;
            }
            let same = self.results.depth[first..].iter().take_while(|other| **other == number).count();
            if let (Way::Tally(tally, _), Some(numbers)) =
                (&mut self.way, self.results.numbers.get(first..first + same))
            {
                tally.add(numbers);
            }
            first += same;
        }
        Ok(())
    }

    /// Sets the value of the row whose results have been added.
    fn end(&mut self, values: &mut [Option<i64>], last: Option<u32>, cx: &Context) -> Result<(), Stop> {
        if let (Way::Tally(tally, at), Some(number)) = (&mut self.way, last) {
            values[number as usize] = tally.result().map_err(|stop| stop.inside(at, cx.budget.limit()))?;
            tally.reset();
        }
        Ok(())
    }
}

/// The state of an aggregate. `None` for other operators.
fn tally(step: &Physical) -> Option<Tally> {
    match &step.operator {
        Operator::Aggregate(aggregate, meaning) => Some(Tally::new(*aggregate, meaning)),
        _ => None,
    }
}
