//! Visits whose events the caller takes one by one.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use varvite::error::Cancelled;
use varvite::{Cancel, GraphError, Task};
use varvite_corpus::{Corpus, Event, FileError, Send, Visit, VisitError};

use crate::corpus::Folder;

fn count(visit: &Visit<'_>, send: Send<'_, u64>) -> Result<(), GraphError> {
    send(u64::from(visit.graph.nodes("METHOD")?.len()));
    Ok(())
}

fn open(folder: &Folder) -> Arc<Corpus> {
    Arc::new(Corpus::open(folder.root()).unwrap())
}

#[test]
fn events_are_those_of_a_visit() {
    let folder = Folder::of_graphs(60);
    fs::write(folder.path("0017.varvite"), "not a graph").unwrap();
    let corpus = open(&folder);
    for threads in [1, 3] {
        let inquiry = corpus.begin(&Task::new().threads(threads), count).unwrap();
        let (mut counts, mut ends) = (Vec::new(), Vec::new());
        for event in inquiry {
            match event.unwrap() {
                (file, Event::Result(methods)) => counts.push((file, methods)),
                (file, Event::End(end)) => ends.push((file, end.is_ok())),
            }
        }
        let answered: Vec<(usize, u64)> = (0..60).filter(|file| *file != 17).map(|file| (file, 2)).collect();
        assert_eq!(counts, answered, "{threads} threads");
        assert_eq!(ends, (0..60).map(|file| (file, file != 17)).collect::<Vec<_>>());
    }
}

#[test]
fn a_dropped_inquiry_ends_its_threads_and_leaves_the_task_alone() {
    let folder = Folder::of_graphs(60);
    let (corpus, asked) = (open(&folder), Arc::new(AtomicUsize::new(0)));
    let counter = Arc::clone(&asked);
    let endless = move |visit: &Visit<'_>, _: Send<'_, u64>| -> Result<(), Cancelled> {
        counter.fetch_add(1, Ordering::Relaxed);
        while visit.task.check().is_ok() {
            std::thread::sleep(Duration::from_millis(1));
        }
        Err(Cancelled)
    };
    let task = Task::new().threads(2);
    let inquiry = corpus.begin(&task, endless).unwrap();
    while asked.load(Ordering::Relaxed) == 0 {
        std::thread::sleep(Duration::from_millis(1));
    }
    drop(inquiry);
    assert_eq!(Arc::strong_count(&asked), 1, "a thread still holds the question");
    // Each thread may begin some files more until the line of files is closed.
    assert!(task.check().is_ok() && asked.load(Ordering::Relaxed) < 30);
}

#[test]
fn a_flag_and_a_time_limit_end_an_inquiry_that_waits() {
    let folder = Folder::of_graphs(3);
    let corpus = open(&folder);
    let silent = |visit: &Visit<'_>, _: Send<'_, u64>| -> Result<(), Cancelled> {
        while visit.task.check().is_ok() {
            std::thread::sleep(Duration::from_millis(1));
        }
        Err(Cancelled)
    };
    let cancel = Cancel::default();
    let flag = cancel.clone();
    let setter = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        flag.cancel();
    });
    let limits = [Task::new().cancel(&cancel), Task::new().time_max(Duration::from_millis(50))];
    for task in limits {
        let begun = Instant::now();
        let events: Vec<_> = corpus.begin(&task, silent).unwrap().collect();
        assert!(matches!(events.last(), Some(Err(Cancelled))), "{events:?}");
        assert!(begun.elapsed() < Duration::from_secs(5));
    }
    setter.join().unwrap();
}

#[test]
fn a_panic_of_the_question_is_one_of_the_caller() {
    let folder = Folder::of_graphs(3);
    let corpus = open(&folder);
    let faulty = |_: &Visit<'_>, _: Send<'_, u64>| -> Result<(), Cancelled> { panic!("a fault") };
    let mut inquiry = corpus.begin(&Task::new().threads(1), faulty).unwrap();
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| inquiry.by_ref().count()));
    assert!(caught.is_err() && inquiry.next().is_none());
    drop(corpus.begin(&Task::new(), faulty).unwrap());
}

#[test]
fn results_of_the_size_that_a_question_is_told_fit_the_memory() {
    let folder = Folder::of_graphs(4);
    let corpus = open(&folder);
    for (threads, memory) in [(1, 1 << 20), (4, 1 << 26)] {
        let told = |visit: &Visit<'_>, send: Send<'_, usize>| -> Result<(), Cancelled> {
            send(visit.result_bytes);
            Ok(())
        };
        let inquiry = corpus.begin(&Task::new().threads(threads).memory(memory), told).unwrap();
        let sizes: Vec<usize> = inquiry
            .filter_map(|event| match event {
                Ok((_, Event::Result(bytes))) => Some(bytes),
                _ => None,
            })
            .collect();
        // A queue of eight for each of five files for each thread.
        assert!(
            sizes.len() == 4 && sizes.iter().all(|bytes| *bytes > 0 && bytes * 40 * threads <= memory / 2)
        );
    }
}

#[test]
fn errors_of_files_have_codes() {
    use varvite::ErrorCode;
    let folder = Folder::of_graphs(1);
    let corpus = open(&folder);
    let missing = corpus.graph(7).map(drop).unwrap_err();
    assert!(matches!(missing, FileError::NoSuchFile { .. }) && missing.code() == ErrorCode::Argument);
    fs::write(folder.path("0000.varvite"), "not a graph").unwrap();
    let mut ends = corpus.begin(&Task::new(), count).unwrap();
    let Some(Ok((0, Event::End(Err(VisitError::File(error)))))) = ends.next() else { panic!("no end") };
    assert_eq!(error.code(), ErrorCode::NotVarvite);
}
