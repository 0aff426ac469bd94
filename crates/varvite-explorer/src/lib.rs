//! A page in the browser that searches, shows and draws graphs, and the server that answers it.
//!
//! [`Explorer::bind`] listens on the loopback interface alone, and [`Explorer::run`] answers until it is
//! stopped. The link that [`Explorer::link`] gives has a launch code, which works once; the page exchanges it
//! for a token, and sends this token with each question.
//!
//! ```no_run
//! use varvite_explorer::{Explorer, GraphFile, Limits};
//!
//! # fn main() -> Result<(), varvite_explorer::ServeError> {
//! let files = vec![GraphFile::open("zlib", "zlib.varvite", || varvite::Graph::open("zlib.varvite"))];
//! let explorer = Explorer::bind(files, Limits::default(), 0)?;
//! println!("{}", explorer.link());
//! explorer.run()
//! # }
//! ```
//!
#![doc = include_str!("../api.md")]
//!
//! # Modules
//!
//! Reading order: `fault` for errors; `limits` and `graphs` for what questions share; `cell` and `nodes` for
//! parts of answers; `questions`, a module for each; `secret` and `sessions` for launch codes and tokens;
//! `gate` for the checks of each request; `page` for the files of the page; `views` for flame graphs in frames;
//! `routes` for HTTP; `connections` for sockets; `explorer` for the whole.
#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod fault;

mod graphs;
mod limits;

mod cell;
mod nodes;
mod questions;

mod secret;
mod sessions;

mod gate;
mod page;
mod views;

mod connections;
mod explorer;
mod routes;

pub use explorer::{Explorer, ServeError, Stop};
pub use graphs::GraphFile;
pub use limits::Limits;
