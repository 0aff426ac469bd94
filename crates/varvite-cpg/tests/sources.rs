//! Tests of the import of sources: graphs that name one file many times, and the memory of the import.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use varvite::write::{GraphChange, NewGraphOptions};
use varvite::{Budget, ErrorCode, Graph, Task};
use varvite_cpg::source::{SourceError, SourceOptions, SourceReport, Sources, add_sources};
use varvite_store::vfs::RealVfs;

/// A folder with a graph, and a folder `src`.
struct Program(tempfile::TempDir);

impl Program {
    /// A graph with FILEs of these names, in this order.
    fn with_files<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let program = Self(tempfile::tempdir().unwrap());
        fs::create_dir(program.src()).unwrap();
        let mut graph = NewGraphOptions::new().create(program.graph()).unwrap();
        for name in names {
            let node = graph.add_node(&["FILE"]).unwrap();
            graph.set(node, "NAME", name).unwrap();
        }
        graph.finish().unwrap();
        program
    }

    fn src(&self) -> PathBuf {
        self.0.path().join("src")
    }

    fn graph(&self) -> PathBuf {
        self.0.path().join("program.varvite")
    }

    /// Writes a file of the folder.
    fn write(&self, name: &str, text: &str) {
        let path = self.src().join(name);
        fs::create_dir_all(path.parent().unwrap_or(Path::new(""))).unwrap();
        fs::write(path, text).unwrap();
    }

    fn add(&self, memory_bytes: usize, task: &Task<'_>) -> Result<SourceReport, SourceError> {
        let change = GraphChange::begin(Arc::new(RealVfs), &self.graph()).unwrap();
        add_sources(change, &self.src(), &SourceOptions { memory_bytes, anyway: false }, task)
    }

    /// The lines of the text of each FILE from `first` to `last`.
    fn lines(&self, first: u64, last: u64) -> Vec<String> {
        let graph = Graph::open(self.graph()).unwrap();
        let sources = Sources::open(&graph).unwrap().unwrap();
        let lines = |file| sources.lines(file, (first, last), &Budget::default()).unwrap().lines;
        let joined = |file| lines(file).into_iter().map(|line| line.text).collect::<Vec<_>>().join("|");
        (0..graph.node_count()).map(joined).collect()
    }
}

/// A text of 200 lines, which begin with this letter.
fn text(letter: char) -> String {
    (1..=200).map(|line| format!("{letter}{line}\n")).collect()
}

#[test]
fn names_and_files_that_repeat_get_the_text_of_the_first() {
    let names = ["a.c", "./a.c", "b.c", "a.c", "lib//a.c", "copy.c", "././a.c", "<empty>", "no.c", "no.c"];
    let program = Program::with_files(names);
    [("a.c", 'a'), ("b.c", 'b'), ("lib/a.c", 'l'), ("copy.c", 'a')]
        .iter()
        .for_each(|(name, letter)| program.write(name, &text(*letter)));
    let report = program.add(1 << 20, &Task::new()).unwrap();
    assert_eq!((report.files(), report.found, report.placeholders, report.missing), (10, 7, 1, 2));
    assert_eq!((report.repeated, report.same_names), (4, 2));
    assert_eq!(report.text_bytes, [text('a'), text('b'), text('l')].concat().len() as u64);
    let expected = ["a", "a", "b", "a", "l", "a", "a", "", "", ""];
    let lines = |first: u64| {
        expected.map(|letter| match letter {
            "" => String::new(),
            letter => format!("{letter}{first}|{letter}{}", first + 1),
        })
    };
    assert_eq!(program.lines(1, 2), lines(1));
    assert_eq!(program.lines(199, 200), lines(199));
}

#[test]
fn empty_files_are_texts_too() {
    let program = Program::with_files(["a/__init__.py", "b/__init__.py", "<unknown>"]);
    program.write("a/__init__.py", "");
    program.write("b/__init__.py", "");
    assert_eq!(program.add(1 << 20, &Task::new()).unwrap().found, 2);
    let graph = Graph::open(program.graph()).unwrap();
    let sources = Sources::open(&graph).unwrap().unwrap();
    assert_eq!([0, 1, 2].map(|file| sources.has_text(file)), [true, true, false]);
}

#[test]
fn more_names_than_the_memory_holds_change_nothing() {
    let names: Vec<String> = (0..20_000).map(|number| format!("{number}.c")).collect();
    let program = Program::with_files(names.iter().map(String::as_str));
    program.write("7.c", "int x;\n");
    let before = fs::read(program.graph()).unwrap();
    let error = program.add(1 << 20, &Task::new()).unwrap_err();
    assert_eq!(error.code(), ErrorCode::OverBudget, "{error}");
    assert!(fs::read(program.graph()).unwrap() == before);
    assert_eq!(program.add(16 << 20, &Task::new()).unwrap().found, 1);
}

#[test]
fn a_file_whose_lines_do_not_fit_in_the_memory_is_too_large() {
    let program = Program::with_files(["lines.c", "small.c"]);
    program.write("lines.c", &"\n".repeat(60_000));
    program.write("small.c", "int x;\n");
    // A fourth of the memory is enough for the bytes, and all of it not for the offsets of the lines.
    let report = program.add(256 << 10, &Task::new()).unwrap();
    assert_eq!((report.found, report.too_large), (1, 1));
}

#[test]
fn a_file_that_changes_after_it_was_compared_ends_the_import() {
    let program = Program::with_files(["a.c", "b.c"]);
    let (before, changed) = (fs::read(program.graph()).unwrap(), program.src().join("b.c"));
    let rewrite = || fs::write(&changed, "int c;\n").unwrap();
    let remove = || fs::remove_file(&changed).unwrap();
    for change in [&rewrite as &(dyn Fn() + Sync), &remove] {
        program.write("a.c", "int a;\n");
        program.write("b.c", "int b;\n");
        let is_compared = |progress: &varvite::Progress<'_>| {
            progress.step == "comparing" && progress.done == progress.total
        };
        let task = Task::new().progress(|progress| {
            if is_compared(progress) {
                change();
            }
        });
        let error = program.add(1 << 20, &task).unwrap_err();
        assert!(matches!(&error, SourceError::Changed { file } if file.ends_with("b.c")), "{error}");
        assert_eq!(error.code(), ErrorCode::Io);
        assert!(fs::read(program.graph()).unwrap() == before);
    }
}
