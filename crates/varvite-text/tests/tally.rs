//! [`Tally`]: how many queries are translated, run and agree, and how the others differ.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Query, promises_order};

/// The number of rows of each side that a difference shows.
const SHOWN_ROWS: usize = 3;

/// The outcome of a query on a graph.
pub(crate) enum Verdict {
    /// Both engines give the same rows, or none of them an answer.
    Agrees,
    Differs(Difference),
    /// The query is not translated.
    Refused(String),
    /// The engine does not compile or run a plan.
    NotRun(String),
}

/// An answer: rows, or why there are none.
type Answered = Result<Vec<String>, String>;

/// Two different answers.
pub(crate) struct Difference {
    graph: String,
    text: String,
    joern: Answered,
    ours: Answered,
}

/// The outcomes of all queries so far.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) differences: usize,
    agree: BTreeSet<String>,
    differ: BTreeSet<String>,
    refused: BTreeMap<String, String>,
    not_run: BTreeMap<String, String>,
}

impl Tally {
    pub(crate) fn count(&mut self, id: &str, verdict: Verdict) {
        let id = id.to_owned();
        match verdict {
            Verdict::Agrees => drop(self.agree.insert(id)),
            Verdict::Refused(message) => drop(self.refused.insert(id, message)),
            Verdict::NotRun(message) => drop(self.not_run.insert(id, message)),
            Verdict::Differs(difference) => {
                println!("{}", difference.shown(&id));
                self.differences += 1;
                self.differ.insert(id);
            }
        }
    }

    /// Prints queries that are refused or do not run, and the table of all sources.
    pub(crate) fn print(&self, queries: &[Query]) {
        self.refused.iter().for_each(|(id, message)| println!("refused: {id}: {message}"));
        self.not_run.iter().for_each(|(id, message)| println!("not run: {id}: {message}"));
        println!("source | queries | of the core | parse | run | agree");
        let mut sources: Vec<&str> = Vec::new();
        queries.iter().for_each(|query| {
            if !sources.contains(&query.source.as_str()) {
                sources.push(&query.source);
            }
        });
        for source in sources {
            self.print_line(source, queries.iter().filter(|query| query.source == source));
        }
        self.print_line("all but pairs", queries.iter().filter(|query| query.source != "pairs"));
        self.print_line("all", queries.iter());
        let is_rule = |query: &&Query| query.source == "querydb" && query.class == "core";
        self.print_line("rules without flows in the core", queries.iter().filter(is_rule));
    }

    fn print_line<'q>(&self, source: &str, queries: impl Iterator<Item = &'q Query> + Clone) {
        let count =
            |is_counted: &dyn Fn(&Query) -> bool| queries.clone().filter(|query| is_counted(query)).count();
        let is_translated = |query: &Query| varvite_text::translate(&query.text).is_ok();
        let runs = |query: &Query| is_translated(query) && !self.not_run.contains_key(&query.id);
        let agrees =
            |query: &Query| self.agree.contains(&query.id) && runs(query) && !self.differ.contains(&query.id);
        let (all, parse) = (count(&|_| true), count(&is_translated));
        let percent = 100.0 * parse as f64 / all.max(1) as f64;
        let (core, run, agree) = (count(&|query| query.class == "core"), count(&runs), count(&agrees));
        println!("{source} | {all} | {core} | {parse} ({percent:.1} %) | {run} | {agree}");
    }
}

impl Difference {
    pub(crate) fn new(graph: &str, text: &str, joern: Answered, ours: Answered) -> Self {
        Self { graph: graph.to_owned(), text: text.to_owned(), joern, ours }
    }

    /// The query, its plans, and the first rows that only one side has.
    fn shown(&self, id: &str) -> String {
        let plans = varvite_text::translate(&self.text).map_or_else(
            |error| error.to_string(),
            |query| query.plans().iter().map(|plan| plan.to_json()).collect::<Vec<_>>().join("\n  "),
        );
        let text = self.text.replace('\n', "\n  ");
        format!(
            "differs: {id} about {}:\n  {text}\n  {plans}\n  Joern: {}\n  ours:  {}",
            self.graph,
            side(&self.joern, &self.ours, &self.text),
            side(&self.ours, &self.joern, &self.text)
        )
    }
}

/// The number of rows of a side, and the first of those that the other side lacks.
fn side(one: &Answered, other: &Answered, text: &str) -> String {
    let rows = match one {
        Ok(rows) => rows,
        Err(why) => return why.clone(),
    };
    let other = other.as_deref().unwrap_or_default();
    let mut lacking = lacking(rows, other);
    if lacking.is_empty() && promises_order(text) {
        lacking = rows.iter().zip(other).filter(|(row, other)| row != other).map(|(row, _)| row).collect();
    }
    let first: Vec<String> =
        lacking.iter().take(SHOWN_ROWS).map(|row| row.chars().take(300).collect()).collect();
    format!("{} rows, {} of them alone: {first:?}", rows.len(), lacking.len())
}

/// The rows that another side has less often.
fn lacking<'r>(rows: &'r [String], other: &[String]) -> Vec<&'r String> {
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    other.iter().for_each(|row| *left.entry(row).or_default() += 1);
    let is_lacking = |row: &&String| match left.get_mut(row.as_str()) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    rows.iter().filter(is_lacking).collect()
}
