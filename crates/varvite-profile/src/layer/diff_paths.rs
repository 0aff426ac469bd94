//! [`Paths`]: the backtraces of both profiles, with only the fields that are compared.

use std::collections::HashMap;

use super::stored::{HeapLayer, StoredPlace};
use super::tree::NONE;
use crate::measure::Counts;

/// A call of a backtrace, with the fields that are compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DiffFrame {
    /// The function. If it is not known, the name of the module in brackets.
    pub function: String,
    /// The name of the file without its folders; empty if it is not known.
    pub file: String,
    /// The line; 0 if it is not known.
    pub line: i64,
}

/// Backtraces as a tree of paths, with the outermost calls at the roots.
#[derive(Debug, Default)]
pub(super) struct Paths {
    frames: Vec<DiffFrame>,
    known_frames: HashMap<DiffFrame, u32>,
    /// For each path, the path of its caller, and its frame.
    paths: Vec<(u32, u32)>,
    known_paths: HashMap<(u32, u32), u32>,
    /// A cache: for paths that were looked up before, the same path without lines.
    without_lines: HashMap<u32, u32>,
}

impl Paths {
    /// The backtraces of a profile, each as the number of its path and its counts.
    pub(super) fn backtraces(&mut self, layer: &HeapLayer) -> Vec<(u32, Counts)> {
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

    /// The path of the caller of a path's innermost call, or [`NONE`].
    pub(super) fn above(&self, path: u32) -> u32 {
        self.paths[path as usize].0
    }

    /// The number of the frame of a path's innermost call.
    pub(super) fn frame_number(&self, path: u32) -> u32 {
        self.paths[path as usize].1
    }

    /// Returns the path with the same frames, but without lines.
    pub(super) fn without_lines(&mut self, path: u32) -> u32 {
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
            at = self.above(at);
        };
        for path in trail.into_iter().rev() {
            let frame = self.frames[self.frame_number(path) as usize].clone();
            let frame = self.frame(DiffFrame { line: 0, ..frame });
            above = self.path(above, frame);
            self.without_lines.insert(path, above);
        }
        above
    }

    /// The frames of a path, the innermost first.
    pub(super) fn frames(&self, path: u32) -> impl Iterator<Item = &DiffFrame> {
        let next = |path: &u32| Some(self.above(*path)).filter(|above| *above != NONE);
        let paths =
            std::iter::successors(Some(path).filter(|path| (*path as usize) < self.paths.len()), next);
        paths.map(|path| &self.frames[self.frame_number(path) as usize])
    }
}

fn frame_of(place: &StoredPlace) -> DiffFrame {
    let name = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    match place.function.as_str() {
        "" => DiffFrame { function: format!("[{}]", name(&place.module)), ..DiffFrame::default() },
        function => DiffFrame { function: function.to_owned(), file: name(&place.file), line: place.line },
    }
}
