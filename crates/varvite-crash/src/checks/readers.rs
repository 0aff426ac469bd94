//! Open readers: a reader always reads the same content, whatever is written after it was opened.

use std::sync::Arc;

use varvite::OpenOptions;
use varvite_testing::vfs::MemoryVfs;

use crate::breach::{Outcome, demand};
use crate::checks::faults::every_writer;
use crate::writers::answer::Answer;
use crate::writers::history::History;
use crate::writers::writer::PATH;

pub(crate) fn check() -> Outcome<String> {
    let mut readings = 0;
    for history in [every_writer(), History::of(7, 12), History::of(8, 12)] {
        // No reader reads anything before all writers have ended.
        let disk = MemoryVfs::new();
        let (mut readers, mut expected) = (Vec::new(), Vec::new());
        for number in 0..history.writers.len() {
            history.write(number, Arc::new(disk.clone()))?;
            expected.push(Answer::read(&disk)?);
            readers.push(OpenOptions::new().buffered().open_in(&disk, PATH)?);
        }
        for (number, (reader, expected)) in readers.into_iter().zip(&expected).enumerate() {
            let place = format!("opened after writer {number} of {:?}", history.writers);
            let found = Answer::of(reader).map_err(|breach| breach.at(&place))?;
            demand(found.is_same(expected), || format!("a reader saw a later writer: {place}"))?;
            readings += 1;
        }
    }
    Ok(format!("{readings} readers under later writers"))
}
