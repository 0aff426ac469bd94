//! [`path_edges`]: the edges that a path through a code property graph may follow. [`WayRound`]: the
//! direction in which it follows them.

use serde::Deserialize;
use varvite::error::optional;
use varvite::walk::{Hop, PathEdges, WalkError};
use varvite::{Direction, Graph};

/// The label of edges from a CALL to the METHODs that it may call.
const CALL: &str = "CALL";
/// The label of edges from a METHOD to the nodes that it contains, its CALLs among them.
const CONTAINS: &str = "CONTAINS";

/// The direction in which a path follows edges. Its names in JSON are `out`, `in` and `both`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WayRound {
    /// From source to target.
    #[default]
    Out,
    /// From target to source.
    In,
    /// In both directions.
    Both,
}

impl WayRound {
    /// All directions.
    pub const ALL: [Self; 3] = [Self::Out, Self::In, Self::Both];

    /// The name in questions and on command lines.
    pub fn name(self) -> &'static str {
        match self {
            Self::Out => "out",
            Self::In => "in",
            Self::Both => "both",
        }
    }

    /// The direction with a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|way| way.name() == name)
    }

    /// The directions of edges, for [`path_edges`].
    pub fn directions(self) -> &'static [Direction] {
        match self {
            Self::Out => &[Direction::Out],
            Self::In => &[Direction::In],
            Self::Both => &Direction::BOTH,
        }
    }
}

/// The edges of these labels, or of all labels that have edges if `labels` is empty, in these directions.
///
/// CALL follows calls: edges CALL start at CALLs, so a path goes on from a METHOD through the CALLs that the
/// METHOD contains.
///
/// # Errors
/// A label that the graph lacks, or a graph that can't be read.
pub fn path_edges(
    graph: &Graph,
    labels: &[String],
    directions: &[Direction],
) -> Result<PathEdges, WalkError> {
    let names: Vec<&str> = match labels {
        [] => {
            let used = graph.edge_labels().iter().filter(|label| label.edges > 0);
            used.map(|label| label.name.as_str()).collect()
        }
        labels => labels.iter().map(String::as_str).collect(),
    };
    let contains_calls = names.contains(&CALL)
        && !names.contains(&CONTAINS)
        && optional(graph.edge_label(CONTAINS))?.is_some()
        && optional(graph.label(CALL))?.is_some();
    let mut hops: Vec<Hop> = names.iter().map(|name| Hop::out(*name)).collect();
    hops.extend(contains_calls.then(|| Hop::out(CONTAINS).to(CALL)));
    let hops = directions.iter().flat_map(|direction| {
        hops.iter().cloned().map(|hop| if *direction == Direction::In { hop.reversed() } else { hop })
    });
    PathEdges::compile(graph, hops)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_direction_has_the_same_name_in_json_and_on_command_lines() {
        for way in WayRound::ALL {
            let read: Result<WayRound, _> = serde_json::from_str(&format!("\"{}\"", way.name()));
            assert_eq!(read.ok(), Some(way));
            assert_eq!(WayRound::named(way.name()), Some(way));
        }
        assert_eq!(WayRound::named("up"), None);
    }
}
