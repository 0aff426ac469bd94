//! Finds the references of a Rust file to other modules: the modules that it declares, the names that it
//! imports, and the paths in its code.
//!
//! The file is read as a sequence of words, without a syntax tree. Items under `#[cfg(test)]` are left out.

use super::rust::code_of;

/// The references of a file, and the names that it defines.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Source {
    /// The declared modules that are in other files.
    pub(crate) declared: Vec<String>,
    pub(crate) uses: Vec<Use>,
    /// Paths with several names, outside of `use` declarations.
    pub(crate) paths: Vec<Mention>,
    /// The names of the items that the file defines.
    defined: Vec<String>,
}

/// A name that a `use` declaration brings in.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Use {
    pub(crate) name: String,
    pub(crate) path: Vec<String>,
    pub(crate) line: usize,
}

impl Use {
    /// The name of an import that brings in all names of the module to which its path leads.
    pub(crate) const GLOB: &str = "*";
}

/// A path, and its line number, from one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Mention {
    pub(crate) path: Vec<String>,
    pub(crate) line: usize,
}

const DEFINING: [&str; 8] = ["struct", "enum", "union", "trait", "type", "fn", "const", "static"];

impl Source {
    pub(crate) fn of(text: &str) -> Self {
        let code = code_of(text);
        let mut reader = Reader { words: without_tests(words(&code)), ..Reader::default() };
        reader.read();
        reader.source
    }

    pub(crate) fn defines(&self, name: &str) -> bool {
        self.defined.iter().any(|defined| defined == name)
    }

    /// Every path in the file, in `use` declarations and elsewhere.
    pub(crate) fn mentions(&self) -> impl Iterator<Item = (&[String], usize)> {
        let uses = self.uses.iter().map(|found| (found.path.as_slice(), found.line));
        uses.chain(self.paths.iter().map(|found| (found.path.as_slice(), found.line)))
    }
}

/// A word of the file: a name, `::`, or another single character.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    line: usize,
}

impl Word<'_> {
    fn is_name(self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }
}

fn words(code: &str) -> Vec<Word<'_>> {
    code.lines().enumerate().flat_map(|(i, text)| words_of_line(text, i + 1)).collect()
}

fn words_of_line(text: &str, line: usize) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let name = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let len = match name {
            0 if rest.starts_with("::") => 2,
            0 => first.len_utf8(),
            len => len,
        };
        words.push(Word { text: &rest[..len], line });
        rest = rest[len..].trim_start();
    }
    words
}

/// The words without items that exist only in tests.
fn without_tests(words: Vec<Word<'_>>) -> Vec<Word<'_>> {
    let mut kept = Vec::with_capacity(words.len());
    let mut at = 0;
    while at < words.len() {
        if is_for_tests(&words[at..]) {
            at += attribute_len(&words[at..]);
            at += item_len(&words[at..]);
            continue;
        }
        kept.push(words[at]);
        at += 1;
    }
    kept
}

/// Whether the words begin with an attribute that restricts its item to tests.
fn is_for_tests(words: &[Word<'_>]) -> bool {
    let starts = |texts: &[&str]| {
        texts.iter().zip(words).filter(|(text, word)| **text == word.text).count() == texts.len()
    };
    starts(&["#", "[", "cfg", "(", "test", ")"]) || starts(&["#", "[", "cfg", "(", "all", "(", "test", ","])
}

fn attribute_len(words: &[Word<'_>]) -> usize {
    words.iter().position(|word| word.text == "]").map_or(words.len(), |at| at + 1)
}

/// The number of words in an item. An item ends with a semicolon, or with the brace that closes its body.
fn item_len(words: &[Word<'_>]) -> usize {
    let mut depth = 0usize;
    for (i, word) in words.iter().enumerate() {
        match word.text {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" if depth == 0 => return i,
            "}" | ")" | "]" => depth -= 1,
            _ => {}
        }
        if depth == 0 && matches!(word.text, ";" | "}") {
            return i + 1;
        }
    }
    words.len()
}

/// Reads the words once, and keeps track of the inline module that contains the current word.
#[derive(Default)]
struct Reader<'a> {
    words: Vec<Word<'a>>,
    at: usize,
    depth: usize,
    /// For each inline module that is open, the depth of braces at which it began.
    inner: Vec<usize>,
    source: Source,
}

impl<'a> Reader<'a> {
    fn read(&mut self) {
        while self.at < self.words.len() {
            match self.text(0) {
                "{" => self.depth += 1,
                "}" => {
                    self.depth = self.depth.saturating_sub(1);
                    self.inner.pop_if(|begin| *begin == self.depth);
                }
                "mod" => self.module(),
                "use" if self.text(1) != "<" => {
                    self.at += 1;
                    self.tree(&[]);
                    continue;
                }
                text if DEFINING.contains(&text) => self.define(1),
                "macro_rules" => self.define(2),
                _ if self.begins_path() => {
                    self.path();
                    continue;
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    /// The word `ahead` positions after the current one; empty after the last word.
    fn text(&self, ahead: usize) -> &'a str {
        self.words.get(self.at + ahead).map_or("", |word| word.text)
    }

    fn module(&mut self) {
        match self.text(2) {
            ";" => self.source.declared.push(self.text(1).to_owned()),
            "{" => self.inner.push(self.depth),
            _ => {}
        }
    }

    fn define(&mut self, ahead: usize) {
        if self.inner.is_empty() {
            self.source.defined.push(self.text(ahead).to_owned());
        }
    }

    fn begins_path(&self) -> bool {
        let before = self.at.checked_sub(1).map_or("", |before| self.words[before].text);
        self.words[self.at].is_name() && self.text(1) == "::" && !matches!(before, "::" | ".")
    }

    fn path(&mut self) {
        let line = self.words[self.at].line;
        let mut path = vec![self.text(0).to_owned()];
        self.at += 1;
        while self.text(0) == "::" && self.words.get(self.at + 1).is_some_and(|word| word.is_name()) {
            path.push(self.text(1).to_owned());
            self.at += 2;
        }
        let path = self.seen_from_file(path);
        self.source.paths.push(Mention { path, line });
    }

    /// Reads a branch of a `use` tree. `before` has the names on the path to the branch.
    fn tree(&mut self, before: &[String]) {
        let line = self.words.get(self.at).map_or(0, |word| word.line);
        let mut path = before.to_vec();
        loop {
            match self.text(0) {
                "::" => self.at += 1,
                "{" => return self.branches(&path),
                "*" => {
                    self.at += 1;
                    return self.bring_in(Use::GLOB.to_owned(), path, line);
                }
                "as" => {
                    let name = self.text(1).to_owned();
                    self.at += 2;
                    return self.bring_in(name, path, line);
                }
                text if self.words.get(self.at).is_some_and(|word| word.is_name()) => {
                    if text != "self" || path.is_empty() {
                        path.push(text.to_owned());
                    }
                    self.at += 1;
                }
                _ => break,
            }
        }
        if let Some(name) = path.last().cloned() {
            self.bring_in(name, path, line);
        }
    }

    fn branches(&mut self, before: &[String]) {
        self.at += 1;
        while !matches!(self.text(0), "}" | "") {
            self.tree(before);
            if !matches!(self.text(0), "}") {
                self.at += 1;
            }
        }
        self.at += 1;
    }

    fn bring_in(&mut self, name: String, path: Vec<String>, line: usize) {
        let path = self.seen_from_file(path);
        self.source.uses.push(Use { name, path, line });
    }

    /// Converts a path in the current inline module to a path as seen from the file's module, to which the
    /// inline module refers by `super`.
    fn seen_from_file(&self, path: Vec<String>) -> Vec<String> {
        let above = path.iter().take_while(|name| *name == "super").count().min(self.inner.len());
        if above == 0 {
            return path;
        }
        ["self".to_owned()].into_iter().chain(path.into_iter().skip(above)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses_of(text: &str) -> Vec<String> {
        let uses = Source::of(text).uses;
        uses.iter()
            .map(|found| format!("{}: {} = {}", found.line, found.name, found.path.join("::")))
            .collect()
    }

    fn paths_of(text: &str) -> Vec<String> {
        Source::of(text)
            .paths
            .iter()
            .map(|found| format!("{}: {}", found.line, found.path.join("::")))
            .collect()
    }

    #[test]
    fn a_use_brings_in_each_name_of_its_tree() {
        assert_eq!(uses_of("use a::b;\npub(crate) use a::c as d;"), ["1: b = a::b", "2: d = a::c"]);
        assert_eq!(
            uses_of("use super::{a::{self, B}, c::*,\n    D};"),
            ["1: a = super::a", "1: B = super::a::B", "1: * = super::c", "2: D = super::D"]
        );
        assert_eq!(uses_of("fn f() -> impl Iterator<Item = u8> + use<'_> {}"), [] as [&str; 0]);
    }

    #[test]
    fn paths_in_code_count_and_methods_do_not() {
        assert_eq!(
            paths_of("fn f() { crate::a::b(1);\nVec::<u8>::new(); x.y::<T>(); }"),
            ["1: crate::a::b", "2: Vec"]
        );
        assert_eq!(paths_of("// crate::a::b\nlet s = \"crate::a::b\";"), [] as [&str; 0]);
        assert_eq!(paths_of("$crate::a::B"), ["1: crate::a::B"]);
    }

    #[test]
    fn what_only_tests_see_is_left_out() {
        assert_eq!(uses_of("#[cfg(test)]\nmod tests { use a::b; fn f() {} }\nuse c::d;"), ["3: d = c::d"]);
        assert_eq!(uses_of("#[cfg(test)]\nuse a::{b, c};\nuse c::d;"), ["3: d = c::d"]);
        assert_eq!(
            uses_of("#[cfg(all(test, unix))]\n#[ignore]\nfn f() { use a::b; }\nuse c::d;"),
            ["4: d = c::d"]
        );
        assert_eq!(uses_of("#[cfg(not(test))]\nuse a::b;"), ["2: b = a::b"]);
    }

    #[test]
    fn super_in_a_module_inside_the_file_is_the_file() {
        assert_eq!(uses_of("mod a { use super::b; }\nuse super::c;"), ["1: b = self::b", "2: c = super::c"]);
        assert_eq!(
            paths_of("mod a { mod b { fn f() { super::super::super::c() } } }"),
            ["1: self::super::c"]
        );
    }

    #[test]
    fn modules_with_a_file_are_declared_and_items_are_defined() {
        let source =
            Source::of("pub mod a;\nmod b { struct Inner; }\n#[cfg(test)] mod tests;\nstruct C;\nfn d() {}");
        assert_eq!(source.declared, ["a"]);
        assert!(source.defines("C") && source.defines("d"));
        assert!(!source.defines("Inner"));
    }
}
