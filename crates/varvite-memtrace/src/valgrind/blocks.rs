//! [`Blocks`]: the blocks of a process that may still run.

use std::ops::Range;
use std::sync::Arc;

use super::block::Block;
use super::bytes::ENTRY_LEN;
use crate::reference::Counts;

/// The number of blocks that processes share or copy together.
const PAGE: usize = 1024;

/// The blocks of a process that may still run. A forked process goes on with those of its parent.
///
/// **Cost** of a clone: 8 bytes for each 1,024 blocks that were ever described. A process that describes or
/// forgets a block then copies 24 bytes for each of 1,024 blocks.
#[derive(Clone, Debug, Default)]
pub struct Blocks {
    pages: Vec<Arc<Page>>,
    /// The number of blocks that were described.
    len: usize,
    next_key: u32,
}

/// Consecutive blocks.
#[derive(Clone, Debug, Default)]
struct Page {
    briefs: Vec<Brief>,
    /// `None` if a block does not run any more.
    blocks: Vec<Option<Arc<Block>>>,
}

/// What most runs of a block need to know of it. A run's place in a message depends on the length of the run
/// before it, so this has to be found fast.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Brief {
    /// The key of the block's shape.
    pub key: u32,
    /// The number of addresses of a run.
    pub addresses: u16,
    /// The numbers of references; 0 unless the block has one shape, all of whose records happen.
    records: u16,
    instructions: u16,
    reads: u16,
    writes: u16,
    pub modifies: u16,
}

impl Brief {
    fn of(block: &Block) -> Self {
        let Some(part) = block.simple() else { return Self::default() };
        let Counts { records, instructions, reads, writes } = part.counts;
        Self {
            key: part.shape.key(),
            addresses: part.shape.values() as u16,
            records: records as u16,
            instructions: instructions as u16,
            reads: reads as u16,
            writes: writes as u16,
            modifies: block.modifies as u16,
        }
    }

    /// The numbers of references; `None` if [`Blocks::get`] must tell them.
    #[inline(always)]
    pub(super) fn counts(self) -> Option<Counts> {
        let Self { records, instructions, reads, writes, .. } = self;
        let [records, instructions, reads, writes] = [records, instructions, reads, writes].map(u64::from);
        (records > 0).then_some(Counts { records, instructions, reads, writes })
    }
}

impl Blocks {
    /// The block with this number, if it may run.
    pub(super) fn get(&self, id: u32) -> Option<&Block> {
        let id = id as usize;
        self.pages.get(id / PAGE)?.blocks.get(id % PAGE)?.as_deref()
    }

    /// The brief of the block with this number; that of no block if it may not run.
    #[inline(always)]
    pub(super) fn brief(&self, id: u32) -> Brief {
        let id = id as usize;
        let brief = self.pages.get(id / PAGE).and_then(|page| page.briefs.get(id % PAGE));
        brief.copied().unwrap_or_default()
    }

    /// Adds the next block. `None` if it has another number, or an entry is invalid.
    pub(super) fn describe(&mut self, id: u32, entries: &[[u8; ENTRY_LEN]]) -> Option<()> {
        if id as usize != self.len {
            return None;
        }
        let block = Block::of(entries, &mut self.next_key)?;
        if self.len.is_multiple_of(PAGE) {
            self.pages.push(Arc::default());
        }
        let page = Arc::make_mut(self.pages.last_mut()?);
        page.briefs.push(Brief::of(&block));
        page.blocks.push(Some(Arc::new(block)));
        self.len += 1;
        Some(())
    }

    /// Removes blocks that do not run any more; numbers that no block has are ignored.
    pub(super) fn forget(&mut self, ids: Range<u32>) {
        let end = self.len.min(ids.end as usize);
        for id in ids.start as usize..end {
            let page = self.pages.get_mut(id / PAGE).filter(|page| page.blocks[id % PAGE].is_some());
            if let Some(page) = page.map(Arc::make_mut) {
                page.blocks[id % PAGE] = None;
                page.briefs[id % PAGE] = Brief::default();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block that loads one byte from a fixed address.
    const LOAD: [u8; ENTRY_LEN] = [2, 1, 1, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0];

    #[test]
    fn a_child_shares_all_pages_but_those_that_change() {
        let mut parent = Blocks::default();
        (0..5 * PAGE as u32).for_each(|id| parent.describe(id, &[LOAD]).unwrap());
        let mut child = parent.clone();
        child.forget(3..5);
        child.describe(5 * PAGE as u32, &[LOAD]).unwrap();
        let shared = parent.pages.iter().zip(&child.pages).filter(|(left, right)| Arc::ptr_eq(left, right));
        assert_eq!(shared.count(), 4);
        assert!(parent.get(3).is_some() && child.get(3).is_none() && child.get(5).is_some());
        assert!(parent.get(5 * PAGE as u32).is_none() && child.get(5 * PAGE as u32).is_some());
    }

    #[test]
    fn numbers_that_no_block_has_are_not_forgotten() {
        let mut blocks = Blocks::default();
        blocks.describe(0, &[LOAD]).unwrap();
        assert!(blocks.describe(0, &[LOAD]).is_none() && blocks.describe(2, &[LOAD]).is_none());
        blocks.forget(1..u32::MAX);
        blocks.forget(Range { start: u32::MAX, end: 0 });
        assert!(blocks.get(0).is_some() && blocks.get(1).is_none());
        assert!(blocks.brief(0).counts().is_some() && blocks.brief(1).counts().is_none());
        blocks.forget(0..1);
        assert!(blocks.get(0).is_none() && blocks.brief(0).counts().is_none());
    }
}
