//! Tables and GraphML documents: an import of any bytes makes a valid graph or fails with an error.

use std::path::PathBuf;
use std::sync::Arc;

use varvite::{IfExists, OpenOptions, Task};
use varvite_import::TextError;
use varvite_import::graphml::GraphmlImport;
use varvite_import::neo4j_csv::{CsvGroup, CsvImport};

use crate::vfs::MemoryVfs;

/// The memory limit of an import: so low that values are written to a temporary file.
const MEMORY: usize = 8 << 20;

/// Imports bytes as a table of nodes, and as a table of relationships between the nodes 1 and 2.
pub fn import_tables(bytes: &[u8]) {
    let (nodes, any) = (file("nodes", b":ID,name\n1,one\n2,two\n"), file("table", bytes));
    let import = || CsvImport::new().if_exists(IfExists::Replace).task(Task::new().memory(MEMORY).threads(1));
    check(|disk| import().nodes(CsvGroup::of([&any.0])).vfs(disk).write_to(TARGET).map(drop));
    let relationships = import().nodes(CsvGroup::of([&nodes.0])).relationships(CsvGroup::of([&any.0]));
    check(|disk| relationships.clone().skip_bad_relationships(true).vfs(disk).write_to(TARGET).map(drop));
}

/// Imports bytes as a GraphML document.
pub fn import_graphml(bytes: &[u8]) {
    let document = file("graphml", bytes);
    let import = GraphmlImport::new(&document.0).task(Task::new().memory(MEMORY).threads(1));
    check(|disk| import.clone().vfs(disk).write_to(TARGET).map(drop));
}

const TARGET: &str = "graph.varvite";

/// A file that is removed when this value is dropped.
struct Source(PathBuf);

impl Drop for Source {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Writes a temporary file whose path contains the process, the thread and `name`.
fn file(name: &str, bytes: &[u8]) -> Source {
    let thread = format!("{:?}", std::thread::current().id());
    let thread: String = thread.chars().filter(char::is_ascii_digit).collect();
    let path = std::env::temp_dir().join(format!("varvite-fuzz-{}-{thread}-{name}", std::process::id()));
    std::fs::write(&path, bytes).expect("the folder for temporary files takes files");
    Source(path)
}

fn check(import: impl FnOnce(Arc<MemoryVfs>) -> Result<(), TextError>) {
    let disk = MemoryVfs::new();
    if import(Arc::new(disk.clone())).is_err() {
        assert_eq!(disk.contents(TARGET), None, "a failed import leaves no file");
        return;
    }
    let graph = OpenOptions::new().buffered().open_in(&disk, TARGET).expect("what is imported can be opened");
    let report = graph.verify(&Task::new().threads(1)).expect("what is imported can be read");
    assert_eq!(report.problems, [""; 0], "what is imported is sound");
}
