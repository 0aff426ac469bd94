//! The inverted tree of calls: the callers of a function, the callers of these callers and so on, with the
//! counts along each call path.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use varvite_cpg::join::called_names;

use super::known_place::KnownPlace;
use super::placement::last_part;
use super::stored::HeapLayer;
use crate::measure::{Counts, Slot};

/// A row of the tree of callers: the function itself at depth 0, its callers at depth 1, and so on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallerRow {
    /// The distance from the function, in calls.
    pub depth: usize,
    /// The place of the caller, with the line of the call. The row of the function itself has no line.
    pub place: KnownPlace,
    /// The function's own counts along this call path.
    pub own: Counts,
    /// The function's counts along this call path, including those of all callees. Recursive calls are
    /// counted once.
    pub all: Counts,
}

/// Limits of the depth and the number of rows of a tree of callers.
#[derive(Clone, Copy, Debug)]
pub struct CallerLimits {
    /// The maximum depth of a row.
    pub depth: usize,
    /// The maximum number of rows.
    pub rows: usize,
}

/// A node of the tree of calls, with the function's own counts and its counts including all callees, both
/// along call paths through this node.
type Through = (u32, [Counts; 2]);

impl HeapLayer {
    /// The functions named `name`. If there are none, the functions that source code calls by this name:
    /// their names are compared without namespaces, and without the prefixes and suffixes that compilers and
    /// libraries add. Each function is returned as the numbers of its places (its source lines that make
    /// calls). The functions are sorted by name, module and file.
    pub fn functions_named(&self, name: &str) -> Vec<Vec<u32>> {
        let exact = self.functions(|function| function == name);
        let is_called = |function: &str| {
            last_part(function) == name || called_names(function).iter().any(|called| called == name)
        };
        if exact.is_empty() { self.functions(is_called) } else { exact }
    }

    fn functions(&self, passes: impl Fn(&str) -> bool) -> Vec<Vec<u32>> {
        let mut found: BTreeMap<(&str, &str, &str), Vec<u32>> = BTreeMap::new();
        for (number, place) in (0..).zip(&self.places) {
            if passes(&place.function) {
                found.entry((&place.function, &place.module, &place.file)).or_default().push(number);
            }
        }
        found.into_values().collect()
    }

    /// The names of all functions.
    pub fn function_names(&self) -> impl Iterator<Item = &str> {
        self.places.iter().map(|place| place.function.as_str())
    }

    /// The tree of callers of the function with these places. Each row is followed by the rows of its own
    /// callers; the caller with the largest count comes first. Callers with a count of zero, and the callers
    /// of `main`, are left out.
    ///
    /// **Cost**: linear in the size of the tree; in addition, for each row, linear in the number of the
    /// function's nodes whose call paths contain the row.
    pub fn callers(&self, places: &[u32], measure: Slot, limits: CallerLimits) -> Vec<CallerRow> {
        let mut waiting = vec![(0, None, self.nodes_of(places))];
        let mut rows = Vec::new();
        while let Some((depth, place, through)) = waiting.pop().filter(|_| rows.len() < limits.rows) {
            let place = self.known_place(place.or(places.first().copied()).unwrap_or(0));
            let line = if depth == 0 { 0 } else { place.line };
            let [own, all] = sum(&through);
            rows.push(CallerRow { depth, place: KnownPlace { line, ..place }, own, all });
            if depth < limits.depth {
                // The caller with the largest count comes last, since the last element is processed first.
                waiting.extend(
                    self.above(through, measure).into_iter().map(|(at, it)| (depth + 1, Some(at), it)),
                );
            }
        }
        rows
    }

    /// The nodes of a function, with their own counts. The outermost such node of each stack also has the
    /// counts of its subtree.
    fn nodes_of(&self, places: &[u32]) -> Vec<Through> {
        let tree = &self.tree;
        let mut is_place = vec![false; self.places.len()];
        places.iter().for_each(|place| is_place[*place as usize] = true);
        let is_of = |node: u32| is_place[tree.place_of[node as usize] as usize];
        let mut nodes: BTreeMap<u32, [Counts; 2]> = BTreeMap::new();
        for node in (0..tree.len() as u32).filter(|node| is_of(*node)) {
            nodes.entry(node).or_default()[0] = tree.own[node as usize];
        }
        tree.sum_once(
            |node| [is_of(node).then_some(()), None],
            |(), node, counts| {
                nodes.entry(node).or_default()[1] = counts;
            },
        );
        nodes.into_iter().filter(|(_, counts)| *counts != [Counts::default(); 2]).collect()
    }

    /// The callers of nodes, grouped by place, with the counts along call paths through the callers. The
    /// group with the largest count comes last.
    fn above(&self, through: Vec<Through>, measure: Slot) -> Vec<(u32, Vec<Through>)> {
        let mut ways: BTreeMap<u32, Vec<Through>> = BTreeMap::new();
        for (node, counts) in through {
            if let Some(parent) = self.caller(node) {
                ways.entry(self.tree.place_of[parent as usize]).or_default().push((parent, counts));
            }
        }
        let mut ways: Vec<(u32, Vec<Through>)> = ways.into_iter().collect();
        let weight = |through: &[Through]| {
            let [own, all] = sum(through);
            (measure.of(&all), measure.of(&own))
        };
        ways.sort_by_cached_key(|(place, through)| (weight(through), Reverse(*place)));
        ways
    }
}

fn sum(through: &[Through]) -> [Counts; 2] {
    through.iter().fold([Counts::default(); 2], |[mut own, mut all], (_, counts)| {
        own += counts[0];
        all += counts[1];
        [own, all]
    })
}
