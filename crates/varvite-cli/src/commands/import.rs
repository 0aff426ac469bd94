//! `varvite import`: makes a `.varvite` file from a foreign graph, or adds a layer to a graph.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use varvite_import::ImportError;
use varvite_import::flatgraph::FlatgraphError;
use varvite_profile::{ProfileError, ProfileFormat, ProfileSource};

use super::import_csv::CsvArgs;
use super::import_flatgraph;
use super::import_graphml::GraphmlArgs;
use super::import_profile::ProfileImport;
use super::import_scip::{self, is_scip};
use super::import_target::{Target, TargetArgs};
use super::import_trace::{self, IntoArgs};
use super::profile_words::RootsWord;
use crate::failure::{Failure, Outcome};
use crate::recovery;

/// Arguments of `varvite import`.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// The foreign graph: a flatgraph file of Joern (cpg.bin, *.fg), a GraphML document or a SCIP index
    /// (index.scip); with --into, a trace or a profile
    #[arg(required_unless_present = "nodes", conflicts_with = "nodes")]
    source: Option<PathBuf>,
    /// The new graph file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Format of the foreign graph or profile [default: detected from its first bytes]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<SourceFormat>,
    #[command(flatten)]
    target: TargetArgs,
    /// Edge label of the tree: nodes get their ids in its pre-order, so that each subtree is a range of ids
    /// [default: AST if the graph has such edges, else nodes keep their order]
    #[arg(long, value_name = "EDGE_LABEL", conflicts_with = "into")]
    tree: Option<String>,
    #[command(flatten)]
    graphml: GraphmlArgs,
    #[command(flatten)]
    csv: CsvArgs,
    #[command(flatten)]
    into: IntoArgs,
}

/// The format of a foreign graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SourceFormat {
    /// Joern's cpg.bin, or another flatgraph file
    Flatgraph,
    /// CSV tables of nodes and relationships, as for neo4j-admin
    Neo4jCsv,
    /// A GraphML document
    Graphml,
    /// A SCIP index
    Scip,
    /// With --into: an interpreted heaptrack profile
    Heaptrack,
    /// With --into: collapsed stacks, one per line
    Collapsed,
    /// With --into: the output of perf script
    Perf,
    /// With --into: a pprof profile
    Pprof,
    /// With --into: a speedscope document
    Speedscope,
}

impl SourceFormat {
    /// The format of a profile; `None` for a graph format.
    fn profile(self) -> Option<ProfileFormat> {
        match self {
            Self::Flatgraph | Self::Neo4jCsv | Self::Graphml | Self::Scip => None,
            Self::Heaptrack => Some(ProfileFormat::Heaptrack),
            Self::Collapsed => Some(ProfileFormat::Collapsed),
            Self::Perf => Some(ProfileFormat::Perf),
            Self::Pprof => Some(ProfileFormat::Pprof),
            Self::Speedscope => Some(ProfileFormat::Speedscope),
        }
    }
}

/// Runs the import, and reports the result.
pub(crate) fn run(args: &ImportArgs) -> Outcome {
    let form = args.format.and_then(SourceFormat::profile);
    args.refuse_table()?;
    match (&args.into.into, &args.output, &args.source) {
        (None, ..) if form.is_some() => Err(Failure::Usage(
            "a profile is added to an existing graph; name the graph of its program \
                                with --into GRAPH"
                .to_owned(),
        )),
        (Some(_), ..) if args.format.is_some() && form.is_none() => Err(Failure::Usage(
            "--into needs the --format of a profile, such as perf; leave --format out \
                                for a trace"
                .to_owned(),
        )),
        (Some(graph), _, Some(source)) => args.import_into(graph, source, form),
        (None, Some(output), source) => args.import(output, source.as_deref()),
        (None, None, _) => Err(Failure::Usage(
            "import needs --output FILE for a new graph, or --into \
             GRAPH for an existing one"
                .to_owned(),
        )),
        (Some(_), _, None) => Err(Failure::Usage("--into needs a trace or a profile as SOURCE".to_owned())),
    }
}

impl ImportArgs {
    /// Refuses a table as SOURCE: a graph has tables of nodes and of relationships.
    fn refuse_table(&self) -> Outcome {
        let Some(source) = self.source.as_deref().filter(|_| self.format.is_none()) else { return Ok(()) };
        let is_table = source.extension().is_some_and(|end| end.eq_ignore_ascii_case("csv"));
        if !is_table || self.into.into.is_some() {
            return Ok(());
        }
        let what = "this is a CSV table by its name: give the tables of a graph as --nodes FILE and \
                    --relationships FILE instead of SOURCE";
        Err(Failure::source(source, what.to_owned()))
    }

    /// Adds a layer to a graph. The first bytes of the source show whether it is a profile. The importer of
    /// profiles continues with the open source, since the first bytes of a pipe can't be read again.
    fn import_into(&self, graph: &Path, path: &Path, form: Option<ProfileFormat>) -> Outcome {
        let (disk, report) = (self.target.write.disk(), self.target.report);
        recovery::warn_writer(graph);
        let unreadable = |source| Failure::Profile { file: path.to_owned(), source };
        match ProfileSource::open(path) {
            Ok(source) if form.is_some() || source.is_profile() => {
                let (memory, expansion) = (self.target.memory, self.target.expansion.expansion());
                let (name, with_events) = (self.into.name(), self.into.events);
                let roots = RootsWord::roots(self.into.roots);
                ProfileImport { graph, name, form, memory, expansion, with_events, roots }
                    .run(source, disk, report)
            }
            Err(error) if form.is_some() => Err(unreadable(error)),
            Ok(_) | Err(_) if self.into.events => Err(unreadable(ProfileError::NoEvents)),
            Ok(source) if source.is_stream() => Err(Failure::source(
                path,
                "this pipe contains no profile; a trace must be a regular file".to_owned(),
            )),
            _ => import_trace::run(&self.into, graph, path, disk, report),
        }
    }

    fn import(&self, output: &Path, source: Option<&Path>) -> Outcome {
        let target = self.target.of(output, self.tree.as_deref(), self.target.write.disk())?;
        match (self.format, source) {
            (None | Some(SourceFormat::Neo4jCsv), None) => {
                target.check_no_sources()?;
                self.csv.import(&target)
            }
            (Some(SourceFormat::Neo4jCsv), Some(_)) => {
                let words = "--format neo4j-csv takes its tables from --nodes and --relationships, not \
                             from SOURCE";
                Err(Failure::Usage(words.to_owned()))
            }
            (Some(_), None) => {
                Err(Failure::Usage("--nodes and --relationships are for --format neo4j-csv".to_owned()))
            }
            (Some(SourceFormat::Flatgraph), Some(source)) => self.import_flatgraph(source, &target),
            (Some(SourceFormat::Graphml), Some(source)) => self.import_graphml(source, &target),
            (Some(SourceFormat::Scip), Some(source)) => self.import_scip(source, &target),
            // Formats of profiles were handled above.
            (_, Some(source)) => self.import_detected(source, &target),
        }
    }

    /// Imports a source whose format its name or its first bytes tell.
    fn import_detected(&self, source: &Path, target: &Target<'_>) -> Outcome {
        let first = first_bytes(source)?;
        match () {
            () if is_scip(source, &first) => self.import_scip(source, target),
            () if is_graphml(source, &first) => self.import_graphml(source, target),
            () => self.import_flatgraph(source, target),
        }
    }

    fn import_scip(&self, source: &Path, target: &Target<'_>) -> Outcome {
        self.refuse_options_of_graphml()?;
        check_source(source, target.path)?;
        import_scip::import(source, target)
    }

    fn import_graphml(&self, source: &Path, target: &Target<'_>) -> Outcome {
        target.check_no_sources()?;
        check_source(source, target.path)?;
        self.graphml.import(source, target)
    }

    fn refuse_options_of_graphml(&self) -> Outcome {
        match self.graphml.is_given() {
            true => Err(Failure::Usage("--node-labels and --edge-labels are for GraphML".to_owned())),
            false => Ok(()),
        }
    }

    fn import_flatgraph(&self, source: &Path, target: &Target<'_>) -> Outcome {
        self.refuse_options_of_graphml()?;
        if self.tree.is_some() {
            return Err(Failure::Usage(
                "--tree is not for flatgraph files, whose tree label is AST".to_owned(),
            ));
        }
        check_source(source, target.path)?;
        import_flatgraph::import(source, target)
    }
}

/// Whether a source is GraphML: its first bytes are XML, or its name ends in `.graphml` (with `.gz` or `.zst`
/// if it is compressed).
fn is_graphml(source: &Path, first: &[u8]) -> bool {
    let name = source.file_name().unwrap_or_default().to_string_lossy();
    let is_named_so =
        name.ends_with(".graphml") || name.ends_with(".graphml.gz") || name.ends_with(".graphml.zst");
    let text = first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first).trim_ascii_start();
    text.starts_with(b"<") || is_named_so
}

/// Reads the first bytes of a source, from which its format is detected. Fails for a pipe, since a pipe's
/// first bytes can't be read again.
fn first_bytes(source: &Path) -> Result<Vec<u8>, Failure> {
    let unreadable = |error| ImportError::Io { path: source.to_owned(), source: error };
    if !fs::metadata(source).map_err(unreadable)?.is_file() {
        let error = FlatgraphError::NotAFile;
        return Err(ImportError::Source { path: source.to_owned(), error }.into());
    }
    let mut first = Vec::new();
    File::open(source).and_then(|file| file.take(64).read_to_end(&mut first)).map_err(unreadable)?;
    Ok(first)
}

/// The first bytes of every Varvite graph file.
pub(crate) const GRAPH_START: &[u8] = b"\x89VARVITE";

/// Checks that the source is neither a Varvite graph nor a trace, and that it is not the output.
fn check_source(source: &Path, output: &Path) -> Outcome {
    let first = first_bytes(source)?;
    if first.starts_with(GRAPH_START) {
        let what = "this is already a Varvite graph and needs no import; see `varvite --help` for queries"
            .to_owned();
        return Err(Failure::Source { file: source.to_owned(), what });
    }
    if first.starts_with(b"\x89VVTRACE") {
        let what = "this is a trace; `varvite import --into GRAPH` adds it to a graph".to_owned();
        return Err(Failure::Source { file: source.to_owned(), what });
    }
    let same =
        fs::canonicalize(source).ok().is_some_and(|source| fs::canonicalize(output).ok() == Some(source));
    if same {
        return Err(Failure::Usage("--output names the source; choose another file".to_owned()));
    }
    Ok(())
}
