//! `varvite compact --online`: compacts a graph while other writers commit to it.

use std::time::{Duration, Instant};

use varvite::change::{ChangeError, CompactOptions, CompactWhen, Compacted, Outgrown, compact_online};
use varvite::{Cancel, Graph, GraphError, Task};

use super::arguments::CompactArgs;
use crate::disk::{OtherNames, WriteArgs};
use crate::failure::{Failure, Outcome, reported};
use crate::output::{Summary, sized};
use crate::recovery;

/// The maximum time between two checks of whether the user has stopped the command.
const NAP: Duration = Duration::from_millis(100);

/// Compacts the graph if the data outside its columns exceeds the requested limit. With `--watch`, repeats
/// this until the user stops the command.
pub(super) fn run(args: &CompactArgs) -> Outcome {
    let (disk, cancel) = args.write.cancelled_disk();
    let mut options = CompactOptions::default().when(args.when_over.unwrap_or(CompactWhen::Changed));
    options.bytes_per_second = args.rate.map(|rate| rate as u64);
    recovery::warn_writer(&args.file);
    loop {
        let began = Instant::now();
        let before = std::fs::metadata(&args.file).map_or(0, |data| data.len());
        let other_names = OtherNames::of(&args.file);
        let task = Task::new().threads(1).cancel(&cancel);
        let compacted = match compact_online(disk.clone(), &args.file, &options, &task) {
            Err(ChangeError::Graph(GraphError::Cancelled)) => WriteArgs::stopped(),
            compacted => compacted.map_err(|error| Failure::from(error).of(&args.file))?,
        };
        let summary = match &compacted {
            Some(compacted) => {
                other_names.note(&args.file);
                of_compacted(args, compacted, before, began.elapsed())
            }
            // With --watch, the command reports compactions, but not the checks that left the graph
            // unchanged.
            None if args.watch.is_some() => {
                sleep(args.watch, &cancel);
                continue;
            }
            None => of_small(args)?,
        };
        reported(&args.file, summary.write(args.format.format))?;
        if args.watch.is_none() {
            return Ok(());
        }
        sleep(args.watch, &cancel);
    }
}

fn of_compacted(
    args: &CompactArgs,
    compacted: &Compacted,
    before: u64,
    elapsed: Duration,
) -> Summary<'static> {
    let file = args.file.to_string_lossy().into_owned();
    let (seconds, locked) = (elapsed.as_secs_f64(), compacted.locked.as_secs_f64());
    let sentence = format!(
        "{file}: {} of {}, {seconds:.2} s; other writers waited up to {locked:.3} s",
        sized(compacted.file_len),
        sized(before)
    );
    let fields = vec![
        ("file", file.into()),
        ("bytes_before", before.into()),
        ("file_bytes", compacted.file_len.into()),
        ("rounds", compacted.rounds.into()),
        ("locked_seconds", locked.into()),
        ("seconds", seconds.into()),
    ];
    Summary { sentence, fields }
}

/// The summary for a graph that was left unchanged.
fn of_small(args: &CompactArgs) -> Result<Summary<'static>, Failure> {
    let graph = Graph::open(&args.file).map_err(|error| Failure::from(error).of(&args.file))?;
    recovery::check(graph.store())?;
    let Outgrown { base, beyond, .. } = Outgrown::of(&graph);
    let file = args.file.to_string_lossy().into_owned();
    let sentence = format!(
        "{file}: not compacted, with {} in columns and {} outside of them",
        sized(base),
        sized(beyond)
    );
    let fields = vec![("file", file.into()), ("column_bytes", base.into()), ("other_bytes", beyond.into())];
    Ok(Summary { sentence, fields })
}

/// Waits for the next check. If the user stops the command during the wait, the process ends.
fn sleep(seconds: Option<u64>, cancel: &Cancel) {
    let until = Instant::now() + Duration::from_secs(seconds.unwrap_or(0).min(u64::from(u32::MAX)));
    while Instant::now() < until {
        if cancel.is_cancelled() {
            WriteArgs::stopped();
        }
        std::thread::sleep(NAP.min(until.saturating_duration_since(Instant::now())));
    }
}
