//! Cancelled imports and exports return an error, leave no file, and do not change an existing one.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};

use varvite::{Cancel, ErrorCode, IfExists, Task};
use varvite_import::{Export, ExportError, ExportSettings, Import, ImportError};
use varvite_testing::vfs::MemoryVfs;

use super::draft::Draft;
use super::export::import_file;
use super::facts::data;

/// A cancel flag that is set in check `number` and in all later checks; checks are counted from zero.
fn at_look(number: usize) -> Cancel {
    let looks = AtomicUsize::new(0);
    Cancel::when(move || looks.fetch_add(1, Ordering::Relaxed) >= number)
}

fn draft(folder: &Path) -> PathBuf {
    let source = folder.join("draft.cpg.bin");
    fs::write(&source, Draft::new().into_bytes()).unwrap();
    source
}

#[test]
fn wherever_an_import_is_cancelled_it_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let source = draft(folder.path());
    for number in 0.. {
        let disk = MemoryVfs::new();
        let import = Import::new(&source).index("NAME").vfs(Arc::new(disk.clone()));
        match import.task(Task::new().threads(1).cancel(&at_look(number))).write_to("new.varvite") {
            Ok(_) => {
                assert!(number > 20, "it looked {number} times");
                break;
            }
            Err(ImportError::Cancelled) => assert_eq!(disk.paths(), [""; 0].map(PathBuf::from)),
            Err(error) => panic!("at look {number}: {error}"),
        }
    }
}

#[test]
fn wherever_an_export_is_cancelled_it_leaves_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let graph = import_file(&draft(folder.path()), varvite::Profile::Compact);
    for number in 0.. {
        let disk = MemoryVfs::new();
        disk.put("old.cpg.bin", b"old");
        let settings = ExportSettings::new().if_exists(IfExists::Replace).vfs(Arc::new(disk.clone()));
        let settings = settings.task(Task::new().threads(1).cancel(&at_look(number)));
        match Export::new(&graph).settings(settings).write_to("old.cpg.bin") {
            Ok(_) => {
                assert!(number > 10, "it looked {number} times");
                break;
            }
            Err(ExportError::Cancelled) => {
                assert_eq!(disk.paths(), [PathBuf::from("old.cpg.bin")]);
                assert_eq!(disk.contents("old.cpg.bin").unwrap(), b"old");
            }
            Err(error) => panic!("at look {number}: {error}"),
        }
    }
    graph.check().unwrap();
}

#[test]
fn another_thread_cancels_an_import_in_the_middle() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("zlib.varvite");
    let cancel = Cancel::default();
    let (step, steps) = mpsc::channel();
    let outcome = std::thread::scope(|scope| {
        let canceller = cancel.clone();
        scope.spawn(move || {
            assert!(steps.iter().any(|done| done > 20), "it got that far");
            canceller.cancel();
        });
        // The flag is not yet set at the first report of progress: the other thread has the time of a few
        // steps to set it.
        let task = Task::new().threads(2).cancel(&cancel);
        let task = task.progress(move |progress| step.send(progress.done).unwrap_or(()));
        Import::new(data("zlib.cpg.bin")).task(task).write_to(&target)
    });
    match outcome {
        Err(error @ ImportError::Cancelled) => {
            assert_eq!(error.code(), ErrorCode::Cancelled);
            let names = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name());
            assert_eq!(names.collect::<Vec<_>>(), [""; 0]);
        }
        other => panic!("{other:?}"),
    }
    // A cancelled import can run again.
    let report = Import::new(data("zlib.cpg.bin")).task(Task::new().threads(2)).write_to(&target).unwrap();
    assert_eq!(report.nodes, 44_073);
}

#[test]
fn progress_of_an_import_and_an_export_begins_at_nothing_and_ends_at_all() {
    let told = std::sync::Mutex::new(Vec::new());
    let tell = |progress: &varvite::Progress<'_>| {
        told.lock().unwrap().push((progress.done, progress.total));
    };
    let folder = tempfile::tempdir().unwrap();
    let disk = MemoryVfs::new();
    let import =
        Import::new(draft(folder.path())).vfs(Arc::new(disk.clone())).task(Task::new().progress(tell));
    import.write_to("graph.varvite").unwrap();
    let graph = super::export::open(&disk);
    let settings = ExportSettings::new().vfs(Arc::new(disk)).task(Task::new().progress(tell));
    Export::new(&graph).settings(settings).write_to("graph.cpg.bin").unwrap();
    let told = told.lock().unwrap().clone();
    let ends: Vec<_> = told.iter().filter(|(done, total)| done == total).collect();
    assert_eq!(ends.len(), 2, "{told:?}");
    assert_eq!(told.iter().filter(|(done, _)| *done == 0).count(), 2, "{told:?}");
}
