//! [`FlameTree`]: stacks as trees of function names, for flame graphs.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

use varvite::Cancel;
use varvite::error::Cancelled;

use super::stored::{HeapLayer, STEPS_OF_LOOK};
use super::svg::thousands;
use super::tree::NONE;
use crate::measure::{Measure, Slot, decimal};

/// Stacks of functions. Frames with the same name and the same parent are merged.
#[derive(Debug, Default)]
pub struct FlameTree {
    /// The frames. Each frame comes after the frame of its caller.
    pub(super) frames: Vec<FlameFrame>,
    pub(super) names: Vec<String>,
    /// The sum over all stacks.
    pub total: i64,
    /// The measure, and the noun for amounts of the measure.
    pub measure: Slot,
    pub(super) noun: String,
    /// The number of counts in one unit of the noun.
    pub(super) scale: i64,
    /// Whether any function is a METHOD of the graph.
    pub(super) has_methods: bool,
}

/// A function, merged from all stacks in which it has the same callers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FlameFrame {
    /// The frame of the caller, or [`NONE`].
    pub(super) parent: u32,
    /// The number of the function's name.
    pub(super) name: u32,
    /// The frame's own count, and its count including all callees.
    pub(super) own: i64,
    pub(super) all: i64,
    /// The METHOD of the function.
    pub(super) method: Joined,
}

/// The METHOD of the places that are one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Joined {
    /// The graph has none.
    #[default]
    None,
    /// All places have the same one.
    One(u32),
    /// The places have several: functions of one name in different files.
    Several,
}

impl Joined {
    fn and(self, method: Option<u32>) -> Self {
        match (self, method) {
            (known, None) => known,
            (Self::None, Some(method)) => Self::One(method),
            (Self::One(known), Some(method)) if known == method => self,
            _ => Self::Several,
        }
    }
}

impl FlameTree {
    /// Maximum depth of a drawing, in functions.
    pub const DEPTH_MAX: u32 = 1 << 10;

    /// Merges the stacks of a profile, with the counts of one measure. Negative counts become zero.
    ///
    /// **Cost**: linear in the tree of calls.
    pub fn of(layer: &HeapLayer, measure: Slot) -> Self {
        // A flag that nobody sets is never set.
        Self::of_within(layer, measure, &Cancel::default()).unwrap_or_default()
    }

    /// The same as [`FlameTree::of`], with a flag that ends the work soon.
    ///
    /// # Errors
    /// [`Cancelled`] if the flag was set.
    pub fn of_within(layer: &HeapLayer, measure: Slot, cancel: &Cancel) -> Result<Self, Cancelled> {
        let (noun, scale) = match layer.measures.get(measure) {
            Some(it) if it.scale() > 1 => (it.whole_name().to_owned(), it.scale()),
            it => (it.map_or("", Measure::noun).to_owned(), 1),
        };
        let mut flame = Self { measure, noun, scale, ..Self::default() };
        let (mut known_names, mut known_frames) = (HashMap::new(), HashMap::new());
        let names: Vec<u32> = layer
            .places
            .iter()
            .map(|place| {
                let name = match place.function.as_str() {
                    "" => format!("[{}]", place.module_name()),
                    function => function.to_owned(),
                };
                *known_names.entry(name).or_insert_with_key(|name| {
                    flame.names.push(name.clone());
                    flame.names.len() as u32 - 1
                })
            })
            .collect();
        let (tree, mut frame_of) = (&layer.tree, Vec::with_capacity(layer.tree.len()));
        for node in 0..tree.len() {
            if node % STEPS_OF_LOOK == 0 {
                cancel.check()?;
            }
            let place = tree.place_of[node] as usize;
            let parent = tree.parent(node as u32).map_or(NONE, |above| frame_of[above as usize]);
            let frame = *known_frames.entry((parent, names[place])).or_insert_with(|| {
                flame.frames.push(FlameFrame { parent, name: names[place], ..FlameFrame::default() });
                flame.frames.len() as u32 - 1
            });
            let own = measure.of(&tree.own[node]).max(0);
            let counted = &mut flame.frames[frame as usize];
            counted.own = counted.own.saturating_add(own);
            counted.method = counted.method.and(layer.join.places[place].0);
            flame.has_methods |= layer.join.places[place].0.is_some();
            frame_of.push(frame);
        }
        flame.sum_up();
        Ok(flame)
    }

    fn sum_up(&mut self) {
        for frame in (0..self.frames.len()).rev() {
            let FlameFrame { parent, own, all, .. } = self.frames[frame];
            let all = all.saturating_add(own);
            self.frames[frame].all = all;
            let above = if parent == NONE { &mut self.total } else { &mut self.frames[parent as usize].all };
            *above = above.saturating_add(all);
        }
    }

    /// Writes collapsed stacks, one per line: the functions, from the outermost to the innermost, separated
    /// by semicolons; then the count.
    ///
    /// # Errors
    /// Errors of `out`.
    pub fn write_collapsed(&self, out: &mut impl Write) -> io::Result<()> {
        let names = self.collapsed_names();
        let mut stack = Vec::new();
        for (number, frame) in (0..).zip(&self.frames).filter(|(_, frame)| frame.own > 0) {
            stack.clear();
            let above = |at: &u32| Some(self.frames[*at as usize].parent).filter(|parent| *parent != NONE);
            stack.extend(std::iter::successors(Some(number), above));
            for (depth, at) in stack.iter().rev().enumerate() {
                let before = if depth == 0 { "" } else { ";" };
                write!(out, "{before}{}", names[self.frames[*at as usize].name as usize])?;
            }
            writeln!(out, " {}", decimal(frame.own, self.scale))?;
        }
        Ok(())
    }

    /// The name of each function in collapsed stacks, which is the same in all stacks. Readers would mistake
    /// a number at the end of the last name of a stack for a second count, and a line that begins with a
    /// number sign for a comment.
    ///
    /// **Cost**: linear in the frames, and in the bytes of the names.
    fn collapsed_names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.names.iter().map(|name| collapsible(name)).collect();
        let (mut are_first, mut are_last) = (vec![false; names.len()], vec![false; names.len()]);
        for frame in &self.frames {
            are_first[frame.name as usize] |= frame.parent == NONE;
            are_last[frame.name as usize] |= frame.own > 0;
        }
        let mut taken: HashSet<String> = names.iter().cloned().collect();
        let mut renamed: HashMap<String, String> = HashMap::new();
        for ((name, is_first), is_last) in names.iter_mut().zip(are_first).zip(are_last) {
            let mut wanted = name.clone();
            if let Some(blank) = blank_before_number(name).filter(|_| is_last) {
                wanted.replace_range(blank..=blank, "_");
            }
            if is_first && name.starts_with('#') {
                wanted.insert(0, '_');
            }
            if wanted != *name {
                *name =
                    renamed.entry(wanted).or_insert_with_key(|wanted| untaken(wanted, &mut taken)).clone();
            }
        }
        names
    }

    /// The sum of the counts of stacks that are deeper than [`Self::DEPTH_MAX`]. Drawings cut such stacks at
    /// this depth.
    ///
    /// **Cost**: linear in the functions of all stacks.
    pub fn too_deep(&self) -> i64 {
        let (mut depths, mut sum): (Vec<u32>, i64) = (Vec::with_capacity(self.frames.len()), 0);
        for frame in &self.frames {
            let depth = if frame.parent == NONE { 0 } else { depths[frame.parent as usize] + 1 };
            sum = sum.saturating_add(if depth == Self::DEPTH_MAX { frame.all } else { 0 });
            depths.push(depth);
        }
        sum
    }

    /// An amount of the measure as text for users.
    pub fn told(&self, value: i64) -> String {
        if self.scale > 1 { decimal(value, self.scale) } else { thousands(value) }
    }

    /// The first child and the next sibling of each frame, and the first root. Siblings are sorted by name.
    pub(super) fn by_name(&self) -> (Vec<u32>, Vec<u32>, u32) {
        // A name is compared once, however many frames have it.
        let mut by_name: Vec<u32> = (0..self.names.len() as u32).collect();
        by_name.sort_by_key(|name| &self.names[*name as usize]);
        let mut ranks = vec![0_u32; self.names.len()];
        (0..).zip(by_name).for_each(|(rank, name)| ranks[name as usize] = rank);
        let mut order: Vec<u32> = (0..self.frames.len() as u32).collect();
        order.sort_by_key(|frame| std::cmp::Reverse(ranks[self.frames[*frame as usize].name as usize]));
        let (mut firsts, mut nexts) = (vec![NONE; self.frames.len()], vec![NONE; self.frames.len()]);
        let mut first = NONE;
        for frame in order {
            let parent = self.frames[frame as usize].parent;
            let before = if parent == NONE { &mut first } else { &mut firsts[parent as usize] };
            nexts[frame as usize] = std::mem::replace(before, frame);
        }
        (firsts, nexts, first)
    }
}

/// Replaces those characters in a name that would end the name in a collapsed stack.
fn collapsible(name: &str) -> String {
    if name.chars().all(|it| it.is_ascii_whitespace() || it.is_control()) {
        return "?".to_owned();
    }
    name.chars()
        .map(|it| {
            if it == ';' {
                ':'
            } else if it.is_control() {
                ' '
            } else {
                it
            }
        })
        .collect()
}

/// A name that no function has: `wanted`, or `wanted` followed by a number. The name is taken from then on.
fn untaken(wanted: &str, taken: &mut HashSet<String>) -> String {
    let others = (2u64..).map(|number| format!("{wanted}#{number}"));
    let mut candidates = std::iter::once(wanted.to_owned()).chain(others);
    candidates.find(|name| taken.insert(name.clone())).unwrap_or_default()
}

/// The position of the blank before a number at the end of a name; `None` if the name does not end so.
fn blank_before_number(name: &str) -> Option<usize> {
    let (head, word) = name.trim_ascii_end().rsplit_once(|it: char| it.is_ascii_whitespace())?;
    let is_number =
        word.parse::<f64>().is_ok() && word.ends_with(|it: char| it.is_ascii_digit() || it == '.');
    is_number.then_some(head.len())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::heaptrack::{CALLS, LEAKED_BYTES, TEMPORARY};
    use crate::{Limits, heaptrack};

    /// A run in which `main` calls a function named `a;b` at two lines. This function allocates 8 bytes in
    /// each call, and calls a function without a name, which allocates 5 bytes.
    pub(crate) fn flame(measure: Slot) -> FlameTree {
        let text = "v 10400 3\ns 4 main\ns 3 a;b\ns 1 f\ns 9 /lib/x<>\"\ni 1 0 1 3 1\ni 2 0 1 3 2\ni 3 0 2 3 9\ni 4 4\n\
            t 1 0\nt 3 1\nt 2 0\nt 3 3\nt 4 4\na 8 2\na 8 4\na 5 5\n+ 0\n+ 1\n+ 2\n+ 2\n";
        let profile = heaptrack::read(text.as_bytes(), &Limits::default()).expect("it is a profile");
        FlameTree::of(&HeapLayer::of_profile(&profile, &Limits::default()).expect("there is room"), measure)
    }

    /// Collapsed stacks that are read, and written again in the order of their lines.
    fn rewritten(text: &str) -> String {
        let profile = crate::collapsed::read(text.as_bytes(), &Limits::default()).expect("it is a profile");
        let layer = HeapLayer::of_profile(&profile, &Limits::default()).expect("there is room");
        let mut written = Vec::new();
        FlameTree::of(&layer, Slot::default()).write_collapsed(&mut written).expect("memory takes it");
        let written = String::from_utf8(written).expect("it is text");
        let mut lines: Vec<&str> = written.lines().collect();
        lines.sort_unstable();
        lines.join("\n")
    }

    #[test]
    fn a_number_at_the_end_of_a_name_is_no_count() {
        for (name, written) in [
            ("main+0 5", "main+0_5"),
            ("a 1 2", "a 1_2"),
            ("a -0.5", "a_-0.5"),
            ("a b5", "a b5"),
            ("to inf", "to inf"),
            ("7", "7"),
        ] {
            // Few enough lines end in two numbers.
            let text = format!("{name};x 1\n{name};y 2\n{name} 3\n");
            let again = rewritten(&text);
            assert_eq!(again, format!("{written} 3\n{written};x 1\n{written};y 2"));
            let again =
                crate::collapsed::read(again.as_bytes(), &Limits::default()).expect("it is a profile");
            assert_eq!(again.totals.counts, crate::Counts::of(&[6]), "{text}");
        }
    }

    #[test]
    fn functions_stay_apart_and_whole_in_collapsed_stacks() {
        assert_eq!(
            rewritten("main;a 5;b 3\nmain;a 5 2\nmain;a_5 7\n"),
            "main;a_5 7\nmain;a_5#2 2\nmain;a_5#2;b 3"
        );
        // The number of a caller stands before a semicolon, where no reader expects a count.
        assert_eq!(rewritten("work 7;main 3\nmain 1\n"), "main 1\nwork 7;main 3");
        assert_eq!(rewritten("#1;main 3\nmain;#1 1\nmain;# 2\n"), "_#1;main 3\nmain;# 2\nmain;_#1 1");
        assert_eq!(rewritten("#! 5;a 1\nb;c 2\n#! 5 3\n"), "_#!_5 3\n_#!_5;a 1\nb;c 2");
    }

    /// A search for a free name for each of the functions would take hours.
    #[test]
    fn functions_with_one_text_in_collapsed_stacks_get_one_name() {
        let separators = |number: u32| (0..16).map(move |bit| if number >> bit & 1 == 0 { ';' } else { ':' });
        let name = |number| separators(number).chain(" 5".chars()).collect::<String>();
        let frame = |name| FlameFrame { parent: NONE, name, own: 1, ..FlameFrame::default() };
        let (names, frames) = ((0..1 << 16).map(name).collect(), (0..1 << 16).map(frame).collect());
        let flame = FlameTree { names, frames, ..FlameTree::default() };
        assert!(flame.collapsed_names().iter().all(|name| name == "::::::::::::::::_5"));
    }

    #[test]
    fn what_is_deeper_than_a_drawing_is_summed() {
        let text = format!("{}leaf 7\nmain;a 5\n", "f;".repeat(FlameTree::DEPTH_MAX as usize));
        let profile = crate::collapsed::read(text.as_bytes(), &Limits::default()).expect("it is a profile");
        let layer = HeapLayer::of_profile(&profile, &Limits::default()).expect("there is room");
        let flame = FlameTree::of(&layer, Slot::default());
        assert_eq!((flame.too_deep(), flame.total), (7, 12));
        let mut drawing = Vec::new();
        flame.write_svg("run", &mut drawing).expect("memory takes it");
        let drawing = String::from_utf8(drawing).expect("it is text");
        assert!(
            drawing.contains("7 samples of stacks deeper than 1,024 calls: the drawing omits deeper calls"),
            "{drawing}"
        );
        assert!(!drawing.contains("leaf"));
    }

    #[test]
    fn stacks_of_the_same_functions_are_one() {
        let mut text = Vec::new();
        flame(LEAKED_BYTES).write_collapsed(&mut text).expect("memory takes it");
        let text = String::from_utf8(text).expect("it is text");
        assert_eq!(text, "main;a:b 16\nmain;a:b;[x<>\"] 10\n");
        let calls = flame(CALLS);
        assert_eq!((calls.total, calls.frames[0].all, calls.frames[0].own), (4, 4, 0));
        let mut text = Vec::new();
        flame(TEMPORARY).write_collapsed(&mut text).expect("memory takes it");
        assert!(text.is_empty());
    }
}
