//! The explanation of a plan: one line for each operator, with the expected number of rows and, after a run,
//! the measurements.

use std::fmt;
use std::time::Duration;

use super::filter::{Filter, LabelFilter, ValueFilter};
use super::key::KeyPlan;
use super::reach::{Reach, Walk};
use super::{
    Body, ComputedKey, DirectedLabel, Driver, EmitPlan, Operator, Physical, Plan, PropertyPlan, RepeatPlan,
    ScanPlan,
};
use crate::pipeline::description::WalkOrder;
use crate::pipeline::error::StepAt;

/// The explanation of a plan, operator by operator.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// The lines, in the order of the steps. Lines of nested steps follow their step.
    pub lines: Vec<ExplainedStep>,
}

/// A line of an [`Explanation`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ExplainedStep {
    /// The number of steps that enclose this one.
    pub depth: usize,
    /// The steps that the operator executes, in order.
    pub steps: Vec<StepAt>,
    /// The operator in words.
    pub operator: String,
    /// The estimated number of result rows. For a nested step, the number per input row.
    pub rows_expected: f64,
    /// The measurements of a run. `None` for nested steps, which are measured as part of the enclosing step.
    pub measured: Option<MeasuredStep>,
}

/// The measurements of one operator in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MeasuredStep {
    /// The number of result rows.
    pub rows: u64,
    /// The number of result batches.
    pub batches: u64,
    /// The time spent, not including the operators before it.
    pub time: Duration,
    /// The number of values that searches of a column have read. In a search for a range of numbers, this
    /// includes all values of each block that may have a match.
    pub values_read: u64,
    /// The bytes of the operator's batch, plus the peak number of bytes that the run held while the operator
    /// worked, not counting batches.
    pub bytes: usize,
}

/// The maximum width, in characters, of a column of the printed table. A longer text is printed in full,
/// beyond its column.
const WIDTH_MAX: usize = 1000;

impl Plan {
    /// Explains the plan, without reading the graph.
    pub fn explain(&self) -> Explanation {
        let mut lines = Vec::new();
        explain_steps(&self.steps, 0, &mut lines);
        Explanation { lines }
    }
}

impl fmt::Display for Explanation {
    /// Writes a table for human readers. The layout may change between versions.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_profile = self.lines.iter().any(|line| line.measured.is_some());
        let name = |line: &ExplainedStep| format!("{}{}", "  ".repeat(line.depth), line.name());
        let names: Vec<String> = self.lines.iter().map(name).collect();
        let width = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0).clamp(8, WIDTH_MAX);
        let first = width(&mut names.iter().map(|name| name.chars().count()));
        let second = width(&mut self.lines.iter().map(|line| line.operator.chars().count()));
        write!(formatter, "{:first$}  {:second$}  {:>12}", "step", "operator", "est. rows")?;
        if is_profile {
            write!(formatter, "  {:>12}  {:>10}  {:>12}", "rows", "ms", "bytes")?;
        }
        writeln!(formatter)?;
        for (line, name) in self.lines.iter().zip(&names) {
            write!(formatter, "{name:first$}  {:second$}  {:>12.0}", line.operator, line.rows_expected)?;
            if let Some(measured) = line.measured {
                let milliseconds = measured.time.as_secs_f64() * 1e3;
                let MeasuredStep { rows, bytes, .. } = measured;
                write!(formatter, "  {rows:>12}  {milliseconds:>10.3}  {bytes:>12}")?;
            }
            writeln!(formatter)?;
        }
        Ok(())
    }
}

impl ExplainedStep {
    /// The numbers and names of the steps.
    pub fn name(&self) -> String {
        let (Some(first), Some(last)) = (self.steps.first(), self.steps.last()) else { return String::new() };
        let names: Vec<&str> = self.steps.iter().map(StepAt::name).collect();
        let numbers = match self.steps.len() {
            1 => first.path().to_owned(),
            _ => format!("{}-{}", first.path(), last.path()),
        };
        format!("{numbers} {}", names.join(", "))
    }
}

fn explain_steps(steps: &[Physical], depth: usize, lines: &mut Vec<ExplainedStep>) {
    for step in steps.iter().filter(|step| !matches!(step.operator, Operator::InnerInput)) {
        lines.push(ExplainedStep {
            depth,
            steps: step.merged.iter().chain(std::iter::once(&step.at)).cloned().collect(),
            operator: step.operator.words(),
            rows_expected: step.rows,
            measured: None,
        });
        match &step.operator {
            Operator::Union(branches) | Operator::Coalesce(branches) => {
                branches.iter().for_each(|branch| explain_steps(branch, depth + 1, lines));
            }
            Operator::Choose(choose) => {
                explain_steps(&choose.on, depth + 1, lines);
                let branches = choose.cases.iter().map(|(_, steps)| steps).chain(&choose.otherwise);
                branches.for_each(|branch| explain_steps(branch, depth + 1, lines));
            }
            Operator::Repeat(repeat) => {
                if let Body::Steps(body) = &repeat.body {
                    explain_steps(body, depth + 1, lines);
                }
            }
            Operator::Compute(keys) => {
                keys.iter()
                    .flat_map(ComputedKey::pipelines)
                    .for_each(|steps| explain_steps(steps, depth + 1, lines));
            }
            _ => {}
        }
    }
}

impl ScanPlan {
    pub(super) fn words(&self) -> String {
        let mut words = match &self.driver {
            Driver::All => "node scan".to_owned(),
            // An empty name means all nodes that were not removed.
            Driver::Labels(_) if self.labels.is_empty() => "node scan".to_owned(),
            Driver::LabelValues(_, filter) if self.labels.is_empty() => {
                format!("node scan, filter {}", filter.words())
            }
            Driver::Labels(_) => format!("bitmap scan on {}", self.labels),
            Driver::LabelValues(_, filter) => {
                format!("bitmap scan on {}, filter {}", self.labels, filter.words())
            }
            Driver::Index(lookup) => format!("index lookup on {}", lookup.property),
            Driver::Column(filter, wanted) => {
                let wanted = wanted.as_ref().map(|wanted| format!(", filter {}", wanted.words()));
                format!("column scan on {}{}", filter.words(), wanted.unwrap_or_default())
            }
        };
        if self.by_index.is_some() {
            words += ", or index lookup if few texts match";
        }
        for filter in &self.filters {
            words += &format!(", filter {}", filter.words());
        }
        words
    }
}

impl RepeatPlan {
    pub(super) fn words(&self) -> String {
        let order = match self.order {
            WalkOrder::Depth => "repeat depth first",
            WalkOrder::Breadth => "repeat breadth first",
        };
        let mut words = vec![match &self.body {
            Body::Hop(ways) => format!("{order}, expand {}", words_of(ways)),
            Body::Steps(_) => order.to_owned(),
        }];
        words.extend(self.times.map(|times| format!("{times} times")));
        words.extend(self.until.as_ref().map(|until| format!("until {}", until.words())));
        words.extend(self.whilst.as_ref().map(|whilst| format!("whilst {}", whilst.words())));
        match &self.emit {
            EmitPlan::Nothing => {}
            EmitPlan::All => words.push("emit all".into()),
            EmitPlan::AllButFirst => words.push("emit all but the first".into()),
            EmitPlan::Where(filter) => words.push(format!("emit {}", filter.words())),
        }
        words.extend(self.dedup.then(|| "each node once".to_owned()));
        words.join(", ")
    }
}

impl KeyPlan {
    pub(super) fn words(&self) -> String {
        match self {
            Self::Node => "node".into(),
            Self::Edge => "edge".into(),
            Self::Value(_) => "value".into(),
            Self::Labels(..) | Self::EdgeLabel(_) => "label".into(),
            Self::Depth => "depth".into(),
            Self::Property(plan) | Self::Found(_, plan) => plan.name.to_string(),
            Self::Column(_, column) | Self::Computed(_, column) => column.name.to_string(),
        }
    }
}

pub(super) fn counted(count: usize, what: &str) -> String {
    let ending = match count {
        1 => "",
        _ if what.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{count} {what}{ending}")
}

pub(super) fn words_of(ways: &[DirectedLabel]) -> String {
    let directions = |way: &DirectedLabel| format!("{} {}", way.direction.name(), way.name);
    match ways.len() {
        0 => "no edges".into(),
        1..=3 => ways.iter().map(directions).collect::<Vec<_>>().join(", "),
        count => format!("{count} edge labels and directions"),
    }
}

impl Reach {
    fn words(&self) -> String {
        match self {
            Self::Hop(ways) => words_of(ways),
            Self::Walk(Walk::Closure { ways, .. }) => format!("closure of {}", words_of(ways)),
            Self::Walk(Walk::Ancestors(_)) => "ancestor".into(),
            Self::Walk(Walk::Descendants(_, None)) => "node of the subtree".into(),
            Self::Walk(Walk::Descendants(_, Some(_))) => "node of the subtree with the label".into(),
        }
    }
}

impl ValueFilter {
    fn words(&self) -> String {
        format!("{} ({})", self.plan.name, self.test.words())
    }
}

impl LabelFilter {
    fn words(&self) -> String {
        format!("label {}", self.names)
    }
}

impl Filter {
    /// The filter in words, as `explain` shows it.
    pub(super) fn words(&self) -> String {
        let joined = |filters: &[Self], word: &str| {
            filters.iter().map(Self::words).collect::<Vec<_>>().join(&format!(" {word} "))
        };
        match self {
            Self::Labels(filter) => filter.words(),
            Self::Ids(ids) => format!("{} ids", ids.len()),
            Self::EdgeLabels(labels) => format!("{} edge labels", labels.len()),
            Self::Present(PropertyPlan { name, .. }) => format!("has {name}"),
            Self::Value(value) => value.words(),
            Self::Number(test) => test.words(),
            Self::Computed(_) => "computed text".into(),
            Self::All(filters) if filters.is_empty() => "true".into(),
            Self::All(filters) => joined(filters, "and"),
            Self::Any(filters) => format!("({})", joined(filters, "or")),
            Self::Not(filter) => format!("not {}", filter.words()),
            Self::Some(reach, then) if then.is_always() => format!("exists {}", reach.words()),
            Self::Some(reach, then) => format!("exists {} with {}", reach.words(), then.words()),
            Self::Count(reach, then, test) if then.is_always() => {
                format!("count of {} ({})", reach.words(), test.words())
            }
            Self::Count(reach, then, test) => {
                format!("count of {} with {} ({})", reach.words(), then.words(), test.words())
            }
            Self::Inner(inner) => {
                let words = inner.iter().skip(1).map(|step| step.operator.words());
                format!("subquery ({})", words.collect::<Vec<_>>().join(" > "))
            }
        }
    }
}
