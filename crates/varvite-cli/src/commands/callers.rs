//! `varvite callers`: shows the calls that may reach a METHOD.

use clap::Args;
use varvite::Graph;
use varvite_cpg::calls_of;
use varvite_show::{Field, Layout, Listing, methods_at};

use crate::arguments::{GraphArgs, ListArgs, MemoryArgs};
use crate::failure::Outcome;
use crate::output::{Cell, Format, note_places, sink};

/// Arguments of `varvite callers`.
#[derive(Debug, Args)]
pub(crate) struct CallersArgs {
    #[command(flatten)]
    graph: GraphArgs,
    /// The METHOD, by FULL_NAME, NAME, id or line, such as inflate.c:500; a name may select several.
    /// '~mem(cpy|set)' is a regular expression that must match a whole NAME or FULL_NAME
    method: String,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    list: ListArgs,
}

/// Shows each call, the METHOD that contains the call, and the call's location.
pub(crate) fn run(args: &CallersArgs) -> Outcome {
    args.graph.ask_within(&args.memory, |graph| answer(args, graph))
}

fn answer(args: &CallersArgs, graph: &Graph) -> Outcome {
    let calls = calls_of(graph, &methods_at(graph, &args.method)?)?;
    let mut layout = layout(graph, args.list.format.format);
    let mut listing = Listing::begin(sink(), &mut layout, args.list.selection(&args.memory.task(graph)))?;
    for call in calls {
        if listing.is_full() {
            break;
        }
        listing.push(&[Some(call)], |_| Cell::Null)?;
    }
    Ok(listing.finish().map(note_places)?)
}

/// The column `caller` shows the METHOD that contains the call.
fn layout(graph: &Graph, format: Format) -> Layout<'_> {
    let layout = Layout::new(graph, &[""]).lead_with_field(0, Field::Node);
    let layout = layout.show_method(0, "caller");
    match format {
        Format::Table => layout.show_fields(0, &[Field::Location]).show_property(0, "CODE", "code"),
        _ => {
            let layout = layout.show_fields(0, &[Field::File, Field::Line]);
            layout.show_property(0, "CODE", "code").show_fields(0, &[Field::Method])
        }
    }
}
