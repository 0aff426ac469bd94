//! [`Joined`]: a tree of calls joined to a graph, and what METHODs and CALLs come to.

use std::collections::BTreeMap;

use varvite_memtrace::layer::Methods;

use super::placement::{CallSites, MatchClass, function_of, method_of};
use super::tree::{CallTree, NONE};
use crate::profile::Counts;
use crate::texts::{TextId, Texts};

/// What a METHOD or a CALL comes to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    /// Itself: of a METHOD with what functions that the graph lacks did for it.
    pub(super) own: Counts,
    /// With all that it called. What calls itself counts once.
    pub(super) all: Counts,
}

/// What of a module could be joined.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OfModule {
    pub(super) counts: Counts,
    pub(super) placed: Counts,
}

/// What a node of the tree counts for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Method(u32),
    Call(u32),
}

/// A tree of calls, joined to a graph.
#[derive(Debug, Default)]
pub(super) struct Joined {
    /// Of each place: its METHOD, and how surely.
    pub(super) places: Vec<(Option<u32>, MatchClass)>,
    /// Of each node: the CALL that led there, and the one that allocates.
    pub(super) called_at: Vec<Option<u32>>,
    pub(super) allocates_at: Vec<Option<u32>>,
    pub(super) methods: BTreeMap<u32, Sums>,
    pub(super) calls: BTreeMap<u32, Sums>,
    /// What was allocated in METHODs, by how surely these are known; and what was allocated for METHODs in code that the graph lacks.
    pub(super) by_class: [Counts; MatchClass::ALL.len()],
    pub(super) for_methods: Counts,
    pub(super) modules: BTreeMap<TextId, OfModule>,
}

impl Joined {
    pub(super) fn of(tree: &CallTree, texts: &Texts, methods: &Methods, sites: &mut CallSites) -> Self {
        let mut joined = Self {
            places: tree.places.iter().map(|place| method_of(place, texts, methods)).collect(),
            ..Self::default()
        };
        joined.find_calls(tree, texts, sites);
        joined.sum_own(tree);
        joined.sum_all(tree);
        joined
    }

    /// The METHOD of a node.
    fn method(&self, tree: &CallTree, node: u32) -> Option<u32> {
        self.places[tree.place_of[node as usize] as usize].0
    }

    fn find_calls(&mut self, tree: &CallTree, texts: &Texts, sites: &mut CallSites) {
        for node in 0..tree.len() as u32 {
            let parent = tree.parents[node as usize];
            let caller = if parent == NONE { None } else { self.method(tree, parent) };
            let call = caller.and_then(|caller| {
                let function = function_of(tree.place(node), texts);
                sites.call_of(caller, tree.place(parent).line, function.as_deref())
            });
            self.called_at.push(call);
            let method = self.method(tree, node).filter(|_| tree.own[node as usize].calls > 0);
            self.allocates_at
                .push(method.and_then(|method| sites.allocator_at(method, tree.place(node).line)));
        }
    }

    fn sum_own(&mut self, tree: &CallTree) {
        let mut nearest: Vec<Option<u32>> = Vec::with_capacity(tree.len());
        for node in 0..tree.len() as u32 {
            let (parent, own) = (tree.parents[node as usize], tree.own[node as usize]);
            let above = if parent == NONE { None } else { nearest[parent as usize] };
            let (method, class) = self.places[tree.place_of[node as usize] as usize];
            nearest.push(method.or(above));
            if own == Counts::default() {
                continue;
            }
            let module = self.modules.entry(tree.place(node).module).or_default();
            module.counts += own;
            self.by_class[class as usize] += own;
            if method.is_some() {
                module.placed += own;
            } else if above.is_some() {
                self.for_methods += own;
            }
            if let Some(method) = method.or(above) {
                self.methods.entry(method).or_default().own += own;
            }
            if let Some(call) = self.allocates_at[node as usize] {
                let sums = self.calls.entry(call).or_default();
                sums.own += own;
                sums.all += own;
            }
        }
    }

    fn sum_all(&mut self, tree: &CallTree) {
        let keys = |node: u32| {
            let place = tree.place_of[node as usize] as usize;
            let (method, call) = (self.places[place].0, self.called_at[node as usize]);
            [method.map(Key::Method), call.map(Key::Call)]
        };
        let (methods, calls) = (&mut self.methods, &mut self.calls);
        tree.sum_once(keys, |key, counts| {
            let sums = match key {
                Key::Method(node) => methods.entry(node),
                Key::Call(node) => calls.entry(node),
            };
            sums.or_default().all += counts;
        });
    }
}
