//! [`Watch`]: the files that are mapped in a running program, read again when an instruction has an unknown
//! address.
//!
//! While references are read the program still runs, or waits for its pipe to be read.

use std::collections::HashSet;
use std::ops::Range;

use varvite_trace::{Module, Sink};

use crate::reference::{ReferenceError, References};

/// Number of pages of generated code after which the watch makes no more calls: such code belongs to no file.
const ASKED_MAX: usize = 4096;
/// Size of a page: all addresses in a page share one call.
const PAGE_LEN: u64 = 4096;

/// The modules of a running program.
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

    /// Checks the address of an instruction, and calls [`Self::ask`] if it is in no known module.
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

    /// Reads the map of the process, and records new files.
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
