//! The hand-written methods that build a [`Pipeline`]; the table of steps has the others.

use super::step::nodes;
use super::{Case, Emit, Pipeline, Predicate, Repeat, Step, Steps, WalkOrder};
use varvite_graph::internal::ALL;

/// All nodes.
pub fn all_nodes() -> Pipeline {
    nodes(ALL)
}

/// The start of an inner pipeline in `where`, `union`, `repeat` and the like: the outer row.
pub fn it() -> Pipeline {
    Pipeline::default()
}

impl Pipeline {
    /// The results of the first case that the first value of `on` passes, else of `otherwise`, else nothing.
    pub fn choose(
        self,
        on: Pipeline,
        cases: impl IntoIterator<Item = (Predicate, Pipeline)>,
        otherwise: Option<Pipeline>,
    ) -> Self {
        let cases = cases.into_iter().map(|(is, then)| Case { is, then: then.into() }).collect();
        self.then(Step::Choose { on: on.into(), cases, otherwise: otherwise.map(Steps::from) })
    }

    /// Runs `body` again and again, by the rules of `how`.
    pub fn repeat(self, body: Pipeline, how: impl FnOnce(Repeat) -> Repeat) -> Self {
        self.then(Step::Repeat(how(Repeat { body: body.into(), ..Repeat::default() })))
    }
}

impl Repeat {
    /// Nodes at depth `times` come out and are not gone on from.
    pub fn times(self, times: u32) -> Self {
        Self { times: Some(times), ..self }
    }

    /// Nodes for which `condition` gives anything come out and are not gone on from.
    pub fn until(self, condition: Pipeline) -> Self {
        Self { until: Some(condition.into()), ..self }
    }

    /// Nodes for which `condition` gives nothing come out and are not gone on from.
    pub fn whilst(self, condition: Pipeline) -> Self {
        Self { whilst: Some(condition.into()), ..self }
    }

    /// Every node on the way comes out, the start included.
    pub fn emit(self) -> Self {
        Self { emit: Some(Emit::All), ..self }
    }

    /// Every node on the way but the start comes out.
    pub fn emit_all_but_first(self) -> Self {
        Self { emit: Some(Emit::AllButFirst), ..self }
    }

    /// Nodes on the way for which `condition` gives anything come out.
    pub fn emit_where(self, condition: Pipeline) -> Self {
        Self { emit: Some(Emit::Where(condition.into())), ..self }
    }

    /// Each node at most once for each start.
    pub fn dedup(self) -> Self {
        Self { dedup: true, ..self }
    }

    /// Wide before deep.
    pub fn breadth_first(self) -> Self {
        Self { order: WalkOrder::Breadth, ..self }
    }
}
