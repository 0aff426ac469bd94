//! Tests with files of the operating system in a temporary folder, and a comparison of the memory file system
//! with them.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use proptest::prelude::*;
use tempfile::TempDir;
use varvite_store::vfs::{RealVfs, Vfs};
use varvite_store::{FileChange, IfExists, OpenMode, Pinned, Result, StagedFile, StoreError};
use varvite_testing::vfs::MemoryVfs;

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn save(target: &Path, content: &[u8], if_exists: IfExists) -> Result<()> {
    let mut staged = StagedFile::create(Arc::new(RealVfs), target, if_exists)?;
    staged.write_all_at(0, content)?;
    staged.commit()
}

fn names_in(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_commit_makes_the_file_and_leaves_nothing_beside_it() {
    let folder = folder();
    let target = folder.path().join("code.varvite");
    save(&target, b"varves", IfExists::Refuse).unwrap();
    assert_eq!(fs::read(&target).unwrap(), b"varves");
    assert_eq!(names_in(folder.path()), ["code.varvite"]);
    assert!(matches!(save(&target, b"", IfExists::Refuse), Err(StoreError::Exists { .. })));
}

#[test]
fn readers_of_a_replaced_file_keep_the_old_one() {
    let folder = folder();
    let target = folder.path().join("code.varvite");
    save(&target, b"old", IfExists::Refuse).unwrap();
    let mapping = RealVfs.open(&target).unwrap().map().unwrap().unwrap();
    let old = Pinned::from(Arc::new(mapping));
    save(&target, b"newer", IfExists::Replace).unwrap();
    assert_eq!(&*old, b"old");
    assert_eq!(fs::read(&target).unwrap(), b"newer");
}

#[test]
fn a_second_writer_of_one_target_is_kept_out() {
    let folder = folder();
    let target = folder.path().join("code.varvite");
    let first = StagedFile::create(Arc::new(RealVfs), &target, IfExists::Refuse).unwrap();
    assert!(matches!(save(&target, b"", IfExists::Refuse), Err(StoreError::Busy { .. })));
    drop(first);
    assert_eq!(names_in(folder.path()), [""; 0]);
    save(&target, b"", IfExists::Refuse).unwrap();
}

#[test]
fn racing_writers_never_mix_their_files() {
    let folder = folder();
    let target = folder.path().join("code.varvite");
    let contents = [vec![b'a'; 9000], vec![b'b'; 5000], vec![b'c'; 7000]];
    std::thread::scope(|scope| {
        for content in &contents {
            let target = &target;
            scope.spawn(move || {
                for _ in 0..20 {
                    match save(target, content, IfExists::Replace) {
                        Ok(()) | Err(StoreError::Busy { .. }) => {}
                        Err(other) => panic!("{other}"),
                    }
                }
            });
        }
    });
    assert!(contents.contains(&fs::read(&target).unwrap()));
    assert_eq!(names_in(folder.path()), ["code.varvite"]);
}

#[test]
fn what_a_killed_writer_left_is_replaced() {
    let folder = folder();
    fs::write(folder.path().join(".code.varvite.partial"), b"left behind").unwrap();
    save(&folder.path().join("code.varvite"), b"new", IfExists::Refuse).unwrap();
    assert_eq!(names_in(folder.path()), ["code.varvite"]);
}

#[test]
fn a_missing_folder_is_an_error_with_its_path() {
    let folder = folder();
    let error = save(&folder.path().join("absent/code.varvite"), b"", IfExists::Refuse).unwrap_err();
    assert_eq!(error.io_kind(), Some(std::io::ErrorKind::NotFound));
    assert!(error.to_string().contains("absent"));
}

#[test]
fn a_read_past_the_end_is_a_truncated_file() {
    let folder = folder();
    let path = folder.path().join("short");
    fs::write(&path, b"abc").unwrap();
    let error = RealVfs.open(&path).unwrap().read_exact_at(1, &mut [0; 10]).unwrap_err();
    assert!(matches!(error, StoreError::Truncated { offset: 1, wanted: 10, length: 3, .. }));
}

#[cfg(unix)]
#[test]
fn only_regular_files_are_opened() {
    let folder = folder();
    let socket = folder.path().join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    for path in [folder.path(), &socket, Path::new("/dev/null")] {
        assert!(matches!(RealVfs.open(path), Err(StoreError::NotAFile { .. })), "{}", path.display());
    }
}

#[cfg(unix)]
#[test]
fn a_dangling_link_in_the_targets_place_counts_as_existing() {
    let folder = folder();
    let target = folder.path().join("code.varvite");
    std::os::unix::fs::symlink("nowhere", &target).unwrap();
    assert!(matches!(save(&target, b"", IfExists::Refuse), Err(StoreError::Exists { .. })));
    save(&target, b"new", IfExists::Replace).unwrap();
    assert_eq!(fs::read_link(&target).unwrap(), Path::new("nowhere"));
    assert_eq!(fs::read(folder.path().join("nowhere")).unwrap(), b"new");
}

#[cfg(unix)]
#[test]
fn all_ways_to_a_file_lead_to_one_lock_and_links_stay_links() {
    let folder = folder();
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    let (target, link) = (inner.join("code.varvite"), folder.path().join("link"));
    std::os::unix::fs::symlink("inner/code.varvite", &link).unwrap();
    std::os::unix::fs::symlink("link", folder.path().join("second")).unwrap();
    save(&target, b"old", IfExists::Refuse).unwrap();
    let second = folder.path().join("second");
    let held = StagedFile::create(Arc::new(RealVfs), &second, IfExists::Replace).unwrap();
    assert!(fs::canonicalize(held.target()).unwrap() == fs::canonicalize(&target).unwrap());
    assert!(matches!(save(&target, b"", IfExists::Replace), Err(StoreError::Busy { .. })));
    drop(held);
    save(&link, b"new", IfExists::Replace).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&target).unwrap(), b"new");
    assert_eq!(names_in(&inner), ["code.varvite"]);
    assert_eq!(names_in(folder.path()), ["inner", "link", "second"]);
}

#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_a_temporary_file_is_removed_and_not_followed() {
    let folder = folder();
    let (target, others) = (folder.path().join("code.varvite"), folder.path().join("others"));
    fs::write(&others, b"theirs").unwrap();
    std::os::unix::fs::symlink(&others, folder.path().join(PARTIAL)).unwrap();
    save(&target, b"new", IfExists::Refuse).unwrap();
    assert_eq!(fs::read(&others).unwrap(), b"theirs");
    assert_eq!(names_in(folder.path()), ["code.varvite", "others"]);
}

const PARTIAL: &str = ".code.varvite.partial";

#[test]
fn hard_links_of_a_file_share_one_lock_and_a_second_writer_names_the_holder() {
    let folder = folder();
    let (target, other) = (folder.path().join("code.varvite"), folder.path().join("other"));
    fs::write(&target, crate::sample::bytes()).unwrap();
    fs::hard_link(&target, &other).unwrap();
    let begin = |path: &Path| FileChange::begin(Arc::new(RealVfs), path);
    let held = begin(&target).unwrap();
    for error in [begin(&other).unwrap_err(), save(&other, b"", IfExists::Replace).unwrap_err()] {
        assert!(matches!(&error, StoreError::Busy { path, .. } if *path == other), "{error}");
        if cfg!(target_os = "linux") {
            assert!(error.to_string().contains(&format!("process {} (", std::process::id())), "{error}");
        }
    }
    drop(held);
    let staged = StagedFile::create(Arc::new(RealVfs), &other, IfExists::Replace).unwrap();
    assert!(matches!(begin(&target), Err(StoreError::Busy { .. })));
    staged.commit().unwrap();
    begin(&target).expect("it is a file of its own now");
    assert_eq!(names_in(folder.path()), ["code.varvite", "other"]);
}

#[test]
fn a_writer_that_reads_on_by_the_handle_of_its_change_keeps_nobody_out() {
    let folder = folder();
    let target = folder.path().join("code.varvite");
    fs::write(&target, crate::sample::bytes()).unwrap();
    let change = FileChange::begin(Arc::new(RealVfs), &target).unwrap();
    let store = change.open_store(OpenMode::Mapped).unwrap();
    drop(change);
    FileChange::begin(Arc::new(RealVfs), &target).unwrap();
    drop(store);
}

#[test]
fn a_temporary_file_that_was_removed_by_hand_does_not_let_two_writers_publish() {
    let folder = folder();
    let target = folder.path().join("code.varvite");
    let mut first = StagedFile::create(Arc::new(RealVfs), &target, IfExists::Refuse).unwrap();
    first.write_all_at(0, b"half of the fir").unwrap();
    fs::remove_file(folder.path().join(PARTIAL)).unwrap();
    save(&target, b"second", IfExists::Refuse).unwrap();
    assert!(matches!(first.commit(), Err(StoreError::Exists { .. } | StoreError::Replaced { .. })));
    assert_eq!(fs::read(&target).unwrap(), b"second");
}

#[test]
fn a_writer_removes_what_a_killed_one_left_between_link_and_unlink() {
    let folder = folder();
    let (target, partial) = (folder.path().join("code.varvite"), folder.path().join(PARTIAL));
    let link = || {
        fs::write(&target, crate::sample::bytes()).unwrap();
        fs::hard_link(&target, &partial).unwrap();
    };
    link();
    FileChange::begin(Arc::new(RealVfs), &target).unwrap();
    assert_eq!(names_in(folder.path()), ["code.varvite"]);
    link();
    save(&target, b"new", IfExists::Replace).unwrap();
    assert_eq!(names_in(folder.path()), ["code.varvite"]);
    assert_eq!(fs::read(&target).unwrap(), b"new");
}

#[cfg(unix)]
#[test]
fn a_file_that_may_only_be_read_is_replaced_and_not_committed_to() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let target = folder.path().join("code.varvite");
    fs::write(&target, crate::sample::bytes()).unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o444)).unwrap();
    if fs::OpenOptions::new().write(true).open(&target).is_ok() {
        varvite_model::skip("a file that may only be read", "this user may write to every file");
    } else {
        let change = FileChange::begin(Arc::new(RealVfs), &target).unwrap();
        let base = change.open_store(OpenMode::Buffered).unwrap();
        let error = change.append(&base).unwrap_err();
        assert_eq!(error.io_kind(), Some(std::io::ErrorKind::PermissionDenied), "{error}");
    }
    save(&target, b"new", IfExists::Replace).unwrap();
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o444);
}

#[cfg(unix)]
#[test]
fn rights_and_extended_attributes_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let target = folder.path().join("code.varvite");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    save(&target, b"old", IfExists::Refuse).unwrap();
    let usual = mode(&target);
    fs::write(folder.path().join("other"), b"").unwrap();
    assert_eq!(usual, mode(&folder.path().join("other")), "a new file is as any new file is");
    // If the file system has no extended attributes, the test does not expect any.
    let has_extended = xattr::set(&target, "user.origin", b"a build").is_ok();
    for rights in [0o600, 0o640, 0o664, 0o444] {
        fs::set_permissions(&target, fs::Permissions::from_mode(rights)).unwrap();
        let mut staged = StagedFile::create(Arc::new(RealVfs), &target, IfExists::Replace).unwrap();
        staged.write_all_at(0, b"new").unwrap();
        assert_eq!(mode(staged.temporary()), 0o600, "nobody else reads it before it is whole");
        staged.commit().unwrap();
        assert_eq!(mode(&target), rights);
    }
    let kept = xattr::get(&target, "user.origin").unwrap_or_default();
    assert_eq!(kept.as_deref(), has_extended.then_some(&b"a build"[..]));
}

#[test]
fn a_change_works_on_the_file_that_it_locked() {
    let folder = folder();
    let target = folder.path().join("code.varvite");
    fs::write(&target, crate::sample::bytes()).unwrap();
    let change = FileChange::begin(Arc::new(RealVfs), &target).unwrap();
    assert!(matches!(FileChange::begin(Arc::new(RealVfs), &target), Err(StoreError::Busy { .. })));
    let store = change.open_store(OpenMode::Mapped).unwrap();
    let staged = change.successor(&store).unwrap();
    // A program that ignores locks replaces the target by a rename.
    fs::write(folder.path().join("other"), b"another").unwrap();
    fs::rename(folder.path().join("other"), &target).unwrap();
    assert!(matches!(staged.commit(), Err(StoreError::Replaced { .. })));
    assert_eq!(fs::read(&target).unwrap(), b"another");
    assert_eq!(names_in(folder.path()), ["code.varvite"]);
    let error = FileChange::begin(Arc::new(RealVfs), &folder.path().join("absent")).unwrap_err();
    assert_eq!(error.io_kind(), Some(std::io::ErrorKind::NotFound));
    assert!(FileChange::begin(Arc::new(RealVfs), &target).is_err(), "the other is no graph");
    fs::write(folder.path().join("text"), b"no graph").unwrap();
    assert!(FileChange::begin(Arc::new(RealVfs), &folder.path().join("text")).is_err());
    assert_eq!(names_in(folder.path()), ["code.varvite", "text"]);
}

#[test]
fn a_file_that_was_written_to_in_place_is_not_the_one_that_was_opened() {
    let folder = folder();
    let target = folder.path().join("code.varvite");
    let bytes = crate::sample::bytes();
    fs::write(&target, &bytes).unwrap();
    let change = FileChange::begin(Arc::new(RealVfs), &target).unwrap();
    let store = change.open_store(OpenMode::Buffered).unwrap();
    let successor = || change.successor(&store).unwrap();
    let staged = successor();
    let other = crate::sample::bytes_of(*b"another file id.");
    fs::write(&target, &other).unwrap();
    assert!(matches!(staged.commit(), Err(StoreError::Replaced { .. })));
    assert_eq!(fs::read(&target).unwrap(), other);
    fs::write(&target, &bytes).unwrap();
    successor().commit().unwrap();
    assert_eq!(fs::read(&target).unwrap(), b"");
}

/// One step of a workload on the files `a` to `c`.
#[derive(Debug, Clone)]
enum Step {
    Create(u8),
    Write(u8, u16, Vec<u8>),
    Read(u8, u16, u8),
    Rename(u8, u8),
    Remove(u8),
    Exists(u8),
    Lock(u8, u8),
    Link(u8, u8),
    SyncFolder,
}

fn step() -> impl Strategy<Value = Step> {
    let file = || 0..3u8;
    let bytes = prop::collection::vec(any::<u8>(), 0..40);
    prop_oneof![
        file().prop_map(Step::Create),
        (file(), 0..100u16, bytes).prop_map(|(file, offset, bytes)| Step::Write(file, offset, bytes)),
        (file(), 0..150u16, 0..20u8).prop_map(|(file, offset, length)| Step::Read(file, offset, length)),
        (file(), file()).prop_map(|(from, to)| Step::Rename(from, to)),
        file().prop_map(Step::Remove),
        file().prop_map(Step::Exists),
        (file(), file()).prop_map(|(file, other)| Step::Lock(file, other)),
        (file(), file()).prop_map(|(from, to)| Step::Link(from, to)),
        Just(Step::SyncFolder),
    ]
}

/// The result of a step as text, without the name of the folder.
fn answer(vfs: &dyn Vfs, folder: &Path, step: &Step) -> String {
    let path = |file: &u8| folder.join(char::from(b'a' + file).to_string());
    let result = match step {
        Step::Create(file) => {
            vfs.create_new(&path(file)).and_then(|file| file.sync()).map(|()| String::new())
        }
        Step::Write(file, offset, bytes) => vfs
            .open_writable(&path(file))
            .and_then(|file| file.write_all_at((*offset).into(), bytes).and_then(|()| file.len()))
            .map(|length| length.to_string()),
        Step::Read(file, offset, length) => {
            let mut buffer = vec![0; (*length).into()];
            let read =
                vfs.open(&path(file)).and_then(|file| file.read_exact_at((*offset).into(), &mut buffer));
            read.map(|()| format!("{buffer:?}"))
        }
        Step::Rename(from, to) => vfs.rename(&path(from), &path(to)).map(|()| String::new()),
        Step::Remove(file) => vfs.remove(&path(file)).map(|()| String::new()),
        Step::Exists(file) => vfs.exists(&path(file)).map(|exists| exists.to_string()),
        Step::Lock(file, other) => vfs.open(&path(file)).and_then(|first| {
            let second = vfs.open_writable(&path(other))?;
            first.try_lock()?;
            let is_busy = matches!(second.try_lock(), Err(StoreError::Busy { .. }));
            first.unlock();
            second.try_lock()?;
            let names = (first.name_count()?, second.name_count()?);
            Ok(format!("{is_busy} {names:?} {}", first.is_at(&path(other))?))
        }),
        Step::Link(from, to) => vfs.link(&path(from), &path(to)).map(|()| String::new()),
        Step::SyncFolder => vfs.sync_dir(folder).map(|()| String::new()),
    };
    result.unwrap_or_else(|error| match error {
        StoreError::Io { operation, source, .. } => format!("cannot {operation}: {:?}", source.kind()),
        StoreError::Truncated { length, .. } => format!("ends at {length}"),
        other => panic!("unexpected: {other}"),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn memory_answers_as_a_real_disk_does(steps in prop::collection::vec(step(), 0..30)) {
        let (folder, memory) = (folder(), MemoryVfs::new());
        for step in &steps {
            let real = answer(&RealVfs, folder.path(), step);
            let remembered = answer(&memory, Path::new("disk"), step);
            prop_assert_eq!(real, remembered, "{:?}", step);
        }
    }
}
