//! Compiles steps along the tree of the graph. Where possible, they use the subtree index instead of a walk.

use super::{Compiler, bad_step, emits_all, graph_error};
use crate::pipeline::description::{Key, Repeat, Step, Steps, WalkOrder};
use crate::pipeline::error::{Result, StepAt};
use crate::pipeline::fault::StepFault;
use crate::pipeline::plan::{
    Body, Counted, EmitPlan, Filter, Keep, Operator, Physical, RepeatPlan, TreePlan,
};
use crate::pipeline::rows::Shape;
use varvite_graph::Direction;

impl Compiler<'_> {
    /// The subtree index. `None` if the graph has no such index, or if rows carry paths: a path contains the
    /// nodes between an ancestor and a descendant, which the index does not give.
    fn tree(&self, with_self: bool, at: &StepAt) -> Result<Option<TreePlan>> {
        if self.carried.trail {
            return Ok(None);
        }
        let located = |error| graph_error(at, error);
        let (Some((subtree, grown)), Some(label)) =
            (self.graph.tree_index().map_err(located)?, self.graph.tree_label())
        else {
            return Ok(None);
        };
        let parents = self.graph.in_(label).map_err(located)?;
        Ok(Some(TreePlan { subtree: subtree.into(), grown, parents: parents.into(), with_self }))
    }

    /// The operator of `descendants`, which uses the subtree index or, if there is none, a walk.
    pub(super) fn descendants(&self, with_self: bool, at: &StepAt) -> Result<Operator> {
        match self.tree(with_self, at)? {
            Some(tree) => Ok(Operator::Descendants(tree)),
            None => Ok(Operator::Repeat(Box::new(self.walk(Direction::Out, with_self, at)?))),
        }
    }

    /// The operator of `ancestors`, which uses the subtree index or, if there is none, a walk. The walk is
    /// breadth first, so that the nearest ancestors come first even if nodes have several parents.
    pub(super) fn ancestors(&self, with_self: bool, at: &StepAt) -> Result<Operator> {
        match self.tree(with_self, at)? {
            Some(tree) => Ok(Operator::Ancestors(tree)),
            None => {
                let walk = self.walk(Direction::In, with_self, at)?;
                Ok(Operator::Repeat(Box::new(RepeatPlan { order: WalkOrder::Breadth, ..walk })))
            }
        }
    }

    fn walk(&self, direction: Direction, with_self: bool, at: &StepAt) -> Result<RepeatPlan> {
        let label = self.tree_label(at)?.to_owned();
        let ways = self.ways(&[label], &[direction], at)?;
        let emit = if with_self { EmitPlan::All } else { EmitPlan::AllButFirst };
        Ok(RepeatPlan {
            body: Body::Hop(ways),
            times: None,
            until: None,
            whilst: None,
            emit,
            dedup: true,
            order: WalkOrder::Depth,
            keeps_depth: true,
        })
    }

    fn tree_label(&self, at: &StepAt) -> Result<&str> {
        let label = self.graph.tree_label();
        label.ok_or_else(|| bad_step(at, StepFault::NoTree))
    }

    /// The operator of `nearest_ancestor`, which uses the subtree index or, if there is none, a walk.
    pub(super) fn nearest_ancestor(&self, step: &Step, at: &StepAt) -> Result<Operator> {
        let Step::NearestAncestor { labels, condition } = step else {
            return Err(bad_step(at, StepFault::Unforeseen));
        };
        let condition = condition.as_ref();
        let condition = condition.map(|steps| self.condition(steps, &Shape::Nodes, at, None)).transpose()?;
        if let Some(tree) = self.tree(false, at)? {
            let labels = self.label_nodes(labels, at)?;
            let (labels, condition) = (labels.into(), condition.map(Box::new));
            return Ok(Operator::NearestAncestor { tree, labels, condition });
        }
        let mut filters = Vec::new();
        if !labels.is_empty() {
            filters.push(self.label_filter(labels, &Shape::Nodes, at)?);
        }
        filters.extend(condition);
        let walk = RepeatPlan {
            until: Some(Filter::All(filters)),
            emit: EmitPlan::Nothing,
            order: WalkOrder::Breadth,
            ..self.walk(Direction::In, false, at)?
        };
        let walk = Operator::Repeat(Box::new(walk));
        match self.graph.forest_label() {
            Some(_) => Ok(walk),
            None => Ok(first_of(walk, at)),
        }
    }

    /// One operator that gives the first ancestor with a label, in place of `ancestors`, `has_label` and
    /// `limit` at the begin of an inner pipeline, and the number of the steps after `ancestors`. `None` for
    /// other steps.
    pub(super) fn first_ancestor(
        &self,
        with_self: bool,
        after: &[Step],
        before: &Physical,
        at: &StepAt,
    ) -> Result<Option<(Operator, usize)>> {
        let is_one_row = matches!(before.operator, Operator::InnerInput | Operator::Name(_));
        let [Step::HasLabel { labels }, Step::Limit { count: 1 }, ..] = after else { return Ok(None) };
        // An unknown name becomes an error later, when the step itself is compiled.
        let Some(labels) = is_one_row.then(|| self.label_nodes(labels, at).ok()).flatten() else {
            return Ok(None);
        };
        let tree = self.tree(with_self, at)?;
        let labels = labels.into();
        Ok(tree.map(|tree| (Operator::NearestAncestor { tree, labels, condition: None }, 2)))
    }

    /// The operator of a `coalesce` that gives a node with a label itself, and for other nodes the nearest
    /// ancestor with the label. `None` for other branches.
    pub(super) fn nearest_or_itself(&self, branches: &[Steps], at: &StepAt) -> Result<Option<Operator>> {
        let [itself, nearest] = branches else { return Ok(None) };
        match (&itself.0[..], &nearest.0[..]) {
            ([Step::HasLabel { labels }], [Step::NearestAncestor { labels: above, condition: None }])
                if labels == above =>
            {
                let (tree, labels) = (self.tree(true, at)?, self.label_nodes(labels, at)?.into());
                Ok(tree.map(|tree| Operator::NearestAncestor { tree, labels, condition: None }))
            }
            _ => Ok(None),
        }
    }

    /// One operator that counts descendants, in place of `descendants` and the counting steps after it, and
    /// the number of these counting steps. `None` if the subtree index cannot count what these steps request.
    pub(super) fn counted_descendants(
        &self,
        with_self: bool,
        after: &[Step],
        at: &StepAt,
    ) -> Result<Option<(Operator, usize)>> {
        if self.carried.depth {
            return Ok(None);
        }
        let (counted, steps) = match after {
            [Step::Count {}, ..] => (Counted::All, 1),
            [Step::GroupCount { by: Key::Label }, ..] => (Counted::ByLabel(self.labels(at)?.0), 1),
            [Step::HasLabel { labels }, Step::Count {}, ..] if labels.len() == 1 => {
                // An unknown name becomes an error later, when the step itself is compiled.
                match self.label_nodes(labels, at).ok().and_then(|mut nodes| nodes.pop()) {
                    Some(label) => (Counted::OfLabel(label.into()), 2),
                    None => return Ok(None),
                }
            }
            _ => return Ok(None),
        };
        let tree = self.tree(with_self, at)?;
        Ok(tree.map(|tree| (Operator::CountDescendants { tree, counted }, steps)))
    }

    /// A `repeat` up or down the tree as one operation of the subtree index. `None` for any other `repeat`.
    pub(super) fn repeat_along_tree(&self, repeat: &Repeat, at: &StepAt) -> Result<Option<Operator>> {
        // Depths need a walk: the index gives ranges of ids without depths.
        if self.carried.depth || repeat.times.is_some() || repeat.whilst.is_some() {
            return Ok(None);
        }
        let (labels, is_down) = match &repeat.body.0[..] {
            [Step::Out { labels }] => (labels, true),
            [Step::In { labels }] => (labels, false),
            _ => return Ok(None),
        };
        if !matches!(&labels[..], [label] if self.graph.tree_label() == Some(label)) {
            return Ok(None);
        }
        let emits = emits_all(repeat.emit.as_ref());
        let Some(tree) = self.tree(emits == Some(true), at)? else { return Ok(None) };
        Ok(match (is_down, &repeat.until, emits) {
            (true, None, Some(_)) if repeat.order == WalkOrder::Depth => Some(Operator::Descendants(tree)),
            (false, None, Some(_)) => Some(Operator::Ancestors(tree)),
            (false, Some(until), None) if repeat.emit.is_none() => {
                if let [Step::HasLabel { labels }] = &until.0[..]
                    && let Ok(labels) = self.label_nodes(labels, at)
                {
                    let labels = labels.into();
                    return Ok(Some(Operator::NearestAncestor { tree, labels, condition: None }));
                }
                let condition = Some(Box::new(self.condition(until, &Shape::Nodes, at, None)?));
                Some(Operator::NearestAncestor { tree, labels: [].into(), condition })
            }
            _ => None,
        })
    }
}

/// Limits a walk to its first result for each start node, because a node with several parents may have
/// several results.
fn first_of(walk: Operator, at: &StepAt) -> Operator {
    let physical =
        |operator| Physical { at: at.clone(), merged: Vec::new(), operator, shape: Shape::Nodes, rows: 1.0 };
    Operator::Union(vec![[Operator::InnerInput, walk, Operator::Keep(Keep::Limit(1))].map(physical).into()])
}
