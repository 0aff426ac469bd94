//! The reasons why a command stopped, and their exit codes.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;
use varvite::GraphError;
use varvite::change::{ChangeError, ChangeFault, DiffTextError, DiffTextFault};
use varvite::error::StoreError;
use varvite::pipeline::PipelineError;
use varvite::walk::WalkError;
use varvite_cpg::CpgError;
use varvite_cpg::impact::PatchError;
use varvite_cpg::source::SourceError;
use varvite_draw::DrawError;
use varvite_generate::GenerateError;
use varvite_import::TextError;
use varvite_import::flatgraph::{ExportError, FlatgraphError, ImportError};
use varvite_import::graphml::GraphmlExportError;
use varvite_import::scip::ScipError;
use varvite_memtrace::drmemtrace::DrmemtraceError;
use varvite_memtrace::lackey::LackeyError;
use varvite_memtrace::layer::TraceLayerError;
use varvite_memtrace::perf::PerfError;
use varvite_memtrace::usage::UsageError;
#[cfg(target_os = "linux")]
use varvite_memtrace::valgrind::MessageError;
use varvite_profile::ProfileError;
use varvite_profile::layer::{HeapLayerError, LayerReadError, LongStacks};
use varvite_report::ReportError;
use varvite_show::ShowError;
use varvite_text::AnswerError;
use varvite_trace::TraceError;

use crate::corpus_failure::CorpusFailure;
use crate::exit_code::{exit_code_of, exit_code_of_change, is_over_budget};
use crate::joern::JoernError;
use crate::output::{complain, escaped, note};
use crate::query_failure::{Asked, QueryFailure};

/// The result of a command.
pub(crate) type Outcome = Result<(), Failure>;

/// The reason why a command stopped.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// An error of the command line. clap also returns a requested help text in this form.
    #[error(transparent)]
    Words(#[from] clap::Error),
    /// Arguments that are each valid, but contradict each other.
    #[error("{0}; see `varvite --help`")]
    Usage(String),
    /// A file was checked completely, and is damaged.
    #[error("{} is damaged: {problems} found; restore it from a copy or {remedy}", file.display())]
    Damaged {
        /// The path of the file.
        file: PathBuf,
        /// The number of problems, in words.
        problems: String,
        /// The remedy if there is no copy.
        remedy: &'static str,
    },
    /// The newest commit is damaged, and an older commit was read.
    #[error(
        "{}: commit {lost}, the newest, is damaged; commit {opened} was read instead: restore the file \
         from a copy, or save the older commit with `varvite compact FILE -o NEW`",
        file.display()
    )]
    Lost {
        /// The path of the file.
        file: PathBuf,
        /// The number of the damaged commit.
        lost: u64,
        /// The number of the commit that was read.
        opened: u64,
    },
    /// A superblock is damaged, so the commit that it named is unknown.
    #[error(
        "{}: a superblock is damaged: a commit was interrupted, or is lost. Commit {opened} was read, and \
         the next commit continues from commit {opened}",
        file.display()
    )]
    MayBeLost {
        /// The path of the file.
        file: PathBuf,
        /// The number of the commit that was read.
        opened: u64,
    },
    /// The compared graphs differ.
    #[error("{0}")]
    Differ(String),
    /// The graph has no element of this name, or the file is damaged or unreadable.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A writer refused the graph or the diff.
    #[error(transparent)]
    Change(ChangeError),
    /// A query does not fit the graph, or was stopped.
    #[error("{0}")]
    Query(Box<QueryFailure>),
    /// A query in the language of Joern is not understood. The message points at the place.
    #[error("{message}")]
    Text {
        /// The place, the reason, the line of the query, and marks under the fault.
        message: String,
        /// Whether a name of the query is unknown.
        is_unknown: bool,
    },
    /// Many graphs can't be opened, or some of them failed.
    #[error(transparent)]
    Corpus(#[from] CorpusFailure),
    /// A query takes the first of rows, and there are none.
    #[error("the query takes the first row, and there is none: headOption answers nothing instead")]
    NoRow,
    /// The foreign file is invalid, or the new file could not be written.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The foreign text is invalid, or the new file could not be written.
    #[error(transparent)]
    ImportText(#[from] TextError),
    /// The index of code is invalid, or the new file could not be written.
    #[error(transparent)]
    ImportScip(#[from] ScipError),
    /// The foreign format cannot express the graph, or a file could not be read or written.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// GraphML cannot express the graph, or a file could not be read or written.
    #[error(transparent)]
    ExportGraphml(#[from] GraphmlExportError),
    /// Sources could not be generated.
    #[error(transparent)]
    Generate(GenerateError),
    /// An argument selects no node, or several nodes.
    #[error(transparent)]
    Show(Box<ShowError>),
    /// No function of a profile has the requested name.
    #[error("the profile has no function {name:?}{}", suggestion(nearest.as_deref()))]
    NoFunction {
        /// The requested name.
        name: String,
        /// The most similar name, if there is one.
        nearest: Option<String>,
    },
    /// No path leads from one node to another.
    #[error("there is no path {between}: the search visited {seen} nodes")]
    NoPath {
        /// Both ends and the edges between them, in words.
        between: String,
        /// The number of nodes that the search visited.
        seen: u64,
    },
    /// The search for a path would need more memory than its limit.
    #[error(
        "the search for a path needs {needed} bytes, the budget is {limit}: follow fewer edge labels, or \
         raise the budget"
    )]
    PathOverBudget {
        /// The budget in bytes.
        limit: usize,
        /// The least number of bytes that would suffice.
        needed: usize,
    },
    /// The search for a path could not start.
    #[error(transparent)]
    Path(WalkError),
    /// A line of a diff is not a valid operation.
    #[error("{diff}: {source}")]
    DiffText {
        /// The name of the diff's file.
        diff: String,
        /// The error, with its line.
        r#source: DiffTextError,
    },
    /// A text is not a patch of source files.
    #[error("{patch}: {source}")]
    Patch {
        /// The name of the patch.
        patch: String,
        /// The error, with its line.
        r#source: PatchError,
    },
    /// An operation of a diff does not fit the graph.
    #[error("{diff}: line {line}: {fault}")]
    Operation {
        /// The name of the diff's file.
        diff: String,
        /// The line of the operation.
        line: u64,
        /// The error.
        fault: Box<ChangeFault>,
    },
    /// A foreign file can't be imported.
    #[error("{}: {what}", file.display())]
    Source {
        /// The path of the file.
        file: PathBuf,
        /// The reason, and the next step.
        what: String,
    },
    /// A trace is damaged, or does not fit the request.
    #[error("{}: {source}", file.display())]
    Trace {
        /// The path of the trace.
        file: PathBuf,
        /// The error.
        r#source: TraceError,
    },
    /// A file of DynamoRIO is invalid, or the trace made from it could not be written.
    #[error("{}: {source}", file.display())]
    Drmemtrace {
        /// The path of the file.
        file: PathBuf,
        /// The error.
        r#source: DrmemtraceError,
    },
    /// A text of lackey is invalid, or the trace made from it could not be written.
    #[error("{}: {source}", file.display())]
    Lackey {
        /// The path of the text or, if the text comes from a running program, of the trace.
        file: PathBuf,
        /// The error.
        r#source: LackeyError,
    },
    /// A text of perf script is invalid, or the trace made from it could not be written.
    #[error("{}: {source}", file.display())]
    Perf {
        /// The path of the text.
        file: PathBuf,
        /// The error.
        r#source: PerfError,
    },
    /// The messages of a recorder are invalid, or the trace made from them could not be written.
    #[cfg(target_os = "linux")]
    #[error("{}: {source}", file.display())]
    Recorder {
        /// The path of the trace.
        file: PathBuf,
        /// The error.
        r#source: MessageError,
    },
    /// No layer could be made from a trace.
    #[error("{}: {source}", file.display())]
    TraceLayer {
        /// The path of the trace.
        file: PathBuf,
        /// The error.
        r#source: TraceLayerError,
    },
    /// The usage of a trace (functions, lines, accesses) can't be counted.
    #[error("{}: {source}", file.display())]
    TraceUsage {
        /// The path of the trace.
        file: PathBuf,
        /// The error.
        r#source: UsageError,
    },
    /// A profile can't be read.
    #[error("{}: {source}", file.display())]
    Profile {
        /// The path of the profile.
        file: PathBuf,
        /// The error.
        r#source: ProfileError,
    },
    /// No layer could be made from a profile.
    #[error("{}: {source}", file.display())]
    ProfileLayer {
        /// The path of the profile.
        file: PathBuf,
        /// The error.
        r#source: HeapLayerError,
    },
    /// A profile in a graph can't be read.
    #[error("{}: {source}", file.display())]
    LayerRead {
        /// The path of the graph.
        file: PathBuf,
        /// The error.
        r#source: LayerReadError,
    },
    /// As text, the stacks of a profile would be far longer than the profile.
    #[error("{}: {source}", file.display())]
    LongStacks {
        /// The path of the profile.
        file: PathBuf,
        /// The error.
        r#source: LongStacks,
    },
    /// Adds the path of the file to a failure whose message does not contain it.
    #[error("{}: {source}", file.display())]
    OfFile {
        /// The path of the file.
        file: PathBuf,
        /// The failure.
        r#source: Box<Failure>,
    },
    /// No sources could be added to a graph.
    #[error(transparent)]
    Sources(SourceError),
    /// The graph does not have the requested source code.
    #[error("{0}")]
    NoSource(String),
    /// One of Joern's programs could not be started, or failed.
    #[error(transparent)]
    Joern(JoernError),
    /// The answer could not be written.
    #[error("cannot write the answer: {0}")]
    Output(io::Error),
}

impl Failure {
    /// The failure of a query's translation.
    pub(crate) fn text(query: &str, error: &varvite_text::TextError) -> Self {
        let is_unknown = error.reason == varvite_text::Reason::UnknownName;
        Self::Text { message: error.pointed(query), is_unknown }
    }

    /// The failure of a query's translation, with the file of the query.
    pub(crate) fn in_file(self, file: &Path) -> Self {
        match self {
            Self::Text { message, is_unknown } => {
                Self::Text { message: format!("{}: {message}", file.display()), is_unknown }
            }
            other => other,
        }
    }

    /// A failure about a foreign file.
    pub(crate) fn source(file: &Path, what: String) -> Self {
        Self::Source { file: file.to_owned(), what }
    }

    /// The failure for an error in reading a profile in a graph. An error of the graph has the same message
    /// as in other commands.
    pub(crate) fn layer_read(file: &Path, error: LayerReadError) -> Self {
        match error {
            LayerReadError::Graph(error) => Self::Graph(error),
            source => Self::LayerRead { file: file.to_owned(), source },
        }
    }

    /// The failure for an error in a query. Damage of a file has the same message as in other commands.
    pub(crate) fn query(asked: Asked, error: PipelineError) -> Self {
        match error {
            PipelineError::Graph { error, .. } => Self::Graph(error),
            error => Self::Query(Box::new(QueryFailure::new(asked, error))),
        }
    }

    /// The failure of one of several questions, whose file is `name`.
    fn of_question(name: String, error: AnswerError) -> Self {
        match error {
            AnswerError::Pipeline(error) => Self::query(Asked::Plan(name), error),
            AnswerError::NoRow => Self::Usage(format!("{name}: {}", Self::NoRow)),
            error => error.into(),
        }
    }

    /// Adds the path of the trace to an error.
    pub(crate) fn trace(file: &Path) -> impl Fn(TraceError) -> Self {
        move |source| Self::Trace { file: file.to_owned(), source }
    }

    /// Adds the path of the file to a failure about the file, if the message lacks the path.
    pub(crate) fn of(self, file: &Path) -> Self {
        let is_named = self.names_another_file() || self.to_string().contains(&*file.to_string_lossy());
        match self.exit_code() == 3 && !is_named && !matches!(self, Self::Output(_)) {
            true => Self::OfFile { file: file.to_owned(), source: Box::new(self) },
            false => self,
        }
    }

    /// Whether the failure is about an existing output file, whose path the message already contains.
    fn names_another_file(&self) -> bool {
        matches!(self.of_graph(), Some(GraphError::Store(StoreError::Exists { .. })))
    }

    /// The error of the store or of a graph that the failure contains, whichever crate returned it; `None`
    /// for other failures.
    fn of_graph(&self) -> Option<&GraphError> {
        match self {
            Self::Graph(error)
            | Self::Import(ImportError::Graph(ChangeError::Graph(error)))
            | Self::ImportText(TextError::Graph(ChangeError::Graph(error)))
            | Self::ImportScip(ScipError::Graph(ChangeError::Graph(error)))
            | Self::ExportGraphml(GraphmlExportError::Graph(error))
            | Self::Export(ExportError::Graph(error)) => Some(error),
            _ => None,
        }
    }

    /// The exit code, as `--help` documents it.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Damaged { .. } | Self::Differ(_) => 1,
            Self::Words(_) | Self::Usage(_) => 2,
            Self::Text { is_unknown: true, .. } => 4,
            Self::Text { .. } => 2,
            Self::NoRow => 4,
            Self::OfFile { source, .. } => source.exit_code(),
            Self::Corpus(failure) => failure.exit_code(),
            Self::Joern(JoernError::NoProgram { .. } | JoernError::NoFrontend { .. }) => 2,
            Self::Generate(GenerateError::Package { .. } | GenerateError::Contradiction { .. }) => 2,
            Self::TraceLayer { source: TraceLayerError::Name { .. }, .. }
            | Self::ProfileLayer { source: HeapLayerError::Name { .. }, .. } => 2,
            Self::TraceUsage { source: UsageError::OverBudget { .. }, .. }
            | Self::Profile { source: ProfileError::OverBudget { .. }, .. }
            | Self::ProfileLayer {
                source: HeapLayerError::Profile(ProfileError::OverBudget { .. }), ..
            } => 6,
            Self::ProfileLayer { source: HeapLayerError::Graph(error), .. } => exit_code_of_change(error),
            Self::LongStacks { .. } => 6,
            Self::LayerRead {
                source:
                    LayerReadError::NoEvents { .. }
                    | LayerReadError::Late { .. }
                    | LayerReadError::Backwards { .. },
                ..
            } => 2,
            Self::Profile { source: ProfileError::NoEvents | ProfileError::NoThreads { .. }, .. } => 2,
            Self::Trace { source: TraceError::Options { .. } | TraceError::Compress(_), .. } => 2,
            Self::DiffText { source, .. } if matches!(source.fault, DiffTextFault::Io(_)) => 3,
            Self::DiffText { .. } | Self::Patch { .. } => 2,
            Self::Operation { fault, .. } if is_missing(fault) => 4,
            Self::Operation { .. } => 2,
            Self::Sources(SourceError::Graph(error)) => exit_code_of_change(error),
            Self::Show(_) | Self::NoFunction { .. } | Self::NoSource(_) => 4,
            Self::NoPath { .. } => 5,
            Self::Import(ImportError::Source { error: FlatgraphError::OverBudget { .. }, .. }) => 6,
            Self::PathOverBudget { .. } | Self::Path(_) => 6,
            Self::Graph(error)
            | Self::ExportGraphml(GraphmlExportError::Graph(error))
            | Self::Export(ExportError::Graph(error)) => exit_code_of(error),
            Self::Change(error)
            | Self::Import(ImportError::Graph(error))
            | Self::ImportText(TextError::Graph(error))
            | Self::ImportScip(ScipError::Graph(error)) => exit_code_of_change(error),
            Self::Query(failure) => failure.exit_code(),
            _ => 3,
        }
    }

    /// Whether the failure is only that the reader of standard output closed the pipe.
    fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// The next step for the user; empty if the message already has it.
    pub(crate) fn advice(&self) -> &'static str {
        match self {
            Self::Graph(GraphError::Unknown { .. }) => "; `varvite info` lists the names of the graph",
            Self::Query(failure) => failure.advice(),
            Self::DiffText { .. } => "; docs/diff.md describes diffs",
            Self::Sources(SourceError::OtherVersion { .. }) => ", or pass --anyway to `varvite source add`",
            Self::OfFile { source, .. } => source.advice(),
            Self::PathOverBudget { .. }
            | Self::Import(ImportError::Source { error: FlatgraphError::OverBudget { .. }, .. }) => {
                " with --memory"
            }
            Self::Graph(error)
            | Self::ImportText(TextError::Graph(ChangeError::Graph(error)))
            | Self::ImportScip(ScipError::Graph(ChangeError::Graph(error)))
            | Self::ExportGraphml(GraphmlExportError::Graph(error))
            | Self::Export(ExportError::Graph(error))
                if is_over_budget(error) =>
            {
                " with --memory"
            }
            _ if self.names_another_file() => " with --force",
            Self::Graph(GraphError::Store(StoreError::Unfinished { .. })) => {
                "; `varvite trace convert` makes a whole trace of an unfinished recording, and --force discards it"
            }
            _ => "",
        }
    }
}

impl From<WalkError> for Failure {
    fn from(error: WalkError) -> Self {
        match error {
            WalkError::Graph(error) => Self::Graph(error),
            WalkError::OverBudget { limit, needed } => Self::PathOverBudget { limit, needed },
            other => Self::Path(other),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// An error that readers can also get becomes the same failure for readers and writers.
impl From<ChangeError> for Failure {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::Graph(error) => Self::Graph(error),
            error => Self::Change(error),
        }
    }
}

impl From<GenerateError> for Failure {
    fn from(error: GenerateError) -> Self {
        match error {
            GenerateError::Graph(error) => Self::Graph(error),
            other => Self::Generate(other),
        }
    }
}

impl From<PipelineError> for Failure {
    fn from(error: PipelineError) -> Self {
        Self::query(Asked::Words, error)
    }
}

impl From<JoernError> for Failure {
    fn from(error: JoernError) -> Self {
        match error {
            JoernError::Store(error) => error.into(),
            other => Self::Joern(other),
        }
    }
}

#[cfg(feature = "explorer")]
impl From<varvite_explorer::ServeError> for Failure {
    fn from(error: varvite_explorer::ServeError) -> Self {
        match error {
            varvite_explorer::ServeError::Graph(error) => Self::Graph(error),
            error => Self::Usage(error.to_string()),
        }
    }
}

#[cfg(feature = "mcp")]
impl From<varvite_mcp::ServeError> for Failure {
    fn from(error: varvite_mcp::ServeError) -> Self {
        match error {
            varvite_mcp::ServeError::Graph(error) => Self::Graph(error),
            varvite_mcp::ServeError::Io(error) => Self::Output(error),
            error => Self::Output(io::Error::other(error)),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Graph(error.into())
    }
}

impl From<DrawError> for Failure {
    fn from(error: DrawError) -> Self {
        match error {
            DrawError::Show(error) => error.into(),
            error => Self::Usage(error.to_string()),
        }
    }
}

impl From<ShowError> for Failure {
    fn from(error: ShowError) -> Self {
        match error {
            ShowError::Graph(error) => Self::Graph(error),
            ShowError::Pipeline(error) => (*error).into(),
            ShowError::Cpg(error) => error.into(),
            ShowError::Write(error) => Self::Output(error),
            error @ (ShowError::NoName { .. }
            | ShowError::NothingThere { .. }
            | ShowError::NoSource(_)
            | ShowError::Several { .. }
            | ShowError::Removed { .. }) => Self::Show(Box::new(error)),
            ShowError::SortedPaths => {
                let what = "--order-by cannot sort paths: sort before the step `path`, with the step \
                            `order`";
                Self::Usage(what.into())
            }
            // All other errors are about the arguments.
            error => Self::Usage(error.to_string()),
        }
    }
}

impl From<AnswerError> for Failure {
    fn from(error: AnswerError) -> Self {
        match error {
            AnswerError::Pipeline(error) => error.into(),
            AnswerError::Show(error) => error.into(),
            AnswerError::Write(error) => Self::Output(error),
            AnswerError::NoRow => Self::NoRow,
            error => Self::Usage(error.to_string()),
        }
    }
}

impl From<CpgError> for Failure {
    fn from(error: CpgError) -> Self {
        match error {
            CpgError::Graph(error) => Self::Graph(error),
            CpgError::Pipeline(error) => error.into(),
            other => Self::Output(io::Error::other(other)),
        }
    }
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Self {
        match error {
            ReportError::Graph(error) => Self::Graph(error),
            ReportError::Pipeline(error) => (*error).into(),
            ReportError::Show(error) => error.into(),
            ReportError::Question { question, error } => Self::of_question(question, *error),
            ReportError::Write(error) => Self::Output(error),
            error => Self::Output(io::Error::other(error)),
        }
    }
}

/// Whether an operation refers to an element that the graph lacks.
fn is_missing(fault: &ChangeFault) -> bool {
    matches!(
        fault,
        ChangeFault::Unknown { .. }
            | ChangeFault::NoSuchNode { .. }
            | ChangeFault::RemovedNode { .. }
            | ChangeFault::NoSuchEdge { .. }
            | ChangeFault::RemovedEdge { .. }
    )
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |nearest| format!("; the nearest is {nearest:?}"))
}

/// The outcome of a command after it has written its answer. If the answer reports a failure, the outcome is
/// always this failure. If the answer could not be written, a note says so, unless the reader closed the
/// pipe.
pub(crate) fn despite(written: io::Result<()>, failure: Option<Failure>) -> Outcome {
    let Some(failure) = failure else { return Ok(written?) };
    if let Err(error) = written
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        note(&format!("cannot write the answer: {error}"));
    }
    Err(failure)
}

/// The outcome of a command that has written `file`. The command succeeds even if the report can't be written
/// to standard output; a note then says so.
pub(crate) fn reported(file: &Path, report: io::Result<()>) -> Outcome {
    if let Err(error) = report
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        note(&format!("{} was written, but its summary was not: {error}", file.display()));
    }
    Ok(())
}

/// If a command has failed, writes the reason to standard error. Returns the exit code.
pub(crate) fn report(outcome: Outcome) -> u8 {
    match outcome {
        Ok(()) => 0,
        Err(failure) => complain_of(failure),
    }
}

/// Writes the reason of a failure to standard error, and returns its exit code.
pub(crate) fn complain_of(failure: Failure) -> u8 {
    let Err(failure) = show_help(failure) else { return 0 };
    match &failure {
        Failure::Words(error) => {
            let message = error.to_string();
            complain(message.strip_prefix("error: ").unwrap_or(&message));
        }
        // The message has several lines, and its control characters are escaped.
        Failure::Text { message, .. } => complain(&format!("{message}\n")),
        _ if failure.is_broken_pipe() => return 0,
        _ => complain(&format!("{}{}\n", escaped(&failure.to_string()), failure.advice())),
    }
    failure.exit_code()
}

/// Prints requested help to standard output, since it is not a failure.
fn show_help(failure: Failure) -> Outcome {
    match failure {
        Failure::Words(error) if !error.use_stderr() => {
            error.print()?;
            Ok(io::stdout().flush()?)
        }
        failure => Err(failure),
    }
}
