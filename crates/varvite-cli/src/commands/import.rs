//! `varvite import`: a foreign graph becomes a `.varvite` file.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};
use varvite::{Codec, IfExists, Profile};
use varvite_import::{Import, ImportError, ImportReport};

use super::import_trace::{self, IntoArgs};
use crate::arguments::{OutputArgs, ThreadArgs, parse_size};
use crate::disk::WriteArgs;
use crate::failure::{Failure, Outcome, reported};
use crate::output::{Summary, counted, megabytes};
use crate::progress::Progress;

/// Arguments of `varvite import`.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// The foreign graph: a flatgraph file (cpg.bin, *.fg) as Joern writes it; with --into, a trace
    source: PathBuf,
    /// The new graph file
    #[arg(short, long, value_name = "FILE", required_unless_present = "into")]
    output: Option<PathBuf>,
    /// What the new file is made for
    #[arg(long, value_enum, default_value_t)]
    profile: ProfileWord,
    /// How the blocks of an archive are compressed [default: zstd]
    #[arg(long, value_enum)]
    codec: Option<CodecWord>,
    /// Keep an index of these properties, which finds the nodes that have a text without a search
    #[arg(long, value_name = "NAME,FULL_NAME,..", value_delimiter = ',')]
    index: Vec<String>,
    /// Most memory that an import may take, such as 2G; fewer threads work where that is too little for all, and a file that
    /// needs more is refused [default: a quarter of the machine's memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory: Option<usize>,
    /// Replace the new file if it exists
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    into: IntoArgs,
    #[command(flatten)]
    write: WriteArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    format: OutputArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum ProfileWord {
    /// Fastest: plain arrays
    Direct,
    /// Small, and still read without decoding
    #[default]
    Compact,
    /// Smallest: decoded when first touched
    Archive,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum CodecWord {
    /// Smallest
    Zstd,
    /// Fastest
    Lz4,
}

/// Imports, and says what came of it.
pub(crate) fn run(args: &ImportArgs) -> Outcome {
    match (&args.into.into, &args.output) {
        (Some(graph), _) => {
            import_trace::run(&args.into, graph, &args.source, args.write.disk(), args.format.format)
        }
        (None, Some(output)) => args.import(output),
        (None, None) => Err(Failure::Usage("an import needs --output, or --into".to_owned())),
    }
}

impl ImportArgs {
    fn import(&self, output: &Path) -> Outcome {
        let import = self.configured()?;
        check_source(&self.source, output)?;
        let began = Instant::now();
        let report = {
            let bar = Progress::steps();
            import.vfs(self.write.disk()).progress(|progress| bar.show(progress)).write_to(output)?
        };
        let summary = self.summary(output, &report, began.elapsed().as_secs_f64());
        reported(output, summary.write(self.format.format))
    }

    fn configured(&self) -> Result<Import<'static>, Failure> {
        if self.codec.is_some() && self.profile != ProfileWord::Archive {
            return Err(Failure::Usage("--codec is for --profile archive".to_owned()));
        }
        let profile = match self.profile {
            ProfileWord::Direct => Profile::Direct,
            ProfileWord::Compact => Profile::Compact,
            ProfileWord::Archive => Profile::Archive,
        };
        let codec = match self.codec {
            None | Some(CodecWord::Zstd) => Codec::Zstd,
            Some(CodecWord::Lz4) => Codec::Lz4,
        };
        let if_exists = if self.force { IfExists::Replace } else { IfExists::Refuse };
        let import = Import::new(&self.source).profile(profile).codec(codec).if_exists(if_exists);
        let import = self.index.iter().fold(import, |import, name| import.index(name));
        let import = import.threads(self.threads.count());
        Ok(self.memory.into_iter().fold(import, Import::memory_max))
    }

    fn summary(&self, output: &Path, report: &ImportReport, seconds: f64) -> Summary<'static> {
        let source_len = fs::metadata(&self.source).map_or(0, |data| data.len());
        let sentence = format!(
            "{}: {}, {}, {} ({} in the source), {seconds:.2} s",
            output.display(),
            counted(report.nodes.into(), "node"),
            counted(report.edges, "edge"),
            megabytes(report.file_len),
            megabytes(source_len),
        );
        let fields = vec![
            ("file", output.to_string_lossy().into()),
            ("nodes", report.nodes.into()),
            ("edges", report.edges.into()),
            ("source_bytes", source_len.into()),
            ("file_bytes", report.file_len.into()),
            ("refs_to_deleted", report.refs_to_deleted.into()),
            ("seconds", seconds.into()),
        ];
        Summary { sentence, fields }
    }
}

/// Tells by its first bytes whether the source is one to import, and that it is not about to be replaced.
fn check_source(source: &Path, output: &Path) -> Outcome {
    let unreadable = |error| ImportError::Io { path: source.to_owned(), source: error };
    let mut first = Vec::new();
    File::open(source).and_then(|file| file.take(8).read_to_end(&mut first)).map_err(unreadable)?;
    if first == *b"\x89VARVITE" {
        let what = "this is a Varvite graph already; ask it something: see `varvite --help`".to_owned();
        return Err(Failure::Source { file: source.to_owned(), what });
    }
    if first == *b"\x89VVTRACE" {
        let what = "this is a trace; `varvite import --into GRAPH` adds it to a graph".to_owned();
        return Err(Failure::Source { file: source.to_owned(), what });
    }
    let same =
        fs::canonicalize(source).ok().is_some_and(|source| fs::canonicalize(output).ok() == Some(source));
    if same {
        return Err(Failure::Usage(
            "the new file would replace the source; choose another --output".to_owned(),
        ));
    }
    Ok(())
}
