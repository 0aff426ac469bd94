//! [`SourceFolder`]: finds the file of a FILE node in a folder.
//!
//! The name of a FILE is a stranger's input. A name leads to a file only if the file is in the folder, after
//! all symbolic links are followed. A name is never completed by a guess: `util.c` is not `lib/util.c`.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// A folder with sources.
#[derive(Debug)]
pub(super) struct SourceFolder {
    /// The path of the folder, without symbolic links.
    path: PathBuf,
    /// The paths that absolute names of FILEs may begin with: the folder as the user named it, the folder
    /// itself, and the folder that the frontend read.
    bases: Vec<PathBuf>,
}

/// The place to which the name of a FILE leads.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A regular file in the folder.
    File(PathBuf),
    /// No file, because frontends use the name as a placeholder.
    Placeholder,
    /// A name that leaves the folder, by itself or through a symbolic link.
    Outside,
    /// Something that is no regular file: a folder, a pipe or a device.
    NotAFile,
    /// Nothing.
    Missing,
    /// Something that the user may not read.
    Unreadable,
}

/// The reason why the bytes of a file are not used.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unread {
    /// The file has more bytes than one file may have.
    TooLarge,
    /// The file can't be read, or changes again and again while it is read.
    Unreadable,
}

/// The number of attempts to read a file that changes while it is read.
const ATTEMPTS: usize = 3;

impl SourceFolder {
    /// A folder. `root` is the folder that the frontend read, as far as the graph knows it.
    pub(super) fn open(path: &Path, root: Option<&str>) -> io::Result<Self> {
        let real = fs::canonicalize(path)?;
        if !fs::metadata(&real)?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let given = std::path::absolute(path).ok();
        let root = root.map(PathBuf::from).filter(|root| root.is_absolute());
        let bases = given.into_iter().chain([real.clone()]).chain(root).collect();
        Ok(Self { path: real, bases })
    }

    /// The place to which the name of a FILE leads.
    pub(super) fn find(&self, name: &str) -> Place {
        if is_placeholder(name) {
            return Place::Placeholder;
        }
        // Such a name is refused before any access to the disk, so the answer shows nothing of other folders.
        let Some(relative) = self.relative(name) else { return Place::Outside };
        match fs::canonicalize(self.path.join(relative)) {
            Ok(path) if !path.starts_with(&self.path) => Place::Outside,
            Ok(path) => match fs::metadata(&path) {
                Ok(data) if data.is_file() => Place::File(path),
                Ok(_) => Place::NotAFile,
                Err(_) => Place::Unreadable,
            },
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Place::Unreadable,
            Err(_) => Place::Missing,
        }
    }

    /// The path in the folder that a name stands for; `None` for a name that leaves the folder. An absolute
    /// name must begin with one of the bases.
    fn relative<'n>(&self, name: &'n str) -> Option<&'n Path> {
        let name = Path::new(name);
        let below = self.bases.iter().find_map(|base| name.strip_prefix(base).ok()).unwrap_or(name);
        let stays = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        below.components().all(stays).then_some(below)
    }

    /// The bytes of a file that [`SourceFolder::find`] found.
    pub(super) fn read(&self, path: &Path, bytes_max: u64) -> Result<Vec<u8>, Unread> {
        for _ in 0..ATTEMPTS {
            if let Some(bytes) = self.read_once(path, bytes_max)? {
                return Ok(bytes);
            }
        }
        Err(Unread::Unreadable)
    }

    /// The bytes of a file; `None` if the file or its name changed meanwhile.
    fn read_once(&self, path: &Path, bytes_max: u64) -> Result<Option<Vec<u8>>, Unread> {
        let unreadable = |_: io::Error| Unread::Unreadable;
        let file = File::open(path).map_err(unreadable)?;
        let before = file.metadata().map_err(unreadable)?;
        if before.len() > bytes_max {
            return Err(Unread::TooLarge);
        }
        // The name may have become a link to another file since it was looked up.
        if !before.is_file() || fs::canonicalize(path).map_err(unreadable)? != path {
            return Err(Unread::Unreadable);
        }
        let mut bytes = Vec::with_capacity(before.len() as usize);
        (&file).take(before.len() + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        let after = file.metadata().map_err(unreadable)?;
        let is_same = after.len() == before.len() && after.modified().ok() == before.modified().ok();
        Ok((is_same && bytes.len() as u64 == before.len()).then_some(bytes))
    }
}

/// Whether frontends use a name for nodes without a file, such as `<empty>`, `<unknown>` and `<includes>`.
pub(super) fn is_placeholder(name: &str) -> bool {
    name.is_empty() || (name.starts_with('<') && name.ends_with('>'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, SourceFolder) {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir_all(place.path().join("in/lib")).unwrap();
        fs::write(place.path().join("in/a.c"), "a").unwrap();
        fs::write(place.path().join("in/lib/b.c"), "b").unwrap();
        fs::write(place.path().join("secret"), "s").unwrap();
        let folder = SourceFolder::open(&place.path().join("in"), Some("/build/src")).unwrap();
        (place, folder)
    }

    #[test]
    fn a_name_leads_to_the_file_of_its_exact_path() {
        let (_place, folder) = folder();
        assert_eq!(folder.find("a.c"), Place::File(folder.path.join("a.c")));
        assert_eq!(folder.find("./lib//b.c"), Place::File(folder.path.join("lib/b.c")));
        assert_eq!(folder.find("b.c"), Place::Missing);
        assert_eq!(folder.find("a.c/b.c"), Place::Missing);
        assert_eq!(folder.find("nul\0"), Place::Missing);
        assert_eq!(folder.find(&"x".repeat(10_000)), Place::Missing);
        assert_eq!(folder.find("lib"), Place::NotAFile);
    }

    #[test]
    fn a_name_that_leaves_the_folder_is_refused() {
        let (place, folder) = folder();
        let secret = place.path().join("secret");
        for name in ["../secret", "lib/../../secret", "lib/../a.c", "..", "/", secret.to_str().unwrap()] {
            assert_eq!(folder.find(name), Place::Outside, "{name}");
        }
        assert_eq!(folder.find("/build/srcs/a.c"), Place::Outside);
    }

    #[test]
    fn an_absolute_name_in_the_folder_or_in_the_root_of_the_graph_is_read_below_the_folder() {
        let (place, folder) = folder();
        let inside = place.path().join("in/a.c");
        assert_eq!(folder.find(inside.to_str().unwrap()), Place::File(folder.path.join("a.c")));
        assert_eq!(folder.find("/build/src/lib/b.c"), Place::File(folder.path.join("lib/b.c")));
        assert_eq!(folder.find("/build/src/../a.c"), Place::Outside);
    }

    #[test]
    fn frontends_mark_nodes_without_a_file_by_placeholders() {
        let (_place, folder) = folder();
        for name in ["<empty>", "<unknown>", "<includes>", "<global>", ""] {
            assert_eq!(folder.find(name), Place::Placeholder, "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_followed_as_long_as_it_stays_in_the_folder() {
        let (place, folder) = folder();
        let link = |name, to: &Path| std::os::unix::fs::symlink(to, folder.path.join(name)).unwrap();
        link("same.c", Path::new("lib/b.c"));
        link("out.c", Path::new("../secret"));
        link("far.c", &place.path().join("secret"));
        link("up", Path::new(".."));
        link("loop.c", Path::new("loop.c"));
        assert_eq!(folder.find("same.c"), Place::File(folder.path.join("lib/b.c")));
        for name in ["out.c", "far.c", "up", "up/secret"] {
            assert_eq!(folder.find(name), Place::Outside, "{name}");
        }
        assert_eq!(folder.find("loop.c"), Place::Missing);
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_or_a_device_is_never_opened() {
        let (_place, folder) = folder();
        let pipe = folder.path.join("pipe.c");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(folder.find("pipe.c"), Place::NotAFile);
        let _socket = std::os::unix::net::UnixListener::bind(folder.path.join("s.c")).unwrap();
        assert_eq!(folder.find("s.c"), Place::NotAFile);
    }

    #[test]
    fn a_file_beyond_the_limit_is_not_read() {
        let (_place, folder) = folder();
        let path = folder.path.join("a.c");
        assert_eq!(folder.read(&path, 1), Ok(b"a".to_vec()));
        assert_eq!(folder.read(&path, 0), Err(Unread::TooLarge));
        assert_eq!(folder.read(&folder.path.join("gone.c"), 9), Err(Unread::Unreadable));
    }

    #[test]
    fn a_folder_is_needed() {
        let (_place, folder) = folder();
        assert_eq!(
            SourceFolder::open(&folder.path.join("a.c"), None).unwrap_err().kind(),
            io::ErrorKind::NotADirectory
        );
        assert!(SourceFolder::open(&folder.path.join("no"), None).is_err());
    }
}
