//! Joern on the user's machine: where it is, the Java that runs it, and how its programs are started.
//!
//! [`Installation`] is a folder with Joern's jars, [`Java`] a Java that is new enough. [`OurJar`] has the
//! classes that stand in for two of flatgraph's; [`Replacement`] is a jar with them in the place of
//! `flatgraph-core`, made of both with [`Archive`](archive::Archive)s. [`Jvm`] is the command that starts a
//! class, and [`Children`] run one whose output is shown only if it fails. [`AotCache`] has the classes that
//! Java stored after a [`Training`].
//!
//! Nothing here depends on graphs, and no program of Joern is run to identify an installation.

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
