//! [`IndexChange`]: the changes of a text index since the base was written. The columns of the index belong
//! to the base.
//!
//! The differences are two sorted lists: nodes that lost a text, and nodes that gained a text. The length of
//! the lists depends only on the number of changes, not on the size of the graph.

use std::ops::Range;

use varvite_store::Charge;

use crate::cursor::labels::Labels;
use crate::cursor::property::{Property, PropertyChange};
use crate::cursor::texts::Texts;

/// The changes of a text index since the base was written.
#[derive(Debug)]
pub(crate) struct IndexChange {
    /// Nodes, each with a text that it had in the base and no longer has.
    hidden: Vec<Entry>,
    /// Changed and appended nodes, each with a text that it has now.
    added: Vec<Entry>,
    /// The codes of the texts that were added after the base was written, sorted by the bytes of the texts.
    later: Vec<u32>,
    _charge: Charge,
}

/// A node with a text and the node's label set. Entries are sorted by text, then label set, then node, as in
/// the groups of the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    code: u32,
    label_set: u32,
    node: u32,
}

impl IndexChange {
    /// Bytes that the change of an index takes.
    pub(crate) fn bytes(property: &Property, change: &PropertyChange) -> u64 {
        let later = property.strings().map_or(0, |texts| texts.len() - texts.base_len());
        let values = change.values.as_ref().map_or(0, Property::value_count);
        let entries = change.hidden_values as u64 + values as u64;
        entries * size_of::<Entry>() as u64 + u64::from(later) * size_of::<u32>() as u64
    }

    /// Computes the change of a property's text index. `labels` are the label sets that nodes had when they
    /// were added, and those that they have now.
    pub(crate) fn of(
        property: &Property,
        change: &PropertyChange,
        labels: &[Labels; 2],
        charge: Charge,
    ) -> Self {
        let texts = property.strings();
        let of_base = texts.map_or(0, Texts::base_len);
        let later = of_base..texts.map_or(0, Texts::len);
        let stored = |node: &u32| property.stored_numbers(*node).zip(std::iter::repeat(*node));
        let hidden = entries(change.members.hidden.iter().flat_map(stored), &labels[0], of_base);
        let values = change.values.iter();
        let pairs =
            values.flat_map(|it| it.owners().flat_map(|node| it.numbers(node).zip(std::iter::repeat(node))));
        let added = entries(pairs, &labels[1], later.end);
        Self { hidden, added, later: sorted(texts, later), _charge: charge }
    }

    /// Whether any node gained or lost the text with this code.
    pub(crate) fn is_of(&self, code: u32) -> bool {
        [&self.hidden, &self.added].into_iter().any(|entries| {
            let place = entries.partition_point(|entry| entry.code < code);
            entries.get(place).is_some_and(|entry| entry.code == code)
        })
    }

    /// The code of a text added after the base was written; `None` if no added text equals it.
    pub(crate) fn find(&self, texts: &Texts, text: &[u8]) -> Option<u32> {
        let mut reader = texts.reader();
        let place = self.later.partition_point(|code| reader.bytes(*code).is_some_and(|bytes| bytes < text));
        let code = *self.later.get(place)?;
        (reader.bytes(code)? == text).then_some(code)
    }

    /// The smallest label set code, not below `least`, of the nodes that gained the text with the code
    /// `code`.
    pub(crate) fn next_label_set(&self, code: u32, least: u32) -> Option<u32> {
        let place = self.added.partition_point(|entry| (entry.code, entry.label_set) < (code, least));
        self.added.get(place).filter(|entry| entry.code == code).map(|entry| entry.label_set)
    }

    /// The number of nodes that a group (a text and a label set) lost, and the number that it gained.
    pub(crate) fn counts(&self, code: u32, label_set: u32) -> (u32, u32) {
        let count = |entries| group_of(entries, code, label_set).len() as u32;
        (count(&self.hidden), count(&self.added))
    }

    /// Applies the changes of a group to the end of `output`. From index `first` on, `output` holds the nodes
    /// of the group in the base.
    pub(crate) fn patch(&self, code: u32, label_set: u32, first: usize, output: &mut Vec<u32>) {
        let hidden = group_of(&self.hidden, code, label_set);
        if !hidden.is_empty() {
            let is_hidden = |node: u32| hidden.binary_search_by_key(&node, |entry| entry.node).is_ok();
            let mut kept = first;
            for place in first..output.len() {
                let node = output[place];
                output[kept] = node;
                kept += usize::from(!is_hidden(node));
            }
            output.truncate(kept);
        }
        let added = group_of(&self.added, code, label_set);
        if !added.is_empty() {
            output.extend(added.iter().map(|entry| entry.node));
            // The output consists of two ascending runs, which this sort merges.
            output[first..].sort();
        }
    }
}

/// The entries with one text and one label set.
fn group_of(entries: &[Entry], code: u32, label_set: u32) -> &[Entry] {
    let of = |entry: &Entry| (entry.code, entry.label_set);
    let start = entries.partition_point(|entry| of(entry) < (code, label_set));
    let len = entries[start..].partition_point(|entry| of(entry) == (code, label_set));
    &entries[start..start + len]
}

/// Entries for pairs of a code and a node, sorted, each pair once. Codes that are not below `texts` are left
/// out.
fn entries(pairs: impl Iterator<Item = (i64, u32)>, labels: &Labels, texts: u32) -> Vec<Entry> {
    let codes = pairs.filter_map(|(code, node)| Some((u32::try_from(code).ok()?, node)));
    let of_texts = codes.filter(|(code, _)| *code < texts);
    let mut entries: Vec<Entry> =
        of_texts.map(|(code, node)| Entry { code, label_set: labels.code(node), node }).collect();
    entries.sort_unstable();
    entries.dedup();
    entries
}

/// The codes, sorted by their texts.
fn sorted(texts: Option<&Texts>, codes: Range<u32>) -> Vec<u32> {
    let Some(texts) = texts else { return Vec::new() };
    let allowance = texts.allowance();
    let mut codes: Vec<u32> = codes.collect();
    codes.sort_by(|one, other| texts.compare((*one).into(), (*other).into(), &allowance));
    codes
}
