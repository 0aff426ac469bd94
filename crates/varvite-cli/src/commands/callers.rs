//! `varvite callers`: the calls that may reach a METHOD.

use clap::Args;
use varvite::Graph;

use crate::arguments::{GraphArgs, OutputArgs};
use crate::failure::{Failure, Outcome};
use crate::names::{nodes_named, optional};
use crate::output::{Column, Rows, json_of};
use crate::sites::Sites;

/// Arguments of `varvite callers`.
#[derive(Debug, Args)]
pub(crate) struct CallersArgs {
    #[command(flatten)]
    graph: GraphArgs,
    /// NAME or FULL_NAME of the METHOD; of all of them, if several have that name
    name: String,
    #[command(flatten)]
    format: OutputArgs,
}

/// Shows each call, the METHOD it is in, and where.
pub(crate) fn run(args: &CallersArgs) -> Outcome {
    args.graph.ask(|graph| answer(args, graph))
}

fn answer(args: &CallersArgs, graph: &Graph) -> Outcome {
    let calls = calls_of(graph, &args.name)?;
    let sites = Sites::of(graph)?;
    let code = optional(graph.property("CODE"))?;
    let format = args.format.format;
    let mut columns = vec![Column::node(graph), Column::text("caller")];
    columns.extend(Sites::columns(format));
    columns.push(Column::text("code"));
    let mut rows = Rows::begin(format, columns)?;
    for call in calls {
        let method = sites.method_of(call);
        let mut cells = vec![call.into(), method.and_then(|method| sites.name_of(method)).into()];
        cells.extend(sites.cells(call, method, format));
        cells.push(json_of(code.as_ref().and_then(|code| code.get(call))));
        rows.push(cells)?;
    }
    rows.finish()
}

/// The calls that may reach the METHODs of a name, rising.
fn calls_of(graph: &Graph, name: &str) -> Result<Vec<u32>, Failure> {
    let sources = graph.in_("CALL")?;
    let methods = nodes_named(graph, "METHOD", name)?;
    let mut calls: Vec<u32> = methods.iter().flat_map(|method| sources.neighbors(*method)).collect();
    calls.sort_unstable();
    calls.dedup();
    Ok(calls)
}
