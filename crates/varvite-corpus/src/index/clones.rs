//! [`clones`]: functions with equal content, from the digests of an index.

use std::collections::HashMap;
use std::path::Path;

use varvite::{Budget, Graph, GraphError, Task};

use super::read::{Reader, open, version_of};
use super::schema::*;
use crate::error::{CorpusError, Result};
use crate::facts::{Content, Function};

/// The number of functions between two looks at the clock.
const FUNCTIONS_AT_ONCE: usize = 1024;

/// The answer of [`clones`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Clones {
    /// The groups.
    pub groups: Vec<CloneGroup>,
    /// The parts of the corpus that were not compared.
    pub left_out: LeftOut,
}

/// The parts of a corpus that a list of clones lacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// The number of files that could not be read when the index was made.
    pub failed: u64,
    /// The number of folders that could not be read then.
    pub unreadable: u64,
    /// The number of functions without a digest, since edges of the syntax tree of their graph were added or
    /// removed.
    pub without_content: u64,
}

/// Functions with equal content.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CloneGroup {
    /// The digest of their content.
    pub content: Content,
    /// The number of lines of the longest one: layout and comments may differ.
    pub lines: u64,
    /// The functions, by graph, file and line; at least two.
    pub functions: Vec<ClonedFunction>,
}

/// A function of a group, and its graph.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClonedFunction {
    /// The path of the graph.
    pub graph: String,
    /// The function.
    pub function: Function,
}

/// Finds functions of at least `lines_min` lines with equal content. Groups with more lines come first, then
/// those with more functions. A graph and its copies in the corpus count once.
///
/// **Cost**: two passes over the functions of the index. Holds 24 bytes for each, and the texts of those that
/// are in a group.
///
/// # Errors
/// [`CorpusError::NotAnIndex`]; [`CorpusError::OtherVersion`]; damage; too little memory; cancellation.
pub fn clones(index: &Path, lines_min: u64, task: &Task<'_>) -> Result<Clones> {
    let graph = open(index)?;
    if version_of(&graph)? != Some(VERSION) {
        return Err(CorpusError::OtherVersion { path: index.to_owned() });
    }
    let left_out = LeftOut::of(&graph)?;
    let (reader, methods, budget) = (Reader::open(&graph)?, graph.nodes(METHOD)?, Budget::of(task));
    let mut by_content: HashMap<Content, Vec<u32>> = HashMap::new();
    for (count, method) in methods.iter().enumerate() {
        if count % FUNCTIONS_AT_ONCE == 0 {
            task.check()?;
        }
        if let Some(content) = reader.content(method) {
            budget.take(2 * size_of::<Content>() + size_of::<u32>()).map_err(GraphError::from)?;
            by_content.entry(content).or_default().push(method);
        }
    }
    by_content.retain(|_, methods| methods.len() > 1);
    let mut groups = Vec::new();
    for (content, methods) in by_content {
        task.check()?;
        groups.extend(group(&reader, content, &methods, lines_min, &budget)?);
    }
    let order =
        |group: &CloneGroup| (u64::MAX - group.lines, usize::MAX - group.functions.len(), group.content);
    groups.sort_unstable_by_key(order);
    graph.check()?;
    Ok(Clones { groups, left_out })
}

impl LeftOut {
    fn of(graph: &Graph) -> Result<Self> {
        let corpus = graph.nodes(CORPUS)?.iter().next();
        let count = |name| -> Result<u64> {
            let number = graph.property(name)?;
            let count = corpus.and_then(|corpus| number.number(corpus));
            Ok(count.and_then(|count| u64::try_from(count).ok()).unwrap_or(0))
        };
        Ok(Self {
            failed: count(FAILED)?,
            unreadable: count(UNREADABLE)?,
            without_content: count(WITHOUT_CONTENT)?,
        })
    }
}

/// The group of functions, if they are long enough.
fn group(
    reader: &Reader,
    content: Content,
    methods: &[u32],
    lines_min: u64,
    budget: &Budget,
) -> Result<Option<CloneGroup>> {
    let mut functions = Vec::new();
    for method in methods {
        let Some(function) = reader.function(*method) else { continue };
        let cloned = ClonedFunction { graph: reader.graph(*method), function };
        budget.take(cloned.bytes()).map_err(GraphError::from)?;
        functions.push(cloned);
    }
    let lines = functions.iter().map(|cloned| cloned.function.lines()).max().unwrap_or(0);
    functions.sort_by(|one, other| one.place().cmp(&other.place()));
    let is_group = functions.len() > 1 && lines >= lines_min;
    Ok(is_group.then_some(CloneGroup { content, lines, functions }))
}

impl ClonedFunction {
    fn place(&self) -> (&str, &str, Option<i64>, u32) {
        (&self.graph, &self.function.source, self.function.line, self.function.node)
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.graph.len() + self.function.bytes()
    }
}
