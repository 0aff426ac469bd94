//! Names that are taken: by a file that must not be replaced, or by an unfinished file that a crash left.

use std::path::Path;
use std::sync::Arc;

use varvite::GraphError;
use varvite::change::ChangeError;
use varvite::error::StoreError;
use varvite_testing::vfs::MemoryVfs;

use crate::breach::{Breach, Outcome, demand};
use crate::writers::history::History;
use crate::writers::writer::{PATH, Writer};

const LEFT: &str = "graphs/.code.varvite.partial";

pub(crate) fn check() -> Outcome<String> {
    refuse_taken()?;
    let lengths = [0, 1, 4096, 12_289, 300_000];
    for length in lengths {
        for writer in [Writer::Import, Writer::Compact] {
            write_over_left(writer, length)
                .map_err(|breach| breach.at(format!("{writer:?}, {length} bytes")))?;
        }
    }
    Ok(format!("{} files left behind", 2 * lengths.len()))
}

fn refuse_taken() -> Outcome {
    let disk = MemoryVfs::new();
    disk.put(PATH, b"somebody's");
    let result = Writer::FirstImport.write(Arc::new(disk.clone()), Path::new(PATH), 1, 0);
    match result {
        Err(ChangeError::Graph(GraphError::Store(StoreError::Exists { .. }))) => {}
        other => return Err(Breach::new(format!("an import over a file that is there: {other:?}"))),
    }
    demand(disk.contents(PATH).as_deref() == Some(b"somebody's"), || "the file is gone".to_owned())
}

/// Checks that a new file contains no bytes of a leftover: it equals the file written without a leftover,
/// byte for byte.
fn write_over_left(writer: Writer, length: usize) -> Outcome {
    let history = History { seed: 2, writers: vec![Writer::FirstImport, Writer::Apply, writer] };
    let (clean, littered) = (history.disk(2)?, history.disk(2)?);
    littered.put(LEFT, &vec![0x5A; length]);
    for disk in [&clean, &littered] {
        history.write(2, Arc::new(disk.clone()))?;
    }
    demand(littered.contents(PATH) == clean.contents(PATH), || {
        "another file than on a clean disk".to_owned()
    })?;
    demand(littered.paths() == clean.paths(), || format!("left behind: {:?}", littered.paths()))
}
