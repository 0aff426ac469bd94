//! An open graph, and its methods by subject.
//!
//! `open` has the graph, with the columns that stay open; `schema` its names and sizes, `nodes` its nodes,
//! `columns` whole columns as arrays, which `values` decodes, `edges` the edges of a label as arrays,
//! `layout` the types of arrays, and `memory` the bytes that the graph holds.

mod columns;
mod edges;
mod layout;
mod memory;
mod nodes;
mod open;
mod schema;
mod values;

pub(crate) use columns::Column;
pub(crate) use open::{Graph, Open};
