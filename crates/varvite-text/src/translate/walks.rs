//! `repeat(body)(settings)`.

use varvite::pipeline::{Emit, Pipeline, Repeat, Steps, WalkOrder};

use super::Translator;
use super::links::Link;
use super::value::{Rows, Sort, Value};
use crate::error::{Reason, Result, TextError};
use crate::names::Kinds;

impl Translator {
    /// The rows of a `repeat`.
    pub(super) fn repeat(&mut self, rows: Rows, link: &Link<'_>) -> Result<Value> {
        let rows = self.of_nodes(rows, link)?;
        let kinds = rows.kinds().unwrap_or(Kinds::ANY);
        let [body] = link.list() else {
            return Err(TextError::new(
                link.span(),
                Reason::Type,
                "repeat takes one lambda, and settings behind it",
            ));
        };
        // The rows of the walk have a scope of their own. Their kinds are those of the start and of the body.
        let (pipeline, kinds) = self.body(kinds, body, link)?;
        let mut walk = Repeat { body: pipeline.into(), ..Repeat::default() };
        for settings in link.more.unwrap_or_default() {
            let scope = self.new_scope();
            self.enclosing.push(scope);
            let value = self.apply(settings, Value::Walk(Box::new(walk.clone())));
            self.enclosing.pop();
            match value? {
                Value::Walk(settled) => walk = *settled,
                other => {
                    let message =
                        format!("the settings of repeat are emit, until, maxDepth .., not {}", other.words());
                    return Err(TextError::new(settings.span, Reason::Type, message));
                }
            }
        }
        let base = rows.base.clone().then(varvite::pipeline::Step::Repeat(walk));
        Ok(Value::Rows(self.rows_of(rows.from, base, Sort::Nodes(kinds))))
    }

    /// The pipeline of a body, and the kinds of nodes in the walk.
    fn body(
        &mut self,
        start: Kinds,
        body: &crate::syntax::Expression,
        link: &Link<'_>,
    ) -> Result<(Pipeline, Kinds)> {
        let row = self.walked(start);
        let value = self.applied_to_traversal(&row, body)?;
        let inner = self.as_rows(value, "repeat takes a lambda that gives nodes", body.span)?;
        let inner = self.of_nodes(inner, link)?;
        let kinds = inner.kinds().unwrap_or(Kinds::ANY);
        let pipeline = self.inside(&row, |translator| Ok(translator.begun_here(inner.from, &inner.base)))?;
        Ok((pipeline, start.or(kinds)))
    }

    /// Rows that stand for the nodes of a walk.
    fn walked(&mut self, kinds: Kinds) -> Rows {
        self.rows_of(None, Pipeline::default(), Sort::Nodes(kinds))
    }

    /// The settings of `settings.link`.
    pub(super) fn member_of_walk(&mut self, walk: Repeat, link: &Link<'_>) -> Result<Value> {
        let walk = match (link.text(), link.list()) {
            ("emit", []) => Repeat { emit: Some(Emit::All), ..walk },
            ("emitAllButFirst", []) => Repeat { emit: Some(Emit::AllButFirst), ..walk },
            ("emit", [_]) => Repeat { emit: Some(Emit::Where(self.walk_condition(link)?)), ..walk },
            ("until", [_]) => Repeat { until: Some(self.walk_condition(link)?), ..walk },
            ("whilst", [_]) => Repeat { whilst: Some(self.walk_condition(link)?), ..walk },
            ("maxDepth", [_]) => {
                let times = u32::try_from(self.number(link)?).unwrap_or(u32::MAX);
                Repeat { times: Some(times), ..walk }
            }
            ("dedup", []) => Repeat { dedup: true, ..walk },
            ("breadthFirstSearch" | "bfs", []) => Repeat { order: WalkOrder::Breadth, ..walk },
            ("depthFirstSearch" | "dfs", []) => Repeat { order: WalkOrder::Depth, ..walk },
            _ => return Err(super::rows::unknown(link, "the settings of repeat")),
        };
        Ok(Value::Walk(Box::new(walk)))
    }

    fn walk_condition(&mut self, link: &Link<'_>) -> Result<Steps> {
        let row = self.walked(Kinds::ANY);
        let [argument] = link.list() else { return Ok(Steps::default()) };
        let value = self.applied_to_traversal(&row, argument)?;
        let pipeline = self.condition_pipeline(&row, &value, link)?;
        Ok(pipeline.unwrap_or_default().into())
    }
}
