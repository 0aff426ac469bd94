//! `varvite callers`: shows the calls that may reach a METHOD.

use clap::Args;
use varvite::{Graph, Task};
use varvite_cpg::calls_of;
use varvite_show::{Field, Layout, Listing, methods_at};

use crate::arguments::{ListArgs, MemoryArgs};
use crate::failure::Outcome;
use crate::files::{FilesArgs, Target};
use crate::output::{Cell, Format};

/// Arguments of `varvite callers`.
#[derive(Debug, Args)]
pub(crate) struct CallersArgs {
    #[command(flatten)]
    files: FilesArgs,
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
    let threads = Task::new().thread_count();
    args.files.ask(&args.memory, threads, &args.list, |graph, target| answer(args, graph, target))
}

fn answer(args: &CallersArgs, graph: &Graph, target: &Target<'_>) -> Outcome {
    let calls = calls_of(graph, &methods_at(graph, &args.method)?)?;
    let mut layout = layout(graph, args.list.format.format);
    let options = target.options(graph, || args.memory.task(graph).into());
    let selection = args.list.selection(&options.task);
    let mut listing = Listing::begin(target.sink(), &mut layout, selection)?;
    for call in calls {
        if listing.is_full() {
            break;
        }
        listing.push(&[Some(call)], |_| Cell::Null)?;
    }
    Ok(listing.finish().map(|shown| target.note(shown))?)
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
