//! [`Patch`]: the changed lines of a unified diff, as `git diff`, `git format-patch` and `diff -u` write
//! them.
//!
//! Only line numbers of one side are kept: those of the side from which the graph was made. A hunk without
//! lines on that side, such as one that only adds lines on the old side, becomes a place between two lines.
//!
//! Text between files, such as a message, is passed over. Whatever could hide a change is an error: a hunk
//! with other numbers of lines than it says, hunks out of order, a file without its hunks, a second diff of
//! one file, and diffs in other forms.

use std::collections::HashSet;

use super::header::Header;
use super::patch_error::{PatchError, PatchFault};
use super::side::Side;
use super::span::Span;

/// The changes of a patch, seen from one side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patch {
    /// The files, in the order of the patch.
    pub files: Vec<ChangedFile>,
}

/// A file that a patch changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangedFile {
    /// The path of the file, without the prefixes `a/` and `b/`.
    pub path: String,
    /// Whether the file exists on the side.
    pub is_there: bool,
    /// Whether the patch says only that a binary file changed.
    pub is_binary: bool,
    /// The changed lines on the side, ascending.
    pub spans: Vec<Span>,
}

type Result<T> = std::result::Result<T, PatchError>;

impl Patch {
    /// Reads a patch. A text without bytes is the patch of no change.
    ///
    /// **Cost**: one pass over the text; at most 16 bytes of memory for each line.
    ///
    /// # Errors
    /// [`PatchError`], with the line.
    pub fn read(text: &[u8], side: Side) -> Result<Self> {
        let mut reader =
            Reader { side, lines: Lines::of(text), header: None, hunks: Hunks::default(), files: Vec::new() };
        while let Some(line) = reader.lines.next() {
            reader.read(line)?;
        }
        reader.end_file()?;
        if reader.files.is_empty() && reader.lines.number > 0 {
            return Err(PatchError { line: 1, fault: PatchFault::NoPatch });
        }
        check_paths(&reader.files)?;
        Ok(Self { files: reader.files.into_iter().map(|(_, file)| file).collect() })
    }
}

/// Refuses a second diff of a file.
fn check_paths(files: &[(u64, ChangedFile)]) -> Result<()> {
    let mut seen = HashSet::new();
    let there = files.iter().filter(|(_, file)| file.is_there && !file.path.is_empty());
    match there.into_iter().find(|(_, file)| !seen.insert(file.path.as_str())) {
        None => Ok(()),
        Some((line, file)) => {
            Err(PatchError { line: *line, fault: PatchFault::Twice { path: file.path.clone() } })
        }
    }
}

struct Reader<'t> {
    side: Side,
    lines: Lines<'t>,
    header: Option<Header>,
    hunks: Hunks,
    /// The files, each with the line of its header.
    files: Vec<(u64, ChangedFile)>,
}

/// The hunks of the current file.
#[derive(Default)]
struct Hunks {
    count: u64,
    spans: Vec<Span>,
    /// The lines after the last hunk, old and new.
    next: (u32, u32),
}

impl Reader<'_> {
    fn error<T>(&self, fault: PatchFault) -> Result<T> {
        Err(PatchError { line: self.lines.number, fault })
    }

    /// Reads a line outside of hunks.
    fn read(&mut self, line: &[u8]) -> Result<()> {
        if let Some(names) = line.strip_prefix(b"diff --git ") {
            self.end_file()?;
            self.header = Some(Header::of_git(self.lines.number, names));
            return Ok(());
        }
        if [&b"diff --cc "[..], b"diff --combined ", b"@@@ "].iter().any(|word| line.starts_with(word)) {
            return self.error(PatchFault::Combined);
        }
        if let Some(old) = line.strip_prefix(b"--- ") {
            return self.read_names(old);
        }
        if line.starts_with(b"*** ") && self.lines.peek().is_some_and(|next| next.starts_with(b"--- ")) {
            return self.error(PatchFault::Context);
        }
        if line.starts_with(b"@@ ") {
            return self.read_hunk(line);
        }
        match &mut self.header {
            Some(header) if header.is_git && self.hunks.count == 0 => {
                header.read(line).map_err(|fault| PatchError { line: self.lines.number, fault })
            }
            _ if line.starts_with(b"Binary files ") => self.read_binary(line),
            _ => Ok(()),
        }
    }

    /// Reads a line `--- ` and the line `+++ ` after it. In a message, a line may begin with `--- ` too.
    fn read_names(&mut self, old: &[u8]) -> Result<()> {
        let Some(new) = self.lines.peek().and_then(|line| line.strip_prefix(b"+++ ")) else {
            let must_follow = self.lines.peek().is_none()
                || self.header.as_ref().is_some_and(|header| header.is_git && !header.has_names());
            return if must_follow { self.error(PatchFault::NoTarget) } else { Ok(()) };
        };
        let line = self.lines.number;
        self.lines.next();
        if self.header.as_ref().is_none_or(|header| header.has_names() || !header.is_git) {
            self.end_file()?;
            self.header = Some(Header::at(line));
        }
        match self.header.as_mut().map(|header| header.read_names(old, new)) {
            Some(Err(fault)) => Err(PatchError { line, fault }),
            _ => Ok(()),
        }
    }

    /// Reads the line of `diff` about a binary file: `Binary files a/x and b/x differ`.
    fn read_binary(&mut self, line: &[u8]) -> Result<()> {
        let Some(names) = line.strip_prefix(b"Binary files ").and_then(|line| line.strip_suffix(b" differ"))
        else {
            return Ok(());
        };
        self.end_file()?;
        let path = String::from_utf8_lossy(names).into_owned();
        self.files.push((
            self.lines.number,
            ChangedFile { path, is_there: true, is_binary: true, spans: Vec::new() },
        ));
        Ok(())
    }

    fn end_file(&mut self) -> Result<()> {
        let (Some(header), hunks) = (self.header.take(), std::mem::take(&mut self.hunks)) else {
            return Ok(());
        };
        if hunks.count == 0 && header.needs_hunks() {
            return Err(PatchError { line: header.line, fault: PatchFault::NoHunks });
        }
        let path = header.name_on(self.side);
        let is_there = path.is_some();
        let spans = if is_there { hunks.spans } else { Vec::new() };
        let path = path.unwrap_or_else(|| header.any_name());
        self.files.push((header.line, ChangedFile { path, is_there, is_binary: header.is_binary, spans }));
        Ok(())
    }

    fn read_hunk(&mut self, line: &[u8]) -> Result<()> {
        if !self.header.as_ref().is_some_and(Header::has_names) {
            return self.error(PatchFault::NoFile);
        }
        let Some((old, new)) = ranges_of(line) else { return self.error(PatchFault::Hunk) };
        if self.hunks.count > 0 && (old.next() < self.hunks.next.0 || new.next() < self.hunks.next.1) {
            return self.error(PatchFault::Order);
        }
        let hunk = Hunk {
            side: self.side,
            begin: self.lines.number,
            old: old.len,
            new: new.len,
            at: (old.next(), new.next()),
        };
        self.hunks.next = (old.next() + old.len, new.next() + new.len);
        self.hunks.count += 1;
        hunk.read(&mut self.lines, &mut self.hunks.spans)
    }
}

/// The lines of one side of a hunk, as its first line says.
#[derive(Clone, Copy)]
struct Range {
    start: u32,
    len: u32,
}

impl Range {
    /// The first line of the hunk. Without lines, a hunk names the line before it.
    fn next(self) -> u32 {
        if self.len == 0 { self.start + 1 } else { self.start }
    }
}

/// The two ranges of `@@ -1,2 +3,4 @@`.
fn ranges_of(line: &[u8]) -> Option<(Range, Range)> {
    let text = line.strip_prefix(b"@@ -")?;
    let end = text.windows(3).position(|bytes| bytes == b" @@")?;
    let (old, new) = str::from_utf8(&text[..end]).ok()?.split_once(" +")?;
    Some((range_of(old)?, range_of(new)?))
}

fn range_of(text: &str) -> Option<Range> {
    let number = |digits: &str| {
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse::<u32>().ok())?
    };
    let (start, len) = text.split_once(',').unwrap_or((text, "1"));
    let (start, len) = (number(start)?, number(len)?);
    // One line more than the last must be a number too.
    start.checked_add(len)?.checked_add(1)?;
    (start > 0 || len == 0).then_some(Range { start, len })
}

/// A hunk that is being read.
struct Hunk {
    side: Side,
    /// The line of the patch with the ranges.
    begin: u64,
    /// The numbers of lines that are left on both sides.
    old: u32,
    new: u32,
    /// The next lines on both sides.
    at: (u32, u32),
}

impl Hunk {
    fn read(mut self, lines: &mut Lines<'_>, spans: &mut Vec<Span>) -> Result<()> {
        // The first line of the run of changes that is being read.
        let mut run: Option<u32> = None;
        while self.old > 0 || self.new > 0 {
            let Some(line) = lines.next() else {
                let missing = u64::from(self.old.max(self.new));
                return Err(PatchError {
                    line: lines.number,
                    fault: PatchFault::End { begin: self.begin, missing },
                });
            };
            let at = self.here();
            match line.first() {
                Some(b'\\') => continue,
                None | Some(b' ' | b'\r') => {
                    self.end_run(&mut run, spans);
                    self.take((1, 1), lines)?;
                }
                Some(b'-') => {
                    run.get_or_insert(at);
                    self.take((1, 0), lines)?;
                }
                Some(b'+') => {
                    run.get_or_insert(at);
                    self.take((0, 1), lines)?;
                }
                _ => return Err(self.miscounted("fewer", lines)),
            }
        }
        self.end_run(&mut run, spans);
        self.check_end(lines)
    }

    /// The next line on the side that counts.
    fn here(&self) -> u32 {
        if self.side == Side::Old { self.at.0 } else { self.at.1 }
    }

    fn take(&mut self, (old, new): (u32, u32), lines: &Lines<'_>) -> Result<()> {
        let left = self.old.checked_sub(old).zip(self.new.checked_sub(new));
        let Some((left_old, left_new)) = left else { return Err(self.miscounted("other", lines)) };
        (self.old, self.new) = (left_old, left_new);
        self.at = (self.at.0 + old, self.at.1 + new);
        Ok(())
    }

    fn end_run(&self, run: &mut Option<u32>, spans: &mut Vec<Span>) {
        let Some(first) = run.take() else { return };
        let next = self.here();
        spans.push(if next > first { Span::lines(first, next - 1) } else { Span::before(first) });
    }

    /// Refuses lines of a change after the last line of the hunk. A line `-- ` begins the signature of a
    /// mail.
    fn check_end(&self, lines: &mut Lines<'_>) -> Result<()> {
        while lines.peek().is_some_and(|line| line.starts_with(b"\\")) {
            lines.next();
        }
        let Some(line) = lines.peek() else { return Ok(()) };
        let is_signature = line == b"--" || line == b"-- " || line.starts_with(b"--- ");
        if line.starts_with(b"+") || line.starts_with(b" ") || line.starts_with(b"-") && !is_signature {
            lines.next();
            return Err(self.miscounted("more", lines));
        }
        Ok(())
    }

    fn miscounted(&self, what: &'static str, lines: &Lines<'_>) -> PatchError {
        PatchError { line: lines.number, fault: PatchFault::Count { what, begin: self.begin } }
    }
}

/// The lines of a text without their ends, `\n` or `\r\n`.
struct Lines<'t> {
    rest: &'t [u8],
    /// The number of lines read.
    number: u64,
}

impl<'t> Lines<'t> {
    fn of(text: &'t [u8]) -> Self {
        Self { rest: text, number: 0 }
    }

    fn next(&mut self) -> Option<&'t [u8]> {
        let line = self.peek()?;
        let end = self.rest.iter().position(|byte| *byte == b'\n').map_or(self.rest.len(), |end| end + 1);
        self.rest = &self.rest[end..];
        self.number += 1;
        Some(line)
    }

    fn peek(&self) -> Option<&'t [u8]> {
        let line = self.rest.split(|byte| *byte == b'\n').next().filter(|_| !self.rest.is_empty())?;
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }
}

#[cfg(test)]
mod tests;
