//! `varvite index`: lists, adds and drops indexes of properties.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use varvite::Graph;
use varvite::inspect::Info;
use varvite::write::{IndexChange, IndexesChanged, change_indexes};

use crate::arguments::{GraphArgs, OutputArgs, ThreadArgs};
use crate::disk::WriteArgs;
use crate::failure::{Failure, Outcome, reported};
use crate::output::{Column, Summary, begin_rows, sized};
use crate::progress::Progress;
use crate::recovery;

/// Arguments of `varvite index`.
#[derive(Debug, Args)]
pub(crate) struct IndexArgs {
    /// The graph, a .varvite file. With --add or --drop the command appends a commit; open readers keep their
    /// snapshot
    file: PathBuf,
    /// Add an index of these node properties, so that nodes with a given text are found without a scan
    #[arg(long, value_name = "NAME,FULL_NAME,..", value_delimiter = ',')]
    add: Vec<String>,
    /// Drop the indexes of these properties
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    drop: Vec<String>,
    #[command(flatten)]
    write: WriteArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    format: OutputArgs,
}

/// Adds and drops indexes, or lists them if no change is requested.
pub(crate) fn run(args: &IndexArgs) -> Outcome {
    if args.add.is_empty() && args.drop.is_empty() {
        return GraphArgs::mapped(&args.file).ask(|graph| list(args, graph));
    }
    let began = Instant::now();
    recovery::warn_writer(&args.file);
    let change = IndexChange { add: &args.add, drop: &args.drop };
    let changed = {
        let bar = Progress::steps();
        let task = args.threads.task().progress(|progress| bar.show(progress));
        change_indexes(args.write.disk(), &args.file, change, &task)
    };
    let IndexesChanged { file_len, indexed, .. } =
        changed.map_err(|error| Failure::from(error).of(&args.file))?;
    let summary = args.summary(&indexed, file_len, began.elapsed().as_secs_f64());
    reported(&args.file, summary.write(args.format.format))
}

fn list(args: &IndexArgs, graph: &Graph) -> Outcome {
    let titles =
        [Column::text("property"), Column::number("texts"), Column::number("nodes"), Column::number("bytes")];
    let mut rows = begin_rows(args.format.format, titles.into())?;
    for index in Info::of(graph).indexes {
        let numbers = [index.texts, index.nodes, index.bytes].map(Into::into);
        rows.push(std::iter::once(index.property.into()).chain(numbers).collect())?;
    }
    Ok(rows.finish()?)
}

impl IndexArgs {
    fn summary(&self, names: &[String], file_len: u64, seconds: f64) -> Summary<'static> {
        let file = self.file.to_string_lossy();
        let indexes = match names {
            [] => "no index".to_owned(),
            [name] => format!("an index of {name}"),
            names => format!("indexes of {}", names.join(", ")),
        };
        let sentence = format!("{file}: {indexes}; {}, {seconds:.2} s", sized(file_len));
        let fields = vec![
            ("file", file.into()),
            ("indexes", names.into()),
            ("file_bytes", file_len.into()),
            ("seconds", seconds.into()),
        ];
        Summary { sentence, fields }
    }
}
