//! [`Ranks`]: the neighbours of a node, each with the rank of its edge.

use std::iter::FusedIterator;

use super::change_columns::EntryAt;
use super::cursor::{Adjacency, Neighbors};
use super::places::Places;
use super::stored::ListRest;

/// The neighbours of every node along one edge label, in one direction, with the ranks of the edges: the
/// numbers that edge properties are stored under. Edges of the forest label have no ranks: their number is
/// the target. Cheap to clone, shared between threads.
///
/// Edges that were appended after the columns were written have the ranks behind those of all others; along
/// the forest label numbers behind those of the nodes there were.
#[derive(Clone, Debug)]
pub struct Ranks {
    adjacency: Adjacency,
    /// For the in direction of a label that has lists: the way to the out-lists.
    arriving: Option<(Adjacency, Places)>,
}

impl Ranks {
    #[doc(hidden)]
    #[inline]
    pub fn new(adjacency: Adjacency, arriving: Option<(Adjacency, Places)>) -> Self {
        Self { adjacency, arriving }
    }

    /// The neighbours of `node`, in the order of the graph, with the ranks of the edges; none for an id that
    /// the graph does not have. Nothing is allocated.
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
    /// Ranks follow each other; the next.
    Following(Neighbors<'a>, usize),
    Steps {
        ranks: &'a Ranks,
        node: u32,
        rest: ListRest,
    },
}

impl Iterator for RankedNeighbors<'_> {
    /// The neighbour, and the rank.
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
