//! `varvite query`: runs a plan, the form of pipelines that `docs/plan.md` describes.

use clap::Args;
use varvite::Graph;
use varvite_show::{View, show};

use crate::arguments::{GraphArgs, ListArgs, PlanArgs, RunArgs};
use crate::failure::{Failure, Outcome};
use crate::output::{note_places, sink};

/// Arguments of `varvite query`.
#[derive(Debug, Args)]
pub(crate) struct QueryArgs {
    #[command(flatten)]
    graph: GraphArgs,
    #[command(flatten)]
    plan: PlanArgs,
    /// Show what passes the step `side` of this name, instead of the results
    #[arg(long, value_name = "NAME")]
    side: Option<String>,
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    list: ListArgs,
}

/// Runs the plan and shows its rows, as they come.
pub(crate) fn run(args: &QueryArgs) -> Outcome {
    args.graph.ask_within(&args.run.memory, |graph| answer(args, graph))
}

fn answer(args: &QueryArgs, graph: &Graph) -> Outcome {
    let plan = args.plan.compile(graph, args.run.memory.left_by(graph))?;
    let side = args.side.as_deref();
    // What is shown is opened first: it is a part of the budget too, and a run that nobody asks for rows costs nothing.
    let (view, layout) = {
        let run = plan.run(args.run.options(graph));
        let rows = side.map_or_else(|| run.rows(), |name| run.side(name));
        let rows = rows.ok_or_else(|| Failure::Usage("--side names no step `side` of the plan".into()))?;
        View::of_rows(graph, &rows, args.list.format.format)?
    };
    let options = args.run.options(graph);
    let selection = args.list.selection(options.memory_bytes, options.threads);
    let mut run = plan.run(options);
    let outcome = show(&view, layout, &mut run, side, sink(), selection).map(note_places);
    args.run.report(&run);
    outcome.map_err(|error| args.plan.at_fault(error.into()))
}
