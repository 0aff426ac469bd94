//! Joern on the user's machine: its installation, the Java that runs it, and the start of its programs.
//!
//! [`Installation`] is a folder with Joern's jars, [`Java`] a Java of a sufficient version. [`OurJar`] has
//! Varvite's classes that replace some of flatgraph's; [`Replacement`] is a copy of `flatgraph-core` with
//! these classes, made with [`Archive`](archive::Archive)s. [`Jvm`] builds the command that runs a class, and
//! [`Children`] run programs whose output is shown only if they fail. [`AotCache`] has the classes that Java
//! stored after a [`Training`] run.
//!
//! Nothing here depends on graphs, and no program of Joern is started to identify an installation.

mod aot;
mod archive;
mod children;
mod error;
mod installation;
mod jar_file;
mod java;
mod jvm;
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
pub(crate) use our_jar::OurJar;
pub(crate) use replacement::{CachedJar, Replacement};
pub(crate) use training::Training;
