//! [`Coverage`]: how much of what was allocated could be joined to the code of a graph.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::join::Join;
use super::placement::MatchClass;
use super::tree::CallTree;
use crate::measure::{Counts, Slot};

/// How much of what was allocated could be joined to the code of a graph, and of which modules.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Coverage {
    /// What was allocated in code of each class, by [`MatchClass::ALL`].
    pub by_class: [(MatchClass, Counts); MatchClass::ALL.len()],
    /// What was allocated in code that the graph lacks, by steps below one of its METHODs.
    pub below_methods: Counts,
    /// Of this, by steps of which the nearest METHOD above is known by name, file and line.
    pub below_exact: Counts,
    /// What each module allocated, most calls first, or most of what else comes first.
    pub modules: Vec<ModuleReport>,
}

/// What a module allocated.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ModuleReport {
    /// Its path, as the profile has it; empty where it is not known.
    pub path: String,
    /// What its code allocated.
    pub counts: Counts,
    /// Of this, in METHODs of the graph.
    pub placed: Counts,
    /// Of this, in METHODs that are known by name, file and line: a module that has none is not covered by
    /// the graph.
    pub exact: Counts,
}

impl Coverage {
    /// That of a tree whose places have modules.
    pub(super) fn of<'m>(tree: &CallTree, join: &Join, module: impl Fn(usize) -> &'m str) -> Self {
        let mut by_class = MatchClass::ALL.map(|class| (class, Counts::default()));
        let (mut below_methods, mut below_exact) = (Counts::default(), Counts::default());
        let mut modules = BTreeMap::<&str, ModuleReport>::new();
        // How the nearest METHOD is known, that of a node itself included.
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

    /// What was allocated in METHODs of the graph.
    pub fn placed(&self) -> Counts {
        sum(self.modules.iter().map(|module| module.placed))
    }

    /// What was allocated at all.
    pub fn all(&self) -> Counts {
        sum(self.modules.iter().map(|module| module.counts))
    }

    /// The same of modules that the graph covers: what was allocated at all, and what of it in METHODs.
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
