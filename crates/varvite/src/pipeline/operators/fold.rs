//! Steps that make one answer of all rows: `count`, `sum` and its kin, `group`, `group_count`.

use std::cmp::Ordering;

use super::chain::{Operate, Stage, pull};
use super::context::Context;
use super::key_table::KeyTable;
use super::lists::{has_room, push_list};
use super::sort::{COPIED, number_rows, sort};
use super::stop::Stop;
use crate::pipeline::plan::{Aggregate, KeyPlan};
use crate::pipeline::rows::{Batch, Cells, Meaning};
use crate::value::ValueType;

/// `count`.
#[derive(Debug, Default)]
pub(crate) struct Count {
    is_given: bool,
}

impl Operate for Count {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        if std::mem::replace(&mut self.is_given, true) {
            return Ok(false);
        }
        let mut count = 0;
        while pull(before, cx)? {
            count += before.last().map_or(0, |stage| stage.output.rows()) as i64;
        }
        output.numbers.push(count);
        give_lanes(output, cx);
        Ok(true)
    }

    fn reset(&mut self) {
        self.is_given = false;
    }
}

/// A row made of many has no path and no depth.
fn give_lanes(output: &mut Batch, cx: &Context) {
    output.push_carried(&Batch::default(), 0, cx.carried);
}

/// How numbers are stored.
#[derive(Clone, Copy, Debug)]
enum Numbers {
    Signed,
    Unsigned,
    Single,
    Double,
}

impl Numbers {
    fn of(meaning: &Meaning) -> Self {
        match meaning.value_type() {
            Some(ValueType::F32) => Self::Single,
            Some(ValueType::F64) => Self::Double,
            Some(ValueType::U8 | ValueType::U16 | ValueType::U32 | ValueType::U64) => Self::Unsigned,
            _ => Self::Signed,
        }
    }

    fn whole(self, number: i64) -> i128 {
        match self {
            Self::Unsigned => i128::from(number as u64),
            _ => i128::from(number),
        }
    }

    fn float(self, number: i64) -> f64 {
        match self {
            Self::Single => f64::from(f32::from_bits(number as u32)),
            Self::Double => f64::from_bits(number as u64),
            _ => self.whole(number) as f64,
        }
    }

    fn is_float(self) -> bool {
        matches!(self, Self::Single | Self::Double)
    }

    fn compare(self, a: i64, b: i64) -> Ordering {
        match self.is_float() {
            true => self.float(a).total_cmp(&self.float(b)),
            false => self.whole(a).cmp(&self.whole(b)),
        }
    }
}

/// `sum`, `min`, `max` and `mean`.
#[derive(Debug)]
pub(crate) struct AggregateOperator {
    aggregate: Aggregate,
    numbers: Numbers,
    is_given: bool,
}

impl AggregateOperator {
    pub(crate) fn new(aggregate: Aggregate, meaning: &Meaning) -> Self {
        Self { aggregate, numbers: Numbers::of(meaning), is_given: false }
    }

    fn result(&self, tally: &Tally) -> Result<Option<i64>, Stop> {
        let nothing = tally.count == 0;
        Ok(match self.aggregate {
            Aggregate::Sum if self.numbers.is_float() => Some(tally.float.to_bits() as i64),
            Aggregate::Sum => {
                let in_range = match self.numbers {
                    Numbers::Unsigned => u64::try_from(tally.whole).ok().map(|sum| sum as i64),
                    _ => i64::try_from(tally.whole).ok(),
                };
                Some(in_range.ok_or(Stop::Overflow)?)
            }
            Aggregate::Mean if nothing => None,
            Aggregate::Mean if self.numbers.is_float() => {
                Some((tally.float / tally.count as f64).to_bits() as i64)
            }
            Aggregate::Mean => Some((tally.whole as f64 / tally.count as f64).to_bits() as i64),
            Aggregate::Min => tally.least,
            Aggregate::Max => tally.greatest,
        })
    }
}

#[derive(Default)]
struct Tally {
    count: u64,
    whole: i128,
    float: f64,
    least: Option<i64>,
    greatest: Option<i64>,
}

impl Tally {
    fn add(&mut self, numbers: Numbers, number: i64) {
        self.count += 1;
        let less = |a: i64, b: i64| numbers.compare(a, b).is_lt();
        match numbers.is_float() {
            true => self.float += numbers.float(number),
            false => self.whole += numbers.whole(number),
        }
        if self.least.is_none_or(|least| less(number, least)) {
            self.least = Some(number);
        }
        if self.greatest.is_none_or(|greatest| less(greatest, number)) {
            self.greatest = Some(number);
        }
    }
}

impl Operate for AggregateOperator {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        if std::mem::replace(&mut self.is_given, true) {
            return Ok(false);
        }
        let mut tally = Tally::default();
        while pull(before, cx)? {
            let Some(input) = before.last().map(|stage| &stage.output) else { break };
            input.numbers.iter().for_each(|number| tally.add(self.numbers, *number));
        }
        let Some(number) = self.result(&tally)? else { return Ok(false) };
        output.numbers.push(number);
        give_lanes(output, cx);
        Ok(true)
    }

    fn reset(&mut self) {
        self.is_given = false;
    }
}

/// `group` and `group_count`. Keys come in the order of their numbers, one that is absent last.
#[derive(Debug)]
pub(crate) struct Group {
    by: KeyPlan,
    keeps_rows: bool,
    groups: Option<KeyTable>,
    /// Rows of each possible key, where these are few and rows are only counted.
    by_key: Vec<u64>,
    /// The keys of groups.
    keys: Vec<i64>,
    /// Rows of each group, and of the group without a key.
    counts: Vec<u64>,
    absent: u64,
    /// The group of each row and its node, if rows are kept.
    members: Vec<(u32, u32)>,
    /// Groups in the order of their keys; nodes by group.
    order: Vec<u32>,
    nodes: Vec<u32>,
    starts: Vec<usize>,
    given: usize,
    is_grouped: bool,
    held: usize,
    output_held: usize,
}

/// Most possible keys that are counted in a place each: 32 MB.
const BOUND_MAX: u64 = 1 << 22;

/// The group of rows without a key.
const ABSENT: u32 = u32::MAX;

impl Group {
    pub(crate) fn new(by: KeyPlan, keeps_rows: bool) -> Self {
        Self {
            by,
            keeps_rows,
            groups: None,
            by_key: Vec::new(),
            keys: Vec::new(),
            counts: Vec::new(),
            absent: 0,
            members: Vec::new(),
            order: Vec::new(),
            nodes: Vec::new(),
            starts: Vec::new(),
            given: 0,
            is_grouped: false,
            held: 0,
            output_held: 0,
        }
    }

    /// Counts rows by key, where each possible key has a place.
    fn count(&mut self, bound: usize, before: &mut [Stage], cx: &mut Context) -> Result<(), Stop> {
        cx.budget.make_room(&mut self.by_key, bound, &mut self.held)?;
        self.by_key.resize(bound, 0);
        while pull(before, cx)? {
            let Some(input) = before.last().map(|stage| &stage.output) else { break };
            let mut add = |key: i64| {
                if let Some(count) = self.by_key.get_mut(key as usize) {
                    *count += 1;
                }
            };
            if let KeyPlan::Value(_) = self.by {
                input.numbers.iter().for_each(|key| add(*key));
                continue;
            }
            for row in 0..input.rows() {
                match self.by.number(input, row) {
                    Some(key) => add(key),
                    None => self.absent += 1,
                }
            }
        }
        for (first, counts) in (0..).step_by(COPIED).zip(self.by_key.chunks(COPIED)) {
            cx.tick_by(COPIED)?;
            let groups = counts.iter().filter(|count| **count > 0).count();
            cx.budget.make_room(&mut self.keys, groups, &mut self.held)?;
            cx.budget.make_room(&mut self.counts, groups, &mut self.held)?;
            for (key, count) in (first..).zip(counts).filter(|(_, count)| **count > 0) {
                self.keys.push(key);
                self.counts.push(*count);
            }
        }
        number_rows(&mut self.order, self.keys.len(), &mut self.held, cx)?;
        self.place_members(cx)?;
        self.is_grouped = true;
        Ok(())
    }

    fn group(&mut self, before: &mut [Stage], cx: &mut Context) -> Result<(), Stop> {
        let bound = self.by.column().meaning.bound(cx.nodes).filter(|bound| *bound <= BOUND_MAX);
        if let (Some(bound), false) = (bound, self.keeps_rows) {
            return self.count(bound as usize, before, cx);
        }
        let groups =
            self.groups.get_or_insert_with(|| KeyTable::numbered(&self.by.column().meaning, cx.nodes));
        while pull(before, cx)? {
            let Some(input) = before.last().map(|stage| &stage.output) else { break };
            cx.budget.make_room(&mut self.counts, input.rows(), &mut self.held)?;
            if self.keeps_rows {
                cx.budget.make_room(&mut self.members, input.rows(), &mut self.held)?;
            }
            for row in 0..input.rows() {
                let key = self.by.number(input, row);
                let number = key.map(|key| groups.number(key, cx.budget)).transpose()?.flatten();
                let group = match number {
                    Some((group, is_new)) => {
                        if is_new {
                            self.counts.push(0);
                        }
                        if let Some(count) = self.counts.get_mut(group) {
                            *count += 1;
                        }
                        group as u32
                    }
                    None => {
                        self.absent += 1;
                        ABSENT
                    }
                };
                if self.keeps_rows {
                    self.members.extend(input.nodes.get(row).map(|node| (group, *node)));
                }
            }
        }
        let (keys, numbers) = (groups.keys(), Numbers::of(&self.by.column().meaning));
        number_rows(&mut self.order, keys.len(), &mut self.held, cx)?;
        sort(&mut self.order, |a, b| numbers.compare(keys[*a as usize], keys[*b as usize]), cx)?;
        self.place_members(cx)?;
        self.is_grouped = true;
        Ok(())
    }

    /// Puts the nodes of each group together, those without a key last; a group keeps the order of its rows.
    fn place_members(&mut self, cx: &mut Context) -> Result<(), Stop> {
        if !self.keeps_rows {
            return Ok(());
        }
        cx.budget.make_room(&mut self.starts, self.counts.len() + 1, &mut self.held)?;
        let mut start = 0;
        for count in self.counts.iter().chain(std::iter::once(&self.absent)) {
            cx.tick()?;
            self.starts.push(start);
            start += *count as usize;
        }
        let _next = cx.budget.reserve(size_of::<usize>() * self.starts.len())?;
        let mut next = self.starts.clone();
        cx.budget.make_room(&mut self.nodes, self.members.len(), &mut self.held)?;
        self.nodes.resize(self.members.len(), 0);
        for (group, node) in &self.members {
            cx.tick()?;
            let slot = &mut next[(*group as usize).min(self.counts.len())];
            self.nodes[*slot] = *node;
            *slot += 1;
        }
        cx.budget.give_back_items(&mut self.members, &mut self.held);
        Ok(())
    }

    /// The key of a group, by its number among all.
    fn key(&self, group: u32) -> Option<i64> {
        let keys = self.groups.as_ref().map_or(&self.keys[..], KeyTable::keys);
        keys.get(group as usize).copied()
    }

    fn give_group(
        &mut self,
        group: u32,
        count: u64,
        output: &mut Batch,
        cx: &mut Context,
    ) -> Result<(), Stop> {
        output.table[0].push(self.key(group));
        if !self.keeps_rows {
            output.table[1].push(Some(count as i64));
            return cx.tick();
        }
        let start = self.starts[(group as usize).min(self.counts.len())];
        let nodes = self.nodes.get(start..start + count as usize).unwrap_or(&[]);
        let numbers = nodes.iter().map(|node| i64::from(*node));
        push_list(output, 1, nodes.len(), numbers, &mut self.output_held, cx)
    }
}

impl Operate for Group {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        if !self.is_grouped {
            self.group(before, cx)?;
        }
        output.table.resize_with(2, Cells::default);
        let groups = self.order.len() + usize::from(self.absent > 0);
        let (first, end) = (self.given, groups.min(self.given + cx.batch_rows));
        while self.given < end && has_room(output) {
            let group = self.order.get(self.given).copied().unwrap_or(ABSENT);
            let count = self.counts.get(group as usize).copied().unwrap_or(self.absent);
            self.give_group(group, count, output, cx)?;
            self.given += 1;
        }
        Ok(self.given > first)
    }

    fn reset(&mut self) {
        self.groups.iter_mut().for_each(KeyTable::clear);
        self.by_key.clear();
        self.keys.clear();
        self.counts.clear();
        self.members.clear();
        self.order.clear();
        self.nodes.clear();
        self.starts.clear();
        (self.given, self.absent, self.is_grouped) = (0, 0, false);
    }
}
