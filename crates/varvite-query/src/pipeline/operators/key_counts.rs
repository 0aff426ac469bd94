//! [`KeyCounts`]: counts the rows of each key.

use std::ops::Range;

use super::context::Context;
use super::key_table::KeyTable;
use super::node_numbers::{NodeNumbers, each_key};
use super::selection::Selection;
use super::sort::{COPIED, number_rows, sort_groups};
use super::stop::Stop;
use super::stored::Stored;
use crate::pipeline::plan::KeyPlan;
use crate::pipeline::rows::{Batch, Cells};

/// Counts rows by key, then gives a row for each key, in the order of the keys. The group of rows without a
/// key comes last.
#[derive(Debug)]
pub(super) struct KeyCounts {
    by: KeyPlan,
    numbers: NodeNumbers,
    counts: Counts,
    absent: u64,
    groups: Groups,
    held: usize,
}

/// The number of rows of each key.
#[derive(Debug)]
enum Counts {
    Nothing,
    /// Indexed by key, if there are few possible keys.
    Array(Vec<u64>),
    /// Indexed by the number of the key in a table.
    Numbered(KeyTable, Vec<u64>),
}

/// The groups to return as rows, and the number of groups returned so far.
#[derive(Debug, Default)]
struct Groups {
    keys: Vec<i64>,
    counts: Vec<u64>,
    order: Vec<u32>,
    given: usize,
}

/// If there are at most this many possible keys, each gets a counter in an array, which takes at most 32 MB.
const BOUND_MAX: u64 = 1 << 22;

impl KeyCounts {
    pub(super) fn new(by: KeyPlan) -> Self {
        let (numbers, groups) = (NodeNumbers::default(), Groups::default());
        Self { by, numbers, counts: Counts::Nothing, absent: 0, groups, held: 0 }
    }

    fn prepare(&mut self, cx: &Context) -> Result<(), Stop> {
        if matches!(self.counts, Counts::Nothing) {
            let meaning = self.by.column().meaning;
            self.counts = match meaning.bound(cx.nodes).filter(|bound| *bound <= BOUND_MAX) {
                Some(bound) => {
                    let mut counts = Vec::new();
                    cx.budget.make_room(&mut counts, bound as usize, &mut self.held)?;
                    counts.resize(bound as usize, 0);
                    Counts::Array(counts)
                }
                None => Counts::Numbered(KeyTable::numbered(&meaning, cx.nodes), Vec::new()),
            };
        }
        Ok(())
    }

    /// Counts the rows of a batch.
    pub(super) fn add(&mut self, input: &Batch, cx: &Context) -> Result<(), Stop> {
        self.prepare(cx)?;
        match &mut self.counts {
            Counts::Nothing => {}
            Counts::Array(counts) => {
                let absent = &mut self.absent;
                each_key(&self.by, &mut self.numbers, input, |key| match key {
                    // Only a damaged file has an impossible key, and the reader of the column has noted the
                    // damage.
                    Some(key) => counts.get_mut(key as usize).into_iter().for_each(|count| *count += 1),
                    None => *absent += 1,
                });
            }
            Counts::Numbered(table, counts) => {
                let (absent, held, mut outcome) = (&mut self.absent, &mut self.held, Ok(()));
                each_key(&self.by, &mut self.numbers, input, |key| match key {
                    Some(key) => {
                        let counted = count_key(key, table, counts, held, cx);
                        outcome = std::mem::replace(&mut outcome, Ok(())).and(counted);
                    }
                    None => *absent += 1,
                });
                outcome?;
            }
        }
        Ok(())
    }

    /// Counts the keys of a range of nodes directly from the stored column. If keys are not counted in an
    /// array, counts nothing and returns false.
    pub(super) fn add_stored(
        &mut self,
        stored: &Stored,
        nodes: Range<u32>,
        cx: &Context,
    ) -> Result<bool, Stop> {
        self.prepare(cx)?;
        let Counts::Array(counts) = &mut self.counts else { return Ok(false) };
        match stored {
            Stored::Values(property) => _ = property.count_codes(nodes, counts),
            Stored::Keys(property) => {
                let owners = property.count_owners(nodes.clone());
                property.count_codes(nodes.clone(), counts);
                self.absent += nodes.len() as u64 - owners;
            }
            Stored::Labels(labels) => labels.add_codes(nodes, counts),
            Stored::Nodes => return Ok(false),
        }
        Ok(true)
    }

    /// Counts the keys of the nodes whose bits are set in a selection. Returns the number of values.
    pub(super) fn add_selected(
        &mut self,
        stored: &Stored,
        selection: &mut Selection,
        cx: &Context,
    ) -> Result<u64, Stop> {
        self.prepare(cx)?;
        match stored {
            Stored::Values(property) | Stored::Keys(property) => selection.read(property),
            Stored::Labels(labels) => selection.read_labels(labels),
            Stored::Nodes => {}
        }
        let (keys, nodes) = (selection.numbers(), selection.count());
        match &mut self.counts {
            Counts::Nothing => {}
            // Only a damaged file has an impossible key, and the reader of the column has noted the damage.
            Counts::Array(counts) => keys.iter().for_each(|key| {
                counts.get_mut(*key as usize).into_iter().for_each(|count| *count += 1);
            }),
            Counts::Numbered(table, counts) => {
                let held = &mut self.held;
                keys.iter().try_for_each(|key| count_key(*key, table, counts, held, cx))?;
            }
        }
        if let Stored::Values(_) = stored {
            return Ok(keys.len() as u64);
        }
        self.absent += (nodes - keys.len()) as u64;
        Ok(nodes as u64)
    }

    /// Adds the counts that were made of other rows.
    pub(super) fn merge(&mut self, mut other: Self, cx: &mut Context) -> Result<(), Stop> {
        self.prepare(cx)?;
        self.absent += other.absent;
        match (&mut self.counts, &mut other.counts) {
            (Counts::Array(counts), Counts::Array(others)) => {
                for (counts, others) in counts.chunks_mut(COPIED).zip(others.chunks(COPIED)) {
                    cx.tick_by(others.len())?;
                    counts.iter_mut().zip(others).for_each(|(count, other)| *count += other);
                }
            }
            (Counts::Numbered(table, counts), Counts::Numbered(other_table, others)) => {
                for (key, other) in other_table.keys().iter().zip(others.iter()) {
                    cx.tick()?;
                    if let Some((group, _)) = table.number(*key, cx.budget)? {
                        add_to(counts, group, *other, &mut self.held, cx)?;
                    }
                }
                other_table.release(cx.budget);
            }
            _ => {}
        }
        cx.budget.give_back(other.held);
        Ok(())
    }

    /// Makes the groups from the counts.
    pub(super) fn finish(&mut self, cx: &mut Context) -> Result<(), Stop> {
        self.prepare(cx)?;
        let Groups { keys, counts: of_groups, order, .. } = &mut self.groups;
        match &mut self.counts {
            Counts::Nothing => {}
            Counts::Array(counts) => {
                for (first, counts) in (0..).step_by(COPIED).zip(counts.chunks(COPIED)) {
                    cx.tick_by(COPIED)?;
                    let groups = counts.iter().filter(|count| **count > 0).count();
                    cx.budget.make_room(keys, groups, &mut self.held)?;
                    cx.budget.make_room(of_groups, groups, &mut self.held)?;
                    for (key, count) in (first..).zip(counts).filter(|(_, count)| **count > 0) {
                        keys.push(key);
                        of_groups.push(*count);
                    }
                }
                number_rows(order, keys.len(), &mut self.held, cx)?;
                let meaning = self.by.column().meaning;
                if meaning.mixed_texts().is_some() {
                    sort_groups(order, keys, &meaning, cx)?;
                }
            }
            Counts::Numbered(table, counts) => {
                cx.budget.make_room(keys, table.keys().len(), &mut self.held)?;
                keys.extend_from_slice(table.keys());
                *of_groups = std::mem::take(counts);
                number_rows(order, keys.len(), &mut self.held, cx)?;
                sort_groups(order, keys, &self.by.column().meaning, cx)?;
            }
        }
        Ok(())
    }

    /// Puts the next groups into `output`. Returns false at the end.
    pub(super) fn give(&mut self, output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        let Groups { keys, counts, order, given } = &mut self.groups;
        output.table.resize_with(2, Cells::default);
        let groups = order.len() + usize::from(self.absent > 0);
        let (first, end) = (*given, groups.min(*given + cx.batch_rows));
        for group in first..end {
            cx.tick()?;
            let group = order.get(group).map(|group| *group as usize);
            output.table[0].push(group.and_then(|group| keys.get(group).copied()));
            output.table[1].push(Some(group.map_or(self.absent, |group| counts[group]) as i64));
        }
        *given = end;
        Ok(end > first)
    }

    /// Removes all rows.
    pub(super) fn reset(&mut self) {
        match &mut self.counts {
            Counts::Nothing => {}
            Counts::Array(counts) => counts.fill(0),
            Counts::Numbered(table, counts) => {
                table.clear();
                counts.clear();
            }
        }
        let Groups { keys, counts, order, given } = &mut self.groups;
        keys.clear();
        counts.clear();
        order.clear();
        (*given, self.absent) = (0, 0);
    }
}

/// Counts a row with a key. Ignores an impossible key, which only a damaged file has; the reader of the
/// column has noted the damage.
#[inline]
fn count_key(
    key: i64,
    table: &mut KeyTable,
    counts: &mut Vec<u64>,
    held: &mut usize,
    cx: &Context,
) -> Result<(), Stop> {
    if let Some(count) = table.known_number(key).and_then(|group| counts.get_mut(group as usize)) {
        *count += 1;
        return Ok(());
    }
    match table.number(key, cx.budget)? {
        Some((group, _)) => add_to(counts, group, 1, held, cx),
        None => Ok(()),
    }
}

/// Adds `rows` to the count of a group, which may be a new one.
#[inline]
fn add_to(
    counts: &mut Vec<u64>,
    group: usize,
    rows: u64,
    held: &mut usize,
    cx: &Context,
) -> Result<(), Stop> {
    if group >= counts.len() {
        cx.budget.make_room(counts, group + 1 - counts.len(), held)?;
        counts.resize(group + 1, 0);
    }
    counts[group] += rows;
    Ok(())
}
