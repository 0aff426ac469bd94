//! [`ClassFile`]: the names in a Java class file: its supertypes, its members, and the members of other
//! classes to which it refers.
//!
//! The layout is that of the Java Virtual Machine Specification, chapter 4. All numbers are big-endian.
//!
//! ```text
//! CA FE BA BE, version 4, count of constants 2, constants; flags 2, this class 2, superclass 2;
//! count 2, interfaces of 2 each; count 2, fields; count 2, methods; count 2, attributes
//! constant    tag 1, then a length and bytes (tag 1), or 2 to 8 bytes; those of 8 bytes take two numbers
//! member      flags 2, name 2, descriptor 2; count 2, attributes
//! attribute   name 2, length 4, bytes
//! ```
//!
//! Attributes, among them the code of methods, are skipped: whatever code refers to is in the constants. No
//! memory is reserved that the length of the file does not justify.

use super::bytes::Bytes;

const MAGIC: u32 = 0xCAFE_BABE;
/// Flags of classes and members.
pub(super) const PUBLIC: u16 = 1;
pub(super) const PRIVATE: u16 = 1 << 1;
pub(super) const STATIC: u16 = 1 << 3;
pub(super) const FINAL: u16 = 1 << 4;
pub(super) const INTERFACE: u16 = 1 << 9;
pub(super) const ABSTRACT: u16 = 1 << 10;

/// The names in a class file. Names of classes have slashes, as in `flatgraph/Graph`.
#[derive(Debug)]
pub(super) struct ClassFile<'a> {
    pub(super) name: &'a [u8],
    pub(super) flags: u16,
    pub(super) superclass: Option<&'a [u8]>,
    pub(super) interfaces: Vec<&'a [u8]>,
    pub(super) members: Vec<(Member<'a>, u16)>,
    constants: Vec<Constant<'a>>,
}

/// The kind, name and descriptor of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Member<'a> {
    pub(super) kind: Kind,
    pub(super) name: &'a [u8],
    pub(super) descriptor: &'a [u8],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    Field,
    Method,
}

/// A reference to a member of a class, or of a class that inherits it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Reference<'a> {
    pub(super) owner: &'a [u8],
    pub(super) member: Member<'a>,
    /// Whether the owner must be an interface; `None` for fields, where it may be either.
    pub(super) of_interface: Option<bool>,
}

/// A constant. Numbers are those of other constants.
#[derive(Debug, Clone, Copy)]
enum Constant<'a> {
    Text(&'a [u8]),
    Class(u16),
    Reference { kind: Kind, of_interface: Option<bool>, owner: u16, member: u16 },
    NameAndType { name: u16, descriptor: u16 },
    Other,
}

impl<'a> ClassFile<'a> {
    /// Parses a class file; `None` if the bytes are not one.
    pub(super) fn read(bytes: &'a [u8]) -> Option<Self> {
        let mut bytes = Bytes(bytes);
        if bytes.u32()? != MAGIC {
            return None;
        }
        bytes.take(4)?;
        let constants = constants(&mut bytes)?;
        let flags = bytes.u16()?;
        let name = class_at(&constants, bytes.u16()?)?;
        let superclass = match bytes.u16()? {
            0 => None,
            number => Some(class_at(&constants, number)?),
        };
        let count = bytes.u16()?;
        let interfaces =
            (0..count).map(|_| class_at(&constants, bytes.u16()?)).collect::<Option<Vec<_>>>()?;
        let mut members = Vec::new();
        for kind in [Kind::Field, Kind::Method] {
            for _ in 0..bytes.u16()? {
                members.push(member(&mut bytes, &constants, kind)?);
            }
        }
        Some(Self { name, flags, superclass, interfaces, members, constants })
    }

    /// The superclass and the interfaces.
    pub(super) fn supertypes(&self) -> impl Iterator<Item = &'a [u8]> {
        self.superclass.into_iter().chain(self.interfaces.iter().copied())
    }

    /// All references to members; `None` if a constant has the number of one of another kind.
    pub(super) fn references(&self) -> impl Iterator<Item = Option<Reference<'a>>> {
        self.constants.iter().filter_map(|constant| match *constant {
            Constant::Reference { kind, of_interface, owner, member } => {
                Some(self.reference(kind, of_interface, owner, member))
            }
            _ => None,
        })
    }

    fn reference(
        &self,
        kind: Kind,
        of_interface: Option<bool>,
        owner: u16,
        member: u16,
    ) -> Option<Reference<'a>> {
        let owner = class_at(&self.constants, owner)?;
        let Constant::NameAndType { name, descriptor } = *at(&self.constants, member)? else { return None };
        let [name, descriptor] = [text_at(&self.constants, name)?, text_at(&self.constants, descriptor)?];
        Some(Reference { owner, member: Member { kind, name, descriptor }, of_interface })
    }

    /// The names of all classes among the constants. Arrays count as the class of their elements.
    pub(super) fn classes(&self) -> impl Iterator<Item = &'a [u8]> {
        self.constants.iter().filter_map(|constant| match *constant {
            Constant::Class(name) => element(text_at(&self.constants, name)?),
            _ => None,
        })
    }
}

/// The class of the elements of an array; the class itself if it is not an array. `None` for arrays of
/// numbers.
fn element(name: &[u8]) -> Option<&[u8]> {
    let element = name.trim_ascii_start();
    let Some(dimensions) = element.iter().position(|byte| *byte != b'[').filter(|count| *count > 0) else {
        return Some(name);
    };
    element[dimensions..].strip_prefix(b"L")?.strip_suffix(b";")
}

/// The constants by number. Number 0 is not in use.
fn constants<'a>(bytes: &mut Bytes<'a>) -> Option<Vec<Constant<'a>>> {
    let count = usize::from(bytes.u16()?);
    let mut constants = vec![Constant::Other];
    while constants.len() < count {
        let (constant, numbers) = constant(bytes)?;
        constants.push(constant);
        constants.extend((1..numbers).map(|_| Constant::Other));
    }
    Some(constants)
}

/// A constant, and how many numbers it takes.
fn constant<'a>(bytes: &mut Bytes<'a>) -> Option<(Constant<'a>, usize)> {
    let tag = bytes.u8()?;
    let constant = match tag {
        1 => {
            let len = usize::from(bytes.u16()?);
            Constant::Text(bytes.take(len)?)
        }
        7 => Constant::Class(bytes.u16()?),
        9 => reference(bytes, Kind::Field, None)?,
        10 => reference(bytes, Kind::Method, Some(false))?,
        11 => reference(bytes, Kind::Method, Some(true))?,
        12 => Constant::NameAndType { name: bytes.u16()?, descriptor: bytes.u16()? },
        _ => {
            bytes.take(other_len(tag)?)?;
            Constant::Other
        }
    };
    Some((constant, if matches!(tag, 5 | 6) { 2 } else { 1 }))
}

/// The length of a constant from which no name is taken.
fn other_len(tag: u8) -> Option<usize> {
    match tag {
        8 | 16 | 19 | 20 => Some(2),
        15 => Some(3),
        3 | 4 | 17 | 18 => Some(4),
        5 | 6 => Some(8),
        _ => None,
    }
}

fn reference<'a>(bytes: &mut Bytes<'a>, kind: Kind, of_interface: Option<bool>) -> Option<Constant<'a>> {
    Some(Constant::Reference { kind, of_interface, owner: bytes.u16()?, member: bytes.u16()? })
}

fn member<'a>(bytes: &mut Bytes<'a>, constants: &[Constant<'a>], kind: Kind) -> Option<(Member<'a>, u16)> {
    let flags = bytes.u16()?;
    let (name, descriptor) = (text_at(constants, bytes.u16()?)?, text_at(constants, bytes.u16()?)?);
    for _ in 0..bytes.u16()? {
        bytes.take(2)?;
        let len = usize::try_from(bytes.u32()?).ok()?;
        bytes.take(len)?;
    }
    Some((Member { kind, name, descriptor }, flags))
}

fn at<'c, 'a>(constants: &'c [Constant<'a>], number: u16) -> Option<&'c Constant<'a>> {
    constants.get(usize::from(number))
}

fn text_at<'a>(constants: &[Constant<'a>], number: u16) -> Option<&'a [u8]> {
    match at(constants, number)? {
        Constant::Text(text) => Some(text),
        _ => None,
    }
}

fn class_at<'a>(constants: &[Constant<'a>], number: u16) -> Option<&'a [u8]> {
    match at(constants, number)? {
        Constant::Class(name) => text_at(constants, *name),
        _ => None,
    }
}
