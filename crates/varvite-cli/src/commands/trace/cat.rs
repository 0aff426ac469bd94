//! `varvite trace cat`: shows a range of records.

use std::path::PathBuf;

use clap::Args;
use varvite_trace::Block;

use super::record_cells::RecordCells;
use super::{note_missing, open};
use crate::arguments::OutputArgs;
use crate::failure::{Failure, Outcome};
use crate::output::{Column, Rows, begin_rows};

/// Arguments of `varvite trace cat`.
#[derive(Debug, Args)]
pub(crate) struct CatArgs {
    /// The trace, a .vtrace file
    file: PathBuf,
    /// Number of the first record, counted from 0; with --thread, within the thread
    #[arg(long, value_name = "N", default_value_t = 0)]
    from: u64,
    /// End of the range: the number of the last record plus one [default: to the end]
    #[arg(long, value_name = "M")]
    to: Option<u64>,
    /// Show at most N records
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Show only the records of this thread
    #[arg(long, value_name = "THREAD")]
    thread: Option<u64>,
    /// Start at the first record at this time or later, instead of a number
    #[arg(long, value_name = "TIME", requires = "thread", conflicts_with = "from")]
    from_time: Option<u64>,
    /// Skip damaged blocks and report their number, instead of stopping
    #[arg(long)]
    skip_damaged: bool,
    #[command(flatten)]
    format: OutputArgs,
}

/// Shows the records. Unless the range starts at the first record, only the index and the blocks that contain
/// the range are read.
pub(crate) fn run(args: &CatArgs) -> Outcome {
    let fail = Failure::trace(&args.file);
    let mut reader = open(&args.file)?;
    if args.skip_damaged {
        reader.skip_damaged();
    }
    reader.follow(args.thread);
    let shown = RecordCells::of(&reader.header().schema);
    let columns = [Column::number("ordinal"), Column::number("thread"), Column::number("time")];
    let mut rows = begin_rows(args.format.format, columns.into_iter().chain(shown.columns()).collect())?;
    let mut block = match (args.thread, args.from_time) {
        (Some(thread), Some(time)) => reader.seek_time(thread, time),
        (Some(thread), None) if args.from > 0 => reader.seek_thread(thread, args.from),
        (None, _) if args.from > 0 => reader.seek_ordinal(args.from),
        _ => reader.next_block(),
    };
    let mut left = args.limit.unwrap_or(u64::MAX);
    while let Some(found) = block.map_err(&fail)? {
        if !args.write(&found, &mut left, &shown, &mut rows)? {
            break;
        }
        block = reader.next_block();
    }
    rows.finish()?;
    note_missing(&args.file, &mut reader);
    Ok(())
}

impl CatArgs {
    /// Writes the selected records of a block, at most `left`, which becomes the number of further records.
    /// Returns whether more records may follow.
    fn write(
        &self,
        block: &Block<'_>,
        left: &mut u64,
        shown: &RecordCells,
        rows: &mut Rows,
    ) -> Result<bool, Failure> {
        let first = if self.thread.is_some() { block.ordinal_in_thread() } else { block.ordinal() };
        let to = self.to.unwrap_or(u64::MAX).min(first.saturating_add(*left));
        *left = left.saturating_sub(block.len() as u64);
        for (ordinal, (time, record)) in (first..to).zip(block.timed_records()) {
            let mut cells = vec![ordinal.into(), block.header().thread.into(), time.into()];
            cells.extend(shown.cells(record));
            rows.push(cells)?;
        }
        Ok(first.saturating_add(block.len() as u64) < to)
    }
}
