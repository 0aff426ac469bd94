//! [`AotCache`]: Java's ahead-of-time cache of Joern's classes, stored for later starts.
//!
//! Before a script runs its first query, Joern loads thousands of classes, including Scala's compiler. Java
//! first interprets them, and compiles them gradually. From version 25 on, Java can store loaded and linked
//! classes, with profiles for its own compiler, in a cache file (JEP 483, 514, 515). Java uses the file only
//! if its own version and the class path are the same as when the file was made; otherwise it starts without
//! the file.
//!
//! The cache file is beside the jar with which Joern is started. Its name contains hashes of the data that it
//! depends on.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use varvite_store::vfs::RealVfs;
use varvite_store::{IfExists, StagedFile, Vfs};

use super::error::JoernError;
use super::jvm::OPTIONS_OF_USERS;
use super::{Installation, Java};

/// The oldest Java version that can store an ahead-of-time cache.
const OLDEST: u32 = 25;
/// The environment variable that turns the cache off if it is not empty.
const OFF: &str = "VARVITE_JOERN_NO_AOT";
/// Prefixes of options by which users make or use their own cache.
const OF_USERS: [&str; 5] =
    ["-XX:AOT", "-XX:SharedArchive", "-XX:ArchiveClasses", "-XX:+AutoCreateShared", "-Xshare"];
/// Options that stop Java from reporting, in the middle of a program's output, that a cache does not fit.
const QUIET: [&str; 2] = ["-Xlog:aot=off", "-Xlog:cds=off"];
const ENDING: &str = ".aot";

/// A cache file, which may not exist yet.
#[derive(Debug)]
pub(crate) struct AotCache {
    path: PathBuf,
    /// The part of the file's name that all caches for the same Joern folder and Java folder share.
    place: String,
}

impl AotCache {
    /// The cache in `folder` for this Java and this class path. `None` if this Java can't store caches, or
    /// the user turned them off.
    pub(crate) fn of(
        java: &Java,
        installation: &Installation,
        class_path: &[PathBuf],
        folder: &Path,
    ) -> Option<Self> {
        let is_off = env::var_os(OFF).is_some_and(|off| !off.is_empty());
        let others = OPTIONS_OF_USERS.iter().filter_map(|name| env::var(name).ok());
        if java.version() < OLDEST
            || is_off
            || others.flat_map(words).any(|option| is_of_users(OsStr::new(&option)))
        {
            return None;
        }
        let place = format!("-{:016x}-", hash_of(&(installation.root(), java.home())));
        let contents = hash_of(&contents(java, class_path).ok()?);
        let name = format!("joern-{}{place}{contents:016x}{ENDING}", installation.version());
        Some(Self { path: folder.join(name), place })
    }

    /// The options by which Java uses the cache; empty if there is no cache.
    pub(crate) fn options(&self) -> Vec<OsString> {
        // The file is empty if an earlier attempt to make the cache failed.
        let is_made = fs::metadata(&self.path).is_ok_and(|data| data.len() > 0);
        let mut option = OsString::from("-XX:AOTCache=");
        option.push(&self.path);
        let all = [option].into_iter().chain(QUIET.map(OsString::from));
        if is_made { all.collect() } else { Vec::new() }
    }

    /// Makes the cache in an empty folder, and stores it once it is complete. Does nothing if the cache
    /// exists, if another process is making it, or if nothing can be written. Removes caches for the same
    /// Joern and Java that no longer fit. After a failure, later starts do not try again.
    ///
    /// # Errors
    /// The result of `make`.
    pub(crate) fn keep(
        &self,
        make: impl FnOnce(&Path, &Path) -> Result<(), JoernError>,
    ) -> Result<(), JoernError> {
        // A staged file, which stays empty, serves as a lock against other processes. It is removed at the
        // end.
        let Ok(_claim) = StagedFile::create(Arc::new(RealVfs), &self.path, IfExists::Refuse) else {
            return Ok(());
        };
        let folder = self.path.with_extension("making");
        // The folder already exists if another process was killed while it made the cache.
        let _ = fs::remove_dir_all(&folder);
        if RealVfs.create_private_folder(&folder).is_err() {
            return Ok(());
        }
        let new = folder.join("new");
        let made = make(&folder, &new).and_then(|()| self.take(&new));
        if made.is_err() {
            let _ = RealVfs.create_private(&self.path);
        }
        let _ = fs::remove_dir_all(&folder);
        self.remove_others();
        made
    }

    /// Gives the new file its final name, after all of it was synced to disk, since Java checks only the
    /// beginning of the file.
    fn take(&self, new: &Path) -> Result<(), JoernError> {
        RealVfs.open_writable(new)?.sync()?;
        RealVfs.rename(new, &self.path)?;
        Ok(RealVfs.sync_dir(self.path.parent().unwrap_or(Path::new("")))?)
    }

    /// Removes all other caches for the same Joern and Java. Processes that have a removed cache mapped are
    /// not affected.
    fn remove_others(&self) {
        let entries = self.path.parent().and_then(|folder| fs::read_dir(folder).ok());
        for path in entries.into_iter().flatten().flatten().map(|entry| entry.path()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path != self.path && name.contains(&self.place) && name.ends_with(ENDING) {
                let _ = RealVfs.remove(&path);
            }
        }
    }
}

/// Whether a user's Java option makes, uses or turns off a cache of classes.
pub(crate) fn is_of_users(option: &OsStr) -> bool {
    let option = option.to_string_lossy();
    OF_USERS.iter().any(|start| option.starts_with(start))
}

fn words(options: String) -> Vec<String> {
    options.split_whitespace().map(str::to_owned).collect()
}

/// The data that a cache depends on: the version of Java, and the names, sizes and times of jars. Java itself
/// also checks these.
fn contents(java: &Java, class_path: &[PathBuf]) -> io::Result<impl Hash> {
    let jar = |path: &PathBuf| {
        let data = fs::metadata(path)?;
        Ok((path.clone(), data.len(), data.modified()?))
    };
    let jars = class_path.iter().map(jar).collect::<io::Result<Vec<_>>>()?;
    Ok((fs::read(java.home().join("release"))?, java.home().to_owned(), jars))
}

fn hash_of(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(folder: &Path, name: &str) -> AotCache {
        AotCache { path: folder.join(format!("joern-4-place-{name}.aot")), place: "-place-".to_owned() }
    }

    #[test]
    fn one_is_made_once_and_takes_the_place_of_older_ones() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (cache(folder.path(), "old"), cache(folder.path(), "new"));
        for cache in [&old, &new] {
            assert!(cache.options().is_empty());
            cache.keep(|_, path| fs::write(path, "learned").map_err(|_| JoernError::NoCache)).unwrap();
            cache.keep(|_, _| panic!("it is there")).unwrap();
            assert_eq!(cache.options().len(), 3);
        }
        assert!(old.options().is_empty() && !folder.path().join("joern-4-place-new.making").exists());
    }

    #[test]
    fn one_that_can_not_be_made_is_not_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let cache = cache(folder.path(), "new");
        cache
            .keep(|folder, _| fs::write(folder.join("half"), "").map_err(|_| JoernError::NoCache))
            .unwrap_err();
        cache.keep(|_, _| panic!("it was tried")).unwrap();
        assert!(cache.options().is_empty());
    }

    #[test]
    fn while_another_makes_it_nobody_waits() {
        let folder = tempfile::tempdir().unwrap();
        let cache = cache(folder.path(), "new");
        cache
            .keep(|_, path| {
                cache.keep(|_, _| panic!("another is at it")).unwrap();
                fs::write(path, "learned").map_err(|_| JoernError::NoCache)
            })
            .unwrap();
        let nowhere = AotCache { path: folder.path().join("missing/a.aot"), place: String::new() };
        nowhere.keep(|_, _| panic!("nothing can be written")).unwrap();
    }

    #[test]
    fn a_user_s_own_options_are_known() {
        let of_users = |option: &str| is_of_users(OsStr::new(option));
        assert!(of_users("-XX:AOTCache=a") && of_users("-Xshare:off") && of_users("-XX:SharedArchiveFile=b"));
        assert!(!of_users("-Xmx4g") && !of_users("-XX:+UseSerialGC"));
    }
}
