//! An open graph, and its methods by subject.
//!
//! `open` has the graph, with the columns that stay open; `schema` its names and sizes, `nodes` its nodes,
//! `columns` whole columns as arrays, and `memory` the bytes that it holds.

mod columns;
mod memory;
mod nodes;
mod open;
mod schema;

pub(crate) use columns::Column;
pub(crate) use open::{Graph, Open};
