//! Tests of the built binary, with the graph of zlib that is in the repository.
#![allow(clippy::unwrap_used)] // Everything here is a test.

#[cfg(feature = "mcp")]
mod agent_questions;
mod apply;
mod ask;
mod command;
mod conformance;
mod corpus;
mod damage;
mod diff;
mod digest;
mod draw;
mod errors;
mod expansion;
#[cfg(feature = "explorer")]
mod explore;
mod export;
mod export_functions;
#[cfg(feature = "parquet")]
mod export_parquet;
mod export_part;
mod facts;
mod find;
mod formats;
mod generate;
#[cfg(unix)]
mod guide;
mod heap;
mod heap_events;
mod help;
mod impact;
mod import;
mod import_scip;
mod import_text;
mod index;
mod info;
#[cfg(unix)]
mod joern;
mod layers;
mod lines;
mod listings;
mod man;
#[cfg(feature = "mcp")]
mod mcp;
mod memory;
mod methods;
#[cfg(unix)]
mod outlets;
mod path;
mod plans;
mod profiles;
mod query;
#[cfg(unix)]
mod readme;
mod record_failures;
mod recovery;
mod report;
mod schema;
mod shell;
#[cfg(unix)]
mod size_limit;
mod source;
mod threads;
mod trace;
mod trace_layer;
#[cfg(target_arch = "x86_64")]
mod trace_record;
mod trace_usage;
mod tree;
mod verify;
#[cfg(unix)]
mod writers;
