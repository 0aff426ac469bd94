//! The subcommands, in the order of the help. The module of each has its arguments and a function `run`.

mod apply;
mod ask;
mod callees;
mod callers;
mod compact;
mod completions;
mod corpus;
mod diff;
mod digest;
mod draw;
mod drop_layer;
mod explain;
#[cfg(feature = "explorer")]
mod explore;
mod export;
mod facts;
mod find;
mod frontend;
mod generate;
mod heap;
mod impact;
mod import;
mod import_csv;
mod import_flatgraph;
mod import_graphml;
mod import_profile;
mod import_scip;
mod import_target;
mod import_trace;
mod index;
mod info;
mod joern;
mod layers;
mod man;
#[cfg(feature = "mcp")]
mod mcp;
mod memory;
mod new_file;
mod part_word;
mod path;
mod profile_json;
mod profile_words;
mod query;
mod report;
mod schema;
mod shell;
mod source;
mod trace;
mod tree;
mod verify;

use clap::Subcommand;

use crate::failure::Outcome;

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Import Joern's cpg.bin, GraphML, a SCIP index or CSV tables for Neo4j into a new graph file, or add a
    /// trace or profile to a graph
    Import(import::ImportArgs),
    /// Build a graph file from source code with one of Joern's frontends
    Frontend(frontend::FrontendArgs),
    /// Export a graph as cpg.bin, GraphML, Parquet or JSON lines of functions, or a part of it as GraphML or
    /// DOT
    Export(export::ExportArgs),
    /// Generate typed accessors in another language from the schema of a graph
    Generate(generate::GenerateArgs),
    /// Apply a diff to a graph: JSON, one operation per line
    Apply(apply::ApplyArgs),
    /// Add, drop or list the indexes of properties
    Index(index::IndexArgs),
    /// List the layers of a graph, with their contents and the tools that made them
    Layers(layers::LayersArgs),
    /// Drop layers from a graph
    DropLayer(drop_layer::DropLayerArgs),
    /// Rewrite a graph file without the remains of earlier changes
    Compact(compact::CompactArgs),
    /// Show the contents of a graph (counts, labels, properties, layers) and the storage of its columns
    Info(info::InfoArgs),
    /// Show the memory of an open graph by column, beside the operating system's figures for the process
    Memory(memory::MemoryReportArgs),
    /// Show the properties of each label, and the labels that edges connect
    Schema(schema::SchemaArgs),
    /// Check every byte of a file, and the consistency of its columns
    Verify(verify::VerifyArgs),
    /// Print counts and hash sums as JSON, equal for equal graphs
    Facts(facts::FactsArgs),
    /// Show one hash per column and a root hash, equal for equal graphs
    Digest(digest::DigestArgs),
    /// Show the differences between two graphs, or write the diff that turns one into the other
    Diff(diff::DiffArgs),
    /// Find nodes by label and property values
    Find(find::FindArgs),
    /// Show a shortest path from one node to another
    Path(path::PathArgs),
    /// Answer a query in the language of Joern, such as 'cpg.call("strcpy").l'
    Ask(ask::AskArgs),
    /// Answer queries in the language of Joern, one after another
    Shell(shell::ShellArgs),
    /// Answer agents that speak the Model Context Protocol, on standard input and output
    #[cfg(feature = "mcp")]
    Mcp(mcp::McpArgs),
    /// Run a plan: a query pipeline in JSON
    Query(query::QueryArgs),
    /// Show the operators and estimated rows of a plan, without running it
    Explain(explain::ExplainArgs),
    /// Show graphs on a page in the browser: search, source, callers, drawings, paths and runs
    #[cfg(feature = "explorer")]
    Explore(explore::ExploreArgs),
    /// Draw the syntax tree, the flow of control or values, the dominators or the calls of a METHOD
    Draw(draw::DrawArgs),
    /// Write a report about a graph as one HTML file: functions, files, findings, runs, changes
    Report(report::ReportArgs),
    /// Show the syntax tree below a node
    Tree(tree::TreeArgs),
    /// Show the source code of a function or around a line, or add sources to a graph
    Source(source::SourceArgs),
    /// Show the calls that may reach a METHOD, with their source locations
    Callers(callers::CallersArgs),
    /// Show the METHODs that a METHOD may call
    Callees(callees::CalleesArgs),
    /// List many graphs, index their names, and find copied functions
    Corpus(corpus::CorpusArgs),
    /// Show the METHODs that a patch touches, with their callers, entry points and tests
    Impact(impact::ImpactArgs),
    /// Start Joern or one of its programs with .varvite graphs mapped instead of loaded
    Joern(joern::JoernArgs),
    /// Analyze heap and CPU profiles, in files or in layers of a graph
    Heap(heap::HeapArgs),
    /// Record the memory accesses of a program, and inspect traces
    Trace(trace::TraceArgs),
    /// Print a completion script for a shell
    Completions(completions::CompletionsArgs),
    /// Print the manual page of a command, or write the pages of all commands
    Man(man::ManArgs),
}

/// Runs a subcommand.
///
/// `definition` returns the definition of the whole command line, which some subcommands need.
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
        Command::Ask(args) => ask::run(args),
        Command::Shell(args) => shell::run(args, definition),
        #[cfg(feature = "mcp")]
        Command::Mcp(args) => mcp::run(args),
        Command::Query(args) => query::run(args),
        Command::Explain(args) => explain::run(args),
        #[cfg(feature = "explorer")]
        Command::Explore(args) => explore::run(args),
        Command::Draw(args) => draw::run(args),
        Command::Report(args) => report::run(args),
        Command::Tree(args) => tree::run(args),
        Command::Source(args) => source::run(args),
        Command::Callers(args) => callers::run(args),
        Command::Callees(args) => callees::run(args),
        Command::Corpus(args) => corpus::run(args),
        Command::Impact(args) => impact::run(args),
        Command::Joern(args) => joern::run(args),
        Command::Heap(args) => heap::run(args),
        Command::Trace(args) => trace::run(args),
        Command::Completions(args) => completions::run(args, definition()),
        Command::Man(args) => man::run(args, definition()),
    }
}
