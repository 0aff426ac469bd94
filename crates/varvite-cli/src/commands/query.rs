//! `varvite query`: runs a plan, which is a pipeline in JSON, as `docs/plan.md` describes it.
//!
//! The steps of a query:
//!
//! ```text
//! read     PlanArgs::read         the text of the plan, from its file or standard input
//! parse    PlanArgs::pipeline     a Pipeline: names instead of ids, with the parameters inserted
//! compile  PlanArgs::compile      a Plan for this graph: open columns and operators
//! columns  Plan::columns          the columns of rows; an Answer opens those that are shown
//! run      Plan::run              a Run, which gives batches of rows
//! write    Answer::write          text to standard output, batch by batch
//! ```

use clap::Args;
use varvite::Graph;
use varvite::pipeline::{Plan, PlanColumns};
use varvite_show::Answer;

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
    /// Show the rows at the step `side` of this name, instead of the results
    #[arg(long, value_name = "NAME")]
    side: Option<String>,
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    list: ListArgs,
}

/// Runs the plan, and shows its rows as they come.
pub(crate) fn run(args: &QueryArgs) -> Outcome {
    args.graph.ask_within(&args.run.memory, |graph| answer(args, graph))
}

fn answer(args: &QueryArgs, graph: &Graph) -> Outcome {
    let plan = args.plan.compile(graph, args.run.memory.task(graph).memory_bytes())?;
    let answer = Answer::of_columns(graph, args.columns(&plan)?, args.list.format.format)?;
    // The options are computed after the columns for the output were opened, since the memory of these
    // columns counts against the limit.
    let options = args.run.options(graph);
    let selection = args.list.selection(&options.task);
    let mut run = plan.run(options);
    let outcome = answer.write(&mut run, args.side.as_deref(), sink(), selection).map(note_places);
    args.run.report(&run);
    outcome.map_err(|error| args.plan.at_fault(error.into()))
}

impl QueryArgs {
    /// The columns of the requested rows.
    fn columns<'p>(&self, plan: &'p Plan) -> Result<PlanColumns<'p>, Failure> {
        let no_side = || Failure::Usage("the plan has no step `side` with the name given by --side".into());
        match &self.side {
            None => Ok(plan.columns()),
            Some(name) => plan.side_columns(name).ok_or_else(no_side),
        }
    }
}
