//! Nodes by name: how people mean a METHOD or a TYPE without knowing its id.

use varvite::error::{nearest, optional};
use varvite::pipeline::{Options, Pipeline, PipelineError, eq, nodes};
use varvite::{Graph, GraphError, LabelNodes, PropertyInfo, ValueType};
use varvite_cpg::Sites;

use crate::error::{Candidate, Result, ShowError};
use crate::label_names::LabelNames;

/// The properties that name a node, the first one for suggestions too.
const NAMES: [&str; 2] = ["NAME", "FULL_NAME"];
/// What a name without a label is the name of.
const METHOD: &str = "METHOD";
/// Nodes of one name that a message shows.
const CANDIDATES_MAX: usize = 5;

/// The nodes of a label whose NAME or FULL_NAME is `name`, rising; at least one.
fn nodes_named(graph: &Graph, label: &str, name: &str) -> Result<Vec<u32>> {
    let labelled = graph.nodes(label)?;
    let mut found = Vec::new();
    for property in NAMES {
        found.extend(nodes_with(graph, label, property, name)?);
    }
    found.sort_unstable();
    found.dedup();
    if found.is_empty() {
        return Err(no_name(graph, &labelled, label, name)?);
    }
    Ok(found)
}

/// The nodes of a label with a text; none in a graph, or of a label, without such texts.
fn nodes_with(graph: &Graph, label: &str, property: &str, text: &str) -> Result<Vec<u32>> {
    let is_it = |info: &PropertyInfo| {
        info.edge_label.is_none() && info.value_type == ValueType::String && info.name == property
    };
    if !graph.properties().iter().any(is_it) {
        return Ok(Vec::new());
    }
    let pipeline: Pipeline = nodes(label).has(property, eq(text));
    let plan = match pipeline.compile(graph) {
        Err(PipelineError::NotOfLabel { .. }) => return Ok(Vec::new()),
        plan => plan?,
    };
    let (mut run, mut found) = (plan.run(Options::default()), Vec::new());
    while let Some(rows) = run.next()? {
        found.extend_from_slice(rows.nodes().unwrap_or(&[]));
    }
    Ok(found)
}

/// The nodes that `words` mean: an id (`17` or `#17`), the NAME or FULL_NAME of a METHOD, or `LABEL:NAME`. At
/// least one; of a name all that have it, rising. A name is looked up in an index where there is one, else
/// among all values of the property.
///
/// # Errors
/// [`ShowError`]: no such label, node or name, with the nearest one; a node that was removed; a graph that
/// can't be read.
pub fn nodes_at(graph: &Graph, words: &str) -> Result<Vec<u32>> {
    if let Ok(node) = words.trim_start_matches('#').parse::<u64>() {
        return Ok(vec![node_of_id(graph, node)?]);
    }
    let (label, name) = label_and_name(graph, words);
    nodes_named(graph, label, name).map_err(|failure| perhaps_a_label(graph, words, failure))
}

/// The one node that `words` mean, in the ways of [`nodes_at`].
///
/// # Errors
/// Also [`ShowError::Several`].
pub fn node_at(graph: &Graph, words: &str) -> Result<u32> {
    match nodes_at(graph, words)?[..] {
        [node] => Ok(node),
        ref several_of_them => {
            let (label, name) = label_and_name(graph, words);
            Err(several(graph, label, name, several_of_them)?)
        }
    }
}

/// The METHODs that `words` mean, in the ways of [`nodes_at`].
///
/// # Errors
/// Also [`ShowError::NotAMethod`].
pub fn methods_at(graph: &Graph, words: &str) -> Result<Vec<u32>> {
    let (methods, nodes) = (graph.nodes(METHOD)?, nodes_at(graph, words)?);
    match nodes.iter().find(|node| !methods.contains(**node)) {
        None => Ok(nodes),
        Some(node) => {
            let label = LabelNames::of(graph)?.of_node(*node).to_owned();
            Err(ShowError::NotAMethod { words: words.to_owned(), node: *node, label })
        }
    }
}

/// What `words` name. A FULL_NAME may hold colons; only what stands before the first one can be a label.
fn label_and_name<'w>(graph: &Graph, words: &'w str) -> (&'w str, &'w str) {
    match words.split_once(':') {
        Some((label, name)) if graph.label(label).is_ok() => (label, name),
        _ => (METHOD, words),
    }
}

/// What failed, unless the words begin with a label that is misspelt.
fn perhaps_a_label(graph: &Graph, words: &str, failure: ShowError) -> ShowError {
    match words.split_once(':').map(|(label, _)| graph.label(label)) {
        Some(Err(error @ GraphError::Unknown { nearest: Some(_), .. })) => error.into(),
        _ => failure,
    }
}

fn node_of_id(graph: &Graph, node: u64) -> Result<u32> {
    let found = u32::try_from(node).ok().filter(|node| *node < graph.node_count());
    let found = found.ok_or_else(|| GraphError::NoSuchNode { node, nodes: graph.node_count() })?;
    if graph.is_removed(found)? { Err(ShowError::Removed { node: found }) } else { Ok(found) }
}

/// The first of the nodes of a name, with what tells them apart.
fn several(graph: &Graph, label: &str, name: &str, nodes: &[u32]) -> Result<ShowError> {
    let sites = Sites::open(graph)?;
    let full_names = optional(graph.property(NAMES[1]))?;
    let mut cursor = sites.cursor();
    let mut candidate = |node: &u32| {
        let full_name = full_names.as_ref().and_then(|names| names.str(*node)).map(String::from);
        let site = cursor.at(*node);
        let file = site.file.unwrap_or("?");
        let place = site.line.map_or_else(|| file.to_owned(), |line| format!("{file}:{line}"));
        Candidate { node: *node, full_name: full_name.filter(|full_name| full_name != name), place }
    };
    let candidates = nodes.iter().take(CANDIDATES_MAX).map(&mut candidate).collect();
    Ok(ShowError::Several { label: label.to_owned(), name: name.to_owned(), count: nodes.len(), candidates })
}

fn no_name(graph: &Graph, nodes: &LabelNodes, label: &str, name: &str) -> Result<ShowError> {
    let names = optional(graph.property(NAMES[0]))?;
    let known = names.iter().flat_map(|names| nodes.iter().filter_map(|node| names.str(node)));
    let nearest = nearest(name, known);
    Ok(ShowError::NoName { label: label.to_owned(), name: name.to_owned(), nearest })
}
