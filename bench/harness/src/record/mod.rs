//! Results of a run: samples, rows of figures, the machine, and the JSON files that keep them.

pub mod figures;
pub mod machine;
pub mod results;
pub mod results_file;
