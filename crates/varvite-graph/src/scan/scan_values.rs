//! [`ValueScan`]: reads the values of a property with changes from front to back.

use std::sync::Arc;

use varvite_format::FormatError;

use crate::cursor::property::{Property, PropertyChange};
use crate::scan::columns::{ChangedValues, List, ListColumns, ListScan, ValueScan};

impl ChangedValues {
    pub(crate) fn of(name: &str, property: Property, change: Arc<PropertyChange>) -> Self {
        let later = change.values.clone();
        Self {
            base: ListColumns::of_stored(name.to_owned(), property),
            later: later.map(|later| ListColumns::of_stored(format!("changed {name}"), later)),
            change,
        }
    }

    /// Begins a scan at the first list.
    pub(crate) fn scan(&self) -> ValueScan<'_> {
        let mut scan = ValueScan {
            change: &self.change,
            base: self.base.scan(),
            later: self.later.as_ref().map(ListColumns::scan),
            next_of_base: None,
            next_later: None,
            is_later: false,
        };
        scan.next_of_base = scan.skip_hidden();
        scan.next_later = scan.later.as_mut().and_then(ListScan::next_list);
        scan
    }
}

impl ValueScan<'_> {
    /// The next list; `None` at the end or if damage is found.
    pub(crate) fn next_list(&mut self) -> Option<List> {
        // The caller has read all entries of the last list by now.
        if self.next_of_base.is_none() {
            self.next_of_base = self.skip_hidden();
        }
        if self.next_later.is_none() {
            self.next_later = self.later.as_mut().and_then(ListScan::next_list);
        }
        self.is_later = match (self.next_of_base, self.next_later) {
            (Some(of_base), Some(later)) => later.owner < of_base.owner,
            (of_base, _) => of_base.is_none(),
        };
        if self.is_later { self.next_later.take() } else { self.next_of_base.take() }
    }

    pub(crate) fn next_entry(&mut self) -> Option<i64> {
        match (&mut self.later, self.is_later) {
            (Some(later), true) => later.next_entry(),
            _ => self.base.next_entry(),
        }
    }

    /// The next list of the base whose owner was not changed or removed. The lists before that list are read,
    /// so that they are checked.
    fn skip_hidden(&mut self) -> Option<List> {
        loop {
            let list = self.base.next_list()?;
            if !self.change.members.hides(list.owner) {
                return Some(list);
            }
            for _ in 0..list.len {
                self.base.next_entry()?;
            }
        }
    }

    /// The same as [`ListScan::finish`], for the base and the changed values.
    pub(crate) fn finish(self) -> Result<(), FormatError> {
        self.base.finish()?;
        self.later.map_or(Ok(()), ListScan::finish)
    }
}
