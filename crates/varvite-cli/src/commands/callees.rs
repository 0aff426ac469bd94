//! `varvite callees`: the METHODs that a METHOD may call.

use std::collections::BTreeMap;

use clap::Args;
use varvite::Graph;

use crate::arguments::{GraphArgs, OutputArgs};
use crate::failure::{Failure, Outcome};
use crate::names::nodes_named;
use crate::output::{Column, Rows};
use crate::sites::Sites;

/// How the names of operators begin, which are METHODs in a code property graph.
const OPERATOR: &str = "<operator";

/// Arguments of `varvite callees`.
#[derive(Debug, Args)]
pub(crate) struct CalleesArgs {
    #[command(flatten)]
    graph: GraphArgs,
    /// NAME or FULL_NAME of the METHOD; of all of them, if several have that name
    name: String,
    /// Show operators too, which are METHODs such as <operator>.assignment
    #[arg(long)]
    operators: bool,
    #[command(flatten)]
    format: OutputArgs,
}

/// Shows each METHOD that is called, how often, and where it is.
pub(crate) fn run(args: &CalleesArgs) -> Outcome {
    args.graph.ask(|graph| answer(args, graph))
}

fn answer(args: &CalleesArgs, graph: &Graph) -> Outcome {
    let callees = callees_of(graph, &args.name)?;
    let sites = Sites::of(graph)?;
    let format = args.format.format;
    let mut columns = vec![Column::node(graph), Column::text("callee"), Column::number("calls")];
    columns.extend(Sites::columns(format));
    let mut rows = Rows::begin(format, columns)?;
    for (callee, calls) in callees {
        let name = sites.name_of(callee);
        if !args.operators && name.as_ref().is_some_and(|name| name.starts_with(OPERATOR)) {
            continue;
        }
        let mut cells = vec![callee.into(), name.into(), calls.into()];
        cells.extend(sites.cells(callee, Some(callee), format));
        rows.push(cells)?;
    }
    rows.finish()
}

/// The METHODs that those of a name may call, each with the number of calls.
fn callees_of(graph: &Graph, name: &str) -> Result<BTreeMap<u32, u64>, Failure> {
    let (contents, targets) = (graph.out("CONTAINS")?, graph.out("CALL")?);
    let mut callees = BTreeMap::new();
    for method in nodes_named(graph, "METHOD", name)? {
        for callee in contents.neighbors(method).flat_map(|node| targets.neighbors(node)) {
            *callees.entry(callee).or_default() += 1;
        }
    }
    Ok(callees)
}
