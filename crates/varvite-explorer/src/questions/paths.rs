//! The question `paths`: shortest paths from one node to another, with the line of each step.

use serde::Deserialize;
use serde_json::{Value as Json, json};
use varvite::walk::{PathOptions, PathStep, ShortestPaths};
use varvite::{Budget, Graph};
use varvite_cpg::characters::shortened;
use varvite_cpg::source::Sources;
use varvite_cpg::{WayRound, path_edges};
use varvite_show::{EdgeLabels, node_at_within};

use super::source_files::SourceFiles;
use crate::content::{Columns, Nodes};
use crate::fault::Result;
use crate::limits::Work;
use crate::shared::Shared;

/// The most paths, and the most steps of all of them.
const PATHS_MAX: usize = 100;
const STEPS_MAX: usize = 10_000;
/// The label of calls, and that of the flow of data.
const CALLS: &str = "CALL";
pub(super) const FLOWS: &str = "REACHING_DEF";
/// The most characters of a line of source code.
const CHARS_MAX: usize = 500;

/// Asks for paths.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Paths {
    #[serde(default)]
    file: usize,
    from: End,
    to: End,
    along: Option<Vec<String>>,
    #[serde(default)]
    direction: WayRound,
    /// Whether the path follows the flow of data.
    #[serde(default)]
    flow: bool,
    limit: Option<usize>,
}

/// An end of a path: a node's number, or words that describe it.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum End {
    Node(u32),
    Words(String),
}

/// The labels that a path follows: those of the question, or else that of the flow of data or of calls.
pub(super) fn labels_of(along: Option<&[String]>, is_flow: bool) -> Vec<String> {
    let default = || vec![if is_flow { FLOWS } else { CALLS }.to_owned()];
    along.map_or_else(default, <[String]>::to_vec)
}

impl End {
    fn node(&self, graph: &Graph, work: &Work) -> Result<u32> {
        match self {
            Self::Node(node) => super::check_node(graph, *node).map(|()| *node),
            Self::Words(words) => Ok(node_at_within(graph, words, &work.task())?),
        }
    }
}

impl Paths {
    pub(super) fn answer(&self, shared: &Shared, work: &Work) -> Result<Json> {
        super::about(shared, work, self.file, |graph| self.found(graph, work))
    }

    fn found(&self, graph: &Graph, work: &Work) -> Result<Json> {
        let ends = [self.from.node(graph, work)?, self.to.node(graph, work)?];
        let labels = labels_of(self.along.as_deref(), self.flow);
        let edges = path_edges(graph, &labels, self.direction.directions())?;
        let options = PathOptions { length_max: u32::MAX, ..PathOptions::from(work.task()) };
        let found = ShortestPaths::find(&edges, &[ends[0]], &[ends[1]], &options)?;
        let (length, seen) = (found.length(), found.seen());
        let columns = Columns::open(graph)?;
        let (labels, sources) = (EdgeLabels::of(graph), Sources::open(graph)?);
        let files = sources.as_ref().map(|sources| SourceFiles::of(graph, sources, work)).transpose()?;
        let mut steps = Steps {
            nodes: columns.nodes(),
            labels,
            sources: sources.zip(files),
            work,
            budget: work.budget(),
        };
        let (mut paths, mut room, mut has_more) = (Vec::new(), STEPS_MAX, false);
        let limit = self.limit.unwrap_or(1).clamp(1, PATHS_MAX);
        // One path more tells whether there are any.
        for path in found.take(limit + 1) {
            let path = path?;
            if paths.len() == limit || room < path.len() && !paths.is_empty() {
                has_more = true;
                break;
            }
            let rows = path.iter().take(room).map(|step| steps.row(step)).collect::<Result<Vec<_>>>()?;
            room -= rows.len();
            paths.push(json!({ "left_off": path.len() - rows.len(), "rows": rows }));
        }
        Ok(json!({ "paths": paths, "more": has_more, "length": length, "seen": seen }))
    }
}

/// Describes the steps of paths.
struct Steps<'a> {
    nodes: Nodes<'a>,
    labels: EdgeLabels,
    sources: Option<(Sources<'a>, SourceFiles)>,
    work: &'a Work,
    budget: Budget,
}

impl Steps<'_> {
    fn row(&mut self, step: &PathStep) -> Result<Json> {
        self.work.check()?;
        let node = self.nodes.of(step.node);
        let text = match (&node.path, node.line) {
            (Some(path), Some(line)) => self.line_of(path, line)?,
            _ => None,
        };
        let mut row = json!(node);
        if let Some(text) = text {
            row["text"] = text.into();
        }
        if let Some((label, direction)) = step.edge {
            row["edge"] = self.labels.name(label).into();
            row["direction"] = direction.name().into();
        }
        if let Some(method) = self.nodes.method_of(step.node).filter(|method| *method != step.node) {
            row["method"] = json!(self.nodes.of(method));
        }
        Ok(row)
    }

    /// A line of source code; `None` if the graph does not have it.
    fn line_of(&self, path: &str, line: i64) -> Result<Option<String>> {
        let (Some((sources, files)), Ok(line)) = (&self.sources, u64::try_from(line)) else {
            return Ok(None);
        };
        let Some(file) = files.named(path) else { return Ok(None) };
        let found = sources.lines(file, (line, line), &self.budget)?;
        Ok(found.lines.first().map(|line| shortened(&line.text, CHARS_MAX).into_owned()))
    }
}
