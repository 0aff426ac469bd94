//! From a description to a [`Plan`] for one graph: names become cursors, and steps become operators.
//!
//! Everything that can be wrong with a description is found here, before anything is read: names that the graph lacks,
//! comparisons that make no sense, steps that get rows they can't work on. Each error names its step.
//!
//! Reading order: `mod` for names and the whole, `steps` for one step after another, `access` for where nodes come from,
//! `conditions` for filters, `predicates` for tests, `tree` for what the subtree index makes shorter; `lists` and `owners` for
//! what is refused.

mod access;
mod conditions;
mod keys;
mod lists;
mod owners;
mod predicates;
mod steps;
mod tree;
mod ways;

use std::cell::OnceCell;
use std::sync::Arc;

use varvite_store::StoreError;

use super::description::{Emit, Key, Pipeline, Step};
use super::error::{PipelineError, Result, StepAt};
use super::fault::{Needs, StepFault};
use super::plan::{Operator, Physical, Plan};
use super::rows::{Carried, Shape};
use crate::error::GraphError;
use crate::graph::Graph;
use crate::labels::Labels;
use varvite_store::Cancel;

/// Deepest nesting of pipelines inside steps.
const DEPTH_MAX: usize = 32;
/// Most steps of one pipeline.
const STEPS_MAX: usize = 1000;

impl Pipeline {
    /// Compiles the description for a graph. Opens the columns that it reads; decodes those that are compressed.
    ///
    /// # Errors
    /// [`PipelineError`], with the step: unknown names, wrong types, regular expressions that do not compile, steps out of
    /// place, or a file that can't be read.
    pub fn compile(&self, graph: &Graph) -> Result<Plan> {
        self.compile_with(graph, &Cancel::default())
    }

    /// The same, with a flag that cancels. A text that a condition names may have to be looked for among all texts of its property:
    /// where no index knows it, and codes are in no order.
    ///
    /// # Errors
    /// Also [`PipelineError::Cancelled`].
    pub fn compile_with(&self, graph: &Graph, cancel: &Cancel) -> Result<Plan> {
        lists::check(self.steps(), "")?;
        let (carried, cancel) = (carried_by(self.steps()), cancel.clone());
        let labels = OnceCell::new();
        let compiler = Compiler { graph, cancel, carried, labels, depth: 0, in_condition: false };
        compiler.plan(self.steps())
    }
}

/// What is known while steps are compiled. Cheap to copy for the inside of a step.
#[derive(Clone)]
struct Compiler<'g> {
    graph: &'g Graph,
    cancel: Cancel,
    carried: Carried,
    labels: OnceCell<(Arc<Labels>, Arc<[String]>)>,
    /// How many steps it is inside of.
    depth: usize,
    /// Inside of a condition, where rows have no path.
    in_condition: bool,
}

impl Compiler<'_> {
    fn plan(&self, steps: &[Step]) -> Result<Plan> {
        let compiled = self.steps(steps, None, "")?;
        let Some(last) = compiled.last() else {
            return Err(bad_step(&StepAt::new("1", "nodes"), StepFault::EmptyPipeline));
        };
        let side = |step: &Physical| match &step.operator {
            Operator::Side(side) => Some(side.clone()),
            _ => None,
        };
        let sides = compiled.iter().filter_map(side).collect();
        Ok(Plan {
            shape: last.shape.clone(),
            steps: compiled.into(),
            carried: self.carried,
            nodes: self.graph.node_count(),
            sides,
            edge_labels: self.graph.edge_labels().iter().map(|label| label.name.clone()).collect(),
            damage: self.graph.damage().clone(),
        })
    }

    /// A compiler for the inside of a step.
    fn inside(&self, at: &StepAt) -> Result<Self> {
        if self.depth == DEPTH_MAX {
            return Err(bad_step(at, StepFault::TooDeep { most: DEPTH_MAX }));
        }
        Ok(Self { depth: self.depth + 1, ..self.clone() })
    }

    /// A compiler for a condition inside of a step.
    fn inside_condition(&self, at: &StepAt) -> Result<Self> {
        Ok(Self { in_condition: true, carried: Carried::default(), ..self.inside(at)? })
    }

    /// The label sets of nodes, and the name of each.
    fn labels(&self, at: &StepAt) -> Result<(Arc<Labels>, Arc<[String]>)> {
        if let Some(labels) = self.labels.get() {
            return Ok(labels.clone());
        }
        let labels = self.graph.label_sets().map_err(|error| graph_error(at, error))?;
        let name_of = |code| {
            let names = labels.of_code(code).filter_map(|label| self.graph.labels().get(label.0 as usize));
            names.map(|label| label.name.as_str()).collect::<Vec<_>>().join("&")
        };
        let names: Arc<[String]> = (0..labels.code_count()).map(name_of).collect();
        Ok(self.labels.get_or_init(|| (Arc::new(labels), names)).clone())
    }
}

/// An error of the graph, at a step.
fn graph_error(at: &StepAt, error: GraphError) -> PipelineError {
    let at = at.clone();
    match error {
        GraphError::Unknown { kind, name, nearest } => PipelineError::Unknown { at, kind, name, nearest },
        GraphError::Store(StoreError::OverBudget { limit, needed }) => {
            let bytes = |bytes| usize::try_from(bytes).unwrap_or(usize::MAX);
            PipelineError::OverBudget { at, limit: bytes(limit), needed: bytes(needed) }
        }
        error => PipelineError::Graph { at, error },
    }
}

/// A step that gets rows it can't work on.
fn misplaced(at: &StepAt, needs: impl Into<Needs>, found: &Shape) -> PipelineError {
    PipelineError::Misplaced { at: at.clone(), needs: needs.into(), found: found.kind() }
}

fn bad_step(at: &StepAt, fault: StepFault) -> PipelineError {
    PipelineError::BadStep { at: at.clone(), fault }
}

/// What rows must carry, because some step asks for it. Conditions ask for nothing.
fn carried_by(steps: &[Step]) -> Carried {
    let mut carried = Carried::default();
    let mut left: Vec<(&Step, usize)> = steps.iter().map(|step| (step, 0)).collect();
    while let Some((step, depth)) = left.pop() {
        match step {
            Step::Path {} | Step::SimplePath {} => carried.trail = true,
            Step::Depth {}
            | Step::Dedup { by: Key::Depth }
            | Step::Order { by: Key::Depth, .. }
            | Step::Group { by: Key::Depth }
            | Step::GroupCount { by: Key::Depth }
            | Step::Summarize { by: Key::Depth, .. } => carried.depth = true,
            Step::Columns { columns } => carried.depth |= columns.contains(&Key::Depth),
            _ => {}
        }
        if depth < DEPTH_MAX {
            left.extend(steps_inside(step).map(|step| (step, depth + 1)));
        }
    }
    carried
}

/// The steps inside of a step whose rows come out of it.
fn steps_inside(step: &Step) -> impl Iterator<Item = &Step> {
    let pipelines: Vec<_> = match step {
        Step::Union { branches } | Step::Coalesce { branches } => branches.iter().collect(),
        Step::Choose { cases, otherwise, .. } => {
            cases.iter().map(|case| &case.then).chain(otherwise).collect()
        }
        Step::Repeat(repeat) => vec![&repeat.body],
        _ => Vec::new(),
    };
    pipelines.into_iter().flat_map(|steps| &steps.0)
}

/// Whether a `repeat` lets everything out, and the start too.
fn emits_all(emit: Option<&Emit>) -> Option<bool> {
    match emit {
        Some(Emit::All) => Some(true),
        Some(Emit::AllButFirst) => Some(false),
        _ => None,
    }
}
