//! [`Room`]: the memory of rows that wait until the rows of earlier graphs are written.
//!
//! Threads answer graphs ahead of the one whose rows are written now. If their rows take all the room, these
//! threads wait. The graph whose rows are written now never waits for room while none of its rows wait, so
//! that the answer goes on.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use varvite::Task;
use varvite::error::Cancelled;

/// The time between two looks at the clock and the cancel flag.
const PAUSE: Duration = Duration::from_millis(10);

/// The memory of waiting rows, shared by all threads.
#[derive(Debug)]
pub(crate) struct Room {
    limit: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The bytes of all waiting rows.
    used: usize,
    /// The bytes of the waiting rows of each file.
    of_file: HashMap<usize, usize>,
    /// The number of the file whose rows are written now.
    now: usize,
}

impl Room {
    /// Room for `limit` bytes.
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, state: Mutex::default(), changed: Condvar::new() }
    }

    /// Takes room for rows of a file, and waits until there is enough.
    pub(crate) fn take(&self, file: usize, bytes: usize, task: &Task<'_>) -> Result<(), Cancelled> {
        let mut state = self.lock();
        while !state.has_room(file, bytes, self.limit) {
            task.check()?;
            (state, _) = self.changed.wait_timeout(state, PAUSE).unwrap_or_else(PoisonError::into_inner);
        }
        state.used += bytes;
        *state.of_file.entry(file).or_default() += bytes;
        Ok(())
    }

    /// Gives back the room of rows that were written.
    pub(crate) fn give_back(&self, file: usize, bytes: usize) {
        let mut state = self.lock();
        state.used = state.used.saturating_sub(bytes);
        if let Some(waiting) = state.of_file.get_mut(&file) {
            *waiting = waiting.saturating_sub(bytes);
        }
        self.changed.notify_all();
    }

    /// Notes that all rows of a file are written, and that those of the next one follow.
    pub(crate) fn end(&self, file: usize) {
        let mut state = self.lock();
        state.of_file.remove(&file);
        state.now = file + 1;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn has_room(&self, file: usize, bytes: usize, limit: usize) -> bool {
        let waits = self.of_file.get(&file).is_some_and(|waiting| *waiting > 0);
        self.used.saturating_add(bytes) <= limit || file == self.now && !waits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brief() -> Task<'static> {
        Task::new().time_max(Duration::from_millis(50))
    }

    #[test]
    fn rows_of_later_files_wait_for_room() {
        let room = Room::new(100);
        room.take(1, 90, &brief()).unwrap();
        assert!(room.take(2, 20, &brief()).is_err());
        room.give_back(1, 40);
        room.take(2, 20, &brief()).unwrap();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| room.take(3, 90, &Task::new()));
            room.give_back(1, 50);
            room.give_back(2, 20);
            waiting.join().unwrap().unwrap();
        });
    }

    #[test]
    fn the_file_that_is_written_now_passes_with_one_batch_of_any_size() {
        let room = Room::new(100);
        room.take(1, 100, &brief()).unwrap();
        room.take(0, 500, &brief()).unwrap();
        assert!(room.take(0, 1, &brief()).is_err());
        room.give_back(0, 500);
        room.take(0, 500, &brief()).unwrap();
        room.give_back(0, 500);
        room.end(0);
        assert!(room.take(1, 500, &brief()).is_err());
        room.give_back(1, 100);
        room.take(1, 500, &brief()).unwrap();
    }
}
