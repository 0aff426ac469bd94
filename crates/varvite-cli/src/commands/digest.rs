//! `varvite digest`: one hash over what a graph means, equal for equal graphs however they are stored.

use clap::Args;
use varvite::{Digest, Graph};

use crate::arguments::{GraphArgs, MemoryArgs, OutputArgs, ThreadArgs};
use crate::failure::Outcome;
use crate::output::{Column, Format, Rows, write_document};
use crate::progress::Progress;

/// Arguments of `varvite digest`.
#[derive(Debug, Args)]
pub(crate) struct DigestArgs {
    #[command(flatten)]
    graph: GraphArgs,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    format: OutputArgs,
}

/// Shows the hash of each column, and the root over them.
pub(crate) fn run(args: &DigestArgs) -> Outcome {
    args.graph.ask_within(&args.memory, |graph| answer(args, graph))
}

fn answer(args: &DigestArgs, graph: &Graph) -> Outcome {
    let digest = {
        let bar = Progress::steps();
        Digest::of(graph, &args.threads.task().progress(|progress| bar.show(progress)))?
    };
    let format = args.format.format;
    if format == Format::Json {
        return Ok(write_document(&digest.to_json(), format)?);
    }
    let mut rows = Rows::begin(format, vec![Column::text("hash"), Column::text("column")])?;
    let columns = digest.columns.iter().map(|column| (&column.hash, column.name.as_str()));
    for (hash, name) in columns.chain([(&digest.root, "root")]) {
        rows.push(vec![hash.to_string().into(), name.into()])?;
    }
    Ok(rows.finish()?)
}
