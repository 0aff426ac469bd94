//! Depth first: the branches that are there are one path, and so are the frames of what is
//! pending.

use super::Run;
use crate::walk::error::Walked;
use crate::walk::guide::Guide;
use crate::walk::visited::OpenPath;

impl<G: Guide> Run<'_, G> {
    /// The next result; `POST`: after those behind it.
    #[inline]
    pub(super) fn next_depth_first<const POST: bool>(&mut self) -> Walked<Option<u32>> {
        if std::mem::take(&mut self.at.is_fresh) {
            self.open_last::<POST>()?;
        }
        if std::mem::take(&mut self.at.is_closing) {
            self.close_last();
        }
        loop {
            let arena = &mut *self.arena;
            let depth = arena.branches.len() as u32;
            if arena.pending.is_closed() {
                if self.start(OpenPath::One)?.is_none() {
                    return Ok(None);
                }
            } else if let Some(arrival) = arena.pending.next(depth - 1, depth) {
                if !self.arrive(arrival, OpenPath::One)? {
                    continue;
                }
            } else {
                let last = &arena.branches[depth as usize - 1];
                let (node, includes) = (last.node, last.evaluation.includes());
                if arena.pending.read_more(self.plan, node, &arena.budget)? {
                    continue;
                }
                if POST && includes {
                    self.at.is_closing = true;
                    return Ok(Some(depth - 1));
                }
                self.close_last();
                continue;
            }
            let last = self.arena.branches.len() - 1;
            if !POST && self.arena.branches[last].evaluation.includes() {
                self.at.is_fresh = true;
                return Ok(Some(last as u32));
            }
            if let Some(given) = self.open_last::<POST>()? {
                return Ok(Some(given));
            }
        }
    }

    /// Goes on behind the last branch. One with nothing behind it is closed at once, and given if that is when it is to be.
    #[inline]
    fn open_last<const POST: bool>(&mut self) -> Walked<Option<u32>> {
        let last = self.arena.branches.len() - 1;
        let evaluation = self.arena.branches[last].evaluation;
        if evaluation.continues() && self.expand(last as u32)? {
            return Ok(None);
        }
        if POST && evaluation.includes() {
            self.at.is_closing = true;
            return Ok(Some(last as u32));
        }
        self.close_last();
        Ok(None)
    }

    #[inline]
    fn close_last(&mut self) {
        if let Some(branch) = self.arena.pop_branch() {
            self.arena.visited.leave(self.plan, &branch);
        }
    }
}
