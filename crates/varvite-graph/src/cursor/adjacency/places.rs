//! [`Places`]: for each entry of the in-lists, the place of its edge among the out-edges of the source.

use varvite_format::Ints;
use varvite_store::Pinned;

use super::cursor::Adjacency;
use crate::cursor::damage::Damage;

/// For each entry in the in-lists of an edge label, the place of the edge in its source's out-list.
#[derive(Clone, Debug)]
pub struct Places {
    places: Ints<Pinned>,
    damage: Damage,
}

impl Places {
    pub(crate) fn new(places: Ints<Pinned>, damage: Damage) -> Self {
        Self { places, damage }
    }

    /// The edge at `position` of the in-lists: its place, from 0, among the out-edges of its source. The
    /// positions of a target's edges begin at [`Adjacency::first_rank`] of the target in the in direction.
    /// The rank of the edge, under which its properties are stored, is `first_rank` of the source in the out
    /// direction plus the place.
    #[inline]
    pub fn place(&self, position: usize) -> Option<u32> {
        let place = self.places.get_u32(position, 0);
        if place.is_none() {
            self.damage.note("places", position as u32);
        }
        place
    }

    /// The rank of the edge from `source` that is at `position` of the in-lists of the base.
    #[doc(hidden)]
    #[inline]
    pub fn rank(&self, out: &Adjacency, source: u32, position: usize) -> Option<u32> {
        let place = self.place(position)? as usize;
        let rank = out.base_first_rank(source).and_then(|first| u32::try_from(first + place).ok());
        if rank.is_none() {
            out.note_damage(source);
        }
        rank
    }
}
