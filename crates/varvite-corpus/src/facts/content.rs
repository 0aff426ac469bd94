//! [`Contents`]: digests of functions by content, equal for functions that were copied.
//!
//! The digest of a node covers its label, its NAME, the CODE of leaves, and the digests of its children in
//! order; in a CONTROL_STRUCTURE also the ORDER of each child, which says whether `i--` is the condition of a
//! `for` or its last part. So it covers a whole function but the place where it stands: no ids, lines, files,
//! types that a frontend inferred, and neither the function's own name nor its modifiers (`static`).

use std::collections::HashMap;
use std::fmt;

use varvite::cursor::{LabelTest, Labels};
use varvite::error::optional;
use varvite::{Budget, Graph, GraphError, Property, Subtree, Task};

use super::digits;
use crate::error::FileError;

/// The number of bytes of a digest: half of a BLAKE3 hash.
const BYTES: usize = 16;
/// The memory of a remembered hash of a text.
const REMEMBERED_BYTES: usize = 2 * (size_of::<i64>() + BYTES);
/// The number of nodes between two looks at the clock.
pub(super) const NODES_AT_ONCE: u32 = 4096;

/// The digest of a function's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Content(pub [u8; BYTES]);

impl Content {
    fn of(bytes: &[u8]) -> Self {
        let mut content = [0; BYTES];
        content.copy_from_slice(&blake3::hash(bytes).as_bytes()[..BYTES]);
        Self(content)
    }

    /// Parses the digits that [`fmt::Display`] writes.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        digits::parse(text).map(Self)
    }
}

impl fmt::Display for Content {
    /// Writes the digest as 32 hexadecimal digits.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        digits::write(&self.0, formatter)
    }
}

/// The digests of some nodes of a graph, by node.
pub(super) type Contents = HashMap<u32, Content>;

/// Computes the digests of the nodes for which `is_wanted` returns true. `None` if the syntax tree of the
/// graph is not a range of ids.
///
/// **Cost**: one pass over the graph, from its last node to its first, and a hash of a few dozen bytes for
/// each node. Holds the digests of siblings whose parent comes later, and a hash of each text.
pub(super) fn contents_of(
    graph: &Graph,
    task: &Task<'_>,
    budget: &Budget,
    is_wanted: impl Fn(u32) -> bool,
) -> Result<Option<Contents>, FileError> {
    let Some(subtree) = graph.subtree()? else { return Ok(None) };
    let mut reader = Reader::open(graph, budget)?;
    let (mut contents, mut waiting, mut held) = (Contents::new(), Vec::new(), 0);
    for node in (0..graph.node_count()).rev() {
        if node % NODES_AT_ONCE == 0 {
            task.check().map_err(GraphError::from)?;
        }
        let content = reader.content(node, &subtree, &mut waiting)?;
        if is_wanted(node) {
            budget.take(REMEMBERED_BYTES).map_err(GraphError::from)?;
            contents.insert(node, content);
        }
        if !reader.is_skipped(node) {
            budget.make_room(&mut waiting, 1, &mut held).map_err(GraphError::from)?;
            waiting.push((node, content));
        }
    }
    budget.give_back(held);
    Ok(Some(contents))
}

/// Reads what the digest of a node covers.
struct Reader<'b> {
    labels: Labels,
    is_method: Option<LabelTest>,
    is_control: Option<LabelTest>,
    /// Nodes whose subtrees no digest covers.
    skipped: Vec<LabelTest>,
    /// The hash of each label set's names, by its code.
    names_of_labels: Vec<Content>,
    name: Option<Texts>,
    code: Option<Texts>,
    kind: Option<Texts>,
    order: Option<Property>,
    bytes: Vec<u8>,
    budget: &'b Budget,
}

/// The labels that no digest covers: modifiers, and notes for readers.
pub(super) const SKIPPED: [&str; 2] = ["MODIFIER", "COMMENT"];

impl<'b> Reader<'b> {
    fn open(graph: &Graph, budget: &'b Budget) -> Result<Self, FileError> {
        let labels = graph.label_sets()?;
        let test =
            |name: &str| Ok::<_, GraphError>(optional(graph.label(name))?.map(|label| labels.test(label)));
        let skipped: Vec<Option<LabelTest>> = SKIPPED.into_iter().map(test).collect::<Result<_, _>>()?;
        let texts = |name: &str| Ok::<_, GraphError>(optional(graph.property(name))?.map(Texts::of));
        Ok(Self {
            is_method: test("METHOD")?,
            is_control: test("CONTROL_STRUCTURE")?,
            skipped: skipped.into_iter().flatten().collect(),
            names_of_labels: names_of_labels(graph, &labels),
            name: texts("NAME")?,
            code: texts("CODE")?,
            kind: texts("CONTROL_STRUCTURE_TYPE")?,
            order: optional(graph.property("ORDER"))?,
            labels,
            bytes: Vec::new(),
            budget,
        })
    }

    fn is_skipped(&self, node: u32) -> bool {
        self.skipped.iter().any(|test| test.matches(node))
    }

    /// The digest of a node. The digests of its children, which are the last ones that wait, are taken.
    fn content(
        &mut self,
        node: u32,
        subtree: &Subtree,
        waiting: &mut Vec<(u32, Content)>,
    ) -> Result<Content, FileError> {
        let end = subtree.descendants(node).end;
        self.bytes.clear();
        let labels = self.labels.known_code(node).and_then(|code| self.names_of_labels.get(code as usize));
        self.bytes.extend_from_slice(labels.map_or(&NOTHING, |names| &names.0));
        if !self.is_method.as_ref().is_some_and(|test| test.matches(node)) {
            let is_leaf = end == node + 1;
            let texts = [(&mut self.name, true), (&mut self.code, is_leaf), (&mut self.kind, true)];
            for (texts, _) in texts.into_iter().filter(|(_, is_covered)| *is_covered) {
                let hash = texts.as_mut().map_or(Ok(NOTHING), |texts| texts.hash(node, self.budget))?;
                self.bytes.extend_from_slice(&hash);
            }
        }
        let is_control = self.is_control.as_ref().is_some_and(|test| test.matches(node));
        while let Some((child, content)) = waiting.pop_if(|(child, _)| *child < end) {
            if is_control {
                let order = self.order.as_ref().and_then(|order| order.number(child));
                self.bytes.extend_from_slice(&order.unwrap_or(i64::MIN).to_le_bytes());
            }
            self.bytes.extend_from_slice(&content.0);
        }
        Ok(Content::of(&self.bytes))
    }
}

/// The hash of each label set's names, by its code.
pub(super) fn names_of_labels(graph: &Graph, labels: &Labels) -> Vec<Content> {
    let names = |code| {
        let names = labels.of_code(code).filter_map(|label| graph.labels().get(label.index()));
        let names: Vec<&str> = names.map(|label| label.name.as_str()).collect();
        Content::of(names.join("\0").as_bytes())
    };
    (0..labels.code_count()).map(names).collect()
}

/// The hash in place of that of a text that a node does not have.
const NOTHING: [u8; BYTES] = [0; BYTES];

/// The hashes of a property's texts. Each text is hashed once, since in a hostile graph millions of nodes
/// could share a long one.
pub(super) struct Texts {
    property: Property,
    hashes: HashMap<i64, [u8; BYTES]>,
}

impl Texts {
    pub(super) fn of(property: Property) -> Self {
        Self { property, hashes: HashMap::new() }
    }

    pub(super) fn hash(&mut self, node: u32, budget: &Budget) -> Result<[u8; BYTES], FileError> {
        let Some(code) = self.property.number(node) else { return Ok(NOTHING) };
        if let Some(hash) = self.hashes.get(&code) {
            return Ok(*hash);
        }
        let hash = self.property.str(node).map_or(NOTHING, |text| Content::of(text.as_bytes()).0);
        budget.take(REMEMBERED_BYTES).map_err(GraphError::from)?;
        self.hashes.insert(code, hash);
        Ok(hash)
    }
}
