//! Nodes by name: how people point at a METHOD or a TYPE without knowing its id.

use varvite::pipeline::{Options, Pipeline, eq, nodes};
use varvite::{Graph, GraphError, LabelNodes, PropertyInfo, ValueType, nearest};

use crate::failure::Failure;

/// The properties that name a node, the first one for suggestions too.
const NAMES: [&str; 2] = ["NAME", "FULL_NAME"];

/// The nodes of a label whose NAME or FULL_NAME is `name`, rising; at least one.
pub(crate) fn nodes_named(graph: &Graph, label: &str, name: &str) -> Result<Vec<u32>, Failure> {
    let labelled = graph.nodes(label)?;
    let mut found = Vec::new();
    for property in NAMES {
        found.extend(nodes_with(graph, label, property, name)?);
    }
    found.sort_unstable();
    found.dedup();
    if found.is_empty() {
        graph.check()?;
        return Err(no_name(graph, &labelled, label, name)?);
    }
    Ok(found)
}

/// The nodes of a label with a text; none in a graph without such texts.
fn nodes_with(graph: &Graph, label: &str, property: &str, text: &str) -> Result<Vec<u32>, Failure> {
    let is_it = |info: &PropertyInfo| {
        info.edge_label.is_none() && info.value_type == ValueType::String && info.name == property
    };
    if !graph.properties().iter().any(is_it) {
        return Ok(Vec::new());
    }
    let pipeline: Pipeline = nodes(label).has(property, eq(text));
    let (mut run, mut found) = (pipeline.compile(graph)?.run(Options::default()), Vec::new());
    while let Some(rows) = run.next()? {
        found.extend_from_slice(rows.nodes().unwrap_or(&[]));
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
