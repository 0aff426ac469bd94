//! [`Needs`]: whether an installation of Joern and Varvite's classes have all members that each needs of the
//! other.
//!
//! Joern's class files state every member of flatgraph's classes that they use, and Varvite's class files
//! every member of flatgraph, Scala and Joern. Comparing both with the classes that are there answers in
//! advance whether a version fits that nobody has tested. What classes look up by name at run time, and
//! whether a member does the same as before, is not known here.
//!
//! [`ClassFile`](class_file::ClassFile) parses a class file, [`Classes`](classes::Classes) finds classes in
//! jars, [`World`](world::World) searches members through supertypes, [`Sweep`](sweep::Sweep) collects what
//! Joern's classes need, and `check` compares. [`Verdict`] is the result, which is stored in the user's cache
//! under a hash of the directories of all jars.

mod bytes;
mod check;
mod class_file;
mod classes;
mod lack;
mod sweep;
mod unpacker;
mod verdict;
mod world;

use std::path::PathBuf;

use super::archive::Archive;
use super::error::JoernError;
use super::jar_file::JarFile;
use super::replacement::check_has_all;
use super::{Installation, OurJar};

use classes::Classes;
use lack::Lack;
use sweep::{Jar, Sweep};
use world::World;

pub(crate) use verdict::{Purpose, Verdict};

/// The jars of an installation, and Varvite's jar.
pub(crate) struct Needs<'a> {
    installation: &'a Installation,
    ours: &'a OurJar,
}

impl<'a> Needs<'a> {
    pub(crate) fn of(installation: &'a Installation, ours: &'a OurJar) -> Self {
        Self { installation, ours }
    }

    /// Compares both sides, or loads the result of an earlier comparison of the same jars.
    ///
    /// # Errors
    /// [`JoernError::Jar`] if a jar or a class file is damaged; [`JoernError::Unreadable`].
    pub(crate) fn verdict(&self) -> Result<Verdict, JoernError> {
        let cached = verdict::Cached::of(self.jars(), self.ours.path())?;
        if let Some(verdict) = cached.load() {
            return Ok(verdict);
        }
        let verdict = self.compare()?;
        cached.store(&verdict);
        Ok(verdict)
    }

    fn jars(&self) -> &'a [PathBuf] {
        self.installation.jars()
    }

    fn compare(&self) -> Result<Verdict, JoernError> {
        let files = self.jars().iter().map(|jar| JarFile::read(jar)).collect::<Result<Vec<_>, _>>()?;
        compare(&files, &JarFile::read(self.ours.path())?)
    }
}

/// Compares the classes in Joern's jars with those in Varvite's jar.
fn compare(theirs: &[JarFile], ours: &JarFile) -> Result<Verdict, JoernError> {
    check_has_all(ours)?;
    let archives = theirs.iter().map(JarFile::archive).collect::<Result<Vec<Archive<'_>>, _>>()?;
    let our_archive = ours.archive()?;
    let jars: Vec<Jar<'_>> =
        theirs.iter().zip(&archives).map(|(file, archive)| Jar { file, archive }).collect();
    let world = World {
        theirs: Classes::of(theirs.iter().zip(&archives)),
        ours: Classes::of([(ours, &our_archive)]),
    };
    let mut lacks = check::lacks_of_theirs(&world, &Sweep::of(&jars)?, &jars)?;
    lacks.sort();
    let mut verdict = Verdict::new(&lacks);
    // Descriptions of modules and of packages hold no code.
    for name in world.ours.names().into_iter().filter(|name| !name.ends_with(b"-info")) {
        verdict.add(Purpose::of_class(name), &check::lacks_of_ours(&world, name)?);
    }
    Ok(verdict)
}

#[cfg(test)]
mod tests;
