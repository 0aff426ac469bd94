//! Varvite's walks through the tree.

use std::path::Path;

use varvite::walk::{Arena, Counts, Evaluation, Evaluator, Hop, Order, Plan, Uniqueness, Walk, WalkError};
use varvite::{Cancel, Graph, LabelId, Property, Task};

use crate::Failure;

/// An open graph file with the tree, and the compiled walks, which share one arena.
pub struct VarviteSide {
    plans: Vec<(&'static str, Plan)>,
    root: u32,
    b: LabelId,
    value: Property,
    arena: Arena,
    /// A cancel flag that is never set.
    never: Cancel,
    graph: Graph,
}

/// The name of the walk whose evaluator is a callback; the callback reads the values of nodes itself.
pub const WITH_FUNCTION: &str = "depth_first_function";

impl VarviteSide {
    /// Opens the graph file of a tree. The state of a walk may take `arena_bytes` bytes.
    ///
    /// # Errors
    /// The file is not a graph, or its graph is not such a tree.
    pub fn open(file: &Path, arena_bytes: usize) -> Result<Self, Failure> {
        let graph = Graph::open(file)?;
        let declared = |order| {
            walk(order)
                .evaluator(Evaluator::include_labels("B"))
                .evaluator(Evaluator::include_number("value", 1..=1))
                .compile(&graph)
        };
        let plans = vec![
            ("depth_first", declared(Order::DepthFirst)?),
            ("breadth_first", declared(Order::BreadthFirst)?),
            (WITH_FUNCTION, walk(Order::DepthFirst).compile(&graph)?),
        ];
        let root = graph.nodes("Root")?.iter().next();
        Ok(Self {
            plans,
            root: root.ok_or_else(|| Failure("the graph has no Root".to_owned()))?,
            b: graph.label("B")?,
            value: graph.property("value")?,
            arena: Arena::new(arena_bytes),
            never: Cancel::default(),
            graph,
        })
    }

    /// The names of the walks.
    pub fn walks(&self) -> Vec<&'static str> {
        self.plans.iter().map(|(name, _)| *name).collect()
    }

    /// Runs the walk `name` once, and returns its counts. For [`WITH_FUNCTION`], the callback counts the
    /// values that it reads.
    ///
    /// # Errors
    /// An unknown name, or a walk that was stopped.
    pub fn walk(&mut self, name: &str) -> Result<Counts, Failure> {
        Ok(self.try_walk(name)??)
    }

    /// Runs the walk `name` once. If the walk is stopped, for example by the limit of the arena, the inner
    /// result is the reason.
    ///
    /// # Errors
    /// An unknown name.
    pub fn try_walk(&mut self, name: &str) -> Result<Result<Counts, WalkError>, Failure> {
        let never = self.never.clone();
        self.walk_until(name, &never)
    }

    /// Runs the walk `name`, and returns whether the cancel flag stopped it.
    ///
    /// # Errors
    /// An unknown name, or a walk that was stopped for another reason.
    pub fn is_cancelled(&mut self, name: &str, cancel: &Cancel) -> Result<bool, Failure> {
        match self.walk_until(name, cancel)? {
            Ok(_) => Ok(false),
            Err(WalkError::Cancelled) => Ok(true),
            Err(error) => Err(error.into()),
        }
    }

    fn walk_until(&mut self, name: &str, cancel: &Cancel) -> Result<Result<Counts, WalkError>, Failure> {
        let Self { plans, root, b, value, arena, .. } = self;
        let plan = plans.iter().find(|(known, _)| *known == name).map(|(_, plan)| plan);
        let plan = plan.ok_or_else(|| Failure(format!("there is no walk {name}")))?;
        if name == WITH_FUNCTION {
            return Ok(walk_with_function(plan, arena, *root, (*b, value), cancel));
        }
        Ok(plan.run(arena, &[*root]).and_then(|run| {
            let mut run = run.task(&Task::new().cancel(cancel));
            run.count()?;
            Ok(run.counts())
        }))
    }

    /// The maximum number of bytes that a walk has held so far.
    pub fn most_bytes(&self) -> usize {
        self.arena.budget().most()
    }

    /// Fails if a walk has found damage in the file.
    ///
    /// # Errors
    /// Damage of the file.
    pub fn check(&self) -> Result<(), Failure> {
        Ok(self.graph.check()?)
    }
}

/// The walk of the articles, without the condition that selects results.
fn walk(order: Order) -> Walk {
    Walk::in_order(order)
        .unique(Uniqueness::None)
        .hop(Hop::out("HAS_B").from("A"))
        .hop(Hop::out("HAS_A").from("B"))
}

/// Runs the walk with a callback as evaluator, which counts the values that it reads.
fn walk_with_function(
    plan: &Plan,
    arena: &mut Arena,
    root: u32,
    (b, value): (LabelId, &Property),
    cancel: &Cancel,
) -> Result<Counts, WalkError> {
    let mut value_reads = 0;
    let run = plan.run_with(arena, &[root], |visit| {
        let is_b = visit.has(b);
        value_reads += u64::from(is_b);
        Evaluation::of(is_b && value.number(visit.node()) == Some(1), true)
    })?;
    let mut run = run.task(&Task::new().cancel(cancel));
    run.count()?;
    let counts = run.counts();
    drop(run);
    Ok(Counts { value_reads, ..counts })
}
