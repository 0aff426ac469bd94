//! [`Summaries`]: what is made of the rows of each key.

use super::context::Context;
use super::key_table::KeyTable;
use super::selection::Selection;
use super::sort::{number_rows, sort};
use super::stop::Stop;
use super::stored::Stored;
use super::tally::{Numbers, Tally};
use crate::pipeline::plan::{KeyPlan, PropertyPlan, SummaryPlan};
use crate::pipeline::rows::{Batch, Cells};

/// Groups with their summaries; then they are given in the order of the numbers of their keys, the one of rows without a key
/// last.
#[derive(Debug)]
pub(super) struct Summaries {
    by: KeyPlan,
    columns: Vec<SummaryPlan>,
    keys: Option<KeyTable>,
    /// Rows of each group: of those without a key, then of each key.
    rows: Vec<u64>,
    /// For each column what is known of the numbers of each group; nothing where rows are counted.
    tallies: Vec<Vec<Tally>>,
    /// The group of each row that is being added.
    group_of: Vec<u32>,
    /// Groups in the order of their keys.
    order: Vec<u32>,
    given: usize,
    held: usize,
}

/// The group of rows without a key, or with one that comes from damage.
const ABSENT: u32 = 0;

impl Summaries {
    pub(super) fn new(by: &KeyPlan, columns: &[SummaryPlan]) -> Self {
        Self {
            by: by.clone(),
            columns: columns.to_vec(),
            keys: None,
            rows: Vec::new(),
            tallies: columns.iter().map(|_| Vec::new()).collect(),
            group_of: Vec::new(),
            order: Vec::new(),
            given: 0,
            held: 0,
        }
    }

    /// Whether parts of the rows give what all of them give, in whatever order they are merged.
    pub(super) fn is_exact(&self) -> bool {
        self.columns.iter().filter_map(SummaryPlan::tally).all(|tally| tally.is_exact())
    }

    fn prepare(&mut self, cx: &Context) -> Result<(), Stop> {
        if self.keys.is_none() {
            self.keys = Some(KeyTable::numbered(&self.by.column().meaning, cx.nodes));
        }
        if self.rows.is_empty() {
            self.add_group(cx)?;
        }
        Ok(())
    }

    fn add_group(&mut self, cx: &Context) -> Result<(), Stop> {
        cx.budget.make_room(&mut self.rows, 1, &mut self.held)?;
        self.rows.push(0);
        for (column, tallies) in self.columns.iter().zip(&mut self.tallies) {
            if let Some(tally) = column.tally() {
                cx.budget.make_room(tallies, 1, &mut self.held)?;
                tallies.push(tally);
            }
        }
        Ok(())
    }

    /// The group of a key.
    #[inline]
    fn group(&mut self, key: Option<i64>, cx: &Context) -> Result<u32, Stop> {
        let Some((keys, key)) = self.keys.as_mut().zip(key) else { return Ok(ABSENT) };
        let Some((number, is_new)) = keys.number(key, cx.budget)? else { return Ok(ABSENT) };
        if is_new {
            self.add_group(cx)?;
        }
        Ok(number as u32 + 1)
    }

    /// Adds a row to the group of its key.
    #[inline]
    fn add_row(&mut self, key: Option<i64>, cx: &Context) -> Result<(), Stop> {
        let group = self.group(key, cx)?;
        self.rows[group as usize] += 1;
        self.group_of.push(group);
        Ok(())
    }

    /// Adds rows.
    pub(super) fn add(&mut self, input: &Batch, cx: &Context) -> Result<(), Stop> {
        self.prepare(cx)?;
        self.group_of.clear();
        for row in 0..input.rows() {
            self.add_row(self.by.number(input, row), cx)?;
        }
        for (column, tallies) in self.columns.iter().zip(&mut self.tallies) {
            let Some(plan) = column.property() else { continue };
            for (row, group) in self.group_of.iter().enumerate() {
                if let Some(number) = plan.owner(input, row).and_then(|owner| plan.property.number(owner)) {
                    tallies[*group as usize].add_one(number);
                }
            }
        }
        Ok(())
    }

    /// Adds nodes that are bits.
    pub(super) fn add_selected(
        &mut self,
        stored: &Stored,
        selection: &mut Selection,
        cx: &Context,
    ) -> Result<(), Stop> {
        self.prepare(cx)?;
        self.group_of.clear();
        let mut outcome = Ok(());
        let add = |_, key| {
            if outcome.is_ok() {
                outcome = self.add_row(key, cx);
            }
        };
        match stored {
            Stored::Keys(property) => selection.for_each(property, add),
            Stored::Labels(labels) => selection.for_each_label_set(labels, add),
            Stored::Nodes | Stored::Values(_) => {}
        }
        outcome?;
        for (column, tallies) in self.columns.iter().zip(&mut self.tallies) {
            let Some(plan) = column.property() else { continue };
            let mut groups = self.group_of.iter();
            selection.for_each(&plan.property, |_, number| {
                if let (Some(group), Some(number)) = (groups.next(), number) {
                    tallies[*group as usize].add_one(number);
                }
            });
        }
        Ok(())
    }

    /// Adds what another one knows of other rows.
    pub(super) fn merge(&mut self, mut other: Self, cx: &mut Context) -> Result<(), Stop> {
        self.prepare(cx)?;
        let keys = other.keys.as_ref().map_or(&[][..], KeyTable::keys);
        let keys = std::iter::once(None).chain(keys.iter().copied().map(Some));
        for (from, key) in keys.enumerate().take(other.rows.len()) {
            cx.tick()?;
            let group = self.group(key, cx)? as usize;
            self.rows[group] += other.rows[from];
            for (tallies, others) in self.tallies.iter_mut().zip(&other.tallies) {
                tallies
                    .get_mut(group)
                    .into_iter()
                    .zip(others.get(from))
                    .for_each(|(own, other)| own.merge(other));
            }
        }
        other.keys.iter_mut().for_each(|keys| keys.release(cx.budget));
        cx.budget.give_back(other.held);
        Ok(())
    }

    /// Puts groups in order, when all rows were added.
    pub(super) fn finish(&mut self, cx: &mut Context) -> Result<(), Stop> {
        self.prepare(cx)?;
        let keys = self.keys.as_ref().map_or(&[][..], KeyTable::keys);
        number_rows(&mut self.order, keys.len(), &mut self.held, cx)?;
        let numbers = Numbers::of(&self.by.column().meaning);
        sort(&mut self.order, |a, b| numbers.compare(keys[*a as usize], keys[*b as usize]), cx)
    }

    /// Puts the next groups into `output`; false at the end.
    pub(super) fn give(&mut self, output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        output.table.resize_with(1 + self.columns.len(), Cells::default);
        let has_absent = self.rows.get(ABSENT as usize).is_some_and(|rows| *rows > 0);
        let groups = self.order.len() + usize::from(has_absent);
        let (first, end) = (self.given, groups.min(self.given + cx.batch_rows));
        for place in first..end {
            cx.tick()?;
            let number = self.order.get(place).map(|number| *number as usize);
            let key = number.and_then(|number| self.keys.as_ref()?.keys().get(number).copied());
            output.table[0].push(key);
            let group = number.map_or(ABSENT as usize, |number| number + 1);
            for (cells, tallies) in output.table[1..].iter_mut().zip(&self.tallies) {
                cells.push(match tallies.get(group) {
                    Some(tally) => tally.result()?,
                    None => Some(self.rows[group] as i64),
                });
            }
        }
        self.given = end;
        Ok(end > first)
    }

    /// Forgets all rows.
    pub(super) fn reset(&mut self) {
        self.keys.iter_mut().for_each(KeyTable::clear);
        self.rows.clear();
        self.tallies.iter_mut().for_each(Vec::clear);
        self.order.clear();
        self.given = 0;
    }
}

impl SummaryPlan {
    /// What begins a group; none where rows are counted.
    fn tally(&self) -> Option<Tally> {
        match self {
            Self::Count => None,
            Self::Of(aggregate, plan) => Some(Tally::new(*aggregate, &plan.meaning())),
        }
    }

    fn property(&self) -> Option<&PropertyPlan> {
        match self {
            Self::Count => None,
            Self::Of(_, plan) => Some(plan),
        }
    }
}
