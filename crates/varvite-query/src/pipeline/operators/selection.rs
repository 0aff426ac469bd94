//! [`Selection`]: the nodes of a short range that pass conditions, as bits. It supports conditions on labels
//! and on properties with at most one value.
//!
//! A condition reads its column once for the whole range, in stored form where possible, and tests 64 nodes
//! at a time. Only nodes that pass become rows.

use std::ops::{Range, RangeInclusive};

use varvite_format::members;

use super::condition::Condition;
use super::value_test::ValueTest;
use crate::pipeline::plan::{LabelFilter, PropertyPlan, Test};
use varvite_graph::internal::{FEW, fill_bits};
use varvite_graph::{LabelNodes, Labels, Property};

/// The number of nodes in a range. The values of so many nodes fit into the first-level cache of a processor.
pub(super) const NODES_AT_ONCE: u32 = 1 << 12;

/// The nodes of a range that have passed all tests so far, and buffers for the tests.
#[derive(Debug, Default)]
pub(super) struct Selection {
    nodes: Range<u32>,
    /// Bit `i % 64` of word `i / 64` is for node `nodes.start + i`.
    bits: Vec<u64>,
    /// The bits of the current test.
    found: Vec<u64>,
    /// Reused buffers for copies of bits, while the alternatives of a condition are tested.
    waiting: Vec<Vec<u64>>,
    /// The values of a property in the range, and a bit for each node, set if it has a value.
    values: Vec<i64>,
    present: Vec<u64>,
    /// The values of the nodes that pass, one after another without gaps.
    numbers: Vec<i64>,
}

impl Selection {
    /// Selects all nodes of a range.
    pub(super) fn begin(&mut self, nodes: Range<u32>) {
        fill_bits(nodes.len(), &mut self.bits);
        self.nodes = nodes;
    }

    /// Selects the nodes of a range that have at least one of `labels`.
    pub(super) fn begin_with_labels(&mut self, labels: &[LabelNodes], nodes: Range<u32>) {
        let Some((first, others)) = labels.split_first() else { return self.begin(nodes) };
        first.select(nodes.clone(), &mut self.bits);
        for label in others {
            label.select(nodes.clone(), &mut self.found);
            self.bits.iter_mut().zip(&self.found).for_each(|(bits, found)| *bits |= found);
        }
        self.nodes = nodes;
    }

    pub(super) fn nodes(&self) -> Range<u32> {
        self.nodes.clone()
    }

    /// The number of nodes that pass.
    pub(super) fn count(&self) -> usize {
        self.bits.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The nodes that pass, in ascending order.
    pub(super) fn members(&self) -> impl Iterator<Item = u32> + '_ {
        members(&self.bits).map(|index| self.nodes.start + index)
    }

    /// Reads the values of the nodes that pass into [`Selection::numbers`].
    pub(super) fn read(&mut self, property: &Property) {
        self.numbers.clear();
        let scratch = (&mut self.values, &mut self.present);
        property.append_wanted(self.nodes.clone(), &self.bits, scratch, &mut self.numbers);
    }

    /// Reads the values of the nodes that pass into [`Selection::filled`]. The result has a slot for each
    /// node of the range, and a bit that is set if the node passes and has a value.
    pub(super) fn fill(&mut self, property: &Property) {
        property.fill_wanted(self.nodes(), &self.bits, &mut self.values, &mut self.present);
    }

    /// The same as [`Selection::fill`], for the codes of label sets.
    pub(super) fn fill_label_sets(&mut self, labels: &Labels) {
        labels.fill(self.nodes(), &mut self.values, &mut self.present);
        self.present.iter_mut().zip(&self.bits).for_each(|(present, bits)| *present &= bits);
    }

    /// The values that [`Selection::fill`] read, and the bits of the nodes that have a value.
    pub(super) fn filled(&self) -> (&[i64], &[u64]) {
        (&self.values, &self.present)
    }

    /// Calls `visit` with each node that passes and its value.
    pub(super) fn for_each(&mut self, property: &Property, mut visit: impl FnMut(u32, Option<i64>)) {
        self.fill(property);
        for index in members(&self.bits) {
            let is_present = self.present[index as usize / 64] >> (index % 64) & 1 != 0;
            visit(self.nodes.start + index, is_present.then(|| self.values[index as usize]));
        }
    }

    /// Keeps the nodes whose value is in a range of numbers.
    pub(super) fn keep_numbers(&mut self, property: &Property, numbers: RangeInclusive<i64>) {
        property.select(numbers, self.nodes(), &mut self.found);
        self.keep_found();
    }

    /// Reads the codes of the label sets of the nodes that pass into [`Selection::numbers`].
    pub(super) fn read_labels(&mut self, labels: &Labels) {
        self.fill_label_sets(labels);
        self.numbers.clear();
        self.numbers.extend(members(&self.present).filter_map(|index| self.values.get(index as usize)));
    }

    /// The values that were read last.
    pub(super) fn numbers(&self) -> &[i64] {
        &self.numbers
    }

    /// Keeps the nodes that have one of the filter's labels.
    pub(super) fn keep_labels(&mut self, filter: &LabelFilter) {
        if self.is_sparse(FEW) {
            let start = self.nodes.start;
            return keep_each(&mut self.bits, |index| filter.passes(start + index));
        }
        filter.labels.select_sets(&filter.wanted, self.nodes.clone(), &mut self.found);
        self.keep_found();
    }

    /// Keeps the nodes whose value passes a test that reads no texts.
    pub(super) fn keep_values(&mut self, plan: &PropertyPlan, test: &ValueTest) {
        let property = &plan.property;
        // A range test compares many packed numbers at a time. Other tests always read one number after
        // another.
        let is_range = matches!(test, ValueTest::Plain(Test::Never | Test::Equal(_) | Test::Range(_)));
        if self.is_sparse(if is_range { FEW } else { 2 }) {
            return self.keep_few(property, test);
        }
        let (nodes, found, values) = (self.nodes.clone(), &mut self.found, &mut self.values);
        // This `match` is evaluated once, not for each value.
        match test {
            ValueTest::Plain(Test::Never) => found.clear(),
            ValueTest::Plain(Test::Equal(number)) => property.select(*number..=*number, nodes, found),
            ValueTest::Plain(Test::Range(keys)) => match keys.stored() {
                Some((low, high)) => property.select(low..=high, nodes, found),
                None => property.select_if(nodes, values, found, |number| test.passes_prepared(number)),
            },
            ValueTest::Plain(Test::Set(set)) => property.select_if(nodes, values, found, |n| set.contains(n)),
            ValueTest::Texts(codes) => property.select_if(nodes, values, found, |n| codes.passes_prepared(n)),
            test => property.select_if(nodes, values, found, |number| test.passes_prepared(number)),
        }
        self.found.resize(self.bits.len(), 0);
        self.keep_found();
    }

    /// The same as [`Selection::keep_values`], for few remaining nodes, which are tested one by one.
    fn keep_few(&mut self, property: &Property, test: &ValueTest) {
        let (mut cursor, start) = (property.cursor(), self.nodes.start);
        keep_each(&mut self.bits, |index| {
            cursor.number(start + index).is_some_and(|number| test.passes_prepared(number))
        });
    }

    /// Keeps the nodes that pass a condition. Only for conditions for which [`Condition::selects`] is true.
    pub(super) fn keep(&mut self, condition: &Condition) {
        match condition {
            Condition::Labels(filter) => self.keep_labels(filter),
            Condition::Ids(ids) => {
                let start = self.nodes.start;
                keep_each(&mut self.bits, |index| ids.binary_search(&(start + index)).is_ok());
            }
            Condition::Present(plan) => {
                plan.property.select_present(self.nodes.clone(), &mut self.found);
                self.keep_found();
            }
            Condition::Value(plan, test) => self.keep_values(plan, test),
            Condition::All(conditions) => conditions.iter().for_each(|condition| self.keep(condition)),
            Condition::Any(conditions) => self.keep_any(conditions),
            Condition::Not(condition) => {
                let before = self.set_aside();
                self.keep(condition);
                self.bits.iter_mut().zip(&before).for_each(|(bits, before)| *bits = before & !*bits);
                self.waiting.push(before);
            }
            _ => {}
        }
    }

    /// Keeps the nodes that pass at least one of the conditions.
    fn keep_any(&mut self, conditions: &[Condition]) {
        // `left` has the nodes that have passed no condition so far, and `passed` those that have passed one.
        let (mut left, mut passed) = (self.set_aside(), self.set_aside());
        passed.fill(0);
        for condition in conditions {
            self.bits.clone_from(&left);
            self.keep(condition);
            for ((bits, left), passed) in self.bits.iter().zip(&mut left).zip(&mut passed) {
                (*left, *passed) = (*left & !bits, *passed | bits);
            }
        }
        self.bits.clone_from(&passed);
        self.waiting.extend([left, passed]);
    }

    /// A copy of the bits, in a reused buffer.
    fn set_aside(&mut self) -> Vec<u64> {
        let mut copy = self.waiting.pop().unwrap_or_default();
        copy.clone_from(&self.bits);
        copy
    }

    /// Whether fewer than one in `share` nodes are left.
    fn is_sparse(&self, share: usize) -> bool {
        self.count() < self.nodes.len() / share
    }

    fn keep_found(&mut self) {
        self.bits.iter_mut().zip(&self.found).for_each(|(bits, found)| *bits &= found);
    }
}

/// Clears each set bit whose index does not pass.
fn keep_each(bits: &mut [u64], mut passes: impl FnMut(u32) -> bool) {
    for (start, bits) in (0..).step_by(64).zip(bits) {
        let mut kept = 0;
        members(&[*bits]).filter(|bit| passes(start + bit)).for_each(|bit| kept |= 1 << bit);
        *bits = kept;
    }
}

impl Condition {
    /// Whether a [`Selection`] can apply this condition. It can if the prepared condition reads only ids,
    /// labels and single values.
    pub(super) fn selects(&self) -> bool {
        match self {
            Self::Labels(_) | Self::Ids(_) => true,
            Self::Present(plan) => plan.edge_label.is_none(),
            Self::Value(plan, test) => has_one_value(plan) && !test.reads_texts(),
            Self::All(conditions) | Self::Any(conditions) => conditions.iter().all(Self::selects),
            Self::Not(condition) => condition.selects(),
            _ => false,
        }
    }
}

/// Whether a property belongs to nodes and has at most one value per node.
pub(super) fn has_one_value(plan: &PropertyPlan) -> bool {
    plan.edge_label.is_none() && !plan.property.has_lists
}
