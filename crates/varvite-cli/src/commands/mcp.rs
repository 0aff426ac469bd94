//! `varvite mcp`: a server for agents, on standard input and output.

use std::io;
use std::time::Duration;

use clap::Args;
use varvite_mcp::{Limits, NamedGraph, serve};

use crate::arguments::{GraphArgs, GraphsArgs, MemoryArgs, checked, graph_names};
use crate::failure::{Failure, Outcome};

/// Arguments of `varvite mcp`.
#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    #[command(flatten)]
    graphs: GraphsArgs,
    #[command(flatten)]
    memory: MemoryArgs,
    /// Time limit of each call, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    deadline: u64,
}

/// Answers a client until it closes standard input. The graphs are read only, and stay as they are now: a
/// later commit is not seen.
pub(crate) fn run(args: &McpArgs) -> Outcome {
    let files: Vec<GraphArgs> = args.graphs.each().collect();
    let memory = args.memory.divided(files.len());
    let names = graph_names(files.iter().map(|graph| graph.file.as_path()));
    let open = |(graph, name): (&GraphArgs, String)| {
        let graph = graph.open_within(&memory)?;
        checked(&graph, Ok(()))?;
        Ok(NamedGraph::new(name, graph))
    };
    let graphs = files.iter().zip(names).map(open).collect::<Result<Vec<_>, Failure>>()?;
    let limits = Limits { memory: memory.requested(), deadline: Duration::from_secs(args.deadline) };
    Ok(serve(graphs, limits, io::stdin(), io::stdout())?)
}
