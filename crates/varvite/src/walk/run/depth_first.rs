//! Depth first: the branches that are there are one path, and so are the frames.

use super::Run;
use crate::walk::error::WalkError;
use crate::walk::guide::Guide;
use crate::walk::visited::OpenPath;

impl<G: Guide> Run<'_, G> {
    /// The next result; `POST`: after those behind it.
    #[inline]
    pub(super) fn next_depth_first<const POST: bool>(&mut self) -> Result<Option<u32>, WalkError> {
        if std::mem::take(&mut self.at.is_fresh) {
            self.open_last::<POST>()?;
        }
        if std::mem::take(&mut self.at.is_closing) {
            self.close_last();
        }
        loop {
            let arena = &mut *self.arena;
            let depth = arena.branches.len() as u32;
            match arena.frames.last_mut() {
                None => {
                    if self.start(OpenPath::One)?.is_none() {
                        return Ok(None);
                    }
                }
                Some(frame) => match frame.next(&arena.pending, depth - 1, depth) {
                    Some(arrival) => {
                        if !self.arrive(arrival, OpenPath::One)? {
                            continue;
                        }
                    }
                    None => {
                        let node = arena.branches[depth as usize - 1].node;
                        if frame.read(self.plan, node, &mut arena.pending, &arena.budget)? {
                            continue;
                        }
                        arena.frames.pop();
                        if POST && arena.branches[depth as usize - 1].evaluation.includes() {
                            self.at.is_closing = true;
                            return Ok(Some(depth - 1));
                        }
                        self.close_last();
                        continue;
                    }
                },
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
    fn open_last<const POST: bool>(&mut self) -> Result<Option<u32>, WalkError> {
        let last = self.arena.branches.len() - 1;
        let evaluation = self.arena.branches[last].evaluation;
        if evaluation.continues()
            && let Some(frame) = self.expand(last as u32)?
        {
            self.arena.push_frame(frame)?;
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
