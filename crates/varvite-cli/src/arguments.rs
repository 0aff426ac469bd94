//! The arguments that several subcommands share.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use varvite::Cancel;
use varvite::memory::{OverBudget, PROCESS_MIN, Reserved};
use varvite::pipeline::{Options, Pipeline, PipelineError, Plan, Run, Template};
use varvite::{Budget, Graph, OpenOptions, Task};
use varvite_import::Expansion;
use varvite_show::Selection;

use crate::failure::Failure;
use crate::output::{Format, formats, remark};
use crate::recovery;

/// The file that a question goes to.
#[derive(Debug, Args)]
pub(crate) struct GraphArgs {
    /// The graph, a .varvite file
    pub(crate) file: PathBuf,
    #[arg(long, help = BUFFERED)]
    buffered: bool,
    #[arg(long, help = CHECKED, conflicts_with = "buffered")]
    checked: bool,
}

/// The options of [`GraphArgs`], for commands that describe FILE in their own words. `GraphArgs` does not
/// flatten this: clap would then refuse an optional `GraphArgs`.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct AccessArgs {
    #[arg(long, help = BUFFERED)]
    buffered: bool,
    #[arg(long, help = CHECKED, conflicts_with = "buffered")]
    checked: bool,
}

const BUFFERED: &str = "Read the file into memory and check every block, instead of mapping it: for untrusted \
    files, and for file systems where an open file may shrink";
const CHECKED: &str = "Map the file and check each column at first use: for files that may be damaged";

impl GraphArgs {
    /// Opens the graph, runs `answer`, and then checks that no read found damage: the common end of every
    /// command.
    pub(crate) fn ask<T>(&self, answer: impl FnOnce(&Graph) -> Result<T, Failure>) -> Result<T, Failure> {
        end(&self.open()?, answer)
    }

    /// The same for a command that reads all of a graph, within the memory that this may take.
    pub(crate) fn ask_within<T>(
        &self,
        memory: &MemoryArgs,
        answer: impl FnOnce(&Graph) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        end(&self.open_within(memory)?, answer)
    }

    /// The same file for a command that copies the graph to another file: undetected damage would look sound
    /// there.
    pub(crate) fn for_copy(&self) -> Self {
        Self { file: self.file.clone(), buffered: self.buffered, checked: !self.buffered }
    }

    /// Another graph, opened in the same way.
    pub(crate) fn at(&self, file: &Path) -> Self {
        Self { file: file.to_owned(), buffered: self.buffered, checked: self.checked }
    }

    /// A file that is opened with these options.
    pub(crate) fn with_access(file: &Path, access: AccessArgs) -> Self {
        Self { file: file.to_owned(), buffered: access.buffered, checked: access.checked }
    }

    /// A file that is opened with a map.
    pub(crate) fn mapped(file: &Path) -> Self {
        Self { file: file.to_owned(), buffered: false, checked: false }
    }

    /// Opens the graph. The caller checks the graph for damage itself, at the end of its answer.
    pub(crate) fn open(&self) -> Result<Graph, Failure> {
        Ok(self.options().open(&self.file)?)
    }

    /// Opens the graph for a command with this memory limit: decoded columns count within it.
    pub(crate) fn open_within(&self, memory: &MemoryArgs) -> Result<Graph, Failure> {
        let options = self.options().memory_max(memory.bytes() as u64);
        let options = match memory.of_process() {
            Some(bytes) => options.process_max(bytes as u64),
            None => options,
        };
        Ok(options.open(&self.file)?)
    }

    fn options(&self) -> OpenOptions {
        match (self.buffered, self.checked) {
            (true, _) => OpenOptions::new().buffered(),
            (_, true) => OpenOptions::new().checked(),
            _ => OpenOptions::new(),
        }
    }
}

/// Runs `answer` on a graph, and then checks that no read found damage and that the newest commit was opened.
fn end<T>(graph: &Graph, answer: impl FnOnce(&Graph) -> Result<T, Failure>) -> Result<T, Failure> {
    checked(graph, answer(graph))
}

/// The answer that a graph gave, unless the graph is damaged.
pub(crate) fn checked<T>(graph: &Graph, answer: Result<T, Failure>) -> Result<T, Failure> {
    let whole = graph.check().map_err(Failure::from).and_then(|()| recovery::check(graph.store()));
    match whole {
        // Damage may look like "there is none", so it is reported first. If standard output was closed,
        // report nothing.
        Err(damage) if !matches!(answer, Err(Failure::Output(_))) => Err(damage),
        _ => answer,
    }
}

/// Several files that are read together.
#[derive(Debug, Args)]
pub(crate) struct GraphsArgs {
    /// The graphs, .varvite files of one kind
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

    /// Each file, to be opened.
    pub(crate) fn each(&self) -> impl Iterator<Item = GraphArgs> + '_ {
        self.files.iter().map(|file| GraphArgs {
            file: file.clone(),
            buffered: self.buffered,
            checked: self.checked,
        })
    }
}

/// The format of an answer.
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

/// The form of a listing: its columns, their order, and the number of rows.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) columns: ColumnArgs,
    /// Sort by these columns, shown or not: numbers ascending, texts by their bytes, rows without a value
    /// last. Sorting holds all rows in memory, within --memory
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
    /// The same, within the limits of a task: memory for sorting, threads that write rows.
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
    /// Work on so many threads.
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
    /// Start threads whether they pay or not: for tests, whose graphs are small
    #[arg(long, hide = true)]
    eager_threads: bool,
    /// Report rows, time and bytes of each step on standard error
    #[arg(long)]
    profile: bool,
}

impl RunArgs {
    /// The same, as the engine has it. Columns that are decoded by now, which the query pins, leave less for
    /// the rest.
    pub(crate) fn options(&self, graph: &Graph) -> Options {
        let task = self.memory.limit(self.threads.task(), graph);
        let Self { profile, eager_threads, .. } = *self;
        Options { eager_threads, profile, ..Options::from(task) }
    }

    /// Reports the time and rows of each step, if the caller requested a report.
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
    /// The number of graphs that share it.
    #[arg(skip = 1usize)]
    graphs: usize,
}

impl MemoryArgs {
    /// The limits of a command that works on the caller's thread, with the memory that the graph leaves.
    pub(crate) fn task(&self, graph: &Graph) -> Task<'static> {
        self.limit(Task::new().threads(1), graph)
    }

    /// The same task with the memory that the graph leaves.
    fn limit(&self, task: Task<'static>, graph: &Graph) -> Task<'static> {
        let task = if self.memory.is_some() || self.graphs > 1 { task.memory(self.bytes()) } else { task };
        graph.task_beside(task)
    }

    /// The share of each of several graphs.
    pub(crate) fn divided(&self, graphs: usize) -> Self {
        Self { memory: self.memory, graphs }
    }

    /// The limit for all that the process has in memory, in bytes: if one was given that has room for a
    /// process.
    fn of_process(&self) -> Option<usize> {
        self.memory.filter(|bytes| *bytes as u64 >= PROCESS_MIN)
    }

    /// In bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.memory.unwrap_or_else(varvite::Budget::default_bytes) / self.graphs
    }
}

/// The limit on the plain length of a compressed foreign file, as a multiple of its own length.
#[derive(Debug, Args)]
pub(crate) struct ExpansionArgs {
    /// Decompressed bytes allowed per compressed byte of a foreign file. Up to 64 MiB are always allowed; a
    /// file that exceeds both limits is refused
    #[arg(long, value_name = "N", default_value_t = Expansion::RATIO, value_parser = clap::value_parser!(u64).range(1..))]
    expansion: u64,
}

impl ExpansionArgs {
    /// The same, as readers have it.
    pub(crate) fn expansion(&self) -> Expansion {
        Expansion::new(self.expansion)
    }
}

/// A size in bytes; K, M, G and T stand for powers of 1024.
pub(crate) fn parse_size(words: &str) -> Result<usize, String> {
    let letters = ['K', 'M', 'G', 'T'];
    let letter = letters.iter().position(|letter| words.to_ascii_uppercase().ends_with(*letter));
    let digits = if letter.is_some() { &words[..words.len() - 1] } else { words };
    let shift = letter.map_or(0, |letter| 10 * (letter + 1));
    let bytes = digits.parse::<usize>().ok().and_then(|number| number.checked_mul(1 << shift));
    bytes.ok_or_else(|| "expected a number of bytes, such as 4096, 64M or 2G".to_owned())
}

/// The plan that a query is.
#[derive(Debug, Args)]
pub(crate) struct PlanArgs {
    /// The plan, a JSON file as described in docs/plan.md; - for standard input
    #[arg(value_name = "PLAN")]
    plan: PathBuf,
    /// Value of a parameter of the plan, without quotes; repeat the option for each value of a list
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_param)]
    param: Vec<(String, String)>,
}

/// A name and a value, which may have further `=` in it.
fn parse_param(words: &str) -> Result<(String, String), String> {
    let pair = words.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
    pair.ok_or_else(|| "expected NAME=VALUE".to_owned())
}

/// Most bytes of the text of a plan, the limit of the engine.
const PLAN_TEXT_MAX: u64 = 256 << 20;
/// The least memory limit for reading and compiling a plan, if the budget is smaller: the budget is for
/// memory that grows with the graph.
const PLAN_MEMORY_MIN: usize = 1 << 20;
/// Bytes that are read at a time.
const READ_BYTES: usize = 1 << 16;

impl PlanArgs {
    /// Reads the plan and compiles it for a graph, within a budget in bytes.
    pub(crate) fn compile(&self, graph: &Graph, memory_bytes: usize) -> Result<Plan, Failure> {
        let budget = Budget::new(memory_bytes.max(PLAN_MEMORY_MIN));
        self.pipeline(&budget)
            .and_then(|pipeline| Ok(pipeline.compile_within(graph, &Cancel::default(), &budget)?))
            .map_err(|failure| self.at_fault(failure))
    }

    fn pipeline(&self, budget: &Budget) -> Result<Pipeline, Failure> {
        let params = self.param.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let (text, _bytes) = self.read(budget)?;
        match self.param.is_empty() {
            true => Ok(Pipeline::from_json_within(&text, budget)?),
            false => Ok(Template::from_json_within(&text, budget)?.bind_texts(params)?),
        }
    }

    /// Says of a failure of a query which plan it is about.
    pub(crate) fn at_fault(&self, failure: Failure) -> Failure {
        match failure {
            Failure::Query(failure) => Failure::Query(Box::new(failure.of_plan(self.name()))),
            other => other,
        }
    }

    fn name(&self) -> String {
        if self.is_stdin() { "standard input".into() } else { self.plan.display().to_string() }
    }

    fn is_stdin(&self) -> bool {
        self.plan.as_os_str() == "-"
    }

    /// The text, with its bytes of the budget.
    fn read(&self, budget: &Budget) -> Result<(String, Reserved), Failure> {
        let unreadable = |error| Failure::source(Path::new(&self.name()), format!("cannot be read: {error}"));
        let input: Box<dyn Read> = match self.is_stdin() {
            true => Box::new(std::io::stdin().lock()),
            false => Box::new(File::open(&self.plan).map_err(unreadable)?),
        };
        let over = |error: OverBudget| Failure::from(PipelineError::from(error));
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
        // The engine reports that a longer one is too long.
        let text = String::from_utf8(text);
        let not_utf8 = |error| {
            let text = format!("it is not UTF-8: {error}");
            unreadable(io::Error::new(io::ErrorKind::InvalidData, text))
        };
        Ok((text.map_err(not_utf8)?, bytes))
    }
}
