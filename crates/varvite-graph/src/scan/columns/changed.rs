//! [`ChangedScan`]: the lists of an edge label with changes, from the first to the last.
//!
//! The scan reads the lists of the base and the lists of appended edges side by side, and leaves out removed
//! entries. Every number is checked, because both kinds of lists are read with a [`ListScan`].

use varvite_format::FormatError;

use crate::cursor::adjacency::{ChangeColumns, EntryAt};
use crate::scan::columns::{List, ListColumns, ListScan};

/// The columns of an edge label with changes, in one direction.
pub(crate) struct ChangedForm {
    pub(crate) base: ListColumns,
    pub(crate) appended: Option<ListColumns>,
    pub(crate) changes: ChangeColumns,
    pub(crate) told_by: ToldBy,
}

/// The kind of number by which the set of removed entries identifies an entry of the base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToldBy {
    /// The position of the entry in the lists.
    Position,
    /// The owner of the entry's list: in the in-lists of a forest, the target.
    Owner,
    /// The neighbour in the entry: in the out-lists of a forest, the target.
    Neighbor,
}

/// Reads the lists of the base and the lists of appended edges side by side.
pub(crate) struct ChangedScan<'a> {
    form: &'a ChangedForm,
    base: Part<'a>,
    appended: Option<Part<'a>>,
    owner: u32,
    entry: Option<ScannedEntry>,
}

/// The edge of an entry, and the position where the list of its owner begins in the base.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScannedEntry {
    pub(crate) at: EntryAt,
    pub(crate) list_start: usize,
}

/// The scan of the base or of the appended edges, with its next list and the rest of its current list.
struct Part<'a> {
    scan: ListScan<'a>,
    next: Option<List>,
    left: u64,
    /// The position of the next entry, and (`start`) of the first entry of the current list.
    position: usize,
    start: usize,
}

impl<'a> Part<'a> {
    fn of(columns: &'a ListColumns) -> Self {
        Self { scan: columns.scan(), next: None, left: 0, position: 0, start: 0 }
    }

    /// Reads the rest of the current list, so that it is checked, and returns the owner of the next list.
    fn next_owner(&mut self) -> Option<u32> {
        while self.left > 0 {
            self.next_entry()?;
        }
        self.next = self.next.or_else(|| self.scan.next_list());
        self.next.map(|list| list.owner)
    }

    /// Begins the next list if it belongs to `owner`. Returns its length, or 0 if it belongs to another
    /// owner.
    fn begin(&mut self, owner: u32) -> u64 {
        self.left = self.next.take_if(|list| list.owner == owner).map_or(0, |list| list.len);
        self.start = self.position;
        self.left
    }

    fn next_entry(&mut self) -> Option<(i64, usize)> {
        self.left = self.left.checked_sub(1)?;
        let entry = self.scan.next_entry()?;
        self.position += 1;
        Some((entry, self.position - 1))
    }
}

impl<'a> ChangedScan<'a> {
    pub(crate) fn of(form: &'a ChangedForm) -> Self {
        let appended = form.appended.as_ref().map(Part::of);
        Self { form, base: Part::of(&form.base), appended, owner: 0, entry: None }
    }

    /// The next list. It is empty if all of its entries were removed.
    pub(crate) fn next_list(&mut self) -> Option<List> {
        let appended = self.appended.as_mut().and_then(Part::next_owner);
        let owner = self.base.next_owner().into_iter().chain(appended).min()?;
        self.owner = owner;
        let base = self.base.begin(owner);
        let appended = self.appended.as_mut().map_or(0, |part| part.begin(owner));
        Some(List { owner, len: self.kept_of_base(base) + self.kept_of_appended(appended) })
    }

    /// The number of entries of the current base list, which has `len` entries, that were not removed.
    fn kept_of_base(&self, len: u64) -> u64 {
        let (changes, start) = (&self.form.changes, self.base.start);
        let removed = match self.form.told_by {
            _ if changes.holes.is_none() || len == 0 => 0,
            ToldBy::Position => changes.holes_between(start, start + len as usize) as u64,
            ToldBy::Owner => u64::from(changes.is_hole(self.owner as usize)),
            ToldBy::Neighbor => {
                self.base.scan.children().filter(|child| changes.is_hole(*child as usize)).count() as u64
            }
        };
        len.saturating_sub(removed)
    }

    /// The number of entries of the current list of appended edges, which has `len` entries, that were not
    /// removed.
    fn kept_of_appended(&self, len: u64) -> u64 {
        let (changes, start) = (&self.form.changes, self.appended.as_ref().map_or(0, |part| part.start));
        if changes.removed.is_none() {
            return len;
        }
        let is_kept = |position| changes.rank_at(position).is_none_or(|rank| !changes.is_removed(rank));
        (start..start + len as usize).filter(|position| is_kept(*position)).count() as u64
    }

    /// The next entry of the list that was not removed; `None` at the end of the list or if damage is found.
    pub(crate) fn next_entry(&mut self) -> Option<i64> {
        let changes = &self.form.changes;
        while self.base.left > 0 {
            let (entry, position) = self.base.next_entry()?;
            let position = match self.form.told_by {
                ToldBy::Position => position,
                ToldBy::Owner => self.owner as usize,
                ToldBy::Neighbor => entry as usize,
            };
            if !changes.is_hole(position) {
                let (at, list_start) = (EntryAt::Base(position), self.base.start);
                self.entry = Some(ScannedEntry { at, list_start });
                return Some(entry);
            }
        }
        let appended = self.appended.as_mut()?;
        while appended.left > 0 {
            let (entry, position) = appended.next_entry()?;
            let rank = changes.rank_at(position)?;
            if !changes.is_removed(rank) {
                self.entry = Some(ScannedEntry { at: EntryAt::Appended(rank), list_start: self.base.start });
                return Some(entry);
            }
        }
        None
    }

    /// The edge of the entry that was returned last.
    pub(crate) fn entry(&self) -> Option<ScannedEntry> {
        self.entry
    }

    /// The same as [`ListScan::finish`], for the scan of the base and the scan of appended edges.
    pub(crate) fn finish(self) -> Result<(), FormatError> {
        self.base.scan.finish()?;
        self.appended.map_or(Ok(()), |part| part.scan.finish())
    }
}
