//! `varvite drop-layer`: drops layers from a graph.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use varvite::Task;
use varvite::write::drop_layers;

use crate::arguments::OutputArgs;
use crate::disk::WriteArgs;
use crate::failure::{Failure, Outcome, reported};
use crate::output::{Summary, sized};
use crate::recovery;

/// Arguments of `varvite drop-layer`.
#[derive(Debug, Args)]
pub(crate) struct DropLayerArgs {
    /// The graph, a .varvite file. The command appends a commit; the bytes of the layers stay in the file
    /// until `varvite compact`
    file: PathBuf,
    /// Names of the layers, as `varvite layers` shows them: layers of properties, or layers that were added
    /// as a whole, such as by `varvite apply --layer`
    #[arg(required = true, value_name = "NAME")]
    layers: Vec<String>,
    #[command(flatten)]
    write: WriteArgs,
    #[command(flatten)]
    format: OutputArgs,
}

/// Drops layers, and reports the result.
pub(crate) fn run(args: &DropLayerArgs) -> Outcome {
    let began = Instant::now();
    let names: Vec<&str> = args.layers.iter().map(String::as_str).collect();
    recovery::warn_writer(&args.file);
    let file_len = drop_layers(args.write.disk(), &args.file, &names, &Task::new())
        .map_err(|error| Failure::from(error).of(&args.file))?;
    let seconds = began.elapsed().as_secs_f64();
    let file = args.file.to_string_lossy();
    let dropped = args.layers.join(", ");
    let sentence = format!("{file}: dropped {dropped}; {}, {seconds:.2} s", sized(file_len));
    let fields = vec![
        ("file", file.into()),
        ("dropped", args.layers.as_slice().into()),
        ("file_bytes", file_len.into()),
        ("seconds", seconds.into()),
    ];
    reported(&args.file, Summary { sentence, fields }.write(args.format.format))
}
