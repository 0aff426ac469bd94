//! The workload that reads everything: all adjacency lists in both directions, and all property values.

use varvite::{Adjacency, Direction, Graph, Property, Result, ValueType};

use super::texts::CodeCounts;
use super::{Answer, Round};

/// Reads the graph column by column. It counts texts by their code first, so that it has to read each
/// distinct text only once for its length.
pub(super) fn load_everything(graph: &Graph) -> Result<Round> {
    let mut lists = Vec::new();
    for label in graph.edge_label_ids() {
        for direction in Direction::BOTH {
            lists.push(graph.adjacency(label, direction)?);
        }
    }
    let columns = graph.property_ids().map(|property| graph.property_at(property));
    let columns: Vec<Property> = columns.collect::<Result<_>>()?;
    let mut counts = CodeCounts::default();
    Ok(Box::new(move || {
        let neighbors: u64 = lists.iter().map(count_neighbors).sum();
        let mut tally = Tally::default();
        columns.iter().for_each(|column| tally.add(column, &mut counts));
        Answer {
            values: vec![neighbors as i64, tally.values as i64, tally.string_units as i64, tally.number_sum],
            operations: neighbors + tally.values,
        }
    }))
}

/// Visits every neighbor of every node.
fn count_neighbors(list: &Adjacency) -> u64 {
    let (mut count, mut seen) = (0, 0u32);
    list.for_each_edge(|_, neighbor| {
        count += 1;
        seen ^= neighbor;
    });
    std::hint::black_box(seen);
    count
}

/// The counts of the values seen so far.
#[derive(Default)]
struct Tally {
    values: u64,
    string_units: u64,
    number_sum: i64,
}

impl Tally {
    fn add(&mut self, column: &Property, counts: &mut CodeCounts) {
        match column.value_type() {
            ValueType::String | ValueType::Bytes => self.add_texts(column, counts),
            ValueType::Ref => {
                self.add_where(column, |node| u32::try_from(node).is_ok_and(|id| id != u32::MAX))
            }
            ValueType::F32 | ValueType::F64 => self.add_where(column, |_| true),
            _ => self.add_numbers(column),
        }
    }

    fn add_texts(&mut self, column: &Property, counts: &mut CodeCounts) {
        counts.clear(column);
        column.for_each(|_, code| counts.add(code));
        let (values, units) = counts.totals(column);
        self.values += values;
        self.string_units += units;
    }

    fn add_where(&mut self, column: &Property, is_value: impl Fn(i64) -> bool) {
        column.for_each(|_, number| self.values += u64::from(is_value(number)));
    }

    fn add_numbers(&mut self, column: &Property) {
        column.for_each(|_, number| {
            self.values += 1;
            self.number_sum = self.number_sum.wrapping_add(number);
        });
    }
}
