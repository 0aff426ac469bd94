//! Searching values: of a whole column, or of the nodes of labels, in windows of node ids that threads share.
//!
//! A column is read front to back, and by its own means where these can pass over what can't match. The nodes of labels are
//! asked one after another. Either way a thread looks at the kind of test once, not for each value, and asks texts
//! with a matcher of its own.

use std::ops::{ControlFlow, Range};

use varvite_format::SetRanks;

use super::code_test::Asker;
use super::context::Context;
use super::stop::Stop;
use super::value_test::ValueTest;
use crate::labels::LabelNodes;
use crate::parallel::all_in_order;
use crate::pipeline::plan::{LabelFilter, Test};
use crate::property::Property;
use varvite_store::Cancel;

/// Nodes of a thread's part of a window.
const PART: u32 = 1 << 17;
/// Values that are read between two looks at the flag that cancels.
const VALUES_AT_ONCE: usize = 1 << 16;
/// Nodes of labels that are gathered at a time.
const NODES: usize = 1024;

/// Among what values are searched.
#[derive(Clone, Copy, Debug)]
pub(super) enum Among<'a> {
    /// Among all of a column; of their nodes those that pass are kept.
    Column(Option<&'a LabelFilter>),
    /// Among those of the nodes of some labels.
    Nodes(&'a [LabelNodes]),
}

/// Appends the nodes of a window with a value that passes, rising and each once.
pub(super) fn search(
    among: Among<'_>,
    property: &Property,
    test: &ValueTest,
    window: Range<u32>,
    found: &mut Vec<u32>,
    cx: &mut Context,
) -> Result<(), Stop> {
    let (cancel, values_read) = (cx.cancel, &mut cx.values_read);
    let begin = || Seeker::new(property, test, among, cancel);
    let starts = window.clone().step_by(PART as usize);
    let mut parts = starts.map(|start| start..window.end.min(start + PART));
    if window.len() as u32 <= PART || cx.threads == 1 {
        let mut seeker = begin();
        return parts.try_for_each(|part| {
            *values_read += seeker.search(part, found)? as u64;
            Ok(())
        });
    }
    let parts: Vec<Range<u32>> = parts.collect();
    let work = |seeker: &mut Seeker<'_>, part: &Range<u32>| {
        let mut found = Vec::new();
        let read = seeker.search(part.clone(), &mut found)?;
        Ok::<_, Stop>((found, read))
    };
    for (part, read) in all_in_order(&parts, cx.threads, begin, work)? {
        found.extend(part);
        *values_read += read as u64;
    }
    Ok(())
}

/// What a thread searches with.
struct Seeker<'a> {
    property: &'a Property,
    test: &'a ValueTest,
    asker: Option<Asker<'a>>,
    among: Among<'a>,
    cancel: &'a Cancel,
    nodes: Vec<u32>,
}

impl<'a> Seeker<'a> {
    fn new(property: &'a Property, test: &'a ValueTest, among: Among<'a>, cancel: &'a Cancel) -> Self {
        let asker = match (test, among) {
            (ValueTest::Texts(codes), Among::Nodes(_)) => Some(codes.asker(cancel)),
            _ => None,
        };
        Self { property, test, asker, among, cancel, nodes: Vec::new() }
    }

    /// Searches a part of a window; gives how many values were read.
    fn search(&mut self, window: Range<u32>, found: &mut Vec<u32>) -> Result<usize, Stop> {
        let read = match self.among {
            Among::Nodes(labels) => self.search_nodes(labels, window, found)?,
            Among::Column(None) => self.search_column(|_| true, window, found)?,
            Among::Column(Some(wanted)) => self.search_column(|node| wanted.passes(node), window, found)?,
        };
        self.cancel.check()?;
        Ok(read)
    }

    fn search_column(
        &self,
        is_wanted: impl Fn(u32) -> bool,
        window: Range<u32>,
        found: &mut Vec<u32>,
    ) -> Result<usize, Stop> {
        let Self { property, test, cancel, .. } = self;
        let mut read = 0;
        for start in window.clone().step_by(VALUES_AT_ONCE) {
            cancel.check()?;
            let part = start..window.end.min(start.saturating_add(VALUES_AT_ONCE as u32));
            read += search_column(property, test, &is_wanted, part, found, cancel)?;
        }
        Ok(read)
    }

    fn search_nodes(
        &mut self,
        labels: &[LabelNodes],
        window: Range<u32>,
        found: &mut Vec<u32>,
    ) -> Result<usize, Stop> {
        let Self { property, test, asker, nodes, .. } = self;
        let (mut next, mut read) = (window.start, 0);
        while next < window.end {
            self.cancel.check()?;
            nodes.clear();
            gather_labels(labels, &mut next, window.end, NODES, nodes);
            read += nodes.len();
            match asker {
                Some(asker) => keep(property, nodes, |code| asker.passes(code), found),
                None => keep(property, nodes, |number| test.passes_prepared(number), found),
            }
        }
        Ok(read)
    }
}

/// Appends the nodes that have a value that passes.
#[inline]
fn keep(property: &Property, nodes: &[u32], mut passes: impl FnMut(i64) -> bool, found: &mut Vec<u32>) {
    if property.offsets.is_some() {
        return found.extend(nodes.iter().filter(|node| property.numbers(**node).any(&mut passes)));
    }
    let mut cursor = property.cursor();
    found.extend(nodes.iter().filter(|node| cursor.number(**node).is_some_and(&mut passes)));
}

/// The next nodes of some labels below `end`, rising and each once, about `limit` at most; `next` is where to go on.
pub(super) fn gather_labels(
    labels: &[LabelNodes],
    next: &mut u32,
    end: u32,
    limit: usize,
    nodes: &mut Vec<u32>,
) {
    if let [label] = labels {
        // No more are read than there are before the end: behind it is somebody else's range.
        let left = label.count_in(*next..end) as usize;
        label.set.append_from(*next, limit.min(left), nodes);
        *next = nodes.last().filter(|last| left > limit && **last + 1 < end).map_or(end, |last| last + 1);
        return;
    }
    // A word for 64 ids: sets are merged by their bits.
    while nodes.is_empty() && *next < end {
        let start = *next;
        let mut words = [0u64; 16];
        let stop = end.min(start.saturating_add(limit as u32)).min(start + 64 * words.len() as u32);
        for label in labels {
            for node in label.set.iter_from(start).take_while(|node| *node < stop) {
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

fn search_column(
    property: &Property,
    test: &ValueTest,
    is_wanted: impl Fn(u32) -> bool,
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

/// Visits the positions of values that pass, rising; gives how many values were read. None where bytes are missing.
fn search_values(
    property: &Property,
    test: &ValueTest,
    range: Range<usize>,
    mut visit: impl FnMut(usize) -> ControlFlow<()>,
) -> Option<usize> {
    let (all, count) = (range.clone(), range.len());
    // The kind of test is looked at once, not for each value.
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
    // Only damage ends a search early, and that is noted.
    read.inspect(|_| property.note_checked(all))
}

/// Visits the ranks of lists with a value that passes; gives how many values were read.
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
                .filter(|number| property.bounds.allow(*number));
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
