//! Results and parts of a graph as Arrow record batches.
//!
//! Columns have the layout of Apache Arrow's columnar format
//! (<https://arrow.apache.org/docs/format/Columnar.html>). A batch owns its buffers, so it remains valid
//! after the graph is closed. [`Plan::run_arrow`](crate::pipeline::Plan::run_arrow) returns the rows of a
//! pipeline in batches, and computes each batch on demand. [`Table`] has the nodes or the edges of a label
//! with chosen properties, also by batches. [`labels`], [`edges`] and [`property`] return whole parts of a
//! graph.
//!
//! Arrow's own libraries are not needed. Varvite's C interface exports the batches through the Arrow C Data
//! Interface, which all Arrow libraries can read.
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
//! Texts of a result are stored in full (`LargeUtf8`), or as codes into a dictionary that each batch has for
//! its own texts ([`TextForm`]): the table of all texts of a property may be larger than the result. Labels
//! are codes into a dictionary. An edge is a struct. An element of a path is a struct with a node and an
//! edge: one of the two is null.
//!
//! [`CommonFields`] makes one table of batches of several graphs, and [`Array::value`] reads single values.

mod array;
mod batches;
mod builder;
mod codes;
mod common;
mod field;
mod table;
mod tables;
mod text_array;
mod value;

pub use array::{Array, Buffer};
pub use batches::{RecordBatch, RecordBatches};
pub use common::{CommonFields, Misfit};
pub use field::{DataType, Field, TextForm};
pub use table::{Table, TableBatches};
pub use tables::{edges, labels, property};
pub use value::ArrayValue;
