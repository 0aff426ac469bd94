//! Results of a run: samples and their intervals, rows of figures, the machine, memory, the time that syncs take, and the
//! JSON files that keep them.

pub mod figures;
pub mod interval;
pub mod machine;
pub mod memory;
pub mod results;
pub mod results_file;
pub(crate) mod sync_clock;
