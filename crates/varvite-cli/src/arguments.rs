//! The command line: its words, its help, and the arguments that several subcommands share.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, CommandFactory, Parser};
use varvite::{Graph, OpenMode};
use varvite_store::vfs::RealVfs;

use crate::commands::Command;
use crate::failure::Failure;
use crate::output::Format;

const AFTER_HELP: &str = "\
Examples:
  varvite import cpg.bin -o code.varvite
  varvite find code.varvite METHOD NAME=memcpy
  varvite callers code.varvite memcpy --format json
  varvite tree code.varvite METHOD:inflate --depth 3
  varvite trace record -o run.vtrace -- ls

Exit codes:
  0  the answer was given; it may be empty
  1  verify found damage
  2  the command line makes no sense
  3  a file cannot be read or written: it is missing, in the way, damaged, or not a graph
  4  the graph has no such label, property, node or name

Answers go to standard output, everything else to standard error. Tables shorten long texts and show control
characters as escapes; json, jsonl and csv give every text whole. NO_COLOR switches colour off.";

/// A code graph in one flat file, and questions to it.
#[derive(Debug, Parser)]
#[command(name = "varvite", version, after_help = AFTER_HELP, disable_help_subcommand = true)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

/// The file that a question goes to.
#[derive(Debug, Args)]
pub(crate) struct GraphArgs {
    /// The graph, a .varvite file
    pub(crate) file: PathBuf,
    /// Read the file into memory and check every block on the way, rather than map it: for files from strangers, and
    /// for file systems on which a file may shrink while it is open
    #[arg(long)]
    buffered: bool,
}

impl GraphArgs {
    /// Opens the graph.
    pub(crate) fn open(&self) -> Result<Graph, Failure> {
        let mode = if self.buffered { OpenMode::Buffered } else { OpenMode::Mapped };
        Ok(Graph::open_with(&RealVfs, &self.file, mode)?)
    }
}

/// How an answer is shown.
#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    /// How the answer is shown
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub(crate) format: Format,
}

/// How many threads work.
#[derive(Debug, Args)]
pub(crate) struct ThreadArgs {
    /// Threads that work [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl ThreadArgs {
    /// The number of threads.
    pub(crate) fn count(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(processors, usize::from)
    }
}

/// The command that the words ask for.
pub(crate) fn parse(words: impl Iterator<Item = OsString>) -> Result<Command, Failure> {
    Ok(CommandLine::try_parse_from(words)?.command)
}

/// The definition of the command line, for what is generated from it.
pub(crate) fn definition() -> clap::Command {
    CommandLine::command()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_command_line_contradicts_itself_nowhere() {
        super::definition().debug_assert();
    }
}
