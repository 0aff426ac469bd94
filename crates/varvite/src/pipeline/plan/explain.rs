//! A plan in words: one line for each operator, with how many rows are expected and, after a run, what was measured.

use std::fmt;
use std::time::Duration;

use super::filter::{Filter, LabelFilter, ValueFilter};
use super::key::KeyPlan;
use super::reach::Reach;
use super::{Body, Counted, Driver, EmitPlan, Operator, Physical, Plan, PropertyPlan, RepeatPlan, Way};
use crate::pipeline::error::StepAt;
use crate::pipeline::step::WalkOrder;

/// What a plan does, operator by operator.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// Lines, in the order of the steps; those inside a step follow it.
    pub lines: Vec<ExplainedStep>,
}

/// A line of an [`Explanation`].
#[derive(Clone, Debug)]
pub struct ExplainedStep {
    /// How many steps it is inside of.
    pub depth: usize,
    /// The steps that the operator does, in order.
    pub steps: Vec<StepAt>,
    /// The operator in words.
    pub operator: String,
    /// How many rows come out, as far as the schema tells; inside of a step for one row.
    pub rows_expected: f64,
    /// What a run measured; none of steps inside of steps, which count for the step around them.
    pub measured: Option<MeasuredStep>,
}

/// What a run measured of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeasuredStep {
    /// Rows that came out.
    pub rows: u64,
    /// Batches that came out.
    pub batches: u64,
    /// Time spent, without the operators before it.
    pub time: Duration,
    /// Values of a column that a search read. Of a range these are the values of blocks that may hold any that is wanted.
    pub values_read: u64,
    /// Bytes of its batch, and most that the run held beside batches when it had worked.
    pub bytes: usize,
}

impl Plan {
    /// What the plan does. Reads nothing.
    pub fn explain(&self) -> Explanation {
        let mut lines = Vec::new();
        explain_steps(&self.steps, 0, &mut lines);
        Explanation { lines }
    }
}

impl fmt::Display for Explanation {
    /// A table for people, which may change.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_profile = self.lines.iter().any(|line| line.measured.is_some());
        let name = |line: &ExplainedStep| format!("{}{}", "  ".repeat(line.depth), line.name());
        let names: Vec<String> = self.lines.iter().map(name).collect();
        let width = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0).max(8);
        let first = width(&mut names.iter().map(|name| name.chars().count()));
        let second = width(&mut self.lines.iter().map(|line| line.operator.chars().count()));
        write!(formatter, "{:first$}  {:second$}  {:>12}", "step", "operator", "rows about")?;
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
            _ => {}
        }
    }
}

impl Operator {
    fn words(&self) -> String {
        match self {
            Self::InnerInput => "the row".into(),
            Self::Scan(scan) => {
                let driver = match &scan.driver {
                    Driver::All => "all ids".to_owned(),
                    Driver::Labels(labels) => bitmaps(labels.len()),
                    Driver::LabelValues(labels, filter) => {
                        format!("{}, asked for {}", bitmaps(labels.len()), filter.words())
                    }
                    Driver::Index(lookup) => format!("index of {}", lookup.property),
                    Driver::Column(filter, wanted) => {
                        let wanted = wanted.as_ref().map(|wanted| format!(" and {}", wanted.words()));
                        format!("search of column {}{}", filter.words(), wanted.unwrap_or_default())
                    }
                };
                let driver = match &scan.by_index {
                    Some(_) => format!("{driver}, or index if few texts pass"),
                    None => driver,
                };
                let asked: Vec<String> = scan.filters.iter().map(Filter::words).collect();
                if asked.is_empty() { driver } else { format!("{driver}; then {}", asked.join("; ")) }
            }
            Self::Ids(_) => "given ids".into(),
            Self::AllEdges(ways) => format!("all edges of {} labels", ways.len()),
            Self::Hop(ways) => format!("hop {}", words_of(ways)),
            Self::HopEdges(ways) => {
                let ways: Vec<Way> = ways.iter().map(|way| way.way.clone()).collect();
                format!("hop to edges {}", words_of(&ways))
            }
            Self::EndOfEdge(direction) => format!("end of edges, {}", direction.name()),
            Self::Filter(filter) => format!("keep {}", filter.words()),
            Self::Descendants(_) => "ranges of ids".into(),
            Self::Ancestors(_) => "parents, one by one".into(),
            Self::NearestAncestor { labels, condition, .. } => match (labels.len(), condition) {
                (1, None) => "brackets of the label, in one pass".into(),
                _ => "parents, until one passes".into(),
            },
            Self::CountDescendants { counted, .. } => match counted {
                Counted::All => "lengths of ranges of ids".into(),
                Counted::OfLabel(_) => "ranks of ends of ranges".into(),
                Counted::ByLabel(_) => "label codes under ranges, each once".into(),
            },
            Self::Union(branches) => format!("{} branches for each row", branches.len()),
            Self::Coalesce(branches) => format!("first of {} branches for each row", branches.len()),
            Self::Choose(choose) => format!("one of {} cases for each row", choose.cases.len()),
            Self::Repeat(repeat) => repeat.words(),
            Self::Dedup(by) => format!("dedup by {}", by.words()),
            Self::Order { by, descending, first } => {
                let falling = if *descending { ", falling" } else { "" };
                let first = first.map(|first| format!(", keep first {first}")).unwrap_or_default();
                format!("sort by {}{falling}{first}", by.words())
            }
            Self::Limit(count) => format!("first {count}"),
            Self::Skip(count) => format!("without first {count}"),
            Self::Sample { count, .. } => format!("reservoir of {count}"),
            Self::SimplePath => "keep paths without repeats".into(),
            Self::Side(side) => format!("copy for the caller as {}", side.name),
            Self::Path => "paths".into(),
            Self::Values(by) => format!("values of {}", by.words()),
            Self::Columns(columns) => {
                let words: Vec<String> = columns.iter().map(KeyPlan::words).collect();
                format!("columns {}", words.join(", "))
            }
            Self::GroupCount(by) => format!("count by {}", by.words()),
            Self::Group(by) => format!("group by {}", by.words()),
            Self::Count => "count".into(),
            Self::Aggregate(aggregate, _) => format!("{aggregate:?}").to_lowercase(),
        }
    }
}

impl RepeatPlan {
    fn words(&self) -> String {
        let order = match self.order {
            WalkOrder::Depth => "depth first, own stack",
            WalkOrder::Breadth => "breadth first, by level",
        };
        let mut words = vec![match &self.body {
            Body::Hop(ways) => format!("{order}, hop {}", words_of(ways)),
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
        words.extend(self.dedup.then(|| "visited bitmap".to_owned()));
        words.join(", ")
    }
}

impl KeyPlan {
    fn words(&self) -> String {
        match self {
            Self::Node => "node".into(),
            Self::Edge => "edge".into(),
            Self::Value(_) => "value".into(),
            Self::Labels(..) | Self::EdgeLabel(_) => "label".into(),
            Self::Depth => "depth".into(),
            Self::Property(plan) => plan.name.to_string(),
            Self::Column(_, column) => column.name.to_string(),
        }
    }
}

fn bitmaps(labels: usize) -> String {
    if labels == 1 { "bitmap of the label".into() } else { format!("bitmaps of {labels} labels") }
}

fn words_of(ways: &[Way]) -> String {
    let directions = |way: &Way| format!("{} {}", way.direction.name(), way.name);
    match ways.len() {
        0 => "along nothing".into(),
        1..=3 => ways.iter().map(directions).collect::<Vec<_>>().join(", "),
        count => format!("along {count} lists"),
    }
}

impl Reach {
    fn words(&self) -> String {
        match self {
            Self::Hop(ways) => words_of(ways),
            Self::Closure { ways, .. } => format!("{}, any number of times", words_of(ways)),
            Self::Ancestors(_) => "parents, one by one".into(),
            Self::Descendants(_, None) => "range of ids".into(),
            Self::Descendants(_, Some(_)) => "range of ids of the label".into(),
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
    /// The filter in words.
    fn words(&self) -> String {
        let all = |filters: &[Self], word: &str| {
            filters.iter().map(Self::words).collect::<Vec<_>>().join(&format!(" {word} "))
        };
        match self {
            Self::Labels(filter) => filter.words(),
            Self::Ids(ids) => format!("{} ids", ids.len()),
            Self::EdgeLabels(labels) => format!("{} edge labels", labels.len()),
            Self::Present(PropertyPlan { name, .. }) => format!("has {name}"),
            Self::Value(value) => value.words(),
            Self::Number(test) => test.words(),
            Self::All(filters) if filters.is_empty() => "anything".into(),
            Self::All(filters) => all(filters, "and"),
            Self::Any(filters) => format!("({})", all(filters, "or")),
            Self::Not(filter) => format!("not {}", filter.words()),
            Self::Some(reach, then) if then.is_always() => format!("some {}", reach.words()),
            Self::Some(reach, then) => format!("some {} with {}", reach.words(), then.words()),
            Self::Count(reach, then, test) if then.is_always() => {
                format!("number of {} ({})", reach.words(), test.words())
            }
            Self::Count(reach, then, test) => {
                format!("number of {} with {} ({})", reach.words(), then.words(), test.words())
            }
            Self::Inner(inner) => {
                let words = inner.iter().skip(1).map(|step| step.operator.words());
                format!("row by row: {}", words.collect::<Vec<_>>().join(" > "))
            }
        }
    }
}
