//! Checks that text indexes agree with the columns of their properties. Only the base is compared, without
//! later changes.

use varvite_format::{Ints, PropertyId};
use varvite_store::Pinned;

use super::Problems;
use crate::cursor::columns::{index_name, property_name};
use crate::cursor::ints_scan::IntsScan;
use crate::cursor::labels::Labels;
use crate::cursor::property::Property;
use crate::error::Result;
use crate::open::index::{TextGroup, TextIndex};
use crate::scan::columns::{CANCEL_TEXTS, ListColumns, for_each_text};
use crate::scan::graph_scan::GraphScan;
use crate::verify::edge_hash::edge_hash;

/// Checks that the index finds every text, and that for each text it lists exactly the nodes that have the
/// text.
///
/// Each node in the index is looked up in the property. If the index has as many pairs of a node and a text
/// as the property, no node is missing. In a property with lists, a look-up would read a whole list; the
/// index and the property are then compared by the sums of the hashes of all (node, text) pairs. In both
/// cases the check takes little memory, whatever a damaged file claims.
pub(super) fn check_index(graph_scan: &GraphScan<'_>, number: usize, problems: &mut Problems) -> Result<()> {
    let graph = graph_scan.graph;
    let directory = graph.store().directory();
    let row = directory.text_indexes[number];
    let name = index_name(directory, row.property);
    let opened = problems.undamaged("text indexes", TextIndex::open(graph, &row))?;
    let property = problems.undamaged(&name, graph.property_at(row.property))?;
    let property = property.map(Property::without_change);
    let labels = problems.undamaged(&name, graph.label_sets_at_first())?;
    let (Some(index), Some(property), Some(labels)) = (opened, property, labels) else { return Ok(()) };
    let check = Check { graph_scan, name: &name, index: &index, property: &property, labels: &labels };
    if !check.offsets(problems) || !check.codes(row.property, problems)? {
        return Ok(());
    }
    let pairs = problems.undamaged(&name, pairs_of(graph_scan, row.property, &property))?;
    if let Some((read, pairs)) = check.groups(problems)?.zip(pairs) {
        if read.count != pairs.count {
            problems.add(name.as_str(), format!("{} nodes of texts", pairs.count), read.count);
        } else if property.offsets.is_some() && read.sum != pairs.sum {
            problems.add(name.as_str(), "the nodes of texts that the property has", "others");
        }
    }
    Ok(())
}

/// Pairs of a node and a text that it has: their number, and the sum of their hashes.
#[derive(Clone, Copy, Debug, Default)]
struct Pairs {
    count: usize,
    sum: u64,
}

impl Pairs {
    fn add(&mut self, node: u32, code: u32) {
        self.count += 1;
        self.sum = self.sum.wrapping_add(edge_hash(node, code, 0));
    }
}

struct Check<'a> {
    graph_scan: &'a GraphScan<'a>,
    name: &'a str,
    index: &'a TextIndex,
    property: &'a Property,
    labels: &'a Labels,
}

impl Check<'_> {
    /// Checks that the offsets of the index divide each column into adjacent lists that fill the column.
    /// Returns false after a problem.
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

    /// Checks that every text is found in its bucket. Returns false after a problem.
    fn codes(&self, property: PropertyId, problems: &mut Problems) -> Result<bool> {
        let (mut code, mut lost) = (0u32, None);
        let read = for_each_text(self.graph_scan, property, |text| {
            if lost.is_none()
                && code < self.index.strings().len()
                && self.index.search(text) != Some(Some(code))
            {
                lost = Some(code);
            }
            code += 1;
            Ok(())
        });
        if let Some(code) = lost {
            problems.add(self.name, format!("text {code} in its bucket"), "another or none");
        }
        Ok(problems.undamaged(self.name, read)?.is_some() && lost.is_none())
    }

    /// Checks all groups, and returns the number and the hash sum of their pairs; `None` if a group is
    /// invalid or contains a wrong node.
    fn groups(&self, problems: &mut Problems) -> Result<Option<Pairs>> {
        let (mut pairs, mut group_nodes) = (Pairs::default(), Vec::new());
        let mut scratch = self.graph_scan.scratch(0)?;
        for code in 0..self.index.strings().len() {
            if code.is_multiple_of(CANCEL_TEXTS) {
                self.graph_scan.flag().check()?;
            }
            for group in self.index.groups(code) {
                group_nodes.clear();
                if group.len as usize > group_nodes.capacity() {
                    scratch.resize(2 * group.len as usize * size_of::<u32>())?;
                    group_nodes.reserve_exact(group.len as usize);
                }
                self.index.append_group(&group, &mut group_nodes);
                if group_nodes.len() != group.len as usize {
                    problems.add(self.name, format!("nodes that rise at text {code}"), "others");
                    return Ok(None);
                }
                if self.check_nodes(code, &group, &group_nodes, problems).is_none() {
                    return Ok(None);
                }
                group_nodes.iter().for_each(|node| pairs.add(*node, code));
            }
        }
        Ok(Some(pairs))
    }

    /// Checks that the nodes of a group have its text and its label set; `None` after a problem.
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
            if self.property.offsets.is_none() && self.property.number(*node) != Some(i64::from(code)) {
                problems.add(self.name, format!("nodes that have text {code}"), format!("node {node}"));
                return None;
            }
        }
        Some(())
    }
}

/// Whether offsets are ascending, from 0 to `total`.
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

/// All (node, text) pairs in the columns of the property. A pair counts once, even if the node has the text
/// twice.
fn pairs_of(graph_scan: &GraphScan<'_>, id: PropertyId, property: &Property) -> Result<Pairs> {
    let graph = graph_scan.graph;
    let null = property.stored_bounds.null();
    let name = property_name(graph.store().directory(), id);
    let lists = ListColumns::of_stored(name, property.clone()).until(graph_scan.flag());
    let (mut scan, mut pairs, mut seen) = (lists.scan(), Pairs::default(), Vec::new());
    let mut scratch = graph_scan.scratch(0)?;
    while let Some(list) = scan.next_list() {
        // A list has at most as many different codes as it has values, and as there are texts. `tell_apart`
        // holds up to twice that number.
        let most = list.len.min(property.strings().map_or(0, |strings| u64::from(strings.len())));
        scratch.resize((2 * most as usize + SEEN_MIN) * size_of::<i64>())?;
        let codes = std::iter::from_fn(|| scan.next_entry()).filter(|code| Some(*code) != null);
        tell_apart(codes, &mut seen);
        seen.iter().for_each(|code| pairs.add(list.owner, *code as u32));
    }
    scan.finish().map_err(|error| graph.store().damaged(error))?;
    Ok(pairs)
}

/// Duplicates are removed only after this many numbers were collected.
const SEEN_MIN: usize = 1024;

/// Fills `seen` with the different numbers, ascending. While it is filled, `seen` holds at most twice as many
/// numbers as there are different ones, or [`SEEN_MIN`] numbers.
fn tell_apart(numbers: impl Iterator<Item = i64>, seen: &mut Vec<i64>) {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_numbers_are_counted_once_in_little_memory() {
        let mut seen = Vec::new();
        for (count, different) in [(0, 1), (1, 1), (5, 2), (100_000, 3), (100_000, 5000)] {
            let numbers = (0..count).map(|number| number % different);
            tell_apart(numbers, &mut seen);
            assert_eq!(seen.len() as i64, count.min(different));
            assert!(seen.capacity() <= 4 * SEEN_MIN.max(2 * different as usize));
        }
    }
}
