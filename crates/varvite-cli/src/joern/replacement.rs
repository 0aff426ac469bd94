//! [`Replacement`]: a copy of `flatgraph-core` in which Varvite's classes replace three of its own.
//!
//! Joern compiles scripts against its class path, but sorts the class path by name and starts another Java
//! process for the scripts, so Varvite's jar would not stay first. Therefore the class path has a single jar
//! with all classes. This jar is made on the user's machine from the installation's `flatgraph-core`. It
//! includes the types of flatgraph's classes for Scala's compiler (`*.tasty`), so scripts compile as before.
//!
//! The jar is stored in the user's cache folder. Its name contains a hash of the directories of the two jars
//! from which it is made.

use std::env;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use varvite_store::vfs::RealVfs;
use varvite_store::{IfExists, StagedFile, StoreError, Vfs};

use super::archive::{self, Archive, Entry};
use super::error::JoernError;
use super::jar_file::JarFile;
use super::{Installation, OurJar};

/// The classes of flatgraph that are replaced, together with their nested classes.
const REPLACED: [&str; 3] = ["flatgraph/Accessors", "flatgraph/DiffGraphApplier", "flatgraph/Graph"];
/// The files of Varvite's jar that are not copied.
const NOT_TAKEN: [&str; 2] = ["META-INF/MANIFEST.MF", "module-info.class"];
/// An empty file, by which Varvite's classes see that the command has compared them with flatgraph's, or that
/// the user accepts this flatgraph in any case.
const CHECKED: &[u8] = b"varvite/joern/checked";
/// The maximum time to wait for another process that is writing the jar, and the time between two checks.
const PATIENCE: Duration = Duration::from_secs(10);
const POLL: Duration = Duration::from_millis(20);

/// The two jars from which a replacement jar is made, and its name.
pub(crate) struct Replacement {
    theirs: JarFile,
    ours: JarFile,
    name: String,
}

/// A replacement jar in the user's cache.
pub(crate) struct CachedJar {
    /// The path of the jar.
    pub(crate) path: PathBuf,
    /// Whether the jar already existed.
    pub(crate) was_there: bool,
}

impl Replacement {
    /// Reads the jar of an installation and Varvite's jar into memory.
    ///
    /// # Errors
    /// [`JoernError::Jar`] if one of the files is not a jar, or lacks the replaced classes;
    /// [`JoernError::Unreadable`].
    pub(crate) fn of(installation: &Installation, ours: &OurJar) -> Result<Self, JoernError> {
        let (theirs, ours) = (JarFile::read(installation.flatgraph())?, JarFile::read(ours.path())?);
        let mut hasher = DefaultHasher::new();
        for jar in [&theirs, &ours] {
            check_has_all(jar)?;
            jar.archive()?.directory.hash(&mut hasher);
        }
        let version = installation.flatgraph_version();
        let name = format!("flatgraph-core-{version}-varvite-{:016x}.jar", hasher.finish());
        Ok(Self { theirs, ours, name })
    }

    /// Writes the jar to the user's cache, unless it exists.
    ///
    /// # Errors
    /// [`JoernError::NoCache`], or an error of the file system.
    pub(crate) fn keep(&self) -> Result<CachedJar, JoernError> {
        let folder = cache()?;
        let path = folder.join(&self.name);
        let was_there = path.is_file();
        let since = Instant::now();
        while !path.is_file() {
            RealVfs.create_private_folder(&folder)?;
            match self.write_to(Arc::new(RealVfs), &path, IfExists::Replace) {
                // Another process is writing the jar.
                Err(JoernError::Store(StoreError::Busy { .. })) if since.elapsed() < PATIENCE => {
                    thread::sleep(POLL);
                }
                written => written?,
            }
        }
        Ok(CachedJar { path, was_there })
    }

    /// Writes the jar to a file.
    ///
    /// # Errors
    /// The errors of [`StagedFile::create`] and [`StagedFile::commit`].
    pub(crate) fn write_to(
        &self,
        disk: Arc<dyn Vfs>,
        path: &Path,
        if_exists: IfExists,
    ) -> Result<(), JoernError> {
        let mut file = StagedFile::create(disk, path, if_exists)?;
        file.write_all_at(0, &self.bytes()?)?;
        Ok(file.commit()?)
    }

    fn bytes(&self) -> Result<Vec<u8>, JoernError> {
        let mut merged = merged(&self.theirs.archive()?, &self.ours.archive()?);
        merged.push(Entry::empty(CHECKED));
        archive::write(&merged).ok_or_else(|| self.ours.failure("this jar has too many entries"))
    }
}

/// All entries of flatgraph's jar except the replaced classes, and the entries of Varvite's jar whose names
/// are not already among these.
fn merged<'a>(theirs: &Archive<'a>, ours: &Archive<'a>) -> Vec<Entry<'a>> {
    let kept = theirs.entries.iter().filter(|entry| !is_replaced(entry.name));
    let is_kept = |name: &[u8]| theirs.entries.iter().any(|entry| entry.name == name && !is_replaced(name));
    let taken = ours.entries.iter().filter(|entry| !is_for_itself(entry.name) && !is_kept(entry.name));
    kept.chain(taken).copied().collect()
}

/// Whether a class, named as in `flatgraph/Graph$`, is one that Varvite's classes replace.
pub(super) fn is_replaced_class(name: &[u8]) -> bool {
    REPLACED.iter().any(|class| {
        let rest = name.strip_prefix(class.as_bytes());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"$"))
    })
}

fn is_replaced(entry: &[u8]) -> bool {
    entry.strip_suffix(b".class").is_some_and(is_replaced_class)
}

/// Whether an entry is this class, its companion object, or a class nested in it.
fn is_class(entry: &[u8], class: &str) -> bool {
    let rest = entry.strip_prefix(class.as_bytes()).and_then(|rest| rest.strip_suffix(b".class"));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"$"))
}

fn is_for_itself(name: &[u8]) -> bool {
    NOT_TAKEN.iter().any(|not_taken| name == not_taken.as_bytes())
}

/// Checks that a jar has all the classes that are replaced.
pub(super) fn check_has_all(jar: &JarFile) -> Result<(), JoernError> {
    let archive = jar.archive()?;
    let has = |class: &&str| archive.entries.iter().any(|entry| is_class(entry.name, class));
    let what = "this jar has no classes flatgraph.Graph, Accessors and DiffGraphApplier: it is not \
                flatgraph-core";
    if REPLACED.iter().all(has) { Ok(()) } else { Err(jar.failure(what)) }
}

/// The folder in the user's cache in which files for Joern are kept.
pub(super) fn cache() -> Result<PathBuf, JoernError> {
    let of = |variable| env::var_os(variable).filter(|path| !path.is_empty()).map(PathBuf::from);
    let base = of("XDG_CACHE_HOME").or_else(|| Some(of("HOME")?.join(".cache")));
    Ok(base.ok_or(JoernError::NoCache)?.join("varvite/joern"))
}

#[cfg(test)]
mod tests {
    use super::super::archive::tests::archive_of;
    use super::*;

    #[test]
    fn our_classes_take_the_place_of_theirs_and_types_stay() {
        let theirs = archive_of(&[
            ("META-INF/MANIFEST.MF", "theirs"),
            ("flatgraph/Graph.class", "theirs"),
            ("flatgraph/Graph$.class", "theirs"),
            ("flatgraph/Graph.tasty", "theirs"),
            ("flatgraph/GraphClosedException.class", "theirs"),
            ("flatgraph/Accessors$EdgeView.class", "theirs"),
        ]);
        let ours = archive_of(&[
            ("META-INF/MANIFEST.MF", "ours"),
            ("module-info.class", "ours"),
            ("flatgraph/Graph.class", "ours"),
            ("varvite/Graph.class", "ours"),
        ]);
        let (theirs, ours) = (Archive::read(&theirs).unwrap(), Archive::read(&ours).unwrap());
        let merged = archive::write(&merged(&theirs, &ours)).unwrap();
        let expected = archive_of(&[
            ("META-INF/MANIFEST.MF", "theirs"),
            ("flatgraph/Graph.tasty", "theirs"),
            ("flatgraph/GraphClosedException.class", "theirs"),
            ("flatgraph/Graph.class", "ours"),
            ("varvite/Graph.class", "ours"),
        ]);
        assert_eq!(merged, expected);
    }
}
