//! [`Header`]: the lines of a patch before the hunks of a file, which give the names of the file.

use super::patch_error::PatchFault;
use super::patch_path::{name_of, names_of_git, without_prefix, without_prefixes};
use super::side::Side;

/// The name of a file on a side where it does not exist.
const NO_FILE: &str = "/dev/null";

/// The names of a file, and what its header says of its hunks.
#[derive(Clone, Debug, Default)]
pub(super) struct Header {
    /// The line of the patch at which the header begins.
    pub(super) line: u64,
    /// The two names after `diff --git `.
    git: Option<(String, String)>,
    /// Whether the header begins with `diff --git `.
    pub(super) is_git: bool,
    /// The names after `rename from ` and `rename to `, or the same of a copy.
    from: Option<String>,
    to: Option<String>,
    is_copy: bool,
    is_new: bool,
    is_deleted: bool,
    pub(super) is_binary: bool,
    /// Whether there is a line `index `, which announces hunks.
    has_index: bool,
    /// The names after `--- ` and `+++ `.
    names: Option<(String, String)>,
}

impl Header {
    /// A header that begins with names, as `diff -u` writes it.
    pub(super) fn at(line: u64) -> Self {
        Self { line, ..Self::default() }
    }

    /// The header that a line `diff --git ` begins.
    pub(super) fn of_git(line: u64, names: &[u8]) -> Self {
        Self { line, git: names_of_git(names), is_git: true, ..Self::default() }
    }

    /// Reads a line after `diff --git `.
    pub(super) fn read(&mut self, line: &[u8]) -> Result<(), PatchFault> {
        let name_after =
            |word: &str| line.strip_prefix(word.as_bytes()).map(|name| name_of(name).ok_or(PatchFault::Name));
        for (word, is_copy) in [("rename", false), ("copy", true)] {
            if let Some(name) = name_after(&format!("{word} from ")) {
                (self.from, self.is_copy) = (Some(name?), is_copy);
            } else if let Some(name) = name_after(&format!("{word} to ")) {
                self.to = Some(name?);
            }
        }
        self.is_new |= line.starts_with(b"new file mode ");
        self.is_deleted |= line.starts_with(b"deleted file mode ");
        self.has_index |= line.starts_with(b"index ");
        self.is_binary |= line.starts_with(b"Binary files ") || line.starts_with(b"GIT binary patch");
        Ok(())
    }

    /// Reads the two lines with names, without the words `--- ` and `+++ `.
    pub(super) fn read_names(&mut self, old: &[u8], new: &[u8]) -> Result<(), PatchFault> {
        let (old, new) = (name_of(old).ok_or(PatchFault::Name)?, name_of(new).ok_or(PatchFault::Name)?);
        if old == NO_FILE && new == NO_FILE {
            return Err(PatchFault::Nowhere);
        }
        self.names = Some((old, new));
        Ok(())
    }

    /// Whether the names for hunks were read.
    pub(super) fn has_names(&self) -> bool {
        self.names.is_some()
    }

    /// Whether hunks must follow. Empty and binary files, renames and changes of modes have none.
    pub(super) fn needs_hunks(&self) -> bool {
        self.has_names() || self.has_index && !(self.is_binary || self.is_new || self.is_deleted)
    }

    /// The name of the file on one side; `None` if it does not exist there.
    pub(super) fn name_on(&self, side: Side) -> Option<String> {
        let is_absent = match side {
            Side::Old => self.is_new || self.is_copy,
            Side::New => self.is_deleted,
        };
        let (old, new) = self.both()?;
        let name = if side == Side::Old { old } else { new };
        name.filter(|_| !is_absent)
    }

    /// The name of the file on the side that has it, for messages.
    pub(super) fn any_name(&self) -> String {
        self.both().and_then(|(old, new)| new.or(old)).unwrap_or_default()
    }

    fn both(&self) -> Option<(Option<String>, Option<String>)> {
        if let (Some(from), Some(to)) = (&self.from, &self.to) {
            return Some((Some(from.clone()), Some(to.clone())));
        }
        let (old, new) = self.names.clone().or_else(|| self.git.clone())?;
        let is_prefixed = self.git.as_ref().is_none_or(|(old, new)| old != new);
        let one_of = |name: String, prefix| if is_prefixed { without_prefix(name, prefix) } else { name };
        Some(match (old == NO_FILE, new == NO_FILE) {
            (true, _) => (None, Some(one_of(new, "b/"))),
            (_, true) => (Some(one_of(old, "a/")), None),
            _ => {
                let (old, new) = without_prefixes(old, new);
                (Some(old), Some(new))
            }
        })
    }
}
