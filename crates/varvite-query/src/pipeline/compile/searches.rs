//! [`KeyOf`]: the surroundings of a key that is compiled. [`Searches`]: the nodes that several keys of a step
//! look for, such as the METHOD of a row if its name and its file are two columns. Each search runs once for
//! all of these keys.

use std::cell::{Cell, RefCell};

use super::{Compiler, bad_step};
use crate::pipeline::description::{Key, Step, Steps};
use crate::pipeline::error::{Result, StepAt};
use crate::pipeline::fault::StepFault;
use crate::pipeline::plan::{Computation, ComputedKey, KeyPlan, Physical};
use crate::pipeline::rows::{ColumnSpec, Meaning, Shape};

/// The rows and the step of a key that is compiled.
pub(super) struct KeyOf<'k> {
    pub(super) shape: &'k Shape,
    pub(super) at: &'k StepAt,
    /// The number of the key among those of the step, if the step may have several.
    pub(super) column: Option<usize>,
    pub(super) searches: &'k Searches<'k>,
    /// The number of inner pipelines and of functions compiled so far.
    pub(super) pipelines: Cell<usize>,
    pub(super) functions: Cell<usize>,
}

impl<'k> KeyOf<'k> {
    pub(super) fn new(
        shape: &'k Shape,
        at: &'k StepAt,
        column: Option<usize>,
        searches: &'k Searches<'k>,
    ) -> Self {
        Self { shape, at, column, searches, pipelines: Cell::new(0), functions: Cell::new(0) }
    }

    /// The prefix of the numbers of the steps in the next inner pipeline.
    pub(super) fn next_prefix(&self) -> String {
        let number = self.pipelines.get() + 1;
        self.pipelines.set(number);
        match self.column {
            Some(column) => format!("{}.{column}.{number}.", self.at.path()),
            None => format!("{}.{number}.", self.at.path()),
        }
    }
}

/// The maximum number of different searches of a step. Further ones are not shared.
const SEARCHES_MAX: usize = 64;

/// The searches that several keys of a step share.
#[derive(Debug, Default)]
pub(super) struct Searches<'k> {
    shared: Vec<&'k [Step]>,
    /// The searches that were compiled, with the index of each among the computed keys. Without an index, a
    /// search may find several nodes for a row, so that each key searches on its own.
    compiled: RefCell<Vec<(&'k [Step], Option<usize>)>>,
    keys: RefCell<Vec<ComputedKey>>,
}

impl<'k> Searches<'k> {
    /// Finds the searches that several keys of a step share.
    pub(super) fn of(step: &'k Step) -> Self {
        let (mut once, mut shared) = (Vec::new(), Vec::new());
        let mut see = |search: &'k [Step]| match once.iter().position(|other| *other == search) {
            _ if shared.contains(&search) => {}
            Some(place) => shared.push(once.swap_remove(place)),
            None if once.len() + shared.len() < SEARCHES_MAX => once.push(search),
            None => {}
        };
        for (_, key) in step.keys() {
            key.each_operand(|operand| {
                if let Key::First(steps) = operand
                    && let Some((search, _)) = parts(steps)
                {
                    see(search);
                }
            });
        }
        Self { shared, ..Self::default() }
    }

    /// Takes the searches that were compiled, as computed keys.
    pub(super) fn take(&self) -> Vec<ComputedKey> {
        self.keys.take()
    }
}

/// The steps that find a node, and the property that the last step reads. `None` for other pipelines.
fn parts(steps: &Steps) -> Option<(&[Step], &str)> {
    match steps.0.split_last()? {
        (Step::Values { property }, search) if !search.is_empty() => Some((search, property)),
        _ => None,
    }
}

impl Compiler<'_> {
    /// The property of a node that a shared search finds. `None` if the pipeline does not begin with such a
    /// search. `prefix` begins the numbers of its steps.
    pub(super) fn found<'k>(
        &self,
        steps: &'k Steps,
        of: &KeyOf<'k>,
        prefix: &str,
    ) -> Result<Option<KeyPlan>> {
        let Some((search, property)) = parts(steps) else { return Ok(None) };
        if !of.searches.shared.contains(&search) || matches!(of.shape, Shape::Table(_)) {
            return Ok(None);
        }
        let Some(index) = self.shared_search(search, of, prefix)? else { return Ok(None) };
        let last = steps.0.last().ok_or_else(|| bad_step(of.at, StepFault::Unforeseen))?;
        let at = StepAt::new(&format!("{prefix}{}", steps.0.len()), last.name());
        let plan = self.property(property, &Shape::Nodes, &at)?;
        Ok((!plan.property.is_list()).then_some(KeyPlan::Found(index, plan)))
    }

    /// The index of a search among the computed keys of the step.
    fn shared_search<'k>(&self, search: &'k [Step], of: &KeyOf<'k>, prefix: &str) -> Result<Option<usize>> {
        let known = of.searches.compiled.borrow().iter().find(|(other, _)| *other == search).copied();
        if let Some((_, index)) = known {
            return Ok(index);
        }
        let steps = self.inside_condition().steps(search, Some(of.shape), prefix)?;
        let finds_one = matches!(steps.last().map(|last| &last.shape), Some(Shape::Nodes))
            && steps.iter().all(Physical::gives_at_most_one);
        let mut keys = of.searches.keys.borrow_mut();
        let index = finds_one.then_some(keys.len());
        if finds_one {
            self.take_list::<(ComputedKey, ComputedKey)>(1, of.at)?;
            of.functions.set(of.functions.get() + 1);
            let column = ColumnSpec::new("node", Meaning::Node);
            keys.push(ComputedKey { by: Computation::Search(steps), column });
        }
        of.searches.compiled.borrow_mut().push((search, index));
        Ok(index)
    }
}
