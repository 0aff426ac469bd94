//! `varvite callees`: shows the METHODs that a METHOD may call.

use clap::Args;
use varvite::Graph;
use varvite::error::optional;
use varvite_cpg::{callees_of, is_operator};
use varvite_show::{Field, Layout, Listing, methods_at};

use crate::arguments::{GraphArgs, ListArgs, MemoryArgs};
use crate::failure::Outcome;
use crate::output::{Column, Format, note_places, sink};

/// Arguments of `varvite callees`.
#[derive(Debug, Args)]
pub(crate) struct CalleesArgs {
    #[command(flatten)]
    graph: GraphArgs,
    /// The METHOD, by FULL_NAME, NAME, id or line, such as inflate.c:500; a name may select several.
    /// '~mem(cpy|set)' is a regular expression that must match a whole NAME or FULL_NAME
    method: String,
    /// Include operators, which are METHODs such as <operator>.assignment
    #[arg(long)]
    operators: bool,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    list: ListArgs,
}

/// Shows each METHOD that may be called, the number of the calls, and the METHOD's location.
pub(crate) fn run(args: &CalleesArgs) -> Outcome {
    args.graph.ask_within(&args.memory, |graph| answer(args, graph))
}

fn answer(args: &CalleesArgs, graph: &Graph) -> Outcome {
    let callees = callees_of(graph, &methods_at(graph, &args.method)?)?;
    let names = optional(graph.property("FULL_NAME"))?;
    let mut layout = layout(graph, args.list.format.format);
    let mut listing = Listing::begin(sink(), &mut layout, args.list.selection(&args.memory.task(graph)))?;
    for (callee, calls) in callees {
        let name = names.as_ref().and_then(|names| names.str(callee));
        if listing.is_full() {
            break;
        }
        if args.operators || !name.is_some_and(|name| is_operator(&name)) {
            listing.push(&[Some(callee)], |_| calls.into())?;
        }
    }
    Ok(listing.finish().map(note_places)?)
}

/// The node of each row is a METHOD. The column `callee` shows the name of this METHOD.
fn layout(graph: &Graph, format: Format) -> Layout<'_> {
    let layout = Layout::new(graph, &[""]).lead_with_field(0, Field::Node);
    let layout = layout.show_method(0, "callee").show_own(Column::number("calls"));
    match format {
        Format::Table => layout.show_fields(0, &[Field::Location]),
        _ => layout.show_fields(0, &[Field::File, Field::Line, Field::Method]),
    }
}
