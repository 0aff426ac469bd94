//! [`Impact`]: the METHODs that changed lines touch, and all METHODs above them.

use std::collections::{BTreeMap, HashMap};

use varvite::{Budget, Graph, Task};

use super::callers::{Reached, callers_above};
use super::duplicates::Duplicates;
use super::patch::ChangedFile;
use super::span::Span;
use crate::code_files::{CodeFile, CodeFiles, MethodLines};
use crate::error::Result;

/// The number of names of an ambiguous file that are kept.
const NAMES_MAX: usize = 5;

/// The impact of changed lines.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Impact {
    /// The changed files, in their order.
    pub files: Vec<FileImpact>,
    /// The METHODs with changed lines, ascending.
    pub touched: Vec<Touched>,
    /// The METHODs with changed lines, and all METHODs that call them, directly or not, sorted by distance
    /// and node.
    pub reached: Vec<Reached>,
    /// Whether the METHOD of every call was found. False if the syntax tree is too deep.
    pub is_complete: bool,
}

/// A METHOD with changed lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touched {
    /// The METHOD.
    pub node: u32,
    /// The number of its changed lines.
    pub lines: u64,
}

/// A changed file, and its lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileImpact {
    /// The path, as in the patch.
    pub path: String,
    /// Whether the graph has the file, and under which name.
    pub state: FileState,
    /// The number of changed lines. A place where lines were only added or removed counts as one.
    pub lines: u64,
    /// The number of these lines that are in no METHOD; 0 unless the file is known.
    pub outside: u64,
}

/// Whether a graph has a changed file, and under which name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileState {
    /// The graph has the file, under this name.
    Known(String),
    /// The graph has no such file.
    Unknown,
    /// Several files of the graph have this path, or several files of the patch are this file of the graph.
    Ambiguous(Vec<String>),
    /// The file exists only on the other side of the patch.
    OtherSide,
    /// The patch does not show the changes of a binary file.
    Binary,
}

impl Impact {
    /// Finds the METHODs with changed lines, and all METHODs above them.
    ///
    /// **Cost**: reads the METHODs of the graph once, and each call of the result once.
    ///
    /// # Errors
    /// Fails if the graph has no edges CALL, can't be read, or needs more memory than `budget`.
    pub fn of(graph: &Graph, changed: &[ChangedFile], budget: &Budget) -> Result<Self> {
        let files = CodeFiles::of(graph, budget)?;
        let mut states: Vec<FileState> = changed.iter().map(|file| state_of(&files, file)).collect();
        refuse_shared(&mut states);
        let (mut touched, mut impacts) = (BTreeMap::new(), Vec::new());
        for (file, state) in changed.iter().zip(states) {
            let spans = Span::joined(file.spans.clone());
            let lines = spans.iter().map(|span| span.count()).sum();
            let known = match &state {
                FileState::Known(_) => files.find(&file.path).first().copied(),
                _ => None,
            };
            let outside = known.map_or(0, |known| touch(known, &spans, &mut touched));
            impacts.push(FileImpact { path: file.path.clone(), state, lines, outside });
        }
        let start: Vec<u32> = touched.keys().copied().collect();
        let duplicates = Duplicates::of(graph, budget)?;
        let (reached, is_complete) = callers_above(graph, &start, &duplicates, &Task::new(), budget)?;
        let touched = touched.into_iter().map(|(node, lines)| Touched { node, lines }).collect();
        Ok(Self { files: impacts, touched, reached, is_complete })
    }
}

fn state_of(files: &CodeFiles, file: &ChangedFile) -> FileState {
    if file.is_binary {
        return FileState::Binary;
    }
    if !file.is_there {
        return FileState::OtherSide;
    }
    match files.find(&file.path)[..] {
        [] => FileState::Unknown,
        [known] => FileState::Known(known.name().to_owned()),
        ref several => {
            FileState::Ambiguous(several.iter().take(NAMES_MAX).map(|file| file.name().to_owned()).collect())
        }
    }
}

/// If a graph was made of a folder, `util.c` in it is the end of the paths of all files of this name in the
/// patch. None of them is then taken for it.
fn refuse_shared(states: &mut [FileState]) {
    let mut counts: HashMap<String, u64> = HashMap::new();
    for state in &*states {
        if let FileState::Known(name) = state {
            *counts.entry(name.clone()).or_default() += 1;
        }
    }
    for state in states {
        let shared = match state {
            FileState::Known(name) if counts.get(name).is_some_and(|count| *count > 1) => name.clone(),
            _ => continue,
        };
        *state = FileState::Ambiguous(vec![shared]);
    }
}

/// Adds the METHODs of a file with changed lines. Returns the number of lines in no METHOD.
fn touch(file: &CodeFile, spans: &[Span], touched: &mut BTreeMap<u32, u64>) -> u64 {
    let sums = sums(spans);
    for MethodLines { first, last, node, .. } in file.methods() {
        let lines = count_within(spans, &sums, (*first, *last));
        if lines > 0 {
            *touched.entry(*node).or_default() += lines;
        }
    }
    let all = spans.iter().map(|span| span.count()).sum::<u64>();
    let covered = covered(file.methods()).into_iter();
    all.saturating_sub(covered.map(|lines| count_within(spans, &sums, lines)).sum())
}

/// For each index, the number of lines in the spans before it.
fn sums(spans: &[Span]) -> Vec<u64> {
    let counts = spans.iter().scan(0, |sum, span| {
        *sum += span.count();
        Some(*sum)
    });
    [0].into_iter().chain(counts).collect()
}

/// The number of changed lines from `first` to `last`. Only the spans at both ends can lie there in part.
fn count_within(spans: &[Span], sums: &[u64], (first, last): (u32, u32)) -> u64 {
    let from = spans.partition_point(|span| span.end() < first);
    let to = spans.partition_point(|span| span.first() <= last).max(from);
    if to - from <= 2 {
        return spans[from..to].iter().map(|span| span.count_within(first, last)).sum();
    }
    let ends = [spans[from], spans[from + 1], spans[to - 1]];
    let within = ends.map(|span| span.count_within(first, last)).iter().sum::<u64>();
    within + (sums[to - 1] - sums[from + 2])
}

/// The lines of METHODs, joined where METHODs share lines. METHODs that only touch stay apart, since a place
/// between two lines is in a METHOD only if it has both.
fn covered(methods: &[MethodLines]) -> Vec<(u32, u32)> {
    let mut covered: Vec<(u32, u32)> = Vec::new();
    for MethodLines { first, last, .. } in methods {
        match covered.last_mut() {
            Some((_, end)) if *first <= *end => *end = (*end).max(*last),
            _ => covered.push((*first, *last)),
        }
    }
    covered
}
