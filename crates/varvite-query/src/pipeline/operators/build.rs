//! Makes the operators that run a plan. This module names all kinds of operators, except those that `keep`
//! and `values` make.

use super::branch::{ChooseOperator, Coalesce, Union};
use super::chain::{Operate, Stage};
use super::compute::{Computation, Compute};
use super::condition::Condition;
use super::count_test::CountTest;
use super::each_row::EachRow;
use super::edges::{AllEdges, EndOfEdge, HopEdges};
use super::evaluate::{self, Evaluator};
use super::exchange::Exchange;
use super::fold::{Fold, FoldOperator};
use super::fold_ranges::{FoldRanges, Makers};
use super::group::Group;
use super::hop::Hop;
use super::hop_each::HopEach;
use super::inner::{Inner, InnerInput};
use super::keep::{self, FilterOperator};
use super::neighbor_test::NeighborTest;
use super::order::Order;
use super::path::{PathOperator, SimplePath};
use super::repeat::{Emit, RepeatConditions, RepeatOperator, Successors};
use super::scan::{IdsOperator, Scan};
use super::select::{Passing, Select};
use super::side::Side;
use super::tree::{Ancestors, CountDescendants, Descendants, NearestAncestor};
use super::value_test::ValueTest;
use super::values;
use super::walk::RepeatWalk;
use crate::pipeline::plan::{
    self, Body, ChoosePlan, ComputedKey, Driver, EmitPlan, Filter, Operator, Physical, Reach, RepeatPlan,
    ScanPlan,
};
use crate::pipeline::rows::Carried;

/// Makes the stages of some steps, in order.
pub(crate) fn stages(steps: &[Physical]) -> Vec<Stage> {
    steps.iter().map(|step| Stage::new(step.at.clone(), operator(&step.operator))).collect()
}

fn operator(plan: &Operator) -> Box<dyn Operate> {
    match plan {
        Operator::InnerInput => Box::new(InnerInput::default()),
        Operator::Name(_) => Box::new(Passing),
        Operator::Select(number) => Box::new(Select::new(*number)),
        Operator::Scan(scan) => Box::new(Scan::new(scan, conditions(&scan.filters))),
        Operator::Ids(ids) => Box::new(IdsOperator::new(ids.clone())),
        Operator::AllEdges(ways) => Box::new(AllEdges::new(ways.clone())),
        Operator::Hop(ways) => Box::new(Hop::new(ways.clone())),
        Operator::HopEach(ways, of_each) => Box::new(HopEach::new(ways.clone(), *of_each)),
        Operator::HopEdges(ways) => Box::new(HopEdges::new(ways.clone())),
        Operator::EndOfEdge(direction) => Box::new(EndOfEdge::new(*direction)),
        Operator::Filter(filter) => Box::new(FilterOperator::new(condition(filter))),
        Operator::Descendants(tree) => Box::new(Descendants::new(tree.clone())),
        Operator::Ancestors(tree) => Box::new(Ancestors::new(tree.clone())),
        Operator::NearestAncestor { tree, labels, condition: filter } => {
            let condition = filter.as_deref().map(condition);
            Box::new(NearestAncestor::new(tree.clone(), labels.clone(), condition))
        }
        Operator::CountDescendants { tree, counted } => {
            Box::new(CountDescendants::new(tree.clone(), counted.clone()))
        }
        Operator::Union(branches) => {
            let run_together = branches.iter().all(|branch| Physical::run_together(branch));
            Box::new(Union::new(inners(branches), run_together))
        }
        Operator::Coalesce(branches) => {
            let run_together = branches.iter().all(|branch| Physical::run_together(branch));
            let is_kept =
                |steps: &Vec<_>| steps.iter().all(Physical::gives_at_most_one) || Physical::are_narrow(steps);
            let are_kept = branches.iter().rev().skip(1).all(is_kept);
            Box::new(Coalesce::new(inners(branches), run_together && are_kept))
        }
        Operator::Choose(choose) => Box::new(choice(choose)),
        Operator::Repeat(repeat) => Box::new(repetition(repeat)),
        Operator::Keep(plan) => keep::operator(plan),
        Operator::Order { by, descending, first } => Box::new(Order::new(by.clone(), *descending, *first)),
        Operator::SimplePath => Box::new(SimplePath::default()),
        Operator::Side(_) => Box::new(Side::default()),
        Operator::Path => Box::new(PathOperator::default()),
        Operator::Compute(keys) => Box::new(Compute::new(keys.iter().map(computation).collect())),
        Operator::Project(plan) => values::operator(plan),
        Operator::Group(by) => Box::new(Group::new(by.clone())),
        Operator::GroupCount(by) => Box::new(FoldOperator::new(Fold::group_count(by))),
        Operator::Summarize(by, columns) => Box::new(FoldOperator::new(Fold::summarize(by, columns))),
        Operator::Count => Box::new(FoldOperator::new(Fold::count())),
        Operator::Aggregate(aggregate, meaning) => {
            Box::new(FoldOperator::new(Fold::aggregate(*aggregate, meaning)))
        }
    }
}

fn inner(steps: &[Physical]) -> Inner {
    let named = match steps {
        [_, Physical { operator: Operator::Name(number), .. }, ..] => Some(*number),
        _ => None,
    };
    let selects = Physical::run_together(steps) && Physical::are_narrow(steps);
    Inner::new(stages(steps), named, selects)
}

fn inners(branches: &[Vec<Physical>]) -> Vec<Inner> {
    branches.iter().map(|steps| inner(steps)).collect()
}

fn choice(plan: &ChoosePlan) -> ChooseOperator {
    let mut branches: Vec<Inner> = plan.cases.iter().map(|(_, steps)| inner(steps)).collect();
    branches.extend(plan.otherwise.iter().map(|steps| inner(steps)));
    let cases = plan.cases.iter().map(|(case, _)| condition(case)).collect();
    ChooseOperator::new(inner(&plan.on), cases, branches)
}

fn repetition(plan: &RepeatPlan) -> RepeatOperator {
    let body = match &plan.body {
        Body::Hop(ways) => Successors::of_hop(ways.clone()),
        Body::Steps(steps) => Successors::of_steps(inner(steps), steps.iter().all(Physical::is_rowwise)),
    };
    let emit = match &plan.emit {
        EmitPlan::Nothing => Emit::Nothing,
        EmitPlan::All => Emit::All,
        EmitPlan::AllButFirst => Emit::AllButFirst,
        EmitPlan::Where(filter) => Emit::Where(Box::new(condition(filter))),
    };
    let (until, whilst) = (plan.until.as_ref().map(condition), plan.whilst.as_ref().map(condition));
    RepeatOperator::new(plan, body, RepeatConditions { until, whilst, emit })
}

fn computation(key: &ComputedKey) -> Computation {
    match &key.by {
        plan::Computation::Search(steps) | plan::Computation::First(steps) => {
            Computation::First(Box::new(EachRow::new(steps, inner)))
        }
        plan::Computation::List(steps) => Computation::List(inner(steps), Physical::run_together(steps)),
        plan::Computation::Exists(filter) => Computation::Exists(condition(filter)),
        plan::Computation::Value(_, value) => {
            Computation::Value(Box::new(Evaluator::new(value, &evaluate::Makers { inner, condition })))
        }
    }
}

fn conditions(filters: &[Filter]) -> Vec<Condition> {
    filters.iter().map(condition).collect()
}

fn condition_of_all(filters: &[Filter]) -> Condition {
    match filters {
        [filter] => condition(filter),
        filters => Condition::All(conditions(filters)),
    }
}

fn condition(filter: &Filter) -> Condition {
    match filter {
        Filter::Labels(labels) => Condition::Labels(labels.clone()),
        Filter::Ids(ids) => Condition::Ids(ids.clone()),
        Filter::EdgeLabels(labels) => Condition::EdgeLabels(labels.clone()),
        Filter::Present(plan) => Condition::Present(plan.clone()),
        Filter::Value(value) => Condition::Value(value.plan.clone(), ValueTest::new(&value.test)),
        Filter::Number(test) => Condition::Number(ValueTest::new(test)),
        Filter::Computed(test) => Condition::Computed(test.clone()),
        Filter::All(filters) => Condition::All(conditions(filters)),
        Filter::Any(filters) => Condition::Any(conditions(filters)),
        Filter::Not(filter) => Condition::Not(Box::new(condition(filter))),
        Filter::Some(Reach::Hop(ways), then) => {
            Condition::Neighbor(Box::new(NeighborTest::new(ways, then, condition_of_all)))
        }
        Filter::Count(Reach::Hop(ways), then, test) => {
            let neighbors = NeighborTest::new(ways, then, condition_of_all);
            Condition::Neighbors(Box::new(neighbors), ValueTest::new(test))
        }
        Filter::Some(Reach::Walk(walk), then) => {
            Condition::Some(RepeatWalk::new(walk), Box::new(condition(then)))
        }
        Filter::Count(Reach::Walk(walk), then, test) => {
            Condition::Count(RepeatWalk::new(walk), Box::new(condition(then)), ValueTest::new(test))
        }
        Filter::Inner(steps) => match CountTest::parts(steps) {
            Some((counting, test)) => {
                Condition::Inner(Box::new(CountTest::new(EachRow::new(counting, inner), test)))
            }
            None => Condition::Inner(Box::new(inner(steps))),
        },
    }
}

/// The stages of a run on the caller's thread.
pub(crate) fn stages_alone(steps: &[Physical], carried: Carried) -> Vec<Stage> {
    let (mut staged, left) = first_stages(steps, carried);
    staged.extend(stages(left));
    staged
}

/// The stages that run the first steps, and the steps after these.
fn first_stages(steps: &[Physical], carried: Carried) -> (Vec<Stage>, &[Physical]) {
    let folded = folded_on_ranges(steps, carried);
    let (first, left) = steps.split_at(folded.max(1).min(steps.len()));
    let makers = Makers { scan, steps: inner };
    let staged = match first {
        [.., fold] if folded > 0 => {
            vec![Stage::new(fold.at.clone(), Box::new(FoldRanges::new(first.to_vec(), makers)))]
        }
        first => stages(first),
    };
    (staged, left)
}

/// The same as [`first_stages`], for several threads. If a scan is long, or steps that treat each row
/// independently follow it, the scan and these steps are put into an [`Exchange`].
fn first_stages_on_threads(steps: &[Physical], carried: Carried) -> (Vec<Stage>, &[Physical]) {
    let scanned = scanned_on_ranges(steps, carried);
    if folded_on_ranges(steps, carried) > 0 || scanned == 0 {
        return first_stages(steps, carried);
    }
    let (first, left) = steps.split_at(scanned);
    (vec![exchange(first)], left)
}

fn exchange(steps: &[Physical]) -> Stage {
    Stage::new(steps[steps.len() - 1].at.clone(), Box::new(Exchange::new(steps.to_vec(), inner)))
}

/// The stages of a run on several threads. Successive steps that treat each row independently are put into
/// one [`Exchange`], together with the scan before them. Hops that give few rows are not put into it: most of
/// their results may come from a single row, and threads could not share that work evenly. The worker threads
/// do not return trails. So if rows carry trails, only the steps up to the last one that reads trails are put
/// into an exchange.
pub(crate) fn stages_on_threads(steps: &[Physical], carried: Carried) -> Vec<Stage> {
    let (mut staged, mut left) = first_stages_on_threads(steps, carried);
    let Some(mut shape) = steps[..steps.len() - left.len()].last().map(|step| &step.shape) else {
        return staged;
    };
    while let Some(first) = left.first() {
        let spreading = left.iter().take_while(|step| step.spreads_to_few()).count();
        let count =
            if spreading > 0 { 0 } else { left.iter().take_while(|step| step.is_independent()).count() };
        let (together, rest) = left.split_at(spreading.max(count).max(1));
        if count == 0 || carried.trail && !ends_trails(together, rest) {
            staged.extend(stages(together));
        } else {
            let input = Physical { operator: Operator::InnerInput, shape: shape.clone(), ..first.clone() };
            let steps: Vec<_> = std::iter::once(input).chain(together.iter().cloned()).collect();
            staged.push(exchange(&steps));
        }
        shape = &together[together.len() - 1].shape;
        left = rest;
    }
    staged
}

/// The number of leading steps that are a scan, then steps that treat each row independently, and then a fold
/// whose partial results can be merged. Threads can then divide the scan's nodes into ranges, so that no row
/// moves from one thread to another. 0 if the plan does not begin with such steps.
fn folded_on_ranges(steps: &[Physical], carried: Carried) -> usize {
    let between = steps.iter().skip(1).take_while(|step| step.is_independent()).count();
    let has_ranges = |scan: &ScanPlan| !matches!(scan.driver, Driver::Index(_));
    let is_scan =
        matches!(steps.first(), Some(Physical { operator: Operator::Scan(scan), .. }) if has_ranges(scan));
    let fold = steps.get(1 + between).and_then(|step| Fold::of(&step.operator));
    let is_filter = |step: &Physical| matches!(step.operator, Operator::Filter(_));
    let merges = |fold: Fold| {
        fold.is_exact() && (!fold.needs_rising_nodes() || steps[1..=between].iter().all(is_filter))
    };
    let pays = is_scan && carried == Carried::default() && fold.is_some_and(merges);
    if pays { between + 2 } else { 0 }
}

/// The number of leading steps that are a scan and then steps that treat each row independently. Threads can
/// run these steps on ranges of nodes. If rows carry trails past these steps, only the scan is counted. 0 if
/// threads would not make the run faster.
fn scanned_on_ranges(steps: &[Physical], carried: Carried) -> usize {
    let Some((Physical { operator: Operator::Scan(scan), .. }, rest)) = steps.split_first() else { return 0 };
    let is_short = matches!(scan.driver, Driver::All | Driver::Labels(_)) && scan.filters.is_empty();
    let between = rest.iter().take_while(|step| step.is_independent() && !step.spreads_to_few()).count();
    let (together, rest) = steps.split_at(1 + between);
    let count = if carried.trail && !ends_trails(together, rest) { 1 } else { 1 + between };
    if matches!(scan.driver, Driver::Index(_)) || count == 1 && is_short { 0 } else { count }
}

/// Makes the scan for a step. `None` if the step is not a scan.
fn scan(step: &Physical) -> Option<Scan> {
    match &step.operator {
        Operator::Scan(scan) => Some(Scan::new(scan, conditions(&scan.filters))),
        _ => None,
    }
}

/// Whether `together` has a step that reads trails, `rest` has none, and some step in `together` does enough
/// work to be worth copying trails to threads.
fn ends_trails(together: &[Physical], rest: &[Physical]) -> bool {
    together.iter().any(Physical::reads_trails)
        && !rest.iter().any(Physical::reads_trails)
        && !together.iter().all(Physical::is_brief)
}
