//! Tables and GraphML documents: an import of any bytes makes a valid graph or fails with an error.

use std::sync::Arc;

use varvite::{IfExists, OpenOptions, Task};
use varvite_import::TextError;
use varvite_import::graphml::GraphmlImport;
use varvite_import::neo4j_csv::{CsvGroup, CsvImport};

use crate::temporary::Source;
use crate::vfs::MemoryVfs;

/// The memory limit of an import: so low that values are written to a temporary file.
const MEMORY: usize = 8 << 20;

/// Imports bytes as a table of nodes, and as a table of relationships between the nodes 1 and 2.
pub fn import_tables(bytes: &[u8]) {
    let (nodes, any) = (Source::new("nodes", b":ID,name\n1,one\n2,two\n"), Source::new("table", bytes));
    let import = || CsvImport::new().if_exists(IfExists::Replace).task(Task::new().memory(MEMORY).threads(1));
    check(|disk| import().nodes(CsvGroup::of([any.path()])).vfs(disk).write_to(TARGET).map(drop));
    let relationships =
        import().nodes(CsvGroup::of([nodes.path()])).relationships(CsvGroup::of([any.path()]));
    check(|disk| relationships.clone().skip_bad_relationships(true).vfs(disk).write_to(TARGET).map(drop));
}

/// Imports bytes as a GraphML document.
pub fn import_graphml(bytes: &[u8]) {
    let document = Source::new("graphml", bytes);
    let import = GraphmlImport::new(document.path()).task(Task::new().memory(MEMORY).threads(1));
    check(|disk| import.clone().vfs(disk).write_to(TARGET).map(drop));
}

const TARGET: &str = "graph.varvite";

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
