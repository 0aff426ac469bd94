//! Steps with branches: `union`, `coalesce` and `choose`.

use super::steps::{Compiled, hops_only};
use super::{Compiler, OwnTexts, bad_step, misplaced};
use crate::pipeline::description::{Case, Step, Steps};
use crate::pipeline::error::{Result, StepAt};
use crate::pipeline::fault::{Needs, StepFault, Subject};
use crate::pipeline::plan::{ChoosePlan, DirectedLabel, Filter, Keep, KeyPlan, OfEach, Operator, Physical};
use crate::pipeline::rows::{Meaning, Shape};
use varvite_graph::ValueType;

impl Compiler<'_> {
    /// The operator of `union` or `coalesce`.
    pub(super) fn branches(
        &self,
        step: &Step,
        branches: &[Steps],
        before: &Physical,
        at: &StepAt,
    ) -> Result<Compiled> {
        let is_union = matches!(step, Step::Union { .. });
        self.take_list::<Vec<Physical>>(branches.len(), at)?;
        let mut compiled: Vec<Vec<Physical>> = Vec::with_capacity(branches.len());
        for (number, branch) in (1..).zip(branches) {
            compiled.push(self.branch(branch, &before.shape, at, number)?);
        }
        let shape = common_shape(compiled.iter(), at)?;
        let shares = compiled.iter().map(|branch| branch.last().map_or(0.0, |last| last.rows));
        let rows = before.rows * if is_union { shares.sum() } else { shares.fold(0.0, f64::max) };
        if is_union && let Some(ways) = hops_only(&compiled) {
            return Ok(Compiled::new(Operator::Hop(ways), shape, rows));
        }
        if !is_union && let Some(operator) = self.nearest_or_itself(branches, at)? {
            return Ok(Compiled::new(operator, shape, rows));
        }
        if let Some((ways, of_each)) = hop_of_each(&compiled) {
            return Ok(Compiled::new(Operator::HopEach(ways, of_each), shape, rows));
        }
        let operator = if is_union { Operator::Union(compiled) } else { Operator::Coalesce(compiled) };
        Ok(Compiled::new(operator, shape, rows))
    }

    pub(super) fn choose(
        &self,
        on: &Steps,
        cases: &[Case],
        otherwise: Option<&Steps>,
        before: &Physical,
        at: &StepAt,
    ) -> Result<Compiled> {
        let on = self.inside_condition().steps(&on.0, Some(&before.shape), &format!("{}.on.", at.path()))?;
        let shape = on.last().map_or(&before.shape, |last| &last.shape);
        let meaning = self.meaning(shape, at)?;
        self.take_list::<(Filter, Vec<Physical>)>(cases.len(), at)?;
        let mut compiled = Vec::with_capacity(cases.len());
        for (number, case) in (1..).zip(cases) {
            let test = self.row_filter(&case.is, meaning, &Subject::On, at)?;
            let steps = self.branch(&case.then, &before.shape, at, number)?;
            compiled.push((test, steps));
        }
        let otherwise =
            otherwise.map(|steps| self.branch(steps, &before.shape, at, cases.len() + 1)).transpose()?;
        let branches = compiled.iter().map(|(_, steps)| steps).chain(&otherwise);
        let shape = common_shape(branches, at)?;
        let plan = ChoosePlan { on, cases: compiled, otherwise };
        Ok(Compiled::new(Operator::Choose(plan), shape, before.rows))
    }

    /// The operators of a branch, whose rows are results of the step together with those of other branches.
    fn branch(&self, steps: &Steps, shape: &Shape, at: &StepAt, number: usize) -> Result<Vec<Physical>> {
        Self { own_texts: OwnTexts::Nothing, ..self.inside() }.inner_steps(steps, shape, at, Some(number))
    }
}

/// The shape of rows that all branches give.
fn common_shape<'a>(branches: impl Iterator<Item = &'a Vec<Physical>>, at: &StepAt) -> Result<Shape> {
    let mut shapes = branches.filter_map(|branch| branch.last()).map(|last| &last.shape);
    let Some(first) = shapes.next() else { return Err(bad_step(at, StepFault::NoBranches)) };
    if matches!(first, Shape::Table(_)) {
        return Err(misplaced(at, Needs::SingleBranches, first));
    }
    match shapes.find(|shape| !is_alike(first, shape)) {
        Some(other) => {
            let (one, other) = (first.kind(), other.kind());
            Err(bad_step(at, StepFault::BranchesDiffer { one, other }))
        }
        None => Ok(first.clone()),
    }
}

/// Whether rows of shape `a` and rows of shape `b` may be in the same column.
fn is_alike(a: &Shape, b: &Shape) -> bool {
    match (a, b) {
        (Shape::Nodes, Shape::Nodes) | (Shape::Edges, Shape::Edges) => true,
        (Shape::Values(a), Shape::Values(b)) => {
            let (one, other) = (a.meaning.value_type(), b.meaning.value_type());
            let is_text = one.is_none_or(ValueType::is_text);
            if is_text { are_same_texts(&a.meaning, &b.meaning) } else { one == other }
        }
        _ => false,
    }
}

/// Whether codes stand for the same texts in both meanings.
fn are_same_texts(a: &Meaning, b: &Meaning) -> bool {
    match (a, b) {
        (Meaning::Text, Meaning::Text) => true,
        (Meaning::Name(a), Meaning::Name(b)) => a == b,
        (Meaning::Of(a), Meaning::Of(b)) => match (a.strings(), b.strings()) {
            (Some(a), Some(b)) => a.are_those_of(b),
            (a, b) => a.is_none() && b.is_none(),
        },
        _ => false,
    }
}

/// The hop that does the work of a `union` or `coalesce` with one branch: a hop that is followed by `limit`
/// or `dedup`. `None` for other branches.
fn hop_of_each(branches: &[Vec<Physical>]) -> Option<(Vec<DirectedLabel>, OfEach)> {
    let [branch] = branches else { return None };
    let [input, hop, keep] = &branch[..] else { return None };
    match (&input.operator, &hop.operator, &keep.operator) {
        (Operator::InnerInput, Operator::Hop(ways), Operator::Keep(keep)) => {
            let of_each = match keep {
                Keep::Limit(count) => OfEach::First(*count),
                Keep::Dedup(KeyPlan::Node) => OfEach::Distinct,
                _ => return None,
            };
            Some((ways.clone(), of_each))
        }
        _ => None,
    }
}
