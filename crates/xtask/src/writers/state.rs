//! The possible states of a graph file that concurrent writers change, and the effect of each action on a
//! state.

use std::collections::BTreeSet;
use std::fmt;

/// The foreign graph from which a file was imported. The layers can only be added to `Shapes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Base {
    Shapes,
    Content,
}

/// A layer made from the trace: it counts all instructions for the functions that contain them, or counts
/// inlined code for its source function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Layer {
    Plain,
    Inlined,
}

/// Properties that both foreign graphs have and that can get an index.
pub(super) const INDEXED: [&str; 3] = ["NAME", "CODE", "FULL_NAME"];

/// The content of a file. Compacted files with the same state are equal, byte for byte.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct State {
    pub(super) base: Base,
    /// The layers, in the order in which they were added.
    pub(super) layers: Vec<Layer>,
    pub(super) indexes: BTreeSet<&'static str>,
}

/// An action that a process performs on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Import(Base),
    AddIndex(&'static str),
    DropIndex(&'static str),
    AddLayer(Layer),
    /// Checks the file, and changes nothing.
    Verify,
}

impl State {
    /// The state of a graph right after its import.
    pub(super) fn of(base: Base) -> Self {
        Self { base, layers: Vec::new(), indexes: BTreeSet::new() }
    }

    /// All possible states.
    pub(super) fn all() -> Vec<Self> {
        use Layer::{Inlined, Plain};
        let layers: [&[Layer]; 5] = [&[], &[Plain], &[Inlined], &[Plain, Inlined], &[Inlined, Plain]];
        let of_layers = layers.map(|layers| Self { layers: layers.into(), ..Self::of(Base::Shapes) });
        let bases = of_layers.into_iter().chain([Self::of(Base::Content)]);
        let with_indexes = |state: Self| {
            (0..1 << INDEXED.len()).map(move |mask| {
                let is_in = |number: &usize| mask >> number & 1 == 1;
                let indexes = (0..INDEXED.len()).filter(is_in).map(|number| INDEXED[number]).collect();
                Self { indexes, ..state.clone() }
            })
        };
        bases.flat_map(with_indexes).collect()
    }

    /// The state after an action; `None` if the command must refuse the action.
    pub(super) fn after(&self, action: Action) -> Option<Self> {
        let mut state = self.clone();
        let is_done = match action {
            Action::Import(base) => {
                state = Self::of(base);
                true
            }
            Action::AddIndex(name) => state.indexes.insert(name),
            Action::DropIndex(name) => state.indexes.remove(name),
            Action::AddLayer(layer) => {
                state.layers.retain(|known| *known != layer);
                state.layers.push(layer);
                state.base == Base::Shapes
            }
            Action::Verify => true,
        };
        is_done.then_some(state)
    }

    /// Whether all actions in `done` and some in `maybe`, in some order, lead from this state to `end`.
    pub(super) fn leads_to(&self, end: &Self, done: &[Action], maybe: &[Action]) -> bool {
        if done.is_empty() && self == end {
            return true;
        }
        let without = |actions: &[Action], number| {
            let mut rest = actions.to_vec();
            rest.remove(number);
            rest
        };
        let by_done = (0..done.len()).any(|number| {
            let next = self.after(done[number]);
            next.is_some_and(|next| next.leads_to(end, &without(done, number), maybe))
        });
        by_done
            || (0..maybe.len()).any(|number| {
                let next = self.after(maybe[number]);
                next.is_some_and(|next| next.leads_to(end, done, &without(maybe, number)))
            })
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} with layers {:?} and indexes {:?}", self.base, self.layers, self.indexes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_update_that_was_lost_is_seen() {
        let bare = State::of(Base::Shapes);
        let (one, other) = (Action::AddIndex("NAME"), Action::AddIndex("CODE"));
        let (with_one, with_other) = (bare.after(one).unwrap(), bare.after(other).unwrap());
        let both = with_one.after(other).unwrap();
        assert!(bare.leads_to(&both, &[other, one], &[]));
        assert!(!bare.leads_to(&with_other, &[one, other], &[]), "one said that it was done");
        assert!(bare.leads_to(&with_other, &[other], &[one]), "one was killed");
        assert!(bare.leads_to(&both, &[other], &[one]));
        assert!(!bare.leads_to(&bare, &[other], &[one]));
    }

    #[test]
    fn a_layer_on_the_wrong_graph_is_seen() {
        let (bare, layer) = (State::of(Base::Shapes), Action::AddLayer(Layer::Plain));
        let content = State::of(Base::Content);
        assert!(bare.leads_to(&content, &[layer, Action::Import(Base::Content)], &[]));
        assert_eq!(content.after(layer), None);
        assert!(!State::all().iter().any(|state| state.base == Base::Content && !state.layers.is_empty()));
    }

    #[test]
    fn states_differ() {
        let mut all = State::all();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 48);
    }
}
