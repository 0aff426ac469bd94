//! The tool `paths`: shortest paths between two nodes.

use serde::Deserialize;
use varvite::walk::{PathOptions, PathStep, ShortestPaths};
use varvite::{Direction, Graph};
use varvite_cpg::path_edges;
use varvite_show::{EdgeLabels, node_at};

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

/// The direction in which edges are followed.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WayRound {
    #[default]
    Out,
    In,
    Both,
}

impl WayRound {
    fn directions(self) -> &'static [Direction] {
        match self {
            Self::Out => &[Direction::Out],
            Self::In => &[Direction::In],
            Self::Both => &Direction::BOTH,
        }
    }
}

impl Paths {
    pub(super) fn answer(&self, graph: &Graph, call: &Call, page: &Page) -> Result<Reply> {
        let (source, target) = (node_at(graph, &self.from)?, node_at(graph, &self.to)?);
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
