//! The arguments that several subcommands share.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use varvite::Cancel;
use varvite::memory::{OverBudget, PROCESS_MIN, Reserved};
use varvite::pipeline::{Options, Pipeline, PipelineError, Plan, Run, Template};
use varvite::{Budget, Graph, OpenMode, OpenOptions, Task};
use varvite_import::Expansion;
use varvite_show::Selection;

use crate::failure::Failure;
use crate::output::{Format, formats, remark};
use crate::recovery;

/// The graph file that a command reads.
#[derive(Debug, Args)]
pub(crate) struct GraphArgs {
    /// The graph, a .varvite file
    pub(crate) file: PathBuf,
    #[arg(long, help = BUFFERED)]
    buffered: bool,
    #[arg(long, help = CHECKED, conflicts_with = "buffered")]
    checked: bool,
}

/// The options of [`GraphArgs`] without the file, for commands whose help describes FILE differently.
/// `GraphArgs` does not flatten this type, since clap would then refuse an optional `GraphArgs`.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct AccessArgs {
    #[arg(long, help = BUFFERED)]
    buffered: bool,
    #[arg(long, help = CHECKED, conflicts_with = "buffered")]
    checked: bool,
}

impl AccessArgs {
    /// The mode in which files are opened.
    pub(crate) fn mode(self) -> OpenMode {
        match (self.buffered, self.checked) {
            (true, _) => OpenMode::Buffered,
            (_, true) => OpenMode::Checked,
            _ => OpenMode::Mapped,
        }
    }
}

const BUFFERED: &str = "Read the file into memory and check every block, instead of mapping it: for untrusted \
    files, and for file systems where an open file may shrink";
const CHECKED: &str = "Map the file and check each column at first use: for files that may be damaged";

impl GraphArgs {
    /// Opens the graph, runs `answer`, and then checks that no read found damage. Every command that reads
    /// one graph does this.
    pub(crate) fn ask<T>(&self, answer: impl FnOnce(&Graph) -> Result<T, Failure>) -> Result<T, Failure> {
        end(&self.open()?, answer)
    }

    /// Runs `answer` as [`Self::ask`] does, but within a memory limit; for a command that may read the whole
    /// graph.
    pub(crate) fn ask_within<T>(
        &self,
        memory: &MemoryArgs,
        answer: impl FnOnce(&Graph) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        end(&self.open_within(memory)?, answer)
    }

    /// The arguments for a command that copies the graph to another file. Columns are then checked, since
    /// undetected damage would look valid in the copy.
    pub(crate) fn for_copy(&self) -> Self {
        Self { file: self.file.clone(), buffered: self.buffered, checked: !self.buffered }
    }

    /// The arguments for another graph, which is opened in the same way.
    pub(crate) fn at(&self, file: &Path) -> Self {
        Self { file: file.to_owned(), buffered: self.buffered, checked: self.checked }
    }

    /// The arguments for a file that is opened with these options.
    pub(crate) fn with_access(file: &Path, access: AccessArgs) -> Self {
        Self { file: file.to_owned(), buffered: access.buffered, checked: access.checked }
    }

    /// The arguments for a file that is mapped.
    pub(crate) fn mapped(file: &Path) -> Self {
        Self { file: file.to_owned(), buffered: false, checked: false }
    }

    /// The same arguments, for a program that runs beside others which may shorten the file: reads the file
    /// into memory, unless `--checked` was given.
    #[cfg(feature = "explorer")]
    pub(crate) fn without_mapping(self) -> Self {
        Self { buffered: !self.checked, ..self }
    }

    /// Opens the graph. When the caller has finished reading, it must check the graph for damage.
    pub(crate) fn open(&self) -> Result<Graph, Failure> {
        Ok(self.options().open(&self.file)?)
    }

    /// Opens the graph for a command with a memory limit. The limit includes decoded columns.
    pub(crate) fn open_within(&self, memory: &MemoryArgs) -> Result<Graph, Failure> {
        Ok(self.options_within(memory).open(&self.file)?)
    }

    /// The options that [`Self::open_within`] opens a graph with.
    pub(crate) fn options_within(&self, memory: &MemoryArgs) -> OpenOptions {
        let options = self.options().memory_max(memory.bytes() as u64);
        match memory.of_process() {
            Some(bytes) => options.process_max(bytes as u64),
            None => options,
        }
    }

    fn options(&self) -> OpenOptions {
        match (self.buffered, self.checked) {
            (true, _) => OpenOptions::new().buffered(),
            (_, true) => OpenOptions::new().checked(),
            _ => OpenOptions::new(),
        }
    }
}

/// Runs `answer` on a graph, and then checks that no read found damage, and that the newest commit was
/// opened.
fn end<T>(graph: &Graph, answer: impl FnOnce(&Graph) -> Result<T, Failure>) -> Result<T, Failure> {
    checked(graph, answer(graph))
}

/// Returns the answer, or an error if the graph is damaged or its newest commit was not opened.
pub(crate) fn checked<T>(graph: &Graph, answer: Result<T, Failure>) -> Result<T, Failure> {
    let whole = graph.check().map_err(Failure::from).and_then(|()| recovery::check(graph.store()));
    match whole {
        // Damage is reported before any other error, since the damage may be the cause, for example of "there
        // is no such node". If the answer can't be written, that error is returned even if there is damage.
        Err(damage) if !matches!(answer, Err(Failure::Output(_))) => Err(damage),
        _ => answer,
    }
}

/// Several files that are read together.
#[derive(Debug, Args)]
pub(crate) struct GraphsArgs {
    /// The graphs, each a .varvite file
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Read the files into memory and check every block, instead of mapping them: for untrusted files
    #[arg(long)]
    buffered: bool,
    /// Map the files and check each column at first use: for files that may be damaged
    #[arg(long, conflicts_with = "buffered")]
    checked: bool,
}

impl GraphsArgs {
    /// The first file.
    pub(crate) fn first(&self) -> &Path {
        &self.files[0]
    }

    /// The arguments of each file.
    pub(crate) fn each(&self) -> impl Iterator<Item = GraphArgs> + '_ {
        self.files.iter().map(|file| GraphArgs {
            file: file.clone(),
            buffered: self.buffered,
            checked: self.checked,
        })
    }
}

/// The names of graphs that are open together: those of their files without the ending. A name that was given
/// before gets a number.
pub(crate) fn graph_names<'f>(files: impl IntoIterator<Item = &'f Path>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for file in files {
        let stem = file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let mut all = std::iter::once(stem.clone()).chain((2..).map(|number| format!("{stem}_{number}")));
        names.extend(all.find(|name| !names.contains(name)));
    }
    names
}

/// The output format of an answer.
#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    /// Output format
    #[arg(long, value_parser = formats(), value_name = "FORMAT", default_value_t)]
    pub(crate) format: Format,
}

/// The columns of a listing.
#[derive(Debug, Args)]
pub(crate) struct ColumnArgs {
    /// Columns to show instead of the default ones: properties, or label, file, line, method and location;
    /// for edges, columns of one end, such as source_CODE
    #[arg(long, value_name = "A,B,..", value_delimiter = ',')]
    pub(crate) columns: Vec<String>,
    /// Prefix file names with the source folder (ROOT of META_DATA), so that a terminal can link to them
    #[arg(long)]
    pub(crate) root: bool,
}

/// The form of a listing: its columns, the order of its rows, and their number.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) columns: ColumnArgs,
    /// Sort by these columns, even if they are not shown: numbers in ascending order, texts by their bytes,
    /// rows without a value last. Rows are held in memory for sorting, within the limit of --memory
    #[arg(long, value_name = "A,B,..", value_delimiter = ',')]
    pub(crate) order_by: Vec<String>,
    /// Sort in descending order
    #[arg(long, requires = "order_by")]
    descending: bool,
    /// Show at most the first N rows
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u64>,
    #[command(flatten)]
    pub(crate) format: OutputArgs,
}

impl ListArgs {
    /// The rows and columns to show. The task limits the memory for sorting and the threads that write rows.
    pub(crate) fn selection(&self, task: &Task<'static>) -> Selection<'_> {
        Selection {
            format: self.format.format,
            columns: &self.columns.columns,
            has_root: self.columns.root,
            order_by: &self.order_by,
            descending: self.descending,
            limit: self.limit,
            task: task.clone(),
        }
    }
}

/// The number of threads.
#[derive(Debug, Args)]
pub(crate) struct ThreadArgs {
    /// Number of worker threads [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl ThreadArgs {
    /// A task with the requested number of threads.
    pub(crate) fn task<'a>(&self) -> Task<'a> {
        self.threads.into_iter().fold(Task::new(), |task, threads| task.threads(threads.into()))
    }

    /// The number of threads.
    pub(crate) fn count(&self) -> usize {
        self.task().thread_count()
    }
}

/// The options of a query.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Start threads even if there is little work: for tests, whose graphs are small
    #[arg(long, hide = true)]
    eager_threads: bool,
    /// Report rows, time and bytes of each step on standard error
    #[arg(long)]
    profile: bool,
}

impl RunArgs {
    /// The options for the engine. Columns that were already decoded, and are pinned for the query, reduce
    /// the memory that is left for its run.
    pub(crate) fn options(&self, graph: &Graph) -> Options {
        let task = self.memory.limit(self.threads.task(), graph);
        let Self { profile, eager_threads, .. } = *self;
        Options { eager_threads, profile, ..Options::from(task) }
    }

    /// The number of threads.
    pub(crate) fn thread_count(&self) -> usize {
        self.threads.count()
    }

    /// Whether the user requested a profile of the run.
    pub(crate) fn has_profile(&self) -> bool {
        self.profile
    }

    /// Reports the rows, time and bytes of each step, if the user requested a profile.
    pub(crate) fn report(&self, run: &Run) {
        if self.profile {
            run.profile().to_string().lines().for_each(|line| remark(line.trim_end()));
        }
    }
}

/// The memory limit of a query or of a scan of the whole graph.
#[derive(Debug, Args)]
pub(crate) struct MemoryArgs {
    /// Memory limit, such as 64M or 2G, for working data (sorts, groups, visited nodes, paths, counts) and
    /// decoded columns; a command that needs more stops with exit code 6. From 24M on, the limit covers the
    /// whole process, which gives back pages of the mapped file to stay below it [default: a quarter of the
    /// machine's memory, without a limit on mapped pages]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory: Option<usize>,
    /// The number of graphs that share the memory.
    #[arg(skip = 1usize)]
    graphs: usize,
}

impl MemoryArgs {
    /// The task of a command that works on the caller's thread. Its memory limit is the command's limit
    /// without the memory that the graph already uses.
    pub(crate) fn task(&self, graph: &Graph) -> Task<'static> {
        self.limit(Task::new().threads(1), graph)
    }

    /// Limits a task to the command's memory without the memory that the graph already uses.
    fn limit(&self, task: Task<'static>, graph: &Graph) -> Task<'static> {
        let task = if self.memory.is_some() || self.graphs > 1 { task.memory(self.bytes()) } else { task };
        graph.task_beside(task)
    }

    /// Divides the memory limit between several graphs, and returns the share of each.
    pub(crate) fn divided(&self, graphs: usize) -> Self {
        Self { memory: self.memory, graphs }
    }

    /// The memory limit of the whole process in bytes. `None` if no limit was requested, or if it is too
    /// small for a process.
    fn of_process(&self) -> Option<usize> {
        self.memory.filter(|bytes| *bytes as u64 >= PROCESS_MIN)
    }

    /// The memory limit in bytes, if there is one other than the default.
    #[cfg(any(feature = "explorer", feature = "mcp"))]
    pub(crate) fn requested(&self) -> Option<usize> {
        (self.memory.is_some() || self.graphs > 1).then(|| self.bytes())
    }

    /// The memory limit in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.memory.unwrap_or_else(varvite::Budget::default_bytes) / self.graphs
    }
}

/// The limit on the decompressed length of a foreign file, as a multiple of its compressed length.
#[derive(Debug, Args)]
pub(crate) struct ExpansionArgs {
    /// Decompressed bytes allowed per compressed byte of a foreign file. Up to 64 MiB are always allowed; a
    /// file that exceeds both limits is refused
    #[arg(long, value_name = "N", default_value_t = Expansion::RATIO, value_parser = clap::value_parser!(u64).range(1..))]
    expansion: u64,
}

impl ExpansionArgs {
    /// The limit, in the type that readers take.
    pub(crate) fn expansion(&self) -> Expansion {
        Expansion::new(self.expansion)
    }
}

/// Parses a size in bytes. The suffixes K, M, G and T mean powers of 1024.
pub(crate) fn parse_size(words: &str) -> Result<usize, String> {
    let letters = ['K', 'M', 'G', 'T'];
    let letter = letters.iter().position(|letter| words.to_ascii_uppercase().ends_with(*letter));
    let digits = if letter.is_some() { &words[..words.len() - 1] } else { words };
    let shift = letter.map_or(0, |letter| 10 * (letter + 1));
    let bytes = digits.parse::<usize>().ok().and_then(|number| number.checked_mul(1 << shift));
    bytes.ok_or_else(|| "expected a number of bytes, such as 4096, 64M or 2G".to_owned())
}

/// The plan of a query.
#[derive(Debug, Args)]
pub(crate) struct PlanArgs {
    /// The plan, as described in docs/plan.md: a JSON file, - for standard input, or the JSON itself, which
    /// begins with {
    #[arg(value_name = "PLAN")]
    plan: PathBuf,
    /// Value of a parameter of the plan, without quotes; repeat the option for each value of a list
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_param)]
    param: Vec<(String, String)>,
}

/// Parses NAME=VALUE. The value may contain `=`.
fn parse_param(words: &str) -> Result<(String, String), String> {
    let pair = words.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
    pair.ok_or_else(|| "expected NAME=VALUE".to_owned())
}

/// Maximum length of a plan's text in bytes, which is also the engine's limit.
const PLAN_TEXT_MAX: u64 = 256 << 20;
/// Minimum of the memory limit for reading and compiling a plan. The requested limit may be smaller, since it
/// is meant for data that grows with the graph.
const PLAN_MEMORY_MIN: usize = 1 << 20;
/// Number of bytes that one read requests.
const READ_BYTES: usize = 1 << 16;

impl PlanArgs {
    /// The arguments for a plan without parameters.
    pub(crate) fn at(plan: &Path) -> Self {
        Self { plan: plan.to_owned(), param: Vec::new() }
    }

    /// Reads the plan, and compiles it for a graph. May use `memory_bytes` bytes of memory.
    pub(crate) fn compile(&self, graph: &Graph, memory_bytes: usize) -> Result<Plan, Failure> {
        let budget = Budget::new(memory_bytes.max(PLAN_MEMORY_MIN));
        self.pipeline(&budget)
            .and_then(|pipeline| Ok(pipeline.compile_within(graph, &Cancel::default(), &budget)?))
            .map_err(|failure| self.at_fault(failure))
    }

    /// Reads the plan, without compiling it. Charges its bytes to the budget while it is read.
    pub(crate) fn pipeline_within(&self, budget: &Budget) -> Result<Pipeline, Failure> {
        self.pipeline(budget).map_err(|failure| self.at_fault(failure))
    }

    fn pipeline(&self, budget: &Budget) -> Result<Pipeline, Failure> {
        let params = self.param.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let (text, _bytes) = self.read(budget)?;
        match self.param.is_empty() {
            true => Ok(Pipeline::from_json_within(&text, budget)?),
            false => Ok(Template::from_json_within(&text, budget)?.bind_texts(params)?),
        }
    }

    /// Adds the name of the plan to the failure of a query.
    pub(crate) fn at_fault(&self, failure: Failure) -> Failure {
        match failure {
            Failure::Query(failure) => Failure::Query(Box::new(failure.of_plan(self.name()))),
            other => other,
        }
    }

    fn name(&self) -> String {
        match self.inline() {
            Some(_) => "the plan".into(),
            None if self.is_stdin() => "standard input".into(),
            None => self.plan.display().to_string(),
        }
    }

    /// The text of the plan, if the argument is not the name of a file.
    fn inline(&self) -> Option<&str> {
        self.plan.to_str().filter(|text| text.trim_start().starts_with('{'))
    }

    fn is_stdin(&self) -> bool {
        self.plan.as_os_str() == "-"
    }

    /// Reads the text, and charges its bytes to the budget.
    fn read(&self, budget: &Budget) -> Result<(String, Reserved), Failure> {
        let over = |error: OverBudget| Failure::from(PipelineError::from(error));
        if let Some(text) = self.inline() {
            return Ok((text.to_owned(), budget.reserve(text.len()).map_err(over)?));
        }
        let unreadable = |error| Failure::source(Path::new(&self.name()), format!("cannot be read: {error}"));
        let input: Box<dyn Read> = match self.is_stdin() {
            true => Box::new(std::io::stdin().lock()),
            false => Box::new(File::open(&self.plan).map_err(unreadable)?),
        };
        let (mut input, mut text) = (input.take(PLAN_TEXT_MAX + 1), Vec::new());
        let mut bytes = budget.reserve(0).map_err(over)?;
        loop {
            if text.len() == text.capacity() {
                let more = text.capacity().max(READ_BYTES);
                bytes.resize(text.capacity() + more).map_err(over)?;
                text.reserve_exact(more);
            }
            let left = text.capacity() - text.len();
            if input.by_ref().take(left as u64).read_to_end(&mut text).map_err(unreadable)? == 0 {
                break;
            }
        }
        // If the text is longer than the limit, the engine returns an error.
        let text = String::from_utf8(text);
        let not_utf8 = |error| {
            let text = format!("it is not UTF-8: {error}");
            unreadable(io::Error::new(io::ErrorKind::InvalidData, text))
        };
        Ok((text.map_err(not_utf8)?, bytes))
    }
}
