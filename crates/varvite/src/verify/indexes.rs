//! Text indexes: that they say what the columns of their properties say.

use varvite_format::Ints;
use varvite_store::Pinned;

use super::Problems;
use crate::columns::index_name;
use crate::error::Result;
use crate::graph::Graph;
use crate::index::{TextGroup, TextIndex};
use crate::labels::Labels;
use crate::property::Property;
use crate::scan::{IntsScan, Lists, for_each_text};

/// Every text is found, and its nodes are those that have it.
///
/// Nothing but the index is asked whether it is complete: each of its nodes is looked up in the property, and if there are as
/// many as the property has, none is missing. So no memory is needed, whatever the file claims.
pub(super) fn check_index(graph: &Graph, number: usize, problems: &mut Problems) -> Result<()> {
    let directory = graph.store().directory();
    let row = directory.text_indexes[number];
    let name = index_name(directory, row.property as usize);
    let opened = problems.undamaged("text indexes", TextIndex::open(graph, &row))?;
    let property = problems.undamaged(&name, graph.property_at(row.property as usize))?;
    let labels = problems.undamaged(&name, graph.label_sets())?;
    let (Some(index), Some(property), Some(labels)) = (opened, property, labels) else { return Ok(()) };
    let check = Check { name: &name, index: &index, property: &property, labels: &labels };
    if !check.offsets(problems) || !check.codes(graph, row.property as usize, problems)? {
        return Ok(());
    }
    let pairs = problems.undamaged(&name, pairs_of(graph, row.property as usize, &property))?;
    if let Some((read, pairs)) = check.groups(problems).zip(pairs).filter(|(read, pairs)| read != pairs) {
        problems.add(&name, format!("{pairs} nodes of texts"), read);
    }
    Ok(())
}

struct Check<'a> {
    name: &'a str,
    index: &'a TextIndex,
    property: &'a Property,
    labels: &'a Labels,
}

impl Check<'_> {
    /// Lists lie end to end, and fill what they are lists of. False if some do not.
    fn offsets(&self, problems: &mut Problems) -> bool {
        let misplaced =
            self.index.lists().into_iter().find(|(_, offsets, total)| !lie_end_to_end(offsets, *total));
        if let Some((column, _, total)) = misplaced {
            problems.add(
                format!("{} {column}", self.name),
                format!("values that rise from 0 to {total}"),
                "others",
            );
        }
        misplaced.is_none()
    }

    /// Every text is found by its bucket. False if one is not.
    fn codes(&self, graph: &Graph, property: usize, problems: &mut Problems) -> Result<bool> {
        let (mut code, mut lost) = (0u32, None);
        let read = for_each_text(graph, property, |text| {
            if lost.is_none() && self.index.search(text) != Some(Some(code)) {
                lost = Some(code);
            }
            code += 1;
        });
        if let Some(code) = lost {
            problems.add(self.name, format!("text {code} in its bucket"), "another or none");
        }
        Ok(problems.undamaged(self.name, read)?.is_some() && lost.is_none())
    }

    /// How many nodes all groups have together; none if one of them makes no sense, or a node is where it should not be.
    fn groups(&self, problems: &mut Problems) -> Option<usize> {
        let (mut nodes, mut group_nodes) = (0, Vec::new());
        for code in 0..self.index.strings().len() {
            for group in self.index.groups(code) {
                group_nodes.clear();
                self.index.append_group(&group, &mut group_nodes);
                if group_nodes.len() != group.len as usize {
                    problems.add(self.name, format!("nodes that rise at text {code}"), "others");
                    return None;
                }
                self.check_nodes(code, &group, &group_nodes, problems)?;
                nodes += group_nodes.len();
            }
        }
        Some(nodes)
    }

    /// The nodes have the text and the label set.
    fn check_nodes(
        &self,
        code: u32,
        group: &TextGroup,
        nodes: &[u32],
        problems: &mut Problems,
    ) -> Option<()> {
        for node in nodes {
            if self.labels.code(*node) != group.label_set {
                let expected = format!("nodes of label set {} at text {code}", group.label_set);
                problems.add(self.name, expected, format!("node {node}"));
                return None;
            }
            if !self.property.numbers(*node).any(|number| number == i64::from(code)) {
                problems.add(self.name, format!("nodes that have text {code}"), format!("node {node}"));
                return None;
            }
        }
        Some(())
    }
}

/// Whether offsets rise from 0 to `total`.
fn lie_end_to_end(offsets: &Ints<Pinned>, total: usize) -> bool {
    let (mut scan, mut last) = (IntsScan::new(offsets), 0);
    if offsets.get(0, 0) != Some(0) {
        return false;
    }
    while scan.position() < offsets.len() {
        match scan.next(scan.position() as u64).filter(|offset| *offset >= last) {
            Some(offset) => last = offset,
            None => return false,
        }
    }
    last == total as i64
}

/// How many texts all nodes have, each counted once for a node.
fn pairs_of(graph: &Graph, index: usize, property: &Property) -> Result<usize> {
    let null = property.strings().map(|strings| i64::from(strings.len()));
    let lists = Lists::of_property(graph, index)?;
    let (mut scan, mut pairs, mut seen) = (lists.scan(), 0, Vec::new());
    while scan.next_list().is_some() {
        let codes = std::iter::from_fn(|| scan.next_entry()).filter(|code| Some(*code) != null);
        pairs += distinct(codes, &mut seen);
    }
    scan.finish().map_err(|error| graph.store().damaged(error))?;
    Ok(pairs)
}

/// Numbers that are kept at least, before those that are there twice are looked for.
const SEEN_MIN: usize = 1024;

/// How many different numbers there are; `seen` holds no more than twice as many.
fn distinct(numbers: impl Iterator<Item = i64>, seen: &mut Vec<i64>) -> usize {
    let tidy = |seen: &mut Vec<i64>| {
        seen.sort_unstable();
        seen.dedup();
    };
    let mut limit = SEEN_MIN;
    seen.clear();
    for number in numbers {
        seen.push(number);
        if seen.len() == limit {
            tidy(seen);
            limit = SEEN_MIN.max(2 * seen.len());
        }
    }
    tidy(seen);
    seen.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_numbers_are_counted_once_in_little_memory() {
        let mut seen = Vec::new();
        for (count, different) in [(0, 1), (1, 1), (5, 2), (100_000, 3), (100_000, 5000)] {
            let numbers = (0..count).map(|number| number % different);
            assert_eq!(distinct(numbers, &mut seen) as i64, count.min(different));
            assert!(seen.capacity() <= 4 * SEEN_MIN.max(2 * different as usize));
        }
    }
}
