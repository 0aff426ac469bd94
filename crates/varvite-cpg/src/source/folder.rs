//! [`SourceFolder`]: finds the file of a FILE node in a folder.
//!
//! The name of a FILE is a stranger's input. A name leads to a file only if the file is in the folder, after
//! all symbolic links are followed. A name is never completed by a guess: `util.c` is not `lib/util.c`.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use varvite::memory::Reserved;

/// A folder with sources.
#[derive(Debug)]
pub(super) struct SourceFolder {
    /// The path of the folder, without symbolic links.
    path: PathBuf,
    /// The paths that absolute names of FILEs may begin with: the folder as the user named it, the folder
    /// itself, and the folder that the frontend read.
    bases: Vec<PathBuf>,
}

/// The reason why a FILE gets no text from the folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Absence {
    /// Frontends use the name as a placeholder.
    Placeholder,
    /// The folder has no such file.
    Missing,
    /// The name leaves the folder, by itself or through a symbolic link.
    Outside,
    /// The name leads to something that is no regular file: a folder, a pipe or a device.
    NotAFile,
    /// The file, its text and the offsets of its lines take more memory than one file may have.
    TooLarge,
    /// The user may not read the file, or it changes again and again while it is read.
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

    /// The regular file in the folder to which the name of a FILE leads, as a path without symbolic links.
    pub(super) fn find(&self, name: &str) -> Result<PathBuf, Absence> {
        if is_placeholder(name) {
            return Err(Absence::Placeholder);
        }
        // Such a name is refused before any access to the disk, so the answer shows nothing of other folders.
        let relative = self.relative(name).ok_or(Absence::Outside)?;
        match fs::canonicalize(self.path.join(relative)) {
            Ok(path) if !path.starts_with(&self.path) => Err(Absence::Outside),
            Ok(path) => match fs::metadata(&path) {
                Ok(data) if data.is_file() => Ok(path),
                Ok(_) => Err(Absence::NotAFile),
                Err(_) => Err(Absence::Unreadable),
            },
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Err(Absence::Unreadable),
            Err(_) => Err(Absence::Missing),
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

    /// The bytes of a file that [`SourceFolder::find`] found. `room` pays for them.
    pub(super) fn read(&self, path: &Path, bytes_max: u64, room: &mut Reserved) -> Result<Vec<u8>, Absence> {
        for _ in 0..ATTEMPTS {
            if let Some(bytes) = self.read_once(path, bytes_max, room)? {
                return Ok(bytes);
            }
        }
        Err(Absence::Unreadable)
    }

    /// The bytes of a file; `None` if the file or its name changed meanwhile.
    fn read_once(
        &self,
        path: &Path,
        bytes_max: u64,
        room: &mut Reserved,
    ) -> Result<Option<Vec<u8>>, Absence> {
        let unreadable = |_: io::Error| Absence::Unreadable;
        let file = File::open(path).map_err(unreadable)?;
        let before = file.metadata().map_err(unreadable)?;
        let len = usize::try_from(before.len()).map_err(|_| Absence::TooLarge)?;
        if before.len() > bytes_max {
            return Err(Absence::TooLarge);
        }
        // The name may have become a link to another file since it was looked up.
        if !before.is_file() || fs::canonicalize(path).map_err(unreadable)? != path {
            return Err(Absence::Unreadable);
        }
        room.resize(len).map_err(|_| Absence::TooLarge)?;
        let mut bytes = Vec::with_capacity(len);
        (&file).take(before.len()).read_to_end(&mut bytes).map_err(unreadable)?;
        let after = file.metadata().map_err(unreadable)?;
        let is_same = after.len() == before.len() && after.modified().ok() == before.modified().ok();
        Ok((is_same && bytes.len() == len).then_some(bytes))
    }
}

/// Whether frontends use a name for nodes without a file, such as `<empty>`, `<unknown>` and `<includes>`.
pub(super) fn is_placeholder(name: &str) -> bool {
    name.is_empty() || (name.starts_with('<') && name.ends_with('>'))
}

#[cfg(test)]
mod tests {
    use varvite::Budget;

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
        assert_eq!(folder.find("a.c"), Ok(folder.path.join("a.c")));
        assert_eq!(folder.find("./lib//b.c"), Ok(folder.path.join("lib/b.c")));
        assert_eq!(folder.find("b.c"), Err(Absence::Missing));
        assert_eq!(folder.find("a.c/b.c"), Err(Absence::Missing));
        assert_eq!(folder.find("nul\0"), Err(Absence::Missing));
        assert_eq!(folder.find(&"x".repeat(10_000)), Err(Absence::Missing));
        assert_eq!(folder.find("lib"), Err(Absence::NotAFile));
    }

    #[test]
    fn a_name_that_leaves_the_folder_is_refused() {
        let (place, folder) = folder();
        let secret = place.path().join("secret");
        for name in ["../secret", "lib/../../secret", "lib/../a.c", "..", "/", secret.to_str().unwrap()] {
            assert_eq!(folder.find(name), Err(Absence::Outside), "{name}");
        }
        assert_eq!(folder.find("/build/srcs/a.c"), Err(Absence::Outside));
    }

    #[test]
    fn an_absolute_name_in_the_folder_or_in_the_root_of_the_graph_is_read_below_the_folder() {
        let (place, folder) = folder();
        let inside = place.path().join("in/a.c");
        assert_eq!(folder.find(inside.to_str().unwrap()), Ok(folder.path.join("a.c")));
        assert_eq!(folder.find("/build/src/lib/b.c"), Ok(folder.path.join("lib/b.c")));
        assert_eq!(folder.find("/build/src/../a.c"), Err(Absence::Outside));
    }

    #[test]
    fn frontends_mark_nodes_without_a_file_by_placeholders() {
        let (_place, folder) = folder();
        for name in ["<empty>", "<unknown>", "<includes>", "<global>", ""] {
            assert_eq!(folder.find(name), Err(Absence::Placeholder), "{name}");
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
        assert_eq!(folder.find("same.c"), Ok(folder.path.join("lib/b.c")));
        for name in ["out.c", "far.c", "up", "up/secret"] {
            assert_eq!(folder.find(name), Err(Absence::Outside), "{name}");
        }
        assert_eq!(folder.find("loop.c"), Err(Absence::Missing));
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_or_a_device_is_never_opened() {
        let (_place, folder) = folder();
        let pipe = folder.path.join("pipe.c");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(folder.find("pipe.c"), Err(Absence::NotAFile));
        let _socket = std::os::unix::net::UnixListener::bind(folder.path.join("s.c")).unwrap();
        assert_eq!(folder.find("s.c"), Err(Absence::NotAFile));
    }

    #[test]
    fn a_file_beyond_the_limit_is_not_read() {
        let (_place, folder) = folder();
        let path = folder.path.join("a.c");
        let mut room = Reserved::nothing_of(&Budget::new(9));
        let mut read = |path: &Path, bytes_max| folder.read(path, bytes_max, &mut room);
        assert_eq!(read(&path, 1), Ok(b"a".to_vec()));
        assert_eq!(read(&path, 0), Err(Absence::TooLarge));
        assert_eq!(read(&folder.path.join("gone.c"), 9), Err(Absence::Unreadable));
        fs::write(&path, "ten bytes!").unwrap();
        assert_eq!(read(&path, 10), Err(Absence::TooLarge));
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
