//! The tables of `conformance/joern-text`, and its graphs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use csv::StringRecord;

use varvite::{Graph, Task};
use varvite_import::Import;

/// The graphs that every query is asked about: name and path. Their sources lie beside them.
pub(crate) const GRAPHS: [(&str, &str); 5] = [
    ("zlib", "examples/data/zlib.cpg.bin"),
    ("c", "conformance/joern-text/asked.cpg.bin"),
    ("java", "conformance/joern-text/asked-java.cpg.bin"),
    ("python", "conformance/joern-text/asked-python.cpg.bin"),
    ("ruby", "conformance/joern-text/asked-ruby.cpg.bin"),
];

/// The path of a file in the repository.
pub(crate) fn path(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file)
}

/// Imports a graph, and opens the new file in a folder.
pub(crate) fn import(name: &str, cpg: &Path, folder: &Path) -> Graph {
    let file = folder.join(format!("text-{name}.varvite"));
    let _ = std::fs::remove_file(&file);
    Import::new(cpg).task(Task::new().threads(1)).write_to(&file).unwrap();
    Graph::open(&file).unwrap()
}

/// The rows of a table in the order of the file, without its header.
pub(crate) fn table(name: &str) -> Vec<StringRecord> {
    let mut rows = csv::Reader::from_path(path("conformance/joern-text").join(name)).unwrap();
    rows.records().map(Result::unwrap).collect()
}

/// The queries that this project wrote and that are asked, as pairs of id and text. Queries outside of the
/// core need more than queries: files, the shell, pictures, changes of the graph. Joern refuses some others.
pub(crate) fn queries() -> Vec<(String, String)> {
    let of_all = table("queries.csv");
    let is_asked = |row: &&StringRecord| &row[2] == "core" && row[3].starts_with("accepted");
    let asked: BTreeMap<&str, ()> = of_all.iter().filter(is_asked).map(|row| (&row[0], ())).collect();
    let texts = table("texts.csv");
    let own = texts.iter().filter(|row| asked.contains_key(&row[0]));
    own.map(|row| (row[0].to_owned(), row[1].to_owned())).collect()
}
