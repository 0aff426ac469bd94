//! [`Watch`]: the files that are mapped in a running program. The list is read again when an instruction is
//! in none of these files.
//!
//! While references are read, the program still runs, or waits until its pipe is read.

use std::collections::HashSet;
use std::ops::Range;

use varvite_trace::{Module, Sink};

use crate::reference::{ReferenceError, References};

/// After this number of unknown pages, `ask` is no longer called, because such pages contain generated code,
/// which belongs to no file.
const ASKED_MAX: usize = 4096;
/// Size of a page. `ask` is called at most once for all addresses in the same page.
const PAGE_LEN: u64 = 4096;

/// The modules of a running program, kept up to date by calls of `ask`.
pub(super) struct Watch<'w> {
    ask: &'w mut dyn FnMut() -> Vec<Module>,
    known: HashSet<Module>,
    code: Vec<Range<u64>>,
    last: Range<u64>,
    asked: HashSet<u64>,
}

impl<'w> Watch<'w> {
    pub(super) fn new(ask: &'w mut dyn FnMut() -> Vec<Module>) -> Self {
        Self { ask, known: HashSet::new(), code: Vec::new(), last: 0..0, asked: HashSet::new() }
    }

    /// Checks the address of an instruction, and calls [`Self::ask`] if no known module contains it.
    #[inline]
    pub(super) fn see<S: Sink>(
        &mut self,
        address: u64,
        target: &References<'_, S>,
    ) -> Result<(), ReferenceError> {
        if self.last.contains(&address) { Ok(()) } else { self.see_elsewhere(address, target) }
    }

    fn see_elsewhere<S: Sink>(
        &mut self,
        address: u64,
        target: &References<'_, S>,
    ) -> Result<(), ReferenceError> {
        if !self.find(address) && self.asked.len() < ASKED_MAX && self.asked.insert(address / PAGE_LEN) {
            self.ask(target)?;
            self.find(address);
        }
        Ok(())
    }

    fn find(&mut self, address: u64) -> bool {
        let found = self.code.iter().find(|range| range.contains(&address));
        found.is_some_and(|range| {
            self.last = range.clone();
            true
        })
    }

    /// Reads the memory map of the process, and records new modules.
    pub(super) fn ask<S: Sink>(&mut self, target: &References<'_, S>) -> Result<(), ReferenceError> {
        let mut new = (self.ask)();
        new.retain(|module| !self.known.contains(module));
        if new.is_empty() {
            return Ok(());
        }
        target.add_modules(&new)?;
        let code = new.iter().filter(|module| module.is_code);
        self.code.extend(code.map(|module| module.address..module.address.saturating_add(module.len)));
        self.known.extend(new);
        Ok(())
    }
}
