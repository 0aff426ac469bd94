//! [`Arena`]: reused memory of walks.

use super::branch::{Branch, NO_BRANCH};
use super::guide::Guide;
use super::heap::Heap;
use super::open_lists::OpenPositions;
use super::pending::Pending;
use super::visited::Visited;
use varvite_graph::{Budget, OverBudget};

/// Memory for walks. It keeps its size from one walk to the next, so that a walk similar to an earlier one
/// allocates nothing. All memory is charged to one budget.
///
/// `S` is the state that a [`Guide`] keeps for each branch. An arena serves one walk at a time; each thread
/// needs its own arena.
#[derive(Debug)]
pub struct Arena<S = ()> {
    pub(super) budget: Budget,
    pub(super) held: usize,
    pub(super) starts: Vec<u32>,
    pub(super) branches: Vec<Branch>,
    /// The state of each branch.
    pub(super) states: Vec<S>,
    /// The cost of each branch, for a walk by cost.
    pub(super) costs: Vec<f64>,
    pub(super) pending: Pending,
    pub(super) open: OpenPositions,
    pub(super) visited: Visited,
    pub(super) heap: Heap,
}

impl<S: Copy + Default> Arena<S> {
    /// Creates an arena of at most `memory_bytes` bytes. Nothing is allocated before it is needed.
    pub fn new(memory_bytes: usize) -> Self {
        Self {
            budget: Budget::new(memory_bytes),
            held: 0,
            starts: Vec::new(),
            branches: Vec::new(),
            states: Vec::new(),
            costs: Vec::new(),
            pending: Pending::default(),
            open: OpenPositions::default(),
            visited: Visited::default(),
            heap: Heap::default(),
        }
    }

    /// Creates an arena for walks with a guide, whose states it can hold.
    pub fn of_guide<G: Guide<State = S>>(_: &G, memory_bytes: usize) -> Self {
        Self::new(memory_bytes)
    }

    /// The budget of the arena, with its limit and the memory in use.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    pub(super) fn clear(&mut self) {
        self.starts.clear();
        self.branches.clear();
        self.states.clear();
        self.costs.clear();
        self.pending.clear();
        self.open.clear();
        self.heap.clear();
    }

    /// Adds a branch and its state.
    #[inline]
    pub(super) fn push_branch(&mut self, branch: Branch, state: S) -> Result<(), OverBudget> {
        push_branch(&mut self.branches, branch, &self.budget, &mut self.held)?;
        if size_of::<S>() > 0 {
            self.budget.make_room(&mut self.states, 1, &mut self.held)?;
            self.states.push(state);
        }
        Ok(())
    }

    /// The state of a branch.
    #[inline]
    pub(super) fn state(&self, number: u32) -> S {
        self.states.get(number as usize).copied().unwrap_or_default()
    }

    /// Removes the last branch.
    #[inline]
    pub(super) fn pop_branch(&mut self) -> Option<Branch> {
        if size_of::<S>() > 0 {
            self.states.pop();
        }
        self.branches.pop()
    }
}

/// Adds a branch to the branches of an arena. `held` is the number of bytes that the arena has charged to its
/// budget.
#[inline]
pub(super) fn push_branch(
    branches: &mut Vec<Branch>,
    branch: Branch,
    budget: &Budget,
    held: &mut usize,
) -> Result<(), OverBudget> {
    if branches.len() >= NO_BRANCH as usize {
        return Err(OverBudget { limit: budget.limit(), needed: usize::MAX });
    }
    budget.make_room(branches, 1, held)?;
    branches.push(branch);
    Ok(())
}

impl Default for Arena {
    /// Creates an arena of at most [`Budget::default_bytes`] bytes.
    fn default() -> Self {
        Self::new(Budget::default_bytes())
    }
}
