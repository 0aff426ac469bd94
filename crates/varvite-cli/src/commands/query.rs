//! `varvite query`: runs a plan, the form of pipelines that `docs/plan.md` describes.

use clap::Args;

use crate::arguments::{GraphArgs, OutputArgs, PlanArgs, RunArgs};
use crate::failure::Outcome;
use crate::view::View;

/// Arguments of `varvite query`.
#[derive(Debug, Args)]
pub(crate) struct QueryArgs {
    #[command(flatten)]
    graph: GraphArgs,
    #[command(flatten)]
    plan: PlanArgs,
    /// Stop after so many rows, whatever they are
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Of a plan that ends with nodes, the properties to show [default: NAME, FULL_NAME, FILENAME, LINE_NUMBER and CODE]
    #[arg(long, value_name = "A,B,..", value_delimiter = ',')]
    columns: Vec<String>,
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    format: OutputArgs,
}

/// Runs the plan and shows its rows, as they come.
pub(crate) fn run(args: &QueryArgs) -> Outcome {
    let graph = args.graph.open()?;
    let mut run = args.plan.compile(&graph)?.run(args.run.options());
    let view = View::of_run(&graph, &run, &args.columns)?;
    let outcome = view.show(&graph, &mut run, args.format.format, args.limit.unwrap_or(u64::MAX));
    args.run.report(&run);
    outcome.map_err(|failure| args.plan.at_fault(failure))?;
    Ok(graph.check()?)
}
