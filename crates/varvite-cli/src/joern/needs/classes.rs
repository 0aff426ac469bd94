//! [`Classes`]: the classes in some jars, each parsed when it is first asked for.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::super::archive::{Archive, Entry};
use super::super::error::JoernError;
use super::super::jar_file::JarFile;
use super::class_file::{ClassFile, INTERFACE, Member};
use super::unpacker::Unpacker;

const ENDING: &[u8] = b".class";
/// The error for a class file that can't be parsed.
pub(super) const DAMAGED: &str =
    "a class file in this jar is damaged: install Joern again, or go on with --anyway";

/// The classes in some jars. If several jars have a class of one name, the first jar counts.
pub(super) struct Classes<'a> {
    places: HashMap<&'a [u8], (&'a JarFile, Entry<'a>)>,
    known: RefCell<HashMap<Box<[u8]>, Rc<Class>>>,
    unpacker: RefCell<Unpacker>,
}

/// The supertypes and members of a class.
#[derive(Debug)]
pub(super) struct Class {
    pub(super) flags: u16,
    pub(super) superclass: Option<Box<[u8]>>,
    pub(super) interfaces: Vec<Box<[u8]>>,
    members: Vec<(OwnedMember, u16)>,
}

#[derive(Debug)]
struct OwnedMember {
    kind: super::class_file::Kind,
    name: Box<[u8]>,
    descriptor: Box<[u8]>,
}

impl<'a> Classes<'a> {
    /// The classes in the jars whose archives are given.
    pub(super) fn of(jars: impl IntoIterator<Item = (&'a JarFile, &'a Archive<'a>)>) -> Self {
        let mut places = HashMap::new();
        for (jar, archive) in jars {
            for entry in &archive.entries {
                if let Some(name) = class_name(entry.name) {
                    places.entry(name).or_insert((jar, *entry));
                }
            }
        }
        Self { places, known: RefCell::default(), unpacker: RefCell::new(Unpacker::new()) }
    }

    pub(super) fn has(&self, name: &[u8]) -> bool {
        self.places.contains_key(name)
    }

    /// The names of all classes, sorted.
    pub(super) fn names(&self) -> Vec<&'a [u8]> {
        let mut names: Vec<&[u8]> = self.places.keys().copied().collect();
        names.sort_unstable();
        names
    }

    /// The class of this name; `None` if there is none.
    ///
    /// # Errors
    /// [`JoernError::Jar`] if its file is damaged.
    pub(super) fn get(&self, name: &[u8]) -> Result<Option<Rc<Class>>, JoernError> {
        if let Some(class) = self.known.borrow().get(name) {
            return Ok(Some(Rc::clone(class)));
        }
        let class = self.read(name, |file| Some(Class::of(file)))?;
        let Some(class) = class.map(Rc::new) else { return Ok(None) };
        self.known.borrow_mut().insert(name.into(), Rc::clone(&class));
        Ok(Some(class))
    }

    /// Parses the file of a class, and passes it to a function; `None` if there is no class of this name.
    ///
    /// # Errors
    /// [`JoernError::Jar`] if the file is damaged, or the function returns `None`.
    pub(super) fn read<T>(
        &self,
        name: &[u8],
        take: impl FnOnce(&ClassFile<'_>) -> Option<T>,
    ) -> Result<Option<T>, JoernError> {
        let Some((jar, entry)) = self.places.get(name) else { return Ok(None) };
        let mut unpacker = self.unpacker.borrow_mut();
        let file = unpacker.unpack(entry).and_then(ClassFile::read);
        let taken = file.filter(|file| file.name == name).and_then(|file| take(&file));
        taken.map(Some).ok_or_else(|| jar.failure(DAMAGED))
    }
}

impl Class {
    fn of(file: &ClassFile<'_>) -> Self {
        let owned = |(member, flags): &(Member<'_>, u16)| {
            let Member { kind, name, descriptor } = *member;
            (OwnedMember { kind, name: name.into(), descriptor: descriptor.into() }, *flags)
        };
        Self {
            flags: file.flags,
            superclass: file.superclass.map(Into::into),
            interfaces: file.interfaces.iter().map(|name| (*name).into()).collect(),
            members: file.members.iter().map(owned).collect(),
        }
    }

    pub(super) fn is_interface(&self) -> bool {
        self.flags & INTERFACE != 0
    }

    /// All members that the class itself declares, with their flags.
    pub(super) fn members(&self) -> impl Iterator<Item = (Member<'_>, u16)> {
        self.members.iter().map(|(member, flags)| {
            let OwnedMember { kind, name, descriptor } = member;
            (Member { kind: *kind, name, descriptor }, *flags)
        })
    }

    /// The flags of a member that the class itself declares.
    pub(super) fn flags_of(&self, member: Member<'_>) -> Option<u16> {
        self.members().find(|(found, _)| *found == member).map(|(_, flags)| flags)
    }
}

/// The name of the class in an entry; `None` for other files.
pub(super) fn class_name(entry: &[u8]) -> Option<&[u8]> {
    entry.strip_suffix(ENDING)
}
