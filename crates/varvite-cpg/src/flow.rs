//! Steps along the flow of control and of values: edges CFG, CDG, DOMINATE, POST_DOMINATE and REACHING_DEF.
//!
//! Closures leave out the node that they start from and give every other node once for each start.

use varvite::pipeline::{Pipeline, it};

/// Steps along the edges of control flow, dependence, dominance and reaching definitions.
pub trait Flow: Sized {
    /// What may run next: CFG out.
    fn cfg_next(self) -> Self;
    /// What may have run before: CFG in.
    fn cfg_prev(self) -> Self;
    /// What may run in up to `steps` steps, each as often as there are ways to it: CFG out, 1 to `steps` times.
    fn cfg_next_within(self, steps: u32) -> Self;
    /// What may have run up to `steps` steps before: CFG in, 1 to `steps` times.
    fn cfg_prev_within(self, steps: u32) -> Self;
    /// What runs or not depending on this, however indirectly: CDG out, any number of times.
    fn controls(self) -> Self;
    /// What decides whether this runs, however indirectly: CDG in, any number of times.
    fn controlled_by(self) -> Self;
    /// What is reached only through this: DOMINATE out, any number of times.
    fn dominates(self) -> Self;
    /// What every way to this passes: DOMINATE in, any number of times.
    fn dominated_by(self) -> Self;
    /// What always leads on to this: POST_DOMINATE out, any number of times.
    fn post_dominates(self) -> Self;
    /// What every way on from this passes: POST_DOMINATE in, any number of times.
    fn post_dominated_by(self) -> Self;
    /// Where the values that are used here come from: REACHING_DEF in. Raw edges: Joern's step of this name looks through some
    /// of them.
    fn ddg_in(self) -> Self;
    /// Where the value is used: REACHING_DEF out.
    fn ddg_out(self) -> Self;
}

impl Flow for Pipeline {
    fn cfg_next(self) -> Self {
        self.out("CFG")
    }

    fn cfg_prev(self) -> Self {
        self.in_("CFG")
    }

    fn cfg_next_within(self, steps: u32) -> Self {
        self.repeat(it().out("CFG"), |walk| walk.times(steps).emit_all_but_first())
    }

    fn cfg_prev_within(self, steps: u32) -> Self {
        self.repeat(it().in_("CFG"), |walk| walk.times(steps).emit_all_but_first())
    }

    fn controls(self) -> Self {
        closure(self, it().out("CDG"))
    }

    fn controlled_by(self) -> Self {
        closure(self, it().in_("CDG"))
    }

    fn dominates(self) -> Self {
        closure(self, it().out("DOMINATE"))
    }

    fn dominated_by(self) -> Self {
        closure(self, it().in_("DOMINATE"))
    }

    fn post_dominates(self) -> Self {
        closure(self, it().out("POST_DOMINATE"))
    }

    fn post_dominated_by(self) -> Self {
        closure(self, it().in_("POST_DOMINATE"))
    }

    fn ddg_in(self) -> Self {
        self.in_("REACHING_DEF")
    }

    fn ddg_out(self) -> Self {
        self.out("REACHING_DEF")
    }
}

fn closure(from: Pipeline, hop: Pipeline) -> Pipeline {
    from.repeat(hop, |walk| walk.emit_all_but_first().dedup())
}
