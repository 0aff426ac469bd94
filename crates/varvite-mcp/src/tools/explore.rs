//! The tool `explore`: a symbol with its surroundings.
//!
//! The sections come in the order of their use for a reader who sees only the first page: the symbol, its
//! measurements in runs, its reach, callers, callees and uses, and at the end its source or CODE, which may
//! be long.

use serde::Deserialize;
use serde_json::{Value as Json, json};
use varvite::error::optional;
use varvite::{Budget, Graph};
use varvite_cpg::impact::callers_above;
use varvite_cpg::source::{Line, Sources};
use varvite_cpg::{callees_of, calls_of, is_operator};
use varvite_profile::layer::CodeMeasures;
use varvite_show::{Passage, ShowError, escaped, escaped_code, node_at_within};

use super::places::{Columns, Places};
use crate::fault::Result;
use crate::graphs::NamedGraph;
use crate::limits::Call;
use crate::page::{Page, Reply};

/// The number of nodes that a section lists. The query that it names gives all.
const LISTED_MAX: usize = 15;
/// The calls between a function and those of its reach that are named.
const DEPTH: u32 = 2;

/// The arguments.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Explore {
    symbol: String,
    depth: Option<u32>,
}

impl Explore {
    pub(super) fn answer(&self, named: &NamedGraph, call: &Call, page: &Page) -> Result<Reply> {
        let graph = &named.graph;
        let passage = self.passage(graph)?;
        let node = match &passage {
            Some((_, passage)) => passage.node,
            None => Some(node_at_within(graph, &self.symbol, &call.task(graph))?),
        };
        let mut lines = Vec::new();
        if let Some(node) = node {
            let (columns, depth) = (Columns::open(graph)?, self.depth.unwrap_or(DEPTH));
            lines = Subject { named, graph, call, columns: &columns, node, depth }.describe()?;
            if passage.is_none() {
                lines.extend(code_of(&columns, node));
            }
        }
        if let Some((sources, passage)) = &passage {
            push_source(&mut lines, sources, passage, &call.budget(graph))?;
        }
        call.task(graph).check()?;
        Ok(Reply::of(Vec::new(), lines, page))
    }

    /// The sources of the graph, and the lines of the symbol; `None` if the graph has no source of it.
    fn passage<'g>(&self, graph: &'g Graph) -> Result<Option<(Sources<'g>, Passage)>> {
        let Some(sources) = Sources::open(graph)? else { return Ok(None) };
        match Passage::of(graph, &sources, &self.symbol) {
            Ok(passage) => Ok(Some((sources, passage))),
            Err(ShowError::NoSource(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// The node that is explored.
struct Subject<'a> {
    named: &'a NamedGraph,
    graph: &'a Graph,
    call: &'a Call,
    columns: &'a Columns,
    node: u32,
    depth: u32,
}

impl Subject<'_> {
    fn describe(&self) -> Result<Vec<String>> {
        let mut places = self.columns.places();
        let mut lines = vec![places.line(self.node)];
        if self.columns.label(self.node).split('&').any(|label| label == "METHOD") {
            lines.extend(self.heat()?);
            lines.extend(self.reach(&mut places)?);
            lines.extend(self.callers(&mut places)?);
            lines.extend(self.callees(&mut places)?);
        } else if let Some(method) = places.method_of(self.node) {
            lines.push(format!("in METHOD {}", places.method(method)));
        }
        lines.extend(self.uses(&mut places)?);
        Ok(lines)
    }

    /// The measurements of the METHOD in the layers of profiles and traces.
    fn heat(&self) -> Result<Option<String>> {
        let measures = CodeMeasures::of(self.graph)?;
        let found = measures.measures(false);
        let found = found.filter_map(|measure| Some(format!("{} {}", measure.name, measure.of(self.node)?)));
        let found: Vec<String> = found.collect();
        Ok((!found.is_empty()).then(|| escaped(&format!("ran: {}", found.join(", "))).into_owned()))
    }

    /// The METHODs that call this one, directly or not.
    fn reach(&self, places: &mut Places<'_>) -> Result<Vec<String>> {
        if !self.has_edges("CALL")? {
            return Ok(Vec::new());
        }
        let duplicates = self.named.duplicates(self.call)?;
        let (task, budget) = (self.call.task(self.graph), self.call.budget(self.graph));
        let (reached, is_complete) = callers_above(self.graph, &[self.node], duplicates, &task, &budget)?;
        let above = || reached.iter().filter(|it| it.distance > 0);
        let entries = above().filter(|it| it.is_entry).count();
        let near: Vec<_> = above().filter(|it| it.distance <= self.depth).collect();
        let more = if is_complete { "" } else { " (incomplete: the syntax tree is too deep)" };
        let title = format!(
            "reach: METHODs that call it, directly or not: {}; entry points: {entries}; within {} calls: {}{more}",
            above().count(),
            self.depth,
            near.len()
        );
        let line = |it: &&varvite_cpg::impact::Reached| {
            let entry = if it.is_entry { " entry point" } else { "" };
            format!("{} away: {}{entry}", it.distance, places.method(it.node))
        };
        // Direct callers have a section of their own.
        let far: Vec<String> = near.iter().filter(|it| it.distance > 1).take(LISTED_MAX).map(line).collect();
        Ok(std::iter::once(title).chain(far.into_iter().map(|line| format!("  {line}"))).collect())
    }

    fn callers(&self, places: &mut Places<'_>) -> Result<Vec<String>> {
        if !self.has_edges("CALL")? {
            return Ok(Vec::new());
        }
        let calls = calls_of(self.graph, &[self.node])?;
        let shown = calls.iter().take(LISTED_MAX).map(|call| places.within(*call)).collect();
        Ok(section(
            &format!("callers (calls: {}):", calls.len()),
            shown,
            &self.rest(calls.len(), &[("in", "CALL")]),
        ))
    }

    fn callees(&self, places: &mut Places<'_>) -> Result<Vec<String>> {
        if !(self.has_edges("CALL")? && self.has_edges("CONTAINS")?) {
            return Ok(Vec::new());
        }
        let all = callees_of(self.graph, &[self.node])?;
        let is_function = |node: &u32| !self.columns.name(*node).is_some_and(|name| is_operator(&name));
        let functions: Vec<(u32, u64)> = all.into_iter().filter(|(node, _)| is_function(node)).collect();
        let line = |(node, calls): &(u32, u64)| format!("{} (calls: {calls})", places.method(*node));
        let shown = functions.iter().take(LISTED_MAX).map(line).collect();
        let title = format!("callees (METHODs: {}):", functions.len());
        Ok(section(&title, shown, &self.rest(functions.len(), &[("out", "CONTAINS"), ("out", "CALL")])))
    }

    /// The nodes that refer to this one: identifiers to a variable, references to a function.
    fn uses(&self, places: &mut Places<'_>) -> Result<Vec<String>> {
        let Some(references) = optional(self.graph.in_("REF"))? else { return Ok(Vec::new()) };
        // A BINDING only says which type a METHOD belongs to.
        let is_use = |node: &u32| self.columns.label(*node) != "BINDING";
        let found = || references.neighbors(self.node).filter(is_use);
        let count = found().count();
        let shown: Vec<String> = found().take(LISTED_MAX).map(|node| places.within(node)).collect();
        match count {
            0 => Ok(Vec::new()),
            _ => Ok(section(&format!("uses ({count}):"), shown, &self.rest(count, &[("in", "REF")]))),
        }
    }

    /// Whether the graph has an edge label of this name.
    fn has_edges(&self, label: &str) -> Result<bool> {
        Ok(optional(self.graph.edge_label(label))?.is_some())
    }

    /// The plan for the nodes of a section that leaves out some.
    fn rest(&self, count: usize, hops: &[(&str, &str)]) -> String {
        let more = count.saturating_sub(LISTED_MAX);
        if more == 0 {
            return String::new();
        }
        let hops = hops.iter().map(|(step, label)| json!({ "step": step, "labels": [label] }));
        let steps: Vec<Json> =
            [json!({ "step": "ids", "ids": [self.node] })].into_iter().chain(hops).collect();
        format!("  .. and {more} more: query with plan {}", json!({ "version": 1, "steps": steps }))
    }
}

/// A title, the lines below it, and the line about the rest.
fn section(title: &str, lines: Vec<String>, rest: &str) -> Vec<String> {
    let lines = lines.into_iter().map(|line| format!("  {line}").trim_end().to_owned());
    let rest = (!rest.is_empty()).then(|| rest.to_owned());
    std::iter::once(title.to_owned()).chain(lines).chain(rest).collect()
}

/// The CODE of a node, which a graph without sources has for most functions.
fn code_of(columns: &Columns, node: u32) -> Vec<String> {
    let code = columns.code(node).unwrap_or_default();
    if code.is_empty() {
        Vec::new()
    } else {
        section("code:", code.lines().map(|line| escaped_code(line.trim_end())).collect(), "")
    }
}

/// Adds the lines of source code, with their numbers.
fn push_source(
    lines: &mut Vec<String>,
    sources: &Sources<'_>,
    passage: &Passage,
    budget: &Budget,
) -> Result<()> {
    let found = sources.lines(passage.file, (passage.first, passage.last), budget)?;
    lines.push(format!("source: {}", escaped(&sources.name(passage.file))));
    for Line { number, text } in &found.lines {
        let mark = if passage.marked == Some(*number) { '>' } else { ' ' };
        lines.push(format!("{mark}{number}  {}", escaped_code(text)).trim_end().to_owned());
    }
    Ok(())
}
