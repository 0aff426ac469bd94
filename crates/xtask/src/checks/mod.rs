//! Checks by tools that cargo does not bring along: licences, packages, the oldest Rust, threads in every
//! order.

pub(crate) mod deny;
pub(crate) mod loom;
pub(crate) mod msrv;
pub(crate) mod package;
