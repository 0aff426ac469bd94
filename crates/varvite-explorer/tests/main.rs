//! Tests of the server: by raw sockets, as a stranger speaks to it, and by questions of a page.

#![allow(clippy::unwrap_used)] // Everything here is a test.

mod answers;
mod files;
mod limits;
mod refusals;
mod runs;
mod server;
