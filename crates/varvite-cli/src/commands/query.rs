//! `varvite query`: runs a plan, the form of pipelines that `docs/plan.md` describes.

use clap::Args;
use varvite::Graph;

use crate::arguments::{GraphArgs, OutputArgs, PlanArgs, RunArgs};
use crate::failure::{Failure, Outcome};
use crate::view::{View, rows_of};

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
    /// Show what passes the step `side` of this name, instead of the results
    #[arg(long, value_name = "NAME")]
    side: Option<String>,
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
    args.graph.ask_within(&args.run.memory, |graph| answer(args, graph))
}

fn answer(args: &QueryArgs, graph: &Graph) -> Outcome {
    let plan = args.plan.compile(graph)?;
    let side = args.side.as_deref();
    // What is shown is opened first: it is a part of the budget too, and a run that nobody asks for rows costs nothing.
    let view = {
        let run = plan.run(args.run.options(graph));
        let rows = rows_of(&run, side);
        let rows = rows.ok_or_else(|| Failure::Usage("--side names no step `side` of the plan".into()))?;
        View::of_rows(graph, &rows, &args.columns)?
    };
    let mut run = plan.run(args.run.options(graph));
    let limit = args.limit.unwrap_or(u64::MAX);
    let outcome = view.show(graph, &mut run, side, (args.format.format, limit));
    args.run.report(&run);
    outcome.map_err(|failure| args.plan.at_fault(failure))
}
