//! What all questions about a profile have in common: the graph, and the profile in it.

use std::path::Path;

use clap::Args;
use varvite::Graph;
use varvite_profile::layer::{HeapLayer, Names};
use varvite_profile::{Limits, is_profile};

use crate::arguments::{GraphArgs, MemoryArgs};
use crate::commands::import_profile::note_damage;
use crate::failure::Failure;

/// The profile: in a graph, or in a file of its own.
#[derive(Debug, Args)]
pub(super) struct ProfileArgs {
    #[command(flatten)]
    graph: GraphArgs,
    /// The profile, if it was imported with --name, or its layer, such as cpu [default: the one that has the measure, heap first]
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    name: String,
    #[command(flatten)]
    memory: MemoryArgs,
}

impl ProfileArgs {
    /// The file.
    pub(super) fn file(&self) -> &Path {
        &self.graph.file
    }

    /// Opens the profile, with its graph if it has one, and lets `answer` work. Of several that the words fit, the one that counts
    /// `measure` is meant.
    pub(super) fn ask<T>(
        &self,
        measure: Option<&str>,
        answer: impl FnOnce(Option<&Graph>, &HeapLayer) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let Self { graph, name, memory } = self;
        match is_profile(&graph.file) {
            true => answer(None, &read(&graph.file, name, memory)?),
            false => graph.ask_within(memory, |graph| answer(Some(graph), &open(graph, name, measure)?)),
        }
    }

    /// The same for questions that only a graph can answer.
    pub(super) fn ask_graph<T>(
        &self,
        measure: Option<&str>,
        answer: impl FnOnce(&Graph, &HeapLayer) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.ask(measure, |graph, layer| match graph {
            Some(graph) => answer(graph, layer),
            None => Err(Failure::Usage(format!(
                "{} is a profile without code: `varvite import --into GRAPH PROFILE` joins it to a graph of that",
                self.file().display()
            ))),
        })
    }
}

/// A profile of a graph, or of a file of its own.
pub(super) fn open_any(
    graph: &GraphArgs,
    name: &str,
    measure: Option<&str>,
    memory: &MemoryArgs,
) -> Result<HeapLayer, Failure> {
    match is_profile(&graph.file) {
        true => read(&graph.file, name, memory),
        false => graph.ask_within(memory, |graph| open(graph, name, measure)),
    }
}

/// Reads a file of its own.
fn read(path: &Path, name: &str, memory: &MemoryArgs) -> Result<HeapLayer, Failure> {
    if !name.is_empty() {
        return Err(Failure::Usage(format!("{} is no graph: it has no profile {name:?}", path.display())));
    }
    let failure = |source| Failure::Profile { file: path.to_owned(), source };
    let limits = Limits { memory_bytes: memory.bytes() };
    let profile = varvite_profile::open(path, None, &limits).map_err(failure)?;
    note_damage(&profile.noticed, path);
    HeapLayer::of_profile(&profile, &limits).map_err(failure)
}

/// Opens a profile of a graph.
fn open(graph: &Graph, name: &str, measure: Option<&str>) -> Result<HeapLayer, Failure> {
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
        Some(names) => Ok(HeapLayer::open(graph, names)?),
        None => Err(missing(name, &all)),
    }
}

fn missing(name: &str, all: &[Names]) -> Failure {
    let known: Vec<&str> = all.iter().map(|names| names.layer.as_str()).collect();
    Failure::Usage(match (known.as_slice(), name) {
        ([], _) => {
            "the graph has no heap profile, nor another; `varvite import --into GRAPH PROFILE` adds one"
                .to_owned()
        }
        (known, "") => {
            format!("the graph has profiles with names: {}; say which with --name", known.join(", "))
        }
        (known, name) => format!("the graph has no profile {name:?}, but: {}", known.join(", ")),
    })
}
