//! [`CompactArgs`]: the command line of `varvite compact`.

use std::path::PathBuf;

use clap::{ArgGroup, Args};
use varvite::change::CompactWhen;

use crate::arguments::{OutputArgs, parse_size};
use crate::disk::WriteArgs;

/// Arguments of `varvite compact`.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("written").args(["output", "maps"]).multiple(true)))]
pub(crate) struct CompactArgs {
    /// The graph, a .varvite file. A new file is written beside it, which then takes its name; who has the
    /// old one open keeps it
    pub(super) file: PathBuf,
    /// Leave the graph as it is, and write the new file here
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Replace the files at --output and --maps if they exist
    #[arg(long, requires = "written")]
    pub(super) force: bool,
    /// Write to this file which number each node and edge has in the new graph, by the one that it had
    #[arg(long, value_name = "MAPS")]
    pub(super) maps: Option<PathBuf>,
    /// Let other writers go on meanwhile: what they commit is in the new file, and they wait for its last
    /// step alone
    #[arg(long, conflicts_with_all = ["output", "maps"])]
    pub(super) online: bool,
    /// Compact only a graph of which more than this is outside of its columns, as changes, a log and what
    /// they left: bytes, such as 64M, or a share of the columns, such as 10%
    #[arg(long, value_name = "SIZE|PERCENT", requires = "online", value_parser = parse_when)]
    pub(super) when_over: Option<CompactWhen>,
    /// Write at most so many bytes a second, such as 20M
    #[arg(long, value_name = "SIZE", requires = "online", value_parser = parse_size)]
    pub(super) rate: Option<usize>,
    /// Look at the graph again every so many seconds, until told to stop
    #[arg(long, value_name = "SECONDS", requires = "when_over")]
    pub(super) watch: Option<u64>,
    #[command(flatten)]
    pub(super) write: WriteArgs,
    #[command(flatten)]
    pub(super) format: OutputArgs,
}

/// Bytes, or hundredths of the columns.
fn parse_when(words: &str) -> Result<CompactWhen, String> {
    match words.strip_suffix('%') {
        None => Ok(CompactWhen::OverBytes(parse_size(words)? as u64)),
        Some(percent) => {
            let percent = percent.parse().map_err(|_| "a share is a whole number of percent".to_owned())?;
            Ok(CompactWhen::OverPercent(percent))
        }
    }
}
