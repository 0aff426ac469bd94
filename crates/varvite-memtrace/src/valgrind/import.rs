//! [`Import`]: makes references from the messages of the valgrind tool.

use std::sync::Arc;

use varvite_trace::{Module, Sink};

use super::MessageError;
use super::block::Block;
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
    /// Whether the tool has said that the program ended. If not, the last runs may be missing.
    pub is_whole: bool,
    /// The exit code of the program; `None` if a signal has ended it, or if it is not known.
    pub exit_code: Option<u8>,
}

/// The blocks of a process that may still run. A forked process goes on with those of its parent.
#[derive(Clone, Debug, Default)]
pub struct Blocks(Vec<Option<Arc<Block>>>);

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
/// **Memory**: that of [`References`], and 12 bytes for each record of the blocks that may still run.
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
    /// **Cost**: 8 bytes for each block that was ever described.
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
                let block = Block::of(entries).filter(|_| id as usize == self.blocks.0.len());
                let Some(block) = block else {
                    return Err(self.malformed(offset, "the next block, with known entries"));
                };
                self.blocks.0.push(Some(Arc::new(block)));
            }
            Item::Forget(ids) => {
                let ids = ids.start as usize..ids.end as usize;
                self.blocks.0.get_mut(ids).into_iter().flatten().for_each(|block| *block = None);
            }
            Item::Module { address, len, file_offset, is_code, path } => {
                let (path, build_id) = (path.to_vec(), (self.build_id)(path));
                let module = Module { path, build_id, address, len, file_offset, is_code };
                self.target.add_modules(&[module])?;
            }
            Item::End(exit_code) => {
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
        while let Some(id) = bytes.u32() {
            let Some(Some(block)) = self.blocks.0.get(id as usize) else {
                return Err(self.malformed(len - bytes.0.len() - 4, "a block that was described"));
            };
            let Some(addresses) = block.take_addresses(bytes) else {
                return Err(self.malformed(len - bytes.0.len(), "the addresses of a run"));
            };
            let rest = self.records_max.saturating_sub(self.target.counts().records);
            self.report.modifies += block.modifies;
            if !block.is_guarded() && block.counts.records < rest {
                self.target
                    .push_all(&block.records, block.counts, |records| block.fill(addresses, records))?;
                continue;
            }
            let references = block.references(addresses);
            let kept = references.iter().take(usize::try_from(rest).unwrap_or(usize::MAX));
            kept.copied().try_for_each(|reference| self.target.push(reference))?;
            if self.target.counts().records >= self.records_max {
                return Ok(Step::Full);
            }
        }
        match bytes.0 {
            [] => Ok(Step::Continue),
            _ => Err(self.malformed(len - bytes.0.len(), "the number of a block")),
        }
    }
}
