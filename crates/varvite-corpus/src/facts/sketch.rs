//! [`Sketches`]: sketches of functions by their tokens, alike for functions that share most of them.
//!
//! A token is a node of the syntax tree: its label, its NAME, and the CODE of a leaf. Names that a function
//! chooses for itself, those of its variables and parameters, are left out, so a renamed variable changes no
//! token. A shingle is four tokens in a row. For each of 64 hash functions a sketch has the last byte of the
//! least hash of all shingles (*minhash*): the part of equal bytes in two sketches estimates the part of
//! shingles that the functions share, with a standard error of at most 6.3 %.

use std::collections::HashMap;
use std::fmt;

use varvite::cursor::{LabelTest, Labels};
use varvite::error::optional;
use varvite::{Budget, Graph, GraphError, Subtree, Task};

use super::content::{Content, NODES_AT_ONCE, SKIPPED, Texts, names_of_labels};
use super::digits;
use crate::error::FileError;

/// The number of hash functions, and of bytes of a sketch.
const HASHES: usize = 64;
/// The number of tokens of a shingle.
const SHINGLE: usize = 4;
/// The least number of shingles of a function that has a sketch: few shingles say little.
const SHINGLES_MIN: u64 = 8;
/// The memory of a sketch in a map.
const SKETCH_BYTES: usize = 2 * (size_of::<u32>() + HASHES);

/// The labels of nodes that have a name which their function chose.
const CHOSEN: [&str; 4] = ["IDENTIFIER", "LOCAL", "METHOD_PARAMETER_IN", "METHOD_PARAMETER_OUT"];

/// The sketch of a function's tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sketch(pub [u8; HASHES]);

impl Sketch {
    /// The estimated part of the shingles of both functions that they share, from 0 to 1.
    pub fn likeness(&self, other: &Self) -> f64 {
        let equal = self.0.iter().zip(&other.0).filter(|(one, other)| one == other).count();
        equal as f64 / HASHES as f64
    }

    /// Parses the digits that [`fmt::Display`] writes.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        digits::parse(text).map(Self)
    }
}

impl fmt::Display for Sketch {
    /// Writes the sketch as 128 hexadecimal digits.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        digits::write(&self.0, formatter)
    }
}

/// The sketches of some nodes of a graph, by node.
pub(super) type Sketches = HashMap<u32, Sketch>;

/// Computes the sketches of the functions for which `is_wanted` returns true. The tokens of a function inside
/// another one are its own. Functions of few tokens have none, and so has a graph whose syntax tree is not a
/// range of ids.
///
/// **Cost**: one pass over the graph, with 64 multiplications for each node.
pub(super) fn sketches_of(
    graph: &Graph,
    task: &Task<'_>,
    budget: &Budget,
    is_wanted: impl Fn(u32) -> bool,
) -> Result<Sketches, FileError> {
    let Some(subtree) = graph.subtree()? else { return Ok(Sketches::new()) };
    let (mut reader, hashes) = (Reader::open(graph)?, Hashes::new());
    let (mut sketches, mut open, mut held) = (Sketches::new(), Vec::<Tokens>::new(), 0);
    for node in 0..graph.node_count() {
        if node % NODES_AT_ONCE == 0 {
            task.check().map_err(GraphError::from)?;
        }
        while let Some(tokens) = open.pop_if(|tokens| tokens.end <= node) {
            keep(&mut sketches, &tokens, budget)?;
        }
        if is_wanted(node) {
            budget.make_room(&mut open, 1, &mut held).map_err(GraphError::from)?;
            open.push(Tokens::of(node, &subtree));
        } else if let Some(tokens) = open.last_mut()
            && !reader.is_skipped(node)
        {
            tokens.add(reader.token(node, &subtree, budget)?, &hashes);
        }
    }
    open.iter().try_for_each(|tokens| keep(&mut sketches, tokens, budget))?;
    budget.give_back(held);
    Ok(sketches)
}

fn keep(sketches: &mut Sketches, tokens: &Tokens, budget: &Budget) -> Result<(), FileError> {
    if let Some(sketch) = tokens.sketch() {
        budget.take(SKETCH_BYTES).map_err(GraphError::from)?;
        sketches.insert(tokens.function, sketch);
    }
    Ok(())
}

/// The tokens of a function so far.
struct Tokens {
    function: u32,
    /// The end of the function's nodes.
    end: u32,
    /// The last tokens, the newest last.
    last: [u64; SHINGLE],
    count: u64,
    least: [u32; HASHES],
}

impl Tokens {
    fn of(function: u32, subtree: &Subtree) -> Self {
        let end = subtree.descendants(function).end;
        Self { function, end, last: [0; SHINGLE], count: 0, least: [u32::MAX; HASHES] }
    }

    fn add(&mut self, token: u64, hashes: &Hashes) {
        self.last.rotate_left(1);
        if let Some(newest) = self.last.last_mut() {
            *newest = token;
        }
        self.count += 1;
        if self.count >= SHINGLE as u64 {
            let shingle = self.last.iter().fold(0, |hash, token| mixed(hash ^ token));
            hashes.lower(&mut self.least, shingle);
        }
    }

    fn sketch(&self) -> Option<Sketch> {
        let has_many = self.count >= SHINGLES_MIN + SHINGLE as u64 - 1;
        // The last byte of a hash: the first ones of a least hash are mostly zero.
        has_many.then(|| Sketch(self.least.map(|least| least as u8)))
    }
}

/// The hash functions: the upper halves of products with odd numbers.
struct Hashes([u64; HASHES]);

impl Hashes {
    fn new() -> Self {
        let mut factors = [0; HASHES];
        for (number, factor) in factors.iter_mut().enumerate() {
            *factor = mixed(number as u64 + 1) | 1;
        }
        Self(factors)
    }

    fn lower(&self, least: &mut [u32; HASHES], shingle: u64) {
        for (least, factor) in least.iter_mut().zip(&self.0) {
            *least = (*least).min((shingle.wrapping_mul(*factor) >> 32) as u32);
        }
    }
}

/// Spreads the bits of a number (the last step of SplitMix64).
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// Reads the tokens of nodes.
struct Reader {
    labels: Labels,
    names_of_labels: Vec<Content>,
    chosen: Vec<LabelTest>,
    skipped: Vec<LabelTest>,
    name: Option<Texts>,
    code: Option<Texts>,
}

impl Reader {
    fn open(graph: &Graph) -> Result<Self, FileError> {
        let labels = graph.label_sets()?;
        let tests = |names: &[&str]| -> Result<Vec<LabelTest>, GraphError> {
            let test = |name: &&str| Ok(optional(graph.label(name))?.map(|label| labels.test(label)));
            names.iter().filter_map(|name| test(name).transpose()).collect()
        };
        let texts = |name: &str| Ok::<_, GraphError>(optional(graph.property(name))?.map(Texts::of));
        let (chosen, skipped) = (tests(&CHOSEN)?, tests(&SKIPPED)?);
        let (name, code) = (texts("NAME")?, texts("CODE")?);
        Ok(Self { names_of_labels: names_of_labels(graph, &labels), labels, chosen, skipped, name, code })
    }

    fn is_skipped(&self, node: u32) -> bool {
        self.skipped.iter().any(|test| test.matches(node))
    }

    fn token(&mut self, node: u32, subtree: &Subtree, budget: &Budget) -> Result<u64, FileError> {
        let labels = self.labels.known_code(node).and_then(|code| self.names_of_labels.get(code as usize));
        let label = labels.map_or(0, |names| number_of(&names.0));
        if self.chosen.iter().any(|test| test.matches(node)) {
            return Ok(mixed(label));
        }
        let is_leaf = subtree.descendants(node).end == node + 1;
        let name = text_of(&mut self.name, node, budget)?;
        let code = if is_leaf { text_of(&mut self.code, node, budget)? } else { 0 };
        Ok(mixed(mixed(mixed(label) ^ name) ^ code))
    }
}

fn text_of(texts: &mut Option<Texts>, node: u32, budget: &Budget) -> Result<u64, FileError> {
    texts.as_mut().map_or(Ok(0), |texts| Ok(number_of(&texts.hash(node, budget)?)))
}

/// The first half of a hash as a number.
fn number_of(hash: &[u8; 16]) -> u64 {
    hash.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sketch_of(tokens: impl IntoIterator<Item = u64>) -> Option<Sketch> {
        let hashes = Hashes::new();
        let mut all = Tokens { function: 0, end: 0, last: [0; SHINGLE], count: 0, least: [u32::MAX; HASHES] };
        tokens.into_iter().for_each(|token| all.add(mixed(token), &hashes));
        all.sketch()
    }

    #[test]
    fn likeness_is_the_part_of_shingles_in_common() {
        let whole = sketch_of(0..1003).unwrap();
        assert_eq!(whole.likeness(&sketch_of(0..1003).unwrap()), 1.0);
        for shared in [900u64, 800, 500, 0] {
            // Of 1000 shingles each, `shared` are in both.
            let other = sketch_of((1000 - shared)..(2003 - shared)).unwrap();
            let expected = shared as f64 / (2000 - shared) as f64;
            let likeness = whole.likeness(&other);
            assert!((likeness - expected).abs() < 0.16, "{shared}: {likeness} instead of {expected}");
        }
    }

    #[test]
    fn few_tokens_have_no_sketch() {
        assert_eq!(sketch_of(0..10), None);
        assert!(sketch_of(0..11).is_some());
    }

    #[test]
    fn digits_are_read_back() {
        let sketch = sketch_of(0..50).unwrap();
        assert_eq!(Sketch::parse(&sketch.to_string()), Some(sketch));
        assert_eq!(Sketch::parse("00"), None);
        assert_eq!(Sketch::parse(&"é".repeat(HASHES)), None);
    }
}
