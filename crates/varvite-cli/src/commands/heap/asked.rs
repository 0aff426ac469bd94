//! Arguments that several subcommands of `varvite heap` share: the graph or profile file, and the name of the
//! profile.

use std::path::{Path, PathBuf};

use clap::Args;
use varvite::Graph;
use varvite_import::Expansion;
use varvite_profile::layer::{At, HeapLayer, Names};
use varvite_profile::{Limits, ProfileSource};

use crate::arguments::{AccessArgs, ExpansionArgs, GraphArgs, MemoryArgs};
use crate::commands::import::GRAPH_START;
use crate::commands::import_profile::{SATURATED, note_damage};
use crate::commands::profile_words::{ProfileWord, RootsWord};
use crate::failure::Failure;
use crate::output::remark;

/// The beginnings of files for which opening them as a graph has better advice: graphs, also if they were
/// copied as text, files of Joern, and archives.
const KNOWN_STARTS: [&[u8]; 5] = [GRAPH_START, b"\x89VAR", b"FLT GRPH", b"H:2", b"PK"];

/// A file with a profile, for commands that do not need a graph.
#[derive(Debug, Args)]
pub(super) struct AnyFileArgs {
    /// The profile: a graph that has one, or a profile file
    file: PathBuf,
    #[command(flatten)]
    access: AccessArgs,
}

/// The first argument of a command, which is the file with the profile.
pub(super) trait FileArgs: Args {
    fn path(&self) -> &Path;

    /// The arguments for opening the file as a graph.
    fn graph(&self) -> GraphArgs;
}

impl FileArgs for AnyFileArgs {
    fn path(&self) -> &Path {
        &self.file
    }

    fn graph(&self) -> GraphArgs {
        GraphArgs::with_access(&self.file, self.access)
    }
}

impl FileArgs for GraphArgs {
    fn path(&self) -> &Path {
        &self.file
    }

    fn graph(&self) -> GraphArgs {
        self.at(&self.file)
    }
}

/// The profile: its file (of the type `F`), and its name in a graph.
#[derive(Debug, Args)]
pub(super) struct ProfileArgs<F: FileArgs = AnyFileArgs> {
    #[command(flatten)]
    file: F,
    /// Profile to use if the graph has several: the --name of its import, or its layer, such as cpu [default:
    /// one that has the requested measure, heap profiles first]
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    name: String,
    #[command(flatten)]
    limits: ReadArgs,
}

/// The format of a profile file, and the limits for reading it.
#[derive(Debug, Args)]
pub(super) struct ReadArgs {
    /// Format of a profile file [default: the format that fits nine of ten lines at its beginning]
    #[arg(long, value_enum, value_name = "FORMAT")]
    input_format: Option<ProfileWord>,
    /// Show the process, or process and thread, above the outermost calls; only for files of perf script
    #[arg(long, value_enum, value_name = "WHAT")]
    roots: Option<RootsWord>,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    expansion: ExpansionArgs,
}

/// The moments of the run that an answer is about.
#[derive(Debug, Args)]
pub(super) struct AtArgs {
    /// Show the heap at the end of this millisecond of the run: the bytes in use at that moment, and the
    /// calls up to it. The word peak means the moment with the most bytes in use. Needs a graph whose profile
    /// was imported with --events
    #[arg(long, value_name = "MS", value_parser = parse_at)]
    at: Option<At>,
    /// Subtract the heap at this earlier millisecond: show only the growth since then
    #[arg(long, value_name = "MS", value_parser = parse_at, requires = "at")]
    since: Option<At>,
}

impl AtArgs {
    /// Whether a moment was requested.
    pub(super) fn is_given(&self) -> bool {
        self.at.is_some()
    }
}

fn parse_at(word: &str) -> Result<At, String> {
    match word {
        "peak" => Ok(At::Peak),
        word => word.parse().map(At::Ms).map_err(|_| "expected a number of milliseconds, or peak".to_owned()),
    }
}

impl<F: FileArgs> ProfileArgs<F> {
    /// The path of the graph or profile.
    pub(super) fn file(&self) -> &Path {
        self.file.path()
    }

    /// Opens the profile, and calls `answer` with it and, if the profile is in a graph, with the graph. If
    /// several profiles match the arguments, one that has `measure` is used.
    pub(super) fn ask<T>(
        &self,
        measure: Option<&str>,
        answer: impl FnOnce(Option<&Graph>, &HeapLayer) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let Self { file, name, limits } = self;
        let graph = file.graph();
        match limits.profile_at(&graph.file)? {
            Some(source) => answer(None, &read(source, name, limits)?),
            None => {
                let memory = &limits.memory;
                graph.ask_within(memory, |opened| {
                    answer(Some(opened), &open((&graph.file, opened), name, measure, memory)?)
                })
            }
        }
    }

    /// The maximum ratio of the length of an answer to that of the profile.
    pub(super) fn expansion(&self) -> Expansion {
        self.limits.expansion.expansion()
    }

    /// Calls `answer` as [`Self::ask`] does, but if a moment was requested, with the profile at this moment.
    pub(super) fn ask_at<T>(
        &self,
        AtArgs { at, since }: &AtArgs,
        measure: Option<&str>,
        answer: impl FnOnce(Option<&Graph>, &HeapLayer) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let Some(at) = *at else { return self.ask(measure, answer) };
        let Self { file, name, limits } = self;
        let graph = file.graph();
        let memory = &limits.memory;
        if limits.profile_at(&graph.file)?.is_some() {
            return Err(self.without_events());
        }
        // A profile at a moment always has the same measures, so no measure is needed to choose the profile.
        graph.ask_within(memory, |graph| {
            let layer = open((self.file(), graph), name, None, memory)?;
            let layer =
                layer.at(graph, *since, at).map_err(|error| Failure::layer_read(self.file(), error))?;
            answer(Some(graph), &layer)
        })
    }

    /// The error if a moment is requested for a profile file. Moments need stored events, which only a graph
    /// has.
    pub(super) fn without_events(&self) -> Failure {
        Failure::Usage(format!(
            "{} is a profile file, but moments need a graph with the profile's events: `varvite import \
             --into GRAPH PROFILE --events`",
            self.file().display()
        ))
    }

    /// Calls `answer` with the graph and the profile. If a moment was requested, this is the profile at that
    /// moment. Fails if the profile is not in a graph.
    pub(super) fn ask_graph<T>(
        &self,
        at: &AtArgs,
        measure: Option<&str>,
        answer: impl FnOnce(&Graph, &HeapLayer) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.ask_at(at, measure, |graph, layer| match graph {
            Some(graph) => answer(graph, layer),
            None => Err(Failure::Usage(format!(
                "{} is a profile file without code; `varvite import --into GRAPH PROFILE` joins it to the \
                 graph of its program",
                self.file().display()
            ))),
        })
    }
}

/// Opens a profile in a graph, or in a profile file.
pub(super) fn open_any(
    graph: &GraphArgs,
    name: &str,
    measure: Option<&str>,
    limits: &ReadArgs,
) -> Result<HeapLayer, Failure> {
    let memory = &limits.memory;
    match limits.profile_at(&graph.file)? {
        Some(source) => read(source, name, limits),
        None => graph.ask_within(memory, |opened| open((&graph.file, opened), name, measure, memory)),
    }
}

impl ReadArgs {
    /// Opens a file if it is a profile. `None` if it is not a profile or can't be read; in the latter case,
    /// opening the file as a graph will fail with the reason.
    fn profile_at(&self, path: &Path) -> Result<Option<ProfileSource>, Failure> {
        match ProfileSource::open(path) {
            Ok(source) if self.is_profile(&source) => Ok(Some(source)),
            Ok(source) if source.is_stream() => Err(Failure::source(
                path,
                "this pipe contains no profile; a graph must be a regular file".to_owned(),
            )),
            Ok(source) if !KNOWN_STARTS.iter().any(|start| source.begins_with(start)) => Err(Failure::source(
                path,
                "neither a graph nor a profile whose format is known: give a file of heaptrack, perf script or \
                 pprof, collapsed stacks or a speedscope document, or say its --input-format"
                    .to_owned(),
            )),
            _ => Ok(None),
        }
    }

    /// Whether a file is a profile. With `--input-format`, every file except a graph is taken for a profile.
    fn is_profile(&self, source: &ProfileSource) -> bool {
        source.is_profile() || self.input_format.is_some() && !source.begins_with(GRAPH_START)
    }
}

/// Reads a profile file.
fn read(source: ProfileSource, name: &str, limits: &ReadArgs) -> Result<HeapLayer, Failure> {
    let path = source.path().to_owned();
    if !name.is_empty() {
        return Err(Failure::Usage(format!(
            "{} is a profile file, which has no names; leave out --name {name:?}",
            path.display()
        )));
    }
    let failure = |source| Failure::Profile { file: path.clone(), source };
    let form = limits.input_format.map(ProfileWord::format);
    let (memory_bytes, expansion) = (limits.memory.bytes(), limits.expansion.expansion());
    let limits = Limits { memory_bytes, expansion, roots: RootsWord::roots(limits.roots) };
    let (profile, _) = source.read(form, &limits).map_err(failure)?;
    note_damage(&profile.noticed, &path);
    HeapLayer::of_profile(&profile, &limits).map_err(failure)
}

/// Opens a profile in a graph.
fn open(
    (file, graph): (&Path, &Graph),
    name: &str,
    measure: Option<&str>,
    memory: &MemoryArgs,
) -> Result<HeapLayer, Failure> {
    let all = HeapLayer::names_in(graph);
    let of_layer = |names: &&Names| names.layer == name;
    let mut fitting: Vec<&Names> = all.iter().filter(of_layer).collect();
    if fitting.is_empty() {
        fitting = all.iter().filter(|names| names.name == name).collect();
        fitting.sort_by_key(|names| names.kind);
    }
    let counts =
        |names: &&&Names| measure.is_some_and(|it| HeapLayer::measures_in(graph, names).find(it).is_some());
    match fitting.iter().find(counts).or(fitting.first()) {
        Some(names) => {
            let limits = Limits { memory_bytes: memory.task(graph).memory_bytes(), ..Limits::default() };
            let layer =
                HeapLayer::open(graph, names, &limits).map_err(|error| Failure::layer_read(file, error))?;
            if layer.is_saturated() {
                remark(&format!("{}: layer {}: {SATURATED}", file.display(), names.layer));
            }
            Ok(layer)
        }
        None => Err(missing(name, &all)),
    }
}

fn missing(name: &str, all: &[Names]) -> Failure {
    let known: Vec<&str> = all.iter().map(|names| names.layer.as_str()).collect();
    Failure::Usage(match (known.as_slice(), name) {
        ([], _) => "the graph has no profile; `varvite import --into GRAPH PROFILE` adds one".to_owned(),
        (known, "") => {
            format!("the graph has only named profiles: {}; choose one with --name", known.join(", "))
        }
        (known, name) => format!("the graph has no profile {name:?}; it has {}", known.join(", ")),
    })
}
