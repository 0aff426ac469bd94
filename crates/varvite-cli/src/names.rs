//! Nodes by name: how people point at a METHOD or a TYPE without knowing its id.

use varvite::{Graph, GraphError, LabelNodes, nearest};

use crate::condition::{Condition, matching};
use crate::failure::Failure;

/// The properties that name a node, the first one for suggestions too.
const NAMES: [&str; 2] = ["NAME", "FULL_NAME"];

/// The nodes of a label whose NAME or FULL_NAME is `name`, rising; at least one.
pub(crate) fn nodes_named(graph: &Graph, label: &str, name: &str) -> Result<Vec<u32>, Failure> {
    let nodes = graph.nodes(label)?;
    let mut found = Vec::new();
    for property in NAMES {
        if let Some(property) = optional(graph.property(property))? {
            found.extend(matching(&nodes, &[Condition::text(property, name)], usize::MAX));
        }
    }
    found.sort_unstable();
    found.dedup();
    if found.is_empty() {
        graph.check()?;
        return Err(no_name(graph, &nodes, label, name)?);
    }
    Ok(found)
}

/// The nodes that `words` points at: an id, or `LABEL:NAME`.
pub(crate) fn nodes_at(graph: &Graph, words: &str) -> Result<Vec<u32>, Failure> {
    if let Some((label, name)) = words.split_once(':') {
        return nodes_named(graph, label, name);
    }
    let Ok(node) = words.trim_start_matches('#').parse::<u64>() else {
        let what = format!("{words:?} is no node: give its id, or LABEL:NAME as in METHOD:main");
        return Err(Failure::Usage(what));
    };
    match u32::try_from(node).ok().filter(|node| *node < graph.node_count()) {
        Some(node) => Ok(vec![node]),
        None => Err(GraphError::NoSuchNode { node, nodes: graph.node_count() }.into()),
    }
}

/// A part of the schema that a graph may lack.
pub(crate) fn optional<T>(found: Result<T, GraphError>) -> Result<Option<T>, GraphError> {
    match found {
        Ok(part) => Ok(Some(part)),
        Err(GraphError::Unknown { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

fn no_name(graph: &Graph, nodes: &LabelNodes, label: &str, name: &str) -> Result<Failure, Failure> {
    let names = optional(graph.property(NAMES[0]))?;
    let known = names.iter().flat_map(|names| nodes.iter().filter_map(|node| names.str(node)));
    let nearest = nearest(name, known);
    Ok(Failure::NoName { label: label.to_owned(), name: name.to_owned(), nearest })
}
