//! Results of a run: column engines and other sides, samples and their intervals, rows of figures, the
//! machine, memory, the time of syncs, and the JSON files that keep all of them.

pub mod column_engine;
pub mod figures;
pub mod interval;
pub mod machine;
pub mod memory;
pub mod results;
pub(crate) mod sync_clock;
