//! The state of each thread: the number and ordinal that its next block must have, and the least time.

use std::collections::HashMap;

use crate::chunk::ChunkHeader;

/// A wrong number: its name, its required value, and the value in the trace.
type Wrong = (&'static str, u64, u64);

/// The maximum number of threads in a trace. It bounds memory for traces that never end.
const THREADS_MAX: usize = 1 << 20;

/// The state of all threads at an offset of the trace.
#[derive(Debug)]
pub(super) struct Threads {
    places: HashMap<u64, Place>,
    /// Whether all blocks before the current offset were read. If so, a thread that is not in `places` has no
    /// block there.
    saw_all: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Place {
    number: u64,
    ordinal: u64,
    time: u64,
}

impl Threads {
    /// The state before the first block.
    pub(super) fn from_the_beginning() -> Self {
        Self { places: HashMap::new(), saw_all: true }
    }

    /// Forgets the state, after a seek. The first block of each thread is then accepted without a check, and
    /// later blocks of the thread must follow it.
    pub(super) fn forget(&mut self) {
        self.places.clear();
        self.saw_all = false;
    }

    /// Whether all blocks up to the present offset were read.
    pub(super) fn saw_all(&self) -> bool {
        self.saw_all
    }

    /// Checks that a block is the next one of its thread. If damage is skipped, a later block is also
    /// accepted. Returns the number of records lost before the block.
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

    /// Sets the state of the block's thread to the state after the block.
    pub(super) fn pass(&mut self, chunk: &ChunkHeader) {
        let place = Place {
            number: chunk.number.saturating_add(1),
            ordinal: chunk.next_ordinal(),
            time: chunk.last_time,
        };
        self.places.insert(chunk.thread, place);
    }
}
