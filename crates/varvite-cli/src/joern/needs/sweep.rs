//! [`Sweep`]: reads all class files of Joern's jars for references to the classes that Varvite replaces.
//!
//! A class file is decompressed, and then only parsed if it contains the name of flatgraph's package, which
//! takes most of the time off. Classes that inherit from replaced classes are searched for in the same way,
//! since a class may refer to a member by the name of a class that inherits it.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use memchr::memmem::Finder;

use super::super::archive::{Archive, Entry};
use super::super::error::JoernError;
use super::super::jar_file::JarFile;
use super::super::replacement::is_replaced_class;
use super::class_file::{ClassFile, Kind, Member, Reference};
use super::classes::{DAMAGED, class_name};
use super::unpacker::Unpacker;

/// The part of a name by which class files are chosen to be parsed.
const PACKAGE: &[u8] = b"flatgraph/";
/// Maximum length of all class files of a jar in bytes, ten times that of Joern's largest jar.
const UNPACKED_MAX: usize = 1 << 30;
/// The maximum number of generations of classes that inherit from replaced classes; Joern has none.
const GENERATIONS_MAX: usize = 16;
const THREADS_MAX: usize = 8;

/// A jar of an installation.
#[derive(Clone, Copy)]
pub(super) struct Jar<'a> {
    pub(super) file: &'a JarFile,
    pub(super) archive: &'a Archive<'a>,
}

/// A reference to a member that Varvite's classes must have.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Need {
    owner: Box<[u8]>,
    kind: Kind,
    name: Box<[u8]>,
    descriptor: Box<[u8]>,
    pub(super) of_interface: Option<bool>,
}

/// The class that needs a member, and the number of its jar.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct User {
    pub(super) jar: usize,
    pub(super) class: Box<[u8]>,
}

/// The members and classes among the replaced ones that Joern's classes need.
#[derive(Debug, Default)]
pub(super) struct Sweep {
    /// The members, each with the first class of each package that refers to it.
    pub(super) members: BTreeMap<(Need, Package), User>,
    /// The classes that are named, each with the first class that names it.
    pub(super) classes: BTreeMap<Box<[u8]>, User>,
    /// The classes that inherit from replaced ones.
    pub(super) heirs: BTreeSet<User>,
}

/// Whether a class is in flatgraph's package, and so may use members that are not public.
pub(super) type Package = bool;

impl Need {
    pub(super) fn reference(&self) -> Reference<'_> {
        let Self { owner, kind, name, descriptor, of_interface } = self;
        let member = Member { kind: *kind, name, descriptor };
        Reference { owner, member, of_interface: *of_interface }
    }

    pub(super) fn of(reference: Reference<'_>) -> Self {
        let Reference { owner, member: Member { kind, name, descriptor }, of_interface } = reference;
        Self { owner: owner.into(), kind, name: name.into(), descriptor: descriptor.into(), of_interface }
    }
}

impl Sweep {
    /// Reads the class files of all jars.
    ///
    /// # Errors
    /// [`JoernError::Jar`] if a class file that is parsed is damaged, or a jar is too large.
    pub(super) fn of(jars: &[Jar<'_>]) -> Result<Self, JoernError> {
        let mut all = Self::default();
        let mut family = Family::Replaced;
        for _ in 0..GENERATIONS_MAX {
            let known = all.heirs.len();
            for found in sweep(jars, &family)? {
                all.add(found);
            }
            if all.heirs.len() == known {
                return Ok(all);
            }
            family = Family::Heirs(all.heirs.iter().map(|heir| heir.class.clone()).collect());
        }
        Err(jars[0].file.failure("too many generations of classes inherit from flatgraph.Graph"))
    }

    fn add(&mut self, other: Self) {
        for (need, user) in other.members {
            keep_first(&mut self.members, need, user);
        }
        for (class, user) in other.classes {
            keep_first(&mut self.classes, class, user);
        }
        self.heirs.extend(other.heirs);
    }

    /// Adds what a class needs.
    fn add_class(&mut self, file: &ClassFile<'_>, jar: usize, family: &Family) -> Option<()> {
        let user = || User { jar, class: file.name.into() };
        if file.supertypes().any(|name| family.has(name)) {
            self.heirs.insert(user());
        }
        for reference in file.references() {
            let reference = reference?;
            if family.has(reference.owner) {
                let key = (Need::of(reference), file.name.starts_with(PACKAGE));
                keep_first(&mut self.members, key, user());
            }
        }
        for class in file.classes().filter(|class| family.has(class)) {
            keep_first(&mut self.classes, class.into(), user());
        }
        Some(())
    }
}

fn keep_first<K: Ord>(map: &mut BTreeMap<K, User>, key: K, user: User) {
    let first = map.entry(key).or_insert_with(|| user.clone());
    if user < *first {
        *first = user;
    }
}

/// The classes to which references are searched for.
enum Family {
    Replaced,
    Heirs(BTreeSet<Box<[u8]>>),
}

impl Family {
    fn has(&self, class: &[u8]) -> bool {
        match self {
            Self::Replaced => is_replaced_class(class),
            Self::Heirs(names) => names.contains(class),
        }
    }

    /// Finders of texts. Every class file that refers to this family contains at least one of these texts.
    fn finders(&self) -> Vec<Finder<'_>> {
        match self {
            Self::Replaced => vec![Finder::new(PACKAGE)],
            Self::Heirs(names) => names.iter().map(|name| Finder::new(&**name)).collect(),
        }
    }
}

/// Reads all jars, on several threads, the largest first.
fn sweep(jars: &[Jar<'_>], family: &Family) -> Result<Vec<Sweep>, JoernError> {
    let mut order: Vec<usize> = (0..jars.len()).collect();
    order.sort_by_key(|number| std::cmp::Reverse(jars[*number].file.len()));
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut found, mut unpacker, finders) = (Sweep::default(), Unpacker::new(), family.finders());
        while let Some(number) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
            sweep_jar(&mut found, *number, jars[*number], family, &finders, &mut unpacker)?;
        }
        Ok(found)
    };
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(THREADS_MAX);
    thread::scope(|scope| {
        let started: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        started.into_iter().map(|thread| thread.join().expect("the thread does not panic")).collect()
    })
}

fn sweep_jar(
    found: &mut Sweep,
    number: usize,
    jar: Jar<'_>,
    family: &Family,
    finders: &[Finder<'_>],
    unpacker: &mut Unpacker,
) -> Result<(), JoernError> {
    let classes = || jar.archive.entries.iter().filter(|entry| is_searched(entry));
    let len = classes().fold(0_usize, |sum, entry| sum.saturating_add(entry.unpacked_len()));
    if len > UNPACKED_MAX {
        return Err(jar.file.failure("the classes of this jar are too large for one of Joern's"));
    }
    for entry in classes() {
        let bytes = unpacker.unpack(entry).ok_or_else(|| jar.file.failure(DAMAGED))?;
        if finders.iter().any(|finder| finder.find(bytes).is_some()) {
            let file = ClassFile::read(bytes);
            let added = file.and_then(|file| found.add_class(&file, number, family));
            added.ok_or_else(|| jar.file.failure(DAMAGED))?;
        }
    }
    Ok(())
}

/// Whether a file in a jar is a class that stays.
fn is_searched(entry: &Entry<'_>) -> bool {
    class_name(entry.name).is_some_and(|name| !is_replaced_class(name))
}
