//! Questions to a damaged file, each by itself, and what each comes to: the number of its error, or 0.
//!
//! A question is asked of a graph of its own, because damage that one has met is noted for all that follow. Other languages
//! find the questions in the catalogue, by these names.

use std::path::Path;

use serde_json::{Map, Value as Json, json};
use varvite::{Direction, Graph};

/// The number of each question.
pub(super) fn numbers(path: &Path) -> Json {
    let graph = match Graph::open(path) {
        Ok(graph) => graph,
        Err(error) => return json!({ "open": error.code().number() }),
    };
    let numbers = names(&graph).into_iter().map(|name| {
        let number = answer(path, &name).map_or_else(|error| error.code().number(), |()| 0);
        (name, json!(number))
    });
    numbers.collect::<Map<_, _>>().into()
}

/// What can be asked of a graph.
fn names(graph: &Graph) -> Vec<String> {
    let nodes = graph.labels().iter().map(|label| format!("nodes {}", label.name));
    let edges = graph.edge_labels().iter();
    let edges = edges.flat_map(|label| ["out", "in"].map(|direction| format!("{direction} {}", label.name)));
    let properties = graph.properties().iter().map(|info| format!("property {}", info.name));
    std::iter::once("labels".to_owned()).chain(nodes).chain(edges).chain(properties).collect()
}

/// Asks, reads all that comes, and whether that was all.
fn answer(path: &Path, question: &str) -> varvite::Result<()> {
    let graph = Graph::open(path)?;
    let nodes = 0..graph.node_count();
    match question.split_once(' ').unwrap_or((question, "")) {
        ("labels", _) => {
            let labels = graph.label_sets()?;
            nodes.for_each(|node| labels.of(node).for_each(drop));
        }
        ("nodes", label) => graph.nodes(label)?.iter().for_each(drop),
        ("property", name) => {
            let property = graph.property(name)?;
            nodes.for_each(|node| property.all(node).for_each(drop));
        }
        (direction, label) => {
            let direction = if direction == "out" { Direction::Out } else { Direction::In };
            let adjacency = graph.adjacency(graph.edge_label(label)?, direction)?;
            nodes.for_each(|node| adjacency.neighbors(node).for_each(drop));
        }
    }
    graph.check()
}
