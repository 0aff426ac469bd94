//! Compiles conditions: steps that only keep or drop rows become filters. Where possible, the inner pipeline
//! of a condition becomes a tree of filters.

use varvite_format::{EdgeLabelId, LabelId};

use super::{Compiler, OwnTexts, graph_error, misplaced};
use crate::pipeline::description::Predicate;
use crate::pipeline::description::{Emit, Repeat, Step, Steps};
use crate::pipeline::error::{PipelineError, Result, StepAt};
use crate::pipeline::fault::{Subject, Takes};
use crate::pipeline::plan::{
    Body, EmitPlan, Filter, LabelFilter, Operator, Reach, RepeatPlan, ValueFilter, Walk,
};
use crate::pipeline::rows::{ColumnSpec, Meaning, Shape};

/// Bytes of a compiled condition, including its slot in the list of the enclosing condition.
const FILTER_BYTES: usize = 2 * size_of::<Filter>() + 64;
/// The maximum number of steps of a pipeline that is compiled to nested filters, and the maximum number of
/// pipelines that may enclose it. Both are limited because each step is a nested call when the filter is
/// tested, copied or dropped.
const TREE_STEPS_MAX: usize = 64;
const TREE_DEPTH_MAX: usize = 32;

impl Compiler<'_> {
    /// The filter of a step. `None` if the step is not a condition.
    pub(super) fn filter(&self, step: &Step, shape: &Shape, at: &StepAt) -> Result<Option<Filter>> {
        if step.is_condition() {
            self.take(FILTER_BYTES, at)?;
        }
        let inverted = |filter| Filter::Not(Box::new(filter));
        Ok(Some(match step {
            Step::Has { property, is } => self.value_filter(property, is.as_ref(), shape, at)?,
            Step::HasNot { property, is } => inverted(self.value_filter(property, is.as_ref(), shape, at)?),
            Step::HasLabel { labels } => self.label_filter(labels, shape, at)?,
            Step::HasId { ids } => self.id_filter(ids, shape, at)?,
            Step::Is { is } => {
                let meaning = self.meaning(shape, at)?;
                self.row_filter(is, meaning, &Subject::Row, at)?
            }
            Step::Where { pipeline } => self.condition(pipeline, shape, at, None)?,
            Step::WhereNot { pipeline } => inverted(self.condition(pipeline, shape, at, None)?),
            Step::And { branches } => Filter::All(self.conditions(branches, shape, at)?),
            Step::Or { branches } => Filter::Any(self.conditions(branches, shape, at)?),
            _ => return Ok(None),
        }))
    }

    /// The filter that accepts a row, which is a value, if the value passes a predicate.
    pub(super) fn row_filter(
        &self,
        is: &Predicate,
        meaning: &Meaning,
        of: &Subject,
        at: &StepAt,
    ) -> Result<Filter> {
        Ok(match meaning {
            Meaning::Text => Filter::Computed(self.computed_test(is, of, at)?),
            meaning => Filter::Number(self.test(is, meaning, of, at)?),
        })
    }

    fn value_filter(
        &self,
        property: &str,
        is: Option<&Predicate>,
        shape: &Shape,
        at: &StepAt,
    ) -> Result<Filter> {
        let plan = self.property(property, shape, at)?;
        let Some(predicate) = is else { return Ok(Filter::Present(plan)) };
        let meaning = Meaning::Of(plan.property.clone());
        let index = match plan.edge_label {
            None => self.graph.text_index(property).map_err(|error| graph_error(at, error))?,
            Some(_) => None,
        };
        let of = Subject::Property(property.to_owned());
        let test = self.test_with(predicate, &meaning, &of, index.as_ref(), at)?;
        Ok(Filter::Value(ValueFilter { plan, test }))
    }

    pub(super) fn label_filter(&self, names: &[String], shape: &Shape, at: &StepAt) -> Result<Filter> {
        if matches!(shape, Shape::Edges) {
            self.take_list::<EdgeLabelId>(2 * names.len(), at)?;
            let label = |name: &String| self.graph.edge_label(name);
            let labels = names.iter().map(label).collect::<std::result::Result<_, _>>();
            return Ok(Filter::EdgeLabels(labels.map_err(|error| graph_error(at, error))?));
        }
        if !matches!(shape, Shape::Nodes) {
            return Err(misplaced(at, Takes::Elements, shape));
        }
        Ok(Filter::Labels(self.node_labels(names, at)?))
    }

    pub(super) fn node_labels(&self, names: &[String], at: &StepAt) -> Result<LabelFilter> {
        let label = |name: &String| self.graph.label(name).map_err(|error| graph_error(at, error));
        self.take_names(names, at)?;
        let wanted: Vec<LabelId> = names.iter().map(label).collect::<Result<_>>()?;
        let (labels, _) = self.labels(at)?;
        self.take_list::<bool>(2 * labels.code_count() as usize, at)?;
        let has_any = |code| wanted.iter().any(|label| labels.code_has(code, *label));
        let wanted = (0..labels.code_count()).map(has_any).collect();
        Ok(LabelFilter { wanted, labels, names: names.join("|").into() })
    }

    /// Charges the budget for names of labels.
    pub(super) fn take_names(&self, names: &[String], at: &StepAt) -> Result<()> {
        self.take(names.iter().map(|name| 2 * name.len() + size_of::<LabelId>()).sum(), at)
    }

    fn id_filter(&self, ids: &[u32], shape: &Shape, at: &StepAt) -> Result<Filter> {
        if !matches!(shape, Shape::Nodes) {
            return Err(misplaced(at, Takes::Nodes, shape));
        }
        self.check_ids(ids, at)?;
        self.take_list::<u32>(2 * ids.len(), at)?;
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        Ok(Filter::Ids(ids.into()))
    }

    pub(super) fn check_ids(&self, ids: &[u32], at: &StepAt) -> Result<()> {
        let nodes = self.graph.node_count();
        let removed = self.graph.removed_nodes().map_err(|error| graph_error(at, error))?;
        let is_removed = |id| removed.as_ref().is_some_and(|removed| removed.contains(id));
        match ids.iter().find(|id| **id >= nodes || is_removed(**id)) {
            Some(id) => Err(PipelineError::NoSuchNode { at: at.clone(), node: *id, nodes }),
            None => Ok(()),
        }
    }

    fn conditions(&self, branches: &[Steps], shape: &Shape, at: &StepAt) -> Result<Vec<Filter>> {
        self.take_list::<Filter>(branches.len(), at)?;
        let mut filters = Vec::with_capacity(branches.len());
        for (number, branch) in (1..).zip(branches) {
            filters.push(self.condition(branch, shape, at, Some(number))?);
        }
        Ok(filters)
    }

    /// The filter that accepts a row if an inner pipeline gives any result for this row. If the step has
    /// several inner pipelines, `branch` is the number of this one.
    pub(super) fn condition(
        &self,
        steps: &Steps,
        shape: &Shape,
        at: &StepAt,
        branch: Option<usize>,
    ) -> Result<Filter> {
        let prefix = match branch {
            Some(number) => format!("{}.{number}.", at.path()),
            None => format!("{}.", at.path()),
        };
        self.condition_at(steps, shape, &prefix)
    }

    /// The same as [`Compiler::condition`], with the prefix of the numbers of the inner pipeline's steps.
    pub(super) fn condition_at(&self, steps: &Steps, shape: &Shape, prefix: &str) -> Result<Filter> {
        let compiler = Self { own_texts: OwnTexts::All, ..self.inside_condition() };
        if compiler.depth <= TREE_DEPTH_MAX
            && may_be_filters(&steps.0)
            && let Some(filter) = compiler.tree_of_filters(&steps.0, 0, shape, prefix)?
        {
            return Ok(filter);
        }
        Ok(Filter::Inner(compiler.steps(&steps.0, Some(shape), prefix)?))
    }

    /// A filter that accepts a row if the steps from `first` on give any result for this row. `None` unless
    /// these steps only keep rows or move to nodes.
    fn tree_of_filters(
        &self,
        steps: &[Step],
        first: usize,
        shape: &Shape,
        prefix: &str,
    ) -> Result<Option<Filter>> {
        let Some(step) = steps.get(first) else { return Ok(Some(Filter::always())) };
        let at = |index: usize| StepAt::new(&format!("{prefix}{}", index + 1), steps[index].name());
        if let Some(filter) = self.filter(step, shape, &at(first))? {
            let rest = self.tree_of_filters(steps, first + 1, shape, prefix)?;
            return Ok(rest.map(|rest| both(filter, rest)));
        }
        let Some(mut reach) = self.reach(step, shape, &at(first))? else { return Ok(None) };
        let mut next = first + 1;
        if let (Reach::Walk(Walk::Descendants(_, label)), Some(Step::HasLabel { labels })) =
            (&mut reach, steps.get(next))
            && labels.len() == 1
        {
            *label = self.label_nodes(labels, &at(next))?.pop().map(Into::into);
            next += 1;
        }
        if first == 0
            && let Some(counted) = self.counted(&reach, steps, next, prefix)?
        {
            return Ok(Some(counted));
        }
        let rest = self.tree_of_filters(steps, next, &Shape::Nodes, prefix)?;
        Ok(rest.map(|rest| Filter::Some(reach, Box::new(rest))))
    }

    /// The set of nodes to which a step moves. `None` if these nodes can't be read one by one.
    fn reach(&self, step: &Step, shape: &Shape, at: &StepAt) -> Result<Option<Reach>> {
        if !is_move(step) {
            return Ok(None);
        }
        if !matches!(shape, Shape::Nodes) {
            return Err(misplaced(at, Takes::Nodes, shape));
        }
        let operator = match step {
            Step::Descendants { with_self } => self.descendants(*with_self, at)?,
            Step::Ancestors { with_self } => self.ancestors(*with_self, at)?,
            Step::Repeat(repeat) => self.repeated(repeat, at)?,
            hop => Operator::Hop(self.ways_of(hop, at)?),
        };
        Ok(match operator {
            Operator::Hop(ways) => Some(Reach::Hop(ways)),
            Operator::Descendants(tree) => Some(Reach::Walk(Walk::Descendants(tree, None))),
            Operator::Ancestors(tree) => Some(Reach::Walk(Walk::Ancestors(tree))),
            Operator::Repeat(repeat) => closure(*repeat),
            _ => None,
        })
    }

    /// The filter that counts the reached nodes that pass the conditions, and tests the count. `None` unless
    /// the steps from `first` on are conditions, `count` and `is`.
    fn counted(&self, reach: &Reach, steps: &[Step], first: usize, prefix: &str) -> Result<Option<Filter>> {
        let conditions = steps[first..].iter().take_while(|step| step.is_condition()).count();
        let (conditions, [Step::Count {}, is @ Step::Is { .. }]) = steps[first..].split_at(conditions) else {
            return Ok(None);
        };
        let Some(then) =
            self.tree_of_filters(&steps[..first + conditions.len()], first, &Shape::Nodes, prefix)?
        else {
            return Ok(None);
        };
        let at = StepAt::new(&format!("{prefix}{}", steps.len()), is.name());
        Ok(match self.filter(is, &Shape::Values(ColumnSpec::count()), &at)? {
            Some(Filter::Number(test)) => Some(Filter::Count(reach.clone(), Box::new(then), test)),
            _ => None,
        })
    }
}

/// Whether steps may be compiled to filters. This is decided before any step is compiled: if a pipeline had
/// to be compiled to filters first and then, after a failure, to operators, the work would double at each
/// level of nesting.
fn may_be_filters(steps: &[Step]) -> bool {
    if let [first, conditions @ .., Step::Count {}, Step::Is { .. }] = steps
        && is_move(first)
        && conditions.iter().all(Step::is_condition)
    {
        return conditions.len() < TREE_STEPS_MAX;
    }
    steps.len() <= TREE_STEPS_MAX && steps.iter().all(|step| step.is_condition() || is_move(step))
}

/// Whether a step moves to nodes that can be read one by one.
fn is_move(step: &Step) -> bool {
    match step {
        Step::Out { .. }
        | Step::In { .. }
        | Step::Both { .. }
        | Step::Descendants { .. }
        | Step::Ancestors { .. } => true,
        Step::Repeat(Repeat { body, times: None, until: None, whilst: None, emit, .. }) => {
            matches!(emit, Some(Emit::All | Emit::AllButFirst)) && is_hop(&body.0)
        }
        _ => false,
    }
}

/// Whether the body of a `repeat` is one hop, or a union of hops.
fn is_hop(body: &[Step]) -> bool {
    match body {
        [Step::Out { .. } | Step::In { .. } | Step::Both { .. }] => true,
        [Step::Union { branches }] => branches.iter().all(|branch| is_hop(&branch.0)),
        _ => false,
    }
}

/// The set of nodes that a `repeat` reaches. `None` unless its body is a hop and all reached nodes are
/// results.
fn closure(repeat: RepeatPlan) -> Option<Reach> {
    let with_self = match repeat.emit {
        EmitPlan::All => true,
        EmitPlan::AllButFirst => false,
        _ => return None,
    };
    let is_plain =
        repeat.dedup && repeat.times.is_none() && repeat.until.is_none() && repeat.whilst.is_none();
    match repeat.body {
        Body::Hop(ways) if is_plain => Some(Reach::Walk(Walk::Closure { ways, with_self })),
        _ => None,
    }
}

/// The conjunction of both filters, the cheaper one first. Of two tests of labels, the weaker one is left out
/// if the other implies it.
fn both(first: Filter, rest: Filter) -> Filter {
    if rest.is_always() {
        return first;
    }
    let mut filters = match rest {
        Filter::All(filters) => filters,
        rest => vec![rest],
    };
    if !filters.iter().any(|filter| filter.implies(&first)) {
        filters.retain(|filter| !first.implies(filter));
        filters.insert(0, first);
    }
    filters.sort_by_key(Filter::cost_rank);
    match <[Filter; 1]>::try_from(filters) {
        Ok([filter]) => filter,
        Err(filters) => Filter::All(filters),
    }
}
