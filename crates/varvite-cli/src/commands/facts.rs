//! `varvite facts`: prints counts and sums that are equal for equal graphs, whichever program wrote the
//! graphs.

use clap::Args;
use varvite::{Graph, Task};
use varvite_cpg::Facts;

use crate::arguments::{GraphArgs, MemoryArgs, OutputArgs};
use crate::failure::{Failure, Outcome};
use crate::output::{Format, write_document};
use crate::progress::Progress;

/// Arguments of `varvite facts`.
#[derive(Debug, Args)]
pub(crate) struct FactsArgs {
    #[command(flatten)]
    graph: GraphArgs,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    format: OutputArgs,
}

/// Prints the facts, always as JSON.
pub(crate) fn run(args: &FactsArgs) -> Outcome {
    if args.format.format == Format::Csv {
        return Err(Failure::Usage("facts has no csv format; use --format json".to_owned()));
    }
    args.graph.ask_within(&args.memory, |graph| answer(args, graph))
}

fn answer(args: &FactsArgs, graph: &Graph) -> Outcome {
    let facts = {
        let bar = Progress::steps();
        Facts::of(graph, &Task::new().progress(|progress| bar.show(progress)))?
    };
    Ok(write_document(&facts.to_json(), args.format.format)?)
}
