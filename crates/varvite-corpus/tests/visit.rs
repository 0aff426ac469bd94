//! Questions to every file.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::time::Duration;

use varvite::{Cancel, GraphError, Task};
use varvite_corpus::{Corpus, Event, Send, Visit, VisitError};

use crate::corpus::{Folder, make_newer};

/// The names of the functions of a graph.
fn names(visit: &Visit<'_>, send: Send<'_, String>) -> Result<(), GraphError> {
    let names = visit.graph.texts("NAME")?;
    for method in visit.graph.nodes("METHOD")?.iter() {
        if !send(names.str(method).map(String::from).unwrap_or_default()) {
            break;
        }
    }
    Ok(())
}

/// The results of each file in the order in which they came, and the failures.
fn answers(corpus: &Corpus, threads: usize) -> (Vec<(usize, String)>, BTreeMap<usize, String>) {
    let (mut results, mut failures) = (Vec::new(), BTreeMap::new());
    let task = Task::new().threads(threads);
    let visited = corpus.visit(&task, names, |file, event| {
        match event {
            Event::Result(name) => results.push((file, name)),
            Event::End(Ok(())) => {}
            Event::End(Err(VisitError::File(error))) => {
                failures.insert(file, error.to_string());
            }
            Event::End(Err(VisitError::Question(error))) => {
                failures.insert(file, error.to_string());
            }
        }
        ControlFlow::Continue(())
    });
    visited.unwrap();
    (results, failures)
}

#[test]
fn results_come_in_the_order_of_files_on_any_number_of_threads() {
    let folder = Folder::of_graphs(300);
    let corpus = Corpus::open(folder.root()).unwrap();
    let expected: Vec<(usize, String)> =
        (0..300).flat_map(|file| [(file, format!("own_{file}")), (file, "shared".to_owned())]).collect();
    for threads in [1, 2, 7] {
        let (mut results, failures) = answers(&corpus, threads);
        assert!(results.is_sorted_by_key(|(file, _)| *file) && failures.is_empty());
        results.sort();
        assert_eq!(results, expected, "{threads} threads");
    }
}

#[test]
fn files_that_fail_are_named_and_the_rest_is_answered() {
    let folder = Folder::of_graphs(40);
    let corpus = Corpus::open(folder.root()).unwrap();
    let path = |number: usize| folder.path(&format!("{number:04}.varvite"));
    fs::remove_file(path(3)).unwrap();
    make_newer(&path(17));
    fs::write(path(18), "not a graph").unwrap();
    let bytes = fs::read(path(39)).unwrap();
    fs::write(path(39), &bytes[..5000]).unwrap();
    for threads in [1, 3] {
        let (results, failures) = answers(&corpus, threads);
        assert_eq!(results.len(), 2 * 36);
        assert_eq!(failures.keys().copied().collect::<Vec<_>>(), [3, 17, 18, 39]);
        assert!(
            failures.iter().all(|(file, text)| text.contains(&format!("{file:04}.varvite"))),
            "{failures:?}"
        );
        assert!(failures[&17].contains("format version 2"));
    }
}

#[test]
fn damage_that_a_question_reads_is_a_failure_of_the_file() {
    let folder = Folder::of_graphs(4);
    let path = folder.path("0002.varvite");
    let mut bytes = fs::read(&path).unwrap();
    let place = bytes.windows(5).position(|window| window == b"own_2").unwrap();
    bytes[place] ^= 1;
    fs::write(&path, bytes).unwrap();
    let checked = varvite_corpus::CorpusOptions::new().mode(varvite::OpenMode::Checked);
    let (results, failures) = answers(&checked.open(folder.root()).unwrap(), 2);
    assert_eq!(failures.keys().copied().collect::<Vec<_>>(), [2]);
    assert!(results.iter().filter(|(file, _)| *file != 2).count() == 6);
}

#[test]
fn a_receiver_stops_the_visit() {
    let folder = Folder::of_graphs(50);
    let corpus = Corpus::open(folder.root()).unwrap();
    for threads in [1, 4] {
        let mut taken = 0;
        let visited = corpus.visit(&Task::new().threads(threads), names, |_, event| {
            taken += usize::from(matches!(event, Event::Result(_)));
            if taken < 5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        assert!(visited.is_ok() && taken == 5);
    }
}

#[test]
fn cancelling_and_time_end_a_visit() {
    let folder = Folder::of_graphs(50);
    let corpus = Corpus::open(folder.root()).unwrap();
    for threads in [1, 4] {
        let (cancel, mut ends) = (Cancel::default(), 0);
        let task = Task::new().threads(threads).cancel(&cancel);
        let visited = corpus.visit(&task, names, |_, event| {
            ends += usize::from(matches!(event, Event::End(_)));
            if ends == 3 {
                cancel.cancel();
            }
            ControlFlow::Continue(())
        });
        assert!(visited.is_err() && ends == 3);
        let late = Task::new().threads(threads).time_max(Duration::ZERO);
        assert!(corpus.visit(&late, names, |_, _| ControlFlow::Continue(())).is_err());
    }
}

#[test]
fn a_question_sees_the_flag_and_its_share_of_the_memory() {
    let folder = Folder::of_graphs(8);
    let corpus = Corpus::open(folder.root()).unwrap();
    let task = Task::new().threads(4).memory(64 << 20);
    let question = |visit: &Visit<'_>, send: Send<'_, (usize, usize)>| {
        send((visit.task.memory_bytes(), visit.task.thread_count()));
        Ok::<(), GraphError>(())
    };
    let visited = corpus.visit(&task, question, |_, event| {
        if let Event::Result(limits) = event {
            assert_eq!(limits, (8 << 20, 1));
        }
        ControlFlow::Continue(())
    });
    visited.unwrap();
}
