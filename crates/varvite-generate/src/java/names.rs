//! [`Names`]: Java identifiers for the names of a schema: `TYPE_REF` becomes the class `TypeRef` and the
//! method `typeRef`.
//!
//! Invariants: an identifier is ASCII, has at most [`LENGTH_MAX`] characters, is not a reserved word, and is
//! unique within its [`Names`]. An identifier depends only on the names that were taken before it.

use std::collections::BTreeSet;

use super::words;

/// Largest length of an identifier, before a number is appended to make it unique. File systems limit names
/// to 255 bytes.
const LENGTH_MAX: usize = 120;

/// The identifiers taken so far.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// The identifiers in lower case, because some file systems treat `A.java` and `a.java` as one file.
    taken: BTreeSet<String>,
}

impl Names {
    /// The initial set for class names, in which the types that generated files use are taken.
    pub(super) fn of_classes() -> Self {
        Self { taken: words::types().map(str::to_lowercase).collect() }
    }

    /// The initial set for method names, in which reserved words and the names in `known` are taken.
    pub(super) fn of_methods(known: &[&'static str]) -> Self {
        let known = words::methods().chain(known.iter().copied());
        Self { taken: known.map(str::to_lowercase).collect() }
    }

    /// Takes a free identifier: `wanted`, or `wanted` with a suffix. The identifiers that `also` derives from
    /// it must be free as well.
    pub(super) fn take(&mut self, wanted: &str, also: impl Fn(&str) -> Vec<String>) -> String {
        let numbered = (2u32..).map(|number| format!("{wanted}{number}"));
        let tries = [wanted.to_owned(), format!("{wanted}_")].into_iter().chain(numbered);
        let groups = tries.map(|name| {
            let group = also(&name).into_iter().chain([name.clone()]).map(|other| other.to_lowercase());
            (name, group.collect::<Vec<String>>())
        });
        let is_free = |group: &[String]| group.iter().all(|name| !self.taken.contains(name));
        let free = groups.into_iter().find(|(_, group)| is_free(group));
        let (name, group) = free.expect("there are more numbers than names");
        self.taken.extend(group);
        name
    }
}

/// A name as a class name: each word begins with a capital.
pub(super) fn upper_camel(name: &str) -> String {
    let has_lower = name.chars().any(|c| c.is_ascii_lowercase());
    let mut camel: String = words_of(name).iter().map(|word| capitalized(word, has_lower)).collect();
    camel.truncate(LENGTH_MAX);
    match camel.chars().next() {
        None => "Unnamed".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("N{camel}"),
        Some(_) => camel,
    }
}

/// A name as a method name: each word but the first begins with a capital.
pub(super) fn lower_camel(name: &str) -> String {
    lowered(&upper_camel(name))
}

/// A class name as a method name: `IOError` becomes `ioError`, `Name` becomes `name`.
pub(super) fn lowered(camel: &str) -> String {
    let capitals = camel.chars().take_while(char::is_ascii_uppercase).count();
    let down = if capitals > 1 && capitals < camel.len() { capitals - 1 } else { capitals };
    camel[..down].to_lowercase() + &camel[down..]
}

/// The plural of a name.
pub(super) fn plural(name: &str) -> String {
    let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
    let is_vowel = |c: char| "aeiou".contains(c);
    if name.ends_with("Data") || name == "data" {
        return name.to_owned();
    }
    match name.strip_suffix('y') {
        Some(stem) if !stem.ends_with(is_vowel) => format!("{stem}ies"),
        _ if ends(&["s", "x", "z", "ch", "sh"]) => format!("{name}es"),
        _ => format!("{name}s"),
    }
}

/// Splits a name into runs of letters and digits. A letter that is not ASCII is written as its code point, so
/// that names stay distinct.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for letter in name.chars() {
        let last = words.len() - 1;
        if letter.is_ascii_alphanumeric() {
            words[last].push(letter);
        } else if letter.is_alphanumeric() {
            words[last].push_str(&format!("u{:04x}", u32::from(letter)));
        } else {
            words.push(String::new());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Changes `WORD` to `Word`. If the name has lower-case letters, its capitals are kept.
fn capitalized(word: &str, keeps_capitals: bool) -> String {
    let (first, rest) = word.split_at(1);
    first.to_uppercase() + &if keeps_capitals { rest.to_owned() } else { rest.to_lowercase() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_camels() {
        for (name, upper, lower) in [
            ("TYPE_REF", "TypeRef", "typeRef"),
            ("CALL", "Call", "call"),
            ("keyValuePairs", "KeyValuePairs", "keyValuePairs"),
            ("IOError", "IOError", "ioError"),
            ("2-way", "N2Way", "n2Way"),
            ("I64", "I64", "i64"),
            ("a.b c", "ABC", "abc"),
            ("ä", "U00e4", "u00e4"),
            ("", "Unnamed", "unnamed"),
            ("/* */", "Unnamed", "unnamed"),
        ] {
            assert_eq!((upper_camel(name).as_str(), lower_camel(name).as_str()), (upper, lower), "{name}");
        }
    }

    #[test]
    fn a_long_name_is_cut() {
        assert_eq!(upper_camel(&"x".repeat(1000)).len(), LENGTH_MAX);
    }

    #[test]
    fn names_that_are_equal_in_java_stay_apart() {
        let mut names = Names::of_classes();
        let mut class = |name: &str| names.take(&upper_camel(name), |_| Vec::new());
        assert_eq!(class("TYPE_REF"), "TypeRef");
        assert_eq!(class("TypeRef"), "TypeRef_");
        assert_eq!(class("type-ref"), "TypeRef2");
        assert_eq!(class("TYPEREF"), "Typeref3", "file systems may not tell capitals apart");
        assert_eq!(class("STRING"), "String_");
    }

    #[test]
    fn words_of_the_language_get_an_underscore() {
        let mut names = Names::of_methods(&["id"]);
        let mut method = |name: &str| names.take(&lower_camel(name), |_| Vec::new());
        assert_eq!(method("CLASS"), "class_");
        assert_eq!(method("ID"), "id_");
        assert_eq!(method("HASH_CODE"), "hashCode_");
    }

    #[test]
    fn a_name_is_taken_with_those_that_follow_from_it() {
        let mut names = Names::of_methods(&[]);
        let code = |name: &str| vec![format!("{name}Code")];
        assert_eq!(names.take("name", code), "name");
        assert_eq!(names.take("nameCode", |_| Vec::new()), "nameCode_");
        assert_eq!(names.take("x", |_| Vec::new()), "x");
        assert_eq!(names.take("xCode", |_| Vec::new()), "xCode");
        assert_eq!(names.take("x", code), "x_");
    }

    #[test]
    fn many_have_a_plural() {
        for (one, many) in [
            ("method", "methods"),
            ("dependency", "dependencies"),
            ("array", "arrays"),
            ("class_", "class_s"),
            ("alias", "aliases"),
            ("branch", "branches"),
            ("metaData", "metaData"),
        ] {
            assert_eq!(plural(one), many);
        }
    }
}
