//! Tests of the server: by raw sockets, as a stranger speaks to it, and by questions of a page.

mod answers;
mod files;
mod refusals;
mod server;
