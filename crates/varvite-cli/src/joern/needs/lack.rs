//! [`Lack`]: a member that a class needs, and that no class has, in words.

use varvite_show::shortened;

use super::class_file::{Kind, Reference};

/// The maximum number of letters of a name in a message.
const LETTERS_MAX: usize = 200;

/// A missing member or class.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Lack {
    /// The class that needs it, in words.
    pub(super) user: String,
    /// The missing member or class, in words.
    pub(super) what: String,
}

/// The name of a class in Java's form, such as `flatgraph.Graph`.
pub(super) fn class_in_words(name: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(name).chars().take(LETTERS_MAX).collect();
    shortened(&text.replace('/', ".")).into_owned()
}

/// A member in Java's form, such as `int flatgraph.Graph.nodeCount(java.lang.String)`.
pub(super) fn member_in_words(reference: Reference<'_>) -> String {
    let name = format!("{}.{}", class_in_words(reference.owner), class_in_words(reference.member.name));
    let mut rest = reference.member.descriptor;
    match reference.member.kind {
        Kind::Field => match type_in_words(&mut rest) {
            Some(value) => format!("{value} {name}"),
            None => name,
        },
        Kind::Method => match method_types(rest) {
            Some((result, arguments)) => format!("{result} {name}({})", arguments.join(", ")),
            None => name,
        },
    }
}

/// The types of the result and of the arguments.
fn method_types(descriptor: &[u8]) -> Option<(String, Vec<String>)> {
    let mut rest = descriptor.strip_prefix(b"(")?;
    let mut arguments = Vec::new();
    while !rest.starts_with(b")") {
        arguments.push(type_in_words(&mut rest)?);
    }
    rest = &rest[1..];
    Some((type_in_words(&mut rest)?, arguments))
}

/// The type at the beginning of a descriptor, which is then removed.
fn type_in_words(rest: &mut &[u8]) -> Option<String> {
    let dimensions = rest.iter().take_while(|byte| **byte == b'[').count();
    let (first, after) = rest[dimensions..].split_first()?;
    *rest = after;
    let name = match first {
        b'L' => {
            let end = after.iter().position(|byte| *byte == b';')?;
            *rest = &after[end + 1..];
            class_in_words(&after[..end])
        }
        letter => simple_type(*letter)?.to_owned(),
    };
    Some(name + &"[]".repeat(dimensions.min(LETTERS_MAX)))
}

fn simple_type(letter: u8) -> Option<&'static str> {
    Some(match letter {
        b'B' => "byte",
        b'C' => "char",
        b'D' => "double",
        b'F' => "float",
        b'I' => "int",
        b'J' => "long",
        b'S' => "short",
        b'V' => "void",
        b'Z' => "boolean",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::class_file::Member;
    use super::*;

    fn words(kind: Kind, name: &str, descriptor: &str) -> String {
        let member = Member { kind, name: name.as_bytes(), descriptor: descriptor.as_bytes() };
        member_in_words(Reference { owner: b"flatgraph/Graph", member, of_interface: None })
    }

    #[test]
    fn members_are_written_as_in_java() {
        let method = words(Kind::Method, "nodes", "(Ljava/lang/String;[[IZ)V");
        assert_eq!(method, "void flatgraph.Graph.nodes(java.lang.String, int[][], boolean)");
        assert_eq!(
            words(Kind::Field, "MODULE$", "Lflatgraph/Graph$;"),
            "flatgraph.Graph$ flatgraph.Graph.MODULE$"
        );
    }

    #[test]
    fn a_descriptor_that_lies_and_control_characters_are_left_out() {
        assert_eq!(words(Kind::Method, "nodes", "(Lnever"), "flatgraph.Graph.nodes");
        assert_eq!(words(Kind::Method, "no\u{1b}[31m", "("), "flatgraph.Graph.no\\u{1b}[31m");
    }
}
