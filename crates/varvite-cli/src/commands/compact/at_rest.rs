//! Compacts a graph. Other writers are kept out until the end.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use varvite::{IfExists, OpenOptions};
use varvite::{
    columns::compact_telling,
    write::{compact, compact_to},
};

use super::arguments::CompactArgs;
use crate::disk::{OtherNames, is_same_file};
use crate::failure::{Failure, Outcome, reported};
use crate::number_maps::NumberMaps;
use crate::output::{Summary, sized};
use crate::progress::Progress;
use crate::recovery;

/// Compacts the graph, and reports how many bytes were saved.
pub(super) fn run(args: &CompactArgs) -> Outcome {
    let began = Instant::now();
    if args.output.is_none() {
        recovery::warn_writer(&args.file);
    }
    let before = std::fs::metadata(&args.file).map_or(0, |data| data.len());
    let other_names = OtherNames::of(args.output.as_ref().unwrap_or(&args.file));
    let (target, file_len) = args.write_anew().map_err(|error| error.of(&args.file))?;
    other_names.note(target);
    let seconds = began.elapsed().as_secs_f64();
    let file = target.to_string_lossy();
    let sentence = format!("{file}: {} of {}, {seconds:.2} s", sized(file_len), sized(before));
    let fields = vec![
        ("file", file.into()),
        ("bytes_before", before.into()),
        ("file_bytes", file_len.into()),
        ("seconds", seconds.into()),
    ];
    reported(target, Summary { sentence, fields }.write(args.format.format))?;
    // If the graph is damaged, the output may lack the newest commit; this is reported.
    if args.output.is_some() { recovery::check_file(&args.file) } else { Ok(()) }
}

impl CompactArgs {
    fn write_anew(&self) -> Result<(&Path, u64), Failure> {
        let bar = Progress::steps();
        let task = varvite::Task::new().threads(1).progress(|progress| bar.show(progress));
        let disk = self.write.disk();
        let if_exists = if self.force { IfExists::Replace } else { IfExists::Refuse };
        let target = self.output.as_deref();
        if target.is_some_and(|output| is_same_file(&self.file, output)) {
            let text = "--output names the graph itself; leave --output out to compact it in place";
            return Err(Failure::Usage(text.to_owned()));
        }
        self.check_maps()?;
        let written = target.unwrap_or(&self.file);
        let target = target.map(|target| (target, if_exists));
        let Some(path) = &self.maps else {
            let length = match target {
                None => compact(disk, &self.file, &task)?,
                Some((target, if_exists)) => compact_to(disk, &self.file, target, if_exists, &task)?,
            };
            return Ok((written, length));
        };
        let of_maps = |error: varvite::GraphError| Failure::from(error).of(path);
        let maps = NumberMaps::create(Arc::clone(&disk), path, if_exists).map_err(of_maps)?;
        let length = compact_telling(disk, &self.file, target, &maps, &task)?;
        let graph = OpenOptions::new().open(written)?;
        maps.finish(&graph.identity().file_id).map_err(of_maps)?;
        Ok((written, length))
    }

    /// Checks that the path of the maps is neither the graph nor the output.
    fn check_maps(&self) -> Result<(), Failure> {
        let Some(maps) = &self.maps else { return Ok(()) };
        if is_same_file(&self.file, maps) || self.output.as_ref() == Some(maps) {
            let text = "--maps names a graph; choose another file";
            return Err(Failure::Usage(text.to_owned()));
        }
        Ok(())
    }
}
