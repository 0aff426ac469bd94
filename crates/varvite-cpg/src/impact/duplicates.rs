//! [`Duplicates`]: METHODs that have the name of another one.
//!
//! If several METHODs have one name, Joern calls the others `NAME<duplicate>0` and so on, and links every
//! call to the first one. So a caller of the first one may call each of them, and counts as a caller of each.

use std::collections::{HashMap, HashSet};

use varvite::error::optional;
use varvite::pipeline::{self, Options, PipelineError, contains};
use varvite::{Budget, Graph, GraphError, Property, Task};

use crate::code_files::text_len;
use crate::error::Result;

/// The mark in FULL_NAME of METHODs that share their name with another METHOD.
const DUPLICATE: &str = "<duplicate>";
/// The maximum length in bytes of the name of a duplicate. Longer texts are not read: in a hostile file a
/// million of them could share their bytes.
const NAME_MAX: usize = 1 << 12;

/// The METHODs that share their name with an earlier one.
#[derive(Clone, Debug, Default)]
pub struct Duplicates {
    /// For each duplicate, the METHOD to which its calls are linked.
    first: HashMap<u32, u32>,
}

impl Duplicates {
    /// Finds all duplicates of a graph.
    ///
    /// **Cost**: a search in the texts of FULL_NAME, and, if it finds any, a number of each METHOD. Holds 8
    /// bytes for each duplicate.
    ///
    /// # Errors
    /// Fails if the graph has no METHODs, can't be read, or if `budget` is too small.
    pub fn of(graph: &Graph, budget: &Budget) -> Result<Self> {
        let (methods, names) = (graph.nodes("METHOD")?, optional(graph.property("FULL_NAME"))?);
        let Some((names, strings)) = names.as_ref().and_then(|names| Some((names, names.strings()?))) else {
            return Ok(Self::default());
        };
        let (duplicates, bases) = duplicates(graph, names, budget)?;
        if duplicates.is_empty() {
            return Ok(Self::default());
        }
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
        let first = pairs.filter_map(|(node, code)| Some((node, *of_code.get(&i64::from(code?))?)));
        Ok(Self { first: first.collect() })
    }

    /// The METHOD to which calls of a METHOD are linked, if it is a duplicate.
    pub(super) fn first_of(&self, node: u32) -> Option<u32> {
        self.first.get(&node).copied()
    }
}

/// The METHODs that are duplicates, each with its name without the mark. The mark is searched in the texts of
/// all properties at once, which is faster than reading each METHOD's name.
fn duplicates(graph: &Graph, names: &Property, budget: &Budget) -> Result<(Vec<u32>, Vec<String>)> {
    let (mut nodes, mut bases) = (Vec::new(), Vec::new());
    let is_name = |node| text_len(names, names.number(node).unwrap_or(-1)) <= NAME_MAX;
    let plan = match pipeline::nodes("METHOD").has("FULL_NAME", contains(DUPLICATE)).compile(graph) {
        Err(PipelineError::NotOfLabel { .. }) => return Ok((nodes, bases)),
        plan => plan?,
    };
    let mut run = plan.run(Options::from(Task::new().memory(budget.limit())));
    while let Some(rows) = run.next()? {
        for node in rows.nodes().unwrap_or(&[]).iter().copied().filter(|node| is_name(*node)) {
            let Some(name) = names.str(node) else { continue };
            if let Some((base, _)) = name.split_once(DUPLICATE) {
                budget.take(base.len() + 2 * size_of::<String>()).map_err(GraphError::from)?;
                nodes.push(node);
                bases.push(base.to_owned());
            }
        }
    }
    Ok((nodes, bases))
}
