//! Common parts of the imports of foreign graphs: the new file, its options, and the summary.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::{Args, ValueEnum};
use serde_json::Value as Json;
use varvite::write::Codec;
use varvite::{IfExists, Profile, Task};
use varvite_import::Expansion;
use varvite_import::graphml::GraphmlReport;
use varvite_import::neo4j_csv::CsvReport;
use varvite_import::scip::ScipReport;
use varvite_store::Vfs;

use crate::arguments::{ExpansionArgs, ThreadArgs, parse_size};
use crate::disk::{OtherNames, WriteArgs};
use crate::failure::{Failure, Outcome, reported};
use crate::output::{Format, Summary, counted, formats, note, sized};
use crate::progress::Progress;

/// Arguments of every command that makes a graph file.
#[derive(Debug, Args)]
pub(crate) struct TargetArgs {
    /// Format of the summary
    #[arg(long, value_parser = formats(), value_name = "FORMAT", default_value_t)]
    pub(super) report: Format,
    /// Storage profile of the new file
    #[arg(long, value_enum, default_value_t)]
    profile: ProfileWord,
    /// Codec of the blocks of an archive [default: zstd]
    #[arg(long, value_enum)]
    codec: Option<CodecWord>,
    /// Store an index of these properties, so that nodes with a given text are found without a scan
    #[arg(long, value_name = "NAME,FULL_NAME,..", value_delimiter = ',')]
    index: Vec<String>,
    /// Memory limit of the import, such as 2G. The import starts fewer threads if the limit is tight, and
    /// refuses a file that needs more memory [default: a quarter of the machine's memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(super) memory: Option<usize>,
    #[command(flatten)]
    pub(super) expansion: ExpansionArgs,
    /// Folder with the sources of the program. With a cpg.bin, the folder that the frontend read: its files
    /// become the layer `source`. With a SCIP index: references to methods before arguments become CALLs
    #[arg(long = "source", value_name = "DIR")]
    sources: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    pub(super) write: WriteArgs,
    #[command(flatten)]
    threads: ThreadArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum ProfileWord {
    /// Fastest: plain arrays
    Direct,
    /// Small, but still read in place
    #[default]
    Compact,
    /// Smallest: compressed blocks, decoded at first use
    Archive,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum CodecWord {
    /// Smallest
    Zstd,
    /// Fastest
    Lz4,
}

impl TargetArgs {
    /// The target of an import at `path`.
    pub(super) fn of<'a>(
        &'a self,
        path: &'a Path,
        tree: Option<&'a str>,
        disk: Arc<dyn Vfs>,
    ) -> Result<Target<'a>, Failure> {
        if self.codec.is_some() && self.profile != ProfileWord::Archive {
            return Err(Failure::Usage("--codec is for --profile archive".to_owned()));
        }
        Ok(Target {
            path,
            profile: match self.profile {
                ProfileWord::Direct => Profile::Direct,
                ProfileWord::Compact => Profile::Compact,
                ProfileWord::Archive => Profile::Archive,
            },
            codec: match self.codec {
                None | Some(CodecWord::Zstd) => Codec::Zstd,
                Some(CodecWord::Lz4) => Codec::Lz4,
            },
            indexes: &self.index,
            sources: self.sources.as_deref(),
            tree,
            expansion: self.expansion.expansion(),
            if_exists: if self.force { IfExists::Replace } else { IfExists::Refuse },
            other_names: OtherNames::of(path),
            disk,
            task: self.memory.into_iter().fold(self.threads.task(), Task::memory),
            report: self.report,
        })
    }
}

/// The new file of an import.
pub(super) struct Target<'a> {
    pub(super) path: &'a Path,
    pub(super) profile: Profile,
    pub(super) codec: Codec,
    pub(super) indexes: &'a [String],
    /// The folder with the sources of the program.
    pub(super) sources: Option<&'a Path>,
    /// The edge label of the tree in whose pre-order nodes are numbered.
    pub(super) tree: Option<&'a str>,
    /// The limit on the decompressed length of compressed sources.
    pub(super) expansion: Expansion,
    pub(super) if_exists: IfExists,
    /// The other names (hard links) of the file that is replaced.
    other_names: OtherNames,
    pub(super) disk: Arc<dyn Vfs>,
    task: Task<'static>,
    /// The format of the summary.
    pub(super) report: Format,
}

/// The numbers in the summary of an import.
pub(super) struct Imported {
    pub(super) nodes: u32,
    pub(super) edges: u64,
    pub(super) file_len: u64,
    pub(super) source_len: u64,
    pub(super) seconds: f64,
}

/// Reports of imports, whose numbers have equal names.
macro_rules! reports {
    ($($report:ty),*) => {$(
        impl From<&$report> for Imported {
            fn from(report: &$report) -> Self {
                let (nodes, edges) = (report.nodes, report.edges);
                Self { nodes, edges, file_len: report.file_len, source_len: report.source_len, seconds: 0.0 }
            }
        }
    )*};
}

reports!(CsvReport, GraphmlReport, ScipReport);

/// Notes what an import left out or changed: the count, the thing in the singular, and what became of it.
pub(super) fn note_counts(counts: &[(u64, &str, &str)]) {
    for (count, what, became) in counts.iter().filter(|(count, ..)| *count > 0) {
        note(&format!("{} {became}", counted(*count, what)));
    }
}

impl Target<'_> {
    /// Runs an import within the limits of the command, and shows its progress. Returns its report, and the
    /// numbers for the summary.
    pub(super) fn run<R, E>(&self, import: impl FnOnce(Task<'_>) -> Result<R, E>) -> Result<(R, Imported), E>
    where
        Imported: for<'r> From<&'r R>,
    {
        let began = Instant::now();
        let report = {
            let bar = Progress::steps();
            import(self.task().progress(|progress| bar.show(progress)))?
        };
        let seconds = began.elapsed().as_secs_f64();
        let imported = Imported { seconds, ..Imported::from(&report) };
        Ok((report, imported))
    }

    /// The limits of the import.
    pub(super) fn task<'t>(&self) -> Task<'t> {
        self.task.clone()
    }

    /// Fails if sources are wanted for a graph that is neither a flatgraph file nor a SCIP index.
    pub(super) fn check_no_sources(&self) -> Outcome {
        match self.sources {
            None => Ok(()),
            Some(_) => Err(Failure::Usage(
                "--source is for flatgraph files and SCIP indexes; `varvite source add` adds sources to any graph \
                 with FILE nodes"
                    .to_owned(),
            )),
        }
    }

    /// Reports the result of an import. `others` are additional fields that only imports of this format have.
    pub(super) fn report(&self, imported: &Imported, others: Vec<(&'static str, Json)>) -> Outcome {
        let Imported { nodes, edges, file_len, source_len, seconds } = *imported;
        let sentence = format!(
            "{}: {}, {}, {} ({} in the source), {seconds:.2} s",
            self.path.display(),
            counted(nodes.into(), "node"),
            counted(edges, "edge"),
            sized(file_len),
            sized(source_len),
        );
        let fields = vec![
            ("file", self.path.to_string_lossy().into()),
            ("nodes", nodes.into()),
            ("edges", edges.into()),
            ("source_bytes", source_len.into()),
            ("file_bytes", file_len.into()),
        ];
        let fields = fields.into_iter().chain(others).chain([("seconds", seconds.into())]).collect();
        self.other_names.note(self.path);
        reported(self.path, Summary { sentence, fields }.write(self.report))
    }
}
