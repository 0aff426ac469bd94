//! [`NameIndex`]: the names of declarations in one piece of memory, for searches while a user types.
//!
//! A name is stored once, in lower case, with the nodes that have it. One pass over the names finds a text: a
//! graph of 16 million nodes has some 400,000 names of 6 MB. Of the nodes with one name no more are kept than
//! an answer can have, so the index stays small whatever the graph is.

use std::collections::{BinaryHeap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};

use axum::http::StatusCode;
use memchr::memmem::Finder;
use varvite::error::optional;
use varvite::memory::OverBudget;
use varvite::{Budget, Graph, LabelNodes, Property, Task};

use super::matches::{Match, begins_word, match_at};
use crate::fault::{Fault, Result};
use crate::limits::Work;

/// The most nodes of one name, which is also the most rows of an answer.
pub(crate) const NODES_OF_NAME: usize = 200;
/// The longest name in bytes. Longer ones are not found.
pub(crate) const NAME_BYTES_MAX: usize = 4096;
/// Separates names.
const END: u8 = b'\n';
/// The number of nodes between two looks at the clock.
const NODES_OF_LOOK: usize = 4096;
/// A text that is no name of the index.
const NONE: u32 = u32::MAX;

/// A node that was found. The order is that of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Hit {
    pub(crate) fit: Match,
    /// The importance of the node: the number of its label's group, and whether it is external.
    pub(crate) rank: u8,
    pub(crate) name_len: u32,
    pub(crate) node: u32,
}

/// The best hits so far.
pub(crate) struct Best {
    hits: BinaryHeap<Hit>,
    limit: usize,
    pub(crate) has_more: bool,
}

/// The names of a property.
#[derive(Debug, Default)]
pub(crate) struct NameIndex {
    /// All names in lower case, each behind its separator.
    names: Vec<u8>,
    /// A bit for each byte of `names`: whether a word begins there.
    words: Vec<u64>,
    /// The start of each name, and the end of all.
    starts: Vec<u32>,
    /// The first node of each name in `nodes`, and the end of all.
    firsts: Vec<u32>,
    /// The nodes with their ranks, the most important of each name first.
    nodes: Vec<(u8, u32)>,
}

impl Best {
    pub(crate) fn of(limit: usize) -> Self {
        Self { hits: BinaryHeap::new(), limit, has_more: false }
    }

    /// Keeps a hit if it is one of the best. Returns whether it is.
    pub(crate) fn push(&mut self, hit: Hit) -> bool {
        if self.hits.len() < self.limit {
            self.hits.push(hit);
            return true;
        }
        self.has_more = true;
        match self.hits.peek_mut() {
            Some(mut worst) if hit < *worst => {
                *worst = hit;
                true
            }
            _ => false,
        }
    }

    /// The hits in order, each node once.
    pub(crate) fn into_sorted(self) -> Vec<Hit> {
        let (mut hits, mut known) = (self.hits.into_sorted_vec(), HashSet::new());
        hits.retain(|hit| known.insert(hit.node));
        hits
    }
}

impl NameIndex {
    /// Reads the names of the nodes of some labels. Labels of an earlier group are more important.
    ///
    /// **Cost**: a visit of each node; four bytes for each text of the property while the index is made.
    pub(super) fn of(
        graph: &Graph,
        property: &Property,
        groups: &[&[&str]],
        making: &Making<'_>,
    ) -> Result<Self> {
        let texts = property.strings().map_or(0, |texts| texts.len()) as usize;
        making.budget.take(texts * size_of::<u32>())?;
        let is_external = optional(graph.property("IS_EXTERNAL"))?;
        let mut names = Names { of_code: vec![NONE; texts], ..Names::default() };
        for (group, labels) in (0_u8..).zip(groups) {
            for label in *labels {
                let Some(nodes) = optional(graph.nodes(label))? else { continue };
                names.add(&nodes, group, property, is_external.as_ref(), making)?;
            }
        }
        // The lists of the index that are made from the nodes that were found.
        making.budget.take(names.found.len() * size_of::<(u8, u32)>())?;
        making.budget.take(names.index.starts.len() * size_of::<u32>())?;
        Ok(names.finish())
    }

    /// Adds the nodes whose names contain a text.
    pub(crate) fn find(&self, text: &str, best: &mut Best, work: &Work) -> varvite::Result<()> {
        let lower = text.to_ascii_lowercase();
        if self.starts.is_empty() || lower.is_empty() || lower.bytes().any(|byte| byte == END) {
            return Ok(());
        }
        let finder = Finder::new(&lower);
        let mut matched: Option<(usize, Match)> = None;
        let mut name = 0;
        for (count, at) in finder.find_iter(&self.names).enumerate() {
            if count % NODES_OF_LOOK == 0 {
                work.check()?;
            }
            name += self.starts[name + 1..]
                .partition_point(|start| *start as usize <= at)
                .min(self.len() - 1 - name);
            let fit = self.fit(name, at, lower.len());
            matched = match matched {
                Some((before, known)) if before == name => Some((name, known.min(fit))),
                before => {
                    self.push(before, best);
                    Some((name, fit))
                }
            };
        }
        self.push(matched, best);
        Ok(())
    }

    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The bytes of a name.
    fn name(&self, name: usize) -> &[u8] {
        &self.names[self.starts[name] as usize..self.starts[name + 1] as usize - 1]
    }

    fn fit(&self, name: usize, at: usize, len: usize) -> Match {
        let within = at - self.starts[name] as usize;
        let is_word = self.words[at / 64] >> (at % 64) & 1 == 1;
        match_at(self.name(name), within, len, is_word)
    }

    /// Adds the nodes of a name. They are in order, so the first that is not among the best ends the name.
    fn push(&self, matched: Option<(usize, Match)>, best: &mut Best) {
        let Some((name, fit)) = matched else { return };
        let name_len = self.starts[name + 1] - self.starts[name] - 1;
        let nodes = self.firsts[name] as usize..self.firsts[name + 1] as usize;
        for (rank, node) in &self.nodes[nodes] {
            if !best.push(Hit { fit, rank: *rank, name_len, node: *node }) {
                break;
            }
        }
    }
}

/// The limits of the work on an index.
#[derive(Clone, Copy)]
pub(super) struct Making<'a> {
    pub(super) task: &'a Task<'static>,
    pub(super) budget: &'a Budget,
    /// The number of nodes that were visited.
    pub(super) done: &'a AtomicU64,
}

/// An index that is being made.
#[derive(Default)]
struct Names {
    /// The name of each text of the property.
    of_code: Vec<u32>,
    index: NameIndex,
    /// The name, the rank and the node of each declaration.
    found: Vec<(u32, u8, u32)>,
    /// The bytes that are charged for the lists that grow.
    held: usize,
}

impl Names {
    fn add(
        &mut self,
        nodes: &LabelNodes,
        group: u8,
        property: &Property,
        is_external: Option<&Property>,
        making: &Making<'_>,
    ) -> Result<()> {
        let Some(texts) = property.strings() else { return Ok(()) };
        let mut reader = texts.reader();
        for (count, node) in nodes.iter().enumerate() {
            if count % NODES_OF_LOOK == 0 {
                making.task.check()?;
                making.done.fetch_add(NODES_OF_LOOK as u64, Ordering::Relaxed);
            }
            let code = property.number(node).and_then(|code| u32::try_from(code).ok());
            let known = code.and_then(|code| Some((code, self.of_code.get_mut(code as usize)?)));
            let Some((code, known)) = known else { continue };
            if *known == NONE {
                let is_name = |len| len > 0 && len <= NAME_BYTES_MAX;
                let is_name = texts.text_len(code).is_some_and(is_name);
                let Some(text) = (if is_name { reader.bytes(code) } else { None }) else { continue };
                self.index.make_room(text.len(), making.budget, &mut self.held)?;
                *known = self.index.starts.len() as u32;
                self.index.add(text);
            }
            let is_external = is_external.and_then(|external| external.number(node)) == Some(1);
            making.budget.make_room(&mut self.found, 1, &mut self.held)?;
            self.found.push((*known, 2 * group + u8::from(is_external), node));
        }
        Ok(())
    }

    fn finish(mut self) -> NameIndex {
        self.index.starts.push(self.index.names.len() as u32);
        self.found.sort_unstable();
        let mut name_of_last = 0;
        for of_name in self.found.chunk_by(|one, next| one.0 == next.0) {
            self.index.firsts.resize(of_name[0].0 as usize + 1, self.index.nodes.len() as u32);
            self.index
                .nodes
                .extend(of_name.iter().take(NODES_OF_NAME + 1).map(|(_, rank, node)| (*rank, *node)));
            name_of_last = of_name[0].0 as usize + 1;
        }
        self.index.firsts.resize(name_of_last, 0);
        self.index.firsts.push(self.index.nodes.len() as u32);
        self.index
    }
}

impl NameIndex {
    /// Charges the memory of a name before it is added.
    fn make_room(&mut self, len: usize, budget: &Budget, held: &mut usize) -> Result<()> {
        if self.names.len() + len >= u32::MAX as usize {
            let message = "the names of the graph have more than 4 GiB: they cannot be searched";
            return Err(Fault::new(StatusCode::UNPROCESSABLE_ENTITY, "over_memory", message));
        }
        let room: std::result::Result<(), OverBudget> = budget
            .make_room(&mut self.names, len + 1, held)
            .and_then(|()| budget.make_room(&mut self.words, len / 64 + 2, held))
            .and_then(|()| budget.make_room(&mut self.starts, 1, held));
        Ok(room?)
    }

    /// Adds a name.
    fn add(&mut self, name: &[u8]) {
        let start = self.names.len();
        self.starts.push(start as u32);
        // A line end within a name is a space here, since it separates names.
        let plain = |byte: &u8| if *byte == END { b' ' } else { byte.to_ascii_lowercase() };
        self.names.extend(name.iter().map(plain));
        self.names.push(END);
        self.words.resize(self.names.len().div_ceil(64), 0);
        for at in (0..name.len()).filter(|at| *at == 0 || begins_word(name, *at)) {
            self.words[(start + at) / 64] |= 1 << ((start + at) % 64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    fn index(names: &[&str]) -> NameIndex {
        let mut made = Names::default();
        for (number, name) in (0..).zip(names) {
            made.index.add(name.as_bytes());
            made.found.push((number, 0, 10 * number));
        }
        made.finish()
    }

    fn work() -> Work {
        Work::begin(Limits::default(), std::time::Instant::now(), &varvite::Cancel::default())
    }

    fn found(names: &[&str], text: &str, limit: usize) -> Vec<(u32, Match)> {
        let (mut best, work) = (Best::of(limit), work());
        index(names).find(text, &mut best, &work).unwrap();
        best.into_sorted().iter().map(|hit| (hit.node, hit.fit)).collect()
    }

    #[test]
    fn every_name_with_the_text_is_found_best_first() {
        let names = ["reinit", "Init", "deflateInit2_", "initialize", "other", "x_init_init"];
        let expected = [
            (10, Match::Exact),
            (30, Match::Prefix),
            (50, Match::Word),
            (20, Match::Word),
            (0, Match::Inside),
        ];
        assert_eq!(found(&names, "INIT", 9), expected);
        assert_eq!(found(&names, "init", 2), expected[..2]);
        assert_eq!(found(&names, "othere", 9), []);
        assert_eq!(found(&names, "", 9), []);
        assert_eq!(found(&[], "x", 9), []);
    }

    #[test]
    fn the_memory_of_a_name_is_charged_before_the_name_is_added() {
        let (mut index, budget, mut held) = (NameIndex::default(), Budget::new(1 << 16), 0);
        let outcome = (0..).try_for_each(|_| {
            index.make_room(99, &budget, &mut held)?;
            index.add(&[b'x'; 99]);
            Ok::<(), Fault>(())
        });
        assert!(outcome.is_err());
        let bytes = index.names.capacity() + 8 * index.words.capacity() + 4 * index.starts.capacity();
        assert!(bytes <= held && held <= 1 << 16, "{bytes} of {held}");
    }

    #[test]
    fn a_text_does_not_reach_into_the_next_name() {
        assert_eq!(found(&["ab", "cd"], "b\nc", 9), []);
        assert_eq!(found(&["ab", "cd"], "bc", 9), []);
        assert_eq!(found(&["ab\ncd"], "d", 9), [(0, Match::Inside)]);
        assert_eq!(found(&["ab", "cd"], "cd", 9), [(10, Match::Exact)]);
    }

    #[test]
    fn the_best_hits_are_kept_and_each_node_once() {
        let mut best = Best::of(2);
        let hit = |fit, node| Hit { fit, rank: 0, name_len: 3, node };
        for (fit, node) in [(Match::Inside, 1), (Match::Word, 2), (Match::Exact, 3), (Match::Prefix, 4)] {
            best.push(hit(fit, node));
        }
        assert!(best.has_more);
        assert_eq!(best.into_sorted(), [hit(Match::Exact, 3), hit(Match::Prefix, 4)]);
    }
}
