//! Converts a lackey text to references.

use std::io::Read;

use varvite_trace::{Module, Sink};

use super::LackeyError;
use super::line::{Access, Line, parse};
use super::watch::Watch;
use crate::reference::{Counts, Reference, References, kind};

/// Maximum length of a line in bytes. Lines may be long, since valgrind writes the whole command in one of
/// them.
const LINE_MAX: usize = 1 << 20;
/// Number of bytes that are read at a time.
const READ_LEN: usize = 256 << 10;

/// The result of an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LackeyReport {
    /// The numbers of references that were recorded.
    pub counts: Counts,
    /// Whether the text includes valgrind's line about the end of the program. If not, the text is truncated.
    pub is_whole: bool,
    /// The number of instructions that lackey has counted, but not printed; 0 if the text has no summary. A
    /// signal that interrupts an instruction may leave out a few.
    pub missing: u64,
}

/// Reads the text to its end, even while it is still being written, and records everything as thread 0.
///
/// **Cost**: one pass; memory for one line, up to 1 MiB.
///
/// # Errors
/// [`LackeyError::Line`] for a line that lackey does not write. A last line without a line end is treated as
/// cut off, not as invalid. The lines before an error are still in the trace.
pub fn import<S: Sink>(source: impl Read, target: References<'_, S>) -> Result<LackeyReport, LackeyError> {
    import_watched(source, target, &mut Vec::new)
}

/// Reads the text as [`import`] does, while the program runs. `modules` returns the files that are mapped in
/// the program at the time of the call. This function is called before the first reference, and again if an
/// instruction's address is in none of the known files.
///
/// # Errors
/// The errors of [`import`], and an error if a module is not valid in a trace.
pub fn import_watched<S: Sink>(
    mut source: impl Read,
    mut target: References<'_, S>,
    modules: &mut dyn FnMut() -> Vec<Module>,
) -> Result<LackeyReport, LackeyError> {
    let mut watch = Watch::new(modules);
    target.switch(0)?;
    let mut report = LackeyReport::default();
    let mut buffer = vec![0; READ_LEN];
    let (mut held, mut line) = (0, 1);
    loop {
        if held == buffer.len() {
            if held >= LINE_MAX {
                return Err(unknown(line, &buffer));
            }
            buffer.resize(2 * held, 0);
        }
        let read = match source.read(&mut buffer[held..]) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(source) => return Err(LackeyError::Io { line, source }),
        };
        if line == 1 {
            watch.ask(&target)?;
        }
        held += read;
        let lines = buffer[..held].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        for text in buffer[..lines].split_inclusive(|byte| *byte == b'\n') {
            record(&text[..text.len() - 1], line, &mut target, &mut watch, &mut report)?;
            line += 1;
        }
        buffer.copy_within(lines..held, 0);
        held -= lines;
    }
    report.counts = target.finish()?;
    report.missing = report.missing.saturating_sub(report.counts.instructions);
    Ok(report)
}

fn record<S: Sink>(
    text: &[u8],
    line: u64,
    target: &mut References<'_, S>,
    watch: &mut Watch<'_>,
    report: &mut LackeyReport,
) -> Result<(), LackeyError> {
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    match parse(text) {
        Some(Line::Access { access, address, size }) => {
            let reference = |kind| Reference { kind, size, value: address };
            match access {
                Access::Instruction => {
                    watch.see(address, target)?;
                    target.push(reference(kind::INSTRUCTION))?;
                }
                Access::Load => target.push(reference(kind::READ))?,
                Access::Store => target.push(reference(kind::WRITE))?,
                Access::Modify => {
                    target.push(reference(kind::READ))?;
                    target.push(reference(kind::WRITE))?;
                }
            }
        }
        Some(Line::Words { is_end }) => report.is_whole |= is_end,
        Some(Line::Counted(instructions)) => report.missing = instructions,
        None if text.is_empty() => {}
        None => return Err(unknown(line, text)),
    }
    Ok(())
}

fn unknown(line: u64, text: &[u8]) -> LackeyError {
    LackeyError::Line { line, text: String::from_utf8_lossy(&text[..text.len().min(60)]).into_owned() }
}
