//! [`Import`]: makes references from the messages of the valgrind tool.

use varvite_trace::{Module, Sink};

use super::MessageError;
use super::block::Block;
use super::blocks::Blocks;
use super::bytes::Bytes;
use super::message::{BEGIN, FLAG_GAP, FORK, ITEMS, Item, RUNS, VERSION, begin, split, take_item};
use crate::reference::{Counts, Reference, References, kind, marker};

type Result<T> = std::result::Result<T, MessageError>;

/// The result of an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunReport {
    /// The numbers of references that were recorded.
    pub counts: Counts,
    /// The number of accesses that load and store the same bytes; each is also a load and a store of
    /// `counts`.
    pub modifies: u64,
    /// The number of places at which the tool has dropped runs, because it samples.
    pub gaps: u64,
    /// The number of mapped files that are not in the trace, because there are too many.
    pub modules_left_out: u32,
    /// Whether the tool has said that the program ended. If not, the last runs may be missing.
    pub is_whole: bool,
    /// The exit code of the program; `None` if a signal has ended it, or if it is not known.
    pub exit_code: Option<u8>,
}

/// Whether to read on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The next message may follow.
    Continue,
    /// The trace has as many references as were allowed.
    Full,
    /// The program has ended; no message of this process follows.
    End,
}

/// Reads the messages of a process, and records its references.
///
/// **Memory**: that of [`References`], and 16 bytes for each record of the blocks that may still run.
pub struct Import<'r, S: Sink> {
    target: References<'r, S>,
    /// The build id of the file at a path.
    build_id: &'r mut dyn FnMut(&[u8]) -> Vec<u8>,
    blocks: Blocks,
    /// The most references to record.
    records_max: u64,
    is_sampled: bool,
    messages: u64,
    report: RunReport,
}

impl<'r, S: Sink> Import<'r, S> {
    /// Makes an import that records at most `records_max` references.
    pub fn new(
        target: References<'r, S>,
        records_max: u64,
        build_id: &'r mut dyn FnMut(&[u8]) -> Vec<u8>,
    ) -> Self {
        let (blocks, report) = (Blocks::default(), RunReport::default());
        let target = target.with_runs();
        Self { target, build_id, blocks, records_max, is_sampled: false, messages: 0, report }
    }

    /// Goes on with the blocks of the process from which this one was forked.
    #[must_use]
    pub fn with_blocks(self, blocks: Blocks) -> Self {
        Self { blocks, ..self }
    }

    /// Marks the references of each thread as samples.
    #[must_use]
    pub fn sampled(self, is_sampled: bool) -> Self {
        Self { is_sampled, ..self }
    }

    /// The blocks at this time, for a process that is forked now.
    ///
    /// **Cost**: 8 bytes for each 1,024 blocks that were ever described. Both processes share the blocks
    /// until one of them changes.
    pub fn blocks(&self) -> Blocks {
        self.blocks.clone()
    }

    /// The number of references so far.
    pub fn counts(&self) -> Counts {
        self.target.counts()
    }

    /// Reads a message.
    ///
    /// # Errors
    /// [`MessageError::Version`], [`MessageError::Malformed`], and the errors of the recorder. The references
    /// before an error are in the trace.
    pub fn message(&mut self, message: &[u8]) -> Result<Step> {
        let Some((head, content)) = split(message) else {
            return Err(self.malformed(0, "a head of 32 bytes"));
        };
        let mut content = Bytes(content);
        let step = match head.kind {
            ITEMS => self.items(message.len(), &mut content),
            BEGIN => self.begin(content.0).map(|()| Step::Continue),
            FORK => Ok(Step::Continue),
            RUNS => {
                let is_new = self.target.switch(u64::from(head.thread))?;
                self.target.advance_time(head.time_us);
                if is_new && self.is_sampled && self.records_max > 0 {
                    let value = 0;
                    self.target.push(Reference { kind: kind::MARKER, size: marker::SAMPLED, value })?;
                }
                if head.flags & FLAG_GAP != 0 {
                    self.gap()?;
                }
                self.runs(message.len(), &mut content)
            }
            _ => Err(self.malformed(0, "a kind from 1 to 4")),
        };
        self.messages += 1;
        step
    }

    /// Writes all references, and returns the result.
    ///
    /// # Errors
    /// The errors of the recorder.
    pub fn finish(mut self) -> Result<RunReport> {
        self.report.counts = self.target.finish()?;
        Ok(self.report)
    }

    fn malformed(&self, offset: usize, expected: &'static str) -> MessageError {
        MessageError::Malformed { message: self.messages, offset, expected }
    }

    fn begin(&self, content: &[u8]) -> Result<()> {
        match begin(content) {
            Some((VERSION, _)) => Ok(()),
            Some((found, _)) => Err(MessageError::Version { found, expected: VERSION }),
            None => Err(self.malformed(32, "a process")),
        }
    }

    fn items(&mut self, len: usize, bytes: &mut Bytes<'_>) -> Result<Step> {
        while !bytes.0.is_empty() {
            let offset = len - bytes.0.len();
            let Some(item) = take_item(bytes) else {
                return Err(self.malformed(offset, "a whole item of a known kind"));
            };
            self.item(item, offset)?;
        }
        Ok(if self.report.is_whole { Step::End } else { Step::Continue })
    }

    fn item(&mut self, item: Item<'_>, offset: usize) -> Result<()> {
        match item {
            Item::Hello(found) => return Err(MessageError::Version { found, expected: VERSION }),
            Item::Block(id, entries) => {
                if self.blocks.describe(id, entries).is_none() {
                    return Err(self.malformed(offset, "the next block, with known entries"));
                }
            }
            Item::Forget(ids) => self.blocks.forget(ids),
            Item::Module { address, len, file_offset, is_code, path } => {
                let build_id = if path.is_empty() { Vec::new() } else { (self.build_id)(path) };
                let path = path.to_vec();
                let module = Module { path, build_id, address, len, file_offset, is_code };
                self.target.add_modules(&[module])?;
            }
            Item::End(exit_code, left_out) => {
                self.report.modules_left_out = left_out;
                self.report.is_whole = true;
                self.report.exit_code = u8::try_from(exit_code).ok();
            }
        }
        Ok(())
    }

    /// Marks the place where the tool has dropped runs, as DynamoRIO marks a window.
    fn gap(&mut self) -> Result<()> {
        self.report.gaps += 1;
        let value = self.report.gaps;
        Ok(self.target.push(Reference { kind: kind::MARKER, size: marker::WINDOW, value })?)
    }

    fn runs(&mut self, len: usize, bytes: &mut Bytes<'_>) -> Result<Step> {
        let Self { blocks, target, report, records_max, .. } = self;
        let malformed = |rest: &Bytes<'_>, back: usize, expected: &'static str| {
            Err(MessageError::Malformed {
                message: self.messages,
                offset: len - rest.0.len() - back,
                expected,
            })
        };
        while let Some(id) = bytes.u32() {
            let brief = blocks.brief(id);
            if let Some(counts) = brief.counts()
                && target.counts().records + counts.records < *records_max
                && let Some(addresses) = bytes.peek(8 * usize::from(brief.addresses))
                && target.push_again(brief.key, counts, addresses.as_chunks().0)
            {
                report.modifies += u64::from(brief.modifies);
                bytes.0 = &bytes.0[addresses.len()..];
                continue;
            }
            let Some(block) = blocks.get(id) else {
                return malformed(bytes, 4, "a block that was described");
            };
            let Some(addresses) = block.take_addresses(bytes) else {
                return malformed(bytes, 0, "the addresses of a run");
            };
            let rest = records_max.saturating_sub(target.counts().records);
            report.modifies += block.modifies;
            match block.simple() {
                Some(part) if part.counts.records < rest => {
                    let values = addresses.iter().map(|address| Some(u64::from_le_bytes(*address)));
                    target.push_run(&part.shape, part.counts, values)?;
                }
                _ => add_parts(target, block, addresses, *records_max)?,
            }
            if target.counts().records >= *records_max {
                return Ok(Step::Full);
            }
        }
        match bytes.0 {
            [] => Ok(Step::Continue),
            _ => malformed(bytes, 0, "the number of a block"),
        }
    }
}

/// Records a run of which some accesses may not have happened, or that is longer than one shape, as far as
/// there may be more records.
fn add_parts<S: Sink>(
    target: &mut References<'_, S>,
    block: &Block,
    addresses: &[[u8; 8]],
    records_max: u64,
) -> Result<()> {
    for part in &block.parts {
        let values = part.values(addresses);
        let records = part.shape.expand(values.iter().copied());
        let rest = records_max.saturating_sub(target.counts().records);
        if records.len() as u64 <= rest {
            let mut counts = Counts::default();
            records.iter().for_each(|record| counts.count(Reference::from_bytes(record).kind));
            target.push_run(&part.shape, counts, values.into_iter())?;
            continue;
        }
        let kept = records.iter().take(rest as usize);
        kept.map(Reference::from_bytes).try_for_each(|reference| target.push(reference))?;
    }
    Ok(())
}
