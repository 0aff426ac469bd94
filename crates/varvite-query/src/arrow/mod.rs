//! Results and parts of a graph as Arrow record batches.
//!
//! Columns have the layout of Apache Arrow's columnar format
//! (<https://arrow.apache.org/docs/format/Columnar.html>), in buffers that a batch owns: it outlives the
//! graph. [`Plan::run_arrow`](crate::pipeline::Plan::run_arrow) gives the rows of a pipeline, batch by batch,
//! each read on demand; [`labels`], [`edges`] and [`property`] give whole parts of a graph.
//!
//! Nothing of Arrow's own libraries is needed for that. The C interface gives these batches away through the
//! Arrow C Data Interface, which all of them read.
//!
//! ```no_run
//! use varvite::pipeline::{ALL, Options, nodes};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let graph = varvite::Graph::open("zlib.varvite")?;
//! let plan = nodes("CALL").out("CALL").group_count("FULL_NAME").compile(&graph)?;
//! for batch in plan.run_arrow(Options::default()) {
//!     let batch = batch?;
//!     println!("{} rows of {:?}", batch.len(), batch.fields());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Texts of a result are plain (`LargeUtf8`), since the table of all texts of a property may be larger than
//! the result; labels are codes into a dictionary. An edge is a struct, an element of a path a struct of a
//! node or an edge.

mod array;
mod batches;
mod builder;
mod field;
mod tables;

pub use array::{Array, Buffer};
pub use batches::{RecordBatch, RecordBatches};
pub use field::{DataType, Field};
pub use tables::{edges, labels, property};
