//! The files that words name.

use std::fs;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::{collections::BTreeSet, os::unix::fs::symlink, sync::mpsc, thread, time::Duration};

use varvite_corpus::{CorpusError, FileList, names_many};

fn touch(folder: &Path, names: &[&str]) {
    for name in names {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, name).unwrap();
    }
}

fn names(list: &FileList, folder: &Path) -> Vec<String> {
    let of = |path: &PathBuf| path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
    list.files.iter().map(of).collect()
}

#[test]
fn a_folder_stands_for_all_graphs_below_it_in_order() {
    let folder = tempfile::tempdir().unwrap();
    touch(folder.path(), &["b.varvite", "a/z.varvite", "a/notes.txt", "c/d/e.varvite", "cpg.bin"]);
    let list = FileList::at(folder.path()).unwrap();
    assert_eq!(names(&list, folder.path()), ["a/z.varvite", "b.varvite", "c/d/e.varvite"]);
    assert!(names_many(folder.path()) && !names_many(&folder.path().join("b.varvite")));
}

#[test]
fn a_pattern_crosses_folders_only_by_two_stars() {
    let folder = tempfile::tempdir().unwrap();
    touch(folder.path(), &["b.varvite", "a/z.varvite", "a/y.bin", "c/d/e.varvite"]);
    let matching = |pattern: &str| {
        let words = folder.path().join(pattern);
        assert!(names_many(&words));
        names(&FileList::at(&words).unwrap(), folder.path())
    };
    assert_eq!(matching("*.varvite"), ["b.varvite"]);
    assert_eq!(matching("**/*.varvite"), ["a/z.varvite", "b.varvite", "c/d/e.varvite"]);
    assert_eq!(matching("a/[yz].*"), ["a/y.bin", "a/z.varvite"]);
    assert_eq!(matching("?/z.varvite"), ["a/z.varvite"]);
}

#[test]
fn a_file_whose_name_looks_like_a_pattern_is_one_file() {
    let folder = tempfile::tempdir().unwrap();
    touch(folder.path(), &["a[1].varvite", "a1.varvite"]);
    let words = folder.path().join("a[1].varvite");
    assert!(!names_many(&words));
    assert_eq!(names(&FileList::at(&words).unwrap(), folder.path()), ["a[1].varvite"]);
}

#[test]
fn words_without_files_are_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let message = |words: &str| FileList::at(&folder.path().join(words)).unwrap_err().to_string();
    assert!(message("*.varvite").starts_with("no file matches "));
    assert!(message("").contains("has no .varvite file"));
    assert!(message("[a.varvite").contains("is not a pattern of files"));
    assert!(matches!(FileList::at(&folder.path().join("gone")), Err(CorpusError::NoMatch { .. })));
}

#[cfg(unix)]
#[test]
fn a_file_with_several_names_is_listed_once() {
    let folder = tempfile::tempdir().unwrap();
    touch(folder.path(), &["b.varvite"]);
    let path = |name: &str| folder.path().join(name);
    fs::hard_link(path("b.varvite"), path("a.varvite")).unwrap();
    symlink(path("b.varvite"), path("c.varvite")).unwrap();
    symlink(folder.path(), path("loop.varvite")).unwrap();
    let list = FileList::at(folder.path()).unwrap();
    assert_eq!(names(&list, folder.path()), ["a.varvite"]);
    let others: Vec<_> =
        list.other_names.iter().map(|other| (other.name.clone(), other.of.clone())).collect();
    assert_eq!(others, [(path("b.varvite"), path("a.varvite")), (path("c.varvite"), path("a.varvite"))]);
    assert!(list.without(&path("c.varvite")).files.is_empty());
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_read_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    touch(folder.path(), &["a.varvite", "shut/b.varvite"]);
    let shut = folder.path().join("shut");
    fs::set_permissions(&shut, fs::Permissions::from_mode(0o000)).unwrap();
    let can_read = fs::read_dir(&shut).is_ok();
    let (all, matched) =
        (FileList::at(folder.path()).unwrap(), FileList::at(&folder.path().join("**/*.varvite")).unwrap());
    let alone = FileList::at(&shut);
    fs::set_permissions(&shut, fs::Permissions::from_mode(0o700)).unwrap();
    if can_read {
        // Root reads every folder; then nothing is left out.
        assert_eq!((all.files.len(), all.unreadable.len(), matched.files.len()), (2, 0, 2));
        return;
    }
    for list in [all, matched] {
        assert_eq!((list.files.len(), list.unreadable.len()), (1, 1));
        assert_eq!(list.unreadable[0].path, shut);
    }
    assert!(matches!(alone, Err(CorpusError::Folder { .. })));
}

#[test]
fn folders_below_too_many_others_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let deep = format!("{}b.varvite", "d/".repeat(66));
    touch(folder.path(), &["a.varvite", &deep]);
    let list = FileList::at(folder.path()).unwrap();
    assert_eq!((names(&list, folder.path()), list.unreadable.len()), (vec!["a.varvite".to_owned()], 1));
    assert!(list.unreadable[0].error.to_string().contains("more than 64 folders"));
}

/// The files of a pattern. Fails if the search does not end.
#[cfg(unix)]
fn search(words: &Path) -> Vec<PathBuf> {
    let (done, result) = mpsc::channel();
    let words = words.to_owned();
    thread::spawn(move || done.send(FileList::at(&words).map_or(Vec::new(), |list| list.files)));
    result.recv_timeout(Duration::from_secs(10)).unwrap()
}

#[cfg(unix)]
#[test]
fn links_that_lead_back_do_not_lengthen_a_search() {
    let folder = tempfile::tempdir().unwrap();
    touch(folder.path(), &["a.varvite", "d/b.varvite"]);
    for link in ["p", "q", "d/up"] {
        symlink(folder.path(), folder.path().join(link)).unwrap();
    }
    let far = format!("{}b.varvite", "*/".repeat(60));
    for (pattern, expected) in [
        ("**/*.varvite", vec!["a.varvite", "d/b.varvite"]),
        ("p/**/*.varvite", vec!["p/a.varvite", "p/d/b.varvite"]),
        ("*/*.varvite", vec!["d/b.varvite", "p/a.varvite"]),
        ("**/**/b.*", vec!["d/b.varvite"]),
        ("*/d/up/d/*.varvite", vec!["p/d/up/d/b.varvite"]),
    ] {
        let files = search(&folder.path().join(pattern));
        assert_eq!(files, expected.into_iter().map(|name| folder.path().join(name)).collect::<Vec<_>>());
    }
    let files = search(&folder.path().join(far));
    assert!(files.len() == 1 && files[0].ends_with("d/b.varvite"), "{files:?}");
}

/// The files of a pattern, by the sets of folders that each part reaches. Paths have no links.
#[cfg(unix)]
fn files_by_sets(base: &Path, pattern: &str) -> BTreeSet<PathBuf> {
    let has_name = |part: &str, name: &str| match part.split_once('*') {
        None => part == name,
        Some((head, tail)) => {
            name.len() >= head.len() + tail.len() && name.starts_with(head) && name.ends_with(tail)
        }
    };
    let entries = |folder: &PathBuf| -> Vec<PathBuf> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
    };
    let mut places = BTreeSet::from([base.canonicalize().unwrap()]);
    for part in pattern.split('/') {
        if part == "**" {
            let mut waiting: Vec<PathBuf> = places.iter().cloned().collect();
            while let Some(folder) = waiting.pop() {
                let below = entries(&folder).into_iter().filter(|path| path.is_dir() && !path.is_symlink());
                waiting.extend(below.filter(|path| places.insert(path.clone())));
            }
            continue;
        }
        let named = |path: &PathBuf| has_name(part, path.file_name().unwrap().to_str().unwrap());
        let found = places.iter().flat_map(entries).filter(named).map(|path| path.canonicalize().unwrap());
        places = found.collect();
        let is_last = pattern.ends_with(&format!("/{part}")) && part.contains('.');
        places.retain(|path| path.is_dir() != is_last);
    }
    places
}

#[cfg(unix)]
#[test]
fn random_folders_with_links_are_searched_as_sets() {
    let mut seed = 46u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for _ in 0..60 {
        let base = tempfile::tempdir().unwrap();
        let mut folders = vec![base.path().to_owned()];
        for _ in 0..12 {
            let place = folders[random(folders.len())].join(["a", "A", "b", "b2", "c.varvite"][random(5)]);
            let target = folders[random(folders.len())].clone();
            match random(3) {
                0 if symlink(&target, &place).is_ok() => {}
                1 if fs::create_dir(&place).is_ok() => folders.push(place),
                _ => touch(&target, &[["a.varvite", "A.varvite", "b.txt", "b2.varvite"][random(4)]]),
            }
        }
        for pattern in ["**/*.varvite", "*/*.varvite", "*/*/*/*.varvite", "b*/**/a.varvite", "**/b*/*/*.txt"]
        {
            let files: BTreeSet<PathBuf> =
                search(&base.path().join(pattern)).iter().map(|path| path.canonicalize().unwrap()).collect();
            assert_eq!(files, files_by_sets(base.path(), pattern), "{pattern}");
        }
    }
}
