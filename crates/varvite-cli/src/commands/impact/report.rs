//! [`Report`]: the METHODs that an answer shows, and the counts that it tells.

use std::collections::HashMap;

use varvite::Graph;
use varvite::pipeline::Options;
use varvite_cpg::CpgError;
use varvite_cpg::impact::{FileState, Impact, Reached, Side, methods_matching};
use varvite_profile::layer::CodeMeasures;

use super::ImpactArgs;
use super::changes::Changes;
use crate::failure::Failure;
use crate::output::{counted, thousands};
use crate::query_failure::Asked;

/// The METHODs of an answer, and what they are to the change.
pub(super) struct Report {
    pub(super) impact: Impact,
    /// The METHODs to show, sorted by distance and node.
    pub(super) rows: Vec<Row>,
    /// The number of METHODs that the limit leaves out.
    pub(super) cut: usize,
    pub(super) counts: Counts,
    pub(super) ran: CodeMeasures,
    pub(super) has_tests: bool,
    pub(super) depth: u32,
    /// The name of the patch; `None` if the lines are arguments.
    pub(super) patch: Option<String>,
    pub(super) side: Side,
}

/// A METHOD of an answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) node: u32,
    /// The least number of calls to a touched METHOD; 0 if the METHOD itself is touched.
    pub(super) distance: u32,
    /// The number of changed lines.
    pub(super) lines: u64,
    pub(super) is_entry: bool,
    pub(super) is_test: bool,
}

/// Counts of an answer.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// Changed files, and those of them that the graph has.
    pub(super) files: u64,
    pub(super) known: u64,
    /// Changed lines in files that the graph has, and those of them in no METHOD.
    pub(super) lines: u64,
    pub(super) outside: u64,
    pub(super) touched: u64,
    /// Callers up to the depth, and those further away.
    pub(super) callers: u64,
    pub(super) beyond: u64,
    pub(super) entries: u64,
    pub(super) tests: u64,
}

impl Report {
    pub(super) fn of(
        args: &ImpactArgs,
        graph: &Graph,
        changes: &Changes,
        impact: Impact,
    ) -> Result<Self, Failure> {
        let tests = tests(args, graph)?;
        let lines: HashMap<u32, u64> = impact.touched.iter().map(|it| (it.node, it.lines)).collect();
        let row = |&Reached { node, distance, is_entry }: &Reached| {
            let is_test = tests.binary_search(&node).is_ok();
            Row { node, distance, is_entry, is_test, lines: lines.get(&node).copied().unwrap_or(0) }
        };
        let all: Vec<Row> = impact.reached.iter().map(row).collect();
        let counts = Counts::of(&impact, &all, args.depth);
        let is_shown = |row: &Row| row.distance <= args.depth || row.is_entry || row.is_test;
        let mut rows: Vec<Row> = all.into_iter().filter(is_shown).collect();
        let found = rows.len();
        rows.truncate(args.limit.unwrap_or(usize::MAX));
        Ok(Self {
            cut: found - rows.len(),
            rows,
            counts,
            ran: CodeMeasures::of(graph)?,
            has_tests: args.tests.is_some(),
            depth: args.depth,
            patch: changes.patch.clone(),
            side: changes.side,
            impact,
        })
    }

    /// The change and its METHODs in a sentence.
    pub(super) fn sentence(&self) -> String {
        let counts = &self.counts;
        let lines = counted(counts.lines, "changed line");
        let (files, depth) = (counted(counts.known, "file"), counted(self.depth.into(), "call"));
        let [touched, callers, entries] = [counts.touched, counts.callers, counts.entries].map(thousands);
        let beyond = match counts.beyond {
            0 => String::new(),
            beyond => format!(" ({} more further away)", thousands(beyond)),
        };
        let tests =
            if self.has_tests { format!("; tests: {}", thousands(counts.tests)) } else { String::new() };
        format!(
            "{lines} in {files}; METHODs with changed lines: {touched}; callers within {depth}: {callers}{beyond}; \
             entry points: {entries}{tests}"
        )
    }
}

/// The METHODs that are tests, ascending.
fn tests(args: &ImpactArgs, graph: &Graph) -> Result<Vec<u32>, Failure> {
    let Some(pattern) = &args.tests else { return Ok(Vec::new()) };
    let options = Options::from(args.memory.task(graph));
    methods_matching(graph, pattern, &options).map_err(|error| match error {
        CpgError::Pipeline(error) => Failure::query(Asked::Condition(format!("--tests {pattern}")), error),
        error => error.into(),
    })
}

impl Counts {
    fn of(impact: &Impact, rows: &[Row], depth: u32) -> Self {
        let count = |is: &dyn Fn(&Row) -> bool| rows.iter().filter(|row| is(row)).count() as u64;
        let known = || impact.files.iter().filter(|file| matches!(file.state, FileState::Known(_)));
        Self {
            files: impact.files.len() as u64,
            known: known().count() as u64,
            lines: known().map(|file| file.lines).sum(),
            outside: known().map(|file| file.outside).sum(),
            touched: impact.touched.len() as u64,
            callers: count(&|row| (1..=depth).contains(&row.distance)),
            beyond: count(&|row| row.distance > depth),
            entries: count(&|row| row.is_entry),
            tests: count(&|row| row.is_test),
        }
    }
}
