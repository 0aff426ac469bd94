//! [`CallTree`]: the tree of calls, by the calls' places in the source.
//!
//! A step of a profile is an address. It becomes several nodes if functions were inlined at the address: one
//! for each function, the outermost first. Steps that have the same parent and the same place become one
//! node, even if their addresses differ.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use crate::inclusive::sum_up;
use crate::limits::LimitCharge;
use crate::measure::Counts;
use crate::profile::{Frame, Location, Profile};
use crate::texts::TextId;
use crate::{Limits, ProfileError};

/// A number that no node has. It stands for the missing parent of outermost calls.
pub(super) const NONE: u32 = u32::MAX;

/// A place in the source. If it is not known, an address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) module: TextId,
    pub(super) function: TextId,
    pub(super) file: TextId,
    pub(super) line: u32,
    /// The address; 0 if the function is known.
    pub(super) address: u64,
}

/// The tree of calls, by the calls' places in the source. Each node comes after its caller.
#[derive(Debug, Default)]
pub(super) struct CallTree {
    pub(super) places: Vec<Place>,
    /// The parent and the place of each node.
    pub(super) parents: Vec<u32>,
    pub(super) place_of: Vec<u32>,
    /// The own counts of each node.
    pub(super) own: Vec<Counts>,
    /// The node of each site of the profile; empty if the tree was read from a graph.
    pub(super) node_of_site: Vec<u32>,
}

impl CallTree {
    /// The tree of a profile.
    ///
    /// # Errors
    /// [`ProfileError::OverBudget`]. Even a short file may need many nodes, since a step has a node for each
    /// function inlined at its address.
    pub(super) fn of(profile: &Profile, limits: &Limits) -> Result<Self, ProfileError> {
        let mut builder = Builder {
            tree: Self::default(),
            known_places: HashMap::new(),
            known_nodes: HashMap::new(),
            held: LimitCharge::new(limits),
        };
        let mut node_of_step = Vec::with_capacity(profile.steps.len());
        for step in &profile.steps {
            let parent = step.parent.map_or(NONE, |parent| node_of_step[parent as usize]);
            let location = step.location.and_then(|location| profile.locations.get(location as usize));
            node_of_step.push(builder.add(parent, location, profile)?);
        }
        for site in &profile.sites {
            let node = match site.step {
                Some(step) => node_of_step[step as usize],
                None => builder.node(NONE, Place::default())?,
            };
            builder.tree.own[node as usize] += site.counts;
            builder.held.make_room(&mut builder.tree.node_of_site, 1)?;
            builder.tree.node_of_site.push(node);
        }
        Ok(builder.tree)
    }

    pub(super) fn len(&self) -> usize {
        self.parents.len()
    }

    pub(super) fn place(&self, node: u32) -> &Place {
        &self.places[self.place_of[node as usize] as usize]
    }

    /// The caller of a node; `None` for an outermost call.
    pub(super) fn parent(&self, node: u32) -> Option<u32> {
        Some(self.parents[node as usize]).filter(|parent| *parent != NONE)
    }

    /// A node and its ancestors, the outermost last.
    pub(super) fn stack(&self, node: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(node), |at| self.parent(*at))
    }

    /// For each node, the sum over its subtree.
    pub(super) fn inclusive(&self) -> Vec<Counts> {
        let mut sums = self.own.clone();
        sum_up(&mut sums, |node| Some(self.parents[node]));
        sums
    }

    /// Calls `add` for nodes that have a key, with the key, the node, and the sum of the node's subtree. In
    /// each stack, only the outermost node with a given key is used.
    pub(super) fn sum_once<K: Copy + Eq + Hash>(
        &self,
        keys: impl Fn(u32) -> [Option<K>; 2],
        mut add: impl FnMut(K, u32, Counts),
    ) {
        let (inclusive, mut open) = (self.inclusive(), HashMap::<K, u32>::new());
        self.walk(|node, going| {
            for key in keys(node).into_iter().flatten() {
                let depth = open.entry(key).or_default();
                match going {
                    Going::In => {
                        if *depth == 0 {
                            add(key, node, inclusive[node as usize]);
                        }
                        *depth += 1;
                    }
                    Going::Out => *depth -= 1,
                }
            }
        });
    }

    /// Calls `visit` twice for each node: when the walk enters the node and when it leaves it. The node's
    /// descendants are visited in between.
    fn walk(&self, mut visit: impl FnMut(u32, Going)) {
        let (firsts, nexts) = self.children();
        let roots = self.parents.iter().enumerate().filter(|(_, parent)| **parent == NONE);
        for (root, _) in roots {
            let mut node = root as u32;
            visit(node, Going::In);
            loop {
                let child = firsts[node as usize];
                if child != NONE {
                    node = child;
                } else {
                    // Leaves nodes until a node has a next sibling.
                    loop {
                        visit(node, Going::Out);
                        if node == root as u32 {
                            break;
                        }
                        if nexts[node as usize] != NONE {
                            break;
                        }
                        node = self.parents[node as usize];
                    }
                    if node == root as u32 {
                        break;
                    }
                    node = nexts[node as usize];
                }
                visit(node, Going::In);
            }
        }
    }

    /// The first child and the next sibling of each node.
    fn children(&self) -> (Vec<u32>, Vec<u32>) {
        let (mut firsts, mut nexts) = (vec![NONE; self.len()], vec![NONE; self.len()]);
        for node in (0..self.len()).rev() {
            let parent = self.parents[node];
            if parent != NONE {
                nexts[node] = firsts[parent as usize];
                firsts[parent as usize] = node as u32;
            }
        }
        (firsts, nexts)
    }
}

/// Whether a walk enters or leaves a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Going {
    In,
    Out,
}

/// Number of bytes for a node and for a place while the tree is built, in lists and look-up tables.
const NODE_BYTES: usize = 192;
const PLACE_BYTES: usize = 96;

struct Builder {
    tree: CallTree,
    known_places: HashMap<Place, u32>,
    known_nodes: HashMap<(u32, u32), u32>,
    held: LimitCharge,
}

impl Builder {
    /// Adds the nodes of a step as descendants of a node. Returns the innermost one.
    fn add(
        &mut self,
        parent: u32,
        location: Option<&Location>,
        profile: &Profile,
    ) -> Result<u32, ProfileError> {
        let Some(location) = location else { return self.node(parent, Place::default()) };
        let module = location.module;
        let frames = profile.frames.get(location.frames.start as usize..location.frames.end as usize);
        let frames = frames.unwrap_or(&[]).iter().rev().filter(|frame| frame.function.is_some());
        let mut node = None;
        for Frame { function, file, line } in frames {
            let place = Place { module, function: *function, file: *file, line: *line, address: 0 };
            node = Some(self.node(node.unwrap_or(parent), place)?);
        }
        let address = location.address;
        node.map_or_else(|| self.node(parent, Place { module, address, ..Place::default() }), Ok)
    }

    fn node(&mut self, parent: u32, place: Place) -> Result<u32, ProfileError> {
        let Self { tree, known_places, known_nodes, held } = self;
        let place = match known_places.entry(place) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                held.take(PLACE_BYTES)?;
                tree.places.push(place);
                *new.insert(tree.places.len() as u32 - 1)
            }
        };
        match known_nodes.entry((parent, place)) {
            Entry::Occupied(known) => Ok(*known.get()),
            Entry::Vacant(new) => {
                held.take(NODE_BYTES)?;
                tree.parents.push(parent);
                tree.place_of.push(place);
                tree.own.push(Counts::default());
                Ok(*new.insert(tree.parents.len() as u32 - 1))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heaptrack::{CALLS, PEAK_BYTES};
    use crate::{Limits, heaptrack};

    fn tree(text: &str) -> CallTree {
        let profile = heaptrack::read(text.as_bytes(), &Limits::default()).expect("it is a profile");
        CallTree::of(&profile, &Limits::default()).expect("there is room")
    }

    #[test]
    fn inlined_functions_are_nodes_and_addresses_of_one_place_are_one() {
        // `main` calls `make`, which is inlined at two addresses of the same line.
        let text = "v 10400 3\ns 4 main\ns 4 make\ns 1 f\ni 1 0 2 3 9 1 3 5\ni 2 0 2 3 9 1 3 5\ni 3 0\n\
            t 1 0\nt 2 0\nt 3 1\na 8 1\na 4 2\na 2 3\n+ 0\n+ 1\n+ 2\n";
        let tree = tree(text);
        assert_eq!(tree.parents, [NONE, 0, 1]);
        assert_eq!(tree.own.iter().map(|it| it[PEAK_BYTES]).collect::<Vec<_>>(), [0, 12, 2]);
        assert_eq!(tree.inclusive().iter().map(|it| it[CALLS]).collect::<Vec<_>>(), [3, 3, 1]);
        assert_eq!((tree.place(1).line, tree.place(2).address), (9, 3));
    }

    #[test]
    fn a_walk_enters_and_leaves_each_node_around_those_below() {
        let tree = CallTree {
            parents: vec![NONE, 0, 0, 1, NONE, 4],
            place_of: vec![0; 6],
            own: vec![Counts::default(); 6],
            ..CallTree::default()
        };
        let mut seen = Vec::new();
        tree.walk(|node, going| seen.push(if going == Going::In { node as i32 } else { -1 - node as i32 }));
        assert_eq!(seen, [0, 1, 3, -4, -2, 2, -3, -1, 4, 5, -6, -5]);
    }

    /// The profile has a location with 2,000 inlined functions, and a chain of 2,000 steps with this
    /// location.
    #[test]
    fn a_short_file_of_many_nodes_is_stopped_by_the_limit() {
        let location = format!("i 1 0{}\n", " 1 1 1".repeat(2000));
        let steps: String = (0..2000).map(|step| format!("t 1 {step:x}\n")).collect();
        let text = format!("v 10400 3\ns 1 f\n{location}{steps}a 1 1\n+ 0\n");
        let limits = Limits { memory_bytes: 16 << 20, ..Limits::default() };
        let profile = heaptrack::read(text.as_bytes(), &limits).expect("it is a profile");
        let error = CallTree::of(&profile, &limits).expect_err("it has four million nodes");
        assert!(matches!(error, ProfileError::OverBudget { limit } if limit == limits.memory_bytes));
    }
}
