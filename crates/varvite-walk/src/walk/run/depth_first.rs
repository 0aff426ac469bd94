//! Depth first: the arena holds the branches of one path, and a frame of pending neighbours for each of them.

use super::Run;
use crate::walk::error::WalkResult;
use crate::walk::guide::Guide;
use crate::walk::visited::OpenPath;

impl<G: Guide> Run<'_, G> {
    /// The next result. With `POST`, a branch is returned after the branches that extend it.
    ///
    /// A branch from which the walk does not continue is put into the arena only if it is a result.
    #[inline]
    pub(super) fn next_depth_first<const POST: bool>(&mut self) -> WalkResult<Option<u32>> {
        if std::mem::take(&mut self.at.is_fresh) {
            self.open_last()?;
        }
        if std::mem::take(&mut self.at.is_closing) {
            self.close_last();
        }
        loop {
            let number = self.arena.branches.len() as u32;
            let reached = if self.arena.pending.is_closed() {
                let Some(reached) = self.start(OpenPath::One) else { return Ok(None) };
                reached
            } else if let Some(arrival) = self.arena.pending.next(number - 1, number) {
                let Some(reached) = self.arrive(arrival, OpenPath::One)? else { continue };
                reached
            } else {
                if self.go_back::<POST>()? {
                    return Ok(Some(number - 1));
                }
                continue;
            };
            let evaluation = reached.branch.evaluation;
            let is_given = !POST && evaluation.includes();
            let is_open = !is_given && evaluation.continues() && self.expand(&reached, number)?;
            if is_open || evaluation.includes() {
                self.arena.push_branch(reached.branch, reached.state)?;
                if !is_open {
                    (self.at.is_fresh, self.at.is_closing) = (is_given, !is_given);
                    return Ok(Some(number));
                }
            } else {
                self.arena.visited.leave(self.plan, &reached.branch);
            }
        }
    }

    /// Continues from the last branch, which was just returned, or closes it.
    #[inline]
    fn open_last(&mut self) -> WalkResult<()> {
        let last = self.arena.branches.len() - 1;
        let continues = self.arena.branches[last].evaluation.continues();
        if !continues || !self.expand_held(last as u32)? {
            self.close_last();
        }
        Ok(())
    }

    /// Reads more neighbours of the last branch. If there are none, closes the branch; or, if it must be
    /// returned first, returns true.
    #[inline]
    fn go_back<const POST: bool>(&mut self) -> WalkResult<bool> {
        let arena = &mut *self.arena;
        let Some(last) = arena.branches.last() else { return Ok(false) };
        let (node, includes) = (last.node, last.evaluation.includes());
        if arena.pending.read_more(self.plan, node, &arena.budget)? {
            return Ok(false);
        }
        if POST && includes {
            self.at.is_closing = true;
            return Ok(true);
        }
        self.close_last();
        Ok(false)
    }

    #[inline]
    fn close_last(&mut self) {
        if let Some(branch) = self.arena.pop_branch() {
            self.arena.visited.leave(self.plan, &branch);
        }
    }
}
