//! The operating system's files, in a temporary folder; and that the memory file system behaves as they do.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use proptest::prelude::*;
use tempfile::TempDir;
use varvite_store::vfs::{MemoryVfs, RealVfs, Vfs};
use varvite_store::{IfExists, Pinned, Result, StagedFile, StoreError};

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
    names.map(|name| name.into_string().unwrap()).collect()
}

#[test]
fn a_commit_makes_the_file_and_nothing_else() {
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
    assert_eq!(names_in(folder.path()), [] as [&str; 0]);
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
    assert!(fs::symlink_metadata(&target).unwrap().is_file());
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
    Lock(u8),
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
        file().prop_map(Step::Lock),
        Just(Step::SyncFolder),
    ]
}

/// What a step answers, in words that leave out the folder.
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
        Step::Lock(file) => vfs.open_writable(&path(file)).and_then(|first| {
            let second = vfs.open_writable(&path(file))?;
            Ok(format!("{} {} {}", first.try_lock()?, second.try_lock()?, second.is_at(&path(file))?))
        }),
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
