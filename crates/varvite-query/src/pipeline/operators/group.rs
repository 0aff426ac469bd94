//! The operator of `group`, which collects the nodes of each key.

use super::chain::{Operate, Stage, pull};
use super::context::Context;
use super::key_table::KeyTable;
use super::lists::{has_room, push_list};
use super::sort::{number_rows, sort_groups};
use super::stop::Stop;
use crate::pipeline::plan::KeyPlan;
use crate::pipeline::rows::{Batch, Cells};

/// The operator of `group`. Its rows come in the order of the groups' keys; the group of rows without a key
/// comes last.
#[derive(Debug)]
pub(crate) struct Group {
    by: KeyPlan,
    groups: Option<KeyTable>,
    /// The number of rows in each group with a key, and in the group without one.
    counts: Vec<u64>,
    absent: u64,
    /// The group and the node of each row.
    members: Vec<(u32, u32)>,
    /// The groups in the order of their keys, the nodes sorted by group, and the index in `nodes` at which
    /// each group starts.
    order: Vec<u32>,
    nodes: Vec<u32>,
    starts: Vec<usize>,
    given: usize,
    is_grouped: bool,
    held: usize,
    output_held: usize,
}

/// The group number for rows without a key.
const ABSENT: u32 = u32::MAX;

impl Group {
    pub(crate) fn new(by: KeyPlan) -> Self {
        Self {
            by,
            groups: None,
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

    fn group(&mut self, before: &mut [Stage], cx: &mut Context) -> Result<(), Stop> {
        let meaning = self.by.column().meaning;
        let groups = self.groups.get_or_insert_with(|| KeyTable::numbered(&meaning, cx.nodes));
        while pull(before, cx)? {
            let Some(input) = before.last().map(|stage| &stage.output) else { break };
            cx.budget.make_room(&mut self.counts, input.rows(), &mut self.held)?;
            cx.budget.make_room(&mut self.members, input.rows(), &mut self.held)?;
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
                self.members.extend(input.nodes.get(row).map(|node| (group, *node)));
            }
        }
        let keys = groups.keys();
        number_rows(&mut self.order, keys.len(), &mut self.held, cx)?;
        sort_groups(&mut self.order, keys, &meaning, cx)?;
        self.place_members(cx)?;
        self.is_grouped = true;
        Ok(())
    }

    /// Sorts the nodes by group, with those without a key last. The nodes of a group keep the order of their
    /// rows.
    fn place_members(&mut self, cx: &mut Context) -> Result<(), Stop> {
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

    /// The key of a group. `None` for the group without a key.
    fn key(&self, group: u32) -> Option<i64> {
        self.groups.as_ref()?.keys().get(group as usize).copied()
    }

    fn give_group(
        &mut self,
        group: u32,
        count: u64,
        output: &mut Batch,
        cx: &mut Context,
    ) -> Result<(), Stop> {
        output.table[0].push(self.key(group));
        let start = self.starts[(group as usize).min(self.counts.len())];
        let nodes = self.nodes.get(start..start + count as usize).unwrap_or(&[]);
        let numbers = nodes.iter().map(|node| i64::from(*node));
        push_list(output, 1, nodes.len(), numbers, &mut self.output_held, cx)
    }
}

impl Operate for Group {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        if !self.is_grouped {
            cx.in_whole_batches(|cx| self.group(before, cx))?;
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
        self.counts.clear();
        self.members.clear();
        self.order.clear();
        self.nodes.clear();
        self.starts.clear();
        (self.given, self.absent, self.is_grouped) = (0, 0, false);
    }
}
