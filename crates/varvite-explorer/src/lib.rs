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
//! Reading order: `fault` for errors; `limits` for the limits of questions; `names` for searches;
//! `graphs` for the files; `content` for parts of answers; `secret` and `sessions` for launch codes and
//! tokens; `views` for flame graphs in frames; `layouts` for the threads that place drawings; `shared`
//! for what requests share; `questions`, a module for each; `gate` for the checks of each request; `page`
//! for the files of the page; `routes` for HTTP; `connections` for sockets; `explorer` for the whole.
#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod fault;
mod limits;

mod graphs;
mod names;

mod content;

mod layouts;
mod secret;
mod sessions;
mod views;

mod shared;

mod questions;

mod gate;
mod page;

mod connections;
mod explorer;
mod routes;

pub use explorer::{Explorer, ServeError, Stop};
pub use graphs::GraphFile;
pub use limits::Limits;
