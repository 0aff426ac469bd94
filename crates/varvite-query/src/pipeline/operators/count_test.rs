//! [`CountTest`]: the condition that the number of results of an inner pipeline passes a test. The pipeline
//! runs for many rows at once.

use super::condition::Ask;
use super::context::Context;
use super::each_row::EachRow;
use super::runs::rows_at_once;
use super::stop::Stop;
use super::value_test::ValueTest;
use crate::pipeline::plan::{Filter, Operator, Physical, Test};
use crate::pipeline::rows::{Batch, Element};

/// The state of a test of a count in a run.
#[derive(Debug)]
pub(super) struct CountTest {
    count: EachRow,
    test: ValueTest,
    /// Buffers for the counts, and for a row that is tested alone.
    counts: Vec<Option<i64>>,
    asked: Batch,
}

impl CountTest {
    /// Makes the test. `count` gives the number of results.
    pub(super) fn new(count: EachRow, test: &Test) -> Self {
        Self { count, test: ValueTest::new(test), counts: Vec::new(), asked: Batch::default() }
    }

    /// The steps that count, and the test of the count. `None` unless `steps` test a count of rows, and the
    /// rows may be counted for many rows at once.
    pub(super) fn parts(steps: &[Physical]) -> Option<(&[Physical], &Test)> {
        let (last, counting) = steps.split_last()?;
        let (count, before) = counting.split_last()?;
        match (&count.operator, &last.operator) {
            (Operator::Count, Operator::Filter(Filter::Number(test))) if Physical::run_together(before) => {
                Some((counting, test))
            }
            _ => None,
        }
    }
}

impl Ask for CountTest {
    fn gives_anything(&mut self, element: Element, cx: &mut Context) -> Result<bool, Stop> {
        let mut asked = std::mem::take(&mut self.asked);
        asked.clear();
        asked.push(element);
        if cx.has_numbers {
            asked.depth.push(cx.number);
        }
        let mut rows = cx.trails.copy_of(&[0]);
        let selected = self.select(&asked, &mut rows, true, cx);
        let gives = !rows.is_empty();
        cx.trails.keep(rows);
        self.asked = asked;
        selected.map(|()| gives)
    }

    fn select(
        &mut self,
        batch: &Batch,
        rows: &mut Vec<u32>,
        keeps: bool,
        cx: &mut Context,
    ) -> Result<(), Stop> {
        let (all, mut kept) = (rows.len(), 0);
        let at_once = rows_at_once(cx).min(all.max(1));
        for start in (0..all).step_by(at_once) {
            self.counts.clear();
            self.count.compute(batch, &rows[start..all.min(start + at_once)], &mut self.counts, cx)?;
            for (index, count) in (start..).zip(&self.counts) {
                if count.is_some_and(|count| self.test.passes(count)) == keeps {
                    rows[kept] = rows[index];
                    kept += 1;
                }
            }
        }
        rows.truncate(kept);
        Ok(())
    }
}
