//! Converts a text of perf script to references.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read, Seek};

use varvite_trace::{Module, Sink};

use super::PerfError;
use super::line::{Line, Sample, parse};
use crate::reference::{Counts, Reference, References, kind, marker};

/// Maximum length of a line in bytes. The path of a file, and the name of a function, may be long.
const LINE_MAX: u64 = 1 << 16;
/// Maximum number of different parts of files; further ones are left out and counted.
const MODULES_MAX: usize = 1 << 14;

/// The result of an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerfReport {
    /// The numbers of references that were recorded.
    pub counts: Counts,
    /// The number of samples.
    pub samples: u64,
    /// The number of samples that were left out because they have no address of data.
    pub without_address: u64,
    /// The number of parts of files that the process has mapped, and that are in the trace.
    pub modules: u64,
    /// The number of lines with further parts, which are not in the trace because there are too many.
    pub modules_left_out: u64,
    /// The number of lines with parts that other processes have mapped.
    pub modules_of_others: u64,
}

/// Reads a text to its end, and records its samples. Reads the lines before the first sample twice: those of
/// a whole system list the files of all processes, and the first sample says the process.
///
/// **Cost**: one pass and the lines before the first sample; memory for a line of 64 KiB, for the parts of
/// files, and that of [`References`].
///
/// # Errors
/// [`PerfError`]. A last line without a line end is treated as cut off. The lines before an error are in the
/// trace.
pub fn import<S: Sink>(
    mut source: impl Read + Seek,
    target: References<'_, S>,
) -> Result<PerfReport, PerfError> {
    let process = process_of(Lines::of(&mut source))?;
    source.rewind().map_err(|source| PerfError::Io { line: 1, source })?;
    let (known, report) = (HashSet::new(), PerfReport::default());
    let mut import = Import { target, process, waiting: None, known, report };
    let mut lines = Lines::of(source);
    while let Some((line, text)) = lines.next()? {
        import.line(line, text)?;
    }
    import.finish()
}

/// The process of the first sample; `None` if samples do not name their process.
fn process_of(mut lines: Lines<impl Read>) -> Result<Option<u64>, PerfError> {
    while let Some((_, text)) = lines.next()? {
        if let Some(Line::Sample(sample)) = parse(text) {
            return Ok(sample.process);
        }
    }
    Ok(None)
}

/// The whole lines of a text.
struct Lines<R> {
    source: BufReader<R>,
    text: Vec<u8>,
    line: u64,
}

impl<R: Read> Lines<R> {
    fn of(source: R) -> Self {
        Self { source: BufReader::new(source), text: Vec::new(), line: 0 }
    }

    /// The next line and its number, from 1.
    fn next(&mut self) -> Result<Option<(u64, &[u8])>, PerfError> {
        let Self { source, text, line } = self;
        *line += 1;
        text.clear();
        let read = source.by_ref().take(LINE_MAX).read_until(b'\n', text);
        read.map_err(|source| PerfError::Io { line: *line, source })?;
        match text.pop_if(|last| *last == b'\n') {
            Some(_) => Ok(Some((*line, &text[..]))),
            None if text.len() as u64 == LINE_MAX => Err(unknown(*line, text)),
            None => Ok(None),
        }
    }
}

struct Import<'r, S: Sink> {
    target: References<'r, S>,
    /// The process whose samples these are, if it is known.
    process: Option<u64>,
    /// A sample whose instruction is on the next line.
    waiting: Option<Sample>,
    known: HashSet<Module>,
    report: PerfReport,
}

impl<S: Sink> Import<'_, S> {
    fn line(&mut self, line: u64, text: &[u8]) -> Result<(), PerfError> {
        match parse(text) {
            Some(Line::Sample(sample)) => {
                self.take_waiting(None)?;
                self.check_process(line, sample.process)?;
                self.report.samples += 1;
                match sample.instruction {
                    Some(_) => self.record(sample),
                    None => {
                        self.waiting = Some(sample);
                        Ok(())
                    }
                }
            }
            Some(Line::Call(address)) => self.take_waiting(Some(address)),
            Some(Line::Mapped { process, module }) => self.map(process, module),
            Some(Line::Other) => Ok(()),
            None => Err(unknown(line, text)),
        }
    }

    /// Records the sample whose instruction is on another line; without an instruction, if there was none.
    fn take_waiting(&mut self, instruction: Option<u64>) -> Result<(), PerfError> {
        match self.waiting.take() {
            Some(sample) => self.record(Sample { instruction, ..sample }),
            None => Ok(()),
        }
    }

    fn check_process(&mut self, line: u64, process: Option<u64>) -> Result<(), PerfError> {
        let Some(other) = process else { return Ok(()) };
        match *self.process.get_or_insert(other) {
            process if process == other => Ok(()),
            process => Err(PerfError::Processes { line, process, other }),
        }
    }

    fn record(&mut self, sample: Sample) -> Result<(), PerfError> {
        let Some(address) = sample.address else {
            self.report.without_address += 1;
            return Ok(());
        };
        let is_new = self.target.switch(sample.thread)?;
        self.target.advance_time(sample.time_us);
        if is_new {
            self.target.push(Reference {
                kind: kind::MARKER,
                size: marker::SAMPLED,
                value: sample.period,
            })?;
        }
        // A thread keeps its place, so a sample without one needs a block that is nowhere.
        let value = sample.instruction.unwrap_or(0);
        let place = if sample.instruction.is_some() { kind::BLOCK } else { kind::GENERATED_BLOCK };
        self.target.push(Reference { kind: place, size: 0, value })?;
        Ok(self.target.push(Reference { kind: sample.kind, size: 0, value: address })?)
    }

    /// Records a mapped file. Files that other processes have mapped are left out if the process is known.
    fn map(&mut self, process: u64, module: Module) -> Result<(), PerfError> {
        if self.process.is_some_and(|own| own != process) {
            self.report.modules_of_others += 1;
        } else if self.known.len() >= MODULES_MAX && !self.known.contains(&module) {
            self.report.modules_left_out += 1;
        } else if !self.known.contains(&module) {
            self.target.add_modules(std::slice::from_ref(&module))?;
            self.known.insert(module);
            self.report.modules += 1;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<PerfReport, PerfError> {
        self.take_waiting(None)?;
        let PerfReport { samples, without_address, .. } = self.report;
        if samples == without_address {
            return Err(PerfError::NoAddresses { samples });
        }
        self.report.counts = self.target.finish()?;
        Ok(self.report)
    }
}

fn unknown(line: u64, text: &[u8]) -> PerfError {
    PerfError::Line { line, text: String::from_utf8_lossy(&text[..text.len().min(60)]).into_owned() }
}
