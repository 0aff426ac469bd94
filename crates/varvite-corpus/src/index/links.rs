//! [`Links`]: the definitions to which uses in other files lead.

use std::collections::HashMap;

use varvite::Task;
use varvite::error::Cancelled;

use super::entry::Entry;
use crate::linkage::{LinkKey, Linkage};

/// The number of files between two looks at the clock.
const FILES_AT_ONCE: usize = 256;

/// A function: the number of its file, and its number in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Definition {
    pub(super) file: usize,
    pub(super) function: usize,
}

/// The definitions of a use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Candidates {
    /// The number of definitions in other files.
    pub(super) count: u64,
    /// The definition, if it is the only one.
    pub(super) only: Option<Definition>,
}

/// The exported functions of all files, by what links to them.
pub(super) struct Links {
    /// The first definition of each key, and the number of its definitions.
    exported: HashMap<LinkKey, (Definition, u64)>,
}

impl Links {
    /// Collects the exported functions. Holds a key for each.
    pub(super) fn of(entries: &[Entry], task: &Task<'_>) -> Result<Self, Cancelled> {
        let mut exported: HashMap<LinkKey, (Definition, u64)> = HashMap::new();
        for (file, entry) in entries.iter().enumerate() {
            if file % FILES_AT_ONCE == 0 {
                task.check()?;
            }
            let Some(code) = entry.facts().map(|facts| &facts.code) else { continue };
            let rule = Linkage::of(&code.language);
            for (number, function) in code.functions.iter().enumerate().filter(|(_, it)| it.is_exported) {
                let key = rule.key(&code.language, &function.full_name, &function.signature);
                let first = Definition { file, function: number };
                exported.entry(key).or_insert((first, 0)).1 += 1;
            }
        }
        Ok(Self { exported })
    }

    /// The definitions of a name that a file uses. The file itself has none, or it would not be an import.
    pub(super) fn find(&self, language: &str, full_name: &str, signature: &str) -> Candidates {
        let key = Linkage::of(language).key(language, full_name, signature);
        match self.exported.get(&key) {
            None => Candidates { count: 0, only: None },
            Some((first, count)) => Candidates { count: *count, only: (*count == 1).then_some(*first) },
        }
    }
}
