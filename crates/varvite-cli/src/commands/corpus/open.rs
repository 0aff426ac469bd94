//! `varvite corpus open`: lists the graphs of a corpus.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::Args;
use varvite_corpus::{CorpusError, Event, Visit};
use varvite_format::FORMAT_VERSION;

use crate::arguments::{AccessArgs, MemoryArgs, OutputArgs, ThreadArgs};
use crate::failure::{Failure, Outcome};
use crate::files::{Failures, corpus_options};
use crate::output::{Cell, Column, Rows, begin_rows};
use crate::recovery;

/// Arguments of `varvite corpus open`.
#[derive(Debug, Args)]
pub(crate) struct OpenArgs {
    /// The graphs: a folder, or a quoted pattern such as 'corpus/**/*.varvite'
    #[arg(value_name = "DIR")]
    files: PathBuf,
    #[command(flatten)]
    access: AccessArgs,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    format: OutputArgs,
}

/// The facts of a file that the list shows.
struct Listed {
    nodes: u32,
    edges: u64,
    bytes: u64,
    version: u32,
    identity: String,
}

/// Opens each file, and lists them in order.
pub(crate) fn run(args: &OpenArgs) -> Outcome {
    let corpus = corpus_options(args.access, &args.memory).open(&args.files)?;
    let titles = [
        Column::text("graph").whole(),
        Column::number("nodes"),
        Column::number("edges"),
        Column::number("bytes"),
        Column::number("version"),
        Column::text("identity").whole(),
    ];
    let mut rows = begin_rows(args.format.format, titles.into())?;
    let (mut failures, mut outcome) = (Failures::new(false), Ok(()));
    let task = args.threads.task().memory(args.memory.bytes());
    let visited = corpus.visit(&task, listed, |file, event| {
        let path = corpus.files().get(file).map_or(Path::new(""), |file| file.path());
        outcome = match event {
            Event::Result(listed) => write(&mut rows, path, &listed).map_err(Failure::Output),
            Event::End(end) => failures.end(path, end),
        };
        if outcome.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    outcome?;
    rows.finish()?;
    visited.map_err(CorpusError::from)?;
    failures.report(&corpus)
}

fn listed(visit: &Visit<'_>, send: varvite_corpus::Send<'_, Listed>) -> Outcome {
    recovery::check(visit.graph.store())?;
    let bytes = std::fs::metadata(visit.path).map_or(0, |found| found.len());
    send(Listed {
        nodes: visit.graph.node_count(),
        edges: visit.graph.edge_count(),
        bytes,
        version: FORMAT_VERSION,
        identity: visit.graph.identity().to_string(),
    });
    Ok(())
}

fn write(rows: &mut Rows, path: &Path, listed: &Listed) -> std::io::Result<()> {
    let Listed { nodes, edges, bytes, version, identity } = listed;
    let path = path.to_string_lossy();
    let numbers: [Cell<'_>; 4] = [(*nodes).into(), (*edges).into(), (*bytes).into(), (*version).into()];
    rows.put(&Cell::from(&*path))?;
    numbers.iter().try_for_each(|number| rows.put(number))?;
    rows.put(&Cell::from(identity.as_str()))?;
    rows.end_row()
}
