//! Finds nodes by name or by line, for users that do not know the id of a METHOD or a TYPE.

use std::fmt;

use varvite::error::{nearest, optional};
use varvite::pipeline::{Options, Pipeline, PipelineError, Predicate, eq, nodes, regex};
use varvite::{Graph, GraphError, LabelNodes, PropertyInfo, Task, ValueType};
use varvite_cpg::Sites;

use super::lines::nodes_on_line;
use crate::error::{Candidate, Result, ShowError, listed};
use crate::label_names::LabelNames;

/// The properties that name a node. Suggestions for misspelt names are values of the first one.
const NAMES: [&str; 2] = ["NAME", "FULL_NAME"];
/// The label that is assumed for a name without a label.
const METHOD: &str = "METHOD";
/// The maximum number of nodes with one name that a message shows.
const CANDIDATES_MAX: usize = 5;

/// The number of names between two looks at the clock.
const NAMES_OF_LOOK: usize = 256;
/// The prefix of a regular expression in place of a name.
const MATCHES: char = '~';

/// Finds the nodes of a label by name, in ascending order: those with this FULL_NAME or, if there are none,
/// those with this NAME. If no node has the name and it begins with `~`, the rest is a regular expression: it
/// finds all nodes whose whole NAME or FULL_NAME it matches. Fails if no node is found.
fn nodes_named(graph: &Graph, label: &str, name: &str, task: &Task<'static>) -> Result<Vec<u32>> {
    let labelled = graph.nodes(label)?;
    for property in NAMES.into_iter().rev() {
        let found = nodes_with(graph, label, property, eq(name), task)?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    let mut found = Vec::new();
    if let Some(pattern) = name.strip_prefix(MATCHES) {
        for property in NAMES {
            found.extend(nodes_with(graph, label, property, regex(pattern), task)?);
        }
        found.sort_unstable();
        found.dedup();
    }
    match found.is_empty() {
        true => Err(no_name(graph, &labelled, (label, name), task)?),
        false => Ok(found),
    }
}

/// The definitions among METHODs, or all `nodes` if there are none. A definition is a METHOD that is not
/// external and has a BLOCK as a child.
fn definitions(graph: &Graph, nodes: Vec<u32>) -> Result<Vec<u32>> {
    if nodes.len() < 2 {
        return Ok(nodes);
    }
    let columns =
        (optional(graph.nodes(METHOD))?, optional(graph.nodes("BLOCK"))?, optional(graph.out("AST"))?);
    let (Some(methods), Some(blocks), Some(children)) = columns else { return Ok(nodes) };
    let is_external = optional(graph.property("IS_EXTERNAL"))?;
    let is_definition = |node: &u32| {
        let is_outside = is_external.as_ref().and_then(|external| external.number(*node)) == Some(1);
        !is_outside && children.neighbors(*node).any(|child| blocks.contains(child))
    };
    if !nodes.iter().all(|node| methods.contains(*node)) {
        return Ok(nodes);
    }
    let found: Vec<u32> = nodes.iter().copied().filter(is_definition).collect();
    Ok(if found.is_empty() { nodes } else { found })
}

/// The nodes of a label whose text in `property` fulfills the predicate. Empty if the graph or the label does
/// not have the property.
fn nodes_with(
    graph: &Graph,
    label: &str,
    property: &str,
    is: Predicate,
    task: &Task<'static>,
) -> Result<Vec<u32>> {
    let is_it = |info: &PropertyInfo| {
        info.edge_label.is_none() && info.value_type == ValueType::String && info.name == property
    };
    if !graph.properties().iter().any(is_it) {
        return Ok(Vec::new());
    }
    let pipeline: Pipeline = nodes(label).has(property, is);
    let plan = match pipeline.compile(graph) {
        Err(PipelineError::NotOfLabel { .. }) => return Ok(Vec::new()),
        plan => plan?,
    };
    let (mut run, mut found) = (plan.run(Options::from(task.clone())), Vec::new());
    while let Some(rows) = run.next()? {
        found.extend_from_slice(rows.nodes().unwrap_or(&[]));
    }
    Ok(found)
}

/// Finds the nodes that `words` describe: an id (`17` or `#17`), the FULL_NAME or NAME of a METHOD, or
/// `LABEL:NAME`. A regular expression after `~`, or a line as in `deflate.c:1200`, can replace the name. The
/// result has at least one node, and its ids ascend: the nodes with this FULL_NAME or, if there are none,
/// those with this NAME. If some of the METHODs are definitions, only the definitions are returned. A line
/// names the innermost METHOD around it; with another label, the nodes that begin on it. A name is looked up
/// in the property's index if it has one, otherwise all values of the property are read.
///
/// # Errors
/// [`ShowError`] for an unknown label, name or file (with the most similar one), a line without such nodes,
/// an unknown or removed node, and a graph that can't be read.
pub fn nodes_at(graph: &Graph, words: &str) -> Result<Vec<u32>> {
    nodes_at_within(graph, words, &Task::new())
}

/// The same as [`nodes_at`], with the limits of a task.
///
/// # Errors
/// The errors of [`nodes_at`]; an error of the graph if the task is cancelled, or if its time is over.
pub fn nodes_at_within(graph: &Graph, words: &str, task: &Task<'static>) -> Result<Vec<u32>> {
    definitions(graph, all_nodes_at(graph, words, task)?)
}

/// The same as [`nodes_at`], but with the declarations of METHODs even if there are definitions.
fn all_nodes_at(graph: &Graph, words: &str, task: &Task<'static>) -> Result<Vec<u32>> {
    if let Ok(node) = words.trim_start_matches('#').parse::<u64>() {
        return Ok(vec![node_of_id(graph, node)?]);
    }
    let (label, name) = label_and_name(graph, words);
    match nodes_named(graph, label, name, task) {
        Err(failure @ ShowError::NoName { .. }) => match nodes_on_line(graph, label, name, task)? {
            Some(nodes) => Ok(nodes),
            None => Err(perhaps_a_label(graph, words, failure)),
        },
        found => found,
    }
}

/// Finds the only node that `words` describe, as in [`nodes_at`].
///
/// # Errors
/// The errors of [`nodes_at`], and [`ShowError::Several`].
pub fn node_at(graph: &Graph, words: &str) -> Result<u32> {
    node_at_within(graph, words, &Task::new())
}

/// The same as [`node_at`], with the limits of a task.
///
/// # Errors
/// The errors of [`node_at`]; an error of the graph if the task is cancelled, or if its time is over.
pub fn node_at_within(graph: &Graph, words: &str, task: &Task<'static>) -> Result<u32> {
    match nodes_at_within(graph, words, task)?[..] {
        [node] => Ok(node),
        ref several_of_them => {
            let (label, name) = label_and_name(graph, words);
            Err(several(graph, label, name, several_of_them)?)
        }
    }
}

/// Other nodes that have the NAME by which a user chose one. `Display` writes a sentence with the first of
/// them.
///
/// A FULL_NAME takes precedence over a NAME, so `main` is one METHOD even if others have the NAME `main` and
/// the FULL_NAME `main<duplicate>0`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Namesakes {
    /// The label.
    pub label: String,
    /// The name.
    pub name: String,
    /// The number of other nodes with this NAME.
    pub count: usize,
    /// The first of these nodes.
    pub candidates: Vec<Candidate>,
}

impl Namesakes {
    /// The namesakes of `node`, which [`node_at`] found for `words`. `None` if there are none. Of METHODs,
    /// only definitions count, if there are any. A name is looked up in the index of NAME if the graph has
    /// one, otherwise all values of NAME are read.
    ///
    /// # Errors
    /// The graph can't be read.
    pub fn of(graph: &Graph, words: &str, node: u32) -> Result<Option<Self>> {
        let (label, name) = label_and_name(graph, words);
        let mut found = definitions(graph, nodes_with(graph, label, NAMES[0], eq(name), &Task::new())?)?;
        found.retain(|found| *found != node);
        if found.is_empty() || words.trim_start_matches('#').parse::<u64>().is_ok() {
            return Ok(None);
        }
        let candidates = candidates(graph, name, &found)?;
        Ok(Some(Self { label: label.to_owned(), name: name.to_owned(), count: found.len(), candidates }))
    }
}

impl fmt::Display for Namesakes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { label, name, count, candidates } = self;
        let nodes = if *count == 1 { "node has" } else { "nodes have" };
        write!(formatter, "{count} other {label} {nodes} the NAME {name:?}: {}", listed(*count, candidates))
    }
}

/// Finds the METHODs that `words` describe, as in [`nodes_at`]. Declarations are included, since CALL edges
/// may lead to them.
///
/// # Errors
/// The errors of [`nodes_at`], and [`ShowError::NotAMethod`].
pub fn methods_at(graph: &Graph, words: &str) -> Result<Vec<u32>> {
    let (methods, nodes) = (graph.nodes(METHOD)?, all_nodes_at(graph, words, &Task::new())?);
    match nodes.iter().find(|node| !methods.contains(**node)) {
        None => Ok(nodes),
        Some(node) => {
            let label = LabelNames::of(graph)?.of_node(*node).to_owned();
            Err(ShowError::NotAMethod { words: words.to_owned(), node: *node, label })
        }
    }
}

/// Splits `words` into label and name. A FULL_NAME may contain colons; only the text before the first colon
/// can be a label. The default label is METHOD.
fn label_and_name<'w>(graph: &Graph, words: &'w str) -> (&'w str, &'w str) {
    match words.split_once(':') {
        Some((label, name)) if graph.label(label).is_ok() => (label, name),
        _ => (METHOD, words),
    }
}

/// The error to report: an unknown label if `words` begin with a misspelt label, otherwise `failure`.
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

/// Makes the error for a name that several nodes have.
fn several(graph: &Graph, label: &str, name: &str, nodes: &[u32]) -> Result<ShowError> {
    let candidates = candidates(graph, name, nodes)?;
    Ok(ShowError::Several { label: label.to_owned(), name: name.to_owned(), count: nodes.len(), candidates })
}

/// The first of several nodes with a name, with values that distinguish them.
fn candidates(graph: &Graph, name: &str, nodes: &[u32]) -> Result<Vec<Candidate>> {
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
    Ok(nodes.iter().take(CANDIDATES_MAX).map(&mut candidate).collect())
}

fn no_name(
    graph: &Graph,
    nodes: &LabelNodes,
    (label, name): (&str, &str),
    task: &Task<'static>,
) -> Result<ShowError> {
    let names = optional(graph.property(NAMES[0]))?;
    let is_in_time = |(count, _): &(usize, u32)| count % NAMES_OF_LOOK != 0 || task.check().is_ok();
    let nodes = || nodes.iter().enumerate().take_while(is_in_time);
    let known = names.iter().flat_map(|names| nodes().filter_map(|(_, node)| names.str(node)));
    let nearest = nearest(name, known);
    task.check().map_err(GraphError::from)?;
    Ok(ShowError::NoName { label: label.to_owned(), name: name.to_owned(), nearest })
}
