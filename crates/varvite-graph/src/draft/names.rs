//! [`Names`]: labels, edge labels or properties, numbered in the order in which they are first met.

use std::collections::HashMap;

use super::fault::DraftFault;

/// Names of one kind that a graph may have. Each costs work over all nodes.
const NAMES_MAX: usize = 16_384;
/// Bytes of a name.
const NAME_LEN_MAX: usize = 4096;

/// Names of one kind.
#[derive(Debug)]
pub(super) struct Names {
    /// The kind of the names: `node labels`.
    what: &'static str,
    numbers: HashMap<String, u32>,
    names: Vec<String>,
    /// The last one that was looked up: it often is the next one too.
    last: u32,
}

impl Names {
    pub(super) fn of(what: &'static str) -> Self {
        Self { what, numbers: HashMap::new(), names: Vec::new(), last: 0 }
    }

    /// The number of a name, a new one if it is new.
    ///
    /// # Errors
    /// A name that is empty, too long or has a NUL, and one name too many.
    pub(super) fn number(&mut self, name: &str) -> Result<u32, DraftFault> {
        if let Some(number) = self.find(name) {
            self.last = number;
            return Ok(number);
        }
        check_name(self.what, name)?;
        check_count(self.what, self.names.len())?;
        let number = self.names.len() as u32;
        self.numbers.insert(name.to_owned(), number);
        self.names.push(name.to_owned());
        self.last = number;
        Ok(number)
    }

    /// The number of a name, if it has one.
    pub(super) fn find(&self, name: &str) -> Option<u32> {
        match self.names.get(self.last as usize) {
            Some(last) if last == name => Some(self.last),
            _ => self.numbers.get(name).copied(),
        }
    }

    /// Passes if a name has a number, or can have one.
    ///
    /// # Errors
    /// As [`Names::number`].
    pub(super) fn check(&self, name: &str) -> Result<(), DraftFault> {
        if self.find(name).is_some() {
            return Ok(());
        }
        check_name(self.what, name)?;
        check_count(self.what, self.names.len())
    }

    /// All of them.
    pub(super) fn list(&self) -> &[String] {
        &self.names
    }
}

/// Whether a name is one.
pub(super) fn check_name(what: &'static str, name: &str) -> Result<(), DraftFault> {
    match (name.len(), name.bytes().position(|byte| byte == 0)) {
        (1..=NAME_LEN_MAX, None) => Ok(()),
        (1..=NAME_LEN_MAX, Some(at)) => Err(DraftFault::Nul { what, at }),
        (len, _) => Err(DraftFault::NameLength { what, len, limit: NAME_LEN_MAX }),
    }
}

/// Whether there may be one more.
pub(super) fn check_count(what: &'static str, count: usize) -> Result<(), DraftFault> {
    match count < NAMES_MAX {
        true => Ok(()),
        false => Err(DraftFault::TooManyNames { what, limit: NAMES_MAX }),
    }
}
