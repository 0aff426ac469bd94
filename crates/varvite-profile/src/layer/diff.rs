//! Compares two profiles, backtrace by backtrace.
//!
//! A backtrace is matched by the source places of its calls, up to `main`: the function, the name of the
//! file, and the line. Addresses, folders and modules are ignored, so different builds of a program can be
//! compared. Backtraces without a match are then compared only by functions and files, since lines move when
//! code is edited. The last comparison ignores functions that one profile lacks (`diff_frames`), since
//! optimised code has fewer frames. Backtraces that remain are in only one of the profiles.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::diff_frames::{Lone, put_together};
use super::diff_paths::{DiffFrame, Paths};
use super::stored::HeapLayer;
use crate::measure::{Counts, Slot};

/// How a backtrace of one profile was matched with a backtrace of the other profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DiffClass {
    /// Matched by functions, files and lines.
    Lines,
    /// Matched by functions and files.
    Functions,
    /// Matched by functions and files, where one profile lacks some of the functions.
    Frames,
    /// Not matched.
    Alone,
}

impl DiffClass {
    /// All classes.
    pub const ALL: [Self; 4] = [Self::Lines, Self::Functions, Self::Frames, Self::Alone];

    /// The name of the class in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lines => "lines",
            Self::Functions => "functions",
            Self::Frames => "frames",
            Self::Alone => "alone",
        }
    }
}

/// The counts of a backtrace in the earlier and the later profile. If several backtraces have equal places,
/// their counts are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiffRow {
    /// How the backtrace was matched.
    pub class: DiffClass,
    /// The backtrace, for [`HeapDiff::frames`].
    pub backtrace: Backtrace,
    /// The counts in the earlier profile.
    pub before: Counts,
    /// The counts in the later profile.
    pub after: Counts,
}

/// The number of a backtrace in a [`HeapDiff`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Backtrace(u32);

/// The difference between two profiles.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct HeapDiff {
    /// The backtraces of both profiles, in no particular order.
    pub rows: Vec<DiffRow>,
    paths: Paths,
}

impl DiffRow {
    /// The increase of a measure from the earlier to the later profile.
    pub fn change(&self, measure: Slot) -> i64 {
        measure.of(&self.after).saturating_sub(measure.of(&self.before))
    }
}

impl HeapDiff {
    /// Compares a profile with an earlier one. Both must have the same measures in the same slots (see
    /// [`HeapLayer::in_slots_of`]), since differences between different measures have no meaning.
    ///
    /// **Cost**: time and memory are linear in the sizes of both trees.
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
        // Among the backtraces that remain, those with the same functions are merged.
        let mut by_functions: BTreeMap<u32, (u32, [Counts; 2])> = BTreeMap::new();
        for (path, counts) in rest {
            let (shown, sums) =
                by_functions.entry(paths.without_lines(path)).or_insert((path, Default::default()));
            if counts[1] != Counts::default() {
                *shown = path;
            }
            sums.iter_mut().zip(counts).for_each(|(sum, counts)| *sum += counts);
        }
        let lone = |(path, (shown, counts))| Lone { path, shown, counts };
        let (matched, rest): (Vec<_>, Vec<_>) =
            by_functions.into_iter().map(lone).partition(|lone| is_in_both(&lone.counts));
        let (together, rest) = put_together(&paths, rest);
        for (class, all) in
            [(DiffClass::Functions, matched), (DiffClass::Frames, together), (DiffClass::Alone, rest)]
        {
            rows.extend(all.into_iter().map(|lone| row(class, lone.shown, lone.counts)));
        }
        Self { rows, paths }
    }

    /// The calls of a backtrace, starting with the innermost one; at most `frames_max` calls.
    pub fn frames(&self, backtrace: Backtrace, frames_max: usize) -> Vec<DiffFrame> {
        self.paths.frames(backtrace.0).take(frames_max).cloned().collect()
    }

    /// The sums over all backtraces of a class, in the earlier and in the later profile.
    pub fn of_class(&self, class: DiffClass) -> [Counts; 2] {
        let mut sums = [Counts::default(); 2];
        for row in self.rows.iter().filter(|row| row.class == class) {
            sums[0] += row.before;
            sums[1] += row.after;
        }
        sums
    }

    /// The rows, merged by the innermost function and its file.
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

    /// The backtraces for which this measure changed, the largest change first.
    pub fn by_backtrace(&self, measure: Slot) -> Vec<DiffRow> {
        let mut rows = self.rows.clone();
        rows.retain(|row| row.change(measure) != 0);
        rows.sort_by_key(|row| (Reverse(row.change(measure).unsigned_abs()), row.backtrace));
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heaptrack::{CALLS, LEAKED_BYTES, PEAK_BYTES};
    use crate::{Limits, heaptrack};

    fn layer(text: &str) -> HeapLayer {
        let profile = heaptrack::read(text.as_bytes(), &Limits::default()).expect("it is a profile");
        HeapLayer::of_profile(&profile, &Limits::default()).expect("there is room")
    }

    /// A run in which `main` calls `make` at two lines and `other` at one line. Of the allocations at the
    /// first line, `keep` are not freed.
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
            diff.rows.iter().map(|row| (row.class, path(row), row.change(LEAKED_BYTES))).collect();
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
        assert_eq!((before[LEAKED_BYTES], after[LEAKED_BYTES]), (36, 84));
        let functions = diff.by_function();
        let make = functions.iter().find(|(frame, _)| frame.function == "make").expect("it allocates");
        assert_eq!((make.1.change(CALLS), make.1.class), (3, DiffClass::Lines));
        assert_eq!(diff.by_backtrace(CALLS).len(), 1);
    }

    #[test]
    fn what_is_in_one_alone_is_told_so_and_a_profile_equals_itself() {
        let (empty, full) = (layer("v 10400 3\n"), run("", [1, 2, 3], 1));
        let diff = HeapDiff::of(&empty, &full);
        assert!(diff.rows.len() == 2 && diff.rows.iter().all(|row| row.class == DiffClass::Alone));
        assert_eq!(diff.of_class(DiffClass::Alone)[1][LEAKED_BYTES], 28);
        let same = HeapDiff::of(&full, &full);
        assert!(same.rows.iter().all(|row| row.class == DiffClass::Lines && row.before == row.after));
        assert!(same.by_backtrace(PEAK_BYTES).is_empty());
    }

    /// A run with these stacks. Each stack has its functions, the outermost first, and the number of bytes
    /// that are not freed.
    fn stacks(stacks: &[(&str, u64)]) -> HeapLayer {
        let mut names: Vec<&str> = stacks.iter().flat_map(|(stack, _)| stack.split(' ')).collect();
        names.sort_unstable();
        names.dedup();
        let (mut text, mut traces) = ("v 10400 3\ns 3 a.c\n".to_owned(), 0);
        names.iter().for_each(|name| text += &format!("s {:x} {name}\n", name.len()));
        (0..names.len()).for_each(|name| text += &format!("i {:x} 0 {:x} 1 1\n", name + 1, name + 2));
        for (number, (stack, bytes)) in stacks.iter().enumerate() {
            let mut above = 0;
            for name in stack.split(' ') {
                let place = 1 + names.binary_search(&name).expect("it is one of them");
                text += &format!("t {place:x} {above:x}\n");
                (traces, above) = (traces + 1, traces + 1);
            }
            text += &format!("a {bytes:x} {traces:x}\n+ {number:x}\n");
        }
        layer(&text)
    }

    #[test]
    fn calls_that_one_build_leaves_out_are_passed_over() {
        // In the later run, the frames of `last`, `helper` and `wrap` are missing, as if these functions were
        // inlined.
        let before = stacks(&[
            ("main init last", 10),
            ("main helper work", 20),
            ("main wrap deep make", 5),
            ("main old", 3),
        ]);
        let after = stacks(&[("main init", 11), ("main work", 20), ("main deep make", 5), ("main new", 4)]);
        let expected = [
            (DiffClass::Frames, "init:1 main:1".to_owned(), 1),
            (DiffClass::Frames, "make:1 deep:1 main:1".to_owned(), 0),
            (DiffClass::Frames, "work:1 main:1".to_owned(), 0),
            (DiffClass::Alone, "new:1 main:1".to_owned(), 4),
            (DiffClass::Alone, "old:1 main:1".to_owned(), -3),
        ];
        assert_eq!(told(&HeapDiff::of(&before, &after)), expected);
        let back = HeapDiff::of(&after, &before);
        let frames = back.of_class(DiffClass::Frames).map(|counts| counts[LEAKED_BYTES]);
        assert_eq!(frames, [36, 35]);
    }

    #[test]
    fn nothing_is_lost_however_stacks_differ() {
        let before = stacks(&[("a b c d", 1), ("a c b d", 2), ("a", 4), ("b a b a", 8), ("d d d d d", 16)]);
        let after = stacks(&[("a d", 32), ("c", 64), ("a b a", 128), ("d d d", 256), ("x a b c d", 512)]);
        let diff = HeapDiff::of(&before, &after);
        let all = DiffClass::ALL.map(|class| diff.of_class(class).map(|counts| counts[LEAKED_BYTES]));
        assert_eq!(all.iter().map(|it| it[0]).sum::<i64>(), 31);
        assert_eq!(all.iter().map(|it| it[1]).sum::<i64>(), 992);
    }
}
