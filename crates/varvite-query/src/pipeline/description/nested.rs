//! Pipelines nested in steps: code that visits all of them, checks their depth, and drops them.
//!
//! A description, built by a program or read from a text, may be nested deeper than the stack allows. So
//! neither the code that visits a description before its depth is checked, nor the code that drops one, uses
//! recursion: both keep the remaining work in a vector.

use super::key::{self, Part};
use super::{Emit, Key, Pipeline, Step, Steps};
use crate::pipeline::error::{PipelineError, Result, StepAt};
use crate::pipeline::fault::StepFault;

/// The maximum depth of nested pipelines and functions of keys.
pub(crate) const DEPTH_MAX: usize = 256;
/// The maximum number of steps and operands of a plan, including nested ones.
pub(crate) const STEPS_MAX: usize = 100_000;

/// A pipeline nested in a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inside<'s> {
    pub(crate) steps: &'s Steps,
    way: Separator,
    /// Whether the pipeline is a condition, so that its rows are not results of the step.
    pub(crate) is_asked: bool,
    /// The number of functions of a key between the step and the pipeline.
    functions: usize,
}

/// The text between the number of a step and the numbers of the steps nested in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Separator {
    Nothing,
    Number(usize),
    /// The number of a column, and that of a pipeline in its key.
    Numbers(usize, usize),
    On,
}

/// The size of a whole description.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extent {
    /// The depth of nested pipelines and functions of keys.
    pub(crate) depth: usize,
    /// The depth of nested calls in a run: one for each preceding step of a pipeline, at every level of
    /// nesting.
    pub(crate) levels: usize,
}

/// A pipeline on the path to the current step.
#[derive(Debug)]
struct Level<'s> {
    steps: &'s [Step],
    /// The index of the next step. The current step is the one before it.
    next: usize,
    /// The number of the next pipeline nested in the current step.
    inner: usize,
    /// The remaining pipelines in the keys of the current step.
    in_keys: std::vec::IntoIter<Inside<'s>>,
    /// The number of pipelines and functions that enclose the pipeline.
    depth: usize,
    /// The number of calls that enclose the pipeline.
    around: usize,
    way: Separator,
    is_asked: bool,
}

/// Visits every step of a description. The steps nested in a step are visited directly after that step.
#[derive(Debug)]
pub(crate) struct Descent<'s> {
    levels: Vec<Level<'s>>,
    extent: Extent,
    count: usize,
    depth_max: usize,
    steps_max: usize,
}

impl<'s> Level<'s> {
    /// The next pipeline nested in the current step.
    fn next_inside(&mut self) -> Option<Inside<'s>> {
        let step = self.steps.get(self.next.checked_sub(1)?)?;
        let inside = step.inside(self.inner).or_else(|| self.in_keys.next())?;
        self.inner += 1;
        Some(inside)
    }
}

impl<'s> Descent<'s> {
    pub(crate) fn new(steps: &'s [Step]) -> Self {
        let outermost = Level {
            steps,
            next: 0,
            inner: 0,
            in_keys: Vec::new().into_iter(),
            depth: 0,
            around: 0,
            way: Separator::Nothing,
            is_asked: false,
        };
        let (levels, extent) = (vec![outermost], Extent::default());
        Self { levels, extent, count: 0, depth_max: DEPTH_MAX, steps_max: STEPS_MAX }
    }

    /// A visit, without limits, of a description whose size was not checked.
    pub(crate) fn without_limits(steps: &'s [Step]) -> Self {
        Self { depth_max: usize::MAX, steps_max: usize::MAX, ..Self::new(steps) }
    }

    /// Returns the next step. `None` after the last one.
    ///
    /// # Errors
    /// [`PipelineError::BadStep`] at the first step beyond the limits.
    pub(crate) fn next(&mut self) -> Result<Option<&'s Step>> {
        loop {
            let Some(level) = self.levels.last_mut() else { return Ok(None) };
            if let Some(inside) = level.next_inside() {
                self.enter(inside)?;
                continue;
            }
            let Some(step) = level.steps.get(level.next) else {
                self.levels.pop();
                continue;
            };
            (level.next, level.inner) = (level.next + 1, 0);
            self.extent.levels = self.extent.levels.max(level.around + level.next);
            self.count(1)?;
            self.visit_keys(step)?;
            return Ok(Some(step));
        }
    }

    /// Goes to a pipeline nested in the current step.
    fn enter(&mut self, inside: Inside<'s>) -> Result<()> {
        let Some(level) = self.levels.last() else { return Ok(()) };
        let Inside { steps, way, functions, .. } = inside;
        let (around, is_asked) = (level.around + level.next, level.is_asked || inside.is_asked);
        let depth = level.depth + functions + 1;
        self.deepen(depth)?;
        let (steps, in_keys) = (&steps.0[..], Vec::new().into_iter());
        self.levels.push(Level { steps, next: 0, inner: 0, in_keys, depth, around, way, is_asked });
        Ok(())
    }

    /// Finds the pipelines in the keys of the current step, and counts the operands of the keys' functions.
    fn visit_keys(&mut self, step: &'s Step) -> Result<()> {
        let (mut found, mut operands, mut deepest) = (Vec::new(), 0, 0);
        for (number, key) in step.keys() {
            key.each_part(|part, functions| match part {
                Part::Key(_) => {
                    operands += usize::from(functions > 0);
                    deepest = deepest.max(functions);
                }
                Part::Pipeline(inside) => {
                    let key::Inside { steps, number: within } = inside;
                    let way = Separator::of_key(number, within);
                    found.push(Inside { steps, way, is_asked: true, functions });
                }
            });
        }
        let Some(level) = self.levels.last_mut() else { return Ok(()) };
        level.in_keys = found.into_iter();
        let deepest = level.depth + deepest;
        self.deepen(deepest)?;
        self.count(operands)
    }

    fn deepen(&mut self, depth: usize) -> Result<()> {
        if depth > self.depth_max {
            return Err(self.refused(StepFault::TooDeep { most: DEPTH_MAX }));
        }
        self.extent.depth = self.extent.depth.max(depth);
        Ok(())
    }

    fn count(&mut self, more: usize) -> Result<()> {
        self.count += more;
        match self.count > self.steps_max {
            true => Err(self.refused(StepFault::TooManySteps { most: STEPS_MAX })),
            false => Ok(()),
        }
    }

    /// Visits the remaining steps.
    ///
    /// # Errors
    /// The errors of [`Descent::next`].
    pub(crate) fn finish(mut self) -> Result<Extent> {
        while self.next()?.is_some() {}
        Ok(self.extent)
    }

    /// Whether the last visited step is inside a condition.
    pub(crate) fn is_asked(&self) -> bool {
        self.levels.last().is_some_and(|level| level.is_asked)
    }

    /// The size of the steps visited so far.
    pub(crate) fn extent(&self) -> Extent {
        self.extent
    }

    /// The error for the last visited step.
    pub(crate) fn refused(&self, fault: StepFault) -> PipelineError {
        let mut path = String::new();
        for level in &self.levels {
            match level.way {
                Separator::Nothing => {}
                Separator::Number(number) => path.push_str(&format!("{number}.")),
                Separator::Numbers(column, number) => path.push_str(&format!("{column}.{number}.")),
                Separator::On => path.push_str("on."),
            }
            path.push_str(&format!("{}.", level.next));
        }
        let step = self.levels.last().and_then(|level| level.steps.get(level.next.wrapping_sub(1)));
        let at = StepAt::new(path.trim_end_matches('.'), step.map_or("nodes", Step::name));
        PipelineError::BadStep { at, fault }
    }
}

impl Separator {
    /// The text before the steps of a pipeline in a key. `column` is the number of the key among those of the
    /// step, if the step may have several, and `number` that of the pipeline in the key.
    fn of_key(column: Option<usize>, number: Option<usize>) -> Self {
        match (column, number) {
            (Some(column), Some(number)) => Self::Numbers(column, number),
            (Some(number), None) | (None, Some(number)) => Self::Number(number),
            (None, None) => Self::Nothing,
        }
    }
}

impl Pipeline {
    /// Checks that the description is within the limits, and returns its size.
    pub(super) fn check_extent(&self) -> Result<Extent> {
        Descent::new(self.steps()).finish()
    }
}

impl Step {
    /// The nested pipeline with this number, which counts from 0. `None` after the last one. Pipelines in
    /// keys are not among them.
    pub(crate) fn inside(&self, number: usize) -> Option<Inside<'_>> {
        let given = |steps, way| Inside { steps, way, is_asked: false, functions: 0 };
        let asked = |steps, way| Inside { steps, way, is_asked: true, functions: 0 };
        let nth = |branches: &'_ Vec<Steps>| branches.get(number).map(|_| Separator::Number(number + 1));
        match self {
            Self::Where { pipeline } | Self::WhereNot { pipeline } => {
                (number == 0).then(|| asked(pipeline, Separator::Nothing))
            }
            Self::NearestAncestor { condition, .. } => {
                condition.as_ref().filter(|_| number == 0).map(|steps| asked(steps, Separator::Nothing))
            }
            Self::And { branches } | Self::Or { branches } => {
                nth(branches).map(|way| asked(&branches[number], way))
            }
            Self::Union { branches } | Self::Coalesce { branches } => {
                nth(branches).map(|way| given(&branches[number], way))
            }
            Self::Choose { on, cases, otherwise } => match number.checked_sub(cases.len()) {
                None => Some(given(&cases[number].then, Separator::Number(number + 1))),
                Some(0) => Some(asked(on, Separator::On)),
                Some(1) => otherwise.as_ref().map(|steps| given(steps, Separator::Number(number))),
                Some(_) => None,
            },
            Self::Repeat(repeat) => {
                let emitted = match &repeat.emit {
                    Some(Emit::Where(steps)) => Some(steps),
                    _ => None,
                };
                let asked_of = [repeat.until.as_ref(), repeat.whilst.as_ref(), emitted];
                match number {
                    0 => Some(given(&repeat.body, Separator::Nothing)),
                    _ => asked_of
                        .into_iter()
                        .flatten()
                        .nth(number - 1)
                        .map(|steps| asked(steps, Separator::Nothing)),
                }
            }
            _ => None,
        }
    }

    /// The keys of the step. If the step may have several, each with its number, from 1.
    pub(crate) fn keys(&self) -> impl Iterator<Item = (Option<usize>, &Key)> {
        let columns = match self {
            Self::Columns { columns } => &columns[..],
            _ => &[],
        };
        let numbered = (1..).zip(columns).map(|(number, key)| (Some(number), key));
        self.key().map(|key| (None, key)).into_iter().chain(numbered)
    }

    /// The key by which the step sorts, groups, compares, keeps or replaces rows. `None` for other steps.
    pub(crate) fn key(&self) -> Option<&Key> {
        match self {
            Self::Dedup { by }
            | Self::Order { by, .. }
            | Self::GroupCount { by }
            | Self::Group { by }
            | Self::Summarize { by, .. }
            | Self::Filter { by }
            | Self::Map { by } => Some(by),
            _ => None,
        }
    }

    /// Calls `take` with the steps of each nested pipeline.
    fn each_inside(&mut self, mut take: impl FnMut(&mut Steps)) {
        match self {
            Self::Where { pipeline } | Self::WhereNot { pipeline } => take(pipeline),
            Self::NearestAncestor { condition, .. } => condition.iter_mut().for_each(take),
            Self::And { branches }
            | Self::Or { branches }
            | Self::Union { branches }
            | Self::Coalesce { branches } => branches.iter_mut().for_each(take),
            Self::Choose { on, cases, otherwise } => {
                take(on);
                cases.iter_mut().map(|case| &mut case.then).chain(otherwise).for_each(take);
            }
            Self::Repeat(repeat) => {
                take(&mut repeat.body);
                repeat.until.iter_mut().chain(&mut repeat.whilst).for_each(&mut take);
                if let Some(Emit::Where(steps)) = &mut repeat.emit {
                    take(steps);
                }
            }
            Self::Columns { columns } => columns.iter_mut().for_each(|key| key.each_pipeline_mut(&mut take)),
            Self::Dedup { by }
            | Self::Order { by, .. }
            | Self::GroupCount { by }
            | Self::Group { by }
            | Self::Summarize { by, .. }
            | Self::Filter { by }
            | Self::Map { by } => by.each_pipeline_mut(take),
            _ => {}
        }
    }
}

/// Drops nested steps one by one, so that no depth of nesting overflows the stack.
impl Drop for Steps {
    fn drop(&mut self) {
        let mut left = std::mem::take(&mut self.0);
        while let Some(mut step) = left.pop() {
            step.each_inside(|steps| left.append(&mut steps.0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::{ALL, Repeat, eq, it, nodes};

    fn nested(depth: usize) -> Pipeline {
        let mut inside = it().out(ALL);
        for _ in 0..depth {
            inside = it().where_(inside);
        }
        nodes(ALL).where_(inside)
    }

    fn refusal(pipeline: &Pipeline) -> String {
        pipeline.check_extent().unwrap_err().to_string()
    }

    #[test]
    fn pipelines_are_nested_256_deep_and_no_deeper() {
        assert_eq!(nested(255).check_extent().unwrap(), Extent { depth: 256, levels: 258 });
        let message = refusal(&nested(256));
        assert!(
            message.starts_with("step 2.1.1.") && message.ends_with("is nested deeper than 256 pipelines")
        );
    }

    #[test]
    fn what_is_nested_a_million_deep_is_refused_and_dropped() {
        assert!(nested(1_000_000).check_extent().is_err());
    }

    #[test]
    fn functions_count_as_depth_and_their_operands_as_steps() {
        let not = |count, key| (0..count).fold(key, |key, _| Key::not(key));
        let filter = |key| nodes(ALL).filter(key);
        let most = filter(not(255, Key::exists(it().out(ALL)))).check_extent().unwrap();
        assert_eq!(most, Extent { depth: 256, levels: 3 });
        let message = refusal(&filter(not(256, Key::exists(it().out(ALL)))));
        assert_eq!(message, "step 2 (filter): is nested deeper than 256 pipelines");
        assert_eq!(filter(not(256, Key::Itself)).check_extent().unwrap().depth, 256);
        assert!(filter(not(257, Key::Itself)).check_extent().is_err());
        assert!(filter(not(1_000_000, Key::Itself)).check_extent().is_err());
        let wide = |count| it().map(Key::concat((0..count).map(|_| Key::Itself)));
        assert!(wide(STEPS_MAX - 1).check_extent().is_ok());
        assert_eq!(refusal(&wide(STEPS_MAX)), "step 1 (map): a plan has at most 100000 steps");
    }

    #[test]
    fn errors_in_keys_name_the_column_and_the_pipeline() {
        let many = (0..STEPS_MAX).fold(it(), |pipeline, _| pipeline.skip(0));
        let both = Key::equal(Key::first(it()), Key::first(many));
        let columns = nodes(ALL).columns([Key::Label, both.clone()]);
        assert!(refusal(&columns).starts_with("step 2.2.2.99997 (skip)"), "{}", refusal(&columns));
        let filter = nodes(ALL).filter(both);
        assert!(refusal(&filter).starts_with("step 2.2.99997 (skip)"), "{}", refusal(&filter));
    }

    #[test]
    fn steps_are_counted_in_all() {
        let steps = |count: usize| (0..count).fold(it(), |pipeline, _| pipeline.skip(0));
        assert_eq!(steps(STEPS_MAX).check_extent().unwrap().levels, STEPS_MAX);
        assert_eq!(refusal(&steps(STEPS_MAX + 1)), "step 100001 (skip): a plan has at most 100000 steps");
        let halves = it().union([steps(50_000), steps(49_999)]);
        assert_eq!(halves.check_extent().unwrap(), Extent { depth: 1, levels: 50_001 });
        let more = it().union([steps(50_000), steps(50_000)]);
        assert_eq!(refusal(&more), "step 1.2.50000 (skip): a plan has at most 100000 steps");
    }

    #[test]
    fn every_pipeline_inside_is_looked_at() {
        let mark = || it().limit(7);
        let all = [
            it().where_(mark()),
            it().where_not(mark()),
            it().and([mark(), mark()]),
            it().or([mark()]),
            it().nearest_ancestor_where(ALL, mark()),
            it().union([it(), mark(), mark()]),
            it().coalesce([mark()]),
            it().choose(mark(), [(eq(1), mark())], Some(mark())),
            it().choose(mark(), [], None),
            it().repeat(mark(), |repeat| repeat.until(mark()).whilst(mark()).emit_where(mark())),
            it().repeat(mark(), Repeat::emit),
            it().dedup_by(Key::first(mark())),
            it().order_by(Key::exists(mark()).named("it")),
            it().group_count(Key::first(mark())),
            it().group(Key::first(mark())),
            it().summarize(Key::first(mark()), []),
            it().filter(Key::and([Key::exists(mark()), Key::not(Key::equal(Key::first(mark()), "NAME"))])),
            it().map(Key::length(Key::first(mark()))),
            it().columns([Key::Itself, Key::list(mark()), Key::Label, Key::exists(mark()).named("it")]),
        ];
        for pipeline in all {
            let mut descent = Descent::new(pipeline.steps());
            let mut found = 0;
            while let Some(step) = descent.next().unwrap() {
                found += usize::from(*step == (Step::Limit { count: 7 }));
            }
            assert_eq!(found, pipeline.to_json().matches("\"limit\"").count(), "{pipeline:?}");
        }
    }
}
