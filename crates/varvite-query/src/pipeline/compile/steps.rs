//! Compiles one step after another.

use std::sync::Arc;

use super::values::operand_of;
use super::{Compiler, OPERATOR_BYTES, OwnTexts, bad_step, misplaced};
use crate::pipeline::description::{Emit, Gives, Key, Repeat, Step, Steps, Summary};
use crate::pipeline::error::{Result, StepAt};
use crate::pipeline::fault::{Needs, StepFault, Takes};
use crate::pipeline::plan::{
    Aggregate, Body, Counted, DirectedLabel, EmitPlan, Keep, KeyPlan, Operator, Physical, Project,
    RepeatPlan, SidePlan, SummaryPlan,
};
use crate::pipeline::rows::{ColumnSpec, Meaning, Shape};
use varvite_graph::{Direction, ValueType};

/// A compiled step: the operator, the shape of its rows, and an estimate of their number.
pub(super) struct Compiled {
    pub(super) operator: Operator,
    pub(super) shape: Shape,
    pub(super) rows: f64,
    /// The number of following steps that are merged into this operator.
    pub(super) merged: usize,
}

impl Compiled {
    pub(super) fn new(operator: Operator, shape: Shape, rows: f64) -> Self {
        Self { operator, shape, rows, merged: 0 }
    }
}

/// Bytes that a column needs while its name is compared with those of other columns, and for the new name
/// that it may get.
const OWN_NAME_BYTES: usize = 128;

impl Compiler<'_> {
    /// The operators of `steps`. In errors, `prefix` comes before the number of a step. For a nested
    /// pipeline, `input` is the shape of the row with which it begins.
    pub(super) fn steps(&self, steps: &[Step], input: Option<&Shape>, prefix: &str) -> Result<Vec<Physical>> {
        let inside = StepAt::new(prefix.trim_end_matches('.'), "it");
        if let (Some(shape), Some(Step::As { name })) = (input, steps.first()) {
            self.take(OPERATOR_BYTES + name.len(), &inside)?;
            return self.with_named_row(name, shape).steps_after(steps, input, prefix);
        }
        self.steps_after(steps, input, prefix)
    }

    /// The same as [`Compiler::steps`], after the compiler knows the row that the first step names.
    fn steps_after(&self, steps: &[Step], input: Option<&Shape>, prefix: &str) -> Result<Vec<Physical>> {
        let at = |index: usize| StepAt::new(&format!("{prefix}{}", index + 1), steps[index].name());
        let count = steps.len() + usize::from(input.is_some());
        let inside = StepAt::new(prefix.trim_end_matches('.'), "it");
        self.take_list::<Physical>(count, &inside)?;
        let mut compiled: Vec<Physical> = Vec::with_capacity(count);
        if let Some(shape) = input {
            self.take(OPERATOR_BYTES + prefix.len(), &inside)?;
            let at = inside;
            let (operator, shape) = (Operator::InnerInput, shape.clone());
            compiled.push(Physical { at, merged: Vec::new(), operator, shape, rows: 1.0 });
        }
        let mut index = 0;
        while index < steps.len() {
            self.take(OPERATOR_BYTES + prefix.len(), &at(index))?;
            self.operators.set(self.operators.get() + 1);
            if let Some(before) = compiled.last() {
                compiled.extend(self.computation(&steps[index], before, &at(index))?);
            }
            let found = self.step(steps, index, compiled.last(), prefix, &at(index))?;
            let last = index + found.merged;
            let before = compiled.last().map(|before| &before.shape);
            debug_assert!(
                is_given(steps[last].gives(), before, &found.shape),
                "rows of {}",
                steps[last].name()
            );
            compiled.push(Physical {
                at: at(last),
                merged: (index..last).map(at).collect(),
                operator: found.operator,
                shape: found.shape,
                rows: found.rows,
            });
            index = last + 1;
        }
        Ok(compiled)
    }

    /// The operator that computes the keys of a step, if any of them is a pipeline.
    fn computation(&self, step: &Step, before: &Physical, at: &StepAt) -> Result<Option<Physical>> {
        let own_texts = match step {
            // Other steps show no values of their keys to the step behind all branches.
            Step::Map { .. } => self.own_texts,
            Step::Order { .. } => OwnTexts::Sorted,
            _ => OwnTexts::All,
        };
        let keys = Self { own_texts, ..self.clone() }.computed_keys(step, before, at)?;
        if keys.is_empty() {
            return Ok(None);
        }
        self.take(OPERATOR_BYTES + at.path().len(), at)?;
        self.operators.set(self.operators.get() + 1);
        let (at, merged, operator) = (at.clone(), Vec::new(), Operator::Compute(keys));
        Ok(Some(Physical { at, merged, operator, shape: before.shape.clone(), rows: before.rows }))
    }

    fn step(
        &self,
        steps: &[Step],
        index: usize,
        before: Option<&Physical>,
        prefix: &str,
        at: &StepAt,
    ) -> Result<Compiled> {
        let step = &steps[index];
        if step.takes() == Takes::Nothing {
            if before.is_some() {
                return Err(bad_step(at, StepFault::LateStart));
            }
            return self.start(steps, prefix, at);
        }
        let Some(before) = before else {
            return Err(bad_step(at, StepFault::NoStart));
        };
        let (shape, rows) = (&before.shape, before.rows);
        if !is_taken(step.takes(), shape) {
            return Err(misplaced(at, step.takes(), shape));
        }
        if let Some(filter) = self.filter(step, shape, at)? {
            let rows = rows * filter.share();
            return Ok(Compiled::new(Operator::Filter(filter), shape.clone(), rows));
        }
        match step {
            Step::Out { .. } | Step::In { .. } | Step::Both { .. } => self.hop(step, before, at),
            Step::OutEdges { .. } | Step::InEdges { .. } | Step::BothEdges { .. } => {
                self.hop_edges(step, before, at)
            }
            Step::Source {} => Ok(end_of_edge(Direction::In, before)),
            Step::Target {} => Ok(end_of_edge(Direction::Out, before)),
            Step::Descendants { with_self } => {
                if let Some((operator, merged)) =
                    self.counted_descendants(*with_self, &steps[index + 1..], at)?
                {
                    let shape = self.shape_of_count(&operator, at)?;
                    return Ok(Compiled { operator, shape, rows: 1.0, merged });
                }
                let operator = self.descendants(*with_self, at)?;
                Ok(Compiled::new(operator, Shape::Nodes, self.at_most_nodes(rows * 10.0)))
            }
            Step::Ancestors { with_self } => {
                if let Some((operator, merged)) =
                    self.first_ancestor(*with_self, &steps[index + 1..], before, at)?
                {
                    return Ok(Compiled { operator, shape: Shape::Nodes, rows, merged });
                }
                Ok(Compiled::new(self.ancestors(*with_self, at)?, Shape::Nodes, rows * 8.0))
            }
            Step::NearestAncestor { .. } => {
                Ok(Compiled::new(self.nearest_ancestor(step, at)?, Shape::Nodes, rows))
            }
            Step::Union { branches } | Step::Coalesce { branches } => {
                self.branches(step, branches, before, at)
            }
            Step::Choose { on, cases, otherwise } => self.choose(on, cases, otherwise.as_ref(), before, at),
            Step::Repeat(repeat) => {
                let operator = self.repeated(repeat, at)?;
                Ok(Compiled::new(operator, Shape::Nodes, self.at_most_nodes(rows * 10.0)))
            }
            Step::Side { name } => self.side(name, before, at),
            Step::As { name } => self.named_row(name, index, before, at),
            Step::Select { name } => self.selected(name, before, at),
            _ => self.whole(step, &steps[index + 1..], before, at),
        }
    }

    fn side(&self, name: &str, before: &Physical, at: &StepAt) -> Result<Compiled> {
        if self.depth > 0 {
            return Err(bad_step(at, StepFault::InnerSide));
        }
        self.take(2 * name.len(), at)?;
        let mut sides = self.sides.borrow_mut();
        let index = sides.len();
        if !sides.insert(name.to_owned()) {
            return Err(bad_step(at, StepFault::SideTwice { name: name.to_owned() }));
        }
        let side = SidePlan { name: name.into(), shape: before.shape.clone(), index };
        Ok(Compiled::new(Operator::Side(side), before.shape.clone(), before.rows))
    }

    fn hop(&self, step: &Step, before: &Physical, at: &StepAt) -> Result<Compiled> {
        let ways = self.ways_of(step, at)?;
        let rows = self.rows_along(before, &ways);
        Ok(Compiled::new(Operator::Hop(ways), Shape::Nodes, rows))
    }

    pub(super) fn ways_of(&self, step: &Step, at: &StepAt) -> Result<Vec<DirectedLabel>> {
        match step {
            Step::Out { labels } => self.ways(labels, &[Direction::Out], at),
            Step::In { labels } => self.ways(labels, &[Direction::In], at),
            Step::Both { labels } => self.ways(labels, &Direction::BOTH, at),
            _ => Err(bad_step(at, StepFault::Unforeseen)),
        }
    }

    fn hop_edges(&self, step: &Step, before: &Physical, at: &StepAt) -> Result<Compiled> {
        let ways = match step {
            Step::OutEdges { labels } => self.edge_ways(labels, &[Direction::Out], at)?,
            Step::InEdges { labels } => self.edge_ways(labels, &[Direction::In], at)?,
            Step::BothEdges { labels } => self.edge_ways(labels, &Direction::BOTH, at)?,
            _ => return Err(bad_step(at, StepFault::Unforeseen)),
        };
        let rows = ways.iter().map(|way| self.rows_along(before, std::slice::from_ref(&way.way))).sum();
        Ok(Compiled::new(Operator::HopEdges(ways), Shape::Edges, rows))
    }

    /// An estimate of the number of neighbours, from the sizes of the columns. If the input has no node
    /// twice, the estimate is at most the number of edges.
    fn rows_along(&self, before: &Physical, ways: &[DirectedLabel]) -> f64 {
        let along = |way: &DirectedLabel| {
            let sources = before.rows * way.adjacency.source_share().max(0.1);
            (sources * way.adjacency.mean_degree()).min(way.adjacency.edge_count() as f64)
        };
        ways.iter().map(along).sum()
    }

    fn at_most_nodes(&self, rows: f64) -> f64 {
        rows.min(f64::from(self.graph.node_count()))
    }

    /// The operators of a pipeline nested in a step, by the compiler for this pipeline.
    pub(super) fn inner_steps(
        &self,
        steps: &Steps,
        shape: &Shape,
        at: &StepAt,
        branch: Option<usize>,
    ) -> Result<Vec<Physical>> {
        self.steps(&steps.0, Some(shape), &inner_prefix(at, branch))
    }

    /// The operator of a `repeat`: an operation on the subtree index if the `repeat` follows the tree,
    /// otherwise a walk.
    pub(super) fn repeated(&self, repeat: &Repeat, at: &StepAt) -> Result<Operator> {
        match self.repeat_along_tree(repeat, at)? {
            Some(operator) => Ok(operator),
            None => Ok(Operator::Repeat(Box::new(self.repeat(repeat, at)?))),
        }
    }

    fn repeat(&self, repeat: &Repeat, at: &StepAt) -> Result<RepeatPlan> {
        let condition = |steps: &Option<Steps>| {
            let steps = steps.as_ref();
            steps.map(|steps| self.condition(steps, &Shape::Nodes, at, None)).transpose()
        };
        let emit = match &repeat.emit {
            None => EmitPlan::Nothing,
            Some(Emit::All) => EmitPlan::All,
            Some(Emit::AllButFirst) => EmitPlan::AllButFirst,
            Some(Emit::Where(steps)) => {
                EmitPlan::Where(Box::new(self.condition(steps, &Shape::Nodes, at, None)?))
            }
        };
        Ok(RepeatPlan {
            body: self.body(&repeat.body, at)?,
            times: repeat.times,
            until: condition(&repeat.until)?,
            whilst: condition(&repeat.whilst)?,
            emit,
            dedup: repeat.dedup,
            order: repeat.order,
            keeps_depth: false,
        })
    }

    fn body(&self, body: &Steps, at: &StepAt) -> Result<Body> {
        if body.0.is_empty() {
            return Err(bad_step(at, StepFault::EmptyBody));
        }
        let steps = self.inside().inner_steps(body, &Shape::Nodes, at, None)?;
        match steps.last().map(|last| &last.shape) {
            Some(Shape::Nodes) => {}
            Some(shape) => return Err(misplaced(at, Needs::BodyOfNodes, shape)),
            None => return Err(bad_step(at, StepFault::EmptyBody)),
        }
        Ok(match hops_only(std::slice::from_ref(&steps)) {
            Some(ways) => Body::Hop(ways),
            None => Body::Steps(steps),
        })
    }

    /// Compiles a step that reads all rows before it gives any result.
    fn whole(&self, step: &Step, after: &[Step], before: &Physical, at: &StepAt) -> Result<Compiled> {
        let (shape, rows) = (&before.shape, before.rows);
        let same = |operator, rows| Ok(Compiled::new(operator, shape.clone(), rows));
        let keep = |keep, rows| same(Operator::Keep(keep), rows);
        match step {
            Step::Dedup { by } => {
                keep(Keep::Dedup(self.only_key(by, before, at)?), self.distinct(rows, shape))
            }
            Step::Order { by, descending } => {
                let by = self.only_key(by, before, at)?;
                same(Operator::Order { by, descending: *descending, first: rows_taken(after) }, rows)
            }
            Step::Limit { count } => keep(Keep::Limit(*count), rows.min(*count as f64)),
            Step::Skip { count } => keep(Keep::Skip(*count), (rows - *count as f64).max(0.0)),
            Step::Sample { count, seed } => {
                let sample = Keep::Sample { count: *count, seed: *seed };
                keep(sample, rows.min(*count as f64))
            }
            Step::Filter { by } => {
                let by = self.only_key(by, before, at)?;
                if !by.is_truth() {
                    let found = operand_of(&by.column().meaning);
                    return Err(bad_step(at, StepFault::NotTruth { found }));
                }
                keep(Keep::True(by), rows / 2.0)
            }
            Step::SimplePath {} => {
                self.check_lanes("path", at)?;
                same(Operator::SimplePath, rows)
            }
            Step::Path {} => {
                self.check_lanes("path", at)?;
                let columns = [ColumnSpec::list("path", Meaning::Element)];
                Ok(Compiled::new(Operator::Path, Shape::Table(columns.into()), rows))
            }
            Step::Values { property } => self.values(&Key::Property(property.clone()), before, at),
            Step::Label {} => self.values(&Key::Label, before, at),
            Step::Depth {} => self.values(&Key::Depth, before, at),
            Step::Map { by } => self.map(by, before, at),
            Step::Columns { columns } => self.columns(columns, before, at),
            Step::GroupCount { by } => self.group(by, false, before, at),
            Step::Summarize { by, columns } => self.summarize(by, columns, before, at),
            Step::Group { by } => self.group(by, true, before, at),
            Step::Count {} => {
                let column = ColumnSpec::count();
                Ok(Compiled::new(Operator::Count, Shape::Values(column), 1.0))
            }
            Step::Sum {} => self.aggregate(Aggregate::Sum, before, at),
            Step::Min {} => self.aggregate(Aggregate::Min, before, at),
            Step::Max {} => self.aggregate(Aggregate::Max, before, at),
            Step::Mean {} => self.aggregate(Aggregate::Mean, before, at),
            _ => Err(bad_step(at, StepFault::Unforeseen)),
        }
    }

    fn distinct(&self, rows: f64, shape: &Shape) -> f64 {
        let bound = match shape {
            Shape::Nodes => Some(f64::from(self.graph.node_count())),
            Shape::Values(column) => column.meaning.bound(0).map(|bound| bound as f64),
            _ => None,
        };
        bound.map_or(rows, |bound| rows.min(bound))
    }

    fn values(&self, key: &Key, before: &Physical, at: &StepAt) -> Result<Compiled> {
        let by = self.only_key(key, before, at)?;
        let share = match &by {
            KeyPlan::Property(plan) if plan.edge_label.is_none() => {
                f64::from(plan.property.len()) / f64::from(self.graph.node_count().max(1))
            }
            _ => 1.0,
        };
        let shape = Shape::Values(by.column());
        Ok(Compiled::new(Operator::Project(Project::Values(by)), shape, before.rows * share.max(0.1)))
    }

    fn map(&self, by: &Key, before: &Physical, at: &StepAt) -> Result<Compiled> {
        let by = self.only_key(by, before, at)?;
        let column = by.column();
        let shape = match column.meaning {
            Meaning::Node => Shape::Nodes,
            Meaning::Edge | Meaning::Element => {
                return Err(misplaced(at, Needs::KeyOfSingles, &Shape::Edges));
            }
            _ => Shape::Values(column),
        };
        Ok(Compiled::new(Operator::Project(Project::Map(by)), shape, before.rows))
    }

    fn columns(&self, columns: &[Key], before: &Physical, at: &StepAt) -> Result<Compiled> {
        if columns.is_empty() {
            return Err(bad_step(at, StepFault::NoColumns));
        }
        self.take_list::<(KeyPlan, ColumnSpec)>(2 * columns.len(), at)?;
        self.widest.set(self.widest.get().max(columns.len()));
        let plans = self.keys(columns, before, at)?;
        let specs = columns.iter().zip(&plans).map(|(key, plan)| named(column_of(plan), key)).collect();
        let specs = self.with_own_names(specs, at)?;
        Ok(Compiled::new(Operator::Project(Project::Columns(plans)), Shape::Table(specs), before.rows))
    }

    /// The columns, renamed so that each name is unique.
    fn with_own_names(&self, mut columns: Vec<ColumnSpec>, at: &StepAt) -> Result<Arc<[ColumnSpec]>> {
        self.take(columns.iter().map(|column| column.name.len() + OWN_NAME_BYTES).sum(), at)?;
        ColumnSpec::with_own_names(&mut columns);
        Ok(columns.into())
    }

    fn group(&self, by: &Key, keeps_rows: bool, before: &Physical, at: &StepAt) -> Result<Compiled> {
        let key = by;
        let by = self.group_key(by, before, at)?;
        let key = named(by.column(), key);
        let groups = self.groups(&key, before);
        let (operator, members) = match keeps_rows {
            true => (Operator::Group(by), ColumnSpec::list("nodes", Meaning::Node)),
            false => (Operator::GroupCount(by), ColumnSpec::count()),
        };
        Ok(Compiled::new(operator, Shape::Table(self.with_own_names(vec![key, members], at)?), groups))
    }

    fn group_key(&self, by: &Key, before: &Physical, at: &StepAt) -> Result<KeyPlan> {
        match self.only_key(by, before, at)? {
            KeyPlan::Edge => Err(bad_step(at, StepFault::EdgeGroups)),
            by => Ok(by),
        }
    }

    /// An upper estimate of the number of groups.
    fn groups(&self, key: &ColumnSpec, before: &Physical) -> f64 {
        before.rows.min(key.meaning.bound(self.graph.node_count()).unwrap_or(1 << 20) as f64)
    }

    fn summarize(&self, by: &Key, columns: &[Summary], before: &Physical, at: &StepAt) -> Result<Compiled> {
        let key = by;
        let by = self.group_key(by, before, at)?;
        self.take_list::<(SummaryPlan, ColumnSpec)>(2 * columns.len(), at)?;
        self.widest.set(self.widest.get().max(columns.len()));
        let (mut plans, mut specs) = (Vec::new(), vec![named(by.column(), key)]);
        for column in columns {
            let (aggregate, name) = match column {
                Summary::Count => {
                    plans.push(SummaryPlan::Count);
                    specs.push(ColumnSpec::count());
                    continue;
                }
                Summary::Sum(name) => (Aggregate::Sum, name),
                Summary::Min(name) => (Aggregate::Min, name),
                Summary::Max(name) => (Aggregate::Max, name),
                Summary::Mean(name) => (Aggregate::Mean, name),
            };
            let plan = self.property(name, &before.shape, at)?;
            let result = result_type(aggregate, &plan.meaning(), at)?;
            self.take(name.len(), at)?;
            let spec = ColumnSpec::new(&format!("{}_{name}", aggregate.name()), Meaning::Plain(result));
            // The sum of no values is zero; other aggregates of no values are null.
            specs.push(ColumnSpec { may_be_null: aggregate != Aggregate::Sum, ..spec });
            plans.push(SummaryPlan::Of(aggregate, plan));
        }
        if plans.is_empty() {
            return Err(bad_step(at, StepFault::NoColumns));
        }
        let groups = self.groups(&specs[0], before);
        Ok(Compiled::new(
            Operator::Summarize(by, plans),
            Shape::Table(self.with_own_names(specs, at)?),
            groups,
        ))
    }

    fn aggregate(&self, aggregate: Aggregate, before: &Physical, at: &StepAt) -> Result<Compiled> {
        let meaning = self.meaning(&before.shape, at)?;
        let result = result_type(aggregate, meaning, at)?;
        let shape = Shape::Values(ColumnSpec::new(aggregate.name(), Meaning::Plain(result)));
        Ok(Compiled::new(Operator::Aggregate(aggregate, meaning.clone()), shape, 1.0))
    }

    fn shape_of_count(&self, operator: &Operator, at: &StepAt) -> Result<Shape> {
        let count = ColumnSpec::count();
        Ok(match operator {
            Operator::CountDescendants { counted: Counted::ByLabel(_), .. } => {
                let label = ColumnSpec::new("label", Meaning::Name(self.labels(at)?.1));
                Shape::Table([label, count].into())
            }
            _ => Shape::Values(count),
        })
    }
}

/// The type of an aggregate's result. Fails if the values are not numbers.
fn result_type(aggregate: Aggregate, meaning: &Meaning, at: &StepAt) -> Result<ValueType> {
    let value_type = meaning.value_type();
    let number = value_type.filter(|value_type| {
        !value_type.is_text() && !matches!(value_type, ValueType::Bool | ValueType::Ref)
    });
    let Some(number) = number else {
        return Err(bad_step(at, StepFault::NotNumbers { found: value_type }));
    };
    let is_float = matches!(number, ValueType::F32 | ValueType::F64);
    let is_unsigned = matches!(number, ValueType::U8 | ValueType::U16 | ValueType::U32 | ValueType::U64);
    Ok(match aggregate {
        Aggregate::Sum if is_float => ValueType::F64,
        Aggregate::Sum if is_unsigned => ValueType::U64,
        Aggregate::Sum => ValueType::I64,
        Aggregate::Mean => ValueType::F64,
        Aggregate::Min | Aggregate::Max => number,
    })
}

fn end_of_edge(direction: Direction, before: &Physical) -> Compiled {
    Compiled::new(Operator::EndOfEdge(direction), Shape::Nodes, before.rows)
}

/// Whether a step that takes rows of kind `takes` accepts rows of `shape`.
fn is_taken(takes: Takes, shape: &Shape) -> bool {
    match takes {
        Takes::Nothing => false,
        Takes::Nodes => matches!(shape, Shape::Nodes),
        Takes::Edges => matches!(shape, Shape::Edges),
        Takes::Elements => matches!(shape, Shape::Nodes | Shape::Edges),
        Takes::Values => matches!(shape, Shape::Values(_)),
        Takes::Single => !matches!(shape, Shape::Table(_)),
        Takes::Any => true,
    }
}

/// Whether a step that gives rows of kind `gives` may give rows of `shape`. `before` is the shape of the rows
/// that it took.
fn is_given(gives: Gives, before: Option<&Shape>, shape: &Shape) -> bool {
    match gives {
        Gives::Same => before.is_none_or(|before| before.kind() == shape.kind()),
        Gives::Nodes => matches!(shape, Shape::Nodes),
        Gives::Edges => matches!(shape, Shape::Edges),
        Gives::Values => matches!(shape, Shape::Values(_)),
        Gives::Columns => matches!(shape, Shape::Table(_)),
        Gives::OfBranches | Gives::Named => !matches!(shape, Shape::Table(_)),
        Gives::OfKey => matches!(shape, Shape::Nodes | Shape::Values(_)),
    }
}

/// The maximum number of rows that `steps` take. `None` unless they begin with `limit`, perhaps after `skip`.
fn rows_taken(steps: &[Step]) -> Option<usize> {
    let mut skipped = 0u64;
    for step in steps {
        match step {
            Step::Skip { count } => skipped = skipped.saturating_add(*count),
            Step::Limit { count } => return usize::try_from(skipped.saturating_add(*count)).ok(),
            _ => return None,
        }
    }
    None
}

/// The text before the numbers of the steps in a pipeline nested in a step.
pub(super) fn inner_prefix(at: &StepAt, branch: Option<usize>) -> String {
    match branch {
        Some(number) => format!("{}.{number}.", at.path()),
        None => format!("{}.", at.path()),
    }
}

/// The column under the name that its key has, if any.
pub(super) fn named(column: ColumnSpec, key: &Key) -> ColumnSpec {
    match key.name() {
        Some(name) => ColumnSpec { name: name.into(), ..column },
        None => column,
    }
}

/// The column of a key. It holds lists if the key is a property with lists.
fn column_of(key: &KeyPlan) -> ColumnSpec {
    let column = key.column();
    match key {
        KeyPlan::Property(plan) => ColumnSpec { is_list: plan.property.is_list(), ..column },
        _ => column,
    }
}

/// The ways of all branches, each of which is a single hop. `None` if any branch is not a single hop.
pub(super) fn hops_only(branches: &[Vec<Physical>]) -> Option<Vec<DirectedLabel>> {
    let mut all = Vec::new();
    for branch in branches {
        match &branch[..] {
            [
                Physical { operator: Operator::InnerInput, .. },
                Physical { operator: Operator::Hop(ways), .. },
            ] => {
                all.extend(ways.iter().cloned());
            }
            _ => return None,
        }
    }
    Some(all)
}
