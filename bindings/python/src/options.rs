//! [`Limits`]: the limits of a query, as Python gives them.

use std::time::Duration;

use pyo3::prelude::*;
use varvite::pipeline::Options;
use varvite::{Budget, Task};

use crate::failure::{Failure, Result};

/// The limits of a query.
#[derive(Clone, Copy, Debug, Default, FromPyObject)]
pub(crate) struct Limits {
    /// The number of threads; `None` for one for each processor.
    #[pyo3(item)]
    threads: Option<usize>,
    /// The memory in bytes; `None` for a quarter of the memory that the process may use.
    #[pyo3(item)]
    memory: Option<usize>,
    /// The time in seconds; `None` for no limit.
    #[pyo3(item)]
    seconds: Option<f64>,
    /// The number of rows of a batch.
    #[pyo3(item)]
    batch_rows: Option<usize>,
}

/// The smallest budget in bytes for reading and compiling a plan.
pub(crate) const PLAN_BYTES_MIN: usize = 1 << 20;

impl Limits {
    /// A task with these limits. Its clock starts now.
    pub(crate) fn task(&self) -> Result<Task<'static>> {
        let mut task = Task::new();
        if let Some(threads) = self.threads {
            task = task.threads(threads);
        }
        if let Some(bytes) = self.memory {
            task = task.memory(bytes);
        }
        if let Some(seconds) = self.seconds {
            let limit = Duration::try_from_secs_f64(seconds);
            let limit =
                limit.map_err(|_| Failure::Argument(format!("seconds is {seconds}, expected 0 or more")))?;
            task = task.time_max(limit);
        }
        Ok(task)
    }

    pub(crate) fn options(&self) -> Result<Options> {
        let mut options = Options::from(self.task()?);
        options.batch_rows = self.batch_rows()?.unwrap_or(options.batch_rows);
        Ok(options)
    }

    /// The number of rows of a batch; `None` for the default.
    pub(crate) fn batch_rows(&self) -> Result<Option<usize>> {
        match self.batch_rows {
            Some(0) => Err(Failure::Argument("batch_rows is 0, expected 1 or more".to_owned())),
            batch_rows => Ok(batch_rows),
        }
    }

    /// The budget for reading and compiling a plan.
    pub(crate) fn plan_budget(&self) -> Result<Budget> {
        Ok(Budget::new(self.task()?.memory_bytes().max(PLAN_BYTES_MIN)))
    }
}
