//! [`SourceReport`]: what an import of sources found.

use super::folder::Absence;
use super::methods::Fit;
use super::text::TextTraits;

/// The result of an import of sources. Every FILE of the graph is in exactly one of the first seven counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SourceReport {
    /// FILEs whose text is in the graph now.
    pub found: u64,
    /// FILEs whose name is a placeholder of a frontend, such as `<includes>`.
    pub placeholders: u64,
    /// FILEs that are not in the folder.
    pub missing: u64,
    /// FILEs whose name leads out of the folder.
    pub outside: u64,
    /// FILEs whose name leads to a folder, a pipe or a device.
    pub not_files: u64,
    /// FILEs whose file takes more memory than one file may have.
    pub too_large: u64,
    /// FILEs that the user may not read, or that changed while they were read.
    pub unreadable: u64,
    /// Found FILEs whose text another FILE has too, so that it is stored once.
    pub repeated: u64,
    /// Files that have the name of another found file in another folder, such as `a/util.c` and `b/util.c`.
    pub same_names: u64,
    /// Found FILEs that begin with a byte order mark, which is left out.
    pub with_mark: u64,
    /// Found FILEs with lines that end with carriage return and line feed, which are kept.
    pub with_crlf: u64,
    /// Found FILEs with bytes that are not UTF-8, which are replaced by U+FFFD.
    pub not_utf8: u64,
    /// Bytes of all different texts.
    pub text_bytes: u64,
    /// METHODs of found FILEs that have a line.
    pub methods: u64,
    /// METHODs of these whose first or last line is beyond the end of the text.
    pub methods_beyond: u64,
    /// Size of the file in bytes.
    pub file_len: u64,
    /// METHODs whose lines should contain their name, and those whose lines do not.
    pub(super) named: u64,
    pub(super) misplaced: u64,
}

impl SourceReport {
    /// The number of FILEs.
    pub fn files(&self) -> u64 {
        let Self { found, placeholders, missing, outside, not_files, too_large, unreadable, .. } = self;
        found + placeholders + missing + outside + not_files + too_large + unreadable
    }

    /// A report of the METHODs of all files.
    pub(super) fn of(fit: Fit) -> Self {
        let Fit { methods, beyond, named, misplaced } = fit;
        Self { methods, methods_beyond: beyond, named, misplaced, ..Self::default() }
    }

    /// Counts a FILE that has no text.
    pub(super) fn count_absence(&mut self, absence: Absence) {
        match absence {
            Absence::Placeholder => self.placeholders += 1,
            Absence::Missing => self.missing += 1,
            Absence::Outside => self.outside += 1,
            Absence::NotAFile => self.not_files += 1,
            Absence::TooLarge => self.too_large += 1,
            Absence::Unreadable => self.unreadable += 1,
        }
    }

    /// Counts a FILE that has a text. `new_bytes` is the length of a text that no other FILE had before.
    pub(super) fn count_text(&mut self, traits: TextTraits, new_bytes: Option<u64>) {
        self.found += 1;
        match new_bytes {
            Some(bytes) => self.text_bytes += bytes,
            None => self.repeated += 1,
        }
        self.with_mark += u64::from(traits.has_mark);
        self.with_crlf += u64::from(traits.has_crlf);
        self.not_utf8 += u64::from(!traits.was_utf8);
    }
}
