//! What all questions about a profile have in common: the graph, the profile in it, and what is counted.

use std::io;
use std::path::Path;

use clap::{Args, ValueEnum};
use serde_json::Value as Json;
use varvite::Graph;
use varvite_profile::layer::{HeapLayer, Measure};
use varvite_profile::{Counts, Limits, Totals, heaptrack};

use crate::arguments::{GraphArgs, MemoryArgs};
use crate::commands::import_profile::{is_profile, note_damage};
use crate::failure::Failure;
use crate::output::{Column, counted, megabytes, thousands, write_text};

/// The profile: in a graph, or in a file of its own.
#[derive(Debug, Args)]
pub(super) struct ProfileArgs {
    #[command(flatten)]
    graph: GraphArgs,
    /// The profile, if it was imported with --name
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

    /// Opens the profile, with its graph if it has one, and lets `answer` work.
    pub(super) fn ask<T>(
        &self,
        answer: impl FnOnce(Option<&Graph>, &HeapLayer) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let Self { graph, name, memory } = self;
        match is_profile(&graph.file) {
            true => answer(None, &read(&graph.file, name, memory)?),
            false => graph.ask_within(memory, |graph| answer(Some(graph), &open(graph, name)?)),
        }
    }

    /// The same for questions that only a graph can answer.
    pub(super) fn ask_graph<T>(
        &self,
        answer: impl FnOnce(&Graph, &HeapLayer) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.ask(|graph, layer| match graph {
            Some(graph) => answer(graph, layer),
            None => Err(Failure::Usage(format!(
                "{} is a profile without code: `varvite import --into GRAPH PROFILE` joins it to a graph of that",
                self.file().display()
            ))),
        })
    }
}

/// A profile of a graph, or of a file of its own.
pub(super) fn open_any(graph: &GraphArgs, name: &str, memory: &MemoryArgs) -> Result<HeapLayer, Failure> {
    match is_profile(&graph.file) {
        true => read(&graph.file, name, memory),
        false => graph.ask_within(memory, |graph| open(graph, name)),
    }
}

/// Reads a file of heaptrack.
fn read(path: &Path, name: &str, memory: &MemoryArgs) -> Result<HeapLayer, Failure> {
    if !name.is_empty() {
        return Err(Failure::Usage(format!("{} is no graph: it has no profile {name:?}", path.display())));
    }
    let failure = |source| Failure::Profile { file: path.to_owned(), source };
    let limits = Limits { memory_bytes: memory.bytes() };
    let profile = heaptrack::open(path, &limits).map_err(failure)?;
    note_damage(&profile.noticed, path);
    HeapLayer::of_profile(&profile, &limits).map_err(failure)
}

/// Opens a profile of a graph.
fn open(graph: &Graph, name: &str) -> Result<HeapLayer, Failure> {
    let names = HeapLayer::names_in(graph);
    match names.iter().any(|known| known == name) {
        true => Ok(HeapLayer::open(graph, name)?),
        false => Err(missing(name, &names)),
    }
}

fn missing(name: &str, names: &[String]) -> Failure {
    let known: Vec<&str> =
        names.iter().map(|name| if name.is_empty() { "(no name)" } else { name }).collect();
    Failure::Usage(match (known.as_slice(), name) {
        ([], _) => "the graph has no heap profile; `varvite import --into GRAPH PROFILE` adds one".to_owned(),
        (known, "") => {
            format!("the graph has profiles with names: {}; say which with --name", known.join(", "))
        }
        (known, name) => format!("the graph has no profile {name:?}, but: {}", known.join(", ")),
    })
}

/// What the most of comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum MeasureWord {
    /// Calls of functions that allocate
    #[default]
    Calls,
    /// Calls whose memory is given back before the next one
    Temporary,
    /// Bytes that were never given back
    Leaked,
    /// Bytes in use when the program used most
    Peak,
}

impl From<MeasureWord> for Measure {
    fn from(word: MeasureWord) -> Self {
        match word {
            MeasureWord::Calls => Self::Calls,
            MeasureWord::Temporary => Self::Temporary,
            MeasureWord::Leaked => Self::LeakedBytes,
            MeasureWord::Peak => Self::PeakBytes,
        }
    }
}

/// Columns of all that is counted, their names behind `prefix`.
pub(super) fn count_columns(prefix: &str) -> [Column; 4] {
    Measure::ALL.map(|measure| Column::number(format!("{prefix}{}", measure.name())))
}

/// What is in such columns.
pub(super) fn count_cells(counts: &Counts) -> [Json; 4] {
    Measure::ALL.map(|measure| measure.of(counts).into())
}

/// Says above a table what the run came to.
pub(super) fn write_totals(command: &str, totals: &Totals) -> io::Result<()> {
    let number = |number: i64| number.max(0) as u64;
    write_text(&format!(
        "{command}: {}, {} temporary, {} at the peak, {} leaked, {:.2} s",
        counted(number(totals.calls), "call"),
        thousands(number(totals.temporary)),
        megabytes(number(totals.peak_bytes)),
        megabytes(number(totals.leaked_bytes)),
        totals.runtime_ms as f64 / 1000.0
    ))
}
