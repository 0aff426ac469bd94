//! `varvite import`: a foreign graph becomes a `.varvite` file.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::{Args, ValueEnum};
use varvite::{Codec, IfExists, Profile};
use varvite_import::{Import, ImportError};

use super::import_csv::CsvArgs;
use super::import_graphml::GraphmlArgs;
use super::import_profile;
use super::import_target::{Imported, Target};
use super::import_trace::{self, IntoArgs};
use crate::arguments::{ThreadArgs, parse_size};
use crate::disk::WriteArgs;
use crate::failure::{Failure, Outcome};
use crate::output::Format;
use crate::progress::Progress;

/// Arguments of `varvite import`.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// The foreign graph: a flatgraph file (cpg.bin, *.fg) as Joern writes it, or a GraphML document; with --into, a trace or a profile of heaptrack
    #[arg(required_unless_present = "nodes", conflicts_with = "nodes")]
    source: Option<PathBuf>,
    /// The new graph file
    #[arg(short, long, value_name = "FILE", required_unless_present = "into")]
    output: Option<PathBuf>,
    /// What the foreign graph is [default: what its first bytes say]
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "into")]
    format: Option<SourceFormat>,
    /// How is shown what came of it
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    report: Format,
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
    /// Number nodes in pre-order of the edges of this label, so that the nodes below one are a range of ids [default: AST, where there
    /// are such edges; else nodes keep their order]
    #[arg(long, value_name = "EDGE_LABEL", conflicts_with = "into")]
    tree: Option<String>,
    #[command(flatten)]
    graphml: GraphmlArgs,
    #[command(flatten)]
    csv: CsvArgs,
    #[command(flatten)]
    into: IntoArgs,
    #[command(flatten)]
    write: WriteArgs,
    #[command(flatten)]
    threads: ThreadArgs,
}

/// What a foreign graph is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SourceFormat {
    /// Joern's cpg.bin, or another flatgraph file
    Flatgraph,
    /// Tables of nodes and relationships, as neo4j-admin imports them
    Neo4jCsv,
    /// A GraphML document
    Graphml,
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
    match (&args.into.into, &args.output, &args.source) {
        (Some(graph), _, Some(source)) if import_profile::is_profile(source) => {
            let disk = args.write.disk();
            import_profile::run(args.into.name(), args.memory, (graph, source), disk, args.report)
        }
        (Some(graph), _, Some(source)) => {
            import_trace::run(&args.into, graph, source, args.write.disk(), args.report)
        }
        (None, Some(output), source) => args.import(output, source.as_deref()),
        (None, None, _) => Err(Failure::Usage("an import needs --output, or --into".to_owned())),
        (Some(_), _, None) => Err(Failure::Usage("--into needs a trace or a profile".to_owned())),
    }
}

impl ImportArgs {
    fn import(&self, output: &Path, source: Option<&Path>) -> Outcome {
        let target = self.target(output)?;
        match (self.format, source) {
            (None | Some(SourceFormat::Neo4jCsv), None) => self.csv.import(&target),
            (Some(SourceFormat::Neo4jCsv), Some(_)) => {
                let words = "tables are named by --nodes and --relationships";
                Err(Failure::Usage(words.to_owned()))
            }
            (Some(SourceFormat::Flatgraph | SourceFormat::Graphml), None) => {
                Err(Failure::Usage("--nodes and --relationships are for --format neo4j-csv".to_owned()))
            }
            (Some(SourceFormat::Flatgraph), Some(source)) => self.import_flatgraph(source, &target),
            (Some(SourceFormat::Graphml), Some(source)) => self.import_graphml(source, &target),
            (None, Some(source)) => match is_graphml(source)? {
                true => self.import_graphml(source, &target),
                false => self.import_flatgraph(source, &target),
            },
        }
    }

    /// What all formats have in common.
    fn target<'a>(&'a self, output: &'a Path) -> Result<Target<'a>, Failure> {
        if self.codec.is_some() && self.profile != ProfileWord::Archive {
            return Err(Failure::Usage("--codec is for --profile archive".to_owned()));
        }
        Ok(Target {
            path: output,
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
            tree: self.tree.as_deref(),
            memory: self.memory.unwrap_or_else(varvite::Budget::default_bytes),
            if_exists: if self.force { IfExists::Replace } else { IfExists::Refuse },
            disk: self.write.disk(),
            threads: self.threads.count(),
            report: self.report,
        })
    }

    fn import_graphml(&self, source: &Path, target: &Target<'_>) -> Outcome {
        check_source(source, target.path)?;
        self.graphml.import(source, target)
    }

    fn import_flatgraph(&self, source: &Path, target: &Target<'_>) -> Outcome {
        if self.graphml.is_given() {
            return Err(Failure::Usage("--node-labels and --edge-labels are for GraphML".to_owned()));
        }
        if self.tree.is_some() {
            return Err(Failure::Usage(
                "--tree is for other formats: a flatgraph file is numbered along AST".to_owned(),
            ));
        }
        check_source(source, target.path)?;
        let import = Import::new(source).profile(target.profile).codec(target.codec);
        let import = target.indexes.iter().fold(import, |import, name| import.index(name));
        let import = import.if_exists(target.if_exists).threads(target.threads).memory_max(target.memory);
        let began = Instant::now();
        let report = {
            let bar = Progress::steps();
            import
                .vfs(Arc::clone(&target.disk))
                .progress(|progress| bar.show(progress))
                .write_to(target.path)?
        };
        let source_len = fs::metadata(source).map_or(0, |data| data.len());
        let imported = Imported {
            nodes: report.nodes,
            edges: report.edges,
            file_len: report.file_len,
            source_len,
            seconds: began.elapsed().as_secs_f64(),
        };
        target.report(&imported, vec![("refs_to_deleted", report.refs_to_deleted.into())])
    }
}
/// Whether a source is XML, plain or by its name in a compressed file.
fn is_graphml(source: &Path) -> Result<bool, Failure> {
    let name = source.file_name().unwrap_or_default().to_string_lossy();
    let is_named_so =
        name.ends_with(".graphml") || name.ends_with(".graphml.gz") || name.ends_with(".graphml.zst");
    let first = first_bytes(source)?;
    let text = first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&first).trim_ascii_start();
    Ok(text.starts_with(b"<") || is_named_so)
}

/// The first bytes of a source, as many as tell what it is.
fn first_bytes(source: &Path) -> Result<Vec<u8>, Failure> {
    let unreadable = |error| ImportError::Io { path: source.to_owned(), source: error };
    let mut first = Vec::new();
    File::open(source).and_then(|file| file.take(64).read_to_end(&mut first)).map_err(unreadable)?;
    Ok(first)
}

/// Tells by its first bytes whether the source is one to import, and that it is not about to be replaced.
fn check_source(source: &Path, output: &Path) -> Outcome {
    let first = first_bytes(source)?;
    if first.starts_with(b"\x89VARVITE") {
        let what = "this is a Varvite graph already; ask it something: see `varvite --help`".to_owned();
        return Err(Failure::Source { file: source.to_owned(), what });
    }
    if first.starts_with(b"\x89VVTRACE") {
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
