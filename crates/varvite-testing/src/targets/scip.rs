//! SCIP indexes: an import of any bytes makes a valid graph or fails with an error.

use std::sync::Arc;

use varvite::{OpenOptions, Task};
use varvite_import::scip::ScipImport;

use crate::scip_index::{DEFINITION, ScipDocument, ScipIndex, symbol};
use crate::temporary::Source;
use crate::vfs::MemoryVfs;

/// The memory limit of an import: so low that values are written to a temporary file.
const MEMORY: usize = 8 << 20;
const TARGET: &str = "graph.varvite";

/// Imports bytes as an index; as a document, beside a valid one; and as the text of a document with calls.
pub fn import_scip(bytes: &[u8]) {
    check(bytes);
    check(&ScipIndex::new().field(2, bytes).document(document("f(1)")).field(3, bytes).bytes());
    let text = String::from_utf8_lossy(bytes);
    check(&ScipIndex::new().document(document(&text)).bytes());
}

/// A document whose method is called at several positions.
fn document(text: &str) -> ScipDocument {
    let method = symbol("f().");
    let document = ScipDocument::at("a.py").text(5, text).number(6, text.len() as u64 % 4);
    let document = document.enclosing(&[0, 0, 1], &method, DEFINITION, &[0, 0, 9, 9]);
    (0..8).fold(document, |document, number| {
        document.occurrence(&[number / 4, number, number + number % 3], &method, 0)
    })
}

fn check(bytes: &[u8]) {
    let (index, disk) = (Source::new("scip", bytes), MemoryVfs::new());
    let import = ScipImport::new(index.path()).task(Task::new().memory(MEMORY).threads(1));
    let Ok(report) = import.vfs(Arc::new(disk.clone())).write_to(TARGET) else {
        assert_eq!(disk.contents(TARGET), None, "a failed import leaves no file");
        return;
    };
    let counts = report.counts;
    let sum = counts.definitions + counts.further_definitions + counts.references;
    assert_eq!(counts.occurrences, sum + counts.without_symbol + counts.invalid, "each occurrence counts");
    let graph = OpenOptions::new().buffered().open_in(&disk, TARGET).expect("what is imported can be opened");
    let report = graph.verify(&Task::new().threads(1)).expect("what is imported can be read");
    assert_eq!(report.problems, [""; 0], "what is imported is sound");
}
