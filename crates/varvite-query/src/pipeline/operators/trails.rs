//! [`Trails`]: the paths that led to rows. Trails are kept only for plans with a step that needs them.
//!
//! A trail is the index of an entry, which holds one element and the trail before it. Rows share the common
//! beginnings of their trails, so a hop adds only one entry per row, however long the path is.

use super::names::Names;
use super::stop::Stop;
use crate::pipeline::rows::Element;
use varvite_graph::Budget;
use varvite_store::Cancel;

/// The empty trail.
pub(crate) const NONE: u32 = u32::MAX;

/// The number of entries copied between two checks of the cancel flag.
const AT_ONCE: u32 = 1 << 10;

/// All trails of a run, or of one of its threads, and the rows that its inner pipelines have named.
#[derive(Debug, Default)]
pub(crate) struct Trails {
    entries: Vec<Entry>,
    held: usize,
    /// The rows that inner pipelines have named.
    pub(super) names: Names,
    /// Lists of rows that no condition uses at present. There are as many as conditions are nested.
    spare: Vec<Vec<u32>>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    element: Element,
    before: u32,
    /// Whether it is known that an element occurs twice in the trail.
    has_repeat: bool,
}

impl Trails {
    /// A copy of a list of rows, in a buffer that was kept.
    pub(super) fn copy_of(&mut self, rows: &[u32]) -> Vec<u32> {
        let mut copy = self.spare.pop().unwrap_or_default();
        copy.clear();
        copy.extend_from_slice(rows);
        copy
    }

    /// Keeps the buffer of a list of rows.
    pub(super) fn keep(&mut self, rows: Vec<u32>) {
        self.spare.push(rows);
    }

    /// Appends an element to a trail, and returns the new trail.
    #[inline]
    pub(crate) fn push(&mut self, element: Element, before: u32, budget: &Budget) -> Result<u32, Stop> {
        let trail = self.entries.len();
        if trail == self.entries.capacity() {
            let entries = (2 * trail).max(1024);
            budget.hold(&mut self.held, entries * size_of::<Entry>())?;
            self.entries.reserve_exact(entries - trail);
        }
        self.entries.push(Entry { element, before, has_repeat: false });
        u32::try_from(trail).ok().filter(|trail| *trail != NONE).ok_or(Stop::OverBudget { needed: self.held })
    }

    /// Copies a whole trail from another `Trails`, and returns the copy.
    pub(crate) fn copy(
        &mut self,
        trail: u32,
        from: &Self,
        budget: &Budget,
        cancel: &Cancel,
    ) -> Result<u32, Stop> {
        let (first, mut next) = (self.entries.len(), trail);
        while let Some((element, before)) = from.last(next) {
            let behind = self.entries.len() as u32 + 1;
            self.push(element, behind, budget)?;
            if behind.is_multiple_of(AT_ONCE) {
                cancel.check()?;
            }
            next = before;
        }
        let Some(oldest) = self.entries[first..].last_mut() else { return Ok(NONE) };
        oldest.before = NONE;
        Ok(first as u32)
    }

    /// The last element of a trail, and the trail before it. `None` for the empty trail.
    #[inline]
    pub(crate) fn last(&self, trail: u32) -> Option<(Element, u32)> {
        self.entries.get(trail as usize).map(|entry| (entry.element, entry.before))
    }

    /// The trail without its last element, if that is a value: a path does not contain values.
    #[inline]
    pub(crate) fn without_value(&self, trail: u32) -> u32 {
        match self.last(trail) {
            Some((Element::Number(_), before)) => before,
            _ => trail,
        }
    }

    /// Notes that an element occurs twice in a trail, and so in all trails that continue this one.
    pub(crate) fn note_repeat(&mut self, trail: u32) {
        if let Some(entry) = self.entries.get_mut(trail as usize) {
            entry.has_repeat = true;
        }
    }

    /// Whether a repetition was noted for this trail.
    pub(crate) fn has_repeat(&self, trail: u32) -> bool {
        self.entries.get(trail as usize).is_some_and(|entry| entry.has_repeat)
    }

    /// The number of entries.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Removes all trails. Called when no row has a trail any more.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }
}
