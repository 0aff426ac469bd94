//! Power failures at every point of creating a file.
//!
//! A workload runs once over a recording file system; then every disk state that it could have left is
//! checked. Protocols with a deliberate bug show that the check finds such bugs.

use std::path::Path;
use std::sync::Arc;

use varvite_store::vfs::Vfs;
use varvite_store::{IfExists, Result, StagedFile};
use varvite_testing::vfs::{CrashLimits, CrashState, MemoryVfs, RecordVfs, crash_states};

const TARGET: &str = "graphs/code.varvite";
const FOLDER: &str = "graphs";
const COMMITTED: &str = "committed";

/// The content of the file before a workload.
const OLD: &[u8] = &[b'o'; 3000];

fn new_content() -> Vec<u8> {
    let mut content: Vec<u8> = (0..9000).map(|index: u32| (index % 249) as u8 + 1).collect();
    content[..16].copy_from_slice(b"header, at last.");
    content
}

/// Writes the new content in three parts, the header last, as a writer of graphs does.
fn write_in_parts(mut write: impl FnMut(u64, &[u8]) -> Result<()>) -> Result<()> {
    let content = new_content();
    write(16, &content[16..6000])?;
    write(6000, &content[6000..])?;
    write(0, &content[..16])
}

fn commit_staged(vfs: Arc<dyn Vfs>) -> Result<()> {
    let mut staged = StagedFile::create(vfs, Path::new(TARGET), IfExists::Replace)?;
    write_in_parts(|offset, bytes| staged.write_all_at(offset, bytes))?;
    staged.commit()
}

fn disk_with(content: Option<&[u8]>) -> MemoryVfs {
    let memory = MemoryVfs::new();
    content.into_iter().for_each(|bytes| memory.put(TARGET, bytes));
    memory
}

/// Runs `workload` and returns every disk state that a power failure could have left.
fn states_of(workload: impl Fn(Arc<dyn Vfs>) -> Result<()>, disk: MemoryVfs) -> Vec<CrashState> {
    let record = RecordVfs::over(disk);
    workload(Arc::new(record.clone())).unwrap();
    record.mark(COMMITTED);
    let log = record.log();
    let mut states = crash_states(&log, CrashLimits::default());
    let all = states.by_ref().collect();
    assert_eq!(states.skipped(), 0);
    all
}

/// The reason why a state breaks the promise, or `None`. The promise is that the content is old or new before
/// the commit has returned, and new afterwards.
fn breach(state: &CrashState, old: Option<&[u8]>) -> Option<&'static str> {
    let found = state.image.contents(TARGET);
    let is_new = found == Some(new_content());
    let is_old = found.as_deref() == old;
    match (is_new, is_old) {
        (true, _) => None,
        (false, true) if !state.has_passed(COMMITTED) => None,
        (false, true) => Some("the new file was lost after its commit"),
        (false, false) => Some("the target is neither the old file nor the new one"),
    }
}

fn breaches(workload: impl Fn(Arc<dyn Vfs>) -> Result<()>, old: Option<&[u8]>) -> Vec<&'static str> {
    let states = states_of(workload, disk_with(old));
    let mut breaches: Vec<_> = states.iter().filter_map(|state| breach(state, old)).collect();
    breaches.sort_unstable();
    breaches.dedup();
    breaches
}

#[test]
fn a_commit_leaves_the_old_file_or_the_new_one() {
    let states = states_of(commit_staged, disk_with(Some(OLD)));
    for state in &states {
        assert_eq!(breach(state, Some(OLD)), None, "{}", state.story);
    }
    assert!(states.len() > 50, "only {} states", states.len());
    let outcomes = |content: &[u8]| {
        states.iter().filter(|state| state.image.contents(TARGET).as_deref() == Some(content)).count()
    };
    assert!(outcomes(OLD) > 0 && outcomes(&new_content()) > 0);
}

#[test]
fn a_first_commit_leaves_no_file_or_the_new_one() {
    assert_eq!(breaches(commit_staged, None), [] as [&str; 0]);
}

#[test]
fn the_next_writer_succeeds_on_every_disk_a_crash_left() {
    for state in states_of(commit_staged, disk_with(Some(OLD))) {
        commit_staged(Arc::new(state.image.clone())).unwrap();
        assert_eq!(state.image.paths(), [Path::new(TARGET)], "{}", state.story);
        assert_eq!(state.image.contents(TARGET), Some(new_content()), "{}", state.story);
    }
}

#[test]
fn a_second_crash_does_no_more_harm_than_the_first() {
    let first_crashes = states_of(commit_staged, disk_with(Some(OLD)));
    for first in first_crashes.iter().step_by(16) {
        let found = first.image.contents(TARGET);
        for second in states_of(commit_staged, first.image.durable_image()) {
            assert_eq!(breach(&second, found.as_deref()), None, "{}, then {}", first.story, second.story);
        }
    }
}

#[test]
fn a_rename_before_the_sync_is_caught() {
    let wrong = |vfs: Arc<dyn Vfs>| {
        let temporary = Path::new("graphs/temporary");
        let file = vfs.create_new(temporary)?;
        write_in_parts(|offset, bytes| file.write_all_at(offset, bytes))?;
        vfs.rename(temporary, Path::new(TARGET))?;
        file.sync()?;
        vfs.sync_dir(Path::new(FOLDER))
    };
    assert_eq!(breaches(wrong, Some(OLD)), ["the target is neither the old file nor the new one"]);
}

#[test]
fn a_rename_without_a_sync_of_the_folder_is_caught() {
    let wrong = |vfs: Arc<dyn Vfs>| {
        let temporary = Path::new("graphs/temporary");
        let file = vfs.create_new(temporary)?;
        write_in_parts(|offset, bytes| file.write_all_at(offset, bytes))?;
        file.sync()?;
        vfs.rename(temporary, Path::new(TARGET))
    };
    assert_eq!(breaches(wrong, Some(OLD)), ["the new file was lost after its commit"]);
}

#[test]
fn writing_in_place_is_caught() {
    let wrong = |vfs: Arc<dyn Vfs>| {
        let file = vfs.open_writable(Path::new(TARGET))?;
        write_in_parts(|offset, bytes| file.write_all_at(offset, bytes))?;
        file.sync()
    };
    assert_eq!(breaches(wrong, Some(OLD)), ["the target is neither the old file nor the new one"]);
}

#[test]
fn removing_the_old_file_first_is_caught() {
    let wrong = |vfs: Arc<dyn Vfs>| {
        vfs.remove(Path::new(TARGET))?;
        commit_staged(vfs)
    };
    assert_eq!(breaches(wrong, Some(OLD)), ["the target is neither the old file nor the new one"]);
}

#[test]
fn a_header_that_points_to_unsynced_data_is_caught() {
    // A bug within one file: the header claims "complete" before the data is durable.
    let record = RecordVfs::over(disk_with(Some(b"empty...")));
    let file = record.open_writable(Path::new(TARGET)).unwrap();
    file.write_all_at(8, &[b'd'; 600]).unwrap();
    file.write_all_at(0, b"complete").unwrap();
    file.sync().unwrap();
    let log = record.log();
    let lies = crash_states(&log, CrashLimits::default()).filter(|state| {
        let content = state.image.contents(TARGET).unwrap();
        content.starts_with(b"complete") && content[8..] != [b'd'; 600]
    });
    assert!(lies.count() > 0);
}
