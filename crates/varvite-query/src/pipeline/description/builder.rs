//! The hand-written methods that build a [`Pipeline`]; the table of steps generates the others.

use super::step::nodes;
use super::{Case, Emit, Pipeline, Predicate, Repeat, Step, Steps, WalkOrder};
use varvite_graph::internal::ALL;

/// A pipeline that begins with all nodes.
pub fn all_nodes() -> Pipeline {
    nodes(ALL)
}

/// An empty inner pipeline for steps such as `where`, `union` or `repeat`. It begins with the outer row.
pub fn it() -> Pipeline {
    Pipeline::default()
}

impl Pipeline {
    /// Gives the results of the first case whose predicate accepts the first value of `on`. If there is no
    /// such case, gives the results of `otherwise`, unless it is `None`.
    pub fn choose(
        self,
        on: Pipeline,
        cases: impl IntoIterator<Item = (Predicate, Pipeline)>,
        otherwise: Option<Pipeline>,
    ) -> Self {
        let cases = cases.into_iter().map(|(is, then)| Case { is, then: then.into() }).collect();
        self.then(Step::Choose { on: on.into(), cases, otherwise: otherwise.map(Steps::from) })
    }

    /// Runs `body` repeatedly, by the rules that `how` sets.
    pub fn repeat(self, body: Pipeline, how: impl FnOnce(Repeat) -> Repeat) -> Self {
        self.then(Step::Repeat(how(Repeat { body: body.into(), ..Repeat::default() })))
    }
}

impl Repeat {
    /// Nodes at depth `times` are results, and the walk stops at them.
    pub fn times(self, times: u32) -> Self {
        Self { times: Some(times), ..self }
    }

    /// Nodes for which `condition` gives any row are results, and the walk stops at them.
    pub fn until(self, condition: Pipeline) -> Self {
        Self { until: Some(condition.into()), ..self }
    }

    /// Nodes for which `condition` gives no row are results, and the walk stops at them.
    pub fn whilst(self, condition: Pipeline) -> Self {
        Self { whilst: Some(condition.into()), ..self }
    }

    /// Every visited node is a result, including the start.
    pub fn emit(self) -> Self {
        Self { emit: Some(Emit::All), ..self }
    }

    /// Every visited node except the start is a result.
    pub fn emit_all_but_first(self) -> Self {
        Self { emit: Some(Emit::AllButFirst), ..self }
    }

    /// Visited nodes for which `condition` gives any row are results.
    pub fn emit_where(self, condition: Pipeline) -> Self {
        Self { emit: Some(Emit::Where(condition.into())), ..self }
    }

    /// Visits each node at most once for each start.
    pub fn dedup(self) -> Self {
        Self { dedup: true, ..self }
    }

    /// Walks breadth first.
    pub fn breadth_first(self) -> Self {
        Self { order: WalkOrder::Breadth, ..self }
    }
}
