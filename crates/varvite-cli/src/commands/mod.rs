//! The subcommands, in the order of the help: each has its arguments and a `run`.

mod apply;
mod callees;
mod callers;
mod compact;
mod completions;
mod diff;
mod digest;
mod drop_layer;
mod explain;
mod export;
mod facts;
mod find;
mod frontend;
mod generate;
mod heap;
mod import;
mod import_csv;
mod import_flatgraph;
mod import_graphml;
mod import_profile;
mod import_target;
mod import_trace;
mod index;
mod info;
mod joern;
mod layers;
mod man;
mod memory;
mod path;
mod profile_json;
mod profile_words;
mod query;
mod schema;
mod trace;
mod tree;
mod verify;

use clap::Subcommand;

use crate::failure::Outcome;

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make a graph file of a foreign one, such as Joern's cpg.bin, GraphML or tables for Neo4j, or add a
    /// trace to a graph
    Import(import::ImportArgs),
    /// Make a graph file of source code, by one of Joern's frontends
    Frontend(frontend::FrontendArgs),
    /// Make a foreign file of a graph
    Export(export::ExportArgs),
    /// Write typed accessors in another language from the schema of a graph
    Generate(generate::GenerateArgs),
    /// Change a graph by a diff: one operation a line, as JSON
    Apply(apply::ApplyArgs),
    /// Add or drop indexes of properties, or list those that a graph has
    Index(index::IndexArgs),
    /// List the layers of a graph: what they hold, and what made them
    Layers(layers::LayersArgs),
    /// Drop layers of properties from a graph
    DropLayer(drop_layer::DropLayerArgs),
    /// Write a graph anew, without what earlier changes left in the file
    Compact(compact::CompactArgs),
    /// Show what a graph holds, and how each column is stored
    Info(info::InfoArgs),
    /// Show what a graph has in memory, by column, beside what the operating system says of the process
    Memory(memory::MemoryReportArgs),
    /// Show which labels have which properties, and between which labels edges lead
    Schema(schema::SchemaArgs),
    /// Check every byte of a file, and that its columns make sense together
    Verify(verify::VerifyArgs),
    /// Print counts and sums that equal graphs share, as JSON
    Facts(facts::FactsArgs),
    /// Show one hash for each column and a root over them, equal for equal graphs
    Digest(digest::DigestArgs),
    /// Show what differs between two graphs, or write the diff that turns one into the other
    Diff(diff::DiffArgs),
    /// Find nodes by label and what their properties are like
    Find(find::FindArgs),
    /// Show a shortest path from one node to another
    Path(path::PathArgs),
    /// Run a plan: a pipeline as JSON
    Query(query::QueryArgs),
    /// Show how a plan would be run
    Explain(explain::ExplainArgs),
    /// Show the syntax tree below a node
    Tree(tree::TreeArgs),
    /// Show the calls that may reach a METHOD, and where they are
    Callers(callers::CallersArgs),
    /// Show the METHODs that a METHOD may call
    Callees(callees::CalleesArgs),
    /// Start Joern, or another of its programs, so that it opens graph files without loading them
    Joern(joern::JoernArgs),
    /// Ask about heap profiles that a graph has as layers
    Heap(heap::HeapArgs),
    /// Record a program's memory references, and look into traces
    Trace(trace::TraceArgs),
    /// Print a script that completes this command in a shell
    Completions(completions::CompletionsArgs),
    /// Print the manual page of a command, or write those of all commands
    Man(man::ManArgs),
}

/// Does it.
///
/// Some are about the command line itself, of which `definition` is the whole.
pub(crate) fn run(command: &Command, definition: fn() -> clap::Command) -> Outcome {
    match command {
        Command::Import(args) => import::run(args),
        Command::Frontend(args) => frontend::run(args),
        Command::Export(args) => export::run(args),
        Command::Generate(args) => generate::run(args),
        Command::Apply(args) => apply::run(args),
        Command::Index(args) => index::run(args),
        Command::Layers(args) => layers::run(args),
        Command::DropLayer(args) => drop_layer::run(args),
        Command::Compact(args) => compact::run(args),
        Command::Info(args) => info::run(args),
        Command::Memory(args) => memory::run(args),
        Command::Schema(args) => schema::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Facts(args) => facts::run(args),
        Command::Digest(args) => digest::run(args),
        Command::Diff(args) => diff::run(args),
        Command::Find(args) => find::run(args),
        Command::Path(args) => path::run(args),
        Command::Query(args) => query::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Tree(args) => tree::run(args),
        Command::Callers(args) => callers::run(args),
        Command::Callees(args) => callees::run(args),
        Command::Joern(args) => joern::run(args),
        Command::Heap(args) => heap::run(args),
        Command::Trace(args) => trace::run(args),
        Command::Completions(args) => completions::run(args, definition()),
        Command::Man(args) => man::run(args, definition()),
    }
}
