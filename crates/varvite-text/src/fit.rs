//! The adaptation of a plan to a graph.
//!
//! A query may name every label and property of the schema of code property graphs. A file has only those
//! that were stored, and the engine refuses a plan with other names, since in a plan they are misspelt. In a
//! query they are not: no node has them, and the adapted plan gives no row.

use varvite::Graph;
use varvite::pipeline::{Case, Emit, Key, Operands, Pipeline, PipelineError, Plan, Repeat, Step, Steps, it};

use crate::names::{PROPERTIES, ValueKind};

/// Compiles a plan for a graph. A step that asks for a name of the schema which the graph lacks gives no row.
///
/// # Errors
/// Those of [`Pipeline::compile`].
pub fn compile(plan: &Pipeline, graph: &Graph) -> Result<Plan, PipelineError> {
    let mut steps = Names::of(graph).steps(plan.steps());
    // A test of a property that no node of the starting label has is refused too, one at a time.
    loop {
        let fitted = steps.iter().cloned().fold(Pipeline::default(), Pipeline::then);
        match fitted.compile(graph) {
            Err(PipelineError::NotOfLabel { at, property, labels, owners }) => {
                let step =
                    at.path().parse::<usize>().ok().and_then(|number| steps.get_mut(number.checked_sub(1)?));
                match step.filter(|step| matches!(step, Step::Has { .. })) {
                    Some(step) => *step = Step::Limit { count: 0 },
                    None => return Err(PipelineError::NotOfLabel { at, property, labels, owners }),
                }
            }
            outcome => return outcome,
        }
    }
}

/// The names that a graph has.
struct Names<'g> {
    graph: &'g Graph,
}

impl<'g> Names<'g> {
    fn of(graph: &'g Graph) -> Self {
        Self { graph }
    }

    fn has_label(&self, label: &str) -> bool {
        self.graph.labels().iter().any(|known| known.name == label)
    }

    fn has_edge(&self, label: &str) -> bool {
        self.graph.edge_labels().iter().any(|known| known.name == label)
    }

    fn has_property(&self, property: &str) -> bool {
        let of_nodes = |known: &&varvite::PropertyInfo| known.edge_label.is_none() && known.name == property;
        self.graph.properties().iter().find(of_nodes).is_some()
    }

    fn steps(&self, steps: &[Step]) -> Vec<Step> {
        steps.iter().flat_map(|step| self.step(step)).collect()
    }

    fn inner(&self, steps: &Steps) -> Steps {
        Steps(self.steps(&steps.0))
    }

    fn all(&self, branches: &[Steps]) -> Vec<Steps> {
        branches.iter().map(|steps| self.inner(steps)).collect()
    }

    /// The steps that take the place of a step.
    fn step(&self, step: &Step) -> Vec<Step> {
        let labels = |labels: &[String]| self.known(labels, Self::has_label);
        let edges = |labels: &[String]| self.known(labels, Self::has_edge);
        let fitted = match step {
            Step::Nodes { labels: all } => match labels(all) {
                Some(labels) => Step::Nodes { labels },
                None => return vec![Step::Nodes { labels: Vec::new() }, Step::Limit { count: 0 }],
            },
            Step::HasLabel { labels: all } => labels(all).map_or(NOTHING, |labels| Step::HasLabel { labels }),
            Step::Out { labels } => edges(labels).map_or(NOTHING, |labels| Step::Out { labels }),
            Step::In { labels } => edges(labels).map_or(NOTHING, |labels| Step::In { labels }),
            Step::Both { labels } => edges(labels).map_or(NOTHING, |labels| Step::Both { labels }),
            Step::Has { property, .. } if !self.has_property(property) => NOTHING,
            Step::HasNot { property, .. } if !self.has_property(property) => return Vec::new(),
            Step::Values { property } if !self.has_property(property) => return self.no_values(property),
            Step::NearestAncestor { labels: all, condition } => match labels(all) {
                Some(labels) => Step::NearestAncestor {
                    labels,
                    condition: condition.as_ref().map(|steps| self.inner(steps)),
                },
                None => NOTHING,
            },
            step => self.enclosing(step),
        };
        vec![fitted]
    }

    /// A step with the pipelines inside it adapted.
    fn enclosing(&self, step: &Step) -> Step {
        match step {
            Step::Where { pipeline } => Step::Where { pipeline: self.inner(pipeline) },
            Step::WhereNot { pipeline } => Step::WhereNot { pipeline: self.inner(pipeline) },
            Step::And { branches } => Step::And { branches: self.all(branches) },
            Step::Or { branches } => Step::Or { branches: self.all(branches) },
            Step::Union { branches } => Step::Union { branches: self.all(branches) },
            Step::Coalesce { branches } => Step::Coalesce { branches: self.all(branches) },
            Step::Choose { on, cases, otherwise } => Step::Choose {
                on: self.inner(on),
                cases: cases
                    .iter()
                    .map(|case| Case { is: case.is.clone(), then: self.inner(&case.then) })
                    .collect(),
                otherwise: otherwise.as_ref().map(|steps| self.inner(steps)),
            },
            Step::Repeat(repeat) => Step::Repeat(self.repeat(repeat)),
            Step::Filter { by } => Step::Filter { by: self.key(by) },
            Step::Map { by } => Step::Map { by: self.key(by) },
            Step::Dedup { by } => Step::Dedup { by: self.key(by) },
            Step::Order { by, descending } => Step::Order { by: self.key(by), descending: *descending },
            Step::GroupCount { by } => Step::GroupCount { by: self.key(by) },
            Step::Group { by } => Step::Group { by: self.key(by) },
            Step::Columns { columns } => {
                Step::Columns { columns: columns.iter().map(|key| self.key(key)).collect() }
            }
            step => step.clone(),
        }
    }

    fn repeat(&self, repeat: &Repeat) -> Repeat {
        let inner = |steps: &Option<Steps>| steps.as_ref().map(|steps| self.inner(steps));
        Repeat {
            body: self.inner(&repeat.body),
            until: inner(&repeat.until),
            whilst: inner(&repeat.whilst),
            emit: match &repeat.emit {
                Some(Emit::Where(steps)) => Some(Emit::Where(self.inner(steps))),
                emit => emit.clone(),
            },
            ..repeat.clone()
        }
    }

    fn key(&self, key: &Key) -> Key {
        match key {
            Key::Property(property) if !self.has_property(property) => {
                Key::First(Steps(self.no_values(property)))
            }
            Key::First(steps) => Key::First(self.inner(steps)),
            Key::List(steps) => Key::List(self.inner(steps)),
            Key::Exists(steps) => Key::Exists(self.inner(steps)),
            Key::Function(function, operands) => {
                let operands = operands.0.iter().map(|key| self.key(key)).collect();
                Key::Function(function.clone(), Operands(operands))
            }
            Key::Named(name, key) => Key::Named(name.clone(), Box::new(self.key(key))),
            key => key.clone(),
        }
    }

    /// Steps that give no value, of the type that a property's values have.
    fn no_values(&self, property: &str) -> Vec<Step> {
        let known = PROPERTIES.iter().find(|known| known.name == property);
        let none = it().limit(0);
        let none = match known.map(|property| property.kind) {
            Some(ValueKind::Integer) => none.map(Key::constant(0)),
            Some(ValueKind::Boolean) => none.map(Key::constant(false)),
            Some(ValueKind::Text) | None => none.map(Key::constant("")),
        };
        none.steps().to_vec()
    }

    /// The labels that the graph has: `None` if it has none of those given. An empty list stands for all.
    fn known(&self, labels: &[String], is_known: impl Fn(&Self, &str) -> bool) -> Option<Vec<String>> {
        let known: Vec<String> = labels.iter().filter(|label| is_known(self, label)).cloned().collect();
        (labels.is_empty() || !known.is_empty()).then_some(known)
    }
}

/// The step in place of one that gives no row.
const NOTHING: Step = Step::Limit { count: 0 };
