//! [`near_clones`]: functions that share most of their tokens, from the sketches of an index.
//!
//! The first function of a group is its leader, and a function joins the group of the leader that it is most
//! like. Leaders are found by bands: four bytes in a row of a sketch. Two sketches with 80 % of equal bytes
//! have one of the 16 bands in common in all but 2 of 10,000 cases.

use std::collections::HashMap;
use std::path::Path;

use varvite::{Budget, GraphError, Task};

use super::clones::{CloneGroup, Clones, FUNCTIONS_AT_ONCE, Index};
use crate::error::Result;
use crate::facts::{Content, Sketch};

/// The number of bytes of a band.
const BAND: usize = 4;
/// The most leaders that a function is compared to in each band. So a corpus of many short functions that
/// all look alike takes no time that grows with the square of their number.
const LEADERS_MAX: usize = 16;
/// The memory of a leader, with its places in the tables.
const LEADER_BYTES: usize = 1024;
/// The memory of a member of a group.
const MEMBER_BYTES: usize = 2 * size_of::<u32>();

/// Finds functions of at least `lines_min` lines that share most of their tokens, such as copies in which
/// variables have other names. In each group, `likeness_min` is the least estimated part, from 0 to 1, of
/// shingles (four tokens in a row) that a function shares with the first one of the index. Functions of few
/// tokens are compared by their content alone.
///
/// The estimate has a standard error of up to 6.3 %, and a function may be like several leaders and join one,
/// so an answer may lack functions. Groups are in the order of [`clones`](super::clones).
///
/// **Cost**: one pass over the functions of the index, each of which is compared to at most 256 others. Holds
/// about 1 kB for each function that is like no other one before it.
///
/// # Errors
/// Those of [`clones`](super::clones).
pub fn near_clones(index: &Path, lines_min: u64, likeness_min: f64, task: &Task<'_>) -> Result<Clones> {
    let (index, budget) = (Index::open(index)?, Budget::of(task));
    let mut groups = Groups::default();
    for (count, method) in index.methods.iter().enumerate() {
        if count % FUNCTIONS_AT_ONCE == 0 {
            task.check()?;
        }
        let Some(content) = index.reader.content(method) else { continue };
        if index.reader.lines(method) < lines_min {
            continue;
        }
        let function = Compared { method, content, sketch: index.reader.sketch(method) };
        groups.add(function, likeness_min, &budget)?;
    }
    let mut found = Vec::new();
    for group in groups.groups.into_iter().filter(|group| group.members.len() > 1) {
        task.check()?;
        let likeness = group.likeness;
        let group = index.group(group.content, &group.members, lines_min, &budget)?;
        found.extend(group.map(|group| CloneGroup { likeness, ..group }));
    }
    index.finish(found)
}

/// A function that is compared.
struct Compared {
    method: u32,
    content: Content,
    sketch: Option<Sketch>,
}

/// A group of functions that are like its first.
struct Group {
    content: Content,
    sketch: Option<Sketch>,
    members: Vec<u32>,
    likeness: f64,
}

/// The groups so far, by the contents and the bands of their leaders.
#[derive(Default)]
struct Groups {
    groups: Vec<Group>,
    by_content: HashMap<Content, usize>,
    by_band: HashMap<(usize, [u8; BAND]), Vec<usize>>,
}

impl Groups {
    fn add(&mut self, function: Compared, likeness_min: f64, budget: &Budget) -> Result<()> {
        let alike = match self.by_content.get(&function.content) {
            Some(group) => Some((*group, 1.0)),
            None => function.sketch.and_then(|sketch| self.most_like(&sketch, likeness_min)),
        };
        let Some((number, likeness)) = alike else { return self.lead(function, budget) };
        budget.take(MEMBER_BYTES).map_err(GraphError::from)?;
        if let Some(group) = self.groups.get_mut(number) {
            group.members.push(function.method);
            group.likeness = group.likeness.min(likeness);
        }
        Ok(())
    }

    /// The group whose leader a sketch is most like; of equal ones, the first.
    fn most_like(&self, sketch: &Sketch, likeness_min: f64) -> Option<(usize, f64)> {
        let mut best: Option<(usize, f64)> = None;
        for number in bands(sketch).filter_map(|band| self.by_band.get(&band)).flatten().copied() {
            let leader = self.groups.get(number).and_then(|group| group.sketch);
            let likeness = leader.map_or(0.0, |leader| leader.likeness(sketch));
            let is_better =
                best.is_none_or(|(first, most)| likeness > most || likeness == most && number < first);
            if likeness >= likeness_min && is_better {
                best = Some((number, likeness));
            }
        }
        best
    }

    /// Makes a group of a function.
    fn lead(&mut self, function: Compared, budget: &Budget) -> Result<()> {
        let Compared { method, content, sketch } = function;
        budget.take(LEADER_BYTES).map_err(GraphError::from)?;
        let number = self.groups.len();
        self.by_content.insert(content, number);
        for band in sketch.iter().flat_map(bands) {
            let leaders = self.by_band.entry(band).or_default();
            if leaders.len() < LEADERS_MAX {
                leaders.push(number);
            }
        }
        self.groups.push(Group { content, sketch, members: vec![method], likeness: 1.0 });
        Ok(())
    }
}

/// The bands of a sketch, each with its number.
fn bands(sketch: &Sketch) -> impl Iterator<Item = (usize, [u8; BAND])> {
    let (bands, _) = sketch.0.as_chunks::<BAND>();
    bands.iter().copied().enumerate()
}
