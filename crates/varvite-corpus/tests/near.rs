//! Functions that share most of their tokens.

use varvite::write::NewGraphOptions;
use varvite::{IfExists, NewGraph, Task};
use varvite_corpus::{CloneGroup, CorpusError, CorpusOptions, FileList, IndexOptions, index, near_clones};

use crate::corpus::Folder;

/// A function: its name, the name of its variable, and the functions that it calls with the variable.
struct Function<'a> {
    name: &'a str,
    variable: &'a str,
    calls: Vec<String>,
}

impl<'a> Function<'a> {
    /// A function that calls `prefix_0` and so on.
    fn of(name: &'a str, variable: &'a str, prefix: &str, calls: usize) -> Self {
        Self { name, variable, calls: (0..calls).map(|number| format!("{prefix}_{number}")).collect() }
    }

    fn with(mut self, place: usize, callee: &str) -> Self {
        self.calls[place] = callee.to_owned();
        self
    }

    fn write(&self, graph: &mut NewGraph<'_>, line: i64) {
        let mut add = |label: &str, parent: Option<u32>, name: &str| {
            let node = graph.add_node(&[label]).unwrap();
            parent.map(|parent| graph.add_edge("AST", parent, node).unwrap());
            graph.set(node, "NAME", name).unwrap();
            graph.set(node, "CODE", name).unwrap();
            node
        };
        let method = add("METHOD", None, self.name);
        add("METHOD_PARAMETER_IN", Some(method), self.variable);
        let block = add("BLOCK", Some(method), "");
        for callee in &self.calls {
            let call = add("CALL", Some(block), callee);
            add("IDENTIFIER", Some(call), self.variable);
        }
        graph.set(method, "LINE_NUMBER", line).unwrap();
        graph.set(method, "LINE_NUMBER_END", line + self.calls.len() as i64).unwrap();
    }
}

/// Writes an index of the functions, each in a graph of its own, and lists the groups: the names and the
/// likeness of each.
fn groups(functions: &[Function<'_>], lines_min: u64, likeness_min: f64) -> Vec<(Vec<String>, f64)> {
    let folder = Folder::new();
    for (number, function) in functions.iter().enumerate() {
        let options = NewGraphOptions::new().tree("AST").if_exists(IfExists::Replace);
        let mut graph = options.create(folder.path(&format!("{number:04}.varvite"))).unwrap();
        let meta = graph.add_node(&["META_DATA"]).unwrap();
        graph.set(meta, "LANGUAGE", "NEWC").unwrap();
        function.write(&mut graph, 10);
        graph.finish().unwrap();
    }
    let output = folder.path("index");
    let corpus = CorpusOptions::new().open_list(FileList::at(folder.root()).unwrap());
    // The second index has the sketches of the first.
    for _ in 0..2 {
        index(&corpus, &output, &IndexOptions::default()).unwrap();
    }
    let names = |group: &CloneGroup| group.functions.iter().map(|it| it.function.name.clone()).collect();
    let found = near_clones(&output, lines_min, likeness_min, &Task::new()).unwrap();
    found.groups.iter().map(|group| (names(group), group.likeness)).collect()
}

#[test]
fn a_renamed_variable_changes_no_token() {
    let functions = [
        Function::of("first", "x", "f", 20),
        Function::of("renamed", "other", "f", 20),
        Function::of("unlike", "x", "g", 20),
    ];
    assert_eq!(groups(&functions, 5, 1.0), [(vec!["first".to_owned(), "renamed".to_owned()], 1.0)]);
    assert_eq!(groups(&functions, 22, 0.5), []);
}

#[test]
fn a_function_that_was_changed_a_little_is_like_the_first() {
    let functions = [
        Function::of("first", "x", "f", 60),
        Function::of("changed", "x", "f", 60).with(30, "repaired"),
        Function::of("rewritten", "x", "f", 60).with(5, "a").with(20, "b").with(35, "c").with(50, "d"),
    ];
    // A changed call is in 4 of about 120 shingles, so 4 of 124 differ on both sides together.
    let near = groups(&functions, 5, 0.85);
    assert_eq!(near.len(), 1, "{near:?}");
    let (names, likeness) = &near[0];
    assert_eq!(names[..2], ["first".to_owned(), "changed".to_owned()]);
    assert!((0.85..1.0).contains(likeness), "{likeness}");
    assert_eq!(groups(&functions, 5, 1.0), []);
}

#[test]
fn functions_of_few_tokens_are_compared_by_content_alone() {
    let functions = [
        Function::of("first", "x", "f", 3),
        Function::of("renamed", "y", "f", 3),
        Function::of("equal", "x", "f", 3),
    ];
    assert_eq!(groups(&functions, 1, 0.5), [(vec!["first".to_owned(), "equal".to_owned()], 1.0)]);
}

#[test]
fn many_functions_that_are_alike_are_one_group() {
    let names: Vec<String> = (0..300).map(|number| format!("same_{number}")).collect();
    let functions: Vec<_> =
        names.iter().map(|name| Function::of(name, name, "f", 10).with(9, "last")).collect();
    let near = groups(&functions, 1, 0.8);
    assert_eq!((near.len(), near[0].0.len()), (1, 300));
}

#[test]
fn a_graph_that_is_no_index_is_refused() {
    let folder = Folder::of_graphs(1);
    let refused = near_clones(&folder.path("0000.varvite"), 1, 0.8, &Task::new()).unwrap_err();
    assert!(matches!(refused, CorpusError::NotAnIndex { .. }), "{refused}");
    let little = Task::new().memory(10);
    let functions = folder.path("index");
    index(&varvite_corpus::Corpus::open(folder.root()).unwrap(), &functions, &IndexOptions::default())
        .unwrap();
    let refused = near_clones(&functions, 1, 0.8, &little).unwrap_err();
    assert_eq!(refused.code(), varvite::ErrorCode::OverBudget, "{refused}");
}
