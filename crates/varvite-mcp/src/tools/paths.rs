//! The tool `paths`: shortest paths between two nodes.

use serde::Deserialize;
use varvite::walk::{PathOptions, PathStep, ShortestPaths};
use varvite::{Direction, Graph};
use varvite_cpg::{WayRound, path_edges};
use varvite_show::{EdgeLabels, node_at_within};

use super::places::{Columns, Places};
use crate::fault::Result;
use crate::limits::Call;
use crate::page::{Page, Reply};

/// The most paths of an answer.
const PATHS_MAX: usize = 1_000;

/// The arguments.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Paths {
    from: String,
    to: String,
    along: Option<Vec<String>>,
    #[serde(default)]
    direction: WayRound,
    limit: Option<usize>,
    max_length: Option<u32>,
}

impl Paths {
    pub(super) fn answer(&self, graph: &Graph, call: &Call, page: &Page) -> Result<Reply> {
        let task = call.task(graph);
        let end = |words: &str| node_at_within(graph, words, &task);
        let (source, target) = (end(&self.from)?, end(&self.to)?);
        let calls = || vec!["CALL".to_owned()];
        let edges =
            path_edges(graph, &self.along.clone().unwrap_or_else(calls), self.direction.directions())?;
        let length_max = self.max_length.unwrap_or(u32::MAX);
        let options = PathOptions { length_max, ..PathOptions::from(call.task(graph)) };
        let found = ShortestPaths::find(&edges, &[source], &[target], &options)?;
        let columns = Columns::open(graph)?;
        let (mut places, labels) = (columns.places(), EdgeLabels::of(graph));
        let Some(length) = found.length() else {
            let ends = [source, target].map(|node| places.line(node)).join(" to ");
            let lines = vec![format!("no path from {ends}: the search visited {} nodes", found.seen())];
            return Ok(Reply::of(Vec::new(), lines, page));
        };
        let mut lines = Vec::new();
        for (number, path) in (1..).zip(found.take(self.limit.unwrap_or(1).clamp(1, PATHS_MAX))) {
            lines.push(format!("path {number}, {length} edges"));
            lines.extend(path?.iter().map(|step| line(step, &mut places, &labels)));
        }
        Ok(Reply::of(Vec::new(), lines, page))
    }
}

fn line(step: &PathStep, places: &mut Places<'_>, labels: &EdgeLabels) -> String {
    let node = places.line(step.node);
    match step.edge {
        None => format!("  {node}"),
        Some((label, Direction::In)) => format!("  <-{}- {node}", labels.name(label)),
        Some((label, _)) => format!("  -{}-> {node}", labels.name(label)),
    }
}
