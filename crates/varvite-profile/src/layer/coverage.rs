//! [`Coverage`]: the share of a profile's counts that were joined to the code of a graph.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::join::Join;
use super::placement::MatchClass;
use super::tree::CallTree;
use crate::measure::{Counts, Slot};

/// The counts of a profile that were joined to the code of a graph, in total and by module.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Coverage {
    /// The counts at places of each class, in the order of [`MatchClass::ALL`].
    pub by_class: [(MatchClass, Counts); MatchClass::ALL.len()],
    /// The counts at places without a METHOD, if an ancestor (a direct or indirect caller) has a METHOD.
    pub below_methods: Counts,
    /// The part of `below_methods` for which the METHOD of the nearest ancestor with a METHOD was matched by
    /// name, file and line.
    pub below_exact: Counts,
    /// The counts of each module, sorted by the first measure, the largest first.
    pub modules: Vec<ModuleReport>,
}

/// The counts of a module.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ModuleReport {
    /// The path of the module in the profile; empty if it is not known.
    pub path: String,
    /// The counts in the code of the module.
    pub counts: Counts,
    /// The part of `counts` in METHODs of the graph.
    pub placed: Counts,
    /// The part of `counts` in METHODs that were matched by name, file and line. If it is zero, the graph
    /// does not cover the module.
    pub exact: Counts,
}

impl Coverage {
    /// Computes the coverage of a tree. `module` returns the path of the module of a place.
    pub(super) fn of<'m>(tree: &CallTree, join: &Join, module: impl Fn(usize) -> &'m str) -> Self {
        let mut by_class = MatchClass::ALL.map(|class| (class, Counts::default()));
        let (mut below_methods, mut below_exact) = (Counts::default(), Counts::default());
        let mut modules = BTreeMap::<&str, ModuleReport>::new();
        // For each node, the class of the METHOD of the nearest node that has one, among the node itself and
        // its ancestors.
        let mut nearest: Vec<Option<MatchClass>> = Vec::with_capacity(tree.len());
        for (node, own) in tree.own.iter().enumerate() {
            let place = tree.place_of[node] as usize;
            let (method, class) = join.places[place];
            let above = tree.parent(node as u32).and_then(|parent| nearest[parent as usize]);
            nearest.push(if method.is_some() { Some(class) } else { above });
            if own.is_zero() {
                continue;
            }
            by_class[class as usize].1 += *own;
            let report = modules.entry(module(place)).or_default();
            report.counts += *own;
            if method.is_some() {
                report.placed += *own;
                if class == MatchClass::Exact {
                    report.exact += *own;
                }
            } else if let Some(above) = above {
                below_methods += *own;
                if above == MatchClass::Exact {
                    below_exact += *own;
                }
            }
        }
        let named =
            modules.into_iter().map(|(path, report)| ModuleReport { path: path.to_owned(), ..report });
        let mut modules: Vec<ModuleReport> = named.collect();
        modules.sort_by_key(|module| Reverse(module.counts[Slot::default()]));
        Self { by_class, below_methods, below_exact, modules }
    }

    /// The counts in METHODs of the graph.
    pub fn placed(&self) -> Counts {
        sum(self.modules.iter().map(|module| module.placed))
    }

    /// All counts.
    pub fn all(&self) -> Counts {
        sum(self.modules.iter().map(|module| module.counts))
    }

    /// The counts of modules that the graph covers: first all of these counts, then those in METHODs.
    pub fn of_covered_modules(&self) -> (Counts, Counts) {
        let covered = || self.modules.iter().filter(|module| module.exact != Counts::default());
        (sum(covered().map(|module| module.counts)), sum(covered().map(|module| module.placed)))
    }
}

fn sum(counts: impl Iterator<Item = Counts>) -> Counts {
    counts.fold(Counts::default(), |mut sum, counts| {
        sum += counts;
        sum
    })
}
