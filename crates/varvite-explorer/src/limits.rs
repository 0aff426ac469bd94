//! [`Limits`]: the memory and the time that a question may take.

use std::time::{Duration, Instant};

use varvite::pipeline::Options;
use varvite::{Budget, Cancel, Task};

/// The number of steps between two looks at the clock.
const STEPS_OF_LOOK: u32 = 4096;

/// The limits of each question.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The memory in bytes.
    pub memory: usize,
    /// The time from the arrival of the question, in which it may have to wait for its turn.
    pub deadline: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: 256 << 20, deadline: Duration::from_secs(10) }
    }
}

/// The limits of one question that has begun. All parts of its work share one budget of memory.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    task: Task<'static>,
    budget: Budget,
    begin: Instant,
    time: Duration,
}

impl Work {
    /// Begins the work on a question that arrived at the time `arrived`. Setting `cancel` ends its work soon.
    pub(crate) fn begin(limits: Limits, arrived: Instant, cancel: &Cancel) -> Self {
        let left = limits.deadline.saturating_sub(arrived.elapsed());
        let task = Task::new().threads(1).memory(limits.memory).time_max(left).cancel(cancel);
        Self { budget: Budget::of(&task), task, begin: Instant::now(), time: left }
    }

    /// The task of work on a graph, with the memory that the question has left.
    pub(crate) fn task(&self) -> Task<'static> {
        self.task.clone().memory(self.budget.limit().saturating_sub(self.budget.held()))
    }

    /// The options of a run.
    pub(crate) fn options(&self) -> Options {
        Options::from(self.task())
    }

    /// The budget of the question.
    pub(crate) fn budget(&self) -> Budget {
        self.budget.clone()
    }

    /// Whether half of the time is over: then work that an answer can do without has to end.
    pub(crate) fn is_half_over(&self) -> bool {
        self.begin.elapsed() >= self.time / 2
    }

    /// Fails once the question is cancelled or its time is over.
    pub(crate) fn check(&self) -> varvite::Result<()> {
        Ok(self.task.check()?)
    }

    /// The items, and an error in place of one of them once the question is cancelled or its time is over.
    pub(crate) fn watch<I: IntoIterator>(&self, items: I) -> Watched<'_, I::IntoIter> {
        Watched { work: self, items: items.into_iter(), steps: 0 }
    }
}

/// Items of a loop that looks at the clock.
pub(crate) struct Watched<'w, I> {
    work: &'w Work,
    items: I,
    steps: u32,
}

impl<I: Iterator> Iterator for Watched<'_, I> {
    type Item = varvite::Result<I::Item>;

    fn next(&mut self) -> Option<Self::Item> {
        let item = self.items.next()?;
        let is_look = self.steps.is_multiple_of(STEPS_OF_LOOK);
        self.steps = self.steps.wrapping_add(1);
        match is_look.then(|| self.work.check()) {
            Some(Err(error)) => Some(Err(error)),
            _ => Some(Ok(item)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Work {
        /// Work that begins now and has so much time.
        pub(crate) fn of_milliseconds(time: u64) -> Self {
            let limits = Limits { deadline: Duration::from_millis(time), ..Limits::default() };
            Self::begin(limits, Instant::now(), &Cancel::default())
        }
    }

    /// Work whose time is over.
    fn late() -> Work {
        Work::of_milliseconds(0)
    }

    #[test]
    fn the_time_of_a_question_includes_its_wait_for_a_turn() {
        let limits = Limits { deadline: Duration::from_millis(20), ..Limits::default() };
        let arrived = Instant::now();
        std::thread::sleep(limits.deadline);
        assert!(Work::begin(limits, arrived, &Cancel::default()).check().is_err());
        assert!(Work::begin(Limits::default(), arrived, &Cancel::default()).check().is_ok());
    }

    #[test]
    fn half_of_the_time_is_over_before_all_of_it() {
        assert!(late().is_half_over());
        assert!(!Work::begin(Limits::default(), Instant::now(), &Cancel::default()).is_half_over());
    }

    #[test]
    fn all_parts_of_a_question_share_its_memory() {
        let limits = Limits { memory: 100, ..Limits::default() };
        let work = Work::begin(limits, Instant::now(), &Cancel::default());
        work.budget().take(70).expect("70 of 100 bytes");
        assert_eq!(work.task().memory_bytes(), 30);
        assert!(work.clone().budget().take(31).is_err());
    }

    #[test]
    fn a_loop_ends_soon_after_its_question_is_cancelled() {
        let cancel = Cancel::default();
        let work = Work::begin(Limits::default(), Instant::now(), &cancel);
        let mut steps = 0;
        let outcome: varvite::Result<()> = work.watch(0..u32::MAX).try_for_each(|item| {
            steps = item?;
            if steps == 10_000 {
                cancel.cancel();
            }
            Ok(())
        });
        assert!(outcome.is_err() && steps < 10_000 + STEPS_OF_LOOK, "{steps}");
        assert!(late().watch([1]).next().is_some_and(|first| first.is_err()));
    }
}
