//! `varvite explain`: how a plan would be run on a graph.

use clap::Args;
use varvite::Graph;
use varvite::pipeline::Explanation;

use crate::arguments::{GraphArgs, OutputArgs, PlanArgs};
use crate::failure::Outcome;
use crate::output::{Column, Format, Rows, write_text};

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

/// Shows what becomes of each step, and how many rows are expected. Reads no values.
pub(crate) fn run(args: &ExplainArgs) -> Outcome {
    args.graph.ask(|graph| answer(args, graph))
}

fn answer(args: &ExplainArgs, graph: &Graph) -> Outcome {
    show(&args.plan.compile(graph)?.explain(), args.format.format)
}

/// Writes an explanation to standard output: a line or a row for each operator.
pub(crate) fn show(explanation: &Explanation, format: Format) -> Outcome {
    if format == Format::Table {
        return write_text(&explanation.to_string());
    }
    let titles = [
        Column::text("step"),
        Column::number("depth"),
        Column::text("operator"),
        Column::number("rows_expected"),
    ];
    let mut rows = Rows::begin(format, titles.into())?;
    for line in &explanation.lines {
        let operator = line.operator.as_str().into();
        rows.push(vec![line.name().into(), line.depth.into(), operator, line.rows_expected.into()])?;
    }
    rows.finish()
}
