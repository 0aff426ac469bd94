//! The state of each thread: the required numbers of its next block.

use std::collections::HashMap;

use crate::chunk::ChunkHeader;

/// A wrong number: its name, the required value, and the found one.
type Wrong = (&'static str, u64, u64);

/// Most threads of a trace: a limit for traces that never end.
const THREADS_MAX: usize = 1 << 20;

/// The state of threads at a place of the trace.
#[derive(Debug)]
pub(super) struct Threads {
    places: HashMap<u64, Place>,
    /// Whether every block was seen, so that a thread that is not in the map has not begun.
    saw_all: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Place {
    number: u64,
    ordinal: u64,
    time: u64,
}

impl Threads {
    /// At the first block.
    pub(super) fn from_the_beginning() -> Self {
        Self { places: HashMap::new(), saw_all: true }
    }

    /// Somewhere else: each thread is believed once, and held to that.
    pub(super) fn forget(&mut self) {
        self.places.clear();
        self.saw_all = false;
    }

    /// Whether every block up to here was seen.
    pub(super) fn saw_all(&self) -> bool {
        self.saw_all
    }

    /// Checks that a block is the next one of its thread. Where damage is skipped it may be a later one, and
    /// the records between are returned as lost.
    pub(super) fn check(&self, chunk: &ChunkHeader, skips_damage: bool) -> Result<u64, Wrong> {
        let place = match self.places.get(&chunk.thread) {
            Some(place) => *place,
            None if self.places.len() >= THREADS_MAX => {
                return Err(("number of threads", THREADS_MAX as u64, THREADS_MAX as u64 + 1));
            }
            None if self.saw_all => Place::default(),
            None => Place { number: chunk.number, ordinal: chunk.first_ordinal, time: 0 },
        };
        let is_next = chunk.number == place.number && chunk.first_ordinal == place.ordinal;
        let is_later = chunk.number > place.number && chunk.first_ordinal >= place.ordinal;
        let is_possible = is_next || skips_damage && is_later;
        if !is_possible {
            return Err(match chunk.number == place.number {
                true => ("ordinal of the first record in its thread", place.ordinal, chunk.first_ordinal),
                false => ("number of the block in its thread", place.number, chunk.number),
            });
        }
        if chunk.first_time < place.time || chunk.last_time < chunk.first_time {
            return Err(("time, which goes backwards", place.time.max(chunk.first_time), chunk.last_time));
        }
        Ok(chunk.first_ordinal - place.ordinal)
    }

    /// Goes past a block.
    pub(super) fn pass(&mut self, chunk: &ChunkHeader) {
        let place = Place {
            number: chunk.number.saturating_add(1),
            ordinal: chunk.next_ordinal(),
            time: chunk.last_time,
        };
        self.places.insert(chunk.thread, place);
    }
}
