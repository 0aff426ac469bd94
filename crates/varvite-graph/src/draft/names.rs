//! [`Names`]: the names of labels, edge labels or properties, numbered in the order of their first use.

use std::collections::HashMap;

use super::fault::DraftFault;

/// The largest number of names of one kind in a graph. There is a limit because some work takes time in
/// proportion to the number of names times the number of nodes.
const NAMES_MAX: usize = 16_384;
/// The largest length of a name in bytes.
const NAME_LEN_MAX: usize = 4096;

/// Names of one kind.
#[derive(Debug)]
pub(super) struct Names {
    /// The kind of the names, for example `node labels`.
    what: &'static str,
    numbers: HashMap<String, u32>,
    names: Vec<String>,
    /// The number of the name that was looked up last; often the same name is looked up next.
    last: u32,
}

impl Names {
    pub(super) fn of(what: &'static str) -> Self {
        Self { what, numbers: HashMap::new(), names: Vec::new(), last: 0 }
    }

    /// Returns the number of a name; adds the name if it is new.
    ///
    /// # Errors
    /// A name that is empty, too long or contains NUL; too many names.
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

    /// The number of a name; `None` if the name is not known.
    pub(super) fn find(&self, name: &str) -> Option<u32> {
        match self.names.get(self.last as usize) {
            Some(last) if last == name => Some(self.last),
            _ => self.numbers.get(name).copied(),
        }
    }

    /// Checks that a name is known or can be added.
    ///
    /// # Errors
    /// The errors of [`Names::number`].
    pub(super) fn check(&self, name: &str) -> Result<(), DraftFault> {
        if self.find(name).is_some() {
            return Ok(());
        }
        check_name(self.what, name)?;
        check_count(self.what, self.names.len())
    }

    /// All names in the order of their numbers.
    pub(super) fn list(&self) -> &[String] {
        &self.names
    }
}

/// Checks that a name is valid.
pub(super) fn check_name(what: &'static str, name: &str) -> Result<(), DraftFault> {
    match (name.len(), name.bytes().position(|byte| byte == 0)) {
        (1..=NAME_LEN_MAX, None) => Ok(()),
        (1..=NAME_LEN_MAX, Some(at)) => Err(DraftFault::Nul { what, at }),
        (len, _) => Err(DraftFault::NameLength { what, len, limit: NAME_LEN_MAX }),
    }
}

/// Checks that one more name may be added.
pub(super) fn check_count(what: &'static str, count: usize) -> Result<(), DraftFault> {
    match count < NAMES_MAX {
        true => Ok(()),
        false => Err(DraftFault::TooManyNames { what, limit: NAMES_MAX }),
    }
}
