//! Compiles a description to a [`Plan`] for one graph: names become cursors, and steps become operators.
//!
//! Every error of a description is found here, before any row is read: names that the graph lacks, invalid
//! comparisons, and steps that get rows of the wrong kind. Each error names its step.
//!
//! Reading order: `mod` for the compiler and its state, `steps` for the operator of each step, `access` for
//! the starts of pipelines, `branches` for steps with several pipelines, `conditions` for filters,
//! `predicates` for tests, `values` for functions of keys, `searches` for nodes that several keys look for,
//! `tree` for shortcuts that use the subtree index; `lists` and `owners` for the checks that refuse a
//! description.

mod access;
mod branches;
mod conditions;
mod keys;
mod lists;
mod names;
mod owners;
mod predicates;
mod searches;
mod steps;
mod tree;
mod values;
mod ways;

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use varvite_store::StoreError;

use super::description::{Emit, Extent, Pipeline, Step, on_stack, stack_bytes};
use super::error::{PipelineError, Result, StepAt};
use super::fault::{Needs, StepFault};
use super::plan::{Operator, Physical, Plan};
use super::rows::{Carried, Shape};
use lists::Survey;
use varvite_graph::json::Meter;
use varvite_graph::{Budget, Graph, GraphError, Labels, OverBudget};
use varvite_store::Cancel;

/// Bytes that an operator allocates, including the names of its step, but without the operator's struct and
/// its lists.
const OPERATOR_BYTES: usize = 512;

/// Bytes that an open property allocates, not counting the struct itself.
const PROPERTY_BYTES: usize = 256;

impl Pipeline {
    /// Compiles the description for a graph. Opens the columns that the plan will read, and decodes those
    /// that are compressed.
    ///
    /// # Errors
    /// [`PipelineError`], with the step: unknown names, wrong types, regular expressions that do not compile,
    /// steps out of place, more than 100,000 steps in all, pipelines nested deeper than 256, a file that
    /// can't be read, or a plan that needs more than [`Budget::default_bytes`].
    pub fn compile(&self, graph: &Graph) -> Result<Plan> {
        self.compile_with(graph, &Cancel::default())
    }

    /// The same as [`Pipeline::compile`], with a flag that cancels. Compiling may take long: if a property
    /// has no index and its texts are not sorted, the compiler searches all texts of the property for the
    /// text of a condition.
    ///
    /// # Errors
    /// The errors of [`Pipeline::compile`], and [`PipelineError::Cancelled`].
    pub fn compile_with(&self, graph: &Graph, cancel: &Cancel) -> Result<Plan> {
        self.compile_within(graph, cancel, &Budget::default())
    }

    /// The same as [`Pipeline::compile_with`], within a budget. The memory of the plan is charged before it
    /// is allocated. The charge is returned when the plan and its copies are dropped.
    ///
    /// # Errors
    /// The errors of [`Pipeline::compile_with`], and [`PipelineError::OverBudget`], with the step.
    pub fn compile_within(&self, graph: &Graph, cancel: &Cancel, budget: &Budget) -> Result<Plan> {
        let survey = lists::survey(self.steps())?;
        let stack = stack_bytes(survey.extent);
        on_stack(stack, budget, || compiled(self.steps(), graph, cancel, budget, &survey))?
    }
}

fn compiled(
    steps: &[Step],
    graph: &Graph,
    cancel: &Cancel,
    budget: &Budget,
    survey: &Survey,
) -> Result<Plan> {
    let compiler = Compiler {
        graph,
        cancel: cancel.clone(),
        carried: survey.carried,
        labels: Rc::default(),
        meter: Rc::new(RefCell::new(Meter::new(budget)?)),
        operators: Rc::default(),
        widest: Rc::default(),
        sides: Rc::default(),
        depth: 0,
        in_condition: false,
        own_texts: OwnTexts::All,
        named: None,
    };
    let plan = compiler.plan(steps)?;
    let Compiler { meter, operators, widest, .. } = compiler;
    let held = Rc::into_inner(meter).map(|meter| Arc::new(meter.into_inner()));
    Ok(Plan { held, operators: operators.get(), widest: widest.get(), extent: survey.extent, ..plan })
}

/// The label sets of nodes, and a name for each set.
type LabelSets = (Arc<Labels>, Arc<[String]>);

/// The compiler's state, which is cheap to copy for a nested pipeline.
#[derive(Clone)]
struct Compiler<'g> {
    graph: &'g Graph,
    cancel: Cancel,
    carried: Carried,
    labels: Rc<OnceCell<LabelSets>>,
    /// The budget's charge for the steps compiled so far.
    meter: Rc<RefCell<Meter>>,
    /// The number of operators compiled so far.
    operators: Rc<Cell<usize>>,
    /// The maximum number of columns in a row of the steps compiled so far.
    widest: Rc<Cell<usize>>,
    /// The names of the `side` steps compiled so far.
    sides: Rc<RefCell<HashSet<String>>>,
    /// The number of steps that enclose the current pipeline.
    depth: usize,
    /// Whether the current pipeline is inside a condition, where rows have no path.
    in_condition: bool,
    own_texts: OwnTexts,
    /// The innermost row that has a name.
    named: Option<Rc<NamedRow>>,
}

/// The properties whose texts are not copied to the run when a constant takes the place of absent texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OwnTexts {
    All,
    /// Properties with sorted texts: a sort of other texts is faster with copies.
    Sorted,
    /// No property: results of branches with different properties have to be computed texts.
    Nothing,
}

/// A row that a step `as` has named.
struct NamedRow {
    name: String,
    shape: Shape,
    /// The number of named rows around this one.
    number: usize,
    around: Option<Rc<NamedRow>>,
}

impl Compiler<'_> {
    /// Charges the budget for a part of the plan.
    fn take(&self, bytes: usize, at: &StepAt) -> Result<()> {
        let located =
            |OverBudget { limit, needed }| PipelineError::OverBudget { at: at.clone(), limit, needed };
        self.meter.borrow_mut().take(bytes).map_err(located)
    }

    /// Gives back to the budget bytes that are no longer needed.
    fn give_back(&self, bytes: usize) {
        self.meter.borrow_mut().give_back(bytes);
    }

    /// Charges the budget for a list of `items` items of type `T`.
    fn take_list<T>(&self, items: usize, at: &StepAt) -> Result<()> {
        self.take(items.saturating_mul(size_of::<T>()), at)
    }

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
            #[cfg(feature = "arrow")]
            edge_labels: self.graph.edge_labels().iter().map(|label| label.name.clone()).collect(),
            damage: self.graph.damage().clone(),
            held: None,
            operators: 0,
            widest: 0,
            extent: Extent::default(),
        })
    }

    /// A compiler for a pipeline nested in a step.
    fn inside(&self) -> Self {
        Self { depth: self.depth + 1, ..self.clone() }
    }

    /// A compiler for a condition nested in a step.
    fn inside_condition(&self) -> Self {
        Self { in_condition: true, carried: Carried::default(), ..self.inside() }
    }

    /// The label sets of nodes, and a name for each set. Computed on first use.
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

/// Converts an error of the graph to an error of the step `at`.
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

/// The error for a step that gets rows of the wrong kind.
fn misplaced(at: &StepAt, needs: impl Into<Needs>, found: &Shape) -> PipelineError {
    PipelineError::Misplaced { at: at.clone(), needs: needs.into(), found: found.kind() }
}

fn bad_step(at: &StepAt, fault: StepFault) -> PipelineError {
    PipelineError::BadStep { at: at.clone(), fault }
}

/// For a `repeat` whose results are all visited nodes: whether the start is one of them. `None` for other
/// `repeat`s.
fn emits_all(emit: Option<&Emit>) -> Option<bool> {
    match emit {
        Some(Emit::All) => Some(true),
        Some(Emit::AllButFirst) => Some(false),
        _ => None,
    }
}
