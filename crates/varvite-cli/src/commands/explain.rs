//! `varvite explain`: shows how a plan would be run on a graph.

use clap::Args;
use varvite::{Budget, Graph};

use crate::arguments::{GraphArgs, OutputArgs, PlanArgs};
use crate::explanation;
use crate::failure::Outcome;

/// Arguments of `varvite explain`.
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    graph: GraphArgs,
    #[command(flatten)]
    plan: PlanArgs,
    #[command(flatten)]
    format: OutputArgs,
}

/// Shows the operator of each step, and the expected number of rows. Reads no values.
pub(crate) fn run(args: &ExplainArgs) -> Outcome {
    args.graph.ask(|graph| answer(args, graph))
}

fn answer(args: &ExplainArgs, graph: &Graph) -> Outcome {
    explanation::show(&args.plan.compile(graph, Budget::default_bytes())?.explain(), args.format.format)
}
