//! Checks that use tools beyond cargo, and checks of packages: licences, metadata, the oldest Rust version,
//! and every order in which threads can run.

pub(crate) mod deny;
pub(crate) mod loom;
pub(crate) mod msrv;
pub(crate) mod package;
pub(crate) mod systems;
pub(crate) mod workflow;
