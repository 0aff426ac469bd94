//! [`Summaries`]: computes aggregates over the rows of each key.

use std::ops::Range;
use std::sync::Arc;

use varvite_format::members;

use super::accumulator::{Accumulator, Grouped};
use super::context::Context;
use super::key_table::KeyTable;
use super::selection::Selection;
use super::sort::{number_rows, sort_groups};
use super::stop::Stop;
use super::stored::Stored;
use crate::pipeline::plan::{KeyPlan, PropertyPlan, SummaryPlan};
use crate::pipeline::rows::{Batch, Cells};

/// Summarizes rows by key, then gives a row for each group, in the order of the keys. The group of rows
/// without a key comes last.
#[derive(Debug)]
pub(super) struct Summaries {
    by: KeyPlan,
    columns: Vec<Column>,
    keys: Option<KeyTable>,
    /// The number of rows in each group: first the group without a key, then the group of each key. Rows with
    /// a key are counted only if a column needs the count.
    counts: Vec<u64>,
    counts_keyed: bool,
    /// For each row that is being added, its group and a bit, which is set if the row has a key.
    group_of: Vec<u32>,
    keyed: Vec<u64>,
    /// For each row that is being added, its value in a column and a bit, which is set if the row has a
    /// value.
    numbers: Vec<i64>,
    present: Vec<u64>,
    /// The groups in the order of their keys.
    order: Vec<u32>,
    given: usize,
    held: usize,
}

/// A column of the result.
#[derive(Debug)]
enum Column {
    Count,
    Of(PropertyPlan, Accumulator),
}

/// The group of rows without a key, or with an impossible key, which only a damaged file has.
const ABSENT: u32 = 0;

impl Summaries {
    pub(super) fn new(by: &KeyPlan, columns: &[SummaryPlan]) -> Self {
        let column = |plan: &SummaryPlan| match plan {
            SummaryPlan::Count => Column::Count,
            SummaryPlan::Of(aggregate, plan) => Column::Of(plan.clone(), Accumulator::new(*aggregate, plan)),
        };
        Self {
            by: by.clone(),
            columns: columns.iter().map(column).collect(),
            keys: None,
            counts: Vec::new(),
            counts_keyed: columns.iter().any(|plan| matches!(plan, SummaryPlan::Count)),
            group_of: Vec::new(),
            keyed: Vec::new(),
            numbers: Vec::new(),
            present: Vec::new(),
            order: Vec::new(),
            given: 0,
            held: 0,
        }
    }

    /// Whether partial results can be merged in any order and still give the exact result.
    pub(super) fn is_exact(&self) -> bool {
        self.columns.iter().all(|column| match column {
            Column::Count => true,
            Column::Of(_, accumulator) => accumulator.is_exact(),
        })
    }

    fn prepare(&mut self, cx: &Context) -> Result<(), Stop> {
        if self.keys.is_none() {
            self.keys = Some(KeyTable::numbered(&self.by.column().meaning, cx.nodes));
        }
        if self.counts.is_empty() {
            self.add_group(cx)?;
        }
        Ok(())
    }

    fn add_group(&mut self, cx: &Context) -> Result<(), Stop> {
        cx.budget.make_room(&mut self.counts, 1, &mut self.held)?;
        self.counts.push(0);
        self.columns.iter_mut().try_for_each(|column| match column {
            Column::Count => Ok(()),
            Column::Of(_, accumulator) => accumulator.add_group(cx),
        })
    }

    /// The group of a key. A new key gets a new group.
    #[inline]
    fn group(&mut self, key: i64, cx: &Context) -> Result<u32, Stop> {
        let Some(keys) = &mut self.keys else { return Ok(ABSENT) };
        if let Some(number) = keys.known_number(key) {
            return Ok(number + 1);
        }
        let Some((number, is_new)) = keys.number(key, cx.budget)? else { return Ok(ABSENT) };
        if is_new {
            self.add_group(cx)?;
        }
        Ok(number as u32 + 1)
    }

    /// The same as [`Summaries::group`], but also counts a row in this group.
    #[inline]
    fn count_row(&mut self, key: i64, cx: &Context) -> Result<u32, Stop> {
        let group = self.group(key, cx)?;
        self.counts[group as usize] += 1;
        Ok(group)
    }

    /// The same as [`Summaries::count_row`], for many rows. If any row may belong to a new group, counts
    /// nothing and returns false.
    fn count_known(&mut self, rows: Range<usize>, keys: &[i64]) -> bool {
        let groups = &mut self.group_of[rows];
        let are_known = self.keys.as_ref().is_some_and(|table| table.known_numbers(keys, groups));
        if are_known && self.counts_keyed {
            groups.iter().for_each(|group| self.counts[*group as usize] += 1);
        }
        are_known
    }

    /// Adds the rows of a batch.
    pub(super) fn add(&mut self, input: &Batch, cx: &Context) -> Result<(), Stop> {
        self.prepare(cx)?;
        let rows = input.rows();
        self.group_of.clear();
        for row in 0..rows {
            let group = match self.by.number(input, row) {
                Some(key) => self.count_row(key, cx)?,
                None => {
                    self.counts[ABSENT as usize] += 1;
                    ABSENT
                }
            };
            self.group_of.push(group);
        }
        self.keyed.clear();
        self.keyed.resize(rows.div_ceil(64), u64::MAX);
        for column in &mut self.columns {
            let Column::Of(plan, accumulator) = column else { continue };
            self.numbers.clear();
            self.present.clear();
            self.present.resize(rows.div_ceil(64), 0);
            for row in 0..rows {
                let number = plan.owner(input, row).and_then(|owner| plan.property.number(owner));
                self.numbers.push(number.unwrap_or(0));
                self.present[row / 64] |= u64::from(number.is_some()) << (row % 64);
            }
            let (groups, keyed) = (&self.group_of, &self.keyed);
            accumulator.add(Grouped { groups, keyed, numbers: &self.numbers, present: &self.present });
        }
        Ok(())
    }

    /// Adds the nodes whose bits are set in a selection.
    pub(super) fn add_selected(
        &mut self,
        stored: &Stored,
        selection: &mut Selection,
        cx: &Context,
    ) -> Result<(), Stop> {
        self.prepare(cx)?;
        self.group_selected(stored, selection, cx)?;
        let mut filled = None;
        for column in &mut self.columns {
            let Column::Of(plan, accumulator) = column else { continue };
            if !filled.is_some_and(|property| Arc::ptr_eq(property, &plan.property)) {
                selection.fill(&plan.property);
                filled = Some(&plan.property);
            }
            let (numbers, present) = selection.filled();
            accumulator.add(Grouped { groups: &self.group_of, keyed: &self.keyed, numbers, present });
        }
        Ok(())
    }

    /// Finds the group of each node of a selection.
    fn group_selected(
        &mut self,
        stored: &Stored,
        selection: &mut Selection,
        cx: &Context,
    ) -> Result<(), Stop> {
        self.group_of.clear();
        self.group_of.resize(selection.nodes().len(), ABSENT);
        match stored {
            Stored::Keys(property) => selection.fill(property),
            Stored::Labels(labels) => selection.fill_label_sets(labels),
            Stored::Nodes | Stored::Values(_) => return Ok(()),
        }
        let (keys, keyed) = selection.filled();
        let mut rows = 0;
        for (word, bits) in keyed.iter().enumerate() {
            rows += bits.count_ones() as usize;
            let lane = 64 * word..64 * word + 64;
            if *bits == u64::MAX && self.count_known(lane.clone(), &keys[lane]) {
                continue;
            }
            for index in members(&[*bits]) {
                let index = 64 * word + index as usize;
                self.group_of[index] = self.count_row(keys[index], cx)?;
            }
        }
        self.keyed.clear();
        self.keyed.extend_from_slice(keyed);
        self.counts[ABSENT as usize] += (selection.count() - rows) as u64;
        Ok(())
    }

    /// Merges the summaries that were made of other rows.
    pub(super) fn merge(&mut self, mut other: Self, cx: &mut Context) -> Result<(), Stop> {
        self.prepare(cx)?;
        let keys = other.keys.as_ref().map_or(&[][..], KeyTable::keys);
        for from in 0..other.counts.len() {
            cx.tick()?;
            let group = match from.checked_sub(1).and_then(|number| keys.get(number)) {
                Some(key) => self.group(*key, cx)?,
                None => ABSENT,
            };
            self.counts[group as usize] += other.counts[from];
            for (own, other) in self.columns.iter_mut().zip(&other.columns) {
                if let (Column::Of(_, own), Column::Of(_, other)) = (own, other) {
                    own.merge(group as usize, other, from);
                }
            }
        }
        other.release(cx);
        Ok(())
    }

    /// Returns the bytes of the summaries to the budget. Called before the summaries are dropped.
    fn release(&mut self, cx: &Context) {
        self.keys.iter_mut().for_each(|keys| keys.release(cx.budget));
        cx.budget.give_back(std::mem::take(&mut self.held));
        for column in &mut self.columns {
            if let Column::Of(_, accumulator) = column {
                accumulator.release(cx);
            }
        }
    }

    /// Sorts the groups. Called when all rows were added.
    pub(super) fn finish(&mut self, cx: &mut Context) -> Result<(), Stop> {
        self.prepare(cx)?;
        let keys = self.keys.as_ref().map_or(&[][..], KeyTable::keys);
        number_rows(&mut self.order, keys.len(), &mut self.held, cx)?;
        sort_groups(&mut self.order, keys, &self.by.column().meaning, cx)
    }

    /// Puts the next groups into `output`. Returns false at the end.
    pub(super) fn give(&mut self, output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        output.table.resize_with(1 + self.columns.len(), Cells::default);
        let has_absent = self.counts.get(ABSENT as usize).is_some_and(|rows| *rows > 0);
        let groups = self.order.len() + usize::from(has_absent);
        let (first, end) = (self.given, groups.min(self.given + cx.batch_rows));
        for place in first..end {
            cx.tick()?;
            let number = self.order.get(place).map(|number| *number as usize);
            let key = number.and_then(|number| self.keys.as_ref()?.keys().get(number).copied());
            output.table[0].push(key);
            let group = number.map_or(ABSENT as usize, |number| number + 1);
            for (cells, column) in output.table[1..].iter_mut().zip(&self.columns) {
                cells.push(match column {
                    Column::Count => Some(self.counts[group] as i64),
                    Column::Of(_, accumulator) => accumulator.result(group)?,
                });
            }
        }
        self.given = end;
        Ok(end > first)
    }

    /// Removes all rows.
    pub(super) fn reset(&mut self) {
        self.keys.iter_mut().for_each(KeyTable::clear);
        self.counts.clear();
        self.order.clear();
        self.given = 0;
        for column in &mut self.columns {
            if let Column::Of(_, accumulator) = column {
                accumulator.clear();
            }
        }
    }
}
