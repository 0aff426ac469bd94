//! Finds Joern on the user's machine, and the Java that runs it, and starts Joern's programs.
//!
//! [`Installation`] is a folder with Joern's jars, and [`Java`] is a Java that is new enough. [`OurJar`] has
//! Varvite's classes, which replace some of flatgraph's. [`Replacement`] is a copy of `flatgraph-core` with
//! these classes; [`Archive`](archive::Archive) parses the jars from which this copy is made. [`Jvm`] builds
//! the command that runs a class. [`Children`] run programs whose output is shown only if they fail.
//! [`AotCache`] is a file with the classes that Java stored after a [`Training`] run.
//!
//! To identify an installation, only names of files are read; no program of Joern is started.

mod aot;
mod archive;
mod children;
mod error;
mod installation;
mod jar_file;
mod java;
mod jvm;
mod needs;
mod our_jar;
mod places;
mod replacement;
mod training;

pub(crate) use aot::{AotCache, is_of_users};
pub(crate) use children::Children;
pub(crate) use error::JoernError;
pub(crate) use installation::{Frontend, Installation};
pub(crate) use java::Java;
pub(crate) use jvm::{Jvm, log_option, options_of_scripts, take_options};
pub(crate) use needs::{Needs, Purpose, Verdict};
pub(crate) use our_jar::OurJar;
pub(crate) use replacement::{CachedJar, Replacement};
pub(crate) use training::Training;
