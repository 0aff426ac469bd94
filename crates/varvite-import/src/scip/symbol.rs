//! [`Symbol`]: the parts of a symbol's text.
//!
//! ```text
//! symbol      scheme ' ' manager ' ' package ' ' version ' ' descriptor+   a part has two spaces for one
//!             'local ' id                                                  a symbol of one document
//! descriptor  name '/'   namespace      name '('..').'  method             '[' name ']'  type parameter
//!             name '#'   type           name '!'        macro              '(' name ')'  parameter
//!             name '.'   term           name ':'        meta
//! name        letters and digits, or '`' any text '`' with '``' for '`'
//! ```

use std::borrow::Cow;

/// The kind of a descriptor, as its last characters tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Suffix {
    Namespace,
    Type,
    Term,
    Method,
    TypeParameter,
    Parameter,
    Meta,
    Macro,
}

/// A symbol that is known in all documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Symbol<'s> {
    /// Scheme, manager, package and version.
    pub(super) package: &'s str,
    /// All descriptors.
    pub(super) descriptors: &'s str,
    /// The last descriptor's name, as it is written.
    name: &'s str,
    pub(super) suffix: Suffix,
    /// The descriptor before the last one; `None` if there is only one.
    pub(super) outer: Option<Suffix>,
    /// The symbol without its last descriptor.
    pub(super) parent: &'s str,
}

/// Whether a symbol belongs to a single document.
pub(super) fn is_local(symbol: &str) -> bool {
    symbol.starts_with("local ")
}

impl<'s> Symbol<'s> {
    /// The parts of a symbol. `None` if the text does not follow the grammar. Costs one pass over the text.
    pub(super) fn of(symbol: &'s str) -> Option<Self> {
        if symbol.starts_with('\0') {
            return None;
        }
        let mut descriptors = symbol;
        for _ in 0..4 {
            descriptors = after_part(descriptors)?;
        }
        let mut last: Option<(Suffix, &str, usize)> = None;
        let (mut rest, mut outer) = (descriptors, None);
        while !rest.is_empty() {
            outer = last.map(|(suffix, ..)| suffix);
            let (suffix, name, behind) = descriptor(rest)?;
            last = Some((suffix, name, symbol.len() - rest.len()));
            rest = behind;
        }
        let (suffix, name, start) = last?;
        let package = symbol[..symbol.len() - descriptors.len()].strip_suffix(' ')?;
        Some(Self { package, descriptors, name, suffix, outer, parent: &symbol[..start] })
    }

    /// The last descriptor's name, without quotes.
    pub(super) fn name(&self) -> Cow<'s, str> {
        match self.name.contains("``") {
            true => self.name.replace("``", "`").into(),
            false => self.name.into(),
        }
    }
}

/// The text behind the next single space.
fn after_part(text: &str) -> Option<&str> {
    let mut at = 0;
    loop {
        at += text[at..].find(' ')?;
        match text[at + 1..].starts_with(' ') {
            true => at += 2,
            false => return Some(&text[at + 1..]),
        }
    }
}

/// The first descriptor of a text: its kind, its name, and the text behind it.
fn descriptor(text: &str) -> Option<(Suffix, &str, &str)> {
    match text.as_bytes()[0] {
        b'(' => enclosed(Suffix::Parameter, text, ")"),
        b'[' => enclosed(Suffix::TypeParameter, text, "]"),
        _ => {
            let (name, rest) = name(text)?;
            let behind = rest.get(1..);
            match rest.as_bytes().first()? {
                b'/' => Some((Suffix::Namespace, name, behind?)),
                b'#' => Some((Suffix::Type, name, behind?)),
                b'.' => Some((Suffix::Term, name, behind?)),
                b':' => Some((Suffix::Meta, name, behind?)),
                b'!' => Some((Suffix::Macro, name, behind?)),
                b'(' => Some((Suffix::Method, name, rest.split_once(").")?.1)),
                _ => None,
            }
        }
    }
}

fn enclosed<'s>(suffix: Suffix, text: &'s str, end: &str) -> Option<(Suffix, &'s str, &'s str)> {
    let (name, rest) = name(&text[1..])?;
    Some((suffix, name, rest.strip_prefix(end)?))
}

/// The name at the beginning of a text, without its quotes, and the text behind it. A name without quotes may
/// have any characters but those that end a name, since some indexers write more than letters and digits.
fn name(text: &str) -> Option<(&str, &str)> {
    let Some(quoted) = text.strip_prefix('`') else {
        let end = text.find(['/', '#', '.', ':', '!', '(', ')', '[', ']', '`'])?;
        return (end > 0).then(|| text.split_at(end));
    };
    let mut end = 0;
    loop {
        end += quoted[end..].find('`')?;
        match quoted[end + 1..].starts_with('`') {
            true => end += 2,
            false => return (end > 0).then(|| (&quoted[..end], &quoted[end + 1..])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(symbol: &str, expected: Option<(&str, Suffix, Option<Suffix>, &str)>) {
        let found = Symbol::of(symbol);
        let found = found.as_ref().map(|found| (found.name(), found.suffix, found.outer, found.parent));
        let expected = expected.map(|(name, suffix, outer, parent)| (name.into(), suffix, outer, parent));
        assert_eq!(found, expected, "{symbol}");
    }

    #[test]
    fn the_last_descriptor_names_the_symbol() {
        use Suffix::*;
        let package = "scip-python python requests 2.0 ";
        for (descriptors, name, suffix, outer, parent) in [
            ("`requests.api`/get().", "get", Method, Some(Namespace), "`requests.api`/"),
            ("`a/b``c#`/", "a/b`c#", Namespace, None, ""),
            ("A#f(+1).(x)", "x", Parameter, Some(Method), "A#f(+1)."),
            ("A#f(+1).", "f", Method, Some(Type), "A#"),
            ("A#[T]", "T", TypeParameter, Some(Type), "A#"),
            ("A#x.", "x", Term, Some(Type), "A#"),
            ("m/__init__:", "__init__", Meta, Some(Namespace), "m/"),
            ("vec!", "vec", Macro, None, ""),
        ] {
            let (symbol, parent) = (format!("{package}{descriptors}"), format!("{package}{parent}"));
            check(&symbol, Some((name, suffix, outer, &parent)));
        }
    }

    #[test]
    fn parts_may_be_empty_or_have_double_spaces() {
        check("a . . . f().", Some(("f", Suffix::Method, None, "a . . . ")));
        check("a b  c d e f#", Some(("f", Suffix::Type, None, "a b  c d e ")));
        check("a    f().", None);
    }

    #[test]
    fn texts_that_do_not_follow_the_grammar_are_no_symbols() {
        for text in [
            "",
            "a",
            "\0 b c d f#",
            "a b c d ",
            "a b c d f",
            "a b c d f(",
            "a b c d f(x",
            "a b c d `f",
            "a b c d ``/",
            "a b c d [T",
            "a b c d /",
        ] {
            check(text, None);
        }
    }
}
