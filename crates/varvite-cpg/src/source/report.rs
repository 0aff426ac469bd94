//! [`SourceReport`]: what an import of sources found.

use super::folder::{Place, Unread};
use super::methods::Fit;
use super::text::SourceText;

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
    /// FILEs with more bytes than one file may have.
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

    /// Counts a FILE that has no text.
    pub(super) fn count_place(&mut self, place: &Place) {
        match place {
            Place::File(_) => self.found += 1,
            Place::Placeholder => self.placeholders += 1,
            Place::Missing => self.missing += 1,
            Place::Outside => self.outside += 1,
            Place::NotAFile => self.not_files += 1,
            Place::Unreadable => self.unreadable += 1,
        }
    }

    /// Counts a file that was not read.
    pub(super) fn count_unread(&mut self, unread: &Unread) {
        match unread {
            Unread::TooLarge => self.too_large += 1,
            Unread::Unreadable => self.unreadable += 1,
        }
    }

    /// Counts a text, and the METHODs in it.
    pub(super) fn count_text(&mut self, text: &SourceText<'_>, is_new: bool, fit: Fit) {
        self.found += 1;
        match is_new {
            true => self.text_bytes += text.text.len() as u64,
            false => self.repeated += 1,
        }
        self.with_mark += u64::from(text.has_mark);
        self.with_crlf += u64::from(text.has_crlf);
        self.not_utf8 += u64::from(!text.was_utf8());
        self.methods += fit.methods;
        self.methods_beyond += fit.beyond;
        self.named += fit.named;
        self.misplaced += fit.misplaced;
    }
}
