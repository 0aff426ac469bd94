//! Checks with tools that are not part of cargo, and of packages: licences, metadata, the oldest Rust,
//! threads in every order.

pub(crate) mod deny;
pub(crate) mod loom;
pub(crate) mod msrv;
pub(crate) mod package;
