//! Two profiles held against each other, backtrace by backtrace.
//!
//! A backtrace is matched by what its calls are in the source: function, name of the file and line, up to `main`. Addresses, folders
//! and modules say nothing, so that builds of one program can be compared. What has no such partner is matched by functions and
//! files alone, as lines move when code is edited; what is then left is in one of the two alone.

use std::cmp::Reverse;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};

use super::measure::Measure;
use super::stored::{HeapLayer, StoredPlace};
use super::tree::NONE;
use crate::profile::Counts;

/// How a backtrace of one profile was found in the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DiffClass {
    /// By functions, files and lines.
    Lines,
    /// By functions and files.
    Functions,
    /// Not at all.
    Alone,
}

impl DiffClass {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Lines, Self::Functions, Self::Alone];

    /// As it is told.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lines => "lines",
            Self::Functions => "functions",
            Self::Alone => "alone",
        }
    }
}

/// A caller of a backtrace, as it is compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DiffFrame {
    /// The function; the name of the module in brackets where it is not known.
    pub function: String,
    /// The name of the file without its folders; empty where it is not known.
    pub file: String,
    /// The line; 0 where it is not known.
    pub line: i64,
}

/// A backtrace, or several that are not told apart, before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiffRow {
    /// How it was matched.
    pub class: DiffClass,
    /// The backtrace, for [`HeapDiff::frames`].
    pub backtrace: Backtrace,
    /// What it came to before.
    pub before: Counts,
    /// What it came to after.
    pub after: Counts,
}

/// The number of a backtrace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Backtrace(u32);

/// What differs between two profiles.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct HeapDiff {
    /// Backtraces of either, in no order.
    pub rows: Vec<DiffRow>,
    paths: Paths,
}

impl DiffRow {
    /// How much more it is after.
    pub fn change(&self, measure: Measure) -> i64 {
        measure.of(&self.after).saturating_sub(measure.of(&self.before))
    }
}

impl HeapDiff {
    /// Holds a profile against an earlier one.
    ///
    /// **Cost**: linear in both trees, in time and in memory.
    pub fn of(before: &HeapLayer, after: &HeapLayer) -> Self {
        let mut paths = Paths::default();
        let mut by_lines: BTreeMap<u32, [Counts; 2]> = BTreeMap::new();
        for (side, layer) in [before, after].into_iter().enumerate() {
            for (path, counts) in paths.backtraces(layer) {
                by_lines.entry(path).or_default()[side] += counts;
            }
        }
        let is_in_both = |counts: &[Counts; 2]| counts.iter().all(|counts| *counts != Counts::default());
        let row = |class, path, [before, after]: [Counts; 2]| DiffRow {
            class,
            backtrace: Backtrace(path),
            before,
            after,
        };
        let (matched, rest): (Vec<_>, Vec<_>) =
            by_lines.into_iter().partition(|(_, counts)| is_in_both(counts));
        let mut rows: Vec<DiffRow> =
            matched.into_iter().map(|(path, counts)| row(DiffClass::Lines, path, counts)).collect();
        // Of what is left, backtraces of the same functions are one.
        let mut by_functions: BTreeMap<u32, (u32, [Counts; 2])> = BTreeMap::new();
        for (path, counts) in rest {
            let (shown, sums) =
                by_functions.entry(paths.without_lines(path)).or_insert((path, Default::default()));
            if counts[1] != Counts::default() {
                *shown = path;
            }
            sums.iter_mut().zip(counts).for_each(|(sum, counts)| *sum += counts);
        }
        let class =
            |counts: &[Counts; 2]| if is_in_both(counts) { DiffClass::Functions } else { DiffClass::Alone };
        rows.extend(by_functions.into_values().map(|(path, counts)| row(class(&counts), path, counts)));
        Self { rows, paths }
    }

    /// The calls of a backtrace, the one that allocates first; at most so many.
    pub fn frames(&self, backtrace: Backtrace, frames_max: usize) -> Vec<DiffFrame> {
        self.paths.frames(backtrace.0).take(frames_max).cloned().collect()
    }

    /// What of both profiles is in backtraces of a class: before, and after.
    pub fn of_class(&self, class: DiffClass) -> [Counts; 2] {
        let mut sums = [Counts::default(); 2];
        for row in self.rows.iter().filter(|row| row.class == class) {
            sums[0] += row.before;
            sums[1] += row.after;
        }
        sums
    }

    /// The same rows by the function that allocates and its file: what it came to before, and after.
    pub fn by_function(&self) -> Vec<(DiffFrame, DiffRow)> {
        let mut functions: BTreeMap<DiffFrame, DiffRow> = BTreeMap::new();
        for row in &self.rows {
            let frame = self.paths.frames(row.backtrace.0).next().cloned().unwrap_or_default();
            match functions.entry(DiffFrame { line: 0, ..frame }) {
                Entry::Vacant(new) => _ = new.insert(*row),
                Entry::Occupied(mut known) => {
                    let sum = known.get_mut();
                    sum.class = sum.class.min(row.class);
                    sum.before += row.before;
                    sum.after += row.after;
                }
            }
        }
        functions.into_iter().collect()
    }

    /// Backtraces that changed, those that changed most first.
    pub fn by_backtrace(&self, measure: Measure) -> Vec<DiffRow> {
        let mut rows = self.rows.clone();
        rows.retain(|row| row.change(measure) != 0);
        rows.sort_by_key(|row| (Reverse(row.change(measure).unsigned_abs()), row.backtrace));
        rows
    }
}

/// Backtraces as a tree, the outermost call at the top.
#[derive(Debug, Default)]
struct Paths {
    frames: Vec<DiffFrame>,
    known_frames: HashMap<DiffFrame, u32>,
    /// Of each path the one above it, and its frame.
    paths: Vec<(u32, u32)>,
    known_paths: HashMap<(u32, u32), u32>,
    /// Of paths that were asked for, the same path without lines.
    without_lines: HashMap<u32, u32>,
}

impl Paths {
    /// What each backtrace of a profile did.
    fn backtraces(&mut self, layer: &HeapLayer) -> Vec<(u32, Counts)> {
        let frames: Vec<u32> = layer.places.iter().map(|place| self.frame(frame_of(place))).collect();
        let (tree, mut paths) = (&layer.tree, Vec::with_capacity(layer.tree.len()));
        for node in 0..tree.len() {
            let above = layer.caller(node as u32).map_or(NONE, |caller| paths[caller as usize]);
            paths.push(self.path(above, frames[tree.place_of[node] as usize]));
        }
        let did_something = |(_, own): &(u32, Counts)| *own != Counts::default();
        paths.into_iter().zip(tree.own.iter().copied()).filter(did_something).collect()
    }

    fn frame(&mut self, frame: DiffFrame) -> u32 {
        if let Some(known) = self.known_frames.get(&frame) {
            return *known;
        }
        self.frames.push(frame.clone());
        *self.known_frames.entry(frame).or_insert(self.frames.len() as u32 - 1)
    }

    fn path(&mut self, above: u32, frame: u32) -> u32 {
        let Self { paths, known_paths, .. } = self;
        *known_paths.entry((above, frame)).or_insert_with(|| {
            paths.push((above, frame));
            paths.len() as u32 - 1
        })
    }

    /// The same path without lines.
    fn without_lines(&mut self, path: u32) -> u32 {
        let mut trail = Vec::new();
        let mut at = path;
        let mut above = loop {
            if at == NONE {
                break NONE;
            }
            if let Some(known) = self.without_lines.get(&at) {
                break *known;
            }
            trail.push(at);
            at = self.paths[at as usize].0;
        };
        for path in trail.into_iter().rev() {
            let frame = self.frames[self.paths[path as usize].1 as usize].clone();
            let frame = self.frame(DiffFrame { line: 0, ..frame });
            above = self.path(above, frame);
            self.without_lines.insert(path, above);
        }
        above
    }

    /// The frames of a path, the innermost first.
    fn frames(&self, path: u32) -> impl Iterator<Item = &DiffFrame> {
        let next = |path: &u32| Some(self.paths[*path as usize].0).filter(|above| *above != NONE);
        let paths =
            std::iter::successors(Some(path).filter(|path| (*path as usize) < self.paths.len()), next);
        paths.map(|path| &self.frames[self.paths[path as usize].1 as usize])
    }
}

fn frame_of(place: &StoredPlace) -> DiffFrame {
    let name = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    match place.function.as_str() {
        "" => DiffFrame { function: format!("[{}]", name(&place.module)), ..DiffFrame::default() },
        function => DiffFrame { function: function.to_owned(), file: name(&place.file), line: place.line },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, heaptrack};

    fn layer(text: &str) -> HeapLayer {
        let profile = heaptrack::read(text.as_bytes(), &Limits::default()).expect("it is a profile");
        HeapLayer::of_profile(&profile, &Limits::default()).expect("there is room")
    }

    /// A run in which `main` calls `make` at two lines, and `other` at one; `keep` allocations of the first are kept.
    fn run(folder: &str, lines: [u32; 3], keep: usize) -> HeapLayer {
        let file = format!("{folder}/a.c");
        let [one, two, three] = lines;
        layer(&format!(
            "v 10400 3\ns 4 main\ns 4 make\ns 5 other\ns {:x} {file}\ns 3 /so\n\
            i 1 5 1 4 {one:x}\ni 2 5 1 4 {two:x}\ni 3 5 1 4 {three:x}\ni 4 5 2 4 1\ni 5 5 3 4 2\n\
            t 1 0\nt 4 1\nt 2 0\nt 4 3\nt 3 0\nt 5 5\na 10 2\na 8 4\na 4 6\n{}+ 1\n+ 2\n",
            file.len(),
            "+ 0\n".repeat(keep)
        ))
    }

    fn told(diff: &HeapDiff) -> Vec<(DiffClass, String, i64)> {
        let path = |row: &DiffRow| {
            let frames = diff.frames(row.backtrace, 9);
            frames.iter().map(|it| format!("{}:{}", it.function, it.line)).collect::<Vec<_>>().join(" ")
        };
        let mut rows: Vec<_> =
            diff.rows.iter().map(|row| (row.class, path(row), row.change(Measure::LeakedBytes))).collect();
        rows.sort();
        rows
    }

    #[test]
    fn backtraces_are_matched_by_lines_then_by_functions_in_whatever_folder() {
        let (before, after) = (run("/old", [10, 20, 30], 2), run("/new/src", [10, 21, 30], 5));
        let diff = HeapDiff::of(&before, &after);
        let expected = [
            (DiffClass::Lines, "make:1 main:10".to_owned(), 48),
            (DiffClass::Lines, "other:2 main:30".to_owned(), 0),
            (DiffClass::Functions, "make:1 main:21".to_owned(), 0),
        ];
        assert_eq!(told(&diff), expected);
        let [before, after] = diff.of_class(DiffClass::Lines);
        assert_eq!((before.leaked_bytes, after.leaked_bytes), (36, 84));
        let functions = diff.by_function();
        let make = functions.iter().find(|(frame, _)| frame.function == "make").expect("it allocates");
        assert_eq!((make.1.change(Measure::Calls), make.1.class), (3, DiffClass::Lines));
        assert_eq!(diff.by_backtrace(Measure::Calls).len(), 1);
    }

    #[test]
    fn what_is_in_one_alone_is_told_so_and_a_profile_equals_itself() {
        let (empty, full) = (layer("v 10400 3\n"), run("", [1, 2, 3], 1));
        let diff = HeapDiff::of(&empty, &full);
        assert!(diff.rows.len() == 2 && diff.rows.iter().all(|row| row.class == DiffClass::Alone));
        assert_eq!(diff.of_class(DiffClass::Alone)[1].leaked_bytes, 28);
        let same = HeapDiff::of(&full, &full);
        assert!(same.rows.iter().all(|row| row.class == DiffClass::Lines && row.before == row.after));
        assert!(same.by_backtrace(Measure::PeakBytes).is_empty());
    }
}
