//! [`World`]: the classes as a program of Joern finds them, once Varvite's classes have replaced some.

use std::collections::HashSet;
use std::rc::Rc;

use super::super::error::JoernError;
use super::super::replacement::is_replaced_class;
use super::class_file::Member;
use super::classes::{Class, Classes};

/// Java's own classes of which the members are known here: those that Varvite's replaced classes inherit. Of
/// all others, every member is taken to exist.
const OF_JAVA: [(&[u8], &[&[u8]]); 4] = [
    (
        b"java/lang/Object",
        &[
            b"<init>",
            b"clone",
            b"equals",
            b"finalize",
            b"getClass",
            b"hashCode",
            b"notify",
            b"notifyAll",
            b"toString",
            b"wait",
        ],
    ),
    (b"java/lang/AutoCloseable", &[b"close"]),
    (b"java/io/Closeable", &[b"close"]),
    (b"java/io/Serializable", &[]),
];
/// The packages of Java's own classes.
const PACKAGES_OF_JAVA: [&[u8]; 4] = [b"java/", b"javax/", b"jdk/", b"sun/"];

/// Joern's classes and Varvite's.
pub(super) struct World<'a> {
    pub(super) theirs: Classes<'a>,
    pub(super) ours: Classes<'a>,
}

/// The result of a search for a member.
pub(super) enum Found {
    /// A class that has the member, and the member's flags.
    In { class: Rc<Class>, name: Box<[u8]>, flags: u16 },
    /// One of Java's own classes has it, or may have it.
    OfJava,
    /// No class has it.
    Nowhere,
    /// A class in which to search does not exist.
    NoClass(Box<[u8]>),
}

/// A supertype, direct or not, or the class itself.
pub(super) enum Supertype {
    Known(Box<[u8]>, Rc<Class>),
    OfJava(Box<[u8]>),
    Missing(Box<[u8]>),
}

impl World<'_> {
    /// The class of this name, after the replacement.
    pub(super) fn class(&self, name: &[u8]) -> Result<Option<Rc<Class>>, JoernError> {
        let is_ours = self.ours.has(name) && (is_replaced_class(name) || !self.theirs.has(name));
        match is_replaced_class(name) || is_ours {
            true => self.ours.get(name),
            false => self.theirs.get(name),
        }
    }

    /// A class and all its supertypes; superclasses come first.
    pub(super) fn supertypes(&self, name: &[u8]) -> Result<Vec<Supertype>, JoernError> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let mut pending: Vec<Box<[u8]>> = vec![name.into()];
        while let Some(name) = pending.pop() {
            if !seen.insert(name.clone()) {
                continue;
            }
            found.push(match self.class(&name)? {
                Some(class) => {
                    pending.extend(class.interfaces.iter().rev().cloned());
                    pending.extend(class.superclass.clone());
                    Supertype::Known(name, class)
                }
                None if is_of_java(&name) => Supertype::OfJava(name),
                None => Supertype::Missing(name),
            });
        }
        Ok(found)
    }

    /// Searches a class and its supertypes for a member.
    pub(super) fn find(&self, owner: &[u8], member: Member<'_>) -> Result<Found, JoernError> {
        let is_of_owner_alone = member.name.starts_with(b"<");
        for supertype in self.supertypes(owner)? {
            match supertype {
                Supertype::Known(name, class) => {
                    if let Some(flags) = class.flags_of(member) {
                        return Ok(Found::In { class, name, flags });
                    }
                    if is_of_owner_alone {
                        return Ok(Found::Nowhere);
                    }
                }
                Supertype::OfJava(name) if may_have(&name, member) => return Ok(Found::OfJava),
                Supertype::OfJava(_) => {}
                Supertype::Missing(name) => return Ok(Found::NoClass(name)),
            }
        }
        Ok(Found::Nowhere)
    }
}

/// Whether a name is that of one of Java's own classes.
pub(super) fn is_of_java(name: &[u8]) -> bool {
    PACKAGES_OF_JAVA.iter().any(|package| name.starts_with(package))
}

/// Whether one of Java's own classes has a member, as far as that is known.
fn may_have(class: &[u8], member: Member<'_>) -> bool {
    let known = OF_JAVA.iter().find(|(name, _)| *name == class);
    known.is_none_or(|(_, members)| members.contains(&member.name))
}
