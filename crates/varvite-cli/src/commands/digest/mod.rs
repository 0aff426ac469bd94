//! `varvite digest`: shows hashes of the content of a graph. They are equal for equal graphs, even if the
//! encodings differ.

mod compare;
mod source;

use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use varvite::compare::{ColumnTree, DigestTree, RangeShift};
use varvite::{Graph, IfExists};

use self::source::Source;
use crate::arguments::{GraphArgs, MemoryArgs, OutputArgs, ThreadArgs};
use crate::disk::{WriteArgs, is_same_file};
use crate::failure::{Failure, Outcome, reported};
use crate::output::{Column, Format, Summary, begin_rows, counted, write_document};

/// Arguments of `varvite digest`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct DigestArgs {
    #[command(subcommand)]
    command: Option<DigestCommand>,
    #[command(flatten)]
    graph: Option<GraphArgs>,
    #[command(flatten)]
    show: ShowArgs,
}

#[derive(Debug, Subcommand)]
enum DigestCommand {
    /// Show where graphs differ: column, node and value; with three or more graphs, also the odd one out
    Compare(compare::CompareArgs),
}

/// The part of a digest to show.
#[derive(Debug, Args)]
struct ShowArgs {
    /// Show the hashes of one column, one per range of 65,536 nodes or edges
    #[arg(long, value_name = "NAME")]
    column: Option<String>,
    /// Show only these nodes or edges, such as 65536..131072: one hash per 256 of them, or one hash each if
    /// there are at most 256
    #[arg(long, value_name = "FROM..TO", requires = "column", value_parser = parse_range)]
    range: Option<Range<u64>>,
    /// Write a file for `varvite digest compare` instead, with the hashes of all columns and ranges
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write only the hashes of columns: a small file for a first comparison with a remote graph
    #[arg(long, requires = "output", conflicts_with = "column")]
    brief: bool,
    /// Replace the file if it exists
    #[arg(long, requires = "output")]
    force: bool,
    #[command(flatten)]
    write: WriteArgs,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    format: OutputArgs,
}

/// Shows or writes the hash of each column, or compares digests.
pub(crate) fn run(args: &DigestArgs) -> Outcome {
    match (&args.command, &args.graph) {
        (Some(DigestCommand::Compare(args)), _) => compare::run(args),
        (None, Some(graph)) => Show { graph, args: &args.show }.run(),
        (None, None) => {
            Err(Failure::Usage("a graph is needed, or `compare` and at least two graphs".to_owned()))
        }
    }
}

/// A graph or digest file to show, and the options of the output.
struct Show<'s> {
    graph: &'s GraphArgs,
    args: &'s ShowArgs,
}

impl Show<'_> {
    fn run(&self) -> Outcome {
        match source::read_digest(&self.graph.file, &self.args.memory)? {
            Some(digest) => self.answer(Source::Digest(digest)),
            None => self.graph.ask_within(&self.args.memory, |graph| self.answer(Source::Graph(graph))),
        }
    }

    fn answer(&self, source: Source<&Graph>) -> Outcome {
        let digest = match &self.args.column {
            Some(name) => self.one_column(source, name)?,
            None => match source {
                Source::Digest(digest) => digest,
                Source::Graph(graph) => source::digest_of(graph, &self.args.threads)?,
            },
        };
        let digest = if self.args.brief { digest.brief() } else { digest };
        match (&self.args.output, &self.args.column) {
            (Some(output), _) => self.write(&digest, output),
            (None, Some(name)) => self.show_ranges(&digest, name),
            (None, None) => self.show_columns(&digest),
        }
    }

    /// The digest of one column, in the requested ranges.
    fn one_column(&self, source: Source<&Graph>, name: &str) -> Result<DigestTree, Failure> {
        let shift = self.shift();
        match source {
            Source::Graph(graph) => {
                let mut digest = DigestTree::of_columns(graph, &self.args.threads.task(), &[])?;
                let owners = self.args.range.clone().unwrap_or(0..1 << 32);
                let task = self.args.threads.task();
                digest.columns.push(DigestTree::of_ranges(graph, &task, name, owners, shift)?);
                Ok(digest)
            }
            Source::Digest(digest) => {
                let has_ranges = |column: &ColumnTree| {
                    let below = column.below.as_ref();
                    below.is_some_and(|below| below.ranges.shift == shift.bits())
                };
                match digest.only(name).filter(|digest| digest.columns.iter().all(has_ranges)) {
                    Some(digest) => Ok(digest),
                    None => {
                        let what = format!(
                            "the digest file has no such hashes of column {name:?}; run `varvite digest` \
                             on the graph"
                        );
                        Err(Failure::source(&self.graph.file, what))
                    }
                }
            }
        }
    }

    fn shift(&self) -> RangeShift {
        let owners = self.args.range.as_ref();
        owners.map_or(RangeShift::Leaf, |range| RangeShift::of(range.end - range.start))
    }

    fn write(&self, digest: &DigestTree, output: &Path) -> Outcome {
        if is_same_file(&self.graph.file, output) {
            let what = "--output names the file that is read; choose another file";
            return Err(Failure::Usage(what.to_owned()));
        }
        let if_exists = if self.args.force { IfExists::Replace } else { IfExists::Refuse };
        let bytes = digest.write(self.args.write.disk(), output, if_exists)?;
        let columns = digest.columns.len() as u64;
        let name = output.display();
        let sentence = format!("{name}: {}, {}", counted(columns, "column"), counted(bytes, "byte"));
        let fields =
            vec![("file", name.to_string().into()), ("columns", columns.into()), ("bytes", bytes.into())];
        reported(output, Summary { sentence, fields }.write(self.args.format.format))
    }

    fn show_columns(&self, digest: &DigestTree) -> Outcome {
        let format = self.args.format.format;
        if let (Format::Json, Some(digest)) = (format, digest.digest()) {
            return Ok(write_document(&digest.to_json(), format)?);
        }
        let mut rows = begin_rows(format, vec![Column::text("hash"), Column::text("column")])?;
        let columns = digest.columns.iter().map(|column| (&column.hash, column.name.as_str()));
        for (hash, name) in columns.chain(digest.root.iter().map(|root| (root, "root"))) {
            rows.push(vec![hash.to_string().into(), name.into()])?;
        }
        Ok(rows.finish()?)
    }

    fn show_ranges(&self, digest: &DigestTree, name: &str) -> Outcome {
        let columns = [Column::text("hash"), Column::number("first"), Column::number("last")];
        let mut rows = begin_rows(self.args.format.format, columns.into())?;
        for below in digest.column(name).iter().filter_map(|column| column.below.as_ref()) {
            for range in &below.ranges.hashes {
                let first = u64::from(range.number) << below.ranges.shift;
                let last = first + (1 << below.ranges.shift) - 1;
                rows.push(vec![range.hash.to_string().into(), first.into(), last.into()])?;
            }
        }
        Ok(rows.finish()?)
    }
}

fn parse_range(words: &str) -> Result<Range<u64>, String> {
    let ends = words.split_once("..").and_then(|(start, end)| Some(start.parse().ok()?..end.parse().ok()?));
    let range = ends.filter(|ends: &Range<u64>| ends.start < ends.end && ends.end <= 1 << 32);
    range.ok_or_else(|| "expected FROM..TO, such as 65536..131072; TO is exclusive".to_owned())
}
