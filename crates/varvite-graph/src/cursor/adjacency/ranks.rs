//! [`Ranks`]: the neighbours of a node, each with the rank of its edge.

use std::iter::FusedIterator;

use super::change_columns::EntryAt;
use super::cursor::{Adjacency, Neighbors};
use super::places::Places;
use super::stored::ListRest;

/// The neighbours of every node along one edge label, in one direction, with the ranks of the edges. Edge
/// properties are stored under these ranks. Edges of the forest label have no ranks; for them, the id of the
/// target is returned instead. Cheap to clone, shared between threads.
///
/// Edges appended after the columns were written have ranks above the ranks of all other edges. Appended
/// edges of the forest label have numbers above the node ids of the base.
#[derive(Clone, Debug)]
pub struct Ranks {
    adjacency: Adjacency,
    /// The out-lists, and the places of the edges in the out-lists. Set only for the in direction of a label
    /// that is stored in lists.
    arriving: Option<(Adjacency, Places)>,
}

impl Ranks {
    #[doc(hidden)]
    #[inline]
    pub fn new(adjacency: Adjacency, arriving: Option<(Adjacency, Places)>) -> Self {
        Self { adjacency, arriving }
    }

    /// The neighbours of `node`, in the order of the graph, with the ranks of the edges; empty if the graph
    /// has no node with this id. Allocates nothing.
    pub fn of(&self, node: u32) -> RankedNeighbors<'_> {
        let first = self.adjacency.first_rank(node).filter(|_| self.arriving.is_none());
        RankedNeighbors(match first {
            Some(first) => State::Following(self.adjacency.neighbors(node), first),
            None => State::Steps { ranks: self, node, rest: ListRest::default() },
        })
    }

    /// The neighbours without ranks.
    pub fn adjacency(&self) -> &Adjacency {
        &self.adjacency
    }

    fn step(&self, node: u32, rest: &mut ListRest) -> Option<(u32, u32)> {
        let (neighbor, at) = self.adjacency.step(node, rest)?;
        let rank = self.rank_of(neighbor, at);
        if rank.is_none() {
            self.adjacency.note_damage(node);
            *rest = ListRest::of_appended(0..0);
        }
        Some((neighbor, rank?))
    }

    fn rank_of(&self, neighbor: u32, at: EntryAt) -> Option<u32> {
        let rank = match (at, &self.arriving) {
            (EntryAt::Base(position), None) => position as u64,
            (EntryAt::Base(position), Some((out, places))) => places.rank(out, neighbor, position)?.into(),
            (EntryAt::Appended(rank), _) => rank,
        };
        u32::try_from(rank).ok()
    }
}

/// The neighbours of one node, with the ranks of the edges.
#[derive(Clone, Debug)]
pub struct RankedNeighbors<'a>(State<'a>);

#[derive(Clone, Debug)]
enum State<'a> {
    /// Neighbours whose ranks are consecutive, and the rank of the next neighbour.
    Following(Neighbors<'a>, usize),
    Steps {
        ranks: &'a Ranks,
        node: u32,
        rest: ListRest,
    },
}

impl Iterator for RankedNeighbors<'_> {
    /// The neighbour, and the rank of the edge.
    type Item = (u32, u32);

    #[inline]
    fn next(&mut self) -> Option<(u32, u32)> {
        match &mut self.0 {
            State::Following(neighbors, next) => {
                let neighbor = neighbors.next()?;
                *next += 1;
                Some((neighbor, u32::try_from(*next - 1).ok()?))
            }
            State::Steps { ranks, node, rest } => ranks.step(*node, rest),
        }
    }
}

impl FusedIterator for RankedNeighbors<'_> {}
