//! `varvite explore`: a page in the browser that shows graphs.

use std::thread;
use std::time::Duration;

use clap::Args;
use varvite_explorer::{Explorer, GraphFile, Limits};

use crate::arguments::{GraphArgs, GraphsArgs, MemoryArgs, checked, graph_names};
use crate::failure::{Failure, Outcome};
use crate::output::{note, remark, write_line};

/// Arguments of `varvite explore`.
#[derive(Debug, Args)]
pub(crate) struct ExploreArgs {
    #[command(flatten)]
    graphs: GraphsArgs,
    /// Map the files, which takes less memory for large graphs; a program that then writes over an open file,
    /// as cp does, ends the server
    #[arg(long, conflicts_with = "buffered")]
    mapped: bool,
    /// Port of 127.0.0.1 to listen on; 0 for any free port
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    /// Open the link in the browser
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    memory: MemoryArgs,
    /// Time limit of each question, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    deadline: u64,
    /// End after this number of seconds: for tests
    #[arg(long, value_name = "SECONDS", hide = true)]
    end_after: Option<u64>,
}

/// Prints the link of the page, and answers the page until the process is stopped. A file that cannot be
/// opened is shown as such on the page, if there are others.
pub(crate) fn run(args: &ExploreArgs) -> Outcome {
    let mode = |graph: GraphArgs| if args.mapped { graph } else { graph.without_mapping() };
    let files: Vec<GraphArgs> = args.graphs.each().map(mode).collect();
    let memory = args.memory.divided(files.len());
    let names = graph_names(files.iter().map(|graph| graph.file.as_path()));
    let opened = files.iter().zip(names).map(|(graph, name)| opened(graph, name, &memory));
    let opened = opened.collect::<Result<Vec<_>, Failure>>()?;
    let default = Limits::default();
    let limits = Limits {
        memory: memory.requested().map_or(default.memory, |memory| memory.min(default.memory)),
        deadline: Duration::from_secs(args.deadline),
    };
    let failed = |file: &GraphFile| file.error().map(|error| error.to_string());
    let failed: Vec<String> = opened.iter().filter_map(failed).collect();
    let explorer = Explorer::bind(opened, limits, args.port)?;
    failed.iter().for_each(|error| note(error));
    write_line(explorer.link()).map_err(Failure::Output)?;
    remark("the link works once; press Ctrl-C to stop");
    if args.open
        && let Err(error) = open::that_detached(explorer.link())
    {
        note(&format!("no browser could be started ({error}): open the link yourself"));
    }
    if let Some(seconds) = args.end_after {
        let stop = explorer.stopper();
        thread::spawn(move || {
            thread::sleep(Duration::from_secs(seconds));
            stop.stop();
        });
    }
    Ok(explorer.run()?)
}

/// Opens a graph, and fails if its newest commit was lost.
fn opened(graph: &GraphArgs, name: String, memory: &MemoryArgs) -> Result<GraphFile, Failure> {
    if let Ok(graph) = graph.open_within(memory) {
        checked(&graph, Ok(()))?;
    }
    let (options, path) = (graph.options_within(memory), graph.file.clone());
    Ok(GraphFile::open(name, &graph.file, move || options.open(&path)))
}
