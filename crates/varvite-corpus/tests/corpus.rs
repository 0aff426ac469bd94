//! Folders of small graphs, and the graphs that are open.

use std::fs;
use std::path::{Path, PathBuf};

use varvite_corpus::{Corpus, CorpusOptions, FileError, FileList};
use varvite_testing::code_graph::{CodeFunction, CodeGraph};

/// A folder of graphs for one test.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with graphs `0000.varvite` and so on, each with the function `own_N`, which calls `shared`
    /// twice.
    pub(crate) fn of_graphs(count: usize) -> Self {
        let folder = Self::new();
        (0..count).for_each(|number| folder.write(number));
        folder
    }

    pub(crate) fn write(&self, number: usize) {
        self.write_named(number, &format!("own_{number}"));
    }

    /// Writes the graph of a number with another name of its function.
    pub(crate) fn write_named(&self, number: usize, name: &str) {
        let function = CodeFunction {
            name,
            line: 3,
            calls: &[("shared", "1"), ("shared", "2")],
            ..CodeFunction::default()
        };
        let graph = CodeGraph { language: "NEWC", source: "own.c", functions: &[function] };
        graph.write(&self.path(&format!("{number:04}.varvite")));
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn root(&self) -> &Path {
        self.0.path()
    }
}

/// Changes the format version of a graph to one that does not exist yet.
pub(crate) fn make_newer(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    bytes[16..20].copy_from_slice(&2u32.to_le_bytes());
    let sum = varvite_codec::hash(&bytes[..64], 0);
    bytes[64..72].copy_from_slice(&sum.to_le_bytes());
    fs::write(path, bytes).unwrap();
}

#[test]
fn graphs_are_opened_when_touched_and_few_stay_open() {
    let folder = Folder::of_graphs(12);
    let corpus = CorpusOptions::new().open_max(3).open(folder.root()).unwrap();
    assert_eq!((corpus.files().len(), corpus.open_count()), (12, 0));
    assert!(corpus.files().iter().all(|file| file.seen().is_none()));
    let kept = corpus.graph(0).unwrap();
    for file in 0..12 {
        assert_eq!(corpus.graph(file).unwrap().nodes("METHOD").unwrap().len(), 2);
        assert!(corpus.open_count() <= 3);
    }
    assert!(
        corpus.files().iter().all(|file| file.seen().is_some_and(|seen| seen.nodes == kept.node_count()))
    );
    // A graph that was pushed out stays usable for those that hold it.
    assert_eq!(kept.nodes("CALL").unwrap().len(), 2);
    kept.check().unwrap();
    assert!(matches!(corpus.graph(12), Err(FileError::NoSuchFile { file: 12, files: 12 })));
}

#[test]
fn a_file_that_was_replaced_after_an_answer_is_named() {
    let folder = Folder::of_graphs(3);
    let corpus = CorpusOptions::new().open_max(1).open(folder.root()).unwrap();
    let identity = corpus.graph(1).unwrap().identity();
    corpus.graph(2).unwrap();
    folder.write_named(1, "another");
    assert!(matches!(corpus.graph(1), Err(FileError::Replaced { .. })));
    // A corpus that is opened now has no earlier answers, and takes the file as it is.
    let fresh = Corpus::open(folder.root()).unwrap();
    assert_ne!(fresh.graph(1).unwrap().identity(), identity);
}

#[test]
fn listed_files_keep_their_order_and_may_be_missing() {
    let folder = Folder::of_graphs(2);
    let paths =
        ["0001.varvite", "gone.varvite", "0000.varvite", "0001.varvite"].map(|name| folder.path(name));
    let corpus = CorpusOptions::new().open_list(FileList::of(paths));
    assert_eq!((corpus.files().len(), corpus.other_names().len()), (3, 1));
    assert!(corpus.graph(1).unwrap_err().to_string().contains("gone.varvite"));
    assert!(corpus.graph(0).is_ok() && corpus.graph(2).is_ok());
}
