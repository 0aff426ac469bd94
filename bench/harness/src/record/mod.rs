//! Results of a run: the measured engines, samples and their intervals, rows of figures, the machine, memory
//! and the time of syncs, and the JSON files in which all of them are stored.

pub mod column_engine;
pub mod figures;
pub mod interval;
pub mod machine;
pub mod memory;
pub mod results;
pub(crate) mod sync_clock;
