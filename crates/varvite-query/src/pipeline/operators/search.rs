//! Searches for values that pass a test, in a whole column or among the nodes of some labels. Each search
//! covers a window of node ids.
//!
//! A column is read from front to back, and its headers let the search skip blocks without a match. For nodes
//! of labels, values are read in ranges of some thousand nodes. In both cases, the kind of test is checked
//! only once, not for each value.

use std::ops::{ControlFlow, Range};

use varvite_format::SetRanks;

use super::context::Context;
use super::selection::{NODES_AT_ONCE, Selection};
use super::stop::Stop;
use super::value_test::ValueTest;
use crate::pipeline::plan::{LabelFilter, Test};
use varvite_graph::{LabelNodes, Property};
use varvite_store::Cancel;

/// The number of values read between two checks of the cancel flag.
const VALUES_AT_ONCE: usize = 1 << 16;

/// The set of nodes whose values are searched.
#[derive(Clone, Copy, Debug)]
pub(super) enum Among<'a> {
    /// All nodes that have a value in the column; with a label filter, those that pass the filter.
    Column(Option<&'a LabelFilter>),
    /// The nodes of some labels.
    Nodes(&'a [LabelNodes]),
}

/// The column to search, and the test of values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search<'a> {
    pub(super) among: Among<'a>,
    pub(super) property: &'a Property,
    pub(super) test: &'a ValueTest,
}

impl Search<'_> {
    /// Appends the nodes of a window that have a passing value, in ascending order and without duplicates.
    /// Uses `selection` as a buffer.
    pub(super) fn search(
        &self,
        window: Range<u32>,
        selection: &mut Selection,
        found: &mut Vec<u32>,
        cx: &mut Context,
    ) -> Result<(), Stop> {
        let Self { among, test, .. } = self;
        let cancel = cx.cancel;
        let read = match (among, test) {
            (Among::Column(None), _) => self.search_column(|_| true, window, found, cancel)?,
            (Among::Column(Some(wanted)), _) => {
                self.search_column(|node| wanted.passes(node), window, found, cancel)?
            }
            (Among::Nodes(labels), ValueTest::Texts(codes)) => {
                let mut asker = codes.asker(cancel);
                self.search_nodes(labels, |code| asker.passes(code), window, selection, found, cancel)?
            }
            (Among::Nodes(labels), test) => {
                let passes = |number| test.passes_prepared(number);
                self.search_nodes(labels, passes, window, selection, found, cancel)?
            }
        };
        cx.values_read += read as u64;
        Ok(cancel.check()?)
    }

    fn search_column(
        &self,
        is_wanted: impl Fn(u32) -> bool,
        window: Range<u32>,
        found: &mut Vec<u32>,
        cancel: &Cancel,
    ) -> Result<usize, Stop> {
        let Self { property, test, .. } = self;
        let mut read = 0;
        for start in window.clone().step_by(VALUES_AT_ONCE) {
            cancel.check()?;
            let part = start..window.end.min(start.saturating_add(VALUES_AT_ONCE as u32));
            read += search_column(property, test, &is_wanted, part, found, cancel)?;
        }
        Ok(read)
    }

    fn search_nodes(
        &self,
        labels: &[LabelNodes],
        mut passes: impl FnMut(i64) -> bool,
        window: Range<u32>,
        selection: &mut Selection,
        found: &mut Vec<u32>,
        cancel: &Cancel,
    ) -> Result<usize, Stop> {
        let (property, mut read) = (self.property, 0);
        for start in window.clone().step_by(NODES_AT_ONCE as usize) {
            cancel.check()?;
            selection.begin_with_labels(labels, start..window.end.min(start.saturating_add(NODES_AT_ONCE)));
            read += selection.count();
            if property.has_lists {
                found.extend(selection.members().filter(|node| property.numbers(*node).any(&mut passes)));
                continue;
            }
            selection.for_each(property, |node, number| {
                if number.is_some_and(&mut passes) {
                    found.push(node);
                }
            });
        }
        Ok(read)
    }
}

/// Appends the next nodes of some labels, from `next` up to `end`, in ascending order and without duplicates.
/// Appends at most about `limit` nodes, and moves `next` past the nodes read.
pub(super) fn gather_labels(
    labels: &[LabelNodes],
    next: &mut u32,
    end: u32,
    limit: usize,
    nodes: &mut Vec<u32>,
) {
    if let [label] = labels {
        // Reading stops at `end`, because the nodes from there on belong to another thread.
        let left = label.count_in(*next..end) as usize;
        label.append_from(*next, limit.min(left), nodes);
        *next = nodes.last().filter(|last| left > limit && **last + 1 < end).map_or(end, |last| last + 1);
        return;
    }
    // The nodes of several labels are merged as bitmaps, with a word for 64 ids.
    while nodes.is_empty() && *next < end {
        let start = *next;
        let mut words = [0u64; 16];
        let stop = end.min(start.saturating_add(limit as u32)).min(start + 64 * words.len() as u32);
        for label in labels {
            for node in label.iter_from(start).take_while(|node| *node < stop) {
                words[(node - start) as usize / 64] |= 1 << ((node - start) % 64);
            }
        }
        for (index, word) in (0..).zip(words) {
            let mut word = word;
            while word != 0 {
                nodes.push(start + 64 * index + word.trailing_zeros());
                word &= word - 1;
            }
        }
        *next = stop;
    }
}

/// Appends the owners in a window that have a passing value. Returns the number of values read.
fn search_column(
    property: &Property,
    test: &ValueTest,
    is_wanted: &impl Fn(u32) -> bool,
    window: Range<u32>,
    found: &mut Vec<u32>,
    cancel: &Cancel,
) -> Result<usize, Stop> {
    let Some(change) = &property.change else {
        return search_stored(property, test, is_wanted, window, found, cancel);
    };
    let first = found.len();
    let is_kept = |owner| !change.members.hides(owner) && is_wanted(owner);
    let mut read = search_stored(property, test, &is_kept, window.clone(), found, cancel)?;
    if let Some(values) = &change.values {
        let of_base = found.len();
        read += search_stored(values, test, is_wanted, window, found, cancel)?;
        if of_base > first && of_base < found.len() {
            // The found nodes are two sorted runs, which this sort merges.
            found[first..].sort();
        }
    }
    Ok(read)
}

/// The same as [`search_column`], for a stored column without changes.
fn search_stored(
    property: &Property,
    test: &ValueTest,
    is_wanted: &impl Fn(u32) -> bool,
    window: Range<u32>,
    found: &mut Vec<u32>,
    cancel: &Cancel,
) -> Result<usize, Stop> {
    let set = &property.present;
    let (Some(first), Some(end)) = (set.rank(window.start), set.rank(window.end)) else { return Ok(0) };
    let (mut owners, mut is_damaged) = (SetRanks::new(set), false);
    let visit = |rank: usize| match owners.member(rank) {
        Some(owner) => {
            if is_wanted(owner) {
                found.push(owner);
            }
            ControlFlow::Continue(())
        }
        None => {
            is_damaged = true;
            ControlFlow::Break(())
        }
    };
    let read = match &property.offsets {
        None => search_values(property, test, first..end, visit),
        Some(_) => search_lists(property, test, first..end, visit, cancel)?,
    };
    if read.is_none() || is_damaged {
        property.damage.note("property", window.start);
    }
    Ok(read.unwrap_or(0))
}

/// Visits the positions of values that pass, in ascending order. Returns the number of values read, or `None`
/// if bytes are missing.
fn search_values(
    property: &Property,
    test: &ValueTest,
    range: Range<usize>,
    mut visit: impl FnMut(usize) -> ControlFlow<()>,
) -> Option<usize> {
    let (all, count) = (range.clone(), range.len());
    // This `match` is evaluated once, not for each value.
    let read = match test {
        ValueTest::Plain(Test::Never) => return Some(0),
        ValueTest::Plain(Test::Equal(number)) => {
            property.find_equal(*number, range, &mut visit).map(|()| count)
        }
        ValueTest::Plain(Test::Range(keys)) if keys.stored().is_some() => {
            let (low, high) = keys.stored()?;
            property.find_range(low..=high, range, &mut visit)
        }
        ValueTest::Texts(codes) => {
            property.find_if(range, |number| codes.passes_prepared(number), &mut visit).map(|()| count)
        }
        ValueTest::Plain(Test::Set(set)) => {
            property.find_if(range, |number| set.contains(number), &mut visit).map(|()| count)
        }
        ValueTest::Plain(test) => {
            property.find_if(range, |number| test.passes(number), &mut visit).map(|()| count)
        }
        _ => property.find_if(range, |number| test.passes_prepared(number), &mut visit).map(|()| count),
    };
    // A search ends early only in a damaged file, and the damage is noted.
    read.inspect(|_| property.note_checked(all))
}

/// Visits the ranks of lists that have a passing value. Returns the number of values read, or `None` if bytes
/// are missing.
fn search_lists(
    property: &Property,
    test: &ValueTest,
    ranks: Range<usize>,
    mut visit: impl FnMut(usize) -> ControlFlow<()>,
    cancel: &Cancel,
) -> Result<Option<usize>, Stop> {
    let Some(offsets) = &property.offsets else { return Ok(None) };
    let mut read = 0;
    for rank in ranks {
        let Some((start, end)) = offsets.pair(rank) else { return Ok(None) };
        for position in start..end {
            let number = usize::try_from(position)
                .ok()
                .and_then(|position| property.values.get(position, 0))
                .filter(|number| property.stored_bounds.allow(*number));
            let Some(number) = number else { return Ok(None) };
            read += 1;
            if read % VALUES_AT_ONCE == 0 {
                cancel.check()?;
            }
            if test.passes_prepared(number) {
                if visit(rank).is_break() {
                    return Ok(None);
                }
                break;
            }
        }
    }
    Ok(Some(read))
}
