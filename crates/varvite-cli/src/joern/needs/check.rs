//! Compares what Joern's classes need of Varvite's with what these have, and the other way round.

use super::super::error::JoernError;
use super::super::replacement::is_replaced_class;
use super::class_file::{ABSTRACT, ClassFile, FINAL, Kind, Member, PRIVATE, PUBLIC, Reference, STATIC};
use super::classes::Class;
use super::lack::{Lack, class_in_words, member_in_words};
use super::sweep::{Jar, Need, Sweep, User};
use super::world::{Found, Supertype, World, is_of_java};

/// Finds all that is missing for Joern's classes.
pub(super) fn lacks_of_theirs(
    world: &World<'_>,
    sweep: &Sweep,
    jars: &[Jar<'_>],
) -> Result<Vec<Lack>, JoernError> {
    let mut lacks = Vec::new();
    let mut add = |user: &User, what: Option<String>| {
        lacks.extend(what.map(|what| Lack { user: in_words(user, jars), what }));
    };
    for (class, user) in &sweep.classes {
        let is_missing = world.class(class)?.is_none();
        add(user, is_missing.then(|| format!("the class {}", class_in_words(class))));
    }
    for ((need, is_in_package), user) in &sweep.members {
        add(user, lack_of_reference(world, need.reference(), Some(*is_in_package))?);
    }
    for heir in &sweep.heirs {
        for what in lacks_of_heir(world, &heir.class)? {
            add(heir, Some(what));
        }
    }
    Ok(lacks)
}

/// Finds all that is missing for one of Varvite's classes.
pub(super) fn lacks_of_ours(world: &World<'_>, name: &[u8]) -> Result<Vec<Lack>, JoernError> {
    let user = format!("Varvite's {}", class_in_words(name));
    let references = |file: &ClassFile<'_>| {
        let all = file.references().collect::<Option<Vec<_>>>()?;
        let foreign = all.into_iter().filter(|reference| !is_of_java(reference.owner));
        Some(foreign.map(Need::of).collect::<Vec<_>>())
    };
    let classes = |file: &ClassFile<'_>| {
        Some(file.classes().filter(|class| !is_of_java(class)).map(Box::from).collect::<Vec<Box<[u8]>>>())
    };
    let mut lacks = Vec::new();
    for class in world.ours.read(name, classes)?.unwrap_or_default() {
        if world.class(&class)?.is_none() {
            lacks.push(format!("the class {}", class_in_words(&class)));
        }
    }
    for need in world.ours.read(name, references)?.unwrap_or_default() {
        lacks.extend(lack_of_reference(world, need.reference(), None)?);
    }
    lacks.extend(lacks_of_heir(world, name)?);
    Ok(lacks.into_iter().map(|what| Lack { user: user.clone(), what }).collect())
}

fn in_words(user: &User, jars: &[Jar<'_>]) -> String {
    format!("{} in {}", class_in_words(&user.class), jars[user.jar].file.name())
}

/// What is missing for a reference. For references to Varvite's classes, `is_in_package` says whether the
/// class that refers to them is in their package.
fn lack_of_reference(
    world: &World<'_>,
    reference: Reference<'_>,
    is_in_package: Option<bool>,
) -> Result<Option<String>, JoernError> {
    // The members of arrays are Java's own.
    if reference.owner.starts_with(b"[") {
        return Ok(None);
    }
    let (class, name, flags) = match world.find(reference.owner, reference.member)? {
        Found::In { class, name, flags } => (class, name, flags),
        Found::OfJava => return Ok(None),
        Found::Nowhere => return Ok(Some(member_in_words(reference))),
        Found::NoClass(name) => return Ok(Some(format!("the class {}", class_in_words(&name)))),
    };
    let owner = world.class(reference.owner)?;
    let is_of_other_kind = reference
        .of_interface
        .zip(owner)
        .is_some_and(|(of_interface, owner)| owner.is_interface() != of_interface);
    let is_hidden = is_in_package.is_some_and(|is_in_package| is_hidden(&class, flags, is_in_package));
    let before = world.theirs.get(&name)?.filter(|_| is_replaced_class(&name));
    let before = before.and_then(|class| class.flags_of(reference.member));
    let is_static_no_more = before.is_some_and(|before| (before ^ flags) & STATIC != 0);
    let is_wrong = is_of_other_kind || is_hidden || is_static_no_more;
    Ok(is_wrong.then(|| member_in_words(reference)))
}

/// Whether a member of Varvite's classes can't be used by classes in flatgraph's package, or by others.
fn is_hidden(class: &Class, flags: u16, is_in_package: bool) -> bool {
    match is_in_package {
        true => flags & PRIVATE != 0,
        false => flags & class.flags & PUBLIC == 0,
    }
}

/// What is missing for a class that inherits from classes of the other side: the class itself, members that
/// it overrides, and implementations of abstract members.
fn lacks_of_heir(world: &World<'_>, name: &[u8]) -> Result<Vec<String>, JoernError> {
    let supertypes = world.supertypes(name)?;
    let missing = supertypes.iter().find_map(|supertype| match supertype {
        Supertype::Missing(name) => Some(format!("the class {}", class_in_words(name))),
        _ => None,
    });
    if let Some(missing) = missing {
        return Ok(vec![missing]);
    }
    let known: Vec<(&[u8], &Class)> = supertypes
        .iter()
        .filter_map(|supertype| match supertype {
            Supertype::Known(name, class) => Some((&**name, &**class)),
            _ => None,
        })
        .collect();
    let Some(((_, class), others)) = known.split_first() else { return Ok(Vec::new()) };
    let mut lacks = Vec::new();
    if let Some((name, _)) = others.iter().find(|(name, other)| is_no_supertype(class, name, other)) {
        lacks.push(format!("the class {} as one to inherit from", class_in_words(name)));
    }
    lacks.extend(final_no_more(class, others));
    lacks.extend(overridden(world, class, others)?);
    lacks.extend(not_implemented(class, &known, &supertypes));
    Ok(lacks)
}

/// Whether a class can't have this supertype: it is final, or a class instead of an interface or the reverse.
fn is_no_supertype(class: &Class, name: &[u8], other: &Class) -> bool {
    let is_interface = class.interfaces.iter().any(|interface| &**interface == name);
    let is_superclass = class.superclass.as_deref() == Some(name);
    is_interface && !other.is_interface()
        || is_superclass && (other.is_interface() || other.flags & FINAL != 0)
}

/// Whether a member can be overridden, or overrides another.
fn is_virtual(member: Member<'_>, flags: u16) -> bool {
    member.kind == Kind::Method && flags & (STATIC | PRIVATE) == 0 && !member.name.starts_with(b"<")
}

/// Members that the class overrides, although they are final in a superclass.
fn final_no_more(class: &Class, others: &[(&[u8], &Class)]) -> Vec<String> {
    let mut lacks = Vec::new();
    for (member, _) in class.members().filter(|(member, flags)| is_virtual(*member, *flags)) {
        for (name, other) in others {
            if other.flags_of(member).is_some_and(|flags| is_virtual(member, flags) && flags & FINAL != 0) {
                let reference = Reference { owner: name, member, of_interface: None };
                lacks.push(format!("{}, not final", member_in_words(reference)));
            }
        }
    }
    lacks
}

/// Members that the class overrides in the classes of flatgraph, and that the classes in their place do not
/// have, so that nothing calls them.
fn overridden(
    world: &World<'_>,
    class: &Class,
    others: &[(&[u8], &Class)],
) -> Result<Vec<String>, JoernError> {
    let mut lacks = Vec::new();
    for (name, _) in others.iter().filter(|(name, _)| is_replaced_class(name)) {
        let Some(before) = world.theirs.get(name)? else { continue };
        for (member, _) in class.members().filter(|(member, flags)| is_virtual(*member, *flags)) {
            let was_there = before.flags_of(member).is_some_and(|flags| is_virtual(member, flags));
            if was_there && !others.iter().any(|(_, other)| other.flags_of(member).is_some()) {
                lacks.push(member_in_words(Reference { owner: name, member, of_interface: None }));
            }
        }
    }
    Ok(lacks)
}

/// Abstract members that a class, if it can have objects, does not implement. What Java's own classes
/// implement is not known: a class that inherits from one of them is taken to be complete.
fn not_implemented(class: &Class, known: &[(&[u8], &Class)], supertypes: &[Supertype]) -> Vec<String> {
    let is_of_java = supertypes
        .iter()
        .any(|supertype| matches!(supertype, Supertype::OfJava(name) if is_class_of_java(name, known)));
    if class.flags & ABSTRACT != 0 || is_of_java {
        return Vec::new();
    }
    let mut lacks = Vec::new();
    for (name, supertype) in known {
        for (member, flags) in supertype.members() {
            let is_open = is_virtual(member, flags) && flags & ABSTRACT != 0;
            if is_open && !is_implemented(member, known) && !is_of_every_object(member) {
                let reference = Reference { owner: name, member, of_interface: None };
                lacks.push(format!("no abstract {}", member_in_words(reference)));
            }
        }
    }
    lacks
}

fn is_implemented(member: Member<'_>, known: &[(&[u8], &Class)]) -> bool {
    known
        .iter()
        .filter_map(|(_, class)| class.flags_of(member))
        .any(|flags| is_virtual(member, flags) && flags & ABSTRACT == 0)
}

/// Whether a class of Java other than `Object` is a superclass: interfaces implement nothing here.
fn is_class_of_java(name: &[u8], known: &[(&[u8], &Class)]) -> bool {
    let is_superclass = |class: &Class| class.superclass.as_deref() == Some(name);
    name != b"java/lang/Object" && known.iter().any(|(_, class)| is_superclass(class))
}

/// Whether `java.lang.Object` has a method of this name.
fn is_of_every_object(member: Member<'_>) -> bool {
    [&b"equals"[..], b"hashCode", b"toString"].contains(&member.name)
}
