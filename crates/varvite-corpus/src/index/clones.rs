//! [`clones`]: functions with equal content, from the digests of an index.

use std::collections::HashMap;
use std::path::Path;

use varvite::{Budget, Graph, GraphError, LabelNodes, Task};

use super::read::{Reader, open, version_of};
use super::schema::*;
use crate::error::{CorpusError, Result};
use crate::facts::{Content, Function};

/// The number of functions between two looks at the clock.
pub(super) const FUNCTIONS_AT_ONCE: usize = 1024;

/// The answer of [`clones`].
#[derive(Clone, Debug, PartialEq)]
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

/// Functions with equal content, or with likeness to the first one of the index.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CloneGroup {
    /// The digest of their content, or that of the first one of the index.
    pub content: Content,
    /// The least estimated part of tokens that another function shares with that one, from 0 to 1: 1 if the
    /// contents are equal.
    pub likeness: f64,
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
    let (index, budget) = (Index::open(index)?, Budget::of(task));
    let mut by_content: HashMap<Content, Vec<u32>> = HashMap::new();
    for (count, method) in index.methods.iter().enumerate() {
        if count % FUNCTIONS_AT_ONCE == 0 {
            task.check()?;
        }
        if let Some(content) = index.reader.content(method) {
            budget.take(2 * size_of::<Content>() + size_of::<u32>()).map_err(GraphError::from)?;
            by_content.entry(content).or_default().push(method);
        }
    }
    by_content.retain(|_, methods| methods.len() > 1);
    let mut groups = Vec::new();
    for (content, methods) in by_content {
        task.check()?;
        groups.extend(index.group(content, &methods, lines_min, &budget)?);
    }
    index.finish(groups)
}

/// An index that is searched for clones.
pub(super) struct Index {
    graph: Graph,
    pub(super) reader: Reader,
    pub(super) methods: LabelNodes,
    left_out: LeftOut,
}

impl Index {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let graph = open(path)?;
        if version_of(&graph)? != Some(VERSION) {
            return Err(CorpusError::OtherVersion { path: path.to_owned() });
        }
        let (reader, methods, left_out) = (Reader::open(&graph)?, graph.nodes(METHOD)?, LeftOut::of(&graph)?);
        Ok(Self { graph, reader, methods, left_out })
    }

    /// The group of functions with equal content, if they are long enough.
    pub(super) fn group(
        &self,
        content: Content,
        methods: &[u32],
        lines_min: u64,
        budget: &Budget,
    ) -> Result<Option<CloneGroup>> {
        let mut functions = Vec::new();
        for method in methods {
            let Some(function) = self.reader.function(*method) else { continue };
            let cloned = ClonedFunction { graph: self.reader.graph(*method), function };
            budget.take(cloned.bytes()).map_err(GraphError::from)?;
            functions.push(cloned);
        }
        let lines = functions.iter().map(|cloned| cloned.function.lines()).max().unwrap_or(0);
        functions.sort_by(|one, other| one.place().cmp(&other.place()));
        let is_group = functions.len() > 1 && lines >= lines_min;
        Ok(is_group.then_some(CloneGroup { content, likeness: 1.0, lines, functions }))
    }

    /// The groups in their order, if no read met damage.
    pub(super) fn finish(self, mut groups: Vec<CloneGroup>) -> Result<Clones> {
        let order =
            |group: &CloneGroup| (u64::MAX - group.lines, usize::MAX - group.functions.len(), group.content);
        groups.sort_unstable_by_key(order);
        self.graph.check()?;
        Ok(Clones { groups, left_out: self.left_out })
    }
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

impl ClonedFunction {
    fn place(&self) -> (&str, &str, Option<i64>, u32) {
        (&self.graph, &self.function.source, self.function.line, self.function.node)
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.graph.len() + self.function.bytes()
    }
}
