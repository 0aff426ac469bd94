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
    /// The graph, a .varvite file. The command writes a new file beside it and renames that into place; open
    /// readers keep the old file
    pub(super) file: PathBuf,
    /// Write the new file here, and leave the graph unchanged
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Replace the files at --output and --maps if they exist
    #[arg(long, requires = "written")]
    pub(super) force: bool,
    /// Write a file that maps the old number of each node and edge to the new one
    #[arg(long, value_name = "MAPS")]
    pub(super) maps: Option<PathBuf>,
    /// Let other writers commit during the compaction. The new file includes their commits, and they wait
    /// only during the last step
    #[arg(long, conflicts_with_all = ["output", "maps"])]
    pub(super) online: bool,
    /// Compact only if the data outside the columns (changes, log and their remains) exceeds this: bytes,
    /// such as 64M, or a share of the columns, such as 10%
    #[arg(long, value_name = "SIZE|PERCENT", requires = "online", value_parser = parse_when)]
    pub(super) when_over: Option<CompactWhen>,
    /// Write at most this many bytes per second, such as 20M
    #[arg(long, value_name = "SIZE", requires = "online", value_parser = parse_size)]
    pub(super) rate: Option<usize>,
    /// Repeat the check every SECONDS seconds until interrupted
    #[arg(long, value_name = "SECONDS", requires = "when_over")]
    pub(super) watch: Option<u64>,
    #[command(flatten)]
    pub(super) write: WriteArgs,
    #[command(flatten)]
    pub(super) format: OutputArgs,
}

/// Parses a number of bytes, or a percentage of the columns.
fn parse_when(words: &str) -> Result<CompactWhen, String> {
    match words.strip_suffix('%') {
        None => Ok(CompactWhen::OverBytes(parse_size(words)? as u64)),
        Some(percent) => {
            let percent =
                percent.parse().map_err(|_| "expected a whole number of percent, such as 10%".to_owned())?;
            Ok(CompactWhen::OverPercent(percent))
        }
    }
}
