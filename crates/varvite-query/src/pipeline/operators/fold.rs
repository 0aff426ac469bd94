//! [`Fold`]: combines all rows into one result. The steps `count`, `sum`, `min`, `max`, `mean`,
//! `group_count`, `summarize`, and `order` with a small limit are folds.
//!
//! Results for parts of the rows can be merged, as [`FoldRanges`](super::fold_ranges::FoldRanges) does.

use std::ops::Range;

use super::chain::{Operate, Stage, pull};
use super::context::Context;
use super::first_nodes::FirstNodes;
use super::key_counts::KeyCounts;
use super::selection::Selection;
use super::stop::Stop;
use super::stored::Stored;
use super::summaries::Summaries;
use super::tally::Tally;
use crate::pipeline::plan::{Aggregate, KeyPlan, Operator, SummaryPlan};
use crate::pipeline::rows::{Batch, Meaning};

/// The partial result for the rows added so far and, at the end, the complete result.
#[derive(Debug)]
pub(crate) struct Fold {
    answer: Answer,
    /// If the result is a single row: whether this row was already returned.
    is_given: bool,
}

#[derive(Debug)]
enum Answer {
    Count(u64),
    Tally(Tally),
    Groups(Box<KeyCounts>),
    First(Box<FirstNodes>),
    Summaries(Box<Summaries>),
}

impl Fold {
    /// The fold of an operator. `None` if the operator is not a fold.
    pub(crate) fn of(operator: &Operator) -> Option<Self> {
        Some(match operator {
            Operator::Count => Self::count(),
            Operator::Aggregate(aggregate, meaning) => Self::aggregate(*aggregate, meaning),
            Operator::GroupCount(by) => Self::group_count(by),
            Operator::Summarize(by, columns) => Self::summarize(by, columns),
            Operator::Order { by, descending, first } => {
                Self::new(Answer::First(Box::new(FirstNodes::of(by, *descending, *first)?)))
            }
            _ => return None,
        })
    }

    pub(crate) fn count() -> Self {
        Self::new(Answer::Count(0))
    }

    pub(crate) fn aggregate(aggregate: Aggregate, meaning: &Meaning) -> Self {
        Self::new(Answer::Tally(Tally::new(aggregate, meaning)))
    }

    pub(crate) fn group_count(by: &KeyPlan) -> Self {
        Self::new(Answer::Groups(Box::new(KeyCounts::new(by.clone()))))
    }

    pub(crate) fn summarize(by: &KeyPlan, columns: &[SummaryPlan]) -> Self {
        Self::new(Answer::Summaries(Box::new(Summaries::new(by, columns))))
    }

    fn new(answer: Answer) -> Self {
        Self { answer, is_given: false }
    }

    /// Whether partial results can be merged in any order and still give the exact result.
    pub(super) fn is_exact(&self) -> bool {
        match &self.answer {
            Answer::Tally(tally) => tally.is_exact(),
            Answer::Summaries(summaries) => summaries.is_exact(),
            Answer::Count(_) | Answer::Groups(_) | Answer::First(_) => true,
        }
    }

    /// Whether rows have to be nodes in ascending order.
    pub(super) fn needs_rising_nodes(&self) -> bool {
        matches!(self.answer, Answer::First(_))
    }

    /// Adds the rows of a batch.
    pub(super) fn add(&mut self, input: &Batch, cx: &Context) -> Result<(), Stop> {
        match &mut self.answer {
            Answer::Count(count) => *count += input.rows() as u64,
            Answer::Tally(tally) => tally.add(&input.numbers),
            Answer::Groups(groups) => groups.add(input, cx)?,
            Answer::First(nodes) => nodes.add(input, cx)?,
            Answer::Summaries(summaries) => summaries.add(input, cx)?,
        }
        Ok(())
    }

    /// Adds a range of nodes directly from the stored column. If that is not possible, adds nothing and
    /// returns false.
    pub(super) fn add_stored(
        &mut self,
        stored: &Stored,
        nodes: Range<u32>,
        cx: &Context,
    ) -> Result<bool, Stop> {
        match (&mut self.answer, stored) {
            (Answer::Tally(tally), Stored::Values(property)) if tally.takes_stored() => {
                tally.add_stored(property, nodes);
                Ok(true)
            }
            (Answer::Groups(groups), stored) => groups.add_stored(stored, nodes, cx),
            (Answer::Count(count), Stored::Nodes) => {
                *count += nodes.len() as u64;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Adds the nodes whose bits are set in a selection, and reads the values of these nodes from the folded
    /// column. Returns the number of values.
    pub(super) fn add_selected(
        &mut self,
        stored: &Stored,
        selection: &mut Selection,
        cx: &Context,
    ) -> Result<u64, Stop> {
        match (&mut self.answer, stored) {
            (Answer::Count(count), _) => *count += selection.count() as u64,
            (Answer::Tally(tally), Stored::Values(property)) => {
                selection.read(property);
                tally.add(selection.numbers());
                return Ok(selection.numbers().len() as u64);
            }
            (Answer::Groups(groups), stored) => return groups.add_selected(stored, selection, cx),
            (Answer::First(nodes), _) => {
                let count = selection.count() as u64;
                nodes.add_selected(selection, cx)?;
                return Ok(count);
            }
            (Answer::Summaries(summaries), stored) => summaries.add_selected(stored, selection, cx)?,
            (Answer::Tally(_), _) => {}
        }
        Ok(selection.count() as u64)
    }

    /// Merges the partial result of the same operator for other rows.
    pub(super) fn merge(&mut self, other: Self, cx: &mut Context) -> Result<(), Stop> {
        match (&mut self.answer, other.answer) {
            (Answer::Count(count), Answer::Count(other)) => *count += other,
            (Answer::Tally(tally), Answer::Tally(other)) => tally.merge(&other),
            (Answer::Groups(groups), Answer::Groups(other)) => groups.merge(*other, cx)?,
            (Answer::First(nodes), Answer::First(other)) => nodes.merge(*other, cx)?,
            (Answer::Summaries(summaries), Answer::Summaries(other)) => summaries.merge(*other, cx)?,
            _ => {}
        }
        Ok(())
    }

    /// Completes the result. Called when all rows were added.
    pub(super) fn finish(&mut self, cx: &mut Context) -> Result<(), Stop> {
        match &mut self.answer {
            Answer::Groups(groups) => groups.finish(cx)?,
            Answer::First(nodes) => nodes.finish(),
            Answer::Summaries(summaries) => summaries.finish(cx)?,
            Answer::Count(_) | Answer::Tally(_) => {}
        }
        Ok(())
    }

    /// Puts the next rows of the result into `output`. Returns false at the end.
    pub(super) fn give(&mut self, output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        let number = match &mut self.answer {
            Answer::Groups(groups) => return groups.give(output, cx),
            Answer::First(nodes) => return Ok(nodes.give(output, cx)),
            Answer::Summaries(summaries) => return summaries.give(output, cx),
            _ if self.is_given => return Ok(false),
            Answer::Count(count) => Some(*count as i64),
            Answer::Tally(tally) => tally.result()?,
        };
        self.is_given = true;
        let Some(number) = number else { return Ok(false) };
        output.numbers.push(number);
        // A row that aggregates many rows has no path and no depth.
        output.push_carried(&Batch::default(), 0, cx.carried);
        Ok(true)
    }

    /// Removes all rows.
    pub(super) fn reset(&mut self) {
        self.is_given = false;
        match &mut self.answer {
            Answer::Count(count) => *count = 0,
            Answer::Tally(tally) => tally.reset(),
            Answer::Groups(groups) => groups.reset(),
            Answer::First(nodes) => nodes.reset(),
            Answer::Summaries(summaries) => summaries.reset(),
        }
    }
}

/// The operator of a fold on one thread.
#[derive(Debug)]
pub(crate) struct FoldOperator {
    fold: Fold,
    is_finished: bool,
}

impl FoldOperator {
    pub(crate) fn new(fold: Fold) -> Self {
        Self { fold, is_finished: false }
    }
}

impl Operate for FoldOperator {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        if !self.is_finished {
            cx.in_whole_batches(|cx| {
                while pull(before, cx)? {
                    if let Some(stage) = before.last() {
                        self.fold.add(&stage.output, cx)?;
                    }
                }
                self.fold.finish(cx)
            })?;
            self.is_finished = true;
        }
        self.fold.give(output, cx)
    }

    fn reset(&mut self) {
        self.fold.reset();
        self.is_finished = false;
    }
}
