//! [`Layouts`]: layouts of drawings, which cannot be interrupted, in threads of their own.
//!
//! A question that waits for a layout ends at its deadline, or when its page leaves, and gives its turn back.
//! The layout goes on until its end, and holds one of the few places for layouts: at worst drawings alone
//! have to wait.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::fault::{Fault, Result};
use crate::limits::Work;

/// The layouts that run at a time.
const LAYOUTS_AT_ONCE: usize = 2;
/// The time that a drawing waits for a place, and the time between two looks at the clock.
const PLACE_TIME: Duration = Duration::from_secs(2);
const LOOK: Duration = Duration::from_millis(20);

/// Places for layouts.
pub(crate) struct Layouts(Arc<Semaphore>);

impl Default for Layouts {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(LAYOUTS_AT_ONCE)))
    }
}

impl Layouts {
    /// Runs a layout, and returns its result.
    ///
    /// # Errors
    /// `busy` if no place becomes free, `over_time` at the end of the question's time, and `too_dense` if the
    /// layout panics: the library does so for some graphs.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        work: &Work,
        layout: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        let place = self.place(work)?;
        let (send, receive) = sync_channel(1);
        let run = move || {
            // A question that has ended does not receive.
            _ = send.send(layout());
            drop(place);
        };
        thread::Builder::new().name("varvite-layout".to_owned()).spawn(run)?;
        loop {
            match receive.recv_timeout(LOOK) {
                Ok(result) => return Ok(result),
                Err(RecvTimeoutError::Timeout) => work.check()?,
                Err(RecvTimeoutError::Disconnected) => return Err(failed()),
            }
        }
    }

    fn place(&self, work: &Work) -> Result<OwnedSemaphorePermit> {
        let begin = Instant::now();
        loop {
            match Arc::clone(&self.0).try_acquire_owned() {
                Ok(place) => return Ok(place),
                Err(_) if begin.elapsed() >= PLACE_TIME => return Err(busy()),
                Err(_) => work.check()?,
            }
            thread::sleep(LOOK);
        }
    }
}

fn busy() -> Fault {
    let message = "other drawings are being placed: ask for this one again in a moment";
    Fault::new(StatusCode::TOO_MANY_REQUESTS, "busy", message)
}

fn failed() -> Fault {
    let message = "the nodes of this drawing could not be placed: draw fewer nodes";
    Fault::new(StatusCode::UNPROCESSABLE_ENTITY, "too_dense", message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_that_does_not_end_holds_a_place_and_no_question() {
        let layouts = Layouts::default();
        for _ in 0..LAYOUTS_AT_ONCE {
            let begin = Instant::now();
            let outcome = layouts.run(&Work::of_milliseconds(50), || thread::sleep(Duration::from_secs(600)));
            assert!(outcome.is_err() && begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
        }
        let fault = layouts.run(&Work::of_milliseconds(60_000), || 1).expect_err("no place is free");
        assert!(fault.message().contains("other drawings"), "{fault:?}");
    }

    #[test]
    fn a_layout_that_panics_is_a_fault_of_its_drawing_and_gives_its_place_back() {
        let layouts = Layouts::default();
        for _ in 0..2 * LAYOUTS_AT_ONCE {
            let planted = || -> u8 { std::panic::resume_unwind(Box::new("planted")) };
            assert!(layouts.run(&Work::of_milliseconds(60_000), planted).is_err());
        }
        assert_eq!(layouts.run(&Work::of_milliseconds(60_000), || 7).expect("a place is free"), 7);
    }
}
