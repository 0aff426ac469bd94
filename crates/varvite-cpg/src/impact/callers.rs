//! [`Callers`]: finds the METHODs that call others, directly or not, breadth first.
//!
//! If several METHODs have one name, Joern calls the others `NAME<duplicate>0` and so on, and links every
//! call to the first one. So a caller of the first one may call each of them, and counts as a caller of each.

use std::collections::{HashMap, HashSet};

use varvite::error::optional;
use varvite::{Adjacency, Budget, Graph, GraphError, Property};

use crate::code_files::text_len;
use crate::error::Result;
use crate::sites::Sites;

/// The given METHODs, and all METHODs that call them, directly or not, sorted by distance and node. The
/// second result is false if the METHOD of some call was not found, because the syntax tree is too deep.
///
/// **Cost**: reads the calls of each result once; a bit for each node of the graph, and 16 bytes for each
/// result.
///
/// # Errors
/// Fails if the graph has no edges CALL, can't be read, or needs more memory than `budget`.
pub fn callers_above(graph: &Graph, methods: &[u32], budget: &Budget) -> Result<(Vec<Reached>, bool)> {
    Callers::of(graph, budget)?.above(methods, budget)
}

/// The mark in FULL_NAME of METHODs that share their name with another METHOD.
const DUPLICATE: &str = "<duplicate>";

/// A METHOD that calls, directly or not, a METHOD of the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The METHOD.
    pub node: u32,
    /// The least number of calls between this METHOD and one of the start; 0 for the start.
    pub distance: u32,
    /// Whether no other METHOD calls this one.
    pub is_entry: bool,
}

/// The calls of a graph.
struct Callers<'g> {
    graph: &'g Graph,
    calls: Adjacency,
    sites: Sites,
    /// For each duplicate, the METHOD to which its calls are linked.
    linked: HashMap<u32, u32>,
}

impl<'g> Callers<'g> {
    fn of(graph: &'g Graph, budget: &Budget) -> Result<Self> {
        let linked = linked(graph, budget)?;
        Ok(Self { graph, calls: graph.in_("CALL")?, sites: Sites::open(graph)?, linked })
    }

    /// The METHODs of the start, and all METHODs that call them, sorted by distance and node. The second
    /// result is false if the METHOD of some call was not found, because the syntax tree is too deep.
    ///
    /// **Cost**: each METHOD and each call once; a bit for each node of the graph, and 16 bytes for each
    /// result.
    fn above(&self, start: &[u32], budget: &Budget) -> Result<(Vec<Reached>, bool)> {
        let mut seen = Seen::of(self.graph, budget)?;
        let mut level: Vec<u32> = start.iter().copied().filter(|node| seen.insert(*node)).collect();
        let (mut reached, mut cursor) = (Vec::new(), self.sites.cursor());
        for distance in 0.. {
            budget.take(level.len() * (size_of::<Reached>() + size_of::<u32>())).map_err(GraphError::from)?;
            level.sort_unstable();
            let mut next = Vec::new();
            for node in level {
                let mut is_entry = true;
                for call in self.calls_of(node) {
                    let Some(caller) = cursor.method(call).filter(|caller| *caller != node) else { continue };
                    is_entry = false;
                    if seen.insert(caller) {
                        next.push(caller);
                    }
                }
                reached.push(Reached { node, distance, is_entry });
            }
            if next.is_empty() {
                break;
            }
            level = next;
        }
        self.graph.check()?;
        Ok((reached, cursor.is_complete()))
    }

    fn calls_of(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let linked = self.linked.get(&node).copied();
        [Some(node), linked].into_iter().flatten().flat_map(|method| self.calls.neighbors(method))
    }
}

/// The maximum length in bytes of the name of a duplicate. Longer texts are not read: in a hostile file a
/// million of them could share their bytes.
const NAME_MAX: usize = 1 << 12;

/// Pairs each duplicate with the METHOD that has its name alone.
fn linked(graph: &Graph, budget: &Budget) -> Result<HashMap<u32, u32>> {
    let (methods, names) = (graph.nodes("METHOD")?, optional(graph.property("FULL_NAME"))?);
    let Some(names) = names else { return Ok(HashMap::new()) };
    let Some(strings) = names.strings() else { return Ok(HashMap::new()) };
    let (duplicates, bases) = duplicates(methods.iter(), &names, budget)?;
    let words: Vec<&str> = bases.iter().map(String::as_str).collect();
    let codes = strings.find_each(&words);
    let wanted: HashSet<i64> = codes.iter().flatten().map(|code| i64::from(*code)).collect();
    let mut of_code: HashMap<i64, u32> = HashMap::new();
    for node in methods.iter() {
        if let Some(code) = names.number(node).filter(|code| wanted.contains(code)) {
            of_code.entry(code).or_insert(node);
        }
    }
    let pairs = duplicates.into_iter().zip(codes);
    let pairs = pairs.filter_map(|(node, code)| Some((node, *of_code.get(&i64::from(code?))?)));
    Ok(pairs.collect())
}

/// The METHODs that are duplicates, each with its name without the mark.
fn duplicates(
    methods: impl Iterator<Item = u32>,
    names: &Property,
    budget: &Budget,
) -> Result<(Vec<u32>, Vec<String>)> {
    let (mut nodes, mut bases) = (Vec::new(), Vec::new());
    let is_name = |node| text_len(names, names.number(node).unwrap_or(-1)) <= NAME_MAX;
    for node in methods.filter(|node| is_name(*node)) {
        let Some(name) = names.str(node) else { continue };
        if let Some((base, _)) = name.split_once(DUPLICATE) {
            budget.take(base.len() + 2 * size_of::<String>()).map_err(GraphError::from)?;
            nodes.push(node);
            bases.push(base.to_owned());
        }
    }
    Ok((nodes, bases))
}

/// The METHODs that a search has seen, as bits of nodes.
struct Seen(Vec<u64>);

impl Seen {
    fn of(graph: &Graph, budget: &Budget) -> Result<Self> {
        let words = (graph.node_count() as usize).div_ceil(64);
        budget.take(words * size_of::<u64>()).map_err(GraphError::from)?;
        Ok(Self(vec![0; words]))
    }

    /// Adds a node. Returns whether it is new.
    fn insert(&mut self, node: u32) -> bool {
        let Some(word) = self.0.get_mut(node as usize / 64) else { return false };
        let bit = 1 << (node % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}
